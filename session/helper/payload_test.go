package helper_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent/claude"
	"aside/session/client"
)

// Whatever is on the hook's standard input: nothing on its standard output,
// the reason on standard error, status 0, and no decision but the one that
// was held before.
func TestPayloadsThatAreNoRequest(t *testing.T) {
	hook := buildHook(t)
	h := open(t)
	if err := h.run(options{adapter: talker{claude.New(), scripted{script: `exec cat`}}}); err != nil {
		t.Fatal(err)
	}
	good := func(conversation, event, more string) string {
		return fmt.Sprintf(`{"session_id":%q,"cwd":"/p","hook_event_name":%q,"tool_name":"Bash","tool_input":{"command":"ls"}%s}`, conversation, event, more)
	}
	held := make(chan wire.HookReply, 1)
	if err := ask(string(h.id), h.socket, "SessionStart", json.RawMessage(good("s1", "SessionStart", "")), nil); err != nil {
		t.Fatal(err)
	}
	go func() {
		var r wire.HookReply
		_ = ask(string(h.id), h.socket, "PermissionRequest", json.RawMessage(good("s1", "PermissionRequest", "")), &r)
		held <- r
	}()
	h.until("the good one is held", func() bool { return len(h.pending()) == 1 })
	d := h.pending()[0]

	for name, payload := range map[string]string{
		"nothing":                 "",
		"cut short":               good("s1", "PermissionRequest", "")[:60],
		"two":                     strings.Repeat(good("s1", "PermissionRequest", ""), 2),
		"no object":               `["PermissionRequest"]`,
		"a text":                  `"PermissionRequest"`,
		"null":                    "null",
		"too large":               good("s1", "PermissionRequest", `,"x":"`+strings.Repeat("x", wire.MaxPayload)+`"`),
		"nested too deep":         good("s1", "PermissionRequest", `,"x":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)),
		"invalid UTF-8":           good("s1", "PermissionRequest", ",\"x\":\"\xff\xfe\""),
		"of no conversation":      good("", "PermissionRequest", ""),
		"of another conversation": good("s2", "PermissionRequest", ""),
		"of another event":        good("s1", "Stop", ""),
		"of no tool":              `{"session_id":"s1","hook_event_name":"PermissionRequest"}`,
		"of a strange shape":      `{"session_id":"s1","hook_event_name":"PermissionRequest","tool_name":["Bash"]}`,
	} {
		cmd := exec.CommandContext(t.Context(), hook, "--agent", "scripted", "--event", "PermissionRequest")
		cmd.Env = []string{"ASIDE_SOCKET=" + h.socket, "ASIDE_THREAD=" + string(h.id), "ASIDE_PANE=agent"}
		var stdout, stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(payload), &stdout, &stderr
		if err := cmd.Run(); err != nil || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: %v, stdout %q, stderr %q", name, err, &stdout, &stderr)
		}
		if left := h.pending(); len(left) != 1 || left[0].ID != d.ID {
			t.Errorf("%s: pending are %+v", name, left)
		}
	}
	if r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeAnswered {
		t.Errorf("got %+v, %v", r, err)
	}
	if r := receive(t, held); !strings.Contains(r.Output, "allow") {
		t.Errorf("the good one was told %+v", r)
	}
}
