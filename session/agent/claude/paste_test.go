package claude_test

import (
	"encoding/json"
	"testing"

	"aside/session/agent/claude"
)

func TestAPastedPromptIsTheOneThatWasPasted(t *testing.T) {
	for name, c := range map[string]struct{ prompt, want string }{
		"typed":       {" as it is\n", " as it is\n"},
		"pasted":      {"\n\n<pasted_content id=\"d5dc\">\none\n\n  two\n</pasted_content id=\"d5dc\">\n", "one\n\n  two"},
		"and typed":   {"look: \n\n<pasted_content id=\"d5dc\">\none\n</pasted_content id=\"d5dc\">\n and this", "look: one and this"},
		"twice":       {"\n\n<pasted_content id=\"a1\">\none\n</pasted_content id=\"a1\">\n\n\n<pasted_content id=\"b2\">\ntwo\n</pasted_content id=\"b2\">\n", "onetwo"},
		"marks in it": {"\n\n<pasted_content id=\"a1\">\n</pasted_content id=\"zz\">\n</pasted_content id=\"a1\">\n", "</pasted_content id=\"zz\">"},
		"not closed":  {"<pasted_content id=\"a1\">\none", "<pasted_content id=\"a1\">\none"},
		"odd":         {"<pasted_content id=\"a\"b\n\">\none", "<pasted_content id=\"a\"b\n\">\none"},
	} {
		payload, err := json.Marshal(map[string]string{"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": c.prompt})
		if err != nil {
			t.Fatal(err)
		}
		ev, err := claude.New().Event("UserPromptSubmit", payload)
		if err != nil || ev.Prompt != c.want {
			t.Errorf("%s: got %q, %v\nwant %q", name, ev.Prompt, err, c.want)
		}
	}
}
