package tui

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"aside/session"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/panes"

	tea "charm.land/bubbletea/v2"
)

// panesCame takes the panes of a thread, and a layout that is no older than
// the one that is known.
func (m *Model) panesCame(msg PanesMsg) {
	m.panes[msg.Thread] = msg.Panes
	if len(msg.Layout.Tabs) > 0 && msg.Layout.Whole() {
		m.layouts[msg.Thread] = msg.Layout
	}
	if p := m.pages[msg.Thread]; p != nil {
		p.placeAnew(m.layouts[msg.Thread])
	}
}

// placeAnew takes a layout, if it is no older, and has the panes placed.
func (p *page) placeAnew(l session.Layout) {
	if len(l.Tabs) > 0 && l.Rev >= p.layout.Rev {
		p.layout = l
	}
	p.unplaced = true
}

// arrangePanes brings a page's layout into line with the panes that there are.
func (m *Model) arrangePanes(p *page) {
	if !p.unplaced || m.w == 0 {
		return
	}
	p.unplaced = false
	l := panes.Arrange(p.layout, m.panes[p.thread], m.roomForPanes())
	for _, id := range p.revealed {
		l = panes.Show(l, id)
	}
	if p.wanted != "" {
		l = panes.Focus(l, p.wanted)
	}
	placed := func(id session.PaneID) bool { return panes.TabOf(l, id) >= 0 }
	p.revealed = slices.DeleteFunc(p.revealed, placed)
	if placed(p.wanted) {
		p.wanted = ""
	}
	maps.DeleteFunc(p.panes, func(id session.PaneID, _ *pane) bool { return !placed(id) })
	m.relayout(p, l)
}

// relayout places a page's panes otherwise, and has that kept.
func (m *Model) relayout(p *page, l session.Layout) {
	if reflect.DeepEqual(l, p.layout) {
		return
	}
	l.Rev = p.layout.Rev + 1
	p.layout = l
	m.b.Arrange(p.thread, l)
}

// roomForPanes is what a thread's panes have to share when there are several
// of them.
func (m *Model) roomForPanes() panes.Rect {
	l := m.layout()
	r := l.paneArea()
	if r.W == 0 {
		r = panes.Rect{X: l.body.x, Y: l.body.y, W: l.body.w, H: l.body.h}
	}
	if l.tabs.h == 0 {
		r.Y++
		r.H--
	}
	return r
}

// showTerminal goes to the terminal, and shows it where it is not.
func (m *Model) showTerminal() {
	if m.view() == viewTranscript {
		p := m.pageFor(m.current)
		p.visited = false
		p.view = viewTerminal
		if m.w >= splitDefault {
			p.view = viewSplit
		}
	}
	m.base(intent.ScopeTerminal)
}

// onPanes acts on the panes. What is done again and again leaves the scope of
// their keys open; what is done once ends it.
func (m *Model) onPanes(do intent.Intent) tea.Cmd {
	if m.current == "" {
		return nil
	}
	p := m.pageFor(m.current)
	switch do {
	case intent.Back:
		m.pop(intent.ScopePanes)
		return nil
	case intent.Help:
		return m.common(do)
	case intent.Panes:
		m.showTerminal()
		m.push(intent.ScopePanes)
		return nil
	case intent.Next, intent.Previous:
		by := 1
		if do == intent.Previous {
			by = len(p.layout.Tabs) - 1
		}
		return m.focusLayout(panes.ShowTab(p.layout, (p.layout.Shown+by)%len(p.layout.Tabs)))
	}
	if n := do.Option(); n >= 0 {
		return m.focusLayout(panes.ShowTab(p.layout, n))
	}
	if side, ok := sides()[do]; ok {
		return m.stepPane(side)
	}
	if side, ok := borders()[do]; ok {
		l, _ := panes.Resize(p.layout, p.focused().id, side, resizeStep(side), m.layout().paneArea())
		m.relayout(p, l)
		return nil
	}
	return m.changePane(do)
}

func sides() map[intent.Intent]panes.Side {
	return map[intent.Intent]panes.Side{
		intent.PaneLeft: panes.Left, intent.PaneRight: panes.Right, intent.PaneAbove: panes.Above, intent.PaneBelow: panes.Below,
	}
}

