package cells

import (
	"strings"

	"aside/session"
)

// tab is what a tab is drawn as: its width must not depend on its column.
const tab = "    "

// Clean returns text that is safe to draw, as session.Clean says, with tabs as
// spaces.
func Clean(s string) string { return strings.ReplaceAll(session.Clean(s), "\t", tab) }

// Mark returns text in which all that Clean leaves out is a visible mark, as
// session.Mark says, with tabs as spaces.
func Mark(s string) string { return strings.ReplaceAll(session.Mark(s), "\t", tab) }

// Styled returns styled text with nothing but text, line breaks and sequences
// that set a style: what a renderer made of untrusted text.
func Styled(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for s != "" {
		at := strings.Index(s, "\x1b[")
		if at < 0 {
			b.WriteString(Clean(s))
			break
		}
		end := at + 2
		for end < len(s) && s[end] >= '0' && s[end] <= ';' {
			end++
		}
		if end < len(s) && s[end] == 'm' {
			b.WriteString(Clean(s[:at]))
			b.WriteString(s[at : end+1])
			s = s[end+1:]
			continue
		}
		// Another sequence: the text before it is cleaned together with it.
		next := strings.Index(s[at+1:], "\x1b[")
		if next < 0 {
			b.WriteString(Clean(s))
			break
		}
		b.WriteString(Clean(s[:at+1+next]))
		s = s[at+1+next:]
	}
	return b.String()
}
