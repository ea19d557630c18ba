package terminal

import (
	"slices"
	"strings"

	"aside/tui/intent"
)

// The caret is the cell that a selection by keys starts from and goes to.
// While there is one the pane shows what it showed at the beginning, whatever
// is written: text that moves cannot be aimed at.

// StartCaret puts a caret on the pane's cursor if it is among the h lines
// that are shown, and else at the beginning of the last of them.
func (p *Pane) StartCaret(h int) {
	p.StopCaret()
	p.hold()
	p.caret = p.place(0, max(h-1, 0))
	if c, ok := p.Cursor(); ok && c.Y < h {
		p.caret = p.place(c.X, c.Y)
	}
	p.settleCaret()
}

// StopCaret takes the caret away, and the selection with it; what was written
// meanwhile is shown.
func (p *Pane) StopCaret() {
	p.Unselect()
	p.Release()
}

// Caret returns the column and the line of the caret.
func (p *Pane) Caret() (x, y int) { return p.caret.col, p.caret.row - p.history + p.back }

// settleCaret keeps the caret on a cell that there is, the first one of a wide
// character.
func (p *Pane) settleCaret() {
	c := &p.caret
	c.row = min(max(c.row, p.firstRow()), p.lastRow())
	c.col = min(max(c.col, 0), max(p.cols-1, 0))
	for line := p.columns(c.row); c.col > 0 && c.col < len(line) && line[c.col].tail; {
		c.col--
	}
}

// firstRow and lastRow are where the caret can go: the alternate screen has no
// scrollback.
func (p *Pane) firstRow() int {
	if p.modes.AltScreen {
		return p.history
	}
	return p.oldest
}

func (p *Pane) lastRow() int { return p.history + max(len(p.rows)-1, 0) }

// Begin marks from the caret on: cells, with lines whole lines, with block the
// same columns of every row. What is marked in this way already is unmarked.
func (p *Pane) Begin(do intent.Intent) {
	u := byCell
	switch do {
	case intent.MarkLines:
		u = byLine
	case intent.MarkBlock:
		u = byBlock
	}
	was := p.selected
	if was.on && was.unit == u {
		p.Unselect()
		return
	}
	if !was.on {
		p.anchor = p.caret
	}
	p.selected = selection{on: true, unit: u}
	p.selected.from, p.selected.to = p.whole(u, p.anchor)
	p.reach(p.caret)
}

// Walk moves the caret as an intent says, and what is marked goes with it; the
// h lines that are shown follow.
func (p *Pane) Walk(do intent.Intent, h int) {
	p.settleCaret()
	c := p.caret
	top := p.history - p.back
	switch do {
	case intent.Up:
		c.row--
	case intent.Down:
		c.row++
	case intent.PageUp:
		c.row -= h
		p.Scroll(h)
	case intent.PageDown:
		c.row += h
		p.Scroll(-h)
	case intent.Top:
		c = place{}
	case intent.Bottom:
		c = place{row: p.lastRow()}
	case intent.ScreenTop:
		c.row = top
	case intent.ScreenMiddle:
		c.row = top + h/2
	case intent.ScreenBottom:
		c.row = top + h - 1
	default:
		c = p.walkLine(do, c)
	}
	p.putCaret(c, h)
}

// walkLine is Walk along a line of text.
func (p *Pane) walkLine(do intent.Intent, c place) place {
	line := p.columns(c.row)
	switch do {
	case intent.Left:
		c.col--
	case intent.Right:
		for c.col++; c.col < len(line) && line[c.col].tail; {
			c.col++
		}
	case intent.LineStart:
		c.col = 0
	case intent.LineEnd:
		c.col = len(line) - 1
	case intent.WordNext, intent.WordBefore, intent.WordEnd:
		c = p.walkWord(do, c)
	}
	return c
}

// CaretTo moves the caret to a place that Find has returned.
func (p *Pane) CaretTo(f Found, h int) { p.putCaret(place{row: f.Row, col: f.Col}, h) }

// putCaret moves the caret, what is marked, and the lines that are shown.
func (p *Pane) putCaret(at place, h int) {
	p.caret = at
	p.settleCaret()
	if above := p.history - p.back - p.caret.row; above > 0 {
		p.Scroll(above)
	} else if below := p.caret.row - (p.history - p.back + h - 1); below > 0 {
		p.Scroll(-below)
	}
	if p.selected.on {
		p.reach(p.caret)
	}
}

// column is one column of a row: the kind of what is in it.
type column struct {
	kind kind
	tail bool // the second one of a wide character
}

type kind uint8

const (
	blank kind = iota
	inWord
	other
)

// columns returns the columns of a row up to the last that is not blank, and
// all of one that wraps. A row that is not known has none.
func (p *Pane) columns(row int) []column {
	l := p.at(row - p.history)
	if l == nil {
		return nil
	}
	var line []column
	used := 0
	each(l.row, func(cluster string, w int) {
		k := other
		switch {
		case strings.TrimSpace(cluster) == "":
			k = blank
		case wordly(cluster):
			k = inWord
		}
		for i := range w {
			line = append(line, column{kind: k, tail: i > 0})
		}
		if k != blank {
			used = len(line)
		}
	})
	if l.row.Wrapped {
		return line
	}
	return line[:used]
}

// wordsAt returns the words of the line of text that a row is on, each by its
// first and its last cell, and the rows that the line takes.
func (p *Pane) wordsAt(row int) (words [][2]place, first, last int) {
	first, last = p.lineAt(row)
	was := blank
	for y := first; y <= last; y++ {
		for col, c := range p.columns(y) {
			at := place{row: y, col: col}
			switch c.kind {
			case blank:
			case was:
				words[len(words)-1][1] = at
			default:
				words = append(words, [2]place{at, at})
			}
			was = c.kind
		}
	}
	return words, first, last
}

// lineAt returns the first and the last row of the line of text that a row is
// on.
func (p *Pane) lineAt(row int) (first, last int) {
	for first = row; first > p.firstRow() && row-first < maxJoined && p.wraps(first-1); first-- {
	}
	for last = row; last < p.lastRow() && last-row < maxJoined && p.wraps(last); last++ {
	}
	return first, last
}

func (p *Pane) wraps(row int) bool {
	l := p.at(row - p.history)
	return l != nil && l.row.Wrapped
}

// walkWord returns the cell that a move by words goes to, the one it comes
// from when there is none.
func (p *Pane) walkWord(do intent.Intent, from place) place {
	for row := from.row; row >= p.firstRow() && row <= p.lastRow(); {
		words, first, last := p.wordsAt(row)
		if do == intent.WordBefore {
			slices.Reverse(words)
		}
		for _, w := range words {
			switch {
			case do == intent.WordNext && from.before(w[0]), do == intent.WordBefore && w[0].before(from):
				return w[0]
			case do == intent.WordEnd && from.before(w[1]):
				return w[1]
			}
		}
		if row = last + 1; do == intent.WordBefore {
			row = first - 1
		}
	}
	return from
}
