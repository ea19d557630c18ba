package terminal

import (
	"strings"
	"testing"

	"aside/session"
	"aside/tui/intent"
)

func caretIs(t *testing.T, p *Pane, x, y int) {
	t.Helper()
	if gx, gy := p.Caret(); gx != x || gy != y {
		t.Errorf("the caret is at %d, %d, want %d, %d", gx, gy, x, y)
	}
}

func TestTheCaretBeginsOnTheCursor(t *testing.T) {
	p := paneOf(textRow("one", false), textRow("two", false), textRow("three", false))
	p.cursor = session.Cursor{X: 2, Y: 1}
	p.StartCaret(3)
	caretIs(t, p, 2, 1)
	p.StopCaret()
	p.cursor.Hidden = true
	p.StartCaret(3)
	caretIs(t, p, 0, 2)
}

func TestTheCaretMovesByCharactersLinesAndWords(t *testing.T) {
	p := paneOf(textRow("see ./a/b.go:1, 日本 ", false), textRow("", false), textRow("long wo", true), textRow("rd (end)", false))
	p.StartCaret(4)
	for i, step := range []struct {
		do   intent.Intent
		x, y int
	}{
		{intent.Top, 0, 0},
		{intent.Left, 0, 0},
		{intent.WordNext, 4, 0},
		{intent.WordEnd, 13, 0},
		{intent.WordNext, 14, 0},
		{intent.WordNext, 16, 0},
		{intent.Right, 18, 0},
		{intent.Left, 16, 0},
		{intent.WordNext, 0, 2},
		{intent.WordNext, 5, 2},
		{intent.WordEnd, 1, 3},
		{intent.WordNext, 3, 3},
		{intent.WordBefore, 5, 2},
		{intent.WordBefore, 0, 2},
		{intent.WordBefore, 16, 0},
		{intent.LineEnd, 18, 0},
		{intent.LineStart, 0, 0},
		{intent.Up, 0, 0},
		{intent.ScreenBottom, 0, 3},
		{intent.Down, 0, 3},
		{intent.LineEnd, 7, 3},
		{intent.ScreenMiddle, 7, 2},
		{intent.ScreenTop, 7, 0},
		{intent.WordBefore, 4, 0},
	} {
		p.Walk(step.do, 4)
		if x, y := p.Caret(); x != step.x || y != step.y {
			t.Fatalf("%d: after %q the caret is at %d, %d, want %d, %d", i, step.do, x, y, step.x, step.y)
		}
	}
}

