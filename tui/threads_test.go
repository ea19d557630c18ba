package tui_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

func sprint(v any) string { return fmt.Sprint(v) }

func TestFirstThreadIsMadeFromTheEmptyScreen(t *testing.T) {
	f := world()
	f.threads, f.proposals = nil, nil
	s, _ := start(t, f, 80, 24)
	s.Want("No threads here yet", "[Claude Code]")
	s.Press("enter") // nothing is written yet
	s.Type("Fix the parser")
	s.Press("shift+enter")
	s.Type("and test it")
	s.Press("tab")
	s.Want("[Codex]")
	if c := s.View().Cursor; c == nil {
		t.Error("the field has no cursor")
	} else if l := s.Lines()[c.Y]; !strings.Contains(l, "and test it") {
		t.Errorf("the cursor is on %q", l)
	}
	s.Press("enter")
	if got := did(f, "new"); !slices.Equal(got, []string{`new "Fix the parser" "Fix the parser\nand test it" codex`}) {
		t.Fatalf("calls = %q", got)
	}
	s.Want("Fix the parser", "codex", "starting")
	s.Type("x")
	f.wantTyped(t, "x")
}

func TestKeysBeforeTheFirstReadingAreKept(t *testing.T) {
	f := world()
	m := tui.New(tui.Options{Backend: f, Context: t.Context()})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	read := m.Init()
	m.Update(tea.KeyPressMsg(tuitest.Key("ctrl+space")))
	m.Update(tea.KeyPressMsg(tuitest.Key("n")))
	m.Update(tea.KeyPressMsg(tuitest.Key("x")))
	for _, cmd := range read().(tea.BatchMsg) {
		m.Update(cmd())
	}
	if view := m.View().Content; !strings.Contains(view, "New thread") || !strings.Contains(view, "Fix the parser") {
		t.Errorf("the form has been closed:\n%s", view)
	}
}

func TestThreadMadeElsewhereKeepsWhatIsWritten(t *testing.T) {
	f := world()
	threads := f.threads
	f.threads = nil
	s, _ := start(t, f, 80, 24)
	s.Type("Half a prom")
	f.threads = threads
	s.Send(tui.StoreChangedMsg{})
	s.Type("pt")
	s.Want("› Half a prompt", "Fix the parser")
	s.Press("esc")
	s.Want("claude · needs you")
}

func TestAgentThatEndsIsNoticedAtOnce(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	code := 1
	f.threads[0].Live, f.threads[0].State, f.threads[0].ExitCode = false, session.StateExited, &code
	s.Send(tui.ExitMsg{Thread: "t1", Pane: session.PaneAgent, Code: 1})
	s.Want("agent row 5", "no agent runs here", "exit 1")
}

// What the helper says of the end, and of who wanted it, is shown before the
// store says it too.
func TestTheEndOfAnAgentIsSaidInWords(t *testing.T) {
	for want, end := range map[string]struct {
		status session.Status
		code   int
	}{
		"stopped":                    {session.Status{State: session.StateExited, Source: session.SourcePerson}, 143},
		"failed, killed by signal 9": {session.Status{State: session.StateFailed, Source: session.SourceProcess}, 137},
		"exited":                     {session.Status{State: session.StateExited, Source: session.SourceProcess}, 0},
	} {
		f := world()
		s, _ := start(t, f, 120, 40)
		f.fails["threads"] = errors.New("the store is busy")
		s.Send(tui.StatusMsg{Thread: "t1", Status: end.status}, tui.ExitMsg{Thread: "t1", Pane: session.PaneAgent, Code: end.code})
		if head := s.Lines()[0]; !strings.Contains(head, "· "+want+" ·") {
			t.Errorf("the header is %q, want %q", head, want)
		}
	}
}

func TestFormKeepsWhatIsWrittenWhenItFails(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	f.fails["new"] = &session.Error{Code: session.CodeFailed, Message: "claude does not start", Hint: "aside doctor"}
	s.Press("ctrl+space", "n")
	s.Type("Do it")
	s.Press("enter")
	s.Want("! claude does not start · aside doctor", "› Do it")
	s.Press("esc")
	s.Want("Fix the parser  ")
	s.Press("ctrl+space", "n")
	s.Want("› Do it")
}

