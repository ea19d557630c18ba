package transcript_test

import (
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
)

func entries() []transcript.Entry {
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.Local)
	return []transcript.Entry{
		{At: at, Kind: transcript.KindPrompt, Text: "Fix the\nparser"},
		{At: at, Kind: transcript.KindTool, Tool: "Bash", Input: "make", Output: "a ``` fence", Failed: true},
		{At: at, Kind: transcript.KindAssistant, Text: "Done.", Depth: 1},
		{At: at, Kind: transcript.KindProposal, Proposal: &session.Proposal{ID: "abc", Title: "Loader", Summary: "Cover it.", State: session.ProposalStanding}},
		{At: at, Kind: transcript.KindDecision, Text: "Bash make", Outcome: "once"},
		{At: at, Kind: transcript.KindAction, Text: "Watch it", Input: "1  Watch it\n   in shell1: make watch\n", Outcome: "confirmed: Watch it"},
	}
}

func TestPlainSaysWhatWasSaidAndDone(t *testing.T) {
	want := `03:04 Prompt
  Fix the
  parser
03:04 Tool Bash failed
  make
  a ` + "```" + ` fence
  03:04 Assistant
    Done.
03:04 Proposed thread: Loader (abc, standing)
  Cover it.
03:04 Bash make: once
03:04 Terminal actions, confirmed: Watch it: Watch it
  1  Watch it
     in shell1: make watch
`
	if got := transcript.Plain(entries()); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestMarkdownFencesWhatHoldsAFence(t *testing.T) {
	got := transcript.Markdown("Parser", entries())
	for _, want := range []string{"# Parser\n", "\n## 03:04 Prompt\n\nFix the\nparser\n", "\n````\nmake\na ``` fence\n````\n", "\nDone.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
}
