package session

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text that a model, a repository or a socket wrote is shown only after it
// went through one of the functions below. They share one policy on
// characters (contracts/proposed-threads.md, The tool): escape sequences,
// control characters, bidirectional controls and characters that take no
// room never reach a screen as they are. A joiner or variation selector that
// belongs to an emoji is part of what is seen and stays.

// Clean returns s without what must not be shown: escape sequences whole,
// control and invisible characters, bytes that are no UTF-8. Line feeds and
// tabs stay; CR LF becomes LF, and any other line separator becomes LF too.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if n := escapeLen(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1: // a byte that is no UTF-8
		case isLineBreak(r):
			n = breakLen(s[i:])
			b.WriteByte('\n')
		case r == '\t' || !hidden(b.String(), r, s[i+n:]):
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// CleanLine is Clean for what takes one line: every run of white space,
// line breaks included, becomes one space, and none is left at the ends.
func CleanLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// Mark returns s with what Clean would remove shown as a visible mark, such
// as ⟨U+202E⟩ or, for a byte that is no UTF-8, ⟨0xFF⟩: nothing is hidden and
// nothing is lost. Line feeds and tabs stay; CR LF reads as LF.
func Mark(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			fmt.Fprintf(&b, "⟨0x%02X⟩", s[i])
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
		case hidden(b.String(), r, s[i+n:]):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// MarkLine is Mark for what takes one line: a line break reads ⏎ and a tab
// one space.
func MarkLine(s string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(Mark(s))
}

// plain says that s is printable ASCII with line feeds and tabs: by far the
// most frequent text, and nothing in it needs a closer look.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x0b || r == 0x0c || r == 0x85 || r == 0x2028 || r == 0x2029
}

// breakLen returns the length of the line break that s begins with.
func breakLen(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// hidden says that r must not be shown as it is, between the text written so
// far and the text that follows.
func hidden(before string, r rune, after string) bool {
	switch r {
	case 0x200d: // zero width joiner: within an emoji
		next, _ := utf8.DecodeRuneInString(after)
		return !endsEmoji(before) || !pictograph(next)
	case 0xfe0e, 0xfe0f: // text and emoji presentation
		last, _ := utf8.DecodeLastRuneInString(before)
		return !pictograph(last) && !strings.ContainsRune("0123456789#*", last)
	}
	return unicode.IsControl(r) || invisible(r)
}

func endsEmoji(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	if r == 0xfe0f {
		r, _ = utf8.DecodeLastRuneInString(s[:len(s)-n])
	}
	return pictograph(r)
}

// pictograph covers the blocks that hold Unicode's Extended_Pictographic
// characters.
func pictograph(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2190 && r <= 0x21ff, r >= 0x2300 && r <= 0x27bf, r >= 0x2900 && r <= 0x2bff:
		return true
	}
	return r == 0xa9 || r == 0xae || r == 0x203c || r == 0x2049 || r == 0x2122 || r == 0x2139 ||
		r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299
}

// invisible covers Unicode's Default_Ignorable_Code_Point, the controls of
// directions and lines, and interlinear annotation.
func invisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0x180b && r <= 0x180f, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfffb,
		r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return false
}

// escapeLen returns the length of the escape sequence that s begins with, 0
// when there is none. A string sequence (OSC, DCS and their like) that does
// not end is taken for its introducer alone, so that it cannot swallow the
// text behind it.
func escapeLen(s string) int {
	kind, n := introducer(s)
	switch kind {
	case 0:
		return n
	case '[':
		return n + controlLen(s[n:])
	case ']', 'P', 'X', '^', '_':
		if end := stringEnd(s[n:]); end >= 0 {
			return n + end
		}
		return n
	}
	return n
}

// introducer returns the kind of sequence that s begins with, as the byte
// behind ESC in its seven-bit form, and the introducer's length. Kind 0 is a
// sequence that the introducer completes, or none when the length is 0.
func introducer(s string) (kind byte, n int) {
	if strings.HasPrefix(s, "\x1b") {
		return escape(s)
	}
	switch r, n := utf8.DecodeRuneInString(s); r {
	case 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f:
		return byte(r - 0x40), n // C1 is ESC and the byte 0x40 below
	}
	return 0, 0
}

// escape is introducer for a string that begins with ESC.
func escape(s string) (kind byte, n int) {
	if len(s) == 1 {
		return 0, 1
	}
	switch c := s[1]; {
	case strings.IndexByte("[]PX^_", c) >= 0:
		return c, 2
	case c >= 0x20 && c < 0x30: // intermediates, then one final byte
		n = 1
		for n < len(s) && s[n] >= 0x20 && s[n] < 0x30 {
			n++
		}
		if n < len(s) && s[n] >= 0x30 && s[n] < 0x7f {
			n++
		}
		return 0, n
	case c >= 0x30 && c < 0x7f:
		return 0, 2
	}
	return 0, 1
}

// controlLen returns the length of what belongs to a CSI sequence behind its
// introducer: parameters, intermediates and the final byte.
func controlLen(s string) int {
	n := 0
	for n < len(s) && s[n] >= 0x20 && s[n] < 0x40 {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] < 0x7f {
		return n + 1
	}
	return 0 // not complete: what follows is text
}

// stringEnd returns the length of a string sequence behind its introducer,
// terminator included, or -1.
func stringEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == 0x07:
			return i + 1
		case s[i] == 0x1b && strings.HasPrefix(s[i+1:], `\`), s[i] == 0xc2 && strings.HasPrefix(s[i+1:], "\x9c"):
			return i + 2
		case s[i] == 0x1b || s[i] == '\n', s[i] == 0xc2 && i+1 < len(s) && s[i+1] < 0xa0:
			return -1 // so the next introducer ends the scan, and a run of them takes linear time
		}
	}
	return -1
}
