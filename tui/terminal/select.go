package terminal

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"aside/session"
	"aside/tui/cells"
)

// place is a cell of the terminal. Rows count from the oldest of the
// scrollback, so that a row keeps its number while others are written.
type place struct{ row, col int }

func (a place) before(b place) bool { return a.row < b.row || a.row == b.row && a.col < b.col }

// unit is what a selection grows by.
type unit int

const (
	byCell unit = iota
	byWord
	byLine
	byBlock // the same columns of every row
)

// selection is a stretch of text, from one cell to another, both in it.
type selection struct {
	on   bool
	unit unit
	from place // where the button went down: the beginning of its unit
	to   place // and the end of it
	head place // where the pointer is
}

// bounds returns the first and the last cell.
func (s selection) bounds() (first, last place) {
	first, last = s.from, s.to
	if s.head.before(first) {
		first = s.head
	}
	if last.before(s.head) {
		last = s.head
	}
	return first, last
}

// in returns the columns of a row that are selected, to being behind the last.
func (s selection) in(row int) (from, to int, ok bool) {
	if !s.on {
		return 0, 0, false
	}
	first, last := s.bounds()
	if row < first.row || row > last.row {
		return 0, 0, false
	}
	if s.unit == byBlock {
		return min(first.col, last.col), max(first.col, last.col) + 1, true
	}
	from, to = 0, math.MaxInt
	if row == first.row {
		from = first.col
	}
	if row == last.row && s.unit != byLine {
		to = last.col + 1
	}
	return from, to, true
}

// Select begins a selection at a cell of what is shown: of the cell, with two
// clicks of the word, with three of the line. A cell alone is selected only
// once the pointer moves.
func (p *Pane) Select(x, y, clicks int) {
	p.Release()
	p.hold()
	at := p.place(x, y)
	s := selection{on: clicks > 1, unit: unit(min(max(clicks, 1), 3) - 1)}
	s.from, s.to = p.whole(s.unit, at)
	s.head = s.from
	p.selected = s
}

// Extend takes the selection's other end to a cell. Above and below the h lines
// that are shown it scrolls there by as many rows as the cell is away; more
// says that there are further ones.
func (p *Pane) Extend(x, y, h int) (more bool) {
	switch {
	case y < 0:
		p.Scroll(-y)
		more = p.history-p.back > p.firstRow()
	case y >= h && p.back > 0:
		p.Scroll(h - 1 - y)
		more = p.back > 0
	}
	p.reach(p.place(max(x, 0), min(max(y, 0), h-1)))
	return more
}

// reach takes the selection's other end to the unit that a cell is in.
func (p *Pane) reach(at place) {
	s := &p.selected
	first, last := p.whole(s.unit, at)
	s.on = s.on || at != s.from
	s.head = last
	if at.before(s.from) {
		s.head = first
	}
}

// whole returns the first and the last cell of the unit that a cell is in.
func (p *Pane) whole(u unit, at place) (first, last place) {
	switch u {
	case byWord:
		return p.word(at)
	case byLine:
		from, to := p.lineAt(at.row)
		return place{row: from}, place{row: to, col: max(p.cols-1, 0)}
	}
	return at, at
}

// place returns the cell at x, y of what is shown.
func (p *Pane) place(x, y int) place { return place{row: p.history - p.back + y, col: x} }

// Unselect ends the selection.
func (p *Pane) Unselect() { p.selected = selection{} }

// Chosen is what is selected, with those of its rows that are known.
type Chosen struct {
	selection
	rows map[int]session.Row
}

// Selected returns what is selected; ok is false when nothing is.
func (p *Pane) Selected() (c Chosen, ok bool) {
	if !p.selected.on {
		return Chosen{}, false
	}
	c = Chosen{selection: p.selected, rows: map[int]session.Row{}}
	first, last := c.bounds()
	for row := first.row; row <= last.row; row++ {
		if l := p.at(row - p.history); l != nil {
			c.rows[row] = l.row
		} else if row >= p.history {
			c.rows[row] = session.Row{}
		}
	}
	return c, true
}

