package tui_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

func TestEveryKeyIsTheAgentsButTheLeader(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Type("q?no")
	s.Press("enter", "esc", "tab", "ctrl+c", "up", "shift+enter", "f5")
	if got := f.typed(); got != "q?no" {
		t.Errorf("the agent got %q", got)
	}
	var codes []session.KeyCode
	for _, in := range f.inputs[4:] {
		codes = append(codes, in.Key.Code)
	}
	want := []session.KeyCode{
		session.KeyEnter, session.KeyEscape, session.KeyTab, 'c', session.KeyUp, session.KeyEnter, session.KeyF(5),
	}
	if !slices.Equal(codes, want) {
		t.Errorf("codes = %v, want %v", codes, want)
	}
	if f.inputs[7].Key.Mods != session.ModCtrl || f.inputs[9].Key.Mods != session.ModShift {
		t.Errorf("modifiers = %v, %v", f.inputs[7].Key.Mods, f.inputs[9].Key.Mods)
	}
	n := len(f.inputs)
	s.Press("ctrl+space", "z")
	if len(f.inputs) != n {
		t.Error("a key after the leader reached the agent")
	}
	s.Press("ctrl+space", "ctrl+space")
	if len(f.inputs) != n+1 || f.inputs[n].Key.Code != ' ' || f.inputs[n].Key.Mods != session.ModCtrl {
		t.Errorf("the leader pressed twice gave %+v", f.inputs[n:])
	}
}

func TestKeysCarryAllTheTerminalKnows(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{Keyboard: 31}))
	v := s.View().KeyboardEnhancements
	if !v.ReportEventTypes || !v.ReportAlternateKeys || !v.ReportAllKeysAsEscapeCodes || !v.ReportAssociatedText {
		t.Errorf("enhancements = %+v", v)
	}
	k := tea.Key{Code: 'a', ShiftedCode: 'A', BaseCode: 'q', Text: "A", Mod: tea.ModShift | tea.ModCapsLock}
	s.Send(tea.KeyPressMsg(k))
	k.IsRepeat = true
	s.Send(tea.KeyPressMsg(k), tea.KeyReleaseMsg(k))
	want := session.KeyEvent{Code: 'a', Shifted: 'A', Base: 'q', Text: "A", Mods: session.ModShift | session.ModCapsLock}
	for i, a := range []session.Action{session.ActionPress, session.ActionRepeat, session.ActionRelease} {
		want.Action = a
		if got := *f.inputs[i].Key; got != want {
			t.Errorf("event %d = %+v, want %+v", i, got, want)
		}
	}
	// The release of a key that the agent never saw is not for it either.
	s.Press("ctrl+space")
	s.Send(tea.KeyReleaseMsg(tuitest.Key("ctrl+space")))
	if len(f.inputs) != 3 {
		t.Errorf("the leader's release reached the agent: %+v", f.inputs[3:])
	}
	s.Press("t")
	if s.View().KeyboardEnhancements != (tea.KeyboardEnhancements{}) {
		t.Error("the list of threads has the agent's keyboard")
	}
}

func TestPasteAndFocusReachTheAgent(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{Focus: true}), tea.PasteMsg{Content: "two\nlines\x1b[201~"})
	if len(f.inputs) != 1 || *f.inputs[0].Paste != "two\nlines\x1b[201~" {
		t.Fatalf("inputs = %+v", f.inputs)
	}
	s.Send(tea.BlurMsg{}, tea.FocusMsg{})
	s.Press("ctrl+space", "t", "esc")
	var got []bool
	for _, in := range f.inputs[1:] {
		got = append(got, *in.Focus)
	}
	if !slices.Equal(got, []bool{false, true, false, true}) {
		t.Errorf("focus = %v", got)
	}
}

