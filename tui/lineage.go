package tui

import (
	"slices"

	"aside/session"
	record "aside/session/transcript"
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
	m.goTranscript(intent.ScopeTranscript)
	if ids, _ := p.proposals(); slices.Contains(ids, t.ProposedBy.Proposal) {
		m.selectCard(t.ProposedBy.Proposal)
		return cmd
	}
	return tea.Batch(cmd, m.readToCard(p, record.Seek{
		Thread: p.thread, Kind: record.KindProposal, Proposal: t.ProposedBy.Proposal, Limit: 1,
	}))
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