func TestNoAgentIsSaid(t *testing.T) {
	f := world()
	f.agents = nil
	s, _ := start(t, f, 80, 24)
	s.Press("ctrl+space", "n")
	s.Want("no agent is installed here")
	s.Type("x")
	s.Press("enter")
	if got := did(f, "new"); len(got) != 0 {
		t.Errorf("calls = %q", got)
	}
}

func TestComposerSendsAndKeeps(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("c")
	s.Type("first")
	s.Press("ctrl+j")
	s.Type("second")
	s.Press("alt+enter", "enter")
	if got := did(f, "send"); !slices.Equal(got, []string{`send t1 "first\nsecond"`}) {
		t.Fatalf("calls = %q", got)
	}
	s.Want("› Write to the agent")
	f.fails["send"] = &session.Error{Code: session.CodeFailed, Message: "the prompt was not delivered", Hint: "send it again"}
	s.Type("third")
	s.Press("enter")
	s.Want("the prompt was not delivered · send it again", "› third")
	if got := f.threads[0].Draft; got != "third" {
		t.Errorf("the draft is %q", got)
	}
}

// What is written while a draft is being kept is kept after it.
func TestWordsWrittenDuringASaveAreKept(t *testing.T) {
	f := world()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "c")
	s.Held = true
	s.Type("one two three ")
	s.Wait()
	if got := f.threads[0].Draft; got != "one two three " {
		t.Errorf("the draft is %q", got)
	}
}

func TestWhatIsWrittenWhileSendingStays(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("c")
	s.Type("first")
	s.Held = true
	s.Press("enter")
	s.Want("sending…")
	s.Type("and more")
	s.Press("enter") // one after the other
	s.Want("the prompt before is still being sent")
	s.Wait()
	s.Want("› and more")
	if got := did(f, "send"); !slices.Equal(got, []string{`send t1 "first"`}) {
		t.Errorf("calls = %q", got)
	}
	s.Held = false
	s.Press("enter")
	if got := did(f, "send"); !slices.Equal(got, []string{`send t1 "and more"`}) {
		t.Errorf("calls = %q", got)
	}
	s.Want("› Write to the agent")
}

// Who only looks into the transcript, or writes a prompt there, comes back to
// the terminal; who has chosen the transcript stays in it.
func TestEscComesBackToTheTerminal(t *testing.T) {
	for name, keys := range map[string][]string{
		"from the transcript":  {"ctrl+space", "h", "esc"},
		"from the composer":    {"ctrl+space", "c", "esc", "esc"},
		"by the leader":        {"ctrl+space", "c", "ctrl+space", "m"},
		"after several visits": {"ctrl+space", "h", "esc", "ctrl+space", "c", "ctrl+space", "h", "esc"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, world(), 100, 40)
			s.Send(agentScreen(75, 38, session.Modes{}))
			s.Press("ctrl+space", "h")
			s.WantNot("agent row 5")
			s.Press("ctrl+space", "m")
			s.Press(keys...)
			s.Want("agent row 5")
			s.WantNot("Write to the agent")
		})
	}
	s, _ := start(t, world(), 100, 40)
	s.Send(agentScreen(75, 38, session.Modes{}))
	s.Press("ctrl+space", "v", "ctrl+space", "h", "esc")
	s.Want("Write to the agent")
	s.WantNot("agent row 5")
}

// A prompt that does not arrive comes back, before what was written meanwhile.
func TestAPromptThatIsNotDeliveredComesBack(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("c")
	s.Type("first")
	s.Held = true
	f.fails = map[string]error{"send": errors.New("the agent does not take it")}
	s.Press("enter")
	s.Type("and more")
	s.Wait()
	s.Want("the agent does not take it", "› first", "› and more")
	f.fails = nil
	s.Held = false
	s.Press("enter")
	if got := did(f, "send"); !slices.Contains(got, `send t1 "first\nand more"`) {
		t.Errorf("calls = %q", got)
	}
}

