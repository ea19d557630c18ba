package claude_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/claude"
)

// recorded returns the payload of a hook as the real program sent it.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "hooks", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// send gives recorded payloads to an adapter and returns the last event.
func send(t *testing.T, a agent.Adapter, names ...string) agent.Event {
	t.Helper()
	var ev agent.Event
	for _, name := range names {
		event, _, _ := strings.Cut(name, "-")
		var err error
		if ev, err = a.Event(event, recorded(t, name)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return ev
}

func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kind  agent.EventKind
		state session.State
	}{
		{"SessionStart", agent.SessionStarted, session.StateIdle},
		{"SessionStart-clear", agent.SessionStarted, session.StateIdle},
		{"UserPromptSubmit", agent.Prompted, session.StateWorking},
		{"PreToolUse-bash", agent.ToolStarting, session.StateWorking},
		{"PermissionRequest-bash", agent.PermissionAsked, session.StateNeedsYou},
		{"PostToolUse-bash", agent.ToolDone, session.StateWorking},
		{"PostToolUseFailure", agent.ToolDone, session.StateWorking},
		{"Notification", agent.Notified, session.StateNeedsYou},
		{"SubagentStop", agent.Notified, ""},
		{"Stop", agent.Stopped, session.StateDone},
		{"Stop-background", agent.Stopped, session.StateWorking},
		{"StopFailure", agent.Stopped, session.StateDone},
		{"SessionEnd", agent.SessionEnded, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := send(t, claude.New(), tt.name)
			if ev.Kind != tt.kind || ev.State != tt.state {
				t.Errorf("got kind %v state %q, want kind %v state %q", ev.Kind, ev.State, tt.kind, tt.state)
			}
			if ev.Session == "" || !strings.HasSuffix(ev.Transcript, ".jsonl") {
				t.Errorf("session %q, transcript %q", ev.Session, ev.Transcript)
			}
			if (ev.Ask != nil) != (tt.kind == agent.PermissionAsked) {
				t.Errorf("ask: %+v", ev.Ask)
			}
		})
	}
}

func TestWhatEventsCarry(t *testing.T) {
	a := claude.New()
	if ev := send(t, a, "UserPromptSubmit"); !strings.HasPrefix(ev.Prompt, "Task:\n@text First words.") || ev.Origin != session.OriginHuman {
		t.Errorf("prompt %q, origin %q", ev.Prompt, ev.Origin)
	}
	if ev := send(t, a, "UserPromptSubmit-notification"); ev.Origin != session.OriginAgent || ev.Prompt != `Agent "Look around" finished` {
		t.Errorf("the report of a background task is %q, of origin %q", ev.Prompt, ev.Origin)
	}
	if ev := send(t, a, "PreToolUse-bash"); ev.Call.ID == "" || ev.Call.Tool != "Bash" || ev.Call.Command != "touch made.txt" {
		t.Errorf("call %+v", ev.Call)
	}
	if ev := send(t, a, "PreToolUse-edit"); ev.Call.Command != "" {
		t.Errorf("an edit has the command %q", ev.Call.Command)
	}
	if ev := send(t, a, "Stop-background"); !ev.Background || ev.Failed || ev.Message != "ok" {
		t.Errorf("got %+v", ev)
	}
	if ev := send(t, a, "StopFailure"); !ev.Failed || ev.Message != "API Error: 400 nope" {
		t.Errorf("got %+v", ev)
	}
	main, sub := send(t, a, "Stop-background"), send(t, a, "PreToolUse-subagent")
	want := strings.TrimSuffix(sub.Transcript, filepath.Base(sub.Transcript))
	if !strings.HasSuffix(want, "/subagents/") || !strings.HasPrefix(filepath.Base(sub.Transcript), "agent-") || main.Transcript == sub.Transcript {
		t.Errorf("a sub-agent's record is taken to be %q", sub.Transcript)
	}
}

func TestUnknownEventIsIgnored(t *testing.T) {
	ev, err := claude.New().Event("Future", []byte(`{"session_id":"s","hook_event_name":"Future","x":{"y":[1]}}`))
	if err != nil || ev.Kind != agent.Ignored {
		t.Errorf("got %+v, %v", ev, err)
	}
}

func TestBadPayloadsAreRefused(t *testing.T) {
	for name, data := range map[string]string{
		"not JSON":      `{"session_id":`,
		"no object":     `[1]`,
		"no session":    `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`,
		"no tool":       `{"hook_event_name":"PreToolUse","session_id":"s"}`,
		"another event": `{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Bash"}`,
		"a wrong type":  `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":7}`,
		"too large":     `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","x":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			if ev, err := claude.New().Event("PreToolUse", []byte(data)); err == nil {
				t.Errorf("accepted as %+v", ev)
			}
		})
	}
}

// A sub-agent's id becomes part of a path, so one that leads elsewhere is not
// followed.
func TestSubAgentCannotNameAnotherFolder(t *testing.T) {
	ev, err := claude.New().Event("PreToolUse", []byte(
		`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","transcript_path":"/t/s.jsonl","agent_id":"../../x"}`))
	if err != nil || ev.Transcript != "/t/s.jsonl" {
		t.Errorf("got %q, %v", ev.Transcript, err)
	}
}
