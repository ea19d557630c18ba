package tui_test

import (
	"slices"
	"testing"
	"time"

	"aside/session"
	"aside/tui"

	tea "charm.land/bubbletea/v2"
)

func finishable() *fake {
	f := changed()
	f.choices = tui.FinishChoices{Message: "Fix the parser", Branches: []string{"main", "next", "old"}}
	return f
}

func TestTheMessageAndTheBranchAreChosenBeforeTheSteps(t *testing.T) {
	f := finishable()
	s := inReview(t, f, 120, 40)
	s.Press("f")
	s.Want("message", "› Fix the parser", "into", "› main")
	s.Press("tab")
	s.Type(" for good")
	s.Press("shift+enter")
	s.Type("It took trailing commas.")
	s.Press("tab", "down")
	s.Want("› next", "↑ ↓ other branches")
	s.Press("enter", "y")
	want := []string{
		`plan t1 merge into=next message="Fix the parser for good\nIt took trailing commas."`,
		`step t1 merge into=next message="Fix the parser for good\nIt took trailing commas." one`,
	}
	if got := f.took(); !slices.Equal(got, want) {
		t.Errorf("calls are %q, want %q", got, want)
	}
	s.Press("enter") // and the steps that are left are planned for the same
	if got := f.took(); !slices.Contains(got, want[0]) {
		t.Errorf("calls are %q", got)
	}
}

func TestEachWayAsksForWhatItNeeds(t *testing.T) {
	s := inReview(t, finishable(), 80, 24)
	s.Press("f")
	for _, tc := range []struct{ key, label, not string }{{"down", "   on top of", "   into"}, {"down", "   base", "   on top of"}, {"down", "   message", "   base"}} {
		s.Press(tc.key)
		s.Want(tc.label)
		s.WantNot(tc.not)
	}
	s.Press("tab", "tab") // there is no branch to name: back to the ways
	s.Press("1")
	s.Want("do this step")
}

func TestWhatIsWrittenIsKeptAndClicked(t *testing.T) {
	f := finishable()
	s := inReview(t, f, 80, 24)
	s.Press("f")
	s.ClickOn("› main")
	s.Type("-2")
	s.ClickOn("message  ")
	s.Press("esc", "esc", "f")
	s.Want("› main-2")
	s.ClickOn("merge the branch")
	if got := f.took(); !slices.Equal(got[len(got)-1:], []string{"plan t1 merge into=main-2"}) {
		t.Errorf("calls are %q", got)
	}
}

// The form works before the branches are known, and where they cannot be.
func TestTheFormDoesNotWaitForTheBranches(t *testing.T) {
	f := finishable()
	f.fails["choices"] = &session.Error{Code: session.CodeFailed, Message: "no branches"}
	s := inReview(t, f, 120, 40)
	s.Press("f")
	s.Want("the thread's title", "the branch it came from")
	s.Press("tab")
	s.Type("Mine")
	s.Press("enter")
	if got := f.took(); !slices.Equal(got, []string{`plan t1 merge message="Mine"`}) {
		t.Errorf("calls are %q", got)
	}

	f = finishable()
	f.blocks = make(chan struct{})
	s, c := start(t, f, 120, 40)
	s.Press("ctrl+space", "g")
	s.Held = true
	s.Press("f")
	s.WantNot("looking at the branches")
	c.now = c.now.Add(time.Second)
	s.Send(tea.FocusMsg{})
	s.Want("looking at the branches")
	s.Press("tab")
	s.Type("Mine")
	close(f.blocks)
	s.Wait()
	s.Want("› Mine", "› main")
	s.WantNot("looking at the branches")
}
