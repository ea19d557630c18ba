package helper_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aside/session/agent/claude"
	"aside/session/client"
	"aside/session/transcript"
)

// recorder is an agent that keeps a record, in a real dialect.
type recorder struct {
	*hosted
	session string
	said    int
}

func (r *recorder) file() string {
	return filepath.Join(filepath.Dir(r.paths.Database()), r.session+".jsonl")
}

// say adds a line to the record.
func (r *recorder) say(text string) {
	r.t.Helper()
	r.said++
	line := fmt.Sprintf(`{"type":"assistant","uuid":"u%d","timestamp":"2026-11-29T10:00:%02dZ","sessionId":%q,`+
		`"message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":%q}]}}`, r.said, r.said, r.session, r.said, text)
	r.write(line + "\n")
}

// tell sends an event of the agent, with further fields.
func (r *recorder) tell(event string, more map[string]any) {
	r.t.Helper()
	all := map[string]any{"session_id": r.session, "transcript_path": r.file(), "cwd": "/p", "hook_event_name": event}
	for k, v := range more {
		all[k] = v
	}
	body, err := json.Marshal(all)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := ask(string(r.id), r.socket, event, body, nil); err != nil {
		r.t.Fatal(err)
	}
}

func (r *recorder) tool(id string) {
	r.tell("PreToolUse", map[string]any{"tool_name": "Read", "tool_use_id": id, "tool_input": map[string]any{"file_path": "/p/a"}})
}

// find waits for what was said to be in the transcript.
func (r *recorder) find(text string) (found transcript.Entry) {
	r.t.Helper()
	r.until(text+" in the transcript", func() bool {
		for _, e := range r.entries() {
			if e.Text == text {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

func record(t *testing.T) *recorder {
	h := open(t)
	if err := h.run(options{adapter: talker{claude.New(), scripted{script: `exec cat`}}}); err != nil {
		t.Fatal(err)
	}
	r := &recorder{hosted: h, session: "s1"}
	r.tell("SessionStart", nil)
	return r
}

// Events in quick succession do not read the record each; what they leave
// comes all the same, also when nothing else is told and no turn is open.
func TestWhatAnAgentRecordsComesWithoutAFurtherEvent(t *testing.T) {
	r := record(t)
	for i := range 20 {
		r.say(fmt.Sprint("line ", i))
		r.tool(fmt.Sprint("call", i))
	}
	for i := range 20 {
		r.find(fmt.Sprint("line ", i))
	}
}

func TestWhatWasSaidBelongsToTheTurnInWhichItWas(t *testing.T) {
	r := record(t)
	r.tell("UserPromptSubmit", map[string]any{"prompt": "first"})
	r.tool("call1")
	r.say("of the first")
	r.tell("UserPromptSubmit", map[string]any{"prompt": "second"})
	r.say("of the second")
	r.tell("Stop", nil)
	for _, turn := range []string{"first", "second"} {
		prompt, words := r.find(turn), r.find("of the "+turn)
		if words.Turn != prompt.Turn || prompt.Turn == "" {
			t.Errorf("%q is of turn %q, want %q", words.Text, words.Turn, prompt.Turn)
		}
	}
}

func TestTheEndOfARecordIsReadWhenAnotherConversationBegins(t *testing.T) {
	r := record(t)
	r.tool("call1")
	r.say("last words")
	r.session = "s2"
	r.tell("SessionStart", nil)
	r.find("last words")
}

// write adds something to the record as it is.
func (r *recorder) write(text string) {
	r.t.Helper()
	f, err := os.OpenFile(r.file(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		r.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// A conversation can go on where no helper sees it, and be taken up here again.
func TestWhatWasRecordedWhileNoHelperRanIsReadInOnce(t *testing.T) {
	r := record(t)
	r.say("before")
	r.tool("call1")
	r.find("before")
	if _, err := call[struct{}](r.hosted, client.OpStop, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-r.done; err != nil {
		t.Fatal(err)
	}

	r.say("meanwhile")
	r.write(`{"type":"hologram","uuid":"x","message":{"content":[{"type":"light"}]}}` + "\nno JSON at all\n")
	r.write(`{"type":"assistant","uuid":"half","timestamp":"2026-11-29T10:01:00Z","message":{"content":[{"type":"text",`)
	if err := r.run(options{adapter: talker{claude.New(), scripted{script: `exec cat`}}}); err != nil {
		t.Fatal(err)
	}
	r.tell("SessionStart", nil)
	r.find("meanwhile")
	r.write(`"text":"half-written"}]}}` + "\n")
	r.tool("call2")
	r.find("half-written")
	count := map[string]int{}
	for _, e := range r.entries() {
		count[e.Text]++
	}
	for _, text := range []string{"before", "meanwhile", "half-written"} {
		if count[text] != 1 {
			t.Errorf("%q is in the transcript %d times", text, count[text])
		}
	}
}

func TestWhatASubAgentRecordsIsReadAsItsOwn(t *testing.T) {
	r := record(t)
	folder := filepath.Join(filepath.Dir(r.file()), r.session, "subagents")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	line := `{"type":"assistant","uuid":"sub","isSidechain":true,"timestamp":"2026-11-29T10:00:30Z",` +
		`"message":{"content":[{"type":"text","text":"of the sub-agent"}]}}` + "\n"
	if err := os.WriteFile(filepath.Join(folder, "agent-a1.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	r.say("of the agent")
	r.tell("PreToolUse", map[string]any{
		"agent_id": "a1", "agent_type": "general-purpose",
		"tool_name": "Read", "tool_use_id": "call1", "tool_input": map[string]any{"file_path": "/p/a"},
	})
	if e := r.find("of the sub-agent"); e.Depth != 1 {
		t.Errorf("its depth is %d", e.Depth)
	}
	if e := r.find("of the agent"); e.Depth != 0 {
		t.Errorf("the agent's own depth is %d", e.Depth)
	}
}