func TestDraftIsKeptAndComesBack(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("c")
	s.Type("half a thou")
	s.Press("ctrl+space", "j")
	if got := f.threads[0].Draft; got != "half a thou" {
		t.Errorf("the draft is %q", got)
	}
	s.Press("ctrl+space", "k")
	s.Want("› half a thou")

	// Another screen opened later shows it too.
	s = inTranscript(t, f)
	s.Want("› half a thou")

	// What is read while it is written does not replace it.
	s.Press("c")
	s.Type("ght")
	s.Send(tui.StoreChangedMsg{})
	s.Want("› half a thought")
	s.Press("ctrl+space", "q")
	if !s.Closed || f.threads[0].Draft != "half a thought" {
		t.Errorf("closed %v with the draft %q", s.Closed, f.threads[0].Draft)
	}
}

func TestDraftsFromElsewhereDoNotReplaceWhatIsWritten(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("c")
	s.Type("mine")
	f.threads[0].Draft = "theirs"
	s.Send(tui.StoreChangedMsg{})
	s.Want("› mine")
}

func TestDraftReadBeforeItWasSavedIsNotShown(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("c")
	s.Type("words")
	_, read := s.Model().Update(tui.StoreChangedMsg{})
	late := results(read) // before the draft is saved
	s.Press("esc")
	if f.threads[0].Draft != "words" {
		t.Fatalf("the draft is %q", f.threads[0].Draft)
	}
	for _, msg := range late {
		s.Send(msg)
	}
	s.Want("› words")
}

// results runs a command and the commands it batches.
func results(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		return []tea.Msg{msg}
	}
	var out []tea.Msg
	for _, c := range batch {
		out = append(out, results(c)...)
	}
	return out
}

func TestUndeliveredPromptIsShown(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	f.threads[0].Problem, f.threads[0].Draft = "The prompt was not delivered", "Fix the parser"
	s.Send(tui.StoreChangedMsg{})
	s.Want("! The prompt was not delivered", "› Fix the parser")
	s.Press("ctrl+space", "v", "ctrl+space", "v") // both, then the terminal
	s.Want("! The prompt was not delivered · ctrl+space c")
	s.Press("ctrl+space", "c")
	s.Want("› Fix the parser")
}

func TestListOfThreads(t *testing.T) {
	f := world()
	s, _ := start(t, f, 100, 30)
	s.Press("ctrl+space", "t", "j", "enter")
	s.Want("codex · done")
	s.ClickOn("◐ ! Cover loader")
	s.Want("claude · needs you")
	s.Press("ctrl+space", "t", "G", "u")
	if got := did(f, "resume"); !slices.Equal(got, []string{"resume t3"}) {
		t.Errorf("calls = %q", got)
	}
	s.Press("g", "j", "r")
	for range "Fix the parser" {
		s.Press("backspace")
	}
	s.Type("New title")
	s.Press("enter")
	if got := did(f, "rename"); !slices.Equal(got, []string{`rename t1 "New title"`}) {
		t.Errorf("calls = %q", got)
	}
	s.Press("s")
	s.Want("Stop “Fix the parser”?", "y stop it")
	s.Press("n", "s", "y")
	if got := did(f, "stop"); !slices.Equal(got, []string{"stop t1"}) {
		t.Errorf("calls = %q", got)
	}
}

func TestRemovalIsSpeltOutFirst(t *testing.T) {
	f := world()
	f.removal = []string{"The branch aside/fix is kept: it has 2 commits that are nowhere else.", "node_modules goes."}
	s, _ := start(t, f, 100, 30)
	s.Held = true
	s.Press("ctrl+space", "x", "y") // before it is known what would go, yes does nothing
	s.Wait()
	s.Want("Remove “Fix the parser”?", "2 commits", "node_modules goes.", "y remove it")
	s.Press("esc")
	s.WantNot("node_modules")
	s.Press("ctrl+space", "x", "y")
	if got := did(f, "remove"); !slices.Equal(got, []string{"remove t1 keep=false"}) {
		t.Errorf("calls = %q", got)
	}
	s.Want("removed; the branch is kept")
}

func TestViewIsKeptPerThread(t *testing.T) {
	f := world()
	s, _ := start(t, f, 180, 40)
	s.Want("I looked at parse.go") // both views, it is wide
	s.Press("ctrl+space", "v")
	s.WantNot("I looked at parse.go")
	s.Press("ctrl+space", "j", "ctrl+space", "k")
	s.WantNot("I looked at parse.go")
	s.Press("ctrl+space", "v")
	s.Want("I looked at parse.go")
	s.Send(tea.WindowSizeMsg{Width: 90, Height: 30})
	s.Want("I looked at parse.go")
}

