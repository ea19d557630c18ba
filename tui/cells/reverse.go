package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Span is a part of a text without its escape sequences, in bytes.
type Span struct{ From, To int }

const (
	reverseOn  = "\x1b[7m"
	reverseOff = "\x1b[27m"
)

// Reverse returns a line with parts of its text in reverse. The spans are in
// their order and do not overlap; the text's own styles stay.
func Reverse(line string, spans []Span) string {
	if len(spans) == 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line) + len(spans)*(len(reverseOn)+len(reverseOff)))
	at, on := 0, false // in the text, and whether reverse is on
	var state byte
	for len(line) > 0 {
		seq, w, n, next := ansi.DecodeSequence(line, state, nil)
		if n == 0 {
			break
		}
		if w == 0 && seq[0] == '\x1b' {
			b.WriteString(seq)
			if on {
				b.WriteString(reverseOn) // a style that ends there ends all
			}
			line, state = line[n:], next
			continue
		}
		if on && at >= spans[0].To {
			b.WriteString(reverseOff)
			on = false
		}
		for len(spans) > 0 && at >= spans[0].To {
			spans = spans[1:]
		}
		if !on && len(spans) > 0 && at >= spans[0].From {
			b.WriteString(reverseOn)
			on = true
		}
		b.WriteString(seq)
		at += n
		line, state = line[n:], next
	}
	if on {
		b.WriteString(reverseOff)
	}
	return b.String()
}

// Text returns a line without its escape sequences, which is what Span counts
// in.
func Text(line string) string {
	if !strings.Contains(line, "\x1b") {
		return line
	}
	return ansi.Strip(line)
}
