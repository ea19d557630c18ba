package tui_test

import (
	"slices"
	"testing"

	"aside/session"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

func TestWordsAreFoundInTheScrollback(t *testing.T) {
	f, s := longTerminal(t, 3000)
	s.Press("ctrl+space", "[", "/")
	s.Type("LINE 17")
	s.Press("enter")
	s.Want("not found: LINE 17")
	s.Press("/")
	s.Type("\b")
	s.Press("ctrl+u")
	s.Type("line 17")
	s.Press("enter")
	s.Want("old line 1799", "1 of 111: line 17")
	s.Press("n")
	s.Want("old line 1798", "2 of 111")
	s.Press("N", "q")
	s.Want("agent row 21")
	if len(f.inputs) != 0 {
		t.Errorf("the agent got %+v", f.inputs)
	}
}

// The place that n and N have gone to is told from the others.
func TestThePlaceThatWasGoneToIsToldFromTheOthers(t *testing.T) {
	_, s := longTerminal(t, 3000)
	reversed := func(text string) bool {
		t.Helper()
		x, y, ok := s.Find(text)
		if !ok {
			t.Fatalf("%q is not on the screen:\n%s", text, s.Text())
		}
		return s.Buffer().CellAt(x, y).Style.Attrs&uv.AttrReverse != 0
	}
	s.Press("ctrl+space", "[")
	s.Press("/")
	s.Want("enter look", "esc leave")
	s.Type("line 1")
	s.Press("enter")
	s.Want("line 1999", "line 1998")
	if !reversed("line 1999") || reversed("line 1998") {
		t.Error("the newest place is not told from the others")
	}
	s.Press("n")
	if reversed("line 1999") || !reversed("line 1998") {
		t.Error("the next place is not told from the others")
	}
	s.Press("N")
	if !reversed("line 1999") || reversed("line 1998") {
		t.Error("the place before is not told from the others")
	}
}

func TestLeavingTheSearchChangesNothing(t *testing.T) {
	_, s := longTerminal(t, 100)
	s.Press("ctrl+space", "[", "/")
	s.Type("row")
	s.Press("esc")
	s.WantNot("of ", "not found")
	s.Press("esc")
	s.Want("agent row 21")
}

func TestTheFooterNamesTheKeysOfScrollingBack(t *testing.T) {
	_, s := longTerminal(t, 100)
	s.Press("ctrl+space", "[")
	s.Want("11 lines back", "pgup back", "v select", "? keys", "esc leave")
	s.WantNot("n next")
	s.ClickOn("pgup back")
	s.Want("32 lines back")
	s.ClickOn("/ find")
	s.Type("line 50")
	s.Press("enter")
	s.Want("old line 50", "n next", "esc leave")
	s.Press("?")
	s.Want("Scrolling back in the terminal", "to the oldest line")
	s.Press("esc")
	s.ClickOn("esc leave")
	s.Want("agent row 21", "ctrl+space o")
	s.WantNot("lines back")
}

func TestASearchEndsWithScrollingBackHoweverThatIsLeft(t *testing.T) {
	_, s := longTerminal(t, 100)
	for name, leave := range map[string]func(){
		"esc": func() { s.Press("esc") },
		"the wheel": func() {
			for range 10 {
				s.Send(tea.MouseWheelMsg{X: 30, Y: 10, Button: tea.MouseWheelDown})
			}
		},
		"a click and a key": func() { s.Click(30, 10); s.Type("x") },
	} {
		s.Press("ctrl+space", "[", "/")
		s.Type("row 1")
		s.Press("enter")
		if got := reversed(s); !slices.Contains(got, "row 1") {
			t.Fatalf("marked are %q", got)
		}
		s.Press("pgup")
		leave()
		s.Want("agent row 21")
		if got := reversed(s); slices.Contains(got, "row 1") {
			t.Errorf("after %s the words are marked still", name)
		}
	}
}

func TestAProgramThatScrollsItselfKeepsItsKeys(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	alt := agentScreen(61, 22, session.Modes{AltScreen: true})
	s.Send(alt)
	s.Press("ctrl+space", "[")
	s.Want("this program scrolls itself")
	s.Type("k")
	if len(f.inputs) != 1 {
		t.Errorf("the agent got %+v, want the key", f.inputs)
	}
	f.inputs = nil
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "[")
	s.Send(alt) // it begins to, meanwhile
	s.Type("k")
	if len(f.inputs) != 1 {
		t.Errorf("then the agent got %+v, want the key", f.inputs)
	}
}
