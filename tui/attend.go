package tui

import (
	"slices"
	"strings"

	"aside/session"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// What the person is called with when something needs them while the window
// does not have the focus.
const (
	NotifyOff    = "off"
	NotifyBell   = "bell"
	NotifyOSC9   = "osc9"
	NotifyOSC777 = "osc777"
)

// notifyMost is the longest notification, in columns.
const notifyMost = 200

// notify calls the person to a thread, where that is wanted and the window
// does not have the focus: one that is looked at shows it all by itself. Until
// it has been looked at, a thread calls once.
func (m *Model) notify(id session.ThreadID, text string) tea.Cmd {
	if !m.away || m.called[id] {
		return nil
	}
	m.called[id] = true
	text = ansi.Truncate(session.CleanLine(m.title(id)+": "+text), notifyMost, "…")
	switch m.o.Notify {
	case NotifyBell:
		return tea.Raw("\a")
	case NotifyOSC9:
		return tea.Raw(ansi.Notify(text))
	case NotifyOSC777:
		// A semicolon would end the text.
		return tea.Raw("\x1b]777;notify;aside;" + strings.ReplaceAll(text, ";", ",") + "\a")
	}
	return nil
}

// needs says that a thread waits for the person.
func (m *Model) needs(t session.Thread) bool {
	_, card := m.actionCards[t.ID]
	return card || t.NeedsYou || len(m.decisions[t.ID]) > 0
}

// attend goes to what waits for the person: the question that is asked, else
// the next thread in the list that needs them, else what waits in this one.
func (m *Model) attend() tea.Cmd {
	if len(m.asks) > 0 {
		m.focusAsk()
		return nil
	}
	all := listed(m.threads, m.b.Project(), m.needs)
	at := slices.IndexFunc(all, func(p placed) bool { return p.ID == m.current })
	for i := range all {
		if p := all[(at+1+i)%len(all)]; p.rank == 0 && p.ID != m.current {
			return m.open(p.ID)
		}
	}
	_, waits := m.decision()
	_, proposes := m.card()
	switch {
	case waits:
		m.focusBar()
	case proposes:
		m.focusCard()
	case at >= 0 && all[at].rank == 0:
		m.goMain()
	default:
		m.say("nothing waits for you", "")
	}
	return nil
}
