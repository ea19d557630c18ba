package helper

import (
	"slices"
	"sync"
	"time"

	"aside/session"
	"aside/session/client"
)

// statusBook keeps what each source said of the agent's state, and which of
// it holds.
type statusBook struct {
	host *Host

	mu      sync.Mutex
	current session.Status
	reports map[session.Source]session.Status
	told    time.Time // when a terminal's report was last published
	later   bool      // the next is going to be

	ready chan struct{} // closed when the agent has told that it is there

	publishing sync.Mutex     // makes the last state published the one that is
	stored     session.Status // the last one that was; guarded by publishing
	ending     *ending        // what is stored with the state of the end; likewise
}

// ending is what is known of a program that has ended.
type ending struct {
	code    int
	problem string
}

// reportGap is the least time between two published reports of a terminal. A
// program may write one after the other, and each is a write to the database
// that other threads want too.
const reportGap = 100 * time.Millisecond

// report takes a state from a source. The better source wins, but for the end
// of a question, which the terminal may tell first; a change is stored and
// told to every client.
func (b *statusBook) report(s session.State, source session.Source) (changed bool) {
	st := session.Status{State: s, Source: source, At: b.host.now()}
	b.mu.Lock()
	if b.reports == nil {
		b.reports = map[session.Source]session.Status{}
	}
	before := b.reports[source]
	b.reports[source] = st
	switch {
	case source == session.SourceAgent, source == session.SourceTerminal:
		closeOnce(b.ready)
	case s == session.StateStarting && isClosed(b.ready):
		b.ready = make(chan struct{}) // it starts again
	}
	next := b.current.Next(st)
	if b.answeredThere(before, st) {
		next = st
	}
	changed = next.State != b.current.State || next.Source != b.current.Source
	if changed {
		b.current = next
	}
	b.mu.Unlock()
	if source == session.SourceTerminal && before.State != s {
		b.host.questions.terminal(s)
	}
	switch {
	case !changed:
	case source == session.SourceTerminal:
		b.publishPaced()
	default:
		b.publish()
	}
	return changed
}

// begun reports that the agent's program runs. How the one before has ended is
// no more to be stored.
func (b *statusBook) begun() {
	b.publishing.Lock()
	b.ending = nil
	b.publishing.Unlock()
	b.report(session.StateStarting, session.SourceProcess)
}

// ended reports the end of the agent's program, from who ended it. It is stored
// at once with the exit status and the problem, if there is one, or when the
// helper ends, where the store does not take it before.
func (b *statusBook) ended(s session.State, source session.Source, code int, problem string) {
	b.publishing.Lock()
	b.ending = &ending{code, problem}
	b.publishing.Unlock()
	if !b.report(s, source) {
		b.publish()
	}
}

// awaited returns a channel that is closed when the agent has told that it is
// there.
func (b *statusBook) awaited() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready
}

// publishPaced publishes the state, at the end of the gap since the last time.
// It is called by a running pane: the helper waits for what comes later.
func (b *statusBook) publishPaced() {
	b.mu.Lock()
	if b.later {
		b.mu.Unlock()
		return
	}
	wait := reportGap - b.host.now().Sub(b.told)
	if wait > 0 {
		b.later = true
		b.host.running.Add(1)
		b.mu.Unlock()
		time.AfterFunc(wait, b.publishLate)
		return
	}
	b.told = b.host.now()
	b.mu.Unlock()
	b.publish()
}

func (b *statusBook) publishLate() {
	defer b.host.running.Done()
	b.mu.Lock()
	b.later, b.told = false, b.host.now()
	b.mu.Unlock()
	b.publish()
}

// answeredThere says that a report tells the end of what the agent asked: its
// terminal was at rest and is at work again. No event of the agent says so
// before the tool has finished, which may be hours later. The lock is held.
func (b *statusBook) answeredThere(before, st session.Status) bool {
	return b.current.State == session.StateNeedsYou && st.Source == session.SourceTerminal &&
		st.State == session.StateWorking && before.State != "" && before.State != session.StateWorking
}

// publish stores the state, unless that is the one stored, with the time since
// when it holds; and it tells the clients, also when only the number of
// pending decisions has changed.
func (b *statusBook) publish() {
	b.publishing.Lock()
	defer b.publishing.Unlock()
	st := b.now()
	if st.State != b.stored.State || st.Source != b.stored.Source || b.ending != nil {
		b.store(st)
	}
	b.host.tell(client.Down{Status: &st})
}

func (b *statusBook) store(st session.Status) {
	ctx, cancel := b.host.storeContext()
	defer cancel()
	store, id := b.host.o.Store, b.host.thread.ID
	e := b.ending
	ended := e != nil && st.State.Ended()
	var err error
	if ended {
		err = store.SetEnded(ctx, id, st, e.code, e.problem)
	} else {
		err = store.SetStatus(ctx, id, st, b.needsYou(st))
	}
	if err != nil {
		b.host.record(err)
		return
	}
	if b.stored = st; ended {
		b.ending = nil
	}
}

// settle stores the end of the program where the store did not take it.
func (b *statusBook) settle() {
	b.publishing.Lock()
	defer b.publishing.Unlock()
	if b.ending != nil {
		b.store(b.now())
	}
}

// now returns the status, in which a pending decision shows as needing you.
func (b *statusBook) now() session.Status {
	b.mu.Lock()
	st := b.current
	b.mu.Unlock()
	if pending := b.host.bridge.Pending(); len(pending) > 0 && !st.State.Ended() {
		return session.Status{State: session.StateNeedsYou, Source: session.SourceAgent, At: pending[0].ReceivedAt}
	}
	return st
}

func (b *statusBook) needsYou(st session.Status) bool { return st.State == session.StateNeedsYou }

// explain returns the current status, the last report of each source and
// what the agent is held on.
func (b *statusBook) explain() client.Explanation {
	current := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	e := client.Explanation{Current: current, Pending: b.host.bridge.Pending(), Asked: b.host.asked()}
	for _, r := range b.reports {
		e.Reports = append(e.Reports, r)
	}
	slices.SortFunc(e.Reports, func(x, y session.Status) int { return y.At.Compare(x.At) })
	return e
}
