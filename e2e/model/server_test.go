package model_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/e2e/model"
)

type object = map[string]any

func start(t *testing.T) *model.Server {
	t.Helper()
	s, err := model.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func post(t *testing.T, s *model.Server, body object) io.ReadCloser {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(deadline(t), http.MethodPost, s.URL()+"/v1/messages?beta=true", strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("status %s", resp.Status)
	}
	return resp.Body
}

func asked(messages ...any) object {
	return object{"model": "m", "messages": messages, "tools": []object{{"name": "Bash"}, {"name": "Read"}}}
}

func message(role string, content any) object { return object{"role": role, "content": content} }

func text(s string) object { return object{"type": "text", "text": s} }

type answer struct {
	Content []struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"content"`
	StopReason string `json:"stop_reason"`
}

// String is the answer in the words of a script.
func (a answer) String() string {
	var lines []string
	for _, b := range a.Content {
		if b.Type == "text" {
			lines = append(lines, "text "+b.Text)
		} else {
			lines = append(lines, "call "+b.Name+" "+string(b.Input))
		}
	}
	return strings.Join(append(lines, a.StopReason), "\n")
}

func ask(t *testing.T, s *model.Server, body object) answer {
	t.Helper()
	var a answer
	if err := json.NewDecoder(post(t, s, body)).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestReplyFollowsTheScriptOfTheLatestPrompt(t *testing.T) {
	const script = "Task:\nDo it.\n  @text Let me look.\n@tool Bash {\"command\":\"touch x\"}\n@with Read {\"file_path\":\"x\"}\n@text All done."
	prompt := message("user", []object{text("<system-reminder>\n@text not this\n</system-reminder>"), text(script)})
	result := message("user", []object{
		{"type": "tool_result", "tool_use_id": "t", "content": "@text nor this"},
		text("<system-reminder>a hook said something</system-reminder>"),
	})
	tests := map[string]struct {
		messages []any
		want     string
	}{
		"first reply": {
			[]any{prompt},
			"text Let me look.\ncall Bash {\"command\":\"touch x\"}\ncall Read {\"file_path\":\"x\"}\ntool_use",
		},
		"second reply": {[]any{prompt, message("assistant", "…"), result}, "text All done.\nend_turn"},
		"after the script": {
			[]any{prompt, message("assistant", "…"), result, message("assistant", "…"), result},
			"text Done.\nend_turn",
		},
		"later prompt without script":   {[]any{prompt, message("assistant", "…"), message("user", "hello")}, "text Done.\nend_turn"},
		"later prompt with script":      {[]any{prompt, message("assistant", "…"), message("user", "@text two")}, "text two\nend_turn"},
		"prompt after an interruption":  {[]any{prompt, message("assistant", "…"), message("user", []object{text("[Request interrupted by user]"), text("@text again")})}, "text again\nend_turn"},
		"interruption alone":            {[]any{message("user", "@text one\n"), message("user", "[Request interrupted by user]")}, "text one\nend_turn"},
		"a tool without input":          {[]any{message("user", "@tool Read")}, "call Read {}\ntool_use"},
		"a tool with broken input":      {[]any{message("user", "@tool Read {")}, "text @tool Read: input is no JSON object: unexpected end of JSON input\nend_turn"},
		"a second call without a first": {[]any{message("user", "@with Read {}")}, "text @with has no @tool line before it\nend_turn"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := ask(t, start(t), asked(tt.messages...)).String(); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func TestSideRequestIsAnsweredAndNotRecorded(t *testing.T) {
	s := start(t)
	side := object{"model": "m", "messages": []object{message("user", "@tool Bash {}")}}
	if got := ask(t, s, side).String(); got != "text A title\nend_turn" {
		t.Errorf("side request got %q", got)
	}
	ask(t, s, asked(message("user", "hello")))
	requests := s.Requests()
	if len(requests) != 1 {
		t.Fatalf("%d requests recorded, want the one with tools", len(requests))
	}
	if want := []string{"Bash", "Read"}; !slices.Equal(requests[0].Tools, want) {
		t.Errorf("tools %q, want %q", requests[0].Tools, want)
	}
}

func TestStreamCarriesTheReplyUpToAHoldAndTheRestAfterRelease(t *testing.T) {
	s := start(t)
	body := asked(message("user", "@text one two\n@wait\n@tool Bash {\"command\":\"ls\"}"))
	body["stream"] = true
	lines := bufio.NewScanner(post(t, s, body))
	var words, input, stop string
	var kinds []string
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct {
			Type  string `json:"type"`
			Delta struct {
				Text        string `json:"text"`
				PartialJSON string `json:"partial_json"`
				StopReason  string `json:"stop_reason"`
			} `json:"delta"`
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Type)
		words += e.Delta.Text
		input += e.Delta.PartialJSON
		stop += e.Delta.StopReason
		if e.Type == "content_block_stop" && input == "" {
			if err := s.Release(deadline(t)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if words != "one two" || input != `{"command":"ls"}` || stop != "tool_use" {
		t.Errorf("got words %q, input %q, stop %q", words, input, stop)
	}
	if kinds[0] != "message_start" || kinds[len(kinds)-1] != "message_stop" {
		t.Errorf("events %q", kinds)
	}
}

func TestHeldReplyEndsWhenTheClientLeaves(t *testing.T) {
	s := start(t)
	body := asked(message("user", "@wait"))
	body["stream"] = true
	if err := post(t, s, body).Close(); err != nil {
		t.Fatal(err)
	}
	// Close waits for the handler through the cleanup; a second prompt is
	// still answered meanwhile.
	if got := ask(t, s, asked(message("user", "@text hi"))).String(); got != "text hi\nend_turn" {
		t.Errorf("got %q", got)
	}
}

func TestAwaitReturnsTheRequestThatCarriesAToolResult(t *testing.T) {
	s := start(t)
	ask(t, s, asked(message("user", "@tool Bash {}")))
	found := make(chan model.Request, 1)
	go func() {
		r, err := s.Await(t.Context(), func(r model.Request) bool { return len(r.ToolResults()) > 0 })
		if err != nil {
			t.Error(err)
		}
		found <- r
	}()
	ask(t, s, asked(message("user", "@tool Bash {}"), message("assistant", "…"),
		message("user", []object{{"type": "tool_result", "tool_use_id": "t", "content": []object{text("denied")}}})))
	select {
	case r := <-found:
		if got := r.ToolResults(); !slices.Equal(got, []string{"denied"}) {
			t.Errorf("tool results %q", got)
		}
	case <-deadline(t).Done():
		t.Fatal("the request was not reported")
	}
}
