// Package cells deals with text in terminal cells: how wide it is, where it
// is cut or wrapped, what must not be drawn, and how a cluster is drawn on a
// terminal that measures it differently. It is where the screen's components
// meet ansi's two ways of measuring.
package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the columns that s takes, a cluster being as wide as a
// terminal with grapheme clustering draws it. Escape sequences take none.
func Width(s string) int {
	if printable(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Cut shortens s to at most w columns; what is cut off is replaced by "…".
// Escape sequences are kept.
func Cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case printable(s) && len(s) <= w:
		return s
	}
	cut := ansi.Truncate(s, w, "…")
	// It takes what a variation selector makes wide, such as a keycap, for as
	// narrow as the character alone.
	for n := w - 1; n >= 0 && strings.Contains(cut, "\ufe0f") && Width(cut) > w; n-- {
		cut = ansi.Truncate(s, n, "…")
	}
	return cut
}

// Fit cuts s to w columns or fills it up with spaces.
func Fit(s string, w int) string {
	s = Cut(s, w)
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Spread puts left and right at the ends of w columns. The right part is left
// whole as long as it fits; the left one is cut first.
func Spread(left, right string, w int) string {
	r := Cut(right, w)
	rw := Width(r)
	if rw == 0 {
		return Fit(left, w)
	}
	if w-rw < 2 {
		return Fit(r, w)
	}
	return Fit(left, w-rw-1) + " " + r
}

// Wrap breaks plain text into lines of at most w columns, at spaces where it
// can, and at line breaks.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	if printable(s) && len(s) <= w {
		return []string{s}
	}
	var lines []string
	for l := range strings.SplitSeq(ansi.Wrap(s, w, ""), "\n") {
		l = strings.TrimRight(l, " ")
		if Width(l) <= w {
			lines = append(lines, l)
			continue
		}
		// It lets a line with a hyphen be too wide by one; cut off there,
		// what is behind would be hidden.
		for part := range strings.SplitSeq(ansi.Hardwrap(l, w, true), "\n") {
			lines = append(lines, strings.TrimRight(part, " "))
		}
	}
	return lines
}

// Settle returns s so that it takes the columns of Width on a terminal that
// adds up code points instead of clusters: where the two disagree, it writes
// text of the right width. Escape sequences are kept.
func Settle(s string) string {
	if ascii(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	var state byte
	for len(s) > 0 {
		seq, w, n, next := ansi.DecodeSequence(s, state, nil)
		if n == 0 {
			break
		}
		if n == 1 && len(s) > 1 && s[0] >= 0x20 && s[1] >= 0xc0 {
			// The decoder takes ASCII by the byte; a keycap begins with one.
			seq, w = Cluster(s)
			n = len(seq)
		}
		if w > 0 && len(seq) > 1 {
			seq = Substitute(seq, w)
		}
		b.WriteString(seq)
		s, state = s[n:], next
	}
	return b.String()
}

// Substitute returns text for one cluster of w columns that takes w columns
// under both ways of measuring: the cluster itself where they agree, else as
// much of it as fits, filled up with spaces.
func Substitute(cluster string, w int) string {
	if ansi.StringWidthWc(cluster) == w {
		return cluster
	}
	var b strings.Builder
	got := 0
	for _, r := range cluster {
		rw := ansi.StringWidthWc(string(r))
		if got+rw > w || rw == 0 {
			break // what follows changes the width of what is there
		}
		b.WriteRune(r)
		got += rw
	}
	b.WriteString(strings.Repeat(" ", w-got))
	return b.String()
}

// Cluster returns the first grapheme cluster of s and its columns.
func Cluster(s string) (string, int) {
	return ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
