package tui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

func answers(f *fake) []string {
	return f.tookOf("answer", "handover")
}

func wantAnswers(t *testing.T, f *fake, want ...string) {
	t.Helper()
	if got := answers(f); !slices.Equal(got, want) {
		t.Errorf("answers = %q, want %q", got, want)
	}
}

func atWork(t *testing.T) (*fake, *tuitest.Screen, *clock) {
	t.Helper()
	f := world()
	s, c := start(t, f, 100, 30)
	s.Send(agentScreen(75, 28, session.Modes{}))
	return f, s, c
}

func TestUnaskedBarTakesNoKey(t *testing.T) {
	f, s, _ := atWork(t)
	s.Type("ab")
	s.Send(decision("d1"))
	s.Type("1od")
	wantAnswers(t, f)
	f.wantTyped(t, "ab1od")
	// Nor in the composer.
	s.Press("ctrl+space", "c")
	s.Type("1o")
	wantAnswers(t, f, []string(nil)...)
	s.Want("1o")
}

func TestLeaderAndNumberAnswer(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"), decision("d2"))
	s.Want("1 of 2")
	s.Press("ctrl+space", "2")
	wantAnswers(t, f, `answer t1 d1 always1 ""`)
	s.Want("answered, always", "# d2")
	s.Type("x")
	if f.typed() != "x" {
		t.Error("the bar has taken the focus")
	}
}

func TestAnswerNamesWhatWasOnTheScreen(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space")
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: string(session.ReleaseGone)}, decision("d2"))
	s.Press("1")
	wantAnswers(t, f)
	s.Want("this is another request now", "# d2")
	f.wantTyped(t, "")

	// The same with the bar focused: the key that was meant for the first
	// answers nothing, and does not fall through to the agent's own prompt.
	s.Press("ctrl+space", "d")
	s.Send(tui.DecisionGoneMsg{ID: "d2", Reason: string(session.ReleaseGone)}, decision("d3"))
	s.Press("1", "o")
	wantAnswers(t, f)
	s.Want("this is another request")
	s.Press("tab", "o")
	wantAnswers(t, f, `answer t1 d3 once ""`)
	f.wantTyped(t, "")
}

func TestKeyForABarThatHasGoneGoesNowhere(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "d")
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: string(session.ReleaseTerminal)})
	s.Want("answered in the terminal")
	s.Press("1")
	f.wantTyped(t, "")
	s.Type("y")
	if f.typed() != "y" {
		t.Errorf("the focus did not go back: the agent got %q", f.typed())
	}
	wantAnswers(t, f)
}

func TestFocusedBarAnswersByLetterAndGivesTheFocusBack(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "d")
	s.Want("1/o once", "3/n deny…")
	s.Press("z", "o")
	wantAnswers(t, f, `answer t1 d1 once ""`)
	s.Type("x")
	f.wantTyped(t, "x")
}

