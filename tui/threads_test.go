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
	if f.typed() != "x" {
		t.Errorf("the agent got %q", f.typed())
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

func TestUndeliveredPromptIsShown(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	f.threads[0].Problem, f.threads[0].Draft = "The prompt was not delivered", "Fix the parser"
	s.Send(tui.StoreChangedMsg{})
	s.Want("! The prompt was not delivered", "› Fix the parser")
}

func TestListOfThreads(t *testing.T) {
	f := world()
	s, _ := start(t, f, 100, 30)
	s.Press("ctrl+space", "t", "j", "j", "enter")
	s.Want("Migrate store  ", "codex")
	s.ClickOn("◐ ! Cover loader")
	s.Want("claude · needs you")
	s.Press("ctrl+space", "t", "G", "u")
	if got := did(f, "resume"); !slices.Equal(got, []string{"resume t3"}) {
		t.Errorf("calls = %q", got)
	}
	s.Press("g", "r")
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
	if got := did(f, "remove"); !slices.Equal(got, []string{"remove t1"}) {
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

func TestEndedThreadSaysSo(t *testing.T) {
	f := world()
	f.threads[0].Live, f.threads[0].State = false, session.StateExited
	s, _ := start(t, f, 80, 24)
	s.Press("ctrl+space", "v")
	s.Want("no agent runs here · ctrl+space u")
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
	s.Send(tui.StatusMsg{Thread: "t1", Status: session.Status{State: session.StateIdle}})
	n := len(c.fire)
	s.Send(c.fire[n-1](c.now))
	if len(c.fire) != n {
		t.Error("it ticks though the agent is idle")
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
	m := tui.New(tui.Options{Backend: f, Context: t.Context(), NoColor: true, Tick: (&clock{}).Tick})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, p := range []string{";5;", "[3", "[9", "48;"} {
		if strings.Contains(m.View().Content, "\x1b"+p) {
			t.Errorf("the frame has a colour: %q", p)
		}
	}
}
