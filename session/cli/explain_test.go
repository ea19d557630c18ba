package cli

import (
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/client"
)

func TestExplainTellsEverySourceAndWhatIsAsked(t *testing.T) {
	ago := func(d time.Duration) time.Time { return time.Now().Add(-d) }
	var out strings.Builder
	err := explainLive(&out, session.Thread{Title: "Fix it"}, client.Explanation{
		Current: session.Status{State: session.StateNeedsYou, Source: session.SourceAgent, At: ago(65 * time.Second)},
		Reports: []session.Status{
			{State: session.StateNeedsYou, Source: session.SourceAgent, At: ago(65 * time.Second)},
			{State: session.StateIdle, Source: session.SourceTerminal, At: ago(2 * time.Hour)},
		},
		Pending: []session.Decision{{
			ID: "d1", Tool: "Bash", Title: "rm -rf build", ReceivedAt: ago(65 * time.Second), Answerable: true,
			Options: []session.Option{{ID: "once"}, {ID: "deny"}},
		}},
	})
	want := `Fix it: needs you, from agent, for 1m
  agent     said needs you  1m ago
  terminal  said idle       2h ago
held on d1 for 1m: Bash rm -rf build (once,deny)
`
	if err != nil || out.String() != want {
		t.Errorf("got %v\n%swant\n%s", err, out.String(), want)
	}
}

func TestExplainTellsWhatIsAskedInTheTerminal(t *testing.T) {
	var out strings.Builder
	err := explainLive(&out, session.Thread{Title: "Fix it"}, client.Explanation{
		Current: session.Status{State: session.StateNeedsYou, Source: session.SourceAgent, At: time.Now()},
		Asked:   []session.Decision{{ID: "d1", Tool: "Bash", Title: "rm -rf build"}},
	})
	if want := "held on nothing\nasks in its own terminal: Bash rm -rf build\n"; err != nil || !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %v\n%swant\n%s", err, out.String(), want)
	}
}

func TestExplainTellsOfAThreadThatHasEnded(t *testing.T) {
	code := 3
	got := explainEnded(session.Thread{
		Title: "Fix it", State: session.StateFailed, StateSource: session.SourceProcess,
		StateAt: time.Now().Add(-time.Hour), ExitCode: &code, Problem: "claude ended at once",
	})
	want := `Fix it: failed, exit 3, from process, for 1h
no helper runs: nothing is asked, and nothing new will be told
claude ended at once`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := explainEnded(session.Thread{Title: "New"}); !strings.HasPrefix(got, "New: not started\nno helper runs") {
		t.Errorf("got %s", got)
	}
}
