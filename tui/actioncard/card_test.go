package actioncard

import (
	"strings"
	"testing"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"
	"aside/tui/tuitest"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func card(choices ...session.ActionChoice) Card {
	return Card{Card: session.ActionCard{ID: "c1", Choices: choices}, Target: "split 2, ~/src/app", Reach: "ctrl+space e"}
}

func choice(title string, actions ...session.TerminalAction) session.ActionChoice {
	return session.ActionChoice{Title: title, Actions: actions}
}

func draw(t *testing.T, c Card, w, h int) (string, []intent.Zone) {
	t.Helper()
	lines, zones := c.Draw(theme.New(true, theme.Colors256), w, h)
	return strings.Join(tuitest.Plain(t, lines, w), "\n"), zones
}

func TestCard(t *testing.T) {
	c := card(
		choice("Run the failing test alone", session.TerminalAction{Type: session.ActionRun, Command: "go test ./settings -run TestLoad"}),
		choice("Watch the log", session.TerminalAction{Type: session.ActionOpenAndRun, Place: session.PlaceSplit, Direction: session.DirectionDown, Title: "log", Command: "tail -f log/dev.log"}),
		choice("Look there", session.TerminalAction{Type: session.ActionOpen, Place: session.PlaceTab, Cwd: "/src"}),
	)
	c.Focused, c.Chosen = true, 2
	got, zones := draw(t, c, 70, 20)
	want := ` ▌ Proposed in your shell  ·  split 2, ~/src/app
 ▌ 1  Run the failing test alone
 ▌    in split 2, ~/src/app:
 ▌      go test ./settings -run TestLoad
 ▌ 2› Watch the log
 ▌    open a split below called log, and in it:
 ▌      tail -f log/dev.log
 ▌ 3  Look there
 ▌    open a tab in /src
 ▌ r run   i insert   ↑↓ choose   esc cancel`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for place, want := range map[[2]int]intent.Intent{
		{10, 0}: intent.Card, {10, 3}: intent.OptionN(0), {10, 6}: intent.OptionN(1), {4, 9}: intent.Run, {12, 9}: intent.Insert, {35, 9}: intent.Cancel,
	} {
		if do, _ := intent.Hit(zones, place[0], place[1]); do != want {
			t.Errorf("a click at %v means %q, want %q", place, do, want)
		}
	}
	c.Chosen = 3
	if got, _ := draw(t, c, 70, 20); strings.Contains(got, "i insert") || !strings.Contains(got, "r go on") {
		t.Errorf("what opens a pane only is run or inserted:\n%s", got)
	}
}

func TestNoAnswerIsOfferedBeforeItCanBeGiven(t *testing.T) {
	c := card(choice("Run it", session.TerminalAction{Type: session.ActionRun, Command: strings.Repeat("make all && ", 100)}))
	for name, change := range map[string]func(*Card){
		"without the focus": func(c *Card) { c.Focused = false },
		"nothing chosen":    func(c *Card) { c.Chosen = 0 },
		"changed":           func(c *Card) { c.Changed = true },
		"unread":            func(c *Card) { c.Unread = true },
		"under way":         func(c *Card) { c.Busy = true },
	} {
		d := c
		d.Focused, d.Chosen = true, 1
		change(&d)
		got, zones := draw(t, d, 60, 8)
		if strings.Contains(got, "r run") || strings.Contains(got, "insert") {
			t.Errorf("%s:\n%s", name, got)
		}
		for _, z := range zones {
			if z.Do == intent.Run || z.Do == intent.Insert {
				t.Errorf("%s: a click confirms", name)
			}
		}
		if !strings.Contains(got, "more lines, to be read") {
			t.Errorf("%s: what is left out is not told:\n%s", name, got)
		}
	}
}

// TestBodyIsWhole holds that no character of a command or prompt is left out.
func TestNoAnswerIsCutAtAnyWidth(t *testing.T) {
	c := card(
		choice("Run it", session.TerminalAction{Type: session.ActionRun, Command: "make"}),
		choice("Look", session.TerminalAction{Type: session.ActionOpen, Place: session.PlaceTab}),
	)
	for w := 30; w < 80; w++ {
		for _, c.Focused = range []bool{true, false} {
			for _, c.Chosen = range []int{0, 1} {
				got, _ := draw(t, c, w, 20)
				if answers := got[strings.LastIndex(got, "tab"):]; strings.Contains(answers, "…") {
					t.Errorf("%d columns:\n%s", w, got)
				}
			}
		}
	}
}

func TestBodyIsWhole(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab -\\\u202e\x1b[é日👩‍👧"))).Draw(t, "text")
		w := rapid.IntRange(9, 60).Draw(t, "w")
		lines, ends := card(choice("t", session.TerminalAction{Type: session.ActionRun, Command: "x" + text})).Body(th, th.Fill, w)
		if ends[0] != len(lines) {
			t.Fatalf("the choice ends at %d of %d", ends[0], len(lines))
		}
		bare := func(s string) string { return strings.Join(strings.Fields(ansi.Strip(s)), "") }
		all := ""
		for _, l := range lines {
			if got := cells.Width(l); got > w {
				t.Fatalf("line %q takes %d columns of %d", l, got, w)
			}
			all += bare(l)
		}
		if want := bare(cells.Mark("x" + text)); !strings.HasSuffix(all, want) {
			t.Fatalf("body %q lacks %q", all, want)
		}
	})
}