func TestDenyTakesANote(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "3")
	wantAnswers(t, f)
	s.Want("note: ")
	if c := s.View().Cursor; c == nil || c.Y < 1 || c.Y > 6 {
		t.Errorf("cursor = %+v", c)
	}
	s.Type("not the build")
	s.Want("not the build")
	s.Press("esc")
	s.Want("3/n deny…")
	s.Press("n")
	s.Type("use make clean")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 d1 deny "use make clean"`)
	s.Send(decision("d2"))
	s.Press("ctrl+space", "3", "enter")
	wantAnswers(t, f, `answer t1 d2 deny ""`)
}

func TestNoteForADecisionThatHasGoneIsNotSent(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "3")
	s.Type("no")
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: "time ran out"}, decision("d2"))
	s.WantNot("note: ")
	s.Want("time ran out", "this is another request")
	s.Press("enter", "enter")
	wantAnswers(t, f)
}

func TestOptionsAreOffWhileAnAnswerIsUnderWay(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "d")
	s.Held = true
	s.Press("1", "1", "2")
	s.Want("under way")
	s.Wait()
	wantAnswers(t, f, `answer t1 d1 once ""`)
}

func TestOutcomesAreTold(t *testing.T) {
	for want, r := range map[string]session.Receipt{
		"it was answered before, deny":         {Outcome: session.OutcomeDuplicate, Option: session.OptionDeny},
		"no longer asked":                      {Outcome: session.OutcomeUnknown},
		"the agent has stopped waiting for it": {Outcome: session.OutcomeUnavailable},
		"answered, once · Bash wants to run":   {Outcome: session.OutcomeAnswered, Option: session.OptionOnce},
	} {
		f, s, c := atWork(t)
		f.receipt = r
		s.Send(decision("d1"))
		s.Press("ctrl+space", "1")
		s.Want(want)
		s.WantNot("1 once")
		c.now = c.now.Add(5 * time.Second)
		s.Send(c.fire[len(c.fire)-1](c.now))
		s.WantNot(want)
	}
	f, s, _ := atWork(t)
	f.fails["answer"] = &session.Error{Code: session.CodeFailed, Message: "the helper does not answer", Hint: "try again"}
	s.Send(decision("d1"))
	s.Press("ctrl+space", "1")
	s.Want("the helper does not answer", "1 once")
}

func TestWholeDetailAndTheTerminal(t *testing.T) {
	f, s, _ := atWork(t)
	d := decision("d1")
	d.Decision.Detail = strings.Repeat("line of the detail\n", 60) + "hidden\u200bend"
	s.Send(d)
	s.WantNot("hidden")
	s.Press("ctrl+space", "d", "d", "end")
	s.Want("hidden⟨U+200B⟩end")
	s.Press("esc", "t")
	wantAnswers(t, f, "handover t1 d1")
	s.Type("x")
	f.wantTyped(t, "x")
}

func TestClicksOnTheBar(t *testing.T) {
	f, s, c := atWork(t)
	s.Send(decision("d1"), decision("d2"))
	c.now = c.now.Add(time.Second)
	s.ClickOn("rm -rf")
	s.Want("1/o once")
	s.ClickOn("once")
	wantAnswers(t, f, `answer t1 d1 once ""`)
	c.now = c.now.Add(time.Second)
	s.ClickOn("deny")
	s.Want("note: ")
	s.Press("esc")
	s.Send(decision("d3"))
	s.ClickOn("tab next")
	s.Want("# d3")
	s.ClickOn("tab next")
	s.Want("# d2")
	s.ClickOn("whole")
	s.WantNot("agent row")
}

// What is in the way of a click that was meant for something else is answered
// by it as little as by a key.
func TestAClickAnswersNoDecisionThatHasJustComeUnderThePointer(t *testing.T) {
	f, s, c := atWork(t)
	s.Send(decision("d1"), decision("d2"))
	x, y, _ := s.Find("1 once")
	s.Click(x, y)
	wantAnswers(t, f)
	c.now = c.now.Add(time.Second)
	s.Click(x, y)
	wantAnswers(t, f, `answer t1 d1 once ""`)
	c.now = c.now.Add(time.Second / 5)
	s.Click(x, y) // of a pair; d2 has come in the place of d1
	wantAnswers(t, f)
	s.Want("# d2")
	s.Type("o") // nor has it got the focus
	wantAnswers(t, f)
	c.now = c.now.Add(time.Second)
	s.Click(x, y)
	wantAnswers(t, f, `answer t1 d2 once ""`)
}

// What is named beside a note can be clicked, and a click beside it keeps it.
func TestClicksWhileANoteIsWritten(t *testing.T) {
	f, s, c := atWork(t)
	s.Send(decision("d1"))
	c.now = c.now.Add(time.Second)
	s.ClickOn("deny")
	s.Type("not now")
	s.ClickOn("rm -rf")
	s.Want("not now")
	s.ClickOn("esc back")
	s.WantNot("not now")
	s.ClickOn("deny")
	s.Type("never")
	s.ClickOn("enter send")
	wantAnswers(t, f, `answer t1 d1 deny "never"`)
}

func TestClicksOnABarThatHasChanged(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "d")
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: "no longer asked"}, decision("d2"))
	s.ClickOn("esc leave it")
	s.WantNot("this is another request")
	s.Type("x")
	f.wantTyped(t, "x")
	s.Press("ctrl+space", "d")
	s.Send(tui.DecisionGoneMsg{ID: "d2", Reason: "no longer asked"}, decision("d3"))
	s.ClickOn("tab answer it")
	s.Press("o")
	wantAnswers(t, f, `answer t1 d3 once ""`)
}

func TestUnprovenDecisionsHaveNoButtons(t *testing.T) {
	f, s, _ := atWork(t)
	d := decision("d1")
	d.Decision.Answerable = false
	s.Send(d)
	s.Want("answer it in the terminal")
	s.Press("ctrl+space", "1", "ctrl+space", "d", "o", "1")
	wantAnswers(t, f)
	s.ClickOn("d whole")
	s.WantNot("agent row")
	wantAnswers(t, f)
	s.Press("esc")
	s.ClickOn("t terminal")
	wantAnswers(t, f, "handover t1 d1")
}

func TestDecisionsOfOtherThreadsShowInTheList(t *testing.T) {
	f, s, _ := atWork(t)
	d := decision("d9")
	d.Decision.Thread = "t3"
	s.Send(d)
	s.Want("! Migrate store")
	s.WantNot("wants to run")
	s.Press("ctrl+space", "1")
	wantAnswers(t, f)
	s.Press("ctrl+space", "k")
	s.Want("Bash wants to run")
}

func TestBarUnderAListIsNotAnswered(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Press("ctrl+space", "o", "ctrl+space", "1")
	wantAnswers(t, f)
	s.Press("ctrl+space", "d", "1")
	wantAnswers(t, f, `answer t1 d1 once ""`)
}

func TestDeadlineIsShownWhenItIsNear(t *testing.T) {
	_, s, c := atWork(t)
	d := decision("d1")
	d.Decision.Deadline = noon.Add(90 * time.Second)
	s.Send(d)
	s.WantNot("s left")
	c.now = noon.Add(61 * time.Second)
	s.Send(tea.FocusMsg{})
	s.Want("29 s left")
	s.Send(tui.DecisionGoneMsg{ID: "d1"})
	p := proposed("c1", runs("Run it", "make"))
	p.Card.Deadline = c.now.Add(41 * time.Second)
	s.Send(p)
	s.Want("41 s left")
	if last := c.ticks[len(c.ticks)-1]; last > time.Second {
		t.Errorf("the screen wakes in %s", last)
	}
}

// What was written is there again when the answer was not taken; for another
// option it is not.
func TestTheNoteOfAnAnswerThatWasNotTakenIsNotLost(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	f.fails["answer"] = errors.New("not now")
	s.Press("ctrl+space", "3")
	s.Type("not in this folder")
	s.Press("enter")
	s.Want("not now")
	wantAnswers(t, f, `answer t1 d1 deny "not in this folder"`)
	delete(f.fails, "answer")
	s.Press("3")
	s.Want("not in this folder")
	s.Type(", please")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 d1 deny "not in this folder, please"`)
	s.Send(decision("d2"))
	s.Press("ctrl+space", "3")
	s.WantNot("not in this folder")
}
