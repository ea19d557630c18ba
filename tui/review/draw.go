package review

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/syntax"
	"aside/tui/theme"
	"aside/worktree"
)

// Summary is the diff in a phrase.
func (v *View) Summary(th theme.Theme) string {
	added, deleted := 0, 0
	for _, f := range v.diff.Files {
		added, deleted = added+f.Added, deleted+f.Deleted
	}
	s := fmt.Sprintf("%d files  ", len(v.diff.Files))
	if len(v.diff.Files) == 1 {
		s = "1 file  "
	}
	s += th.Changes(added, deleted, "")
	if v.diff.LeftOut > 0 {
		s += th.Warn.Paint(fmt.Sprintf("  %d untracked files left out", v.diff.LeftOut))
	}
	return s
}

// Nothing says that there is nothing in the diff.
func (v *View) Nothing() string {
	if v.diff.Against == "" {
		return "nothing has changed"
	}
	return "no changes against " + session.MarkLine(v.diff.Against)
}

// Where names what is at the top: the file and its place among all.
func (v *View) Where() string {
	if len(v.rows) == 0 {
		return ""
	}
	f := v.rows[v.top].file
	return fmt.Sprintf("%s  %d of %d", session.MarkLine(v.diff.Files[f].Path), f+1, len(v.diff.Files))
}

func (v *View) listWidth() int {
	if v.w < listLeast {
		return 0
	}
	return min(listMost, v.w*3/10)
}

// listTop is the first file that the list shows.
func (v *View) listTop() int {
	return max(0, min(v.current()-v.h/2, len(v.diff.Files)-v.h))
}

// Lines draws the view, as high as it was told.
func (v *View) Lines(th theme.Theme) []string {
	list := v.listWidth()
	w := v.w
	if list > 0 {
		w -= list + 1
	}
	from, to := v.span()
	lines := make([]string, 0, v.h)
	for y := range v.h {
		s := ""
		if list > 0 {
			s = v.listed(th, v.listTop()+y, list) + th.Dim.Paint("│")
		}
		if i := v.top + y; i < len(v.rows) {
			ground, rail := theme.Style(""), " "
			if i >= from && i <= to {
				ground, rail = th.Chosen, th.Accent.Paint(theme.Rail)
			}
			s += rail + v.row(th, v.rows[i], w-1, ground)
		}
		lines = append(lines, cells.Fit(s, v.w))
	}
	return lines
}

// listed is a file in the list at the left.
func (v *View) listed(th theme.Theme, i, w int) string {
	if i >= len(v.diff.Files) {
		return strings.Repeat(" ", w)
	}
	f := v.diff.Files[i]
	sign := " "
	if i == v.current() {
		sign = th.Accent.Paint(theme.Rail)
	}
	count := th.Changes(f.Added, f.Deleted, "")
	switch {
	case f.Binary:
		count = th.Dim.Paint("binary")
	case f.Large:
		count = th.Dim.Paint("large")
	}
	name := shortened(session.MarkLine(f.Path), w-cells.Width(count)-5)
	if i == v.current() {
		name = th.Strong.Paint(name)
	}
	return sign + cells.Spread(letter(f.Status)+" "+name, count, w-2) + " "
}

// shortened leaves out the beginning of a path: its end tells more.
func shortened(path string, w int) string {
	if n := cells.Width(path); n > w && w > 1 {
		rest, pad := skip(path, n-w+1)
		return "…" + strings.Repeat(" ", pad) + rest
	}
	return path
}

// letter is what became of a file, as Git spells it.
func letter(s worktree.FileStatus) string {
	switch s {
	case worktree.FileAdded:
		return "A"
	case worktree.FileDeleted:
		return "D"
	case worktree.FileRenamed:
		return "R"
	case worktree.FileRetyped:
		return "T"
	case worktree.FileUnmerged:
		return "U"
	}
	return "M"
}

