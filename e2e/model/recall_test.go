package model

import (
	"strings"
	"testing"
)

func TestAScriptRecallsWhatWasSentWithItsPrompt(t *testing.T) {
	text := func(role, s string) Message { return Message{Role: role, Content: []Block{{Type: "text", Text: s}}} }
	sent := []Message{
		text("user", "@recall WORD k[0-9]+\n@text It is WORD."),
		{Role: "user", Content: []Block{{Type: "text", Text: "<system-reminder>k1, then k22</system-reminder>"}}},
		text("assistant", "k333"),
	}
	replies := parseScript(recall(sent[0].Prompt(), sent))
	if len(replies) != 1 || replies[0][0].Text != "It is k22." {
		t.Errorf("got %+v", replies)
	}
	if got := recall("@recall WORD (\n@text WORD", sent); !strings.HasPrefix(got, "@text @recall WORD") {
		t.Errorf("a pattern that is none: %q", got)
	}
}
