//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/e2e/model"
)

// hooked writes the client's settings for one run: each event runs the shell
// script given for it.
func hooked(t *testing.T, scripts map[string]string) string {
	t.Helper()
	dir := tempDir(t)
	hooks := map[string]any{}
	for event, script := range scripts {
		path := filepath.Join(dir, event)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		hooks[event] = []any{map[string]any{
			"hooks": []any{map[string]any{"type": "command", "command": path, "timeout": 600}},
		}}
	}
	settings, err := json.Marshal(map[string]any{"hooks": hooks})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(path, settings, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// answered waits for the request that carries n tool results and returns
// them.
func (s *stage) answered(t *testing.T, n int) []string {
	t.Helper()
	r, err := s.model.Await(deadline(t), func(r model.Request) bool { return len(r.ToolResults()) >= n })
	if err != nil {
		t.Fatal(err)
	}
	return r.ToolResults()
}

func (s *stage) has(t *testing.T, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(s.project, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

const touchIt = "@text Let me try.\n@tool Bash {\"command\":\"touch made-by-agent\"}\n@text All is done now."

func TestClientRunsAScriptedToolAfterAHooksVerdict(t *testing.T) {
	s := newStage(t)
	seen := filepath.Join(tempDir(t), "payload")
	settings := hooked(t, map[string]string{
		"PermissionRequest": "cat > " + seen + "\n" +
			`echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'`,
	})
	tm := s.open(t, s.program, "--permission-mode", "manual", "--settings", settings, touchIt)
	see(t, tm, `^● All is done now\.`)
	if got := s.answered(t, 1); len(got) != 1 {
		t.Errorf("tool results %q, want one", got)
	}
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
	payload, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	var asked struct {
		Tool  string `json:"tool_name"`
		Input struct {
			Command string `json:"command"`
		} `json:"tool_input"`
	}
	if err := json.Unmarshal(payload, &asked); err != nil {
		t.Fatal(err)
	}
	if asked.Tool != "Bash" || asked.Input.Command != "touch made-by-agent" {
		t.Errorf("the hook was asked about %+v", asked)
	}
	first := s.model.Requests()[0]
	if !slices.Contains(first.Tools, "Bash") {
		t.Errorf("the first request offers %q", first.Tools)
	}
}

func TestClientIsAnsweredInItsOwnPrompt(t *testing.T) {
	s := newStage(t)
	tm := s.open(t, s.program, "--permission-mode", "manual")
	see(t, tm, `^❯`)
	must(t, tm.Paste(touchIt))
	see(t, tm, `made-by-agent|Pasted text`)
	must(t, tm.Key("enter"))
	see(t, tm, `Do you want to proceed\?`)
	if s.has(t, "made-by-agent") {
		t.Error("the tool ran before it was allowed")
	}
	must(t, tm.Key("esc"))
	see(t, tm, `Interrupted`)

	must(t, tm.Type("@tool Bash {\"command\":\"touch second\"}"))
	see(t, tm, `touch second`)
	must(t, tm.Key("enter"))
	see(t, tm, `Do you want to proceed\?`)
	confirm(t, tm, `Do you want to proceed\?`)
	s.answered(t, 2)
	if s.has(t, "made-by-agent") || !s.has(t, "second") {
		t.Error("the tool that was refused ran, or the one that was allowed did not")
	}
}

func TestClientShowsAReplyThatIsHeld(t *testing.T) {
	s := newStage(t)
	tm := s.open(t, s.program, "@text It begins.\n@wait\n@text It ends.")
	see(t, tm, `It begins\.`)
	if strings.Contains(tm.Text(), "● It ends.") {
		t.Error("the reply was not held")
	}
	must(t, s.model.Release(deadline(t)))
	see(t, tm, `^● It ends\.`)
}
