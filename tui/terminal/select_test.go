package terminal

import (
	"strings"
	"testing"

	"aside/session"
)

func textRow(s string, wrapped bool) session.Row {
	return session.Row{Spans: []session.Span{{Text: s, Width: len([]rune(s))}}, Wrapped: wrapped}
}

func paneOf(rows ...session.Row) *Pane {
	p := New()
	f := session.Frame{Full: true, Cols: 20, Rows: len(rows)}
	for y, r := range rows {
		f.Changed = append(f.Changed, session.RowChange{Y: y, Row: r})
	}
	p.Apply(f)
	p.Lines(nil, 20, len(rows), true)
	return p
}

func selected(t *testing.T, p *Pane) string {
	t.Helper()
	c, ok := p.Selected()
	if !ok {
		t.Fatal("nothing is selected")
	}
	return c.Text()
}

func TestASelectionJoinsWrappedRowsAndDropsBlankEnds(t *testing.T) {
	p := paneOf(textRow("one two     ", false), textRow("long li", true), textRow("ne end  ", false))
	p.Select(4, 0, 1)
	p.Extend(5, 2, 3)
	if got := selected(t, p); got != "two\nlong line end" {
		t.Errorf("got %q", got)
	}
	p.Select(5, 2, 1) // backwards
	p.Extend(4, 0, 3)
	if got := selected(t, p); got != "two\nlong line end" {
		t.Errorf("backwards: %q", got)
	}
}

func TestWordsAndLines(t *testing.T) {
	p := paneOf(textRow("see ./a/b_c.go:12, ok", false), textRow("next line", false))
	p.Select(8, 0, 2)
	if got := selected(t, p); got != "./a/b_c.go:12" {
		t.Errorf("word: %q", got)
	}
	p.Extend(1, 1, 2)
	if got := selected(t, p); got != "./a/b_c.go:12, ok\nnext" {
		t.Errorf("by words: %q", got)
	}
	p.Select(3, 1, 3)
	p.Extend(2, 0, 2)
	if got := selected(t, p); got != "see ./a/b_c.go:12, ok\nnext line" {
		t.Errorf("by lines: %q", got)
	}
}

func TestWordsAndLinesGoOnOverAWrap(t *testing.T) {
	p := paneOf(textRow("at ~/src/asi", true), textRow("de/main.go:", true), textRow("12 it is ", true), textRow("so, 日本", false), textRow("next", false))
	for at, want := range map[place]string{
		{row: 0, col: 10}: "~/src/aside/main.go:12",
		{row: 1, col: 0}:  "~/src/aside/main.go:12",
		{row: 2, col: 1}:  "~/src/aside/main.go:12",
		{row: 2, col: 7}:  "is",
		{row: 3, col: 0}:  "so",
		{row: 3, col: 2}:  ",",
		{row: 3, col: 7}:  "日本",
	} {
		p.Select(at.col, at.row, 2)
		if got := selected(t, p); got != want {
			t.Errorf("two clicks at %v select %q, want %q", at, got, want)
		}
	}
	for y := range 4 {
		p.Select(3, y, 3)
		if got := selected(t, p); got != "at ~/src/aside/main.go:12 it is so, 日本" {
			t.Errorf("three clicks on row %d select %q", y, got)
		}
	}
	p.Extend(0, 4, 5)
	if got := selected(t, p); got != "at ~/src/aside/main.go:12 it is so, 日本\nnext" {
		t.Errorf("drawn on to the next line they select %q", got)
	}
	p.Select(0, 4, 3)
	p.Extend(0, 2, 5)
	if got := selected(t, p); got != "at ~/src/aside/main.go:12 it is so, 日本\nnext" {
		t.Errorf("drawn up into the line they select %q", got)
	}
}

func TestAClickAloneSelectsNothing(t *testing.T) {
	p := paneOf(textRow("text", false))
	p.Select(1, 0, 1)
	if _, ok := p.Selected(); ok {
		t.Error("it selects")
	}
}

func TestASelectionStaysWithItsRowsAndEndsWhenTheyChange(t *testing.T) {
	p := paneOf(textRow("first", false), textRow("second", false))
	p.Select(0, 1, 3)
	p.Release()
	// One row scrolls away: the same text is a row higher.
	p.Apply(session.Frame{Cols: 20, Rows: 2, History: 1, Changed: []session.RowChange{
		{Y: 0, Row: textRow("second", false)}, {Y: 1, Row: textRow("third", false)},
	}})
	if got := selected(t, p); got != "second" {
		t.Errorf("after scrolling: %q", got)
	}
	if lines := p.Lines(nil, 20, 2, true); !strings.Contains(lines[0], "7m") || strings.Contains(lines[1], "7m") {
		t.Errorf("marked are %q", lines)
	}
	p.Apply(session.Frame{Cols: 20, Rows: 2, History: 1, Changed: []session.RowChange{{Y: 0, Row: textRow("other", false)}}})
	if _, ok := p.Selected(); ok {
		t.Error("it outlives its text")
	}
}

func TestAMarkedLineKeepsItsWidth(t *testing.T) {
	p := paneOf(session.Row{Spans: []session.Span{{Text: "漢字ab", Width: 6}}})
	p.Select(2, 0, 1)
	p.Extend(12, 0, 1)
	line := p.Lines(nil, 20, 1, true)[0]
	if got := strings.NewReplacer("\x1b[0;7m", "", "\x1b[m", "").Replace(line); got != "漢字ab"+strings.Repeat(" ", 14) {
		t.Errorf("line is %q", line)
	}
	if got := selected(t, p); got != "字ab" {
		t.Errorf("selected %q", got)
	}
}
