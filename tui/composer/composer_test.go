package composer

import (
	"strings"
	"testing"

	"aside/tui/cells"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func typed(f *Field, text string) {
	for _, r := range text {
		f.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestFieldTakesTextPasteAndNewLines(t *testing.T) {
	f := New("Write to the agent", 8)
	f.SetWidth(30)
	f.Focus()
	typed(f, "fix it")
	f.Newline()
	f.Update(tea.PasteMsg{Content: "pasted\ntext"})
	if got := f.Text(); got != "fix it\npasted\ntext" {
		t.Errorf("text = %q", got)
	}
	if f.Rows() != 3 {
		t.Errorf("rows = %d", f.Rows())
	}
	lines := f.Lines(30)
	for _, l := range lines {
		if cells.Width(l) != 30 {
			t.Errorf("line %q has %d columns", l, cells.Width(l))
		}
	}
	if got := strings.TrimRight(ansi.Strip(lines[1]), " "); got != "› pasted" {
		t.Errorf("line = %q", got)
	}
	if c := f.Cursor(); c == nil || c.Y != 2 || c.X != 6 {
		t.Errorf("cursor = %+v", c)
	}
	f.Blur()
	if f.Cursor() != nil {
		t.Error("a field without the focus shows a cursor")
	}
}

func TestFieldGrowsToItsLimitAndKeepsAllText(t *testing.T) {
	f := New("", 4)
	f.SetWidth(20)
	f.Focus()
	f.Update(tea.PasteMsg{Content: strings.Repeat("line\n", 200)})
	if f.Rows() != 4 {
		t.Errorf("rows = %d", f.Rows())
	}
	if got := strings.Count(f.Text(), "\n"); got != 200 {
		t.Errorf("%d line breaks are left of 200", got)
	}
	if len(f.Lines(20)) != 4 {
		t.Errorf("%d lines", len(f.Lines(20)))
	}
	f.SetText("")
	if f.Rows() != 1 {
		t.Errorf("rows = %d after it was emptied", f.Rows())
	}
}

func TestPlaceholderIsShown(t *testing.T) {
	f := New("Write to the agent", 8)
	f.SetWidth(40)
	if got := ansi.Strip(strings.Join(f.Lines(40), "\n")); !strings.Contains(got, "Write to the agent") {
		t.Errorf("lines = %q", got)
	}
}

func TestWhatIsDrawnFollowsEveryChange(t *testing.T) {
	f := New("", 8)
	f.SetWidth(20)
	f.Focus()
	shown := func() string { return ansi.Strip(strings.Join(f.Lines(20), "\n")) }
	for name, change := range map[string]func(){
		"typed": func() { typed(f, "a") }, "new line": f.Newline, "replaced": func() { f.SetText("another") },
		"narrower": func() { f.SetText("some words to be wrapped"); f.Lines(20); f.SetWidth(10) },
	} {
		f.SetWidth(20)
		before := shown()
		change()
		if shown() == before {
			t.Errorf("%s: nothing else is drawn than %q", name, before)
		}
	}
	if n := testing.AllocsPerRun(10, func() { f.Lines(20) }); n != 0 {
		t.Errorf("drawing the same again takes %v allocations", n)
	}
}

func TestEdgesAreThoseOfTheRowsThatAreSeen(t *testing.T) {
	f := New("", 8)
	f.SetWidth(12)
	f.Focus()
	f.SetText("one two three")
	if f.AtTop() || !f.AtBottom() {
		t.Errorf("at the end: top %v, bottom %v", f.AtTop(), f.AtBottom())
	}
	f.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if !f.AtTop() || f.AtBottom() {
		t.Errorf("one row up: top %v, bottom %v", f.AtTop(), f.AtBottom())
	}
}

func TestMentionIsTheNameBeforeTheCursor(t *testing.T) {
	for text, want := range map[string]string{
		"@":               "@",
		"look at @pa":     "@pa",
		"(@pa":            "@pa",
		"two\n@b/c":       "@b/c",
		"@\"my no":        "@my no",
		"ada@example.org": "",
		"@pa ":            "",
		"@\"my notes\"":   "",
		"@pa\n":           "",
		"no":              "",
		"@größe":          "@größe",
	} {
		f := New("", 8)
		f.SetWidth(40)
		f.Focus()
		f.SetText(text)
		got, ok := f.Mention()
		if ok {
			got = "@" + got
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCompleteReplacesTheNameAlone(t *testing.T) {
	f := New("", 8)
	f.SetWidth(40)
	f.Focus()
	f.SetText("one @pa\ntwo")
	f.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	f.Update(tea.KeyPressMsg{Code: tea.KeyEnd})
	if typed, ok := f.Mention(); !ok || typed != "pa" {
		t.Fatalf("the mention is %q, %v", typed, ok)
	}
	f.Complete("src/a b.go")
	if got := f.Text(); got != "one @\"src/a b.go\" \ntwo" {
		t.Errorf("text = %q", got)
	}
	f.SetText(`see @"a b`)
	f.Complete("a.go")
	if got := f.Text(); got != "see @a.go " {
		t.Errorf("text = %q", got)
	}
	f.Complete("not.go")
	if got := f.Text(); got != "see @a.go " {
		t.Errorf("text = %q", got)
	}
}