func borders() map[intent.Intent]panes.Side {
	return map[intent.Intent]panes.Side{
		intent.BorderLeft: panes.Left, intent.BorderRight: panes.Right, intent.BorderUp: panes.Above, intent.BorderDown: panes.Below,
	}
}

// resizeStep is how far a key moves a border, in cells.
func resizeStep(side panes.Side) int {
	if side == panes.Above || side == panes.Below {
		return 1
	}
	return 2
}

// stepPane goes to the pane on a side, out of sight beside a zoomed one too.
func (m *Model) stepPane(side panes.Side) tea.Cmd {
	p := m.pageFor(m.current)
	l := p.layout
	if l.Tabs[l.Shown].Zoomed {
		l = panes.Zoom(l)
	}
	plan := panes.Draw(l, m.roomForPanes())
	if to, ok := panes.Neighbour(plan, p.focused().id, side); ok {
		return m.focusLayout(panes.Focus(l, to))
	}
	return nil
}

// changePane opens, closes or changes the focused pane.
func (m *Model) changePane(do intent.Intent) tea.Cmd {
	m.showTerminal()
	p := m.pageFor(m.current)
	at := p.focused()
	switch do {
	case intent.OpenTab:
		return m.openPane(NewPane{Place: session.PlaceTab})
	case intent.SplitRight:
		return m.openPane(NewPane{Place: session.PlaceSplit, Direction: session.DirectionRight, Beside: at.id})
	case intent.SplitDown:
		return m.openPane(NewPane{Place: session.PlaceSplit, Direction: session.DirectionDown, Beside: at.id})
	case intent.Zoom:
		m.relayout(p, panes.Zoom(p.layout))
	case intent.ClosePane:
		return m.closePane(at.id)
	case intent.RenamePane:
		m.askPaneName(at.id)
	case intent.Restart:
		b, id := m.b, m.current
		return m.call("starting the shell again", true, func(ctx context.Context) error { return b.RestartPane(ctx, id, at.id) })
	}
	return nil
}

// focusLayout takes a layout with the focus elsewhere. The shell pane that has
// it is the one that an action card reaches.
func (m *Model) focusLayout(l session.Layout) tea.Cmd {
	p := m.pageFor(m.current)
	m.relayout(p, l)
	if m.top() != intent.ScopePanes {
		m.showTerminal()
	}
	at := m.paneInfo(p.focused().id)
	if !at.Shell || at.Active || at.Ended {
		return nil
	}
	b, id := m.b, m.current
	return func() tea.Msg { return activated{b.ActivatePane(m.o.Context, id, at.ID)} }
}

// activated is a pane that was made the active one.
type activated struct{ err error }

func (a activated) arrive(m *Model) tea.Cmd {
	if a.err != nil && session.CodeOf(a.err) != session.CodeNotFound { // one that has ended meanwhile says so itself
		m.fail(a.err)
	}
	return nil
}

// openPane opens a shell pane and goes to it. A split for which there is no
// room is refused.
func (m *Model) openPane(o NewPane) tea.Cmd {
	p := m.pageFor(m.current)
	const fresh session.PaneID = "new"
	room := m.roomForPanes()
	var l session.Layout
	if o.Place == session.PlaceSplit {
		l = panes.OpenSplit(p.layout, fresh, o.Beside, o.Direction)
		if !panes.Fits(l, l.Shown, room) {
			m.say(fmt.Sprintf("no room for this split: a pane takes %d columns, %d rows", panes.LeastCols, panes.LeastRows), "a tab has room")
			return nil
		}
	} else {
		l = panes.OpenTab(p.layout, fresh)
		l = panes.Focus(l, fresh)
	}
	at, _ := panes.Draw(l, room).Of(fresh)
	o.Cols, o.Rows = at.W, at.H
	b, id := m.b, m.current
	return m.works("opening a shell", true, func(ctx context.Context) tea.Msg {
		info, err := b.OpenPane(ctx, id, o)
		return paneOpened{thread: id, pane: info, err: err}
	})
}