func TestMouseIsTheAgentsWhenItAsked(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Click(30, 10)
	if len(f.inputs) != 0 {
		t.Fatalf("an agent that did not ask got %+v", f.inputs)
	}
	s.Send(agentScreen(61, 22, session.Modes{Mouse: session.MouseDrag}), decision("d1"))
	s.Click(30, 10)
	if len(f.inputs) != 2 || *f.inputs[0].Mouse != (session.MouseEvent{Button: session.ButtonLeft, X: 11, Y: 9}) ||
		f.inputs[1].Mouse.Action != session.ActionRelease {
		t.Fatalf("inputs = %+v", f.inputs)
	}
	s.Click(30, 1) // on the bar
	if len(f.inputs) != 2 {
		t.Errorf("a click on the bar reached the agent")
	}
	s.Press("ctrl+space", "m")
	s.Send(tea.MouseClickMsg{X: 30, Y: 10, Button: tea.MouseLeft},
		tea.MouseMotionMsg{X: 5, Y: 40, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: 30, Y: 10})
	last := f.inputs[len(f.inputs)-1].Mouse
	if *last != (session.MouseEvent{Button: session.ButtonLeft, Action: session.ActionMove, X: 0, Y: 21}) {
		t.Errorf("a drag out of the pane = %+v", last)
	}
	if s.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("motion without a button is asked for, though the agent did not")
	}
	s.Send(agentScreen(61, 22, session.Modes{Mouse: session.MouseMotion}))
	if s.View().MouseMode != tea.MouseModeAllMotion {
		t.Error("motion is not asked for, though the agent did")
	}
}

func TestWheelScrollsTheScrollback(t *testing.T) {
	f, s := longTerminal(t, 100)
	s.Send(tea.MouseWheelMsg{X: 30, Y: 10, Button: tea.MouseWheelUp})
	s.Want("old line 97", "old line 99", "agent row 0", "3 lines back")
	if len(f.inputs) != 0 {
		t.Errorf("the agent got %+v", f.inputs)
	}
	if s.View().Cursor != nil {
		t.Error("the cursor is shown though it is scrolled away")
	}
	s.Press("ctrl+space", "pgup", "home")
	s.Want("old line 0")
	s.Press("down", "q")
	s.WantNot("old line")
	s.Send(tea.MouseWheelMsg{X: 30, Y: 10, Button: tea.MouseWheelUp})
	s.Type("x")
	s.WantNot("old line")
	f.wantTyped(t, "x")
	s.Send(agentScreen(61, 22, session.Modes{AltScreen: true}), tea.MouseWheelMsg{X: 30, Y: 10, Button: tea.MouseWheelUp})
	if in := f.inputs[len(f.inputs)-1]; in.Mouse == nil || in.Mouse.Button != session.ButtonWheelUp {
		t.Errorf("a full-screen program got %+v", in)
	}
}

func TestHistoryThatCannotBeHadIsNotAskedForAgain(t *testing.T) {
	f, s := longTerminal(t, 100)
	f.rows = 0 // and none can be had
	f.took()
	s.Send(tea.MouseWheelMsg{X: 30, Y: 10, Button: tea.MouseWheelUp}, tui.StoreChangedMsg{})
	if calls := f.took(); len(calls) != 1 {
		t.Errorf("calls = %q", calls)
	}
	f.rows = 100
	s.Held = true
	for range 3 {
		s.Send(tea.MouseWheelMsg{X: 30, Y: 10, Button: tea.MouseWheelUp})
	}
	s.Wait()
	s.Want("old line 91")
	if calls := f.took(); len(calls) != 1 {
		t.Errorf("calls = %q", calls)
	}
}

