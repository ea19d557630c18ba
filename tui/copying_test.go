package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"
)

// marked are the lines of the chosen entry.
func marked(s *tuitest.Screen) []string {
	var out []string
	for _, l := range s.Lines() {
		if _, rest, ok := strings.Cut(l, "▎"); ok {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return out
}

// told is a thread that says something of each kind.
func told() *fake {
	f := world()
	f.entries["t1"] = []transcript.Entry{
		{ID: 1, Kind: transcript.KindPrompt, Text: "Fix **it**"},
		{ID: 2, Kind: transcript.KindTool, Tool: "Bash", Input: "make", Output: "made\nall"},
		{ID: 3, Kind: transcript.KindAssistant, Text: "I am *done*:\n\n- one\n- two"},
		{ID: 4, Kind: transcript.KindAssistant, Text: "a sub-agent's word", Depth: 1},
		{ID: 5, Kind: transcript.KindDecision, Text: "Bash wants to run", Outcome: "once"},
	}
	return f
}

func TestTheChosenEntryIsMarkedAndCopiedAsItWasWritten(t *testing.T) {
	s := inTranscript(t, told())
	for _, step := range []struct{ key, marked, copied, says string }{
		{"", "? Bash wants to run", "Bash wants to run: once", "copied the decision"},
		{"S", "a sub-agent's word", "a sub-agent's word", "copied the answer"},
		{"S", "I am done:", "I am *done*:\n\n- one\n- two", "copied the answer, 25 characters"},
		{"S", "• Bash  make", "make\nmade\nall", "copied the use of Bash"},
		{"S", "› Fix it", "Fix **it**", "copied the prompt"},
		{"S", "› Fix it", "Fix **it**", "copied the prompt"},
		{"s", "• Bash  make", "make\nmade\nall", "copied the use of Bash"},
	} {
		if step.key != "" {
			s.Press(step.key)
		}
		if got := strings.Join(marked(s), "\n"); !strings.HasPrefix(strings.TrimSpace(strings.ReplaceAll(got, "**", "")), step.marked) {
			t.Fatalf("after %s, marked are %q, want %q", step.key, got, step.marked)
		}
		s.Press("y")
		s.Want(step.says)
		if got := s.Copied(); got[len(got)-1] != step.copied {
			t.Errorf("after %s, copied is %q, want %q", step.key, got[len(got)-1], step.copied)
		}
	}
	s.Press("Y")
	if got := s.Copied(); got[len(got)-1] != "I am *done*:\n\n- one\n- two" {
		t.Errorf("the last answer is %q", got[len(got)-1])
	}
	s.Press("c")
	if got := marked(s); len(got) > 0 {
		t.Errorf("marked while the composer has the focus: %q", got)
	}
}

func TestAnEntryIsChosenAndCopiedWithTheMouse(t *testing.T) {
	s := inTranscript(t, told())
	s.Press("c")
	s.WantNot("y copy")
	s.ClickOn("I am done")
	if got := marked(s); !slices.Contains(got, "I am done:") {
		t.Fatalf("marked are %q", got)
	}
	s.ClickOn("y copy")
	if got := s.Copied(); len(got) != 1 || got[0] != "I am *done*:\n\n- one\n- two" {
		t.Errorf("copied is %q", got)
	}
}

func TestTheChosenEntryIsTheFirstInViewWhereNoneWasGoneTo(t *testing.T) {
	f := world()
	notices(f, 300)
	s := inTranscript(t, f)
	if got := marked(s); !slices.Equal(got, []string{"· notice 299"}) {
		t.Errorf("at the end, marked are %q", got)
	}
	s.Press("pgup")
	top, _ := onScreen(s)
	if got := marked(s); !slices.Equal(got, []string{"· notice " + sprint(top[0])}) {
		t.Errorf("a page up, marked are %q", got)
	}
}

func TestATranscriptIsWrittenToAFile(t *testing.T) {
	f := world()
	notices(f, 35)
	s := inTranscript(t, f)
	s.ClickOn("X save all")
	s.Want("the transcript is in /exports/transcript.md")
	if got := f.took(); !slices.Equal(got, []string{"export t1", "write 10", "write 20", "write 30", "write 35"}) {
		t.Errorf("calls = %q", got)
	}
	s.Press("ctrl+space", "m", "ctrl+space", "p")
	s.Type("to a file")
	s.Want("ctrl+space h X")
	s.Press("enter")
	s.Want("the transcript is in /exports/transcript.md")
}

func TestALongExportIsSaidAndCanBeStopped(t *testing.T) {
	f := world()
	notices(f, 35)
	f.steps = make(chan struct{}, 10)
	s, c := start(t, f, 100, 40)
	s.Press("ctrl+space", "h")
	f.took()
	s.Held = true
	s.Press("X")
	c.now = c.now.Add(time.Second)
	f.steps <- struct{}{}
	s.Until("writing the transcript, 10 of 35 entries")
	s.Press("j")
	s.Press("X")
	s.Wait()
	s.Want("there is no file of it")
	if got := f.took(); !slices.Equal(got, []string{"export t1", "write 10", "abandon"}) {
		t.Errorf("calls = %q", got)
	}
	s.Send(tui.StoreChangedMsg{})
	s.WantNot("writing")
}

func TestClosingTheScreenLeavesNoHalfOfAnExport(t *testing.T) {
	f := world()
	notices(f, 35)
	f.steps = make(chan struct{}, 10)
	s := inTranscript(t, f)
	s.Held = true
	s.Press("X")
	f.steps <- struct{}{}
	s.Press("ctrl+space", "q")
	s.Wait()
	if got := f.took(); !s.Closed || got[len(got)-1] != "abandon" {
		t.Errorf("closed %v, calls = %q", s.Closed, got)
	}
}
