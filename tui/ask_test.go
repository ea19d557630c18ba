package tui_test

import (
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

func question(id session.DecisionID) tui.DecisionMsg {
	return tui.DecisionMsg{Decision: session.Decision{
		ID: id, Thread: "t1", Pane: session.PaneAgent, Agent: "claude", Kind: session.KindQuestion,
		Tool: "AskUserQuestion", Title: "Which of them first?", Answerable: true,
		Detail: "Which of them first? (several can be chosen)\n1  The parser — it is small\n2  The store\n3  The docs",
		Options: []session.Option{
			{ID: session.OptionChoice(1), Label: "The parser"},
			{ID: session.OptionChoice(2), Label: "The store"},
			{ID: session.OptionChoice(3), Label: "The docs"},
			{ID: session.OptionSeveral, Label: "several", Note: true},
			{ID: session.OptionOther, Label: "other", Note: true},
			{ID: session.OptionDeny, Label: "decline", Note: true},
		},
	}}
}

func TestQuestionIsAnsweredWithSeveralChoices(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(question("q1"))
	s.Want("Claude asks", "Which of them first?", "1  The parser — it is small", "4 several…")
	s.Press("ctrl+space", "4")
	s.Want("[ ] 1 The parser", "[ ] 3 The docs", "enter send")
	s.Press("enter")
	wantAnswers(t, f)
	s.Want("nothing is picked")
	s.Press("1", "2", "2", "3", "9")
	s.Want("[x] 1 The parser", "[ ] 2 The store", "[x] 3 The docs")
	s.ClickOn("[x] 3")
	s.ClickOn("2 The store")
	s.Want("[x] 2 The store", "[ ] 3 The docs")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 several "1,2"`)
	s.Type("x")
	f.wantTyped(t, "x")
}

func TestPickingEndsWithItsQuestion(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(question("q1"))
	s.Press("ctrl+space", "4", "1")
	s.Send(tui.DecisionGoneMsg{ID: "q1", Reason: "no longer asked"}, question("q2"))
	s.WantNot("[x]", "[ ]")
	s.Press("enter", "1")
	wantAnswers(t, f)
	s.Press("tab", "4", "esc")
	s.WantNot("[ ]")
	wantAnswers(t, f)
}

func TestAnswerInOnesOwnWordsNeedsThem(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(question("q1"))
	s.Press("ctrl+space", "5")
	s.Want("your answer")
	s.Press("enter")
	wantAnswers(t, f)
	s.Want("no answer without its text")
	if _, y, _ := s.Find("note: "); s.View().Cursor == nil || s.View().Cursor.Y != y {
		t.Errorf("the cursor is %+v, the note in row %d:\n%s", s.View().Cursor, y, s.Text())
	}
	s.Type("both at once")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 q1 other "both at once"`)
}

func TestPlanIsSentBackWithANote(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(tui.DecisionMsg{Decision: session.Decision{
		ID: "d1", Thread: "t1", Pane: session.PaneAgent, Agent: "claude", Kind: session.KindPlan, Tool: "ExitPlanMode",
		Title: "Migrate the store", Detail: "# Migrate the store\n\n1. Copy\n2. Switch", Answerable: true,
		Options: []session.Option{{ID: session.OptionApprove, Label: "approve"}, {ID: session.OptionDeny, Label: "keep planning", Note: true}},
	}})
	s.Want("▌ Plan", "# Migrate the store", "1. Copy", "2 keep planning…")
	s.Press("ctrl+space", "2")
	s.Want("what to change")
	s.Type("copy last")
	s.Press("enter")
	wantAnswers(t, f, `answer t1 d1 deny "copy last"`)
}

func TestWholeDetailIsPagedAndAnswered(t *testing.T) {
	f, s, _ := atWork(t)
	d := decision("d1")
	d.Decision.Detail = strings.Repeat("echo line\n", 99) + "echo last"
	s.Send(d)
	s.Press("ctrl+space", "d", "d")
	s.Want("Bash wants to run", "lines 1–24 of 100", "1 once", "3 deny…")
	s.WantNot("echo last", "d whole", "1 of 1")
	s.Press("pgdown")
	s.Want("lines 24–47 of 100")
	s.Press("G")
	s.Want("echo last", "lines 77–100 of 100")
	s.Send(tea.MouseWheelMsg{X: 50, Y: 10, Button: tea.MouseWheelUp})
	s.Want("lines 74–97 of 100")
	s.Press("1")
	wantAnswers(t, f, `answer t1 d1 once ""`)
	s.Want("agent row 5")
	s.Send(decision("d2"))
	s.Press("ctrl+space", "d", "d")
	s.ClickOn("2 always")
	wantAnswers(t, f, `answer t1 d2 always1 ""`)
}

func TestWholeDetailOfWhatHasGoneTakesNoAnswer(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"), decision("d2"))
	s.Press("ctrl+space", "d", "d")
	s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: "no longer asked"})
	s.Want("no longer asked")
	s.Press("1", "t")
	wantAnswers(t, f)
}