// row draws one row on a ground.
func (v *View) row(th theme.Theme, r row, w int, ground theme.Style) string {
	f := v.diff.Files[r.file]
	switch r.kind {
	case rowFile:
		return v.heading(th, r.file, w, ground)
	case rowNote:
		return th.Warn.On(ground).Paint(cells.Fit("  "+note(f), w))
	case rowHunk:
		return th.Dim.On(ground).Paint(cells.Fit(" "+session.MarkLine(f.Hunks[r.hunk].Header), w))
	case rowGap:
		return ground.Paint(strings.Repeat(" ", w))
	}
	lines, at := f.Hunks[r.hunk].Lines, place{r.file, r.hunk}
	if !v.split {
		l := lines[r.left]
		return v.text(th, at, r.left, v.number(l.Old)+" "+v.number(l.New)+" ", w, ground)
	}
	half := (w - 1) / 2
	left, right := strings.Repeat(" ", half), strings.Repeat(" ", w-1-half)
	if r.left >= 0 {
		left = v.text(th, at, r.left, v.number(lines[r.left].Old)+" ", half, ground)
	} else {
		left = ground.Paint(left)
	}
	if r.right >= 0 {
		right = v.text(th, at, r.right, v.number(lines[r.right].New)+" ", w-1-half, ground)
	} else {
		right = ground.Paint(right)
	}
	return left + th.Dim.On(ground).Paint("│") + right
}

func (v *View) number(n int) string {
	if n == 0 {
		return strings.Repeat(" ", v.digits)
	}
	return fmt.Sprintf("%*d", v.digits, n)
}

// text is a line with its numbers and its sign, w columns wide.
func (v *View) text(th theme.Theme, at place, i int, numbers string, w int, ground theme.Style) string {
	l := v.diff.Files[at.file].Hunks[at.hunk].Lines[i]
	side, sign := syntax.Class(0), " "
	switch l.Kind {
	case worktree.LineAdded:
		side, sign = syntax.Added, "+"
	case worktree.LineDeleted:
		side, sign = syntax.Removed, "-"
	}
	end := ""
	switch {
	case l.Cut:
		end = " … cut"
	case l.Open:
		end = " (no line feed at the end)"
	}
	gutter := cells.Cut(numbers+sign, w)
	w -= cells.Width(gutter)
	end = cells.Cut(end, max(0, w-1))
	text := shown(l)
	classes := v.classes(at, i, text)
	var pad int
	if text, pad = skip(text, v.x); pad > 0 {
		gutter += strings.Repeat(" ", min(pad, w))
		w -= pad
	}
	classes = classes[len(classes)-len(text):]
	cut := cells.Cut(text, max(0, w-cells.Width(end)))
	rest := max(0, w-cells.Width(cut)-cells.Width(end))
	plain := (syntax.Plain | side).Style(th).On(ground)
	s := ground.On((syntax.Sign | side).Style(th)).Paint(gutter) // the ground of what is chosen is seen there
	if cut == text {
		s += syntax.Paint(cut, classes, th, ground)
	} else {
		cut = strings.TrimSuffix(cut, "…")
		s += syntax.Paint(cut, classes[:len(cut)], th, ground) + plain.Paint("…")
	}
	return s + th.Dim.On(ground).Paint(end) + plain.Paint(strings.Repeat(" ", rest))
}

// heading is the row of a file's name.
func (v *View) heading(th theme.Theme, i, w int, ground theme.Style) string {
	f := v.diff.Files[i]
	sign := "▾ "
	if v.folded[i] {
		sign = "▸ "
	}
	about := fmt.Sprintf("%s  +%d −%d", became(f), f.Added, f.Deleted)
	about = cells.Cut(about, max(0, w-8))
	name := shortened(session.MarkLine(f.Path), max(4, w-cells.Width(about)-5))
	return th.Strong.On(ground).Paint(cells.Fit(cells.Spread(sign+name, about+" ", w), w))
}

// became says what became of a file.
func became(f worktree.FileDiff) string {
	s := string(f.Status)
	if f.Status == worktree.FileRenamed {
		s = "renamed from " + session.MarkLine(f.Old)
	}
	if f.OldMode != "" && f.NewMode != "" && f.OldMode != f.NewMode {
		s += ", mode " + session.MarkLine(f.OldMode) + " to " + session.MarkLine(f.NewMode)
	}
	return s
}

// note says why a file has no lines here, or not all of them.
func note(f worktree.FileDiff) string {
	switch {
	case f.Binary:
		return "a binary file"
	case f.Large:
		return "too large to be compared"
	case f.Submodule():
		return "another repository, at another commit"
	case f.Cut:
		return "… there are more lines; git diff shows all of them"
	case f.Status == worktree.FileUnmerged:
		return "in conflict"
	case f.Status == worktree.FileAdded || f.Status == worktree.FileDeleted:
		return "an empty file"
	}
	return "no lines have changed"
}

// skip leaves out the first n columns of marked text; pad is how many columns
// of a wide character that was left out are to be filled.
func skip(s string, n int) (rest string, pad int) {
	for n > 0 && s != "" {
		cluster, w := cells.Cluster(s)
		s = s[len(cluster):]
		n -= w
	}
	return s, max(0, -n)
}
