package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
)

// long is a world whose third thread has many entries.
func long() *fake {
	f := world()
	for i := range 1000 {
		f.entries["t3"] = append(f.entries["t3"], transcript.Entry{
			ID: int64(100 + i), Thread: "t3", Kind: transcript.KindAssistant, Text: fmt.Sprintf("remark number %d.", i),
		})
	}
	return f
}

func TestWordsAreFoundInAllThreads(t *testing.T) {
	f := long()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "/")
	s.Type("number 17.")
	s.Want("1 found", "Migrate store", "remark number 17.", "assistant · 3h")
	s.Press("enter")
	if title := s.View().WindowTitle; title != "aside · Migrate store" {
		t.Errorf("title = %q", title)
	}
	s.WantNot("number 16.", "number 999")
	if line := s.Lines()[2]; !strings.Contains(line, "remark number 17.") {
		t.Errorf("the hit is not at the top:\n%s", s.Text())
	}
	s.Press("k", "k")
	s.Want("number 16.")
	s.Press("G")
	s.Want("number 999.")
	f.entries["t3"] = append(f.entries["t3"], transcript.Entry{ID: 5000, Thread: "t3", Kind: transcript.KindAssistant, Text: "the newest"})
	s.Send(tui.StoreChangedMsg{})
	s.Want("the newest", "number 999.")
	s.Press("g")
	s.Want("number 0.")
}

func TestSearchIsGoneOnWith(t *testing.T) {
	f := long()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "/")
	s.Type("number 50")
	s.Press("down", "down", "enter")
	s.Want("number 501.")
	s.Press("ctrl+space", "/")
	if got := s.Lines()[7]; !strings.Contains(got, "▌") || !strings.Contains(s.Lines()[8], "number 501") {
		t.Errorf("the hit is not chosen any more:\n%s", s.Text())
	}
	s.Press("down")
	s.ClickOn("remark number 503.")
	if line := s.Lines()[2]; !strings.Contains(line, "remark number 503.") {
		t.Errorf("the hit is not at the top:\n%s", s.Text())
	}
}

func TestSearchThatIsOvertakenIsEnded(t *testing.T) {
	f := long()
	ended := make(chan string, 8)
	f.looks = func(ctx context.Context, q transcript.Query) error {
		if q.Text == "n" {
			<-ctx.Done()
			ended <- q.Text
			return ctx.Err()
		}
		return nil
	}
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "/")
	s.Held = true
	s.Type("n")
	s.Want("looking…")
	s.Type("umber 7.")
	s.Wait()
	if got := <-ended; got != "n" {
		t.Errorf("ended = %q", got)
	}
	s.Want("1 found", "remark number 7.")
	s.WantNot("cancel")
	if got := f.took(); slices.Contains(got, `search "nu"`) {
		t.Errorf("every letter was looked for: %q", got)
	}
}

func TestSearchSaysWhatWentWrong(t *testing.T) {
	f := world()
	f.fails["search"] = &session.Error{Code: session.CodeFailed, Message: "the store cannot be read", Hint: "aside doctor"}
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "/")
	s.Type("x")
	s.Want("the store cannot be read · aside doctor")
	delete(f.fails, "search")
	s.Type("yz")
	s.Want("in no thread of this project")
	s.Press("esc")
	s.WantNot("in no thread")
}

func TestHitIsNotHiddenByWhatIsAsked(t *testing.T) {
	f := long()
	f.entries["t1"] = f.entries["t3"]
	s, _ := start(t, f, 120, 40)
	s.Send(agentScreen(95, 38, session.Modes{}), decision("d1"))
	s.Press("ctrl+space", "/")
	s.Type("number 17.")
	s.Press("enter")
	s.Want("Bash wants to run", "remark number 17.", "remark number 18.")
}

func TestTranscriptIsSearched(t *testing.T) {
	f := long()
	f.entries["t2"] = f.entries["t3"]
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "j", "ctrl+space", "h", "/")
	s.Want("Words in this transcript")
	s.Type("number 17.")
	s.Want("1 found", "Cover loader")
	s.Press("enter")
	s.Want("remark number 17.")
	s.Press("/")
	s.Want("1 found", "› number 17.")
	s.Press("ctrl+u")
	s.Type("parser")
	s.Want("not in this transcript")
	s.Press("esc")
	s.Want("remark number 17.")
	s.Press("ctrl+space", "/")
	s.Want("Words in any thread")
}
