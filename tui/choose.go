package tui

import (
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// startSelect begins selecting by keys in the terminal.
func (m *Model) startSelect() {
	if m.noTerminal() || m.has(intent.ScopeSelect) {
		return
	}
	if !m.has(intent.ScopeHistory) {
		m.base(intent.ScopeTerminal)
	}
	m.notice = flash{}
	m.push(intent.ScopeSelect)
	m.choosing = m.pane()
	m.choosing.term.StartCaret(m.layout().paneRect(m.choosing.id).h)
}

// noTerminal says, to the person too, that there is no terminal to act on.
func (m *Model) noTerminal() bool {
	if m.current != "" && m.layout().term.w > 0 {
		return false
	}
	m.say("no terminal is shown here", "")
	return true
}

// leaveSelect ends the selection by keys when its scope is gone, or its
// terminal.
func (m *Model) leaveSelect() {
	if m.choosing != nil && (!m.has(intent.ScopeSelect) || m.current == "" || m.choosing != m.pane() || !m.choosing.term.Held()) {
		m.stopSelect()
	}
}

// stopSelect ends the selection by keys. The terminal goes on where it was,
// unless it is scrolled back anyway.
func (m *Model) stopSelect() {
	if m.choosing == nil {
		return
	}
	m.choosing.term.StopCaret()
	if !m.has(intent.ScopeHistory) {
		m.choosing.term.Follow()
		m.choosing.forget()
	}
	m.choosing = nil
	m.without(intent.ScopeSelect)
}

// onSelect acts while text is selected by keys.
func (m *Model) onSelect(do intent.Intent) tea.Cmd {
	if m.choosing == nil {
		return nil
	}
	p := m.choosing.term
	switch do {
	case intent.Mark, intent.MarkLines, intent.MarkBlock:
		p.Begin(do)
	case intent.Filter, intent.Next, intent.Previous:
		m.seekFound(do)
	case intent.Copy:
		c, ok := p.Selected()
		if !ok {
			m.say("nothing is marked: space begins, the cursor goes on", "")
			return nil
		}
		of := m.choosing.id
		m.stopSelect()
		return m.copySelected(of, c)
	case intent.Back:
		m.stopSelect()
	case intent.Help:
		return m.common(do)
	case intent.Nothing:
	default:
		p.Walk(do, m.layout().paneRect(m.choosing.id).h)
	}
	return nil
}

// selectHints are the footer's while text is selected by keys.
func selectHints() []hint {
	return []hint{
		{"space", "mark", intent.Mark},
		{"V", "lines", intent.MarkLines},
		{"y", "copy", intent.Copy},
		{"/", "find", intent.Filter},
		{"?", "keys", intent.Help},
		{"esc", "leave", intent.Back},
	}
}

// caret is where the selection by keys is.
func (m *Model) caret(l layout) *tea.Cursor {
	if m.choosing == nil {
		return nil
	}
	r := l.paneRect(m.choosing.id)
	x, y := m.choosing.term.Caret()
	if m.paneAt(l, r.x+x, r.y+y) != m.choosing.id {
		return nil
	}
	c := tea.NewCursor(r.x+x, r.y+y)
	c.Shape = tea.CursorBlock
	return c
}
