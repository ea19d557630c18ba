package tui_test

import (
	"testing"

	"aside/session"
)

func TestWordsAreFoundInTheScrollback(t *testing.T) {
	f := world()
	f.rows = 3000
	s, _ := start(t, f, 80, 24)
	fr := agentScreen(61, 22, session.Modes{})
	fr.Frame.History = 3000
	s.Send(fr)
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

func TestLeavingTheSearchChangesNothing(t *testing.T) {
	f := world()
	f.rows = 100
	s, _ := start(t, f, 80, 24)
	fr := agentScreen(61, 22, session.Modes{})
	fr.Frame.History = 100
	s.Send(fr)
	s.Press("ctrl+space", "[", "/")
	s.Type("row")
	s.Press("esc")
	s.WantNot("of ", "not found")
	s.Press("esc")
	s.Want("agent row 21")
}