func TestFocusLeavesWhatIsNotShownAnyMore(t *testing.T) {
	f := world()
	s, _ := start(t, f, 180, 40)
	s.Press("ctrl+space", "c")
	s.Type("ab")
	s.Send(tea.WindowSizeMsg{Width: 90, Height: 30}) // one view only: the terminal
	s.Type("cd")
	f.wantTyped(t, "cd")
	s.Press("ctrl+space", "t", "ctrl+space", "b") // the list of threads is hidden
	s.Type("q")
	if f.typed() != "cdq" || s.Closed {
		t.Errorf("the agent got %q", f.typed())
	}
}

// The key that starts an ended agent again is seen whatever there is to say, and
// can be clicked.
func TestTheComposerOfAnEndedThreadNamesTheKey(t *testing.T) {
	for _, w := range []int{60, 80, 120} {
		for _, problem := range []string{"", "Its helper ended without warning, and the agent with it — resume it to go on"} {
			f := world()
			f.threads[0].Live, f.threads[0].State, f.threads[0].Problem = false, session.StateFailed, problem
			s, _ := start(t, f, w, 24)
			s.Want("ctrl+space u start it again")
			if problem != "" {
				s.Want("! Its")
			}
			s.ClickOn("start it again")
			if got := did(f, "resume"); !slices.Equal(got, []string{"resume t1"}) {
				t.Errorf("in %d columns, with %q: calls = %q", w, problem, got)
			}
		}
	}
	s, _ := start(t, world(), 80, 24)
	s.Press("ctrl+space", "c")
	s.WantNot("start it again")
}

func TestEndedThreadSaysSo(t *testing.T) {
	f := world()
	code := 3
	f.threads[0].Live, f.threads[0].State, f.threads[0].ExitCode = false, session.StateFailed, &code
	s, _ := start(t, f, 80, 24)
	s.Press("ctrl+space", "v")
	s.Want("no agent runs here · ctrl+space u", "failed, exit 3")
	s.Press("ctrl+space", "u")
	if got := did(f, "resume"); !slices.Equal(got, []string{"resume t1"}) {
		t.Errorf("calls = %q", got)
	}
}

func TestRemovedThreadLeavesTheScreen(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	f.threads = f.threads[1:]
	f.fails["entries"] = &session.Error{Code: session.CodeNotFound, Message: "no such thread"}
	s.Send(tui.StoreChangedMsg{})
	f.fails["entries"] = nil
	s.WantNot("Fix the parser  ", "no such thread")
	s.Want("Cover loader")
	f.threads = nil
	s.Send(tui.StoreChangedMsg{})
	s.Want("No threads here yet")
}

func TestNoTicksWhileNothingChanges(t *testing.T) {
	f := world()
	f.threads[0].State = session.StateIdle
	s, c := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Type("abc")
	if len(c.ticks) != 0 {
		t.Fatalf("ticks = %v", c.ticks)
	}
	s.Send(tui.StatusMsg{Thread: "t1", Status: session.Status{State: session.StateWorking, At: noon}})
	for range 5 {
		s.Send(agentScreen(61, 22, session.Modes{}))
	}
	if !slices.Equal(c.ticks, []time.Duration{time.Second}) {
		t.Fatalf("ticks = %v", c.ticks)
	}
	s.Send(tui.NoticeMsg{Text: "hello", Hint: "there"})
	s.Want("hello · there")
	for i := 1; i <= 8; i++ {
		c.now = noon.Add(time.Duration(i) * time.Second)
		n := len(c.fire)
		s.Send(c.fire[n-1](c.now))
		if len(c.fire) != n+1 {
			t.Fatalf("after %d s there are %d ticks more", i, len(c.fire)-n)
		}
	}
	s.Want("working 0:50")
	s.WantNot("hello")
	s.Send(tea.BlurMsg{})
	blurred := len(c.fire)
	s.Send(c.fire[blurred-1](c.now))
	if len(c.fire) != blurred {
		t.Error("it ticks though nobody looks")
	}
	s.Send(tea.FocusMsg{})
	s.Send(tui.StatusMsg{Thread: "t1", Status: session.Status{State: session.StateIdle}})
	n := len(c.fire)
	s.Send(c.fire[n-1](c.now))
	if len(c.fire) != n {
		t.Error("it ticks though the agent is idle")
	}
}

