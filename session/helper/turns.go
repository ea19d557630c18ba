package helper

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/storage"
)

// turnBook follows the prompts of the thread: the one on its way to the
// agent, and the turn that is open.
type turnBook struct {
	host *Host

	mu      sync.Mutex
	pending *outgoing
	open    session.TurnID
	last    session.TurnID // the last one that was open
	gate    gate
	closed  bool
}

// outgoing is a prompt on its way: handed to the agent, not yet confirmed.
type outgoing struct {
	turn  session.TurnID
	sent  string // as the agent gets it
	timer *time.Timer
	done  chan struct{}   // closed when its fate is known
	fate  client.Delivery // to be read when done is closed
}

// gate tells the two sides of a flag: one of its channels is closed.
type gate struct{ busy, idle chan struct{} }

func newGate() gate {
	g := gate{busy: make(chan struct{}), idle: make(chan struct{})}
	close(g.idle)
	return g
}

func (g *gate) set(busy bool) {
	on, off := &g.busy, &g.idle
	if !busy {
		on, off = off, on
	}
	select {
	case <-*on:
	default:
		close(*on)
		*off = make(chan struct{})
	}
}

// inAgentsForm returns the prompt as the agent gets it: what a model wrote is
// never handed over bare (contracts/proposed-threads.md, Starting 9).
func inAgentsForm(t storage.Turn) string {
	if t.Author == proposals.AuthorModel {
		return agent.Neutralise(t.Prompt)
	}
	return t.Prompt
}

// dispatch claims a queued prompt and types it into the agent's terminal.
func (b *turnBook) dispatch(ctx context.Context, t storage.Turn) (*outgoing, error) {
	if err := b.host.o.Store.MarkTurnDispatched(ctx, t.ID, b.host.now()); err != nil {
		return nil, err
	}
	return b.handOver(t, true), nil
}

// handOver notes that a claimed prompt is being handed to the agent; with
// paste it is typed into its terminal.
func (b *turnBook) handOver(t storage.Turn, paste bool) *outgoing {
	h := b.host
	o := &outgoing{turn: t.ID, sent: inAgentsForm(t), done: make(chan struct{})}
	b.mu.Lock()
	if earlier := b.pending; earlier != nil {
		defer b.settle(earlier, "The prompt was not delivered: another followed before the agent took it up")
	}
	b.pending = o
	b.gate.set(true)
	b.mu.Unlock()
	if paste {
		if err := h.paste(o.sent); err != nil {
			b.settle(o, sentence(err))
			return o
		}
	}
	if !h.o.Adapter.Capabilities().ConfirmsPrompts {
		b.settle(o, "")
		return o
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		o.timer = time.AfterFunc(h.o.Receipt, func() {
			b.settle(o, fmt.Sprintf("The prompt was not delivered: the agent did not take it up in %s", h.o.Receipt))
		})
	}
	return o
}

// paste gives text to the agent as a paste and an Enter, as a user does.
func (h *Host) paste(text string) error {
	if err := h.Input(session.PaneAgent, session.Input{Paste: &text}); err != nil {
		return err
	}
	return h.Input(session.PaneAgent, session.Input{Key: &session.KeyEvent{Code: session.KeyEnter}})
}

// settle records the fate of a prompt, once; no problem means delivered.
func (b *turnBook) settle(o *outgoing, problem string) {
	h := b.host
	confirms := h.o.Adapter.Capabilities().ConfirmsPrompts
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-o.done:
		return
	default:
	}
	o.fate = client.Delivery{Turn: o.turn, Delivered: problem == "", Confirmed: problem == "" && confirms, Problem: problem}
	if o.timer != nil {
		o.timer.Stop()
	}
	ctx, cancel := h.storeContext()
	defer cancel()
	if problem == "" {
		h.record(h.o.Store.MarkDelivered(ctx, o.turn, h.now()))
	} else {
		h.record(h.o.Store.MarkUndelivered(ctx, o.turn, problem, h.now()))
	}
	close(o.done)
	if !confirms || problem != "" {
		b.rest()
	}
}

// prompted is told that a prompt reached the agent: the one on its way, even
// if it was given up already, or one that was typed in the agent's own UI.
func (b *turnBook) prompted(ctx context.Context, prompt string, origin session.Origin) {
	h := b.host
	b.mu.Lock()
	o := b.pending
	ours := o != nil && samePrompt(o.sent, prompt)
	if ours {
		b.pending, b.open = nil, o.turn
		b.gate.set(true)
	}
	b.mu.Unlock()
	if ours {
		b.settle(o, "")
		h.record(h.o.Store.MarkDelivered(ctx, o.turn, h.now())) // also when it was given up before
		return
	}
	if origin == "" {
		origin = session.OriginHuman
	}
	id, err := h.o.Store.OpenTurn(ctx, h.thread.ID, origin, session.Mark(prompt), h.now())
	h.record(err)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = id
	b.gate.set(true)
}

// samePrompt compares prompts as agents pass them on: white space aside.
func samePrompt(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// stopped is told that the agent's turn is over.
func (b *turnBook) stopped(ctx context.Context) {
	b.mu.Lock()
	id := b.open
	if id != "" {
		b.open, b.last = "", id
	}
	b.rest()
	b.mu.Unlock()
	b.host.actions.stopped()
	if id != "" {
		b.host.record(b.host.o.Store.EndTurn(ctx, id, b.host.now()))
	}
}

// rest wakes those that wait for the end of the turn, if nothing is open or
// on its way; the lock is held.
func (b *turnBook) rest() {
	if b.open != "" {
		return
	}
	if b.pending != nil {
		select {
		case <-b.pending.done:
		default:
			return
		}
	}
	b.gate.set(false)
}

// agentEnded is told that no agent is there any more.
func (b *turnBook) agentEnded(ctx context.Context) {
	b.mu.Lock()
	o := b.pending
	b.mu.Unlock()
	if o != nil {
		b.settle(o, "The prompt was not delivered: the agent ended before it took it up")
	}
	b.stopped(ctx)
}

// close stops the clock of a prompt that is still on its way.
func (b *turnBook) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.pending != nil && b.pending.timer != nil {
		b.pending.timer.Stop()
	}
}

// current returns the id of the open turn, or of the one that is about to
// open, or "".
func (b *turnBook) current() session.TurnID {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == "" && b.pending != nil {
		return b.pending.turn
	}
	return b.open
}

// latest returns the id of the open turn, or else of the last one: an agent
// may write down what it said after it has told that the turn is over.
func (b *turnBook) latest() session.TurnID {
	if id := b.current(); id != "" {
		return id
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

// opened returns a channel that is closed while a turn is open or on its way.
func (b *turnBook) opened() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gate.busy
}

// waitDelivery waits for the fate of the last prompt that was handed over;
// the zero value means that there was none, or that it has opened its turn.
func (b *turnBook) waitDelivery(ctx context.Context) (client.Delivery, error) {
	b.mu.Lock()
	o := b.pending
	open := b.open
	b.mu.Unlock()
	if o == nil {
		return client.Delivery{Turn: open, Delivered: open != "", Confirmed: open != ""}, nil
	}
	return o.wait(ctx)
}

func (o *outgoing) wait(ctx context.Context) (client.Delivery, error) {
	select {
	case <-o.done:
		return o.fate, nil
	case <-ctx.Done():
		return client.Delivery{}, ctx.Err()
	}
}

// waitTurn waits until no turn is open and no prompt is on its way.
func (b *turnBook) waitTurn(ctx context.Context) error {
	b.mu.Lock()
	idle := b.gate.idle
	b.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