// TestBarLeavesTheTerminalAlone shows the terminal before a bar and after it:
// nothing was sent to the pane, its size was not told again, and what is seen
// is the same to the cell, scrolled back or not.
func TestBarLeavesTheTerminalAlone(t *testing.T) {
	for _, back := range []bool{false, true} {
		f := world()
		f.rows = 200
		s, c := start(t, f, 100, 30)
		fr := agentScreen(75, 28, session.Modes{Focus: true})
		fr.Frame.History = 200
		s.Send(fr)
		if back {
			s.Press("ctrl+space", "[", "pgup")
			s.Want("old line")
		}
		before, cursor := s.View().Content, s.View().Cursor
		f.took()
		f.inputs = nil
		s.Send(decision("d1"), decision("d2"))
		s.Want("1 of 2")
		s.Send(tui.DecisionGoneMsg{ID: "d1", Reason: "no longer asked"}, tui.DecisionGoneMsg{ID: "d2", Reason: "answered in the terminal"})
		s.Want("answered in the terminal")
		for len(c.fire) > 0 {
			fire := c.fire
			c.fire = nil
			c.now = c.now.Add(5e9)
			for _, fn := range fire {
				s.Send(fn(c.now))
			}
			c.now = noon
			if !s.Has("answered in the terminal") {
				break
			}
		}
		if s.View().Content != before {
			t.Errorf("the screen is another than before the bar:\n%s", s.Text())
		}
		if got := s.View().Cursor; (got == nil) != (cursor == nil) || got != nil && got.Position != cursor.Position {
			t.Errorf("the cursor is %+v, was %+v", got, cursor)
		}
		if len(f.inputs) != 0 {
			t.Errorf("the pane got %+v", f.inputs)
		}
		if calls := f.tookOf("view", "hide"); len(calls) > 0 {
			t.Errorf("calls = %q", calls)
		}
	}
}

func TestOneKeyToTheNextThreadThatNeedsYou(t *testing.T) {
	f, s, _ := atWork(t)
	d := decision("d9")
	d.Decision.Thread = "t3"
	s.Send(d)
	s.Press("ctrl+space", "a")
	s.Want("Cover loader  ")
	s.Press("ctrl+space", "a")
	s.Want("Migrate store  ", "Bash wants to run")
	s.Press("ctrl+space", "1")
	wantAnswers(t, f, `answer t3 d9 once ""`)
	f.threads[1].NeedsYou, f.threads[1].State = false, session.StateDone
	s.Send(tui.StoreChangedMsg{})
	s.Press("ctrl+space", "a")
	s.Want("nothing waits for you")
	s.Send(d)
	s.Press("ctrl+space", "a")
	s.Want("1/o once") // what waits here has the focus
}

func TestPersonIsCalledOnlyWhileTheWindowIsNotLookedAt(t *testing.T) {
	for notify, want := range map[string]string{
		tui.NotifyOff: "", "": "", tui.NotifyBell: "\a", tui.NotifyOSC9: "\x1b]9;Fix the parser: Bash wants to run\x07",
		tui.NotifyOSC777: "\x1b]777;notify;aside;Fix the parser: Bash wants to run\x07",
	} {
		f := world()
		m := tui.New(tui.Options{
			Backend: f, Context: t.Context(), Notify: notify, Tick: (&clock{}).Tick,
		})
		s := tuitest.New(t, m, 100, 30)
		called := func() string {
			out := ""
			for _, msg := range s.Msgs {
				if raw, ok := msg.(tea.RawMsg); ok {
					out += sprint(raw.Msg)
				}
			}
			s.Msgs = nil
			return out
		}
		called() // the question for the background
		s.Send(decision("d1"))
		if got := called(); got != "" {
			t.Errorf("%q: called with %q while the window has the focus", notify, got)
		}
		s.Send(tea.BlurMsg{}, decision("d2"), decision("d3"))
		if got := called(); got != want {
			t.Errorf("%q: called with %q, want %q once", notify, got, want)
		}
		s.Send(tea.FocusMsg{}, tea.BlurMsg{}, tui.StatusMsg{Thread: "t1", Status: session.Status{State: session.StateNeedsYou}})
		if got := called(); (got != "") != (want != "") {
			t.Errorf("%q: called with %q after it was looked at", notify, got)
		}
	}
}

func TestBarHidesNoCardOfTheTranscript(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 26)
	s.Press("ctrl+space", "h")
	s.Send(decision("d1"))
	s.Press("tab", "p")
	s.Want("Bash wants to run", "Make LoadSettings return")
	_, bar, _ := s.Find("t terminal")
	s.Press("home")
	if _, y, ok := s.Find("› Fix the parser so"); !ok || y <= bar {
		t.Errorf("the first prompt is in row %d, the bar ends in %d:\n%s", y, bar, s.Text())
	}
	s.Press("end")
	s.ClickOn("▾ The prompt")
	s.WantNot("Make LoadSettings return")
	s.ClickOn("Not now  n")
	if got := did(f, "dismiss"); !slices.Equal(got, []string{"dismiss p3"}) {
		t.Errorf("calls = %q", got)
	}
}
