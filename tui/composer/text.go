package composer

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"aside/tui/cells"
)

// text is what is written, as lines that are wrapped into rows, and the cursor
// in it. What a key costs depends on the line that it changes and on the rows
// that are seen, not on how much is written.
type text struct {
	lines []string
	wraps [][]int // of each line where its rows begin, by bytes; nil is not known
	size  int     // bytes, line feeds included
	w     int     // columns of a row
	at    place
	aim   int // the column that going up and down keeps to, or -1
}

// place is a line, and a byte in it at which a cluster begins.
type place struct{ line, col int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.col < q.col
}

// newText returns a text with the cursor at its end.
func newText(s string, w int) *text {
	t := &text{lines: strings.Split(s, "\n"), size: len(s), w: w, aim: -1}
	t.wraps = make([][]int, len(t.lines))
	t.at = t.end()
	return t
}

func (t *text) end() place {
	n := len(t.lines) - 1
	return place{n, len(t.lines[n])}
}

func (t *text) String() string { return strings.Join(t.lines, "\n") }

// resize wraps the text to another width.
func (t *text) resize(w int) {
	if t.w != w {
		t.w = w
		clear(t.wraps)
	}
}

// insert writes at the cursor.
func (t *text) insert(s string) {
	t.size += len(s)
	line := t.lines[t.at.line]
	parts := strings.Split(s, "\n")
	if len(parts) == 1 {
		t.lines[t.at.line] = line[:t.at.col] + s + line[t.at.col:]
		t.rewrap(t.at, len(s))
		t.at.col += len(s)
		t.aim = -1
		return
	}
	tail := line[t.at.col:]
	last := len(parts) - 1
	to := place{t.at.line + last, len(parts[last])}
	parts[0] = line[:t.at.col] + parts[0]
	parts[last] += tail
	t.lines = slices.Replace(t.lines, t.at.line, t.at.line+1, parts...)
	t.wraps = slices.Replace(t.wraps, t.at.line, t.at.line+1, make([][]int, len(parts))...)
	t.at, t.aim = to, -1
}

// remove takes out what is between two places, the first before the other.
func (t *text) remove(from, to place) {
	t.at, t.aim = from, -1
	if from.line == to.line {
		line := t.lines[from.line]
		t.size -= to.col - from.col
		t.lines[from.line] = line[:from.col] + line[to.col:]
		t.rewrap(from, from.col-to.col)
		return
	}
	for _, l := range t.lines[from.line:to.line] {
		t.size -= len(l) + 1
	}
	t.size += from.col - to.col
	t.lines[from.line] = t.lines[from.line][:from.col] + t.lines[to.line][to.col:]
	t.lines = slices.Delete(t.lines, from.line+1, to.line+1)
	t.wraps = slices.Delete(t.wraps, from.line+1, to.line+1)
	t.wraps[from.line] = nil
}

// between is what is between two places, the first before the other.
func (t *text) between(from, to place) string {
	if from.line == to.line {
		return t.lines[from.line][from.col:to.col]
	}
	parts := slices.Clone(t.lines[from.line : to.line+1])
	parts[0] = parts[0][from.col:]
	parts[len(parts)-1] = parts[len(parts)-1][:to.col]
	return strings.Join(parts, "\n")
}

// rows returns where the rows of a line begin.
func (t *text) rows(line int) []int {
	if t.wraps[line] == nil {
		t.wraps[line] = t.wrap(t.lines[line], []int{0})
	}
	return t.wraps[line]
}

// wrap goes on with the rows of a line from the last one that is known.
func (t *text) wrap(s string, starts []int) []int {
	for {
		next := t.next(s, starts[len(starts)-1])
		if next == len(s) {
			return starts
		}
		starts = append(starts, next)
	}
}

// next returns where the row ends that begins at a byte of a line: behind the
// last blank that fits, or within a word that does not.
func (t *text) next(s string, from int) int {
	used, blank := 0, 0
	for i := from; i < len(s); {
		n, w := cluster(s[i:])
		if used+w > t.w && i > from {
			if blank > from {
				return blank
			}
			return i
		}
		used += w
		i += n
		if s[i-n] == ' ' {
			blank = i
		}
	}
	return len(s)
}

// cluster returns the bytes and the columns of the first cluster.
func cluster(s string) (n, w int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	c, w := cells.Cluster(s)
	return len(c), w
}

// rewrap follows a change of a line by so many bytes at a place: of a long
// line only the rows around it are reckoned anew, until they begin again
// where they did.
func (t *text) rewrap(at place, by int) {
	old := t.wraps[at.line]
	if old == nil {
		return
	}
	s := t.lines[at.line]
	known := max(1, sort.SearchInts(old, at.col)-1) // a word may fit into the row before now
	starts := slices.Clone(old[:known])
	for {
		next := t.next(s, starts[len(starts)-1])
		if next == len(s) {
			break
		}
		starts = append(starts, next)
		if i, found := slices.BinarySearch(old, next-by); found && next > at.col+max(by, 0) {
			for _, o := range old[i+1:] {
				starts = append(starts, o+by)
			}
			break
		}
	}
	t.wraps[at.line] = starts
}

// row is the row of a place within its line.
func (t *text) row(p place) int {
	return sort.SearchInts(t.rows(p.line), p.col+1) - 1
}

// span is where a row of a line begins and ends.
func (t *text) span(line, row int) (from, to int) {
	starts := t.rows(line)
	if row+1 < len(starts) {
		return starts[row], starts[row+1]
	}
	return starts[row], len(t.lines[line])
}

// column is the column of a place in its row.
func (t *text) column(p place) int {
	from, _ := t.span(p.line, t.row(p))
	return cells.Width(t.lines[p.line][from:p.col])
}

// spot is a row of the text.
type spot struct{ line, row int }

func (t *text) spot() spot { return spot{t.at.line, t.row(t.at)} }

func (s spot) before(o spot) bool { return s.line < o.line || s.line == o.line && s.row < o.row }

// step returns the row below, or above when by is -1; ok is false at the ends.
func (t *text) step(s spot, by int) (_ spot, ok bool) {
	s.row += by
	switch {
	case s.row < 0 && s.line == 0:
		return s, false
	case s.row < 0:
		s.line--
		s.row = len(t.rows(s.line)) - 1
	case s.row == len(t.rows(s.line)) && s.line == len(t.lines)-1:
		return s, false
	case s.row == len(t.rows(s.line)):
		s = spot{line: s.line + 1}
	}
	return s, true
}

// height is how many rows there are, at most so many.
func (t *text) height(most int) int {
	n := 0
	for line := 0; line < len(t.lines) && n < most; line++ {
		n += len(t.rows(line))
	}
	return min(n, most)
}
