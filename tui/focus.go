package tui

import (
	"maps"
	"slices"

	"aside/session"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// top is the scope that has the focus.
func (m *Model) top() intent.Scope { return m.focus[len(m.focus)-1] }

func (m *Model) push(s intent.Scope) {
	if m.top() != s {
		m.focus = append(m.focus, s)
	}
}

// keep gives a scope the focus unless it is there already, maybe below others.
func (m *Model) keep(s intent.Scope) {
	if !m.has(s) {
		m.push(s)
	}
}

// pop takes the focus from the top scope, if it is s.
func (m *Model) pop(s intent.Scope) {
	if m.top() == s && len(m.focus) > 1 {
		m.focus = m.focus[:len(m.focus)-1]
	}
}

// base makes s the only scope.
func (m *Model) base(s intent.Scope) { m.focus = append(m.focus[:0], s) }

// without drops a scope wherever it is in the stack.
func (m *Model) without(s intent.Scope) {
	kept := m.focus[:0]
	for _, f := range m.focus {
		if f != s {
			kept = append(kept, f)
		}
	}
	if m.focus = kept; len(kept) == 0 {
		m.goMain()
	}
}

func (m *Model) has(s intent.Scope) bool {
	for _, f := range m.focus {
		if f == s {
			return true
		}
	}
	return false
}

// goMain puts the focus where the current thread is worked with: its
// terminal, or the composer where the terminal is not shown.
func (m *Model) goMain() {
	switch {
	case m.current == "" && m.form != nil:
		m.base(intent.ScopeNew)
	case m.current == "":
		m.chosen = m.nearest(0, 1)
		m.base(intent.ScopeSidebar)
	case m.view() == viewTranscript:
		m.base(intent.ScopeComposer)
	default:
		m.base(intent.ScopeTerminal)
	}
}

// goTranscript puts the focus on the transcript, and shows it: in place of the
// terminal, until the person goes back there.
func (m *Model) goTranscript(s intent.Scope) {
	if m.current == "" {
		return
	}
	if m.view() == viewTerminal {
		p := m.pageFor(m.current)
		p.visited, p.usual = true, p.view
		p.view = viewTranscript
		if m.w >= splitDefault {
			p.view = viewSplit
		}
	}
	m.base(s)
}

// comeBack goes from the transcript to what was shown before it was gone to.
func (m *Model) comeBack() {
	if p := m.pages[m.current]; p != nil && p.visited {
		p.visited, p.view = false, p.usual
	}
	m.goMain()
}

// sync brings all that follows from the state into line with it, after each
// message: what is in view, the sizes, the fields' focus, and what must be
// asked for.
func (m *Model) sync() tea.Cmd {
	var cmds []tea.Cmd
	if m.current != "" {
		m.arrangePanes(m.pageFor(m.current))
	}
	m.timeBar()
	m.leaveHidden(m.layout())
	m.arrange()
	m.scrollList()
	m.leaveSelect()
	m.leaveSelection()
	m.leaveLinks()
	m.leaveHistory()
	if m.top() != m.topWas || m.pageOf != m.current || m.current != "" && m.paneOf != m.pane().id {
		cmds = append(cmds, m.moveFocus())
	}
	l := m.layout()
	m.tellView(l)
	if m.current != "" {
		p := m.pageFor(m.current)
		p.field.SetWidth(l.input.w)
		p.field.SetRoom(composerRoom(l.body.h))
		l = m.layout() // a field of another width may have other rows
		r := m.listRect(l)
		p.list.SetSize(r.w, r.h)
	}
	m.list.SetSize(l.body.w, max(0, l.body.h-offersHead))
	m.readCard(l)
	m.sizeReview(l.body)
	m.readSteps(l.body)
	return tea.Batch(append(cmds, m.nameFile(), m.fetchMore(), m.fetchHistory(), m.fetchOutlooks(), m.countNext(), m.remember())...)
}

// leaveHidden moves the focus away from what is not shown any more: keys must
// not go where nobody sees them.
func (m *Model) leaveHidden(l layout) {
	if m.current == "" || m.w == 0 {
		return
	}
	switch m.focus[0] {
	case intent.ScopeTerminal:
		if l.term.w == 0 {
			m.goMain()
		}
	case intent.ScopeComposer, intent.ScopeTranscript:
		if l.chat.w == 0 {
			m.goMain()
		}
	case intent.ScopeSidebar:
		if l.side.w == 0 {
			m.goMain()
		}
	}
}

// moveFocus tells the fields and the agent that the focus has moved, and
// keeps the draft that it left.
func (m *Model) moveFocus() tea.Cmd {
	was, of, in := m.topWas, m.pageOf, m.paneOf
	now := m.top()
	m.topWas, m.pageOf, m.paneOf = now, m.current, ""
	if m.current != "" {
		m.paneOf = m.pane().id
	}
	var cmd tea.Cmd
	if p := m.pages[of]; p != nil && was == intent.ScopeComposer {
		p.field.Blur()
		cmd = m.saveDraft(p)
	}
	if m.current != "" && now == intent.ScopeComposer {
		m.pageFor(m.current).field.Focus()
	}
	if m.form != nil {
		if now == intent.ScopeNew {
			m.form.field.Focus()
		} else {
			m.form.field.Blur()
		}
	}
	if was == intent.ScopeTerminal && of != "" {
		m.inputFocus(of, in, false)
		if in != session.PaneAgent {
			m.countAnew()
		}
	}
	if now == intent.ScopeTerminal && !m.away {
		m.inputFocus(m.current, m.paneOf, true)
	}
	return cmd
}

// tellFocus passes the window's focus on to the pane that has it.
func (m *Model) tellFocus(gained bool) {
	if m.top() == intent.ScopeTerminal {
		m.inputFocus(m.current, m.pane().id, gained)
	}
}

func (m *Model) inputFocus(id session.ThreadID, of session.PaneID, gained bool) {
	if p := m.pages[id]; p != nil && p.pane(of).term.Modes().Focus && !m.infoOf(id, of).Ended {
		m.b.Input(id, of, session.Input{Focus: &gained})
	}
}

// tellView tells the backend which panes are in view, and their sizes.
func (m *Model) tellView(l layout) {
	want := shown{}
	if m.current != "" && l.term.w > 0 && l.term.h > 0 {
		want = shown{thread: m.current, sizes: make(map[session.PaneID]size, len(l.panes.Panes))}
		for _, at := range l.panes.Panes {
			if at.W > 0 && at.H > 0 {
				want.sizes[at.Pane] = size{at.W, at.H}
			}
		}
	}
	was := m.shown
	m.shown = want
	for _, id := range slices.Sorted(maps.Keys(was.sizes)) {
		if _, still := want.sizes[id]; !still || was.thread != want.thread {
			m.b.Hide(was.thread, id)
		}
	}
	for _, at := range l.panes.Panes {
		if now, ok := want.sizes[at.Pane]; ok && (was.thread != want.thread || was.sizes[at.Pane] != now) {
			m.b.View(want.thread, at.Pane, now.cols, now.rows)
		}
	}
}
