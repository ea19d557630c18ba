package tui

import (
	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/panes"

	tea "charm.land/bubbletea/v2"
)

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

// mouse takes an event of the mouse.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	l := m.layout()
	ms := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		if l.side.has(ms.X, ms.Y) {
			m.wheelList(-wheelBy(ms))
		} else {
			m.wheel(msg, l)
		}
		return nil
	case tea.MouseClickMsg:
		if ms.Button == tea.MouseLeft || m.paneAt(l, ms.X, ms.Y) != "" {
			return m.click(msg, l)
		}
		return nil
	}
	if m.border != nil {
		m.dragBorder(msg)
		return nil
	}
	if m.selecting.down {
		return m.extendSelection(msg, l)
	}
	if m.top() == intent.ScopeReview && ms.Button == tea.MouseLeft {
		m.clickReview(ms, l, true)
		return nil
	}
	// A release or a motion belongs to the pane that the button went down in.
	if to := m.mousePane(l, ms); to != "" && !m.covered() {
		m.toPaneMouse(msg, l, to)
	}
	if _, ok := msg.(tea.MouseReleaseMsg); ok {
		m.drag = ""
	}
	return nil
}

// mousePane returns the pane that a release or a motion belongs to, "" for
// none.
func (m *Model) mousePane(l layout, ms tea.Mouse) session.PaneID {
	if m.drag != "" {
		return m.drag
	}
	return m.paneAt(l, ms.X, ms.Y)
}

// paneAt returns the pane at a place, if nothing lies over it there; "" for
// none.
func (m *Model) paneAt(l layout, x, y int) session.PaneID {
	if m.covered() || !l.term.has(x, y) {
		return ""
	}
	if top, ask, _ := m.askPlace(l); len(ask) > 0 && y < top+len(ask) {
		return ""
	}
	for _, o := range m.overs(l) {
		if o.has(x, y) {
			return ""
		}
	}
	for _, at := range l.panes.Panes {
		if at.Has(x, y) {
			return at.Pane
		}
	}
	return ""
}

// toPaneMouse sends an event of the mouse to a pane, if its program has asked
// for that kind.
func (m *Model) toPaneMouse(msg tea.MouseMsg, l layout, to session.PaneID) {
	r := l.paneRect(to)
	if r.w == 0 || r.h == 0 || m.paneInfo(to).Ended {
		return
	}
	ms := msg.Mouse()
	mode := m.pageFor(m.current).pane(to).term.Modes().Mouse
	switch msg.(type) {
	case tea.MouseMotionMsg:
		if mode < session.MouseDrag || ms.Button == tea.MouseNone && mode < session.MouseMotion {
			return
		}
	case tea.MouseWheelMsg:
	default:
		if mode == session.MouseNone {
			return
		}
	}
	x := min(max(0, ms.X-r.x), r.w-1)
	y := min(max(0, ms.Y-r.y), r.h-1)
	if e, ok := mouseEvent(msg, x, y); ok {
		m.b.Input(m.current, to, session.Input{Mouse: &e})
	}
}

// wheelBy is how many lines a turn of the wheel goes up.
func wheelBy(ms tea.Mouse) int {
	switch ms.Button {
	case tea.MouseWheelUp:
		return wheelLines
	case tea.MouseWheelDown:
		return -wheelLines
	}
	return 0
}

// wheel scrolls what is under the pointer. In the terminal it is the agent's
// if it has asked for the mouse, or has no scrollback of its own.
func (m *Model) wheel(msg tea.MouseMsg, l layout) {
	ms := msg.Mouse()
	by := wheelBy(ms)
	switch {
	case m.picks():
		m.wheelPick(by)
	case m.top() == intent.ScopeHelp || m.top() == intent.ScopeWhole || m.top() == intent.ScopeWholeCard:
		m.scrollReader(-by)
	case m.has(intent.ScopeOffers):
		m.list.Scroll(by)
	case m.has(intent.ScopeReview):
		m.scrollReview(-by)
	case m.paneAt(l, ms.X, ms.Y) != "":
		m.wheelPane(msg, l, by)
	case l.chat.has(ms.X, ms.Y) && !m.covered():
		m.pageFor(m.current).scroll(by)
	}
}