func TestWhatIsMarkedByKeys(t *testing.T) {
	for name, c := range map[string]struct {
		do   []intent.Intent
		want string
	}{
		"a word":                  {[]intent.Intent{intent.Top, intent.WordNext, intent.Mark, intent.WordEnd}, "two"},
		"back over its beginning": {[]intent.Intent{intent.Top, intent.WordNext, intent.Mark, intent.LineStart}, "one t"},
		"a line that wraps":       {[]intent.Intent{intent.Bottom, intent.Up, intent.Mark, intent.Down, intent.LineEnd}, "long line rest"},
		"lines":                   {[]intent.Intent{intent.Top, intent.Right, intent.MarkLines, intent.Down, intent.Down}, "one two\nlong line rest"},
		"lines instead of cells":  {[]intent.Intent{intent.Top, intent.Mark, intent.Right, intent.MarkLines}, "one two"},
		"a block":                 {[]intent.Intent{intent.Top, intent.Right, intent.MarkBlock, intent.Down, intent.Down, intent.Right}, "ne\non\nst"},
		"a block to the left":     {[]intent.Intent{intent.Top, intent.WordEnd, intent.MarkBlock, intent.Down, intent.LineStart}, "one\nlon"},
	} {
		p := paneOf(textRow("one two   ", false), textRow("long line r", true), textRow("est", false))
		p.StartCaret(3)
		for _, do := range c.do {
			switch do {
			case intent.Mark, intent.MarkLines, intent.MarkBlock:
				p.Begin(do)
			default:
				p.Walk(do, 3)
			}
		}
		if got := selected(t, p); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestMarkingTwiceUnmarks(t *testing.T) {
	p := paneOf(textRow("text", false))
	p.StartCaret(1)
	p.Begin(intent.Mark)
	p.Begin(intent.Mark)
	if _, ok := p.Selected(); ok {
		t.Error("it is marked")
	}
}

func TestWithACaretThePaneStaysAsItIs(t *testing.T) {
	p := paneOf(textRow("first", false), textRow("second", false))
	p.StartCaret(2)
	p.Walk(intent.ScreenTop, 2)
	p.Begin(intent.MarkLines)
	p.Apply(session.Frame{Cols: 20, Rows: 2, History: 1, Title: "new", Modes: session.Modes{Paste: true}, Changed: []session.RowChange{
		{Y: 0, Row: textRow("second", false)}, {Y: 1, Row: textRow("third", false)},
	}})
	p.Walk(intent.Down, 2)
	if got := selected(t, p); got != "first\nsecond" {
		t.Errorf("marked is %q", got)
	}
	if got := strings.TrimSpace(p.Lines(nil, 20, 2, true)[1]); !strings.Contains(got, "second") {
		t.Errorf("the last line is %q", got)
	}
	if p.Title() != "new" || !p.Modes().Paste {
		t.Error("the title and the modes are not those in force")
	}
	p.StopCaret()
	if got := strings.Join(p.Lines(nil, 20, 2, true), "|"); got != "second              |third               " {
		t.Errorf("afterwards the lines are %q", got)
	}
}

func TestWhereItIsScrolledToStaysOverASelection(t *testing.T) {
	p := paneOf(textRow("a", false), textRow("b", false))
	p.history = 10
	p.Scroll(4)
	p.StartCaret(2)
	p.Apply(session.Frame{Cols: 20, Rows: 2, History: 13})
	if p.Back() != 4 {
		t.Errorf("%d rows back", p.Back())
	}
	p.StopCaret()
	if p.Back() != 7 {
		t.Errorf("afterwards %d rows back", p.Back())
	}
}

func TestAnotherSizeTakesTheCaretAway(t *testing.T) {
	p := paneOf(textRow("a", false), textRow("b", false))
	p.StartCaret(2)
	p.Begin(intent.MarkLines)
	p.Apply(full(30, 2, session.RowChange{Row: textRow("broken anew", false)}))
	if _, ok := p.Selected(); ok || p.Held() {
		t.Error("it is still there")
	}
}

func TestTheTextOfWhatIsNotKnownIsMissing(t *testing.T) {
	p := paneOf(textRow("end", false))
	p.history = 5
	p.StartCaret(1)
	p.Walk(intent.Top, 1)
	p.SetHistory(0, []session.Row{textRow("old 0", false), textRow("old 1", false)})
	p.Begin(intent.MarkLines)
	p.Walk(intent.Bottom, 1)
	c, _ := p.Selected()
	from, n := c.Missing()
	if n == 0 {
		t.Fatal("nothing is missing")
	}
	for ; n > 0; from, n = c.Missing() {
		c.Take(from, n, []session.Row{textRow("fetched", false)})
	}
	if got := c.Text(); !strings.HasPrefix(got, "fetched") || !strings.HasSuffix(got, "\nend") || strings.Count(got, "\n") != 5 {
		t.Errorf("the text is %q", got)
	}
}

func TestTheCaretStaysInThePane(t *testing.T) {
	p := paneOf(textRow("one", false), textRow("two", false))
	p.StartCaret(2)
	p.Walk(intent.Right, 1)
	caretIs(t, p, 1, 0)
	p.Apply(session.Frame{Full: true})
	p.StartCaret(0)
	for _, do := range []intent.Intent{intent.Down, intent.WordNext, intent.WordBefore, intent.WordEnd, intent.LineEnd, intent.PageUp, intent.Bottom} {
		p.Walk(do, 0)
		p.Begin(intent.MarkBlock)
	}
	p.Lines(nil, 5, 1, true)
}

func TestTheCaretGoesToTheWordsLookedFor(t *testing.T) {
	p := paneOf(textRow("one", false), textRow("日本 needle", false))
	p.StartCaret(2)
	rows, first, _ := p.Rows()
	search := NewSearch("needle")
	search.Add(first, rows)
	found := search.Found()
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	p.CaretTo(found[0], 2)
	caretIs(t, p, 5, 1)
}