func TestASoonerTickDoesNotDoubleTheTicks(t *testing.T) {
	f := world()
	f.threads[0].State = session.StateIdle
	s, c := start(t, f, 80, 24)
	s.Send(tui.NoticeMsg{Text: "hello"})
	s.Send(tui.StatusMsg{Thread: "t1", Status: session.Status{State: session.StateWorking, At: noon}})
	if !slices.Equal(c.ticks, []time.Duration{6 * time.Second, time.Second}) {
		t.Fatalf("ticks = %v", c.ticks)
	}
	for i := 1; i <= 6; i++ {
		c.now = noon.Add(time.Duration(i) * time.Second)
		s.Send(c.fire[len(c.fire)-1](c.now))
	}
	n := len(c.fire)
	s.Send(c.fire[0](c.now)) // the one that was asked for first
	if len(c.fire) != n {
		t.Error("there are two series of ticks now")
	}
}

func TestFailuresAreTold(t *testing.T) {
	f := world()
	f.fails["threads"] = &session.Error{Code: session.CodeFailed, Message: "the store is locked", Hint: "close the other"}
	s, _ := start(t, f, 80, 24)
	s.Want("! the store is locked · close the other")
	f.fails["threads"] = nil
	s.Send(tui.StoreChangedMsg{})
	s.Want("Fix the parser")
}

func TestEverySizeIsDrawn(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(decision("d1"), tui.AskMsg{Ask: tui.Ask{Title: "x", Yes: "y", No: "n"}, Reply: func(bool) {}})
	for _, keys := range [][]string{{"ctrl+space", "m"}, {"ctrl+space", "v"}, {"ctrl+space", "o"}, {"ctrl+space", "?"}, {"esc"}, {"ctrl+space", "n"}} {
		s.Press(keys...)
		for w := 0; w <= 60; w += 3 {
			for h := range 12 {
				s.Send(tea.WindowSizeMsg{Width: w, Height: h})
				if lines := strings.Split(s.View().Content, "\n"); h > 0 && w > 0 && len(lines) != h {
					t.Fatalf("%dx%d has %d rows", w, h, len(lines))
				}
			}
		}
		s.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
}

func TestNoColor(t *testing.T) {
	f := world()
	m := tui.New(tui.Options{Backend: f, Context: t.Context(), Theme: tui.ThemeNone, Tick: (&clock{}).Tick})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, p := range []string{";5;", "[3", "[9", "48;"} {
		if strings.Contains(m.View().Content, "\x1b"+p) {
			t.Errorf("the frame has a colour: %q", p)
		}
	}
}

func TestANewcomerIsToldTheWayAtAnySize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 20}, {200, 50}} {
		f := world()
		f.threads, f.proposals = nil, nil
		s, _ := start(t, f, size[0], size[1])
		s.Want("Write what is to be done", "ctrl+space 1  answers what it asks", "ctrl+space o  its offers: start,", "ctrl+space q  closes the screen",
			"What should the agent do?", "enter start")
		// The leader alone says the two keys that a lost person needs.
		s.Press("ctrl+space")
		s.Want("? all keys  q close")
		s.Press("?")
		s.Want("esc close", "Starting a new thread")
		s.Press("end")
		s.Want("close the screen; the agents go")
		s.Press("esc")
		s.Want("What should the agent do?")
	}
}

func TestHintsNameKeysThatWorkWhereTheyAreRead(t *testing.T) {
	f, s, _ := atWork(t)
	s.Send(decision("d1"))
	s.Want("ctrl+space 1 once", "d more", "ctrl+space o look")
	s.Press("ctrl+space", "d")
	s.WantNot("ctrl+space 1")
	s.Want("1/o once", "d whole", "t terminal")
	s.Press("esc")
	s.ClickOn("d t terminal")
	wantAnswers(t, f, "handover t1 d1")
}
