package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/intent"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// TestAnyOrderOfEvents presses keys, clicks and sends messages in any order:
// the frame must stay whole, and the agent must get no key that was pressed
// while something else had the focus.
func TestAnyOrderOfEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := several()
		f.first = "t1"
		f.files = []string{"a.go", "a file.md", strings.Repeat("deep/", 40) + "❤️.go"}
		w, h := rapid.IntRange(1, 220).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
		s, c := start(t, f, w, h)
		s.Order = func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "next") }
		ids := []session.DecisionID{"d1", "d2", "d3"}
		keys := everyKey()
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.IntRange(0, 15).Draw(rt, "step") {
			case 0:
				s.Send(decision(rapid.SampledFrom(ids).Draw(rt, "decision")))
			case 1:
				s.Send(tui.DecisionGoneMsg{ID: rapid.SampledFrom(ids).Draw(rt, "gone"), Reason: "gone"})
			case 2:
				s.Send(agentScreen(rapid.IntRange(0, 90).Draw(rt, "cols"), rapid.IntRange(0, 50).Draw(rt, "rows"),
					session.Modes{Mouse: session.MouseMode(rapid.IntRange(0, 3).Draw(rt, "mouse"))}))
			case 3:
				s.Send(tui.AskMsg{Ask: tui.Ask{Title: "A question", Yes: "yes", No: "no"}, Reply: func(bool) {}})
			case 4:
				w, h = rapid.IntRange(1, 220).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
				s.Send(tea.WindowSizeMsg{Width: w, Height: h})
			case 5:
				x, y := rapid.IntRange(0, 219).Draw(rt, "x"), rapid.IntRange(0, 59).Draw(rt, "y")
				s.Click(x, y)
				s.Send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
			case 6:
				c.now = c.now.Add(time.Duration(rapid.IntRange(0, 9).Draw(rt, "seconds")) * time.Second)
				for _, fire := range c.fire {
					s.Send(fire(c.now))
				}
				c.fire = nil
			case 7:
				f.entries["t1"] = append(f.entries["t1"], transcript.Entry{
					ID: int64(100 + len(f.entries["t1"])), Thread: "t1", Kind: transcript.KindAssistant, Text: "more ❤️ text",
				})
				s.Send(tui.StoreChangedMsg{})
			case 8:
				c := proposed(rapid.SampledFrom([]session.CardID{"c1", "c2"}).Draw(rt, "card"), runs("Run it", strings.Repeat("make ❤️ ", 90)), watches())
				c.Card.Target = rapid.SampledFrom([]session.PaneID{"", "s1"}).Draw(rt, "target")
				if rapid.Bool().Draw(rt, "ended") {
					c.Card.State = session.CardTimedOut
				}
				s.Send(c)
			case 9:
				asks := rapid.SampledFrom([]func(session.DecisionID) tui.DecisionMsg{question, questions}).Draw(rt, "asks")
				s.Send(asks(rapid.SampledFrom(ids).Draw(rt, "question")))
			case 10:
				somePanes(rt, f, s)
			case 11:
				x, y := rapid.IntRange(0, 219).Draw(rt, "from x"), rapid.IntRange(0, 59).Draw(rt, "from y")
				s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
				x, y = rapid.IntRange(0, 219).Draw(rt, "to x"), rapid.IntRange(0, 59).Draw(rt, "to y")
				s.Send(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
			default:
				s.Press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			whole(rt, s, w, h)
		}
	})
}

// somePanes are those that a helper may tell of: the ones that were opened, or
// some of them, with what they show.
func somePanes(t *rapid.T, f *fake, s *tuitest.Screen) {
	all := []session.PaneInfo{{ID: session.PaneAgent}}
	for n := range f.opened + rapid.IntRange(0, 2).Draw(t, "others") {
		all = append(all, session.PaneInfo{
			ID: session.PaneID(fmt.Sprintf("shell%d", n+1)), Shell: true, Title: "❤️ make",
			Place:     rapid.SampledFrom([]session.Place{session.PlaceTab, session.PlaceSplit}).Draw(t, "place"),
			Direction: rapid.SampledFrom([]session.Direction{session.DirectionRight, session.DirectionDown}).Draw(t, "direction"),
			Beside:    rapid.SampledFrom([]session.PaneID{session.PaneAgent, "shell1", "gone"}).Draw(t, "beside"),
			Ended:     rapid.Bool().Draw(t, "ended"), Active: rapid.Bool().Draw(t, "active"),
		})
	}
	all = all[:rapid.IntRange(1, len(all)).Draw(t, "panes")]
	s.Send(tui.PanesMsg{Thread: "t1", Panes: all, Layout: f.layout})
	for _, p := range all {
		fr := agentScreen(rapid.IntRange(0, 90).Draw(t, "cols"), rapid.IntRange(0, 50).Draw(t, "rows"), session.Modes{})
		fr.Frame.Pane = p.ID
		s.Send(fr)
	}
}

// everyKey is every key of the table, and the leader often.
func everyKey() []string {
	keys := []string{"@", "@", "x"}
	for _, b := range intent.Table() {
		keys = append(keys, strings.Fields(b.Keys)...)
		keys = append(keys, tui.DefaultLeader)
	}
	return keys
}

func whole(t *rapid.T, s *tuitest.Screen, w, h int) {
	t.Helper()
	lines := strings.Split(s.View().Content, "\n")
	if len(lines) != h {
		t.Fatalf("the frame has %d rows, the screen %d", len(lines), h)
	}
	for y, l := range lines {
		if got := ansi.StringWidthWc(l); got > w {
			t.Fatalf("row %d takes %d columns of %d: %q", y, got, w, l)
		}
	}
	if c := s.View().Cursor; c != nil && (c.X < 0 || c.X >= w || c.Y < 0 || c.Y >= h) {
		t.Fatalf("the cursor is at %d, %d on a screen of %dx%d", c.X, c.Y, w, h)
	}
}
