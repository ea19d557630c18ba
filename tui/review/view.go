// Package review shows what a thread has changed: a list of files beside
// their lines, unified or side by side, and which of them a person has
// chosen. All text in it is a repository's own and marked before it is drawn.
package review

import (
	"slices"

	"aside/tui/intent"
	"aside/tui/syntax"
	"aside/worktree"
)

// The widths at which the view changes.
const (
	splitLeast = 140 // from here on the two sides are beside each other
	sidesLeast = 60  // and from here on if the person wants it
	listLeast  = 84  // and from here on the files are listed at the left
	listMost   = 36
)

// step is how far long lines are moved sideways.
const step = 8

// View is a diff as a person looks at it.
type View struct {
	diff   worktree.Diff
	folded map[int]bool
	w, h   int
	split  bool
	turned bool // the person wants it otherwise than the width says
	rows   []row
	starts []int // the first row of each file
	top    int   // the first row that is seen
	at     int   // the row of the cursor
	mark   int   // the other end of the chosen range, or -1
	x      int   // columns that are left out of lines
	digits int   // of the largest line number
	codes  map[place]*code
	buf    []syntax.Class
}

// New returns a view of a diff; SetSize comes before anything is drawn.
func New(d worktree.Diff) *View {
	v := &View{diff: d, folded: map[int]bool{}, mark: -1, digits: digits(d), codes: map[place]*code{}}
	v.build()
	return v
}

func digits(d worktree.Diff) int {
	most := 0
	for _, f := range d.Files {
		for _, h := range f.Hunks {
			if n := len(h.Lines); n > 0 {
				most = max(most, h.Lines[n-1].Old, h.Lines[n-1].New)
			}
		}
	}
	n := 1
	for ; most >= 10; most /= 10 {
		n++
	}
	return max(n, 3)
}

// Resume goes on where another view of the same thread was: on its file and
// line, with the same files folded. It may be nil.
func (v *View) Resume(was *View) {
	if was == nil || len(was.rows) == 0 {
		return
	}
	folded := map[string]bool{}
	for i, f := range was.diff.Files {
		folded[f.Path] = was.folded[i]
	}
	path, below := was.diff.Files[was.current()].Path, was.at-was.start(was.current())
	v.x = was.x
	for i, f := range v.diff.Files {
		v.folded[i] = folded[f.Path]
	}
	v.w, v.h, v.split, v.turned = was.w, was.h, was.split, was.turned
	v.build()
	for i, f := range v.diff.Files {
		if f.Path != path {
			continue
		}
		v.at = v.start(i) + below
		if i+1 < len(v.starts) {
			v.at = min(v.at, v.start(i+1)-1)
		}
		v.top = v.at - (was.at - was.top)
		v.settle()
	}
}

// Files is how many files have changed.
func (v *View) Files() int { return len(v.diff.Files) }

// SetSize says what room there is.
func (v *View) SetSize(w, h int) {
	if w == v.w && h == v.h {
		return
	}
	v.w, v.h = w, h
	v.arrange()
}

// arrange puts the sides beside each other or the lines below each other, as
// there is room and as it is wanted; the cursor stays in its file.
func (v *View) arrange() {
	split := v.w >= sidesLeast && (v.w >= splitLeast) != v.turned
	if split != v.split && len(v.rows) > 0 {
		v.split = split
		f := v.current()
		below := v.at - v.start(f)
		v.build()
		v.at, v.mark = v.start(f)+below, -1
		if f+1 < len(v.starts) {
			v.at = min(v.at, v.start(f+1)-1)
		}
	}
	v.settle()
}

// settle keeps the cursor within the rows and on the screen.
func (v *View) settle() {
	n := len(v.rows)
	v.at = min(max(0, v.at), max(0, n-1))
	h := max(v.h, 1)
	v.top = min(v.top, v.at)
	v.top = max(v.top, v.at-h+1)
	v.top = max(0, min(v.top, n-h))
}

