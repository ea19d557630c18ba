package hookbridge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
)

// writeTimeout is how long a hook may take to accept the line that ends its
// wait, so that one that reads nothing blocks no answer.
const writeTimeout = 5 * time.Second

// Verdict turns an answer into what the hook prints: JSON text in the
// agent's own dialect. It must be safe for concurrent use and have no effect,
// since an answer that comes second is rendered too before it is found out.
type Verdict func(session.Answer) ([]byte, error)

// EventKind is what happened to a decision.
type EventKind string

// The kinds of an event. Every decision is opened first, and then either
// answered or released.
const (
	Opened   EventKind = "opened"
	Answered EventKind = "answered" // the verdict is queued to the hook, not carried out
	Released EventKind = "released"
)

// Event tells what happened to a decision.
type Event struct {
	Kind     EventKind
	Decision session.Decision
	Answer   session.Answer  // Answered: the answer that won
	At       time.Time       // Answered: when it was given
	Release  session.Release // Released: why
}

// Bridge holds the hooks' connections of one helper. Its methods are safe for
// concurrent use; only Hold, Answer and Stop wait for anything, and none does
// so with the lock held.
type Bridge struct {
	hold    time.Duration
	publish func(Event)

	mu         sync.Mutex
	arbiter    *arbiter
	responders map[session.DecisionID]*responder
	stopped    bool
	queue      []Event // to be published, in order
	complete   bool    // nothing will be queued any more

	wake      chan struct{}  // the queue has grown or is complete
	published chan struct{}  // closed when everything has been published
	holding   sync.WaitGroup // calls of Hold that have registered
}

// responder is the goroutine that holds one connection, seen from the others.
type responder struct {
	verdict Verdict
	// outcome carries the one thing that ends the wait. It has room for it,
	// so that it can be sent with the lock held.
	outcome chan outcome
	// settled is closed when the decision is neither live nor under way.
	settled chan struct{}
	// receipt is what became of the verdict; to be read once settled.
	receipt session.Receipt
}

// outcome is a verdict, or the reason why there is none.
type outcome struct {
	verdict []byte
	release session.Release
}

// New returns a bridge that holds a connection for at most hold. It calls
// publish for every event, one at a time and in order, from a goroutine of
// its own and without a lock: publish may block, and may call the bridge,
// except Stop. Stop has to be called.
func New(hold time.Duration, publish func(Event)) *Bridge {
	b := &Bridge{
		hold:       hold,
		publish:    publish,
		arbiter:    newArbiter(),
		responders: make(map[session.DecisionID]*responder),
		wake:       make(chan struct{}, 1),
		published:  make(chan struct{}),
	}
	go b.publishAll()
	return b
}

// Hold makes a decision of an agent's request and holds its hook's
// connection until the decision is answered or released; then it tells the
// hook, and closes the connection. It returns why there was no verdict, ""
// when one was sent. The decision's ReceivedAt and Deadline are set here, and
// its ID unless it has one; an earlier Deadline of the caller's stays. The end
// of ctx releases the decision.
func (b *Bridge) Hold(ctx context.Context, c *wire.Conn, d session.Decision, verdict Verdict) session.Release {
	r := &responder{verdict: verdict, outcome: make(chan outcome, 1), settled: make(chan struct{})}
	if d.ID == "" {
		d.ID = session.DecisionID(session.NewID())
	}
	d.ReceivedAt = time.Now()
	if latest := d.ReceivedAt.Add(b.hold); d.Deadline.IsZero() || latest.Before(d.Deadline) {
		d.Deadline = latest
	}
	if !b.register(d, r) {
		dismiss(c, session.ReleaseStopped)
		return session.ReleaseStopped
	}
	defer b.holding.Done()

	gone := make(chan struct{})
	go func() {
		_ = c.AwaitEnd() // any end is one: closed, broken, or a byte too many
		close(gone)
	}()
	defer func() { <-gone }() // it ends when the connection is closed below
	deadline := time.NewTimer(d.Deadline.Sub(d.ReceivedAt))
	defer deadline.Stop()

	select {
	case o := <-r.outcome:
		return b.tell(c, d.ID, r, o)
	case <-gone:
		b.Release(d.ID, session.ReleaseGone)
	case <-deadline.C:
		b.Release(d.ID, session.ReleaseDeadline)
	case <-ctx.Done():
		b.Release(d.ID, session.ReleaseStopped)
	}
	// Released just now, unless something else was first: the outcome is
	// there either way.
	return b.tell(c, d.ID, r, <-r.outcome)
}

// register lets the responder in, unless the bridge has stopped. Registering
// it and publishing the decision happen under one lock, in that order: no
// answer can come before there is somebody to send it to.
func (b *Bridge) register(d session.Decision, r *responder) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	b.holding.Add(1)
	b.responders[d.ID] = r
	b.do(b.arbiter.register(d))
	return true
}

// tell ends the wait of a hook and closes its connection. It returns what Hold
// does.
func (b *Bridge) tell(c *wire.Conn, id session.DecisionID, r *responder, o outcome) session.Release {
	if o.release != "" {
		dismiss(c, o.release)
		return o.release
	}
	err := errors.Join(
		c.SetWriteDeadline(time.Now().Add(writeTimeout)),
		c.Answer(wire.HookReply{Output: string(o.verdict)}),
	)
	_ = c.Close() // the outcome is known; the hook reads what was written before

	b.mu.Lock()
	defer b.mu.Unlock()
	var effects []effect
	r.receipt, effects = b.arbiter.delivered(id, err == nil)
	b.do(effects)
	b.settle(id)
	if err != nil {
		return session.ReleaseGone
	}
	return ""
}

