package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/tui"

	tea "charm.land/bubbletea/v2"
)

func proposed(id session.CardID, choices ...session.ActionChoice) tui.CardMsg {
	return tui.CardMsg{Card: session.ActionCard{ID: id, Thread: "t1", Choices: choices, State: session.CardPending, Target: "s2", OfferedAt: noon}}
}

func runs(title, command string) session.ActionChoice {
	return session.ActionChoice{Title: title, Actions: []session.TerminalAction{{Type: session.ActionRun, Command: command}}}
}

func watches() session.ActionChoice {
	return session.ActionChoice{Title: "Open a split and watch the log", Rationale: "It shows the failure.", Actions: []session.TerminalAction{
		{Type: session.ActionOpenAndRun, Command: "tail -f log/dev.log", Place: session.PlaceSplit, Direction: session.DirectionRight, Cwd: "/src/app"},
	}}
}

func confirms(f *fake) []string {
	return f.tookOf("confirm ", "cancelcard ")
}

func wantConfirms(t *testing.T, f *fake, want ...string) {
	t.Helper()
	if got := confirms(f); !slices.Equal(got, want) {
		t.Errorf("confirmed %q, want %q", got, want)
	}
}

func TestCardShowsEveryActionAndItsTarget(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(tui.PanesMsg{Thread: "t1", Panes: []session.PaneInfo{{ID: "s2", Shell: true, Name: "split 2", Cwd: "~/src/app"}}})
	delegate := session.ActionChoice{Title: "Leave it to another thread", Actions: []session.TerminalAction{
		{Type: session.ActionDelegate, Title: "Fix the log", Prompt: "Find out why.\nThen\u202e fix it."},
	}}
	s.Send(proposed("c1", runs("Run the failing test alone", "go test ./settings -run TestLoad"), watches(), delegate))
	s.Want("Proposed in your shell  ·  split 2, ~/src/app",
		"1  Run the failing test alone", "in split 2, ~/src/app:", "go test ./settings -run TestLoad",
		"2  Open a split and watch the log", "It shows the failure.", "open a split to the right in /src/app, and in it:", "tail -f log/dev.log",
		"3  Leave it to another thread", "start a thread, “Fix the log”", "Find out why.", "Then⟨U+202E⟩ fix it.",
		"! Fix the parser", "ctrl+space e answer")
	wantConfirms(t, f)
}

func TestCardSaysWhereItsShellIsIfThatIsNotTheThreadsFolder(t *testing.T) {
	f := world()
	f.threads[0].Cwd = "/src/app"
	s, _ := start(t, f, 80, 24)
	for cwd, want := range map[string]string{
		"/src/app": "in split 2:", "/src/app/sub": "in split 2, ./sub:", "/src/app2": "in split 2, /src/app2:", "/etc": "in split 2, /etc:",
	} {
		s.Send(tui.PanesMsg{Thread: "t1", Panes: []session.PaneInfo{{ID: "s2", Shell: true, Name: "split 2", Cwd: cwd}}})
		s.Send(proposed("c1", runs("Run the tests", "make test")))
		s.Want(want)
	}
}

func TestCardThatAppearsTakesNoKey(t *testing.T) {
	f, s, _ := atWork(t)
	s.Type("ab")
	s.Send(proposed("c1", runs("Run it", "make")))
	s.Type("ri1")
	s.Press("enter", "esc")
	wantConfirms(t, f)
	f.wantTyped(t, "abri1")
	// Nor does a stray enter confirm, once it has the focus.
	s.Press("ctrl+space", "e", "enter", "y")
	wantConfirms(t, f)
}

