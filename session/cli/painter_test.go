package cli

import (
	"strings"
	"testing"

	"aside/session"
	"aside/session/screen"
)

// on returns what a terminal shows, and the modes it is in, after the bytes.
func on(b *strings.Builder, cols, rows int) *screen.Screen {
	s := screen.New(screen.Options{Cols: cols, Rows: rows})
	_, _ = s.Write([]byte("before\r\n"))
	_, _ = s.Write([]byte(b.String()))
	return s
}

func row(text string) session.Row {
	return session.Row{Spans: []session.Span{{Text: text, Width: len(text)}}}
}

func TestPainterShowsThePaneAndLeavesTheTerminalAsItWas(t *testing.T) {
	var b strings.Builder
	p := painter{out: &b}
	steps := []func() error{
		p.enter,
		func() error { return p.resized(20, 3) },
		func() error {
			return p.frame(session.Frame{
				Full: true, Cursor: session.Cursor{X: 2, Y: 1},
				Modes: session.Modes{Mouse: session.MouseDrag, Paste: true, Focus: true, Keyboard: 5},
				Changed: []session.RowChange{
					{Y: 0, Row: row("first")},
					{Y: 1, Row: row("a row that is longer than the terminal is wide")},
					{Y: 7, Row: row("below")},
				},
			})
		},
		func() error {
			return p.frame(session.Frame{
				Cursor:  session.Cursor{X: 3, Y: 0},
				Modes:   session.Modes{Mouse: session.MouseMotion, Keyboard: 1},
				Changed: []session.RowChange{{Y: 0, Row: row("f")}},
			})
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	s := on(&b, 20, 3)
	if got, want := s.Text(), "f\na row that is longee"; strings.TrimRight(got, "\n") != want {
		t.Errorf("the terminal shows %q, want %q", got, want)
	}
	f := s.Frame(0)
	want := session.Modes{Mouse: session.MouseMotion, AltScreen: true, Keyboard: 1}
	if f.Modes != want || f.Cursor.X != 3 || f.Cursor.Y != 0 || f.Cursor.Hidden {
		t.Errorf("modes are %+v, want %+v; the cursor is %+v", f.Modes, want, f.Cursor)
	}

	// On a larger terminal all that is known is drawn again.
	if err := p.resized(60, 9); err != nil {
		t.Fatal(err)
	}
	if got := on(&b, 60, 9).Text(); !strings.Contains(got, "terminal is wide") || !strings.Contains(got, "below") {
		t.Errorf("after growing it shows %q", got)
	}

	if err := p.leave(); err != nil {
		t.Fatal(err)
	}
	s = on(&b, 60, 9)
	f = s.Frame(0)
	if f.Modes != (session.Modes{}) || f.Cursor.Hidden || s.Text() != "before" {
		t.Errorf("left in %+v showing %q", f.Modes, s.Text())
	}
}
