package tui_test

import (
	"slices"
	"testing"
	"time"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// copied says that a text has gone to the clipboard.
func copied(s *tuitest.Screen, text string) bool {
	return slices.Contains(s.Copied(), text)
}

func drag(s *tuitest.Screen, mod tea.KeyMod, x0, y0, x1, y1 int) {
	s.Send(
		tea.MouseClickMsg{X: x0, Y: y0, Button: tea.MouseLeft, Mod: mod},
		tea.MouseMotionMsg{X: x1, Y: y1, Button: tea.MouseLeft, Mod: mod},
		tea.MouseReleaseMsg{X: x1, Y: y1, Button: tea.MouseLeft, Mod: mod},
	)
}

func TestADragInTheTerminalCopiesWhatItMarks(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	drag(s, 0, 25, 3, 21, 4) // the pane begins at 19, 1
	if want := "row 2\nage"; !copied(s, want) {
		t.Errorf("not copied: %q", want)
	}
	if len(f.inputs) != 0 {
		t.Errorf("the agent got %+v", f.inputs)
	}
	s.Want("copied 9 characters")
}

func TestTheAgentsMouseIsItsOwnUnlessShiftTakesItBack(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{Mouse: session.MouseDrag}))
	drag(s, 0, 19, 3, 23, 3)
	if copied(s, "agent") || len(f.inputs) == 0 {
		t.Error("a drag that the agent asked for was taken from it")
	}
	n := len(f.inputs)
	drag(s, tea.ModShift, 19, 3, 23, 3)
	if !copied(s, "agent") || len(f.inputs) != n {
		t.Error("with shift it is not aside's")
	}
}

func TestClicksSelectTheWordAndTheLine(t *testing.T) {
	f := world()
	s, c := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Click(21, 3)
	s.Click(21, 3)
	if !copied(s, "agent") {
		t.Error("two clicks do not copy the word")
	}
	s.Click(21, 3)
	if !copied(s, "agent row 2") {
		t.Error("three clicks do not copy the line")
	}
	c.now = c.now.Add(time.Second)
	s.Click(21, 3)
	if copied(s, "a") {
		t.Error("a late click copies a cell")
	}
}

func TestOnlyTheProgramThatIsLookedAtReachesTheClipboard(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	current := f.threads[0].ID
	s.Send(agentScreen(61, 22, session.Modes{}), tui.ClipboardMsg{Thread: "another", Pane: session.PaneAgent, Text: "theirs"})
	if copied(s, "theirs") {
		t.Error("a thread that nobody looks at wrote the clipboard")
	}
	s.Send(tui.ClipboardMsg{Thread: current, Pane: session.PaneAgent, Text: "ours"})
	if !copied(s, "ours") {
		t.Error("the thread that is looked at did not")
	}
	s.Send(tui.ClipboardMsg{Thread: current, Pane: "shell1", Text: "hidden"})
	if copied(s, "hidden") {
		t.Error("a pane out of sight wrote the clipboard")
	}
	s.Send(tea.BlurMsg{}, tui.ClipboardMsg{Thread: current, Pane: session.PaneAgent, Text: "behind"})
	if copied(s, "behind") {
		t.Error("the clipboard was written while the person was away")
	}
}

func TestAProgramWritesTheClipboardAsItIsConfigured(t *testing.T) {
	open := func(clipboard string) *tuitest.Screen {
		f := world()
		s := tuitest.New(t, tui.New(tui.Options{Backend: f, Context: t.Context(), Thread: f.first, Clipboard: clipboard, Tick: (&clock{}).Tick}), 80, 24)
		s.Send(agentScreen(61, 22, session.Modes{}), tui.ClipboardMsg{Thread: f.threads[0].ID, Pane: session.PaneAgent, Text: "theirs"})
		return s
	}
	s := open(tui.ClipboardDeny)
	s.WantNot("clipboard")
	if copied(s, "theirs") {
		t.Error("it was written all the same")
	}

	s = open(tui.ClipboardAsk)
	s.Want("wants to write your clipboard: 6 characters", "theirs", "y let it")
	s.Press("y") // the agent's key: nobody has gone to the question
	if copied(s, "theirs") {
		t.Error("it was written unasked")
	}
	s.Press("ctrl+space", "a")
	s.Send(tui.ClipboardMsg{Thread: "t1", Pane: session.PaneAgent, Text: "another"})
	s.Press("y")
	s.WantNot("theirs")
	if copied(s, "theirs") || copied(s, "another") {
		t.Error("a yes to one text wrote the one that took its place")
	}
	s.Press("ctrl+space", "a", "n")
	s.WantNot("clipboard")
	s.Send(tui.ClipboardMsg{Thread: "t1", Pane: session.PaneAgent, Text: "third"})
	s.Press("ctrl+space", "a", "y")
	if copied(s, "another") || !copied(s, "third") {
		t.Error("the answers are mixed up")
	}
}

