package helper

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"aside/hookbridge/wire"
	"aside/proposals"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/storage"
)

// maxViewers is how many clients may be attached at once.
const maxViewers = 64

// serve answers one connection.
func (h *Host) serve(c *wire.Conn) {
	defer func() { _ = c.Close() }()
	r, err := c.ReadRequest()
	h.door.pass(c)
	if err != nil {
		return // the peer was told, or is gone
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := h.answer(ctx, c, r); err != nil {
		_ = c.Refuse(fault(err)) // a peer that is gone cannot be told
	}
}

// fault is an error as it crosses the socket.
func fault(err error) wire.Fault {
	f := wire.Fault{Code: int(session.CodeOf(err)), Message: err.Error()}
	var e *session.Error
	if errors.As(err, &e) {
		f.Hint = e.Hint
	}
	return f
}

// operations that read a body and reply with one.
func (h *Host) answer(ctx context.Context, c *wire.Conn, r wire.Request) error {
	switch r.Op {
	case wire.OpHook:
		return h.hook(ctx, c, r)
	case wire.OpMCP:
		return h.tool(ctx, c, r)
	case client.OpAttach:
		return h.attach(c)
	case client.OpPropose:
		return h.actions.propose(c, r)
	case client.OpStop:
		h.stop(session.SourcePerson)
		defer h.finish() // not before the peer has its answer
		return c.Answer(nil)
	}
	reply, err := h.request(ctx, c, r)
	if err != nil {
		return err
	}
	return c.Answer(reply)
}

func (h *Host) request(ctx context.Context, c *wire.Conn, r wire.Request) (any, error) {
	switch r.Op {
	case client.OpStatus:
		st := h.status.now()
		return client.Status{
			PID: os.Getpid(), Status: st, NeedsYou: h.status.needsYou(st), Decisions: h.bridge.Pending(),
			Panes: h.paneList(), Cards: h.actions.cards(),
		}, nil
	case client.OpExplain:
		return h.status.explain(), nil
	case client.OpAnswer:
		a, err := body[session.Answer](r)
		if err != nil {
			return nil, err
		}
		r, err := h.bridge.Answer(a)
		if r.Outcome == session.OutcomeAnswered {
			h.questions.ended(a.Decision, "") // before the client can send a prompt
		}
		return r, err
	case client.OpHandOver:
		a, err := body[session.Answer](r)
		if err != nil {
			return nil, err
		}
		if !h.bridge.Release(a.Decision, session.ReleaseHandedOver) {
			return nil, &session.Error{Code: session.CodeNotFound, Message: "this decision is no longer asked"}
		}
		return nil, nil
	case client.OpSend:
		s, err := body[client.SendRequest](r)
		if err != nil {
			return nil, err
		}
		return h.send(ctxOf(ctx, c), s)
	case client.OpWait:
		w, err := body[client.WaitRequest](r)
		if err != nil {
			return nil, err
		}
		return h.wait(ctxOf(ctx, c), w)
	case client.OpScreen:
		s, err := body[client.ScreenRequest](r)
		if err != nil {
			return nil, err
		}
		return h.screen(s)
	}
	return h.paneRequest(ctx, r)
}

// ctxOf ends with the peer's connection: who is gone waits for nothing.
func ctxOf(ctx context.Context, c *wire.Conn) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_ = c.AwaitEnd()
		cancel()
	}()
	return ctx
}

func body[T any](r wire.Request) (T, error) {
	var v T
	if err := json.Unmarshal(r.Body, &v); err != nil {
		return v, &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("the request %s is malformed", r.Op), Cause: err}
	}
	return v, nil
}

// send gives a further prompt to the agent and waits for its receipt.
func (h *Host) send(ctx context.Context, s client.SendRequest) (client.Delivery, error) {
	if h.paneEnded(session.PaneAgent) {
		return client.Delivery{}, &session.Error{Code: session.CodeNotFound, Message: "the agent has ended", Hint: "aside resume starts it again"}
	}
	if err := h.awaitReady(ctx); err != nil {
		return client.Delivery{}, err
	}
	if err := h.unasked(session.PaneAgent, "send the prompt"); err != nil {
		return client.Delivery{}, err
	}
	author := proposals.AuthorPerson
	if s.Author == proposals.AuthorModel {
		author = s.Author
	}
	t := storage.Turn{
		ID: session.TurnID(session.NewID()), Thread: h.thread.ID, Origin: session.OriginHuman,
		Prompt: s.Prompt, Author: author,
	}
	if err := h.o.Store.QueueTurn(ctx, t, h.now()); err != nil {
		return client.Delivery{}, err
	}
	o, err := h.turns.dispatch(ctx, t)
	if err != nil {
		return client.Delivery{}, err
	}
	return o.wait(ctx)
}