func TestCardIsRunInsertedAndCancelled(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(proposed("c1", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e")
	s.Want("r run", "i insert", "esc cancel")
	s.WantNot("↑↓")
	s.Press("r")
	wantConfirms(t, f, "confirm t1 c1 choice=1 insert=false target=s2 bound=true")
	s.Want("done · Run the tests")
	s.Type("x")
	f.wantTyped(t, "x")
	s.Send(proposed("c2", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e", "i")
	wantConfirms(t, f, "confirm t1 c2 choice=1 insert=true target=s2 bound=true")
	s.Send(proposed("c3", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e", "esc")
	wantConfirms(t, f, "cancelcard t1 c3")
	s.Want("cancelled · Run the tests")
}

func TestNothingIsChosenAmongSeveral(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(proposed("c1", runs("Run the tests", "make test"), watches()))
	s.Press("ctrl+space", "e")
	s.Want("choose first")
	s.Press("r", "i")
	wantConfirms(t, f)
	s.Press("down", "down")
	s.Want("2› Open a split")
	s.Press("up")
	s.Want("1› Run the tests")
	s.ClickOn("tail -f")
	s.Want("2› Open a split")
	s.ClickOn("r run")
	wantConfirms(t, f, "confirm t1 c1 choice=2 insert=false target=s2 bound=true")
}

// The answers come where the hint was that a click gave the focus by.
func TestAClickThatGoesToTheCardIsNoAnswerEvenTwice(t *testing.T) {
	f, s, c := atWork(t)
	s.Send(proposed("c1", runs("Run the tests", "make test")))
	hint, y, _ := s.Find("ctrl+space e answer")
	for x := hint; x < hint+len("ctrl+space e answer"); x++ {
		s.Click(x, y)
		s.Click(x, y)
		s.Want("r run")
		wantConfirms(t, f)
		s.Press("ctrl+space", "c", "ctrl+space", "v") // anywhere else, and back
		s.Want("ctrl+space e answer", "agent row 20")
	}
	s.Click(hint, y)
	c.now = c.now.Add(time.Second)
	s.ClickOn("r run")
	wantConfirms(t, f, "confirm t1 c1 choice=1 insert=false target=s2 bound=true")
}

func TestAnswerIsForTheCardAndTheShellThatWereLookedAt(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(proposed("c1", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e")
	other := proposed("c1", runs("Run the tests", "make test"))
	other.Card.Target = "s3"
	s.Send(other)
	s.Press("r")
	wantConfirms(t, f)
	s.Want("this is not what it was", "s3")
	s.Press("tab", "r")
	wantConfirms(t, f, "confirm t1 c1 choice=1 insert=false target=s3 bound=true")

	s.Send(proposed("c2", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e")
	ended := proposed("c2")
	ended.Card.State, ended.Card.Reason = session.CardSuperseded, "the next turn has begun"
	s.Send(ended)
	s.Want("out of date: the next turn has begun")
	s.Press("r") // meant for the card that has gone
	f.wantTyped(t, "")
	s.Type("x")
	if f.typed() != "x" {
		t.Errorf("the focus did not go back: %q", f.typed())
	}
	wantConfirms(t, f)
}

func TestCardMustHaveBeenOnTheScreenInFull(t *testing.T) {
	f, s, _ := atWork(t)
	var long []string
	for i := range 120 {
		long = append(long, fmt.Sprintf("word%03d-%s", i, strings.Repeat("x", 50)))
	}
	s.Send(proposed("c1", runs("Run a long one", strings.Join(long, " "))))
	s.Want("more lines, to be read before it can be confirmed")
	s.Press("ctrl+space", "e")
	s.Want("d read it whole")
	s.WantNot("r run")
	s.Press("r", "i")
	wantConfirms(t, f)
	s.Want("has not been on the screen in full")
	// A jump to the end leaves out what is between.
	s.Press("d", "end", "r")
	wantConfirms(t, f)
	s.Want("word119", "pgdown read on")
	s.Press("home")
	for range 12 {
		s.Press("pgdown")
	}
	s.Want("word119", "r run")
	s.Press("r")
	wantConfirms(t, f, "confirm t1 c1 choice=1 insert=false target=s2 bound=true")
	s.Want("agent row 20")
}

func TestCardReadAtOneWidthIsNotReadAtAnother(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(proposed("c1", runs("Run a long one", strings.Repeat("echo one and two && ", 300))))
	s.Press("ctrl+space", "e", "d")
	for range 20 {
		s.Press("pgdown")
	}
	s.Want("r run")
	s.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.Press("r")
	wantConfirms(t, f)
}

func TestNothingIsDoneTwice(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(proposed("c1", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e")
	s.Held = true
	s.Press("r", "r", "i", "esc")
	s.Want("under way")
	s.Wait()
	wantConfirms(t, f, "confirm t1 c1 choice=1 insert=false target=s2 bound=true")
}

func TestWhatBecameOfACardIsTold(t *testing.T) {
	for want, r := range map[string]session.CardReceipt{
		"it was answered before: cancelled": {Outcome: session.OutcomeDuplicate, State: session.CardCancelled},
		"no longer asked":                   {Outcome: session.OutcomeUnknown},
		"it could not be done: no room":     {Outcome: session.OutcomeUnavailable, State: session.CardUnavailable, Reason: "no room"},
	} {
		f, s, _ := atWork(t)
		f.cardReceipt = r
		s.Send(proposed("c1", runs("Run the tests", "make test")))
		s.Press("ctrl+space", "e", "r")
		s.Want(want)
	}
	f, s, _ := atWork(t)
	f.fails["confirm"] = &session.Error{Code: session.CodeFailed, Message: "an agent waits for your answer in that terminal", Hint: "answer it first"}
	s.Send(proposed("c1", runs("Run the tests", "make test")))
	s.Press("ctrl+space", "e", "r")
	s.Want("! an agent waits for your answer", "r run")
}

func TestCardAndBarTogether(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"), proposed("c1", runs("Run the tests", "make test")))
	_, bar, _ := s.Find("Bash wants to run")
	_, card, _ := s.Find("Proposed in your shell")
	if bar < 0 || card <= bar {
		t.Errorf("the bar is at %d and the card at %d:\n%s", bar, card, s.Text())
	}
	s.Press("ctrl+space", "e", "ctrl+space", "1")
	wantAnswers(t, f, `answer t1 d1 once ""`)
	s.Press("r")
	wantConfirms(t, f, "confirm t1 c1 choice=1 insert=false target=s2 bound=true")
}
