package tui_test

import (
	"errors"
	"testing"
	"time"

	"aside/session"
	"aside/tui"
)

// questions is a decision that asks two questions at once, several choices
// being allowed for the second.
func questions(id session.DecisionID) tui.DecisionMsg {
	part := session.Question{
		Title: "Which part?", Detail: "Which part?\n1  The parser — it is small\n2  The store",
		Options: []session.Option{
			{ID: session.OptionChoice(1), Label: "The parser"},
			{ID: session.OptionChoice(2), Label: "The store"},
			{ID: session.OptionOther, Label: "other", Note: true},
		},
	}
	checks := session.Question{
		Title: "Which checks?", Detail: "Which checks? (several can be chosen)\n1  Tests\n2  Races\n3  Lint",
		Options: []session.Option{
			{ID: session.OptionChoice(1), Label: "Tests"},
			{ID: session.OptionChoice(2), Label: "Races"},
			{ID: session.OptionChoice(3), Label: "Lint"},
			{ID: session.OptionSeveral, Label: "several", Note: true},
			{ID: session.OptionOther, Label: "other", Note: true},
		},
	}
	return tui.DecisionMsg{Decision: session.Decision{
		ID: id, Thread: "t1", Pane: session.PaneAgent, Agent: "claude", Kind: session.KindQuestion,
		Tool: "AskUserQuestion", Title: "2 questions", Answerable: true,
		Detail: "Question 1: " + part.Detail + "\n\nQuestion 2: " + checks.Detail,
		Options: []session.Option{
			{ID: session.OptionAnswers, Label: "answer all", Note: true},
			{ID: session.OptionDeny, Label: "decline", Note: true},
		},
		Questions: []session.Question{part, checks},
	}}
}

func TestSeveralQuestionsAreAnsweredOneAfterAnother(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Want("Claude asks, question 1 of 2", "1  The parser — it is small", "1 The parser", "3 other…", "4 decline…")
	s.WantNot("Which checks?")
	s.Press("ctrl+space", "2")
	s.Want("Claude asks, question 2 of 2", "Which checks?", "4/s several…", "5/o other…", "6/n decline…", "t terminal", "esc back")
	s.WantNot("The store")
	s.Press("4", "1", "3")
	s.Want("[x] 1 Tests", "[ ] 2 Races", "[x] 3 Lint", "enter next")
	s.Press("enter")
	s.Want("Claude asks, your answers", "1 Which part? — The store", "2 Which checks? — Tests, Lint", "enter send", "3/n decline…")
	wantAnswers(t, f)
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 answers "" choice2="" several="1,3"`)
	s.Want("answered, The store; Tests, Lint")
	s.Type("x")
	f.wantTyped(t, "x")
}

func TestOnesOwnWordsToOneOfSeveralQuestionsMayHaveAnyCharacter(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "d", "o")
	s.Want("note: ", "enter next")
	s.Type("1; 2, then; the rest")
	s.Press("enter", "r")
	s.Want("1 Which part? — 1; 2, then; the rest", "2 Which checks? — Races")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 answers "" other="1; 2, then; the rest" choice2=""`)
}

func TestSeveralQuestionsByMouse(t *testing.T) {
	f, s, c := atWork(t)
	click := func(on string) {
		t.Helper()
		c.now = c.now.Add(time.Second)
		s.ClickOn(on)
	}
	s.Send(questions("q1"))
	click("1 The parser")
	s.Want("question 2 of 2")
	click("several…")
	click("2 Races")
	click("enter next")
	s.Want("2 Which checks? — Races")
	click("1 Which part?")
	s.Want("question 1 of 2", "so far: The parser")
	click("2/")
	s.Want("1 Which part? — The store")
	click("esc back")
	s.Want("question 2 of 2", "so far: Races")
	click("enter keep it")
	wantAnswers(t, f)
	click("enter send")
	wantAnswers(t, f, `answer t1 q1 answers "" choice2="" several="2"`)
}

