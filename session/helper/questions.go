package helper

import (
	"slices"
	"sync"

	"aside/session"
	"aside/session/agent"
)

// questionBook knows what the agents of the thread's panes have asked and not
// yet told the end of. What is not pending at the bridge is asked in the
// agent's own prompt: it was handed over, or never held.
type questionBook struct {
	mu   sync.Mutex
	open []session.Decision // in the order in which they were asked
	// working says that the agent's terminal has told that it is at work again
	// since the last of them went to its own prompt. No event of the agent says
	// so before the tool has finished, which may be hours later.
	working bool
}

// maxQuestions is how many are remembered; the oldest go first.
const maxQuestions = 256

func (b *questionBook) asked(d session.Decision) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.open) >= maxQuestions {
		b.open = slices.Delete(b.open, 0, 1)
	}
	b.open, b.working = append(b.open, d), false
}

// ended is told why a question is no longer held. One that the agent takes
// to its own prompt stays open.
func (b *questionBook) ended(id session.DecisionID, why session.Release) {
	switch why {
	case session.ReleaseTerminal, session.ReleaseDeadline, session.ReleaseHandedOver, session.ReleaseFull, session.ReleaseUnwatched:
		b.mu.Lock()
		b.working = false
		b.mu.Unlock()
		return
	}
	b.forget(func(d session.Decision) bool { return d.ID == id })
}

// heard takes back what an event of the pane's agent says the end of.
func (b *questionBook) heard(e agent.Event, pane session.PaneID) {
	switch e.Kind {
	case agent.ToolDone:
		b.forget(func(d session.Decision) bool {
			return d.Pane == pane && d.ToolCallID != "" && d.ToolCallID == e.Call.ID
		})
	case agent.Prompted:
		if e.Origin != session.OriginAgent {
			b.over(pane)
		}
	case agent.Stopped:
		if !e.Background {
			b.over(pane)
		}
	case agent.SessionStarted, agent.SessionEnded:
		b.over(pane)
	}
}

// over takes back all that the pane's agent has asked.
func (b *questionBook) over(pane session.PaneID) {
	b.forget(func(d session.Decision) bool { return d.Pane == pane })
}

func (b *questionBook) forget(which func(session.Decision) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = slices.DeleteFunc(b.open, which)
}

// terminal is told that the agent's terminal reports another state.
func (b *questionBook) terminal(s session.State) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.working = s == session.StateWorking
}

// first returns the oldest question of the pane.
func (b *questionBook) first(pane session.PaneID) (session.Decision, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.open, func(d session.Decision) bool { return d.Pane == pane })
	if i < 0 || b.working && pane == session.PaneAgent {
		return session.Decision{}, false
	}
	return b.open[i], true
}

// panes returns the panes in which something was asked.
func (b *questionBook) panes() []session.PaneID {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []session.PaneID
	for _, d := range b.open {
		if !slices.Contains(all, d.Pane) {
			all = append(all, d.Pane)
		}
	}
	return all
}

// asked returns what is asked in each pane's own prompt, the oldest of each.
// A pane whose agent is held shows none.
func (h *Host) asked() []session.Decision {
	pending := h.bridge.Pending()
	var all []session.Decision
	for _, pane := range h.questions.panes() {
		held := slices.ContainsFunc(pending, func(d session.Decision) bool { return d.Pane == pane })
		if d, ok := h.questions.first(pane); ok && !held && h.there(d) {
			all = append(all, d)
		}
	}
	return all
}

// unasked refuses to type into a pane whose agent asks something: the Enter
// behind what is typed would answer it, with yes where that is its first
// choice.
func (h *Host) unasked(pane session.PaneID, what string) error {
	for _, d := range h.bridge.Pending() {
		if d.Pane == pane {
			return &session.Error{
				Code: session.CodeFailed, Message: "the agent waits for an answer: " + session.MarkLine(d.Title),
				Hint: "answer that first, then " + what,
			}
		}
	}
	if d, ok := h.questions.first(pane); ok && h.there(d) {
		return &session.Error{
			Code: session.CodeFailed, Message: "the agent asks in its own terminal: " + session.MarkLine(d.Title),
			Hint: "answer it there, then " + what,
		}
	}
	return nil
}

// there says that the agent which asked may be there still. One that a person
// started by hand may have been killed, which no event tells: then the pane's
// own program has its terminal back.
func (h *Host) there(d session.Decision) bool {
	p := h.pane(d.Pane)
	return p != nil && (d.Pane == session.PaneAgent && d.Agent == h.thread.Agent || !p.child.Foreground())
}
