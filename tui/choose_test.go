package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"aside/session"

	uv "github.com/charmbracelet/ultraviolet"
)

func TestTextIsSelectedAndCopiedByKeys(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "y")
	s.Want("space mark", "y copy", "esc leave")
	s.Press("H", "j", "j", "w", "v", "e", "y")
	if !copied(s, "row") {
		t.Error("the word is not copied")
	}
	s.Want("copied 3 characters")
	s.WantNot("space mark")
	if len(f.inputs) != 0 {
		t.Errorf("the agent got %+v", f.inputs)
	}
	s.Type("x")
	if len(f.inputs) == 0 {
		t.Error("afterwards the keys are not the agent's")
	}
}

func TestTheCursorShowsWhereTheSelectionIs(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "y", "H", "l", "l", "j")
	// The pane begins at 19, 1; the agent's own cursor is in its column 2.
	if c := s.View().Cursor; c == nil || c.X != 23 || c.Y != 2 {
		t.Errorf("the cursor is %+v", c)
	}
	s.Press("?")
	if c := s.View().Cursor; c != nil {
		t.Errorf("under the help the cursor is %+v", c)
	}
	s.Press("esc", "esc")
	s.WantNot("space mark")
}

func TestLeavingTheSelectionCopiesNothing(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "y", "y")
	s.Want("nothing is marked")
	s.Press("V", "k")
	n := len(s.Msgs)
	s.Press("esc")
	if len(s.Msgs) != n {
		t.Errorf("leaving did %v", s.Msgs[n:])
	}
	if c := s.Buffer().CellAt(19, 20); c == nil || c.Style.Attrs&uv.AttrReverse != 0 {
		t.Error("it is still marked")
	}
}

func TestASelectionReachesRowsThatWereNeverShown(t *testing.T) {
	_, s := longTerminal(t, 3000)
	s.Press("ctrl+space", "y", "g")
	s.Want("old line 0")
	s.Press("V", "G", "enter")
	var want []string
	for i := range 3000 {
		want = append(want, fmt.Sprintf("old line %d", i))
	}
	for i := range 22 {
		want = append(want, fmt.Sprintf("agent row %d", i))
	}
	if !copied(s, strings.Join(want, "\n")) {
		t.Error("not all of it is copied")
	}
}

func TestTheTerminalStaysWhileTextIsSelected(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "y", "H")
	var newer []string
	for i := range 22 {
		newer = append(newer, fmt.Sprintf("newer row %d", i))
	}
	s.Send(frame(61, 22, session.Modes{}, newer...))
	s.Want("agent row 7")
	s.WantNot("newer row")
	s.Press("V", "j", "y")
	if !copied(s, "agent row 0\nagent row 1") {
		t.Error("what was shown at the beginning is not copied")
	}
	s.Want("newer row 7")
}

func TestTheSearchMovesTheSelection(t *testing.T) {
	_, s := longTerminal(t, 300)
	s.Press("ctrl+space", "[", "v", "/")
	s.Type("line 17")
	s.Press("enter")
	s.Want("old line 179", "1 of 11")
	s.Press("v", "n", "y")
	if !copied(s, "line 178\nold l") {
		t.Errorf("what is between two places is not copied: %v", s.Msgs)
	}
	s.Want("2 of 11", "old line 178")
	s.Press("q")
	s.Want("agent row 21")
}

func TestThePointerEndsASelectionByKeys(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "y", "V")
	drag(s, 0, 25, 3, 27, 3)
	if !copied(s, "row") {
		t.Error("the drag copies nothing")
	}
	s.WantNot("space mark")
	s.Press("ctrl+space", "y")
	s.Want("V lines")
	s.ClickOn("V lines")
	s.Press("y")
	if !copied(s, "agent row 5") {
		t.Error("a click on the hint marks no line")
	}
}

func TestASelectionEndsWithItsTerminal(t *testing.T) {
	for _, away := range []string{"j", "v", "h", "o", "m"} {
		f := world()
		s, _ := start(t, f, 80, 24)
		s.Send(agentScreen(61, 22, session.Modes{}))
		s.Press("ctrl+space", "y", "V", "ctrl+space", away)
		s.WantNot("space mark")
		s.Press("y")
		if copied(s, "agent row 5") {
			t.Errorf("after %s it is copied", away)
		}
	}
}

func TestAShellPanesTextIsSelectedByKeys(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.f.rows = 3000
	shell := p.open("|")
	fr := agentScreen(100, 60, session.Modes{})
	fr.Frame.Pane, fr.Frame.History = shell, 3000
	p.s.Send(fr)
	p.s.Press("ctrl+space", "y", "g", "V", "G", "y")
	all := strings.Join(p.s.Copied(), "")
	for _, line := range []string{"old line 5 of shell1\n", "old line 2500 of shell1\n", "\nagent row 59"} {
		if !strings.Contains(all, line) {
			t.Errorf("%q is not copied", line)
		}
	}
}

func TestAnotherPaneEndsTheSelection(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("|")
	p.s.Press("ctrl+space", "y", "V")
	p.s.Want("space mark")
	p.s.Press("ctrl+space", "left")
	p.s.WantNot("space mark")
}