// wheelPane scrolls the pane under the pointer.
func (m *Model) wheelPane(msg tea.MouseMsg, l layout, by int) {
	ms := msg.Mouse()
	p := m.pageFor(m.current).pane(m.paneAt(l, ms.X, ms.Y))
	if modes := p.term.Modes(); modes.Mouse != session.MouseNone || modes.AltScreen {
		m.toPaneMouse(msg, l, p.id)
		return
	}
	p.term.Scroll(by)
	if p.term.Back() == 0 && p == m.pane() {
		m.pop(intent.ScopeHistory)
	}
}

// click takes a press of a mouse button.
func (m *Model) click(msg tea.MouseMsg, l layout) tea.Cmd {
	ms := msg.Mouse()
	if ms.Y == l.footer && ms.X >= l.main.x {
		if cmd, hit := m.clickHint(ms.X - l.main.x); hit {
			return cmd
		}
	}
	m.leader = leader{}
	m.dropSelection()
	switch {
	case l.side.has(ms.X, ms.Y):
		return m.clickSidebar(ms.X, ms.Y)
	case ms.Y == l.footer:
		return m.clickFooter(ms.X - l.main.x)
	case ms.Y == l.header:
		return m.clickHeader(ms.X-l.main.x, l.main.w)
	}
	if cmd, hit := m.clickOver(ms, l); hit {
		return cmd
	}
	switch {
	case l.tabs.has(ms.X, ms.Y):
		return m.clickTabs(ms.X-l.tabs.x, l.tabs.w)
	case l.term.has(ms.X, ms.Y):
		return m.clickTerminal(msg, l)
	case l.input.has(ms.X, ms.Y):
		m.base(intent.ScopeComposer)
	case l.rule.has(ms.X, ms.Y):
		return m.clickRule(ms.X-l.rule.x, l.rule.w)
	case m.listRect(l).has(ms.X, ms.Y):
		if link, ok := m.addressAt(ms.X-l.chat.x, ms.Y-m.listRect(l).y); ok && ms.Mod.Contains(tea.ModCtrl) {
			return m.askLink(link)
		}
		return m.clickTranscript(ms.X-l.chat.x, ms.Y-m.listRect(l).y)
	}
	return nil
}

// clickTerminal takes a press in the terminal: it goes to the pane there.
func (m *Model) clickTerminal(msg tea.MouseMsg, l layout) tea.Cmd {
	ms := msg.Mouse()
	to := m.paneAt(l, ms.X, ms.Y)
	if to == "" {
		return m.clickBorder(ms, l)
	}
	if cmd, hit := m.clickLink(ms, l); hit {
		return cmd
	}
	m.stopSelect()
	m.base(intent.ScopeTerminal)
	cmd := m.focusLayout(panes.Focus(m.pageFor(m.current).layout, to))
	if p := m.pageFor(m.current).pane(to); m.selects(p, ms) {
		m.beginSelection(p, l.paneRect(to), ms)
		return cmd
	}
	m.drag = to
	m.toPaneMouse(msg, l, to)
	return cmd
}

// clickOver takes a click on what lies over the body or in its place: the
// list of files, the question, the cover, the decision bar, the action card.
func (m *Model) clickOver(ms tea.Mouse, l layout) (cmd tea.Cmd, hit bool) {
	if cmd, hit := m.clickFiles(ms, l); hit {
		return cmd, true
	}
	if y, ask, zones := m.askPlace(l); len(ask) > 0 && l.body.has(ms.X, ms.Y) {
		if do, ok := intent.Hit(zones, ms.X-l.body.x, ms.Y-y); ok {
			if do == intent.Attention {
				m.focusAsk()
				return nil, true
			}
			return m.onAsk(do), true
		}
	}
	if m.covered() {
		return m.clickCover(ms, l), true
	}
	if bar, zones := m.barLines(l); len(bar) > 0 {
		r := m.barRect(l)
		if do, ok := intent.Hit(zones, ms.X-r.x, ms.Y-r.y); ok {
			return m.clickBar(do), true
		}
	}
	if card, zones := m.actionLines(l); len(card) > 0 {
		r := m.cardRect(l)
		if do, ok := intent.Hit(zones, ms.X-r.x, ms.Y-r.y); ok && ms.Y < r.y+len(card) {
			return m.clickCard(do), true
		}
	}
	return nil, false
}

// clickHeader goes to the thread that the header names as the offering one,
// or opens a tab.
func (m *Model) clickHeader(x, w int) tea.Cmd {
	if m.opensFirst(w) && x >= w-1-len(opener) {
		return m.changePane(intent.OpenTab)
	}
	t, ok := m.thread(m.current)
	from := m.lineage(t)
	if !ok || from == "" || m.covered() {
		return nil
	}
	at := 1 + cells.Width(session.CleanLine(t.Title)) + 2
	if x < at || x >= at+cells.Width(from) {
		return nil
	}
	return m.openOffering()
}

