package helper

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aside/hookbridge"
	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
)

// guestBook knows the agents that a person started by hand in the thread's
// panes, with hooks that were installed by aside hooks. They are held and
// answered like the thread's own; its turns and its record are not theirs.
type guestBook struct {
	mu sync.Mutex
	of map[guestKey]*agentBook
}

type guestKey struct {
	pane session.PaneID
	kind string
}

// guest returns what is known of a kind of agent in a pane that is not the
// thread's own. Where that one has hooks, it alone speaks for its pane.
func (h *Host) guest(pane session.PaneID, kind string) (*agentBook, error) {
	if pane == session.PaneAgent && h.o.Adapter.Capabilities().Hooks || h.o.Guest == nil {
		return nil, &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("the agent of this pane is %s, not %q", h.thread.Agent, session.MarkLine(kind)),
		}
	}
	h.guests.mu.Lock()
	defer h.guests.mu.Unlock()
	key := guestKey{pane, kind}
	if b := h.guests.of[key]; b != nil {
		return b, nil
	}
	a, err := h.o.Guest(kind)
	if err != nil {
		return nil, err
	}
	if h.guests.of == nil {
		h.guests.of = map[guestKey]*agentBook{}
	}
	h.guests.of[key] = &agentBook{adapter: a}
	return h.guests.of[key], nil
}

// takeGuest does what follows from an event of a guest. In the agent's own
// pane its state is the thread's; that one has no hooks to tell it.
func (h *Host) takeGuest(e agent.Event, pane session.PaneID) {
	switch e.Kind {
	case agent.Prompted, agent.Stopped:
		h.bridge.NewPrompt(pane)
	case agent.ToolDone:
		h.bridge.ToolDone(pane, e.Call.ID)
	case agent.SessionEnded:
		h.bridge.SessionChanged(pane)
		e.State = session.StateIdle
	}
	if e.State != "" && pane == session.PaneAgent {
		h.status.report(e.State, session.SourceAgent)
	}
}

// holdOn holds a hook's connection on a decision, as its agent allows it.
func (h *Host) holdOn(ctx context.Context, c *wire.Conn, d session.Decision, verdict hookbridge.Verdict) error {
	switch h.holdOf(d) {
	case agent.HoldNone:
		return c.Answer(wire.HookReply{})
	case agent.HoldBefore:
		if !h.watched() {
			return c.Answer(wire.HookReply{Released: string(session.ReleaseUnwatched)})
		}
		d.Deadline = time.Now().Add(time.Duration(h.o.Config.HoldBefore))
	}
	h.questions.ended(d.ID, h.bridge.Hold(ctx, c, d, verdict))
	return nil
}

// holdOf says how the agent of a decision waits.
func (h *Host) holdOf(d session.Decision) agent.Hold {
	if d.Pane == session.PaneAgent && d.Agent == h.thread.Agent {
		return h.o.Adapter.Capabilities().Hold
	}
	b, err := h.guest(d.Pane, d.Agent)
	if err != nil {
		return agent.HoldNone
	}
	return b.adapter.Capabilities().Hold
}

// watched says that a client which shows decisions is attached.
func (h *Host) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.viewers {
		v.mu.Lock()
		deciding := v.deciding
		v.mu.Unlock()
		if deciding {
			return true
		}
	}
	return false
}

// letGo hands to their own prompts the agents that show it only when they are
// not held, once nobody looks (contracts/decisions.md, Adapters).
func (h *Host) letGo() {
	if h.watched() {
		return
	}
	for _, d := range h.bridge.Pending() {
		if h.holdOf(d) == agent.HoldBefore {
			h.bridge.Release(d.ID, session.ReleaseUnwatched)
		}
	}
}