func TestBarNeverResizesOrRebuildsThePane(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	if calls := f.took(); !slices.Contains(calls, "view t1 agent 61x22") {
		t.Errorf("calls = %q", calls)
	}
	s.Send(agentScreen(61, 22, session.Modes{}))
	before := s.Lines()
	s.Send(decision("d1"))
	s.Want("Bash wants to run", "1 once")
	for y, l := range s.Lines()[6:23] {
		if l != before[6+y] {
			t.Errorf("row %d is %q, was %q", 6+y, l, before[6+y])
		}
	}
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: string(session.ReleaseTerminal)})
	s.Want("answered in the terminal")
	if calls := f.tookOf("view", "hide"); len(calls) > 0 {
		t.Errorf("the bar made %q", calls)
	}
}

func TestCursorIsThePanes(t *testing.T) {
	s, _ := start(t, world(), 80, 24)
	fr := agentScreen(61, 22, session.Modes{})
	fr.Frame.Cursor = session.Cursor{X: 4, Y: 2, Shape: session.CursorBar, Blink: true, Color: session.RGB(1, 2, 3)}
	s.Send(fr)
	c := s.View().Cursor
	if c == nil || c.X != 19+4 || c.Y != 1+2 || c.Shape != tea.CursorBar || !c.Blink || c.Color != (color.RGBA{1, 2, 3, 255}) {
		t.Fatalf("cursor = %+v", c)
	}
	s.Send(decision("d1"))
	if s.View().Cursor != nil {
		t.Error("the cursor shows through the bar")
	}
}

func TestPanesAreInViewOnlyWhileShown(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	f.took()
	s.Press("ctrl+space", "k")
	if calls := f.took(); !slices.Equal(calls, []string{"hide t1 agent", "view t2 agent 61x22"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Press("ctrl+space", "v")
	if calls := f.took(); !slices.Equal(calls, []string{"hide t2 agent"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	s.Press("ctrl+space", "j")
	if calls := f.took(); !slices.Equal(calls, []string{"view t1 agent 75x28"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Press("ctrl+space", "b")
	if calls := f.took(); !slices.Equal(calls, []string{"view t1 agent 100x28"}) {
		t.Errorf("calls = %q", calls)
	}
	// A frame for a pane that is not in view changes nothing.
	fr := agentScreen(61, 22, session.Modes{})
	fr.Thread = "t2"
	s.Send(fr)
	s.WantNot("agent row")
	s.Press("ctrl+space", "k", "ctrl+space", "v")
	s.WantNot("agent row")
}

func TestWidthsAgreeOnATerminalThatAddsUpCodePoints(t *testing.T) {
	f := world()
	f.threads[0].Title = "Family 👨‍👩‍👧‍👦 ❤️"
	f.entries["t1"][1].Text = "heart ❤️ and 👨‍👩‍👧‍👦 and 1️⃣"
	f.proposals[2].Title = "Offer ❤️ 👩‍🚀"
	s, _ := start(t, f, 160, 40)
	s.Send(tui.FrameMsg{Thread: "t1", Frame: session.Frame{Pane: session.PaneAgent, Cols: 80, Rows: 38, Full: true, Changed: []session.RowChange{
		{Row: session.Row{Spans: []session.Span{{Text: "👨‍👩‍👧‍👦 ❤️|", Width: 6}}}},
	}}})
	for y, l := range s.Lines() {
		r := []rune(l)
		if len(r) > 0 && !strings.ContainsRune(l, '│') {
			t.Errorf("row %d has lost its separator: %q", y, l)
		}
		if x := strings.IndexRune(l, '│'); x >= 0 {
			if col := width(l[:x]); col != 32 {
				t.Errorf("row %d: the separator is in column %d: %q", y, col, l)
			}
		}
	}
}

func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == '\u200d' || r == '\ufe0f':
		case r >= 0x1f300:
			n += 2
		default:
			n++
		}
	}
	return n
}

func TestKeysWorkOnEveryLayout(t *testing.T) {
	s, _ := start(t, world(), 80, 24)
	// The key that is o on a US keyboard, on a Russian one.
	s.Press("ctrl+space")
	s.Send(tea.KeyPressMsg{Code: 'щ', Text: "щ", BaseCode: 'o'})
	s.Want("1 standing")
}