// The second click of a pair was meant for the question before.
func TestADoubleClickAnswersOneQuestion(t *testing.T) {
	f, s, c := atWork(t)
	s.Send(questions("q1"))
	c.now = c.now.Add(time.Second)
	x, y, _ := s.Find("1 The parser")
	s.Click(x, y)
	s.Click(x, y)
	s.Want("question 2 of 2")
	s.WantNot("so far")
	s.Press("1")
	x, y, _ = s.Find("enter send")
	s.Click(x, y)
	wantAnswers(t, f)
	c.now = c.now.Add(time.Second)
	s.Click(x, y)
	wantAnswers(t, f, `answer t1 q1 answers "" choice1="" choice1=""`)
}

func TestBackGoesAQuestionBack(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "esc")
	s.Want("question 1 of 2", "so far: The parser", "enter keep it")
	s.Press("enter")
	s.Want("question 2 of 2")
	s.Press("o")
	s.Type("none")
	s.Press("enter", "esc")
	s.Want("question 2 of 2", "so far: none")
	s.Press("o")
	s.Want("note: › none")
	s.Type(" at all")
	s.Press("enter", "1")
	s.Want("question 1 of 2")
	s.Press("2")
	s.Want("1 Which part? — The store", "2 Which checks? — none at all")
	s.Press("2", "4", "2", "enter", "2", "4")
	s.Want("[ ] 1 Tests", "[x] 2 Races")
	s.Press("esc", "esc", "esc")
	s.Want("ctrl+space 1 The parser", "question 1 of 2")
	s.Type("x")
	if f.typed() != "x" {
		t.Errorf("the bar was not left: the agent got %q", f.typed())
	}
	wantAnswers(t, f)
}

func TestEveryStepCanBeDeclinedOrLeftToTheTerminal(t *testing.T) {
	for name, to := range map[string][]string{
		"at the first":  {"ctrl+space", "d"},
		"at the second": {"ctrl+space", "1"},
		"at the end":    {"ctrl+space", "1", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			f, s, _ := atWork(t)
			s.Send(questions("q1"), questions("q2"))
			s.Press(to...)
			s.Press("n")
			s.Want("note: ", "enter send")
			s.Type("let us talk")
			s.Press("enter")
			wantAnswers(t, f, `answer t1 q1 deny "let us talk"`)
			s.Press("tab")
			s.Press(to[2:]...)
			if len(to) > 2 {
				s.Press("1")
			}
			s.Press("t")
			wantAnswers(t, f, "handover t1 q2")
		})
	}
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "1", "3") // the number beside it
	s.Want("enter send", "note: ")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 deny ""`)
}

func TestTheWholeOfSeveralQuestionsSaysWhichIsAnswered(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "d")
	s.Want("Question 1: Which part?", "Question 2: Which checks?", "question 2 of 2: Which checks?", "1 Tests")
	s.WantNot("agent row")
	s.Press("2")
	s.Want("agent row", "2 Which checks? — Races")
	s.Press("d")
	s.Want("1 Which part? — The parser", "enter send")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 answers "" choice1="" choice2=""`)
}

