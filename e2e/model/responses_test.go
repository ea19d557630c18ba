package model_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"aside/e2e/model"
)

// respond posts to the Responses API and returns the kinds of the events and
// the items that are done.
func respond(t *testing.T, s *model.Server, input ...object) (kinds []string, done []object) {
	t.Helper()
	data, err := json.Marshal(object{
		"model": "m", "stream": true, "instructions": "Be good.", "input": input,
		"tools": []object{{"type": "function", "name": "run"}, {"type": "namespace", "name": "mcp__a", "tools": []object{{"name": "b"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(deadline(t), http.MethodPost, s.URL()+"/v1/responses", strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var event struct {
			Type string
			Item object
		}
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, event.Type)
		if event.Type == "response.output_item.done" {
			done = append(done, event.Item)
		}
	}
	return kinds, done
}

func said(role, text string) object {
	return object{"type": "message", "role": role, "content": []object{{"type": "input_text", "text": text}}}
}

func TestAScriptIsSpelledAsResponses(t *testing.T) {
	s := start(t)
	prompt := said("user", "@text Look here.\n@tool mcp__a/b {\"c\":1}\n@text Over.")
	kinds, items := respond(t, s, said("developer", "rules"), said("user", "<environment_context>"), prompt)
	if len(items) != 2 || kinds[0] != "response.created" || kinds[len(kinds)-1] != "response.completed" {
		t.Fatalf("got %q, %v", kinds, items)
	}
	call := items[1]
	if call["type"] != "function_call" || call["namespace"] != "mcp__a" || call["name"] != "b" || call["arguments"] != `{"c":1}` {
		t.Errorf("it calls %v", call)
	}
	// The client sends back what was said, the call and its output.
	output := object{"type": "function_call_output", "call_id": call["call_id"], "output": []object{{"type": "input_text", "text": "out"}}}
	_, items = respond(t, s, prompt, items[0], object{"type": "reasoning"}, call, output)
	if text := items[0]["content"].([]any)[0].(object)["text"]; len(items) != 1 || text != "Over." {
		t.Errorf("then it says %v", items)
	}
	last := s.Requests()[1]
	if got := last.ToolResults(); len(got) != 1 || got[0] != "out" || last.System != "Be good." {
		t.Errorf("the request is %+v", last)
	}
	if got := strings.Join(last.Tools, " "); got != "run mcp__a/b" {
		t.Errorf("the tools are %s", got)
	}
	if _, items = respond(t, s, prompt, said("user", "no script")); len(items) != 1 {
		t.Errorf("to a prompt without a script it says %v", items)
	}
}
