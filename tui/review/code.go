package review

import (
	"slices"
	"strings"

	"aside/tui/cells"
	"aside/tui/syntax"
	"aside/worktree"
)

// code is what is known of the lines of a hunk: the language of their file,
// what the lines before each of them leave open in it, and the line that each
// changed one stands against, or -1.
type code struct {
	lang   *syntax.Language
	states []syntax.State
	pairs  []int
}

// place of a hunk in the diff.
type place struct{ file, hunk int }

// code returns what is known of a hunk, which is read when it is first seen.
func (v *View) code(at place) *code {
	c := v.codes[at]
	if c == nil {
		f := v.diff.Files[at.file]
		c = read(f.Path, f.Hunks[at.hunk].Lines)
		v.codes[at] = c
	}
	return c
}

func read(path string, lines []worktree.Line) *code {
	first := ""
	if len(lines) > 0 && max(lines[0].Old, lines[0].New) == 1 {
		first = lines[0].Text
	}
	c := &code{lang: syntax.ByPath(path, first), states: make([]syntax.State, len(lines)), pairs: make([]int, len(lines))}
	var before, now syntax.State // of the file as it was, and as it is
	var classes []syntax.Class
	for i, l := range lines {
		c.pairs[i] = -1
		c.states[i] = now
		if l.Kind == worktree.LineDeleted {
			c.states[i] = before
		}
		classes = slices.Grow(classes[:0], len(l.Text))[:len(l.Text)]
		next := c.lang.Line(l.Text, classes, c.states[i])
		switch {
		case l.Kind == worktree.LineDeleted:
			before = next
		case l.Kind == worktree.LineContext && before != now:
			before = c.lang.Line(l.Text, classes, before)
		case l.Kind == worktree.LineContext:
			before = next
		}
		if l.Kind != worktree.LineDeleted {
			now = next
		}
	}
	blocks(lines, func(gone, came, end int) {
		for n := range min(came-gone, end-came) {
			c.pairs[gone+n], c.pairs[came+n] = came+n, gone+n
		}
	})
	return c
}

// blocks calls fn for each run of lines that went and of those that came in
// their place.
func blocks(lines []worktree.Line, fn func(gone, came, end int)) {
	for at := 0; at < len(lines); {
		gone := at
		for at < len(lines) && lines[at].Kind == worktree.LineDeleted {
			at++
		}
		came := at
		for at < len(lines) && lines[at].Kind == worktree.LineAdded {
			at++
		}
		if at == gone {
			at++
			continue
		}
		fn(gone, came, at)
	}
}

// shown is a line's text as it is drawn.
func shown(l worktree.Line) string {
	return cells.Mark(strings.ReplaceAll(strings.TrimSuffix(l.Text, "\r"), "\n", " "))
}

// classes are those of the text of a line, with what of it has changed.
func (v *View) classes(at place, i int, text string) []syntax.Class {
	c, lines := v.code(at), v.diff.Files[at.file].Hunks[at.hunk].Lines
	v.buf = slices.Grow(v.buf[:0], len(text))[:len(text)]
	c.lang.Line(text, v.buf, c.states[i])
	side := syntax.Class(0)
	switch lines[i].Kind {
	case worktree.LineContext:
		return v.buf
	case worktree.LineAdded:
		side = syntax.Added
	default:
		side = syntax.Removed
	}
	for j := range v.buf {
		v.buf[j] |= side
	}
	if p := c.pairs[i]; p >= 0 {
		for _, s := range changedWords(text, shown(lines[p])) {
			for j := s[0]; j < s[1]; j++ {
				v.buf[j] |= syntax.Words
			}
		}
	}
	return v.buf
}

// comparedWords is how many words of two lines are compared at most; of longer
// ones all between what they begin and end with has changed.
const comparedWords = 48

// changedWords returns the parts of a line, by bytes, that the other one does
// not have; none when they have little in common, since then it is another
// line.
func changedWords(line, other string) [][2]int {
	a := words(line)
	keeps := kept(a, words(other))
	var spans [][2]int
	at, same := 0, 0
	for i, w := range a {
		switch n := len(spans); {
		case keeps[i]:
			same += len(strings.TrimSpace(w))
		case n > 0 && spans[n-1][1] == at:
			spans[n-1][1] += len(w)
		default:
			spans = append(spans, [2]int{at, at + len(w)})
		}
		at += len(w)
	}
	if same*3 < min(len(strings.TrimSpace(line)), len(strings.TrimSpace(other))) {
		return nil
	}
	return spans
}

// kept says which of the words of a are in b too, in their order.
func kept(a, b []string) []bool {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	keeps := make([]bool, len(a))
	for i := range a {
		keeps[i] = i < head || i >= len(a)-tail
	}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) <= comparedWords && len(b) <= comparedWords {
		common(a, b, keeps[head:])
	}
	return keeps
}

// common notes which words of a belong to a longest sequence that b has too.
func common(a, b []string, keeps []bool) {
	var longest [comparedWords + 1][comparedWords + 1]uint8
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			keeps[i] = true
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
}

// words are the words of a line, its blanks, and its signs one by one.
func words(s string) []string {
	kind := func(c byte) int {
		switch {
		case c == ' ':
			return 1
		case c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80:
			return 2
		}
		return 0
	}
	out := make([]string, 0, len(s)/4+1)
	for from := 0; from < len(s); {
		to := from + 1
		for k := kind(s[from]); k > 0 && to < len(s) && kind(s[to]) == k; {
			to++
		}
		out = append(out, s[from:to])
		from = to
	}
	return out
}