// Where the person is with one decision has nothing to do with another thread,
// or another decision.
func TestThePlaceAmongSeveralQuestionsIsKept(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "2")
	s.Send(questions("q2"))
	s.Want("question 2 of 2", "1 of 2")
	s.Press("ctrl+space", "j", "ctrl+space", "k")
	s.Want("Claude asks, question 2 of 2", "ctrl+space 1 Tests")
	s.Press("ctrl+space", "d", "tab")
	s.Want("Claude asks, question 1 of 2")
	s.Press("1", "tab")
	s.Want("Claude asks, question 2 of 2")
	s.Press("1")
	s.Want("1 Which part? — The store")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 answers "" choice2="" choice1=""`)
	s.Press("tab")
	s.Want("Claude asks, question 2 of 2")
	s.Press("3", "enter")
	wantAnswers(t, f, `answer t1 q2 answers "" choice1="" choice3=""`)
}

func TestWhatIsUnfinishedIsKeptForItsQuestionAlone(t *testing.T) {
	f, s, _ := atWork(t)
	alike := func(id session.DecisionID) tui.DecisionMsg {
		d := questions(id)
		d.Decision.Questions[0] = d.Decision.Questions[1]
		return d
	}
	away := func() { s.Press("ctrl+space", "j", "ctrl+space", "k") }
	s.Send(alike("q1"), alike("q2"))
	s.Press("ctrl+space", "1", "5")
	s.Type("half a sent")
	away()
	s.WantNot("half a sent")
	s.Press("ctrl+space", "5")
	s.Want("note: › half a sent")
	away()
	s.Press("ctrl+space", "d", "esc", "5")
	s.Want("question 1 of 2", "note: ")
	s.WantNot("half a sent")
	s.Type("not this")
	away()
	s.Press("ctrl+space", "d", "tab", "5")
	s.Want("note: ")
	s.WantNot("not this")
	s.Press("esc", "4", "1")
	away()
	s.WantNot("[x]")
	s.Press("ctrl+space", "4")
	s.Want("[x] 1 Tests", "[ ] 2 Races")
	wantAnswers(t, f)
	f.wantTyped(t, "")
}

func TestHalfMadeAnswersAreDroppedWithTheirDecision(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "1")
	s.Send(tui.DecisionGoneMsg{ID: "q1", Reason: string(session.ReleaseTerminal)}, questions("q2"))
	s.Want("answered in the terminal", "question 1 of 2", "this is another request")
	s.Press("enter", "1")
	wantAnswers(t, f)
	s.Send(tui.DecisionGoneMsg{ID: "q2", Reason: string(session.ReleaseDeadline)}, questions("q1"))
	s.Want("time ran out", "question 1 of 2")
	s.WantNot("so far")
}

// What was answered to others is no answer to what is asked under the same id.
func TestHalfMadeAnswersAreDroppedWhereOtherQuestionsAreAsked(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "5")
	s.Type("of the second")
	s.Send(questions("q1")) // the same, as after a connection that broke
	s.Want("question 2 of 2", "note: › of the second")
	other := questions("q1")
	other.Decision.Questions[0], other.Decision.Questions[1] = other.Decision.Questions[1], other.Decision.Questions[0]
	s.Send(other)
	s.Want("question 1 of 2", "Which checks?")
	s.WantNot("note: ", "so far")
	s.Press("enter")
	wantAnswers(t, f)
}

// What is on its way is not asked again before it is known what became of it.
func TestEscapeLeavesTheBarWhileTheAnswersAreUnderWay(t *testing.T) {
	f, s, _ := atWork(t)
	f.fails["answer"] = errors.New("not now")
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "1")
	s.Held = true
	s.Press("enter")
	s.Want("the answer is under way")
	s.Press("esc")
	s.Wait()
	s.Want("not now", "Claude asks, your answers", "ctrl+space 2 Which checks? — Tests")
	wantAnswers(t, f, `answer t1 q1 answers "" choice1="" choice1=""`)
}

func TestAnswersToSeveralQuestionsThatWereNotTakenAreNotLost(t *testing.T) {
	f, s, _ := atWork(t)
	f.fails["answer"] = errors.New("not now")
	s.Send(questions("q1"))
	s.Press("ctrl+space", "1", "1", "enter")
	s.Want("not now", "2 Which checks? — Tests")
	delete(f.fails, "answer")
	s.Press("2", "2", "enter")
	wantAnswers(t, f, `answer t1 q1 answers "" choice1="" choice1=""`, `answer t1 q1 answers "" choice1="" choice2=""`)
}

// Each of them has its own letter, which no choice takes.
func TestOnesOwnWordsHaveTheirLetter(t *testing.T) {
	_, s, _ := atWork(t)
	d := question("q1")
	d.Decision.Options[0].Label = "one"
	d.Decision.Options[1].Label = "so"
	s.Send(d)
	s.Press("ctrl+space", "d")
	s.Want("1/e one", "4/s several…", "5/o other…", "6/n decline…")
}
