package terminal

import (
	"strings"

	"aside/session"
	"aside/tui/cells"
)

// Found is a row that holds words, and the column of the first of them.
type Found struct{ Row, Col int }

// Search looks for words in rows, the oldest first, also where their lines wrap.
// Without a capital letter in the words, none in the rows counts.
type Search struct {
	words string
	line  []session.Row // rows of a line that goes on
	next  int           // number of the row after them
	found []Found
}

// NewSearch looks for words.
func NewSearch(words string) *Search { return &Search{words: words} }

// Add takes rows, the first having the number first.
func (s *Search) Add(first int, rows []session.Row) {
	if first != s.next {
		s.lineEnd()
		s.next = first
	}
	for _, r := range rows {
		s.line = append(s.line, r)
		s.next++
		if !r.Wrapped || len(s.line) == maxJoined {
			s.lineEnd()
		}
	}
}

// Found returns the rows in which the words begin, once all rows are there.
func (s *Search) Found() []Found {
	s.lineEnd()
	return s.found
}

func (s *Search) lineEnd() {
	first := s.next - len(s.line)
	var text string
	var ends []int
	for _, r := range s.line {
		text += r.Text()
		ends = append(ends, len(text))
	}
	s.line = s.line[:0]
	y, begin := 0, 0
	for _, at := range matches(text, s.words) {
		for at[0] >= ends[y] {
			begin = ends[y]
			y++
		}
		if n := len(s.found); n == 0 || s.found[n-1].Row != first+y {
			s.found = append(s.found, Found{Row: first + y, Col: cells.Width(text[begin:at[0]])})
		}
	}
}

// matches returns where the words are in a text, as bytes from and to.
func matches(text, words string) [][2]int {
	if words == "" || len(text) < len(words) {
		return nil
	}
	if lower := strings.ToLower(words); lower == words {
		if folded := strings.ToLower(text); len(folded) == len(text) { // else the places would be others
			text = folded
		}
	}
	var found [][2]int
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return found
		}
		found = append(found, [2]int{from + i, from + i + len(words)})
		from += i + len(words)
	}
}

// Mark marks the words wherever they are; "" marks nothing.
func (p *Pane) Mark(words string) { p.words = words }

// Rows returns the rows of the terminal, the number of the first of them, and
// that of the oldest in the scrollback.
func (p *Pane) Rows() (rows []session.Row, first, oldest int) {
	for _, l := range p.rows {
		rows = append(rows, l.row)
	}
	return rows, p.history, p.oldest
}

// Show scrolls so that the row of a number is in the middle of h lines. The
// words that begin in it are told from all others.
func (p *Pane) Show(row, h int) {
	p.gone = row
	p.Scroll(p.history - row + h/2 - p.back)
}

// joined returns the first and the last row that words in a row may begin and
// end in, since it wraps.
func (p *Pane) joined(row int) (first, last int) {
	first, last = row, row
	for n := 0; n < len(p.words) && p.wraps(first-1); {
		first--
		n += len(p.at(first - p.history).row.Text())
	}
	for n := 0; n < len(p.words) && p.wraps(last) && p.at(last+1-p.history) != nil; {
		last++
		n += len(p.at(last - p.history).row.Text())
	}
	return first, last
}

// marked returns a row of a number with the words in it underlined, or in
// reverse where the person has gone to them, those too that begin in the row
// before or end in the next because it wraps.
func (p *Pane) marked(row int, r session.Row) session.Row {
	if p.words == "" {
		return r
	}
	first, last := p.joined(row)
	var text string
	var begins, gone, goneEnds int // places in it
	for y := first; y <= last; y++ {
		if y == row {
			begins = len(text)
		}
		before := len(text)
		if text += p.at(y - p.history).row.Text(); y == p.gone {
			gone, goneEnds = before, len(text)
		}
	}
	found := matches(text, p.words)
	if len(found) == 0 {
		return r
	}
	return redrawn(r, func(_, at int, cluster string, style session.Style) (string, session.Style) {
		at += begins
		for len(found) > 0 && at >= found[0][1] {
			found = found[1:]
		}
		switch {
		case len(found) == 0 || at < found[0][0]:
		case found[0][0] >= gone && found[0][0] < goneEnds:
			style.Attrs ^= session.AttrReverse
		default:
			style.Underline = session.UnderlineSingle
		}
		return cluster, style
	})
}

// reversed returns the row with some of its clusters in reverse: those of
// which is says so, by their column and their place in the row's text. It is
// asked in order.
func reversed(r session.Row, is func(col, at int) bool) session.Row {
	return redrawn(r, func(col, at int, cluster string, style session.Style) (string, session.Style) {
		if is(col, at) {
			style.Attrs ^= session.AttrReverse
		}
		return cluster, style
	})
}

// redrawn returns the row with other clusters or styles in its columns: those
// that as returns for what is at a column and a place in the row's text.
func redrawn(r session.Row, as func(col, at int, cluster string, style session.Style) (string, session.Style)) session.Row {
	out := session.Row{Wrapped: r.Wrapped}
	col, at := 0, 0
	for _, s := range r.Spans {
		part := session.Span{Style: s.Style, Link: s.Link}
		each(session.Row{Spans: []session.Span{s}}, func(cluster string, w int) {
			shown, style := as(col, at, cluster, s.Style)
			if style != part.Style && part.Text != "" {
				out.Spans = append(out.Spans, part)
				part.Text, part.Width = "", 0
			}
			part.Style = style
			part.Text += shown
			part.Width += w
			col += w
			at += len(cluster)
		})
		out.Spans = append(out.Spans, part)
	}
	return out
}
