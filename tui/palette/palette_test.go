package palette

import (
	"slices"
	"strings"
	"testing"

	"aside/tui/cells"
	"aside/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

func TestMatchFindsWordsAndLetters(t *testing.T) {
	for _, tt := range []struct {
		query, text string
		ok          bool
		marks       []Span
	}{
		{"", "anything", true, nil},
		{"thr list", "go to the list of threads", true, []Span{{10, 14}, {18, 21}}},
		{"RENAME", "rename the thread", true, []Span{{0, 6}}},
		{"rnm", "rename the thread", true, []Span{{0, 1}, {2, 3}, {4, 5}}},
		{"rnm", "rather, rename the thread", true, []Span{{8, 9}, {10, 11}, {12, 13}}},
		{"thread", "look at the offers, the newest standing one first", false, nil},
		{"über", "Die Übersicht", true, []Span{{4, 9}}},
		{"stop nothing", "stop the thread's agent", false, nil},
	} {
		_, marks, ok := Match(tt.query, tt.text)
		if ok != tt.ok || !slices.Equal(marks, tt.marks) {
			t.Errorf("%q in %q = %v, %v", tt.query, tt.text, marks, ok)
		}
	}
	start, _, _ := Match("the", "go to the list")
	part, _, _ := Match("the", "another")
	letters, _, _ := Match("the", "to have an end")
	if start <= part || part <= letters || letters == 0 {
		t.Errorf("scores = %d, %d, %d", start, part, letters)
	}
	if _, _, ok := Match("b", "a\xffb"); !ok {
		t.Error("a text that is not valid UTF-8 is not searched")
	}
}

func TestChosenRowIsSeenAndWidthsHold(t *testing.T) {
	l := List{Tall: true}
	for range 50 {
		l.Rows = append(l.Rows, Row{Title: "日本語 title", Right: "3h", Below: "…the words here", Under: []Span{{4, 9}, {90, 99}}})
	}
	for _, chosen := range []int{0, 25, 49} {
		l.Chosen = chosen
		for h := range 8 {
			lines, rows := l.Draw(theme.New(true, theme.Colors16), 30, h)
			if len(lines) > h || len(lines) != len(rows) || h > 1 && !slices.Contains(rows, chosen) {
				t.Errorf("%d lines of %d, rows %v, chosen %d", len(lines), h, rows, chosen)
			}
			for _, s := range lines {
				if cells.Width(s) != 30 {
					t.Errorf("%q has %d columns", s, cells.Width(s))
				}
			}
		}
	}
	lines, _ := l.Draw(theme.New(true, theme.Colors16), 30, 100)
	if got := ansi.Strip(lines[1]); strings.TrimRight(got, " ") != "    …the words here" {
		t.Errorf("below = %q", got)
	}
}