// Missing returns the first rows of the scrollback that the text needs and
// that are not known; n is 0 when none is.
func (c Chosen) Missing() (from, n int) {
	first, last := c.bounds()
	for from = first.row; from <= last.row && c.known(from); from++ {
	}
	for from+n <= last.row && !c.known(from+n) {
		n++
	}
	return from, n
}

func (c Chosen) known(row int) bool {
	_, ok := c.rows[row]
	return ok
}

// Take makes n rows from the row from on known. Those that there are not any
// more are blank.
func (c Chosen) Take(from, n int, rows []session.Row) {
	for i := range n {
		var r session.Row
		if i < len(rows) {
			r = rows[i]
		}
		c.rows[from+i] = r
	}
}

// Text returns the text: rows that wrap are one line, but in a block, and
// blanks at the end of a line are left out.
func (c Chosen) Text() string {
	first, last := c.bounds()
	var b strings.Builder
	for row := first.row; row <= last.row; row++ {
		from, to, _ := c.in(row)
		r := c.rows[row]
		part := slice(r, from, to)
		wraps := r.Wrapped && row < last.row && c.unit != byBlock
		if !wraps {
			part = strings.TrimRight(part, " ")
		}
		b.WriteString(part)
		if !wraps && row < last.row {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// selectedRows returns the text of the selected rows that a frame may change.
func (p *Pane) selectedRows() map[int]string {
	if !p.selected.on {
		return nil
	}
	first, last := p.selected.bounds()
	kept := map[int]string{}
	for row := max(first.row, p.history); row <= last.row; row++ {
		if l := p.at(row - p.history); l != nil {
			kept[row] = l.row.Text()
		}
	}
	return kept
}

// stillSelected ends the selection when one of its rows reads otherwise now.
func (p *Pane) stillSelected(kept map[int]string) {
	for row, text := range kept {
		if y := row - p.history; y >= 0 {
			if l := p.at(y); l == nil || l.row.Text() != text {
				p.Unselect()
				return
			}
		}
	}
}

// slice returns the text of a row's columns from from to before to. A wide
// character is in it with its first column.
func slice(r session.Row, from, to int) string {
	var b strings.Builder
	col := 0
	each(r, func(cluster string, w int) {
		if col >= from && col < to {
			b.WriteString(cluster)
		}
		col += w
	})
	return b.String()
}

// each calls f for every cluster of a row with its width.
func each(r session.Row, f func(cluster string, w int)) {
	for _, s := range r.Spans {
		for text := s.Text; text != ""; {
			cluster, w := cells.Cluster(text)
			f(cluster, w)
			text = text[len(cluster):]
		}
	}
}

// word returns the first and the last cell of the word at a place, the place
// alone where there is none.
func (p *Pane) word(at place) (first, last place) {
	if line := p.columns(at.row); at.col >= len(line) || line[at.col].kind != inWord {
		return at, at
	}
	words, _, _ := p.wordsAt(at.row)
	for _, w := range words {
		if !at.before(w[0]) && !w[1].before(at) {
			return w[0], w[1]
		}
	}
	return at, at
}

// wordly says that a cluster belongs to a word: letters, digits, and what
// paths, links and options are made of.
func wordly(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./~:@%+=#?&", r)
}

// paintSelected returns a row as a line of p.width columns with some of them
// in reverse.
func (p *Pane) paintSelected(r session.Row, from, to int) string {
	marked := reversed(r, func(col, _ int) bool { return col >= from && col < to })
	col := 0
	for _, s := range marked.Spans {
		col += s.Width
	}
	if fill := min(to, p.width) - max(col, from); fill > 0 && to != math.MaxInt {
		if gap := max(0, from-col); gap > 0 {
			marked.Spans = append(marked.Spans, session.Span{Text: p.blank[:gap], Width: gap})
		}
		marked.Spans = append(marked.Spans, session.Span{Text: p.blank[:fill], Width: fill, Style: session.Style{Attrs: session.AttrReverse}})
	}
	return p.paint(marked)
}