func TestADecisionBarLeavesTheSelectionAsItIs(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	drag(s, 0, 19, 18, 23, 18)
	marked := func() bool {
		c := s.Buffer().CellAt(19, 18)
		return c != nil && c.Style.Attrs&uv.AttrReverse != 0
	}
	if !marked() {
		t.Fatal("nothing is marked")
	}
	s.Send(decision("d1"))
	if !marked() {
		t.Error("the bar took the selection away")
	}
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: "no longer asked"})
	if !marked() {
		t.Error("the bar's end took the selection away")
	}
}

func TestADragBeyondTheEdgeScrollsOnByItself(t *testing.T) {
	f := world()
	f.rows = 100
	s, c := start(t, f, 80, 24)
	frame := agentScreen(61, 22, session.Modes{})
	frame.Frame.History = 100
	s.Send(frame, tea.MouseClickMsg{X: 29, Y: 3, Button: tea.MouseLeft}) // the pane begins at 19, 1
	// wakes lets the time pass that the screen asked for, if that is a moment.
	wakes := func() bool {
		asked := len(c.ticks) > 0 && slices.Min(c.ticks) <= time.Second/10
		c.ticks = nil
		if asked {
			c.now = c.now.Add(time.Second / 10)
			s.Send(c.fire[len(c.fire)-1](c.now))
		}
		return asked
	}
	c.ticks = nil
	s.Send(tea.MouseMotionMsg{X: 19, Y: 0, Button: tea.MouseLeft})
	s.Want("1 line back", "old line 99")
	for range 2 {
		if !wakes() {
			t.Fatal("it does not scroll on")
		}
	}
	s.Want("3 lines back", "old line 97")
	n := 0
	for wakes() {
		if n++; n > 200 {
			t.Fatal("it never stops at the oldest line")
		}
	}
	s.Want("100 lines back", "old line 0")
	s.Send(tea.MouseMotionMsg{X: 30, Y: 30, Button: tea.MouseLeft}) // 8 lines below the pane
	s.Want("92 lines back")
	s.Send(tea.MouseMotionMsg{X: 30, Y: 10, Button: tea.MouseLeft})
	wakes()
	s.Want("92 lines back")
	s.Send(tea.MouseMotionMsg{X: 19, Y: 0, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: 19, Y: 0, Button: tea.MouseLeft})
	wakes()
	s.Want("93 lines back")
}

func TestTheTerminalWaitsWhileTextIsDraggedOver(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	newer := frame(61, 22, session.Modes{}, "newer row 0", "newer row 1")
	press := func() {
		s.Send(agentScreen(61, 22, session.Modes{}),
			tea.MouseClickMsg{X: 19, Y: 3, Button: tea.MouseLeft}, // the pane begins at 19, 1
			tea.MouseMotionMsg{X: 23, Y: 3, Button: tea.MouseLeft}, newer)
		s.Want("agent row 2")
		s.WantNot("newer row")
	}
	press()
	s.Send(tea.MouseReleaseMsg{X: 23, Y: 3, Button: tea.MouseLeft})
	if !copied(s, "agent") {
		t.Error("what was under the pointer is not copied")
	}
	s.Want("newer row 1")
	for name, let := range map[string]func(){
		"a key":          func() { s.Type("x") },
		"another press":  func() { s.Send(tea.MouseClickMsg{X: 3, Y: 10, Button: tea.MouseLeft}) },
		"another thread": func() { s.Press("ctrl+space", "j", "ctrl+space", "k") },
	} {
		s.Press("ctrl+space", "m")
		press()
		let()
		if !s.Has("newer row 1") {
			t.Errorf("%s that shows that the button was let go does not end it", name)
		}
	}
}