func (m *Model) clickSidebar(x, y int) tea.Cmd {
	_, targets := m.sidebarLines()
	if y >= len(targets) {
		return nil
	}
	switch t := targets[y]; {
	case t.Thread != "":
		return m.open(t.Thread)
	case t.Offers:
		m.openOffers("")
	case t.Keys:
		return m.common(intent.Help)
	case t.Waiting && x >= m.sideWidth()/2:
		return m.attend()
	default:
		m.goSidebar()
	}
	return nil
}

// clickFooter stops what it says is under way, does what it offers, or goes to the offer that it names.
func (m *Model) clickFooter(x int) tea.Cmd {
	if w := m.slowWork(false); w != nil {
		if w.stops {
			w.stop()
		}
		return nil
	}
	if st := m.standing(); len(st) > 0 && m.notice.text == "" {
		m.openOffers(st[0].ID)
	}
	return nil
}

// clickBar acts on the bar: the click names what is on the screen, and needs
// no focus first. One that comes no later than the second of a pair after the
// decision was meant for what had been there, such as the decision before it.
func (m *Model) clickBar(do intent.Intent) tea.Cmd {
	d, ok := m.decision()
	switch {
	case !ok:
		return nil
	case do == intent.Bar:
		m.focusBar()
		return nil
	case m.has(intent.ScopePick):
		return m.onPick(do)
	case (do.Option() >= 0 || do == intent.Send) && m.o.Now().Sub(m.bar.since) < clickTime:
		return nil
	case m.has(intent.ScopeNote):
		return m.onNote(do)
	case do == intent.Back:
		return m.onBar(do)
	case do == intent.Next:
		m.rotate()
		m.focusBar()
		return nil
	case do == intent.Whole:
		m.focusBar()
	}
	return m.onDecision(d, do)
}

func (m *Model) clickTranscript(x, y int) tea.Cmd {
	p := m.pageFor(m.current)
	i, line, ok := p.list.At(y)
	if !ok {
		m.base(intent.ScopeTranscript)
		return nil
	}
	do, hit := intent.Hit(p.list.Block(i).Zones, x, line)
	ids, at := p.proposals()
	for n := range ids {
		if at[n] == i && hit {
			m.base(intent.ScopeTranscript)
			m.selectCard(ids[n])
			return m.onCard(ids[n], do)
		}
	}
	m.base(intent.ScopeTranscript)
	if e := p.item(i); e != nil {
		p.cursor = e.ID
	}
	p.turn(i)
	return nil
}

// clickCover takes a click on what is shown in place of the body.
func (m *Model) clickCover(ms tea.Mouse, l layout) tea.Cmd {
	_, hints := m.cover(l.body)
	if do, ok := intent.Hit(hints, ms.X-l.body.x, ms.Y-l.body.y); ok && m.top() != intent.ScopeConfirm {
		if m.top() == intent.ScopeFinishEdit && do != intent.Nothing {
			m.leaveFinishEdit()
		}
		return m.act(m.top(), do)
	}
	switch {
	case m.picks():
		return m.clickPick(ms, l)
	case m.has(intent.ScopeHelp):
		return m.clickHelp(ms.Y-l.body.y, l.body)
	case m.top() == intent.ScopeWhole:
		answers, zones := m.wholeAnswers(l.body)
		if do, ok := intent.Hit(zones, ms.X-l.body.x, ms.Y-l.body.y-l.body.h+len(answers)); ok {
			return m.onWhole(do)
		}
	case m.has(intent.ScopeReview):
		return m.clickReview(ms, l, false)
	case m.startForm() != nil:
		m.clickStart(ms.X-l.body.x, ms.Y-l.body.y, l.body.w)
	case m.has(intent.ScopeOffers):
		return m.clickOffers(ms, l)
	}
	return nil
}

// clickOffers takes a click on a card in the list of offers.
func (m *Model) clickOffers(ms tea.Mouse, l layout) tea.Cmd {
	y := ms.Y - l.body.y - offersHead
	i, line, ok := m.list.At(y)
	ids, _ := m.listed()
	if !ok || i >= len(ids) {
		return nil
	}
	do, hit := intent.Hit(m.list.Block(i).Zones, ms.X-l.body.x, line)
	if !hit {
		return nil
	}
	m.offer = ids[i]
	return m.onCard(ids[i], do)
}
