package terminal

import (
	"strings"
	"unicode/utf8"

	"aside/session"
	"aside/tui/cells"
)

const reset = "\x1b[m"

// maxLink is the length up to which a link's target is kept, as in the
// terminals that aside runs in.
const maxLink = 2083

// paint returns a row as a line of p.width columns.
func (p *Pane) paint(row session.Row) string {
	var b strings.Builder
	b.Grow(p.width + 16)
	left := p.width
	styled := false
	for _, s := range row.Spans {
		if left == 0 {
			break
		}
		w := min(max(s.Width, 0), left)
		link := linkable(s.Link)
		if link && s.Style.Underline == session.UnderlineNone {
			s.Style.Underline = session.UnderlineDotted
		}
		if s.Style != (session.Style{}) || styled {
			b.WriteString(p.sgr.sequence(s.Style))
			styled = s.Style != (session.Style{})
		}
		if link {
			b.WriteString("\x1b]8;;" + s.Link + "\x1b\\")
		}
		p.text(&b, s.Text, w)
		if link {
			b.WriteString("\x1b]8;;\x1b\\")
		}
		left -= w
	}
	if styled {
		b.WriteString(reset)
	}
	b.WriteString(p.blank[:left])
	return b.String()
}

// text writes exactly w columns: the emulator's word on how wide a span is
// stands, so that all to the right of it stays in its column.
func (p *Pane) text(b *strings.Builder, s string, w int) {
	if plain(s) {
		n := min(len(s), w)
		b.WriteString(s[:n])
		b.WriteString(p.blank[:w-n])
		return
	}
	for s != "" && w > 0 {
		cluster, cw := cells.Cluster(s)
		s = s[len(cluster):]
		switch {
		case cw == 0 || unprintable(cluster):
			continue
		case cw > w:
			cluster = ""
			cw = 0
			s = ""
		case !p.clusters:
			cluster = cells.Substitute(cluster, cw)
		}
		b.WriteString(cluster)
		w -= cw
	}
	b.WriteString(p.blank[:w])
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func unprintable(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return r < 0x20 || r >= 0x7f && r <= 0x9f
}

func linkable(link string) bool {
	if link == "" || len(link) > maxLink {
		return false
	}
	for i := range len(link) {
		if link[i] <= 0x20 || link[i] > 0x7e {
			return false
		}
	}
	return true
}

// styles remembers the sequences that set the styles seen, whatever was set
// before.
type styles map[session.Style]string

const maxStyles = 1024

func (st *styles) sequence(s session.Style) string {
	if seq, ok := (*st)[s]; ok {
		return seq
	}
	if *st == nil || len(*st) >= maxStyles {
		*st = make(styles)
	}
	seq := reset
	if own := s.SGR(); own != "" {
		seq = "\x1b[0;" + own[2:]
	}
	(*st)[s] = seq
	return seq
}
