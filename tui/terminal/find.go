package terminal

import (
	"strings"

	"aside/session"
	"aside/tui/cells"
)

// Found is a row that holds words, and the column of the first of them.
type Found struct{ Row, Col int }

// Find returns the rows of those given that hold the words, the first having
// the number first. Without a capital letter in the words, none in the rows
// counts.
func Find(rows []session.Row, first int, words string) []Found {
	var found []Found
	for i, r := range rows {
		if at := matches(r, words); len(at) > 0 {
			found = append(found, Found{Row: first + i, Col: cells.Width(r.Text()[:at[0][0]])})
		}
	}
	return found
}

// matches returns where the words are in a row, as bytes of its text from and
// to.
func matches(r session.Row, words string) [][2]int {
	text := r.Text()
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
func (p *Pane) Mark(words string) {
	if words == p.words {
		return
	}
	p.words = words
	for i := range p.rows {
		p.rows[i].painted = ""
	}
	for _, l := range p.old {
		l.painted = ""
	}
}

// Rows returns the rows of the terminal, the number of the first of them, and
// that of the oldest in the scrollback.
func (p *Pane) Rows() (rows []session.Row, first, oldest int) {
	for _, l := range p.rows {
		rows = append(rows, l.row)
	}
	return rows, p.history, p.oldest
}

// Show scrolls so that the row of a number is in the middle of h lines.
func (p *Pane) Show(row, h int) { p.Scroll(p.history - row + h/2 - p.back) }

// marked returns the row with the words in it in reverse.
func (p *Pane) marked(r session.Row) session.Row {
	if p.words == "" {
		return r
	}
	found := matches(r, p.words)
	if len(found) == 0 {
		return r
	}
	return reversed(r, func(_, at int) bool {
		for len(found) > 0 && at >= found[0][1] {
			found = found[1:]
		}
		return len(found) > 0 && at >= found[0][0]
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