// Act moves, folds or chooses; false when the view has nothing to do with
// what is wanted.
func (v *View) Act(do intent.Intent) bool {
	if len(v.rows) == 0 {
		return false
	}
	switch do {
	case intent.Left:
		v.x = max(0, v.x-step)
	case intent.Right:
		v.x = min(v.x+step, 4000)
	case intent.Fold:
		v.fold(v.current())
	case intent.Sides:
		v.turned = !v.turned
		v.arrange()
	case intent.Mark:
		if v.mark >= 0 {
			v.mark = -1
		} else {
			v.mark = v.at
		}
	case intent.Back:
		if v.mark < 0 {
			return false
		}
		v.mark = -1
	default:
		if !v.move(do) {
			return false
		}
	}
	v.settle()
	return true
}

// move moves the cursor; false when that is not what is wanted.
func (v *View) move(do intent.Intent) bool {
	switch do {
	case intent.Up:
		v.at--
	case intent.Down:
		v.at++
	case intent.PageUp:
		v.page(-1)
	case intent.PageDown:
		v.page(1)
	case intent.Top:
		v.at = 0
	case intent.Bottom:
		v.at = len(v.rows) - 1
	case intent.Next:
		v.goFile(v.current() + 1)
	case intent.Previous:
		f := v.current()
		if v.at == v.start(f) {
			f--
		}
		v.goFile(f)
	default:
		return false
	}
	return true
}

// page moves the cursor with what is seen.
func (v *View) page(by int) {
	by *= max(1, v.h-1)
	v.at += by
	v.top += by
}

// Scroll moves what is seen, down when by is positive; the cursor comes along.
func (v *View) Scroll(by int) {
	n := len(v.rows)
	v.top = max(0, min(v.top+by, n-v.h))
	v.at = min(max(v.at, v.top), v.top+max(v.h, 1)-1)
	v.settle()
}

// current is the file of the cursor.
func (v *View) current() int {
	if len(v.rows) == 0 {
		return 0
	}
	return v.rows[v.at].file
}

func (v *View) start(file int) int {
	if file < 0 || file >= len(v.starts) {
		return 0
	}
	return v.starts[file]
}

// goFile puts the cursor on a file, and the file at the top.
func (v *View) goFile(file int) {
	if file < 0 || file >= len(v.starts) {
		return
	}
	v.at = v.starts[file]
	v.top = v.at
}

func (v *View) fold(file int) {
	if file >= len(v.starts) {
		return
	}
	v.folded[file] = !v.folded[file]
	v.mark = -1
	v.build()
}

// Click takes a click: a file in the list is gone to, the name of one in the
// diff is folded, a line is chosen. Extend widens what is chosen to there, as
// with the button held down.
func (v *View) Click(x, y int, extend bool) {
	list := v.listWidth()
	if list > 0 && x < list {
		if f := v.listTop() + y; !extend && f < len(v.diff.Files) {
			v.mark = -1
			v.goFile(f)
			v.settle()
		}
		return
	}
	at := v.top + min(max(y, 0), max(0, v.h-1))
	if at >= len(v.rows) {
		return
	}
	switch {
	case extend && at != v.at:
		if v.mark < 0 {
			v.mark = v.at
		}
		v.at = at
	case !extend:
		v.mark = -1
		v.at = at
		if v.rows[at].kind == rowFile {
			v.fold(v.rows[at].file)
		}
	}
	v.settle()
}

// span is the first and the last of the chosen rows.
func (v *View) span() (from, to int) {
	if v.mark < 0 {
		return v.at, v.at
	}
	return min(v.at, v.mark), max(v.at, v.mark)
}

// Chosen returns the path of the file that the cursor is on, and those of its
// lines that are chosen; none when the cursor is on no line.
func (v *View) Chosen() (path string, lines []worktree.Line) {
	if len(v.diff.Files) == 0 {
		return "", nil
	}
	file := v.current()
	f := v.diff.Files[file]
	from, to := v.span()
	var at []int
	hunk := -1
	flush := func() {
		slices.Sort(at)
		for _, i := range slices.Compact(at) {
			lines = append(lines, f.Hunks[hunk].Lines[i])
		}
		at = at[:0]
	}
	for _, r := range v.rows[from : to+1] {
		if r.file != file || r.kind != rowLine {
			continue
		}
		if r.hunk != hunk {
			flush()
			hunk = r.hunk
		}
		for _, i := range []int{r.left, r.right} {
			if i >= 0 {
				at = append(at, i)
			}
		}
	}
	flush()
	return f.Path, lines
}
