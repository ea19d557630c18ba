package tui_test

import (
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui/tuitest"
)

// talk is a world whose first thread has two turns on two days: answers, tools,
// a sub-agent, cards in their three states, a failure and an interruption.
func talk() *fake {
	f := world()
	cards := f.entries["t1"]
	at := noon.Add(-20 * time.Hour)
	f.entries["t1"] = nil
	add := func(turn session.TurnID, e transcript.Entry) {
		at = at.Add(7 * time.Second)
		e.ID, e.Thread, e.Turn, e.At = int64(len(f.entries["t1"])+1), "t1", turn, at
		f.entries["t1"] = append(f.entries["t1"], e)
	}
	add("u1", cards[0])
	add("u1", transcript.Entry{Kind: transcript.KindTool, Tool: "Task", Input: "Find what reads a list"})
	add("u1", transcript.Entry{Kind: transcript.KindTool, Tool: "Grep", Input: "func.*list", Output: "parse/list.go:12", Depth: 1})
	add("u1", transcript.Entry{Kind: transcript.KindAssistant, Text: "Only `parse/list.go` reads one.", Depth: 1})
	add("u1", cards[1])
	add("u1", cards[3])
	add("u1", cards[4])
	ended := at.Add(2 * time.Second)
	at = noon.Add(-3 * time.Minute)
	add("u2", transcript.Entry{Kind: transcript.KindPrompt, Text: "Test it, please."})
	add("u2", transcript.Entry{
		Kind: transcript.KindTool, Tool: "Bash", Input: "go test ./parse", Failed: true,
		Output: "--- FAIL: TestList (0.00s)\n    list_test.go:9: got 2, want 3",
	})
	add("u2", cards[5])
	add("u2", cards[6])
	add("u2", transcript.Entry{Kind: transcript.KindNotice, Text: "Interrupted", Failed: true})
	f.turns = []session.Turn{
		{ID: "u1", StartedAt: noon.Add(-20 * time.Hour), EndedAt: ended},
		{ID: "u2", StartedAt: noon.Add(-3 * time.Minute), EndedAt: at},
	}
	return f
}

// talked shows the end of it, or with a key what the key makes of it.
func talked(keys ...string) func(*testing.T, int, int) *tuitest.Screen {
	return func(t *testing.T, w, h int) *tuitest.Screen {
		s, _ := start(t, talk(), w, h)
		s.Press("ctrl+space", "h")
		s.Press(keys...)
		return s
	}
}
