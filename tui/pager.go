package tui

import (
	"slices"

	"aside/session"

	"charm.land/bubbles/v2/viewport"
)

// pager is a text that is read by scrolling: the help, the whole detail of a
// decision, or the whole of a card. The zero value is at its beginning.
type pager struct {
	view  viewport.Model // keeps the place; it draws nothing
	lines []string       // as the view was told
	// body is the whole detail as it was drawn last, which can be long: of
	// this decision, this wide, and with these looks.
	body []string
	of   session.DecisionID
	w    int
	rev  uint64
}

// seen returns the first line of a text that is seen where so many have room,
// and the one behind the last.
func (p *pager) seen(lines []string, room int) (from, to int) {
	p.view.SetHeight(room)
	if !slices.Equal(p.lines, lines) {
		p.lines = lines
		p.view.SetContentLines(lines)
	}
	p.view.SetYOffset(p.view.YOffset())
	from = p.view.YOffset()
	return from, min(from+room, len(lines))
}

// scroll moves a text by lines, down when by is positive, up to its ends.
func (p *pager) scroll(lines []string, room, by int) {
	from, _ := p.seen(lines, room)
	p.view.SetYOffset(from + by)
}
