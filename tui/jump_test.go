package tui_test

import (
	"fmt"
	"testing"
	"time"

	"aside/session/transcript"
)

// longTalk makes the transcript of the first thread prompts with the use of
// tools, one of which failed.
func longTalk(f *fake) {
	id := f.threads[0].ID
	var all []transcript.Entry
	at := time.Unix(0, 0)
	add := func(e transcript.Entry) {
		e.ID, e.Thread, e.At = int64(len(all)+1), id, at
		at = at.Add(time.Second)
		all = append(all, e)
	}
	for i := range 6 {
		add(transcript.Entry{Kind: transcript.KindPrompt, Text: fmt.Sprintf("prompt %d", i)})
		for j := range 40 {
			add(transcript.Entry{
				Kind: transcript.KindTool, Tool: "Bash", Input: fmt.Sprintf("make step%d-%d", i, j),
				Output: fmt.Sprintf("made %d-%d", i, j), Failed: i == 2 && j == 3,
			})
		}
	}
	f.entries[id] = all
}

func TestToolsUnfoldByKeyAndByClick(t *testing.T) {
	f := world()
	longTalk(f)
	s := inTranscript(t, f)
	s.Want("make step5-39")
	s.WantNot("made 5-39")
	s.ClickOn("step5-39")
	s.Want("made 5-39")
	s.WantNot("made 5-38")
	s.ClickOn("step5-39")
	s.WantNot("made 5-39")
	s.Press("z")
	s.Want("made 5-39", "made 5-38")
	s.Press("z")
	s.WantNot("made 5-39")
}

func TestJumpsToPromptsAndFaults(t *testing.T) {
	f := world()
	longTalk(f)
	s := inTranscript(t, f)
	s.Press("[")
	s.Want("prompt 5")
	s.Press("[")
	s.Want("prompt 4")
	s.Press("[")
	s.Want("prompt 3")
	s.Press("]")
	s.Want("prompt 4")
	s.Press("!")
	s.Want("make step2-3", "failed")
	s.Press("G")
	s.WantNot("make step2-3")
	s.Press("{")
	s.Want("make step2-3", "failed")
}

func TestAJumpThatLeadsNowhereSaysSo(t *testing.T) {
	f := world()
	longTalk(f)
	for i := range f.entries["t1"] {
		f.entries["t1"][i].Failed = false
	}
	s := inTranscript(t, f)
	s.Press("}")
	s.Want("there is none in this transcript")
}
