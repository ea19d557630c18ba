package tui

import (
	"aside/session"
	"aside/tui/intent"
	"aside/tui/panes"
)

// The widths at which the screen changes.
const (
	splitDefault = 160 // both views are shown from this window width on
	splitLeast   = 100 // what both views need; the list of threads gives way to them
	sideLeast    = 50  // below it the list of threads is hidden
)

// rect is a part of the screen.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// layout says where everything is. A part that is not shown has no width.
type layout struct {
	side   rect // the list of threads
	main   rect // all beside it
	body   rect // main without the header and the footer
	tabs   rect // the row of tabs, where there is more than one pane
	term   rect // the panes
	panes  panes.Plan
	chat   rect // the transcript
	rule   rect // the line between the transcript and the composer
	input  rect // the composer
	header int  // its row
	footer int
}

func (m *Model) sideWidth() int {
	if m.noSidebar || m.w < sideLeast || m.givesWay() {
		return 0
	}
	return m.listWidth()
}

// givesWay says that the list of threads is not shown because both views of the
// current thread are, which have no room beside it. Who is in the list sees it,
// and one view meanwhile.
func (m *Model) givesWay() bool {
	return m.current != "" && m.focus[0] != intent.ScopeSidebar && m.pageFor(m.current).view == viewSplit &&
		m.w >= splitLeast && m.w-m.listWidth() < splitLeast
}

// listWidth is how wide the list of threads is where it is shown.
func (m *Model) listWidth() int {
	switch {
	case m.w < 100:
		return 18
	case m.w < splitDefault:
		return 24
	}
	return 32
}

func (m *Model) layout() layout {
	l := layout{footer: max(0, m.h-1)}
	x := 0
	if side := m.sideWidth(); side > 0 {
		l.side = rect{0, 0, side, m.h}
		x = side + 1
	}
	l.main = rect{x, 0, max(0, m.w-x), m.h}
	l.body = rect{x, 1, l.main.w, max(0, m.h-2)}
	if m.current == "" {
		return l
	}
	right := l.body
	switch m.view() {
	case viewTerminal:
		m.placePanes(&l, l.body)
		return l
	case viewSplit:
		left := l.body
		left.w = max(min(80, l.body.w-40), l.body.w*11/20)
		m.placePanes(&l, left)
		right.x += l.term.w + 1
		right.w -= l.term.w + 1
	}
	rows := min(m.pageFor(m.current).field.Rows(), composerRoom(right.h))
	l.input = rect{right.x, right.y + right.h - rows, right.w, rows}
	l.rule = rect{right.x, l.input.y - 1, right.w, 1}
	l.chat = rect{right.x, right.y, right.w, max(0, right.h-rows-1)}
	return l
}

// composerRoom is the most rows of the composer under a transcript, of all that
// there are for both.
func composerRoom(rows int) int { return max(1, rows/3) }

// overLeast is the least width of a pane that the bar or a card lies over; over
// a narrower one it would hide more than it tells, and lies over all of them.
const overLeast = 40

// overRect is where something lies that belongs to a pane: over its top rows,
// or over those of all panes where it is not in sight or too narrow, or of the
// transcript where no pane is shown.
func (l layout) overRect(id session.PaneID) rect {
	if r := l.paneRect(id); r.w >= overLeast {
		return r
	}
	if l.term.w > 0 {
		return l.term
	}
	return l.chat
}

// barRect is where the decision bar lies: over the pane that the decision
// belongs to.
func (m *Model) barRect(l layout) rect {
	of := m.bar.pane
	if d, ok := m.decision(); ok {
		of = d.Pane
	}
	return l.overRect(of)
}

// over is something that lies over the top rows of a part of the body.
type over struct {
	rect
	lines []string
}

// overs are the decision bar and the action card, where there are any.
func (m *Model) overs(l layout) []over {
	var list []over
	if bar, _ := m.barLines(l); len(bar) > 0 {
		list = append(list, over{m.barRect(l), bar})
	}
	if card, _ := m.actionLines(l); len(card) > 0 {
		list = append(list, over{m.cardRect(l), card})
	}
	for i := range list {
		list[i].lines = list[i].lines[:min(len(list[i].lines), list[i].h)]
		list[i].h = len(list[i].lines)
	}
	return list
}

// overBottom is the row under all that lies over the body.
func (m *Model) overBottom(l layout) int {
	y := l.body.y
	for _, o := range m.overs(l) {
		y = max(y, o.y+o.h)
	}
	return min(y, l.body.y+l.body.h)
}

// listRect is where the transcript is drawn: under the bar and the action card
// where they lie over it, so that a card that has the focus is seen. Only a
// terminal keeps its size whatever lies over it.
func (m *Model) listRect(l layout) rect {
	r := l.chat
	if l.term.w > 0 || r.w == 0 {
		return r
	}
	over := m.overBottom(l) - r.y
	if over > 0 {
		over++ // a card would look like a part of the bar
	}
	over = min(over, r.h)
	r.y += over
	r.h -= over
	return r
}

// covered says that something is shown in place of the body.
func (m *Model) covered() bool {
	for _, s := range m.focus {
		switch s {
		case intent.ScopeOffers, intent.ScopeHelp, intent.ScopeWhole, intent.ScopeNew, intent.ScopeEdit, intent.ScopeChoose, intent.ScopeWholeCard,
			intent.ScopeReview, intent.ScopePalette, intent.ScopeSearch:
			return true
		}
	}
	return m.current == ""
}
