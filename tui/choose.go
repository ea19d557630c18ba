package tui

import (
	"aside/tui/cells"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// startSelect begins selecting by keys in the terminal.
func (m *Model) startSelect() {
	l := m.layout()
	if m.current == "" || l.term.w == 0 || m.has(intent.ScopeSelect) {
		return
	}
	if !m.has(intent.ScopeHistory) {
		m.base(intent.ScopeTerminal)
	}
	m.notice = flash{}
	m.push(intent.ScopeSelect)
	m.choosing = m.pageFor(m.current).pane
	m.choosing.StartCaret(l.term.h)
}

// leaveSelect ends the selection by keys when its scope is gone, or its
// terminal.
func (m *Model) leaveSelect() {
	if m.choosing != nil && (!m.has(intent.ScopeSelect) || m.current == "" || m.choosing != m.pageFor(m.current).pane) {
		m.stopSelect()
	}
}

// stopSelect ends the selection by keys. The terminal goes on where it was,
// unless it is scrolled back anyway.
func (m *Model) stopSelect() {
	if m.choosing == nil {
		return
	}
	m.choosing.StopCaret()
	if !m.has(intent.ScopeHistory) {
		m.choosing.Follow()
		m.pageFor(m.current).forget()
	}
	m.choosing = nil
	m.without(intent.ScopeSelect)
}

// onSelect acts while text is selected by keys.
func (m *Model) onSelect(do intent.Intent) tea.Cmd {
	p := m.choosing
	if p == nil {
		return nil
	}
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
		m.stopSelect()
		return m.copySelected(c)
	case intent.Back:
		m.stopSelect()
	case intent.Help:
		return m.common(do)
	case intent.Nothing:
	default:
		p.Walk(do, m.layout().term.h)
	}
	return nil
}

// selectHints is the footer while text is selected by keys, and what can be
// clicked in it.
func (m *Model) selectHints() (string, []intent.Zone) {
	line := ""
	var zones []intent.Zone
	for _, h := range []struct {
		key, label string
		do         intent.Intent
	}{
		{"space", "mark", intent.Mark},
		{"V", "lines", intent.MarkLines},
		{"y", "copy", intent.Copy},
		{"/", "find", intent.Filter},
		{"?", "keys", intent.Help},
		{"esc", "leave", intent.Back},
	} {
		hint := m.th.Hint(h.key, h.label)
		line += "  "
		zones = append(zones, intent.Zone{X: cells.Width(line), W: cells.Width(hint), Do: h.do})
		line += hint
	}
	return line, zones
}

// caret is where the selection by keys is.
func (m *Model) caret(l layout) *tea.Cursor {
	if m.choosing == nil || l.term.w == 0 || m.covered() {
		return nil
	}
	x, y := m.choosing.Caret()
	if !m.inPane(l, l.term.x+x, l.term.y+y) {
		return nil
	}
	c := tea.NewCursor(l.term.x+x, l.term.y+y)
	c.Shape = tea.CursorBlock
	return c
}
