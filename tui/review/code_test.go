package review

import (
	"fmt"
	"strings"
	"testing"

	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"
	"aside/worktree"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// hunk makes lines of what git diff prints.
func hunk(rows ...string) worktree.Diff {
	h := worktree.Hunk{Header: "@@ -1 +1 @@"}
	before, now := 1, 1
	for _, r := range rows {
		l := worktree.Line{Text: r[1:]}
		switch r[0] {
		case '+':
			l.Kind, l.New = worktree.LineAdded, now
			now++
		case '-':
			l.Kind, l.Old = worktree.LineDeleted, before
			before++
		default:
			l.Kind, l.Old, l.New = worktree.LineContext, before, now
			before, now = before+1, now+1
		}
		h.Lines = append(h.Lines, l)
	}
	return worktree.Diff{Files: []worktree.FileDiff{{Path: "a.go", Status: worktree.FileModified, Hunks: []worktree.Hunk{h}}}}
}

// drawn draws a view of w columns.
func drawn(d worktree.Diff, th theme.Theme, w int) string {
	v := New(d)
	v.SetSize(w, 20)
	return strings.Join(v.Lines(th), "\n")
}

func TestCodeIsReadOnItsOwnSide(t *testing.T) {
	th := theme.New(true, theme.ColorsTrue)
	got := drawn(hunk(" func a() {", "-/* gone", "+if x {", " return", "-*/", "+}"), th, 80)
	for _, want := range []string{
		th.Code.Keyword.Paint("func"),
		th.Code.Comment.On(th.Removed).Paint("/* gone"),
		th.Code.Keyword.On(th.Added).Paint("if"),
		th.Code.Keyword.Paint("return"), // the comment that begins on the other side is not open here
		th.Code.Comment.On(th.Removed).Paint("*/"),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, strings.ReplaceAll(got, "\x1b", "␛"))
		}
	}
}

func TestWhatChangedWithinALineIsMarked(t *testing.T) {
	for line, want := range map[[2]string]string{
		{"call(a, b)", "call(a, c)"}:                     "call(a, [b])",
		{"call(a, c, b)", "call(a, b)"}:                  "call(a, [c, ]b)",
		{"if x > 1 && y > 2 {", "if xx > 1 && yy > 2 {"}: "if [x] > 1 && [y] > 2 {",
		{"return nil", "break"}:                          "return nil",
		{"same", "same"}:                                 "same",
		{"", "x"}:                                        "",
		{"größe := 1", "größe := 2"}:                     "größe := [1]",
		{"a " + strings.Repeat("b ", 99) + "c", "a " + strings.Repeat("d ", 99) + "c"}: "a " + strings.Repeat("b ", 99) + "c",
	} {
		got, at := "", 0
		for _, s := range changedWords(line[0], line[1]) {
			got += line[0][at:s[0]] + "[" + line[0][s[0]:s[1]] + "]"
			at = s[1]
		}
		if got += line[0][at:]; got != want {
			t.Errorf("%q against %q: got %q, want %q", line[0], line[1], got, want)
		}
	}
	for _, w := range []int{100, 200} {
		for _, colors := range []int{theme.ColorsNone, theme.Colors16, theme.Colors256, theme.ColorsTrue} {
			th := theme.New(true, colors)
			got := drawn(hunk("-x == 1", "+x == 2"), th, w)
			if got == drawn(hunk("-x == 1", " ", "+x == 2"), th, w) || strings.Count(got, string(th.AddedWords)) == 0 {
				t.Errorf("%d columns, %d colours: nothing is marked:\n%q", w, colors, got)
			}
		}
	}
}

// From 140 columns on the two sides are beside each other; below, they follow.
func TestTheSidesAreBesideEachOtherWhereThereIsRoom(t *testing.T) {
	th := theme.New(true, theme.Colors16)
	d := hunk(" a", "-before", "+after", " z")
	for w, want := range map[int]bool{120: false, 139: false, 140: true, 200: true} {
		beside := false
		for line := range strings.SplitSeq(ansi.Strip(drawn(d, th, w)), "\n") {
			beside = beside || strings.Contains(line, "-before") && strings.Contains(line, "+after")
		}
		if beside != want {
			t.Errorf("%d columns: beside each other is %v", w, beside)
		}
	}
}

// Whatever a file holds, a row is as wide as the view, and its text is there.
func TestRowsFitWhateverIsInThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab \"'`/*(){}\t\x1b[é日👩‍👧❤️"))).Draw(t, "text")
		other := rapid.StringOf(rapid.RuneFrom([]rune("ab \"é日"))).Draw(t, "other")
		w := rapid.IntRange(20, 220).Draw(t, "w")
		v := New(hunk("-"+text, "+"+other, " "+text))
		v.SetSize(w, 8)
		for range rapid.IntRange(0, 3).Draw(t, "right") {
			v.Act(intent.Right)
		}
		for i, line := range v.Lines(theme.New(true, theme.Colors256)) {
			if got := cells.Width(line); got != w {
				t.Fatalf("line %d has %d columns, want %d: %q", i, got, w, ansi.Strip(line))
			}
		}
	})
}

// BenchmarkFirstLook draws the end of a hunk of 5,000 changed lines that has
// not been looked at before.
func BenchmarkFirstLook(b *testing.B) {
	var rows []string
	for i := range 2500 {
		rows = append(rows, fmt.Sprintf("-\tx := \"%d\" // as it was", i), fmt.Sprintf("+\tx := call(%d)", i))
	}
	d := hunk(rows...)
	th := theme.New(true, theme.ColorsTrue)
	for b.Loop() {
		v := New(d)
		v.SetSize(200, 60)
		v.Act(intent.Bottom)
		v.Lines(th)
	}
}