// paneOpened is a pane that the person has opened.
type paneOpened struct {
	thread session.ThreadID
	pane   session.PaneInfo
	err    error
}

func (o paneOpened) arrive(m *Model) tea.Cmd {
	if o.err != nil {
		m.fail(o.err)
		return nil
	}
	p := m.pageFor(o.thread)
	p.wanted, p.unplaced = o.pane.ID, true
	return nil
}

// closePane closes a shell pane, after a question where a program runs in it.
func (m *Model) closePane(pane session.PaneID) tea.Cmd {
	if pane == session.PaneAgent {
		m.say("the agent's pane stays with its thread", m.o.Leader+" s stops the agent")
		return nil
	}
	return m.closing(pane, m.paneInfo(pane).Ended)
}

func (m *Model) closing(pane session.PaneID, force bool) tea.Cmd {
	b, id := m.b, m.current
	return m.works("closing the pane", false, func(ctx context.Context) tea.Msg {
		running, err := b.ClosePane(ctx, id, pane, force)
		return closeAnswered{thread: id, pane: pane, running: running, err: err}
	})
}

// closeAnswered is what became of a pane that was to be closed.
type closeAnswered struct {
	thread  session.ThreadID
	pane    session.PaneID
	running string
	err     error
}

func (c closeAnswered) arrive(m *Model) tea.Cmd {
	switch {
	case c.err != nil:
		m.fail(c.err)
	case c.running != "" && c.thread == m.current:
		name := m.paneName(m.current, m.paneInfo(c.pane))
		m.confirm(ask{
			lines: []string{"Close “" + name + "”?", session.CleanLine(c.running) + " runs in it, and is ended."},
			yes:   "close it", no: "leave it",
			act: func() tea.Cmd { return m.closing(c.pane, true) },
		})
	}
	return nil
}

// askPaneName lets the person name a shell pane.
func (m *Model) askPaneName(pane session.PaneID) {
	if pane == session.PaneAgent {
		m.say("the agent's pane is called by its agent", "")
		return
	}
	m.paneField = composer.New("name", 1)
	m.paneField.SetText(m.paneInfo(pane).Name)
	m.paneField.Focus()
	m.push(intent.ScopePaneName)
}

// onPaneName takes the name of the focused pane.
func (m *Model) onPaneName(do intent.Intent) tea.Cmd {
	name := ""
	if m.paneField != nil {
		name = session.CleanLine(m.paneField.Text())
	}
	m.paneField = nil
	m.without(intent.ScopePaneName)
	if do != intent.Send || m.current == "" {
		return nil
	}
	b, id, pane := m.b, m.current, m.pane().id
	return m.call("renaming the pane", false, func(ctx context.Context) error { return b.RenamePane(ctx, id, pane, name) })
}

// clickTabs takes a press in the row of tabs.
func (m *Model) clickTabs(x int, w int) tea.Cmd {
	_, zones := m.tabLine(w)
	do, ok := intent.Hit(zones, x, 0)
	if !ok {
		return nil
	}
	m.showTerminal()
	return m.onPanes(do)
}

// clickBorder takes a press on what divides the panes: a title gives its pane
// the focus, and a border is dragged from there.
func (m *Model) clickBorder(ms tea.Mouse, l layout) tea.Cmd {
	m.base(intent.ScopeTerminal)
	m.border = nil
	for _, b := range l.panes.Borders {
		if b.Has(ms.X, ms.Y) {
			m.border = &b // the innermost comes last
		}
	}
	for _, at := range l.panes.Panes {
		if at.Title().Has(ms.X, ms.Y) {
			return m.focusLayout(panes.Focus(m.pageFor(m.current).layout, at.Pane))
		}
	}
	return nil
}

// dragBorder moves the border that is held.
func (m *Model) dragBorder(msg tea.MouseMsg) {
	if _, ok := msg.(tea.MouseReleaseMsg); ok {
		m.border = nil
		return
	}
	p := m.pageFor(m.current)
	ms := msg.Mouse()
	if l, ok := panes.Move(p.layout, *m.border, ms.X, ms.Y); ok {
		m.relayout(p, l)
	}
}