// dismiss tells a hook that there will be no verdict and closes its
// connection. A hook that is gone needs no telling.
func dismiss(c *wire.Conn, why session.Release) {
	_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
	_ = c.Answer(wire.HookReply{Released: string(why)})
	_ = c.Close()
}

// Answer gives a decision its answer and returns what became of it. The first
// valid answer of any client takes the decision; a second one waits until it
// is known whether the first reached the hook. The error is a *session.Error,
// for an answer that does not fit the decision, which then stays as it was.
func (b *Bridge) Answer(ans session.Answer) (session.Receipt, error) {
	b.mu.Lock()
	r := b.responders[ans.Decision]
	live, err := b.arbiter.check(ans)
	b.mu.Unlock()
	if err != nil {
		return session.Receipt{}, err
	}
	if !live {
		return b.late(ans.Decision, r), nil
	}
	verdict, err := r.verdict(ans)
	if err == nil && !json.Valid(verdict) {
		err = errors.New("verdict is not JSON")
	}
	var fault *session.Error
	switch {
	case errors.As(err, &fault):
		return session.Receipt{}, fault
	case err != nil:
		return session.Receipt{}, &session.Error{
			Code:    session.CodeFailed,
			Message: "the answer cannot be put into the agent's own words",
			Hint:    "answer it in the agent's own terminal",
			Cause:   err,
		}
	}
	if !b.take(ans, verdict) {
		return b.late(ans.Decision, r), nil
	}
	<-r.settled
	return r.receipt, nil
}

// take hands the verdict to the decision's responder, if the decision is
// still live.
func (b *Bridge) take(ans session.Answer, verdict []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	effects := b.arbiter.take(ans, verdict, time.Now())
	b.do(effects)
	return len(effects) > 0
}

// late is the receipt for an answer that came after something else. Where
// that is an answer whose verdict is still being sent, it waits for the end.
func (b *Bridge) late(id session.DecisionID, r *responder) session.Receipt {
	if r != nil {
		<-r.settled
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.arbiter.ended(id)
}

// Pending returns the live decisions in order of arrival. It can be ahead of
// what has been published: who takes it for a start is told of a decision
// opened twice, or of the end of one that is not in it, but of the end of
// each one in it. Their options must not be changed.
func (b *Bridge) Pending() []session.Decision {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.arbiter.live)
}

// Release ends one decision without a verdict, as when the person hands it to
// the terminal. It reports whether the decision was live.
func (b *Bridge) Release(id session.DecisionID, why session.Release) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	effects := b.arbiter.release(id, why)
	b.do(effects)
	return len(effects) > 0
}

// UserInput tells that the user's own bytes are about to be written to the
// pane (session.Input.Real). When it returns, every decision of the pane that
// was live is released, and no verdict of one will be sent.
func (b *Bridge) UserInput(pane session.PaneID) { b.releasePane(pane, session.ReleaseTerminal) }

// NewPrompt tells that a prompt has reached the pane's agent.
func (b *Bridge) NewPrompt(pane session.PaneID) { b.releasePane(pane, session.ReleaseGone) }

// SessionChanged tells that the agent's conversation has ended or changed.
func (b *Bridge) SessionChanged(pane session.PaneID) { b.releasePane(pane, session.ReleaseGone) }

// PaneClosed tells that the pane is closed or its program has exited.
func (b *Bridge) PaneClosed(pane session.PaneID) { b.releasePane(pane, session.ReleaseGone) }

func (b *Bridge) releasePane(pane session.PaneID, why session.Release) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.do(b.arbiter.releasePane(pane, why))
}

// ToolDone tells that a tool call of the pane's agent has completed.
func (b *Bridge) ToolDone(pane session.PaneID, callID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.do(b.arbiter.toolDone(pane, callID))
}

// Stop releases every decision, and those that still come, and waits until
// the hooks have been told and everything is published.
func (b *Bridge) Stop() {
	b.mu.Lock()
	b.stopped = true
	b.do(b.arbiter.stop())
	b.mu.Unlock()
	b.holding.Wait()
	b.mu.Lock()
	b.complete = true
	b.mu.Unlock()
	b.wakePublisher()
	<-b.published
}

// do carries out effects in order; the lock must be held. Nothing in it
// waits.
func (b *Bridge) do(effects []effect) {
	for _, e := range effects {
		switch e.kind {
		case publishOpened:
			b.queue = append(b.queue, Event{Kind: Opened, Decision: e.decision})
		case publishAnswered:
			b.queue = append(b.queue, Event{Kind: Answered, Decision: e.decision, Answer: e.answer, At: e.at})
		case publishReleased:
			b.queue = append(b.queue, Event{Kind: Released, Decision: e.decision, Release: e.release})
		case sendVerdict:
			b.responders[e.decision.ID].outcome <- outcome{verdict: e.verdict}
		case sendRelease:
			b.responders[e.decision.ID].outcome <- outcome{release: e.release}
			b.settle(e.decision.ID)
		}
	}
	if len(effects) > 0 {
		b.wakePublisher()
	}
}

// settle forgets a responder whose decision has ended.
func (b *Bridge) settle(id session.DecisionID) {
	close(b.responders[id].settled)
	delete(b.responders, id)
}

func (b *Bridge) wakePublisher() {
	select {
	case b.wake <- struct{}{}:
	default: // it is awake already
	}
}

// publishAll is the publisher's goroutine.
func (b *Bridge) publishAll() {
	defer close(b.published)
	for range b.wake {
		b.mu.Lock()
		events, complete := b.queue, b.complete
		b.queue = nil
		b.mu.Unlock()
		for _, e := range events {
			b.publish(e)
		}
		if complete {
			return
		}
	}
}
