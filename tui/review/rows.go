package review

import "aside/worktree"

// row is one row of the diff on the screen. Of a line's row, left and right
// are the places of lines in the hunk, or -1: unified a line is on the left,
// side by side the left one is the line as it was.
type row struct {
	kind        rowKind
	file, hunk  int
	left, right int
}

type rowKind int

const (
	rowFile rowKind = iota // the name of a file, and what became of it
	rowNote                // a sentence about the file in place of lines
	rowHunk
	rowLine
	rowGap // between two files
)

// build makes the rows anew, for the width and for what is folded. The cursor
// stays on its line.
func (v *View) build() {
	var at, mark row
	if len(v.rows) > 0 {
		at, mark = v.rows[v.at], v.rows[max(v.mark, 0)]
	}
	below := v.at - v.top
	v.rows, v.starts = v.rows[:0], v.starts[:0]
	for i, f := range v.diff.Files {
		if i > 0 {
			v.rows = append(v.rows, row{kind: rowGap, file: i - 1, hunk: -1, left: -1, right: -1})
		}
		v.starts = append(v.starts, len(v.rows))
		v.rows = append(v.rows, row{kind: rowFile, file: i, hunk: -1, left: -1, right: -1})
		if !v.folded[i] {
			v.file(i, f)
		}
	}
	if len(v.rows) == 0 {
		v.at, v.top, v.mark = 0, 0, -1
		return
	}
	v.at = v.place(at)
	if v.mark >= 0 {
		v.mark = v.place(mark)
	}
	v.top = v.at - below
	v.settle()
}

// file adds the rows of a file's hunks.
func (v *View) file(i int, f worktree.FileDiff) {
	if len(f.Hunks) == 0 || f.Cut {
		defer func() {
			v.rows = append(v.rows, row{kind: rowNote, file: i, hunk: len(f.Hunks), left: -1, right: -1})
		}()
	}
	for n, h := range f.Hunks {
		v.rows = append(v.rows, row{kind: rowHunk, file: i, hunk: n, left: -1, right: -1})
		if v.split {
			v.pairs(i, n, h.Lines)
			continue
		}
		for at := range h.Lines {
			v.rows = append(v.rows, row{kind: rowLine, file: i, hunk: n, left: at, right: -1})
		}
	}
}

// pairs adds the rows of a hunk side by side: what went beside what came in
// its place.
func (v *View) pairs(file, hunk int, lines []worktree.Line) {
	same := 0
	until := func(to int) {
		for ; same < to; same++ {
			v.rows = append(v.rows, row{kind: rowLine, file: file, hunk: hunk, left: same, right: same})
		}
	}
	blocks(lines, func(gone, came, end int) {
		until(gone)
		for n := range max(came-gone, end-came) {
			r := row{kind: rowLine, file: file, hunk: hunk, left: -1, right: -1}
			if gone+n < came {
				r.left = gone + n
			}
			if came+n < end {
				r.right = came + n
			}
			v.rows = append(v.rows, r)
		}
		same = end
	})
	until(len(lines))
}

// place returns the row that shows what another one, of rows before, did.
func (v *View) place(of row) int {
	if of.file >= len(v.starts) {
		return 0
	}
	best := v.starts[of.file]
	line := max(of.left, of.right)
	if of.left >= 0 {
		line = of.left
	}
	for i := best; i < len(v.rows) && v.rows[i].file == of.file; i++ {
		r := v.rows[i]
		switch {
		case of.kind == rowFile || of.kind == rowGap || r.hunk > of.hunk:
			return best
		case r.hunk < of.hunk:
			continue
		case of.kind != rowLine && r.kind == of.kind, line >= 0 && (r.left == line || r.right == line):
			return i
		}
	}
	return best
}
