package tui_test

import (
	"slices"
	"strings"
	"testing"

	"aside/session"

	tea "charm.land/bubbletea/v2"
)

func TestCommandIsFoundByItsWordsAndDone(t *testing.T) {
	f := world()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "p")
	s.Want("What is to be done?", "start a new thread", "ctrl+space n", "stop the thread's agent", "open Cover loader")
	s.WantNot("start the thread's agent again", "open Fix the parser")
	s.Type("stop agent")
	s.Want("stop the thread's agent")
	s.WantNot("start a new thread")
	s.Press("enter")
	s.WantNot("esc leave")
	s.Press("y")
	if got := f.took(); !slices.Contains(got, "stop t1") {
		t.Errorf("calls = %q", got)
	}
	if len(f.inputs) != 0 {
		t.Errorf("the agent got %+v", f.inputs)
	}
}

func TestCommandsAreThoseOfThePlaceWhereTheyWereAskedFor(t *testing.T) {
	f := world()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "o", "ctrl+space", "p")
	s.Type("bring")
	s.Want("bring it back")
	s.Press("esc")
	s.Want("Offers")
	s.Press("ctrl+space", "p")
	s.Type("not now")
	s.Press("enter")
	if got := f.took(); !slices.Contains(got, "dismiss p3") {
		t.Errorf("calls = %q", got)
	}
}

func TestAnswersAreNoCommands(t *testing.T) {
	s, _ := start(t, world(), 120, 40)
	s.Send(agentScreen(95, 38, session.Modes{}), decision("d1"))
	s.Press("ctrl+space", "d", "ctrl+space", "p")
	s.Type("give answer")
	s.Want("nothing that can be done now says so")
	s.Press("esc", "ctrl+space", "p")
	s.Type("go to the decision bar")
	s.Want("go to the decision bar")
}

func TestThreadIsOpenedFromThePalette(t *testing.T) {
	s, _ := start(t, world(), 80, 24)
	s.Press("ctrl+space", "p")
	s.Type("migr")
	s.Want("open Migrate store")
	s.Press("enter")
	if title := s.View().WindowTitle; title != "aside · Migrate store" {
		t.Errorf("title = %q", title)
	}
}

func TestPaletteTakesTheMouse(t *testing.T) {
	s, _ := start(t, world(), 120, 40)
	s.Press("ctrl+space", "p")
	s.Send(tea.MouseWheelMsg{X: 60, Y: 10, Button: tea.MouseWheelDown})
	if !strings.Contains(s.Lines()[4], "▌") {
		t.Errorf("the wheel did not choose the next row:\n%s", s.Text())
	}
	s.ClickOn("open Cover loader")
	if title := s.View().WindowTitle; title != "aside · Cover loader" {
		t.Errorf("title = %q", title)
	}
}

// What cannot be done just now but is looked for is found, and says why.
func TestArchivingIsFoundWhileTheAgentRuns(t *testing.T) {
	f := world()
	f.fails["archive"] = &session.Error{Message: "its agent is running", Hint: "stop it first"}
	s, _ := start(t, f, 80, 24)
	s.Press("ctrl+space", "p")
	s.Type("archive")
	s.Want("archive the thread")
	s.Press("enter")
	s.Want("its agent is running · stop it first")
}
