package tui

import (
	"slices"

	"aside/session"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// offeredIn returns the thread that another one was offered in, if it is still
// there.
func (m *Model) offeredIn(t session.Thread) (session.Thread, bool) {
	if t.ProposedBy == nil {
		return session.Thread{}, false
	}
	return m.thread(t.ProposedBy.Thread)
}

// openOffering goes to the thread that the current one was offered in, to the
// card that it was started from.
func (m *Model) openOffering() tea.Cmd {
	t, _ := m.thread(m.current)
	from, ok := m.offeredIn(t)
	switch {
	case ok:
	case t.ProposedBy != nil:
		m.say("the thread that offered this one is not there any more", "")
		return nil
	default:
		m.say("no other thread offered this one", "")
		return nil
	}
	cmd := m.show(from.ID)
	p := m.pageFor(from.ID)
	p.goal = t.ProposedBy.Proposal
	m.goTranscript(intent.ScopeTranscript)
	m.reachGoal(p)
	return cmd
}

// reachGoal focuses the card that the page was opened for, once it has been
// read.
func (m *Model) reachGoal(p *page) {
	if p.goal == "" {
		return
	}
	if p.thread != m.current || m.top() != intent.ScopeTranscript {
		p.goal = "" // the person has gone elsewhere
		return
	}
	if ids, _ := p.proposals(); slices.Contains(ids, p.goal) {
		m.selectCard(p.goal)
		p.goal = ""
	}
}

// lineage is the part of the header that names the thread which offered one;
// it can be clicked.
func (m *Model) lineage(t session.Thread) string {
	from, ok := m.offeredIn(t)
	if !ok {
		return ""
	}
	return "from " + session.CleanLine(from.Title)
}
