package paint

import (
	"strings"
	"unicode/utf8"

	"aside/tui/cells"

	"github.com/charmbracelet/x/ansi"
)

// change paints the part of a line that differs from what is in its row. It
// begins where the lines begin to differ, in the style that is in force
// there, and ends where they are alike again in the same columns; where that
// cannot be told for sure it is more.
func (p *Painter) change(y int, old, line string) {
	from := begin(old, line)
	to := finish(old, line, from)
	p.body = p.place(p.body, from.x, y)
	p.body = p.text(p.body, from.style+line[from.i:to.i])
	if to.i == len(line) && to.x < p.w {
		p.body = append(p.body, ansi.ResetStyle+ansi.EraseLineRight...)
	}
}

// spot is a place in a line.
type spot struct {
	i     int    // bytes before it
	x     int    // columns before it
	style string // the sequences in force
	link  bool   // it is in a link
}

// begin returns the last place up to which two lines are the same and where
// writing may set in.
func begin(old, line string) spot {
	same := 0
	for same < len(old) && same < len(line) && old[same] == line[same] {
		same++
	}
	var at, good spot
	for at.i < same {
		if !at.link && free(line[:same], at.i) {
			good = at
		}
		at = at.next(line)
	}
	if at.i == same && !at.link && free(old, same) && free(line, same) {
		return at
	}
	return good
}

// next returns the place after the next character or control sequence.
func (at spot) next(line string) spot {
	if line[at.i] == 0x1b {
		seq := sequence(line[at.i:])
		at.follow(seq)
		at.i += len(seq)
		return at
	}
	cluster, w := line[at.i:at.i+1], 1
	if line[at.i] < 0x20 || line[at.i] > 0x7e || at.i+1 < len(line) && line[at.i+1] >= utf8.RuneSelf {
		cluster, w = cells.Cluster(line[at.i:])
	}
	at.i += len(cluster)
	at.x += w
	return at
}

// follow takes a sequence into the style, or the link.
func (at *spot) follow(seq string) {
	switch {
	case seq == "\x1b[m" || seq == "\x1b[0m":
		at.style = ""
	case strings.HasPrefix(seq, "\x1b[0;"):
		at.style = seq
	case strings.HasPrefix(seq, "\x1b]"):
		at.link = !strings.HasPrefix(seq, "\x1b]8;;\x1b") && !strings.HasPrefix(seq, "\x1b]8;;\x07")
	default:
		at.style += seq
	}
}

// sequence returns the control sequence that s begins with.
func sequence(s string) string {
	if len(s) < 2 {
		return s
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return s[:i+1]
			}
		}
		return s
	case ']':
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return s[:i+1]
			}
			if s[i] == 0x1b {
				return s[:min(i+2, len(s))]
			}
		}
		return s
	}
	return s[:2]
}

// walk returns the place at byte i of a line, from one before it.
func (at spot) walk(line string, i int) spot {
	for at.i < i {
		at = at.next(line[:i])
	}
	return at
}

// finish returns where in line the painting from a place may stop: from there
// on the two lines are the same, in the same columns and the same style. It is
// the end of the line when there is no such place.
func finish(old, line string, from spot) spot {
	same := 0
	for same < len(old)-from.i && same < len(line)-from.i && old[len(old)-1-same] == line[len(line)-1-same] {
		same++
	}
	off := len(old) - len(line)
	for i := len(line) - same; ; {
		now, then := from.walk(line, i), from.walk(old, i+off)
		if now.x == then.x && now.style == then.style && !now.link && !then.link && free(line, i) {
			return now
		}
		// After a reset the style is the same, and no sequence goes on.
		reset := strings.Index(line[i:], "\x1b[m")
		if reset < 0 {
			return from.walk(line, len(line))
		}
		i += reset + len("\x1b[m")
	}
}

// free says that what s shows from a place on joins no character before it,
// as a combining mark would. What is neither ASCII nor a line or a block is
// taken to.
func free(s string, i int) bool {
	for i < len(s) && s[i] == 0x1b {
		i += len(sequence(s[i:]))
	}
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r < utf8.RuneSelf || r >= 0x2500 && r < 0x25a0
}
