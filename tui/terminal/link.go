package terminal

import (
	"slices"
	"strings"

	"aside/session"
)

// Link is a link in what is shown: one that the program has made (OSC 8), or
// the address of a page or of mail in its text.
type Link struct {
	Target string
	Text   string // what stands there for it
	Label  string // what is drawn over its beginning, "" for nothing
	parts  []part
}

// part is the columns that a link has in one row, to being behind the last.
type part struct{ row, from, to int }

// maxJoined bounds how many rows that wrap are put together for one line.
const maxJoined = 256

// Links returns the links in the h lines that are shown, in the order they are
// read. What could escape a terminal's string or is longer than a target may
// be is none.
func (p *Pane) Links(h int) []Link {
	top := p.history - p.back
	end := min(top+h, p.history+len(p.rows))
	first, _ := p.lineAt(top)
	var found []Link
	var line linkLine
	for row := first; row < end || line.joins(row); row++ {
		if !line.joins(row) {
			found = append(found, line.links()...)
			line = linkLine{}
		}
		l := p.at(row - p.history)
		if l == nil {
			continue
		}
		line.add(row, l.row)
	}
	found = append(found, line.links()...)
	return slices.DeleteFunc(found, func(l Link) bool { return l.parts[len(l.parts)-1].row < top || l.parts[0].row >= end })
}

// LinkAt returns the link at a place of what is shown.
func (p *Pane) LinkAt(x, y, h int) (Link, bool) {
	at := p.place(x, y)
	for _, l := range p.Links(h) {
		for _, s := range l.parts {
			if s.row == at.row && x >= s.from && x < s.to {
				return l, true
			}
		}
	}
	return Link{}, false
}

// ShowLabels draws the links' labels from now on; with none, no more.
func (p *Pane) ShowLabels(links []Link) { p.labelled = links }

// linkLine is a line of text, from rows that wrap.
type linkLine struct {
	text  []byte
	cells []linkCell // one for each byte of text
	next  int        // the row it goes on in
	rows  int
}

type linkCell struct {
	part        // of one cluster
	link string // the program's
}

func (l *linkLine) joins(row int) bool { return l.rows > 0 && l.rows < maxJoined && l.next == row }

func (l *linkLine) add(row int, r session.Row) {
	col := 0
	for _, s := range r.Spans {
		link := s.Link
		if !linkable(link) {
			link = ""
		}
		each(session.Row{Spans: []session.Span{s}}, func(cluster string, w int) {
			c := linkCell{part{row, col, col + w}, link}
			for range len(cluster) {
				l.cells = append(l.cells, c)
			}
			l.text = append(l.text, cluster...)
			col += w
		})
	}
	l.next, l.rows = -1, l.rows+1
	if r.Wrapped {
		l.next = row + 1
	}
}

// links returns the links of the line.
func (l *linkLine) links() []Link {
	var found []Link
	for i := 0; i < len(l.text); {
		to := i + 1
		target := l.cells[i].link
		if target != "" {
			for to < len(l.text) && l.cells[to].link == target {
				to++
			}
		} else if n := address(l.text[i:l.plainEnd(i)]); n > 0 && (i == 0 || !letter(l.text[i-1])) {
			if to = i + n; to < len(l.text) || l.next < 0 { // else more of it may follow
				target = string(l.text[i:to])
			}
		}
		if target != "" && linkable(target) {
			found = append(found, l.link(target, i, to))
		}
		i = to
	}
	return found
}

// plainEnd returns where the text ends in which the program has made no link.
func (l *linkLine) plainEnd(from int) int {
	for from < len(l.text) && l.cells[from].link == "" {
		from++
	}
	return from
}

func (l *linkLine) link(target string, from, to int) Link {
	found := Link{Target: target, Text: strings.TrimSpace(string(l.text[from:to]))}
	for _, c := range l.cells[from:to] {
		if last := len(found.parts) - 1; last < 0 || found.parts[last].row != c.row {
			found.parts = append(found.parts, c.part)
		} else {
			found.parts[last].to = c.to
		}
	}
	return found
}

// address returns the length of the address that text begins with, 0 when
// there is none. The full stop after it and the bracket around it are not part
// of it.
func address(text []byte) int {
	start := 0
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if len(text) > len(scheme) && strings.EqualFold(string(text[:len(scheme)]), scheme) {
			start = len(scheme)
		}
	}
	if start == 0 {
		return 0
	}
	n := start
	for n < len(text) && text[n] > 0x20 && text[n] < 0x7f && strings.IndexByte("<>\"`{}|\\^", text[n]) < 0 {
		n++
	}
	for n > start {
		open := map[byte]string{')': "(", ']': "["}[text[n-1]]
		lone := open != "" && strings.Count(string(text[:n]), open) < strings.Count(string(text[:n]), string(text[n-1]))
		if !lone && strings.IndexByte(".,;:!?'*", text[n-1]) < 0 {
			break
		}
		n--
	}
	if n == start {
		return 0
	}
	return n
}

// Addresses returns the addresses of pages and of mail in a text that is not a
// terminal's, in its order.
func Addresses(text string) []string {
	var found []string
	bytes := []byte(text)
	for i := 0; i < len(text); {
		n := 0
		if i == 0 || !letter(text[i-1]) {
			n = address(bytes[i:])
		}
		if n == 0 {
			i++
			continue
		}
		if linkable(text[i : i+n]) {
			found = append(found, text[i:i+n])
		}
		i += n
	}
	return found
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' }

// labels returns what is drawn over the columns of a row.
func (p *Pane) labels(row int) map[int]string {
	var at map[int]string
	for _, l := range p.labelled {
		s := l.parts[0]
		for _, next := range l.parts[1:] {
			if s.row < p.history-p.back { // out of sight
				s = next
			}
		}
		if s.row == row && l.Label != "" {
			if at == nil {
				at = map[int]string{}
			}
			at[s.from] = l.Label
		}
	}
	return at
}

// withLabels returns the row with labels, one column each, over its columns.
func withLabels(r session.Row, labels map[int]string) session.Row {
	return redrawn(r, func(col, _ int, cluster string, style session.Style) (string, session.Style) {
		if label := labels[col]; label != "" {
			return label, session.Style{Attrs: session.AttrReverse | session.AttrBold}
		}
		return cluster, style
	})
}
