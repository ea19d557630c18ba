package tui

import (
	"aside/session"
	"aside/tui/panes"
	"aside/tui/terminal"
)

// pane is what the screen keeps of one pane of a thread.
type pane struct {
	id       session.PaneID
	term     *terminal.Pane
	found    found // what was looked for in it
	fetching bool  // rows of its scrollback have been asked for
}

// pane returns a pane of the page.
func (p *page) pane(id session.PaneID) *pane {
	at := p.panes[id]
	if at == nil {
		at = &pane{id: id, term: terminal.New()}
		p.panes[id] = at
	}
	return at
}

// focused returns the pane that has the focus while the terminal has it.
func (p *page) focused() *pane { return p.pane(panes.Focused(p.layout)) }

// pane returns the focused pane of the current thread.
func (m *Model) pane() *pane { return m.pageFor(m.current).focused() }

// paneRect is where a pane is; one that is not in sight has no width.
func (l layout) paneRect(id session.PaneID) rect {
	at, _ := l.panes.Of(id)
	return rect{at.X, at.Y, at.W, at.H}
}

// tabLeast is how high the terminal must be for a row of tabs.
const tabLeast = 4

// placePanes places the panes of the current thread in a part of the screen.
func (m *Model) placePanes(l *layout, r rect) {
	at := m.pageFor(m.current).layout
	l.term = r
	if several(at) && r.h >= tabLeast {
		l.tabs = rect{r.x, r.y, r.w, 1}
		l.term.y++
		l.term.h--
	}
	l.panes = panes.Draw(at, l.paneArea())
}

// several says that there is more than one pane.
func several(at session.Layout) bool { return len(at.Tabs) > 1 || at.Tabs[0].Root.Pane == "" }

// paneArea is the part of the screen that is divided among the panes.
func (l layout) paneArea() panes.Rect {
	return panes.Rect{X: l.term.x, Y: l.term.y, W: l.term.w, H: l.term.h}
}