// startPatience is how long a prompt waits for the agent to have started: one
// that shows no sign of it gets it then.
const startPatience = 20 * time.Second

// titleInterval is how often the title of an agent's terminal is looked at
// while a prompt waits for it.
const titleInterval = 50 * time.Millisecond

// awaitReady waits for an agent that is starting, which would lose what is
// typed now.
func (h *Host) awaitReady(ctx context.Context) error {
	late := time.NewTimer(startPatience)
	defer late.Stop()
	var ready <-chan struct{}
	var look <-chan time.Time
	switch h.o.Adapter.Capabilities().Ready {
	case agent.ReadyReported:
		ready = h.status.awaited()
	case agent.ReadyTitled:
		ticker := time.NewTicker(titleInterval)
		defer ticker.Stop()
		look = ticker.C
	default:
		return nil
	}
	for {
		select {
		case <-ready:
			return nil
		case <-look:
			if p := h.pane(session.PaneAgent); p == nil || p.title() != "" {
				return nil
			}
		case <-late.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (h *Host) wait(ctx context.Context, w client.WaitRequest) (any, error) {
	switch w.For {
	case client.WaitDelivery:
		return h.turns.waitDelivery(ctx)
	case client.WaitTurn:
		return nil, h.turns.waitTurn(ctx)
	}
	return nil, &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("nothing called %q can be waited for", w.For)}
}

func (h *Host) screen(s client.ScreenRequest) (client.Screen, error) {
	p := h.pane(s.Pane)
	if p == nil {
		return client.Screen{}, &session.Error{Code: session.CodeNotFound, Message: fmt.Sprintf("no pane %q in this thread", s.Pane)}
	}
	f := p.whole()
	out := client.Screen{Cols: f.Cols, Title: f.Title, Rows: []session.Row{}}
	for _, c := range f.Changed {
		for len(out.Rows) <= c.Y {
			out.Rows = append(out.Rows, session.Row{})
		}
		out.Rows[c.Y] = c.Row
	}
	if h.paneEnded(s.Pane) {
		h.sawEnd(s.Pane)
		defer h.leave()
	}
	return out, nil
}

// stop ends every program of the thread, for who is named first when several
// ask for it; it returns when they have ended.
func (h *Host) stop(by session.Source) {
	h.bridge.Stop()
	h.actions.stop()
	h.mu.Lock()
	h.stopped = cmp.Or(h.stopped, by)
	panes := slices.Collect(maps.Values(h.panes))
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	for _, p := range panes {
		p.child.Stop(ctx)
	}
	h.running.Wait()
}

// attach serves a client until one side ends it.
func (h *Host) attach(c *wire.Conn) error {
	v := newViewer(h, c)
	h.mu.Lock()
	if len(h.viewers) >= maxViewers {
		h.mu.Unlock()
		return &session.Error{Code: session.CodeFailed, Message: "too many screens look at this thread", Hint: "close one of them"}
	}
	h.viewers[v] = struct{}{}
	st := h.status.now()
	v.tell(client.Down{Status: &st})
	// Under the lock that published events are told under, so that none of
	// these is told again after it has gone.
	for _, d := range h.bridge.Pending() {
		v.tell(client.Down{Decision: &d})
	}
	h.mu.Unlock()
	v.panesChanged()
	h.actions.show(v)
	defer func() {
		h.mu.Lock()
		delete(h.viewers, v)
		h.mu.Unlock()
		h.letGo()
		h.leave()
	}()
	if err := c.Answer(nil); err != nil {
		return nil
	}
	go v.read()
	v.write(h.over)
	_ = c.Close()
	<-v.done
	return nil
}
