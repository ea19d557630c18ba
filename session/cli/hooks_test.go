package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session/agent"
	"aside/session/agent/claude"
)

func TestHooksComeAndGoByCommand(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", dir)
	file := filepath.Join(dir, "settings.json")
	const before = "{\n\t\"model\": \"opus\"\n}"
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	program := "/opt/aside-hook"
	run := func(args ...string) (out string, code int) {
		var o, e strings.Builder
		code = Run(context.Background(), Program{
			Out: &o, Err: &e,
			Hooks: func(name string) (agent.Hooks, error) {
				k, err := agent.Kinds{claude.Kind()}.Get(name)
				if err != nil {
					return nil, err
				}
				return k.Hooks(agent.Installation{Program: []string{program}, State: filepath.Join(dir, "state")})
			},
		}, append([]string{"hooks"}, args...))
		return o.String() + e.String(), code
	}
	for _, step := range []struct {
		args string
		says string
		code int
	}{
		{"status", "not installed in " + file, 0},
		{"remove", "not installed in " + file, 3},
		{"install", "installed in " + file + "; aside hooks remove", 0},
		{"install --agent claude", "installed in " + file + "\n", 0},
		{"status", "installed in " + file + "\n", 0},
		{"install --agent nobody", `no agent "nobody"`, 2},
		{"install now", "hint: usage: aside hooks install", 2},
	} {
		if out, code := run(strings.Fields(step.args)...); code != step.code || !strings.Contains(out, step.says) {
			t.Errorf("%s: status %d, %q; want %d, %q", step.args, code, out, step.code, step.says)
		}
	}
	program = "/opt/new/aside-hook"
	if out, _ := run("status"); !strings.Contains(out, "by another aside") {
		t.Errorf("status after an upgrade: %q", out)
	}
	if out, code := run("remove"); code != 0 || !strings.Contains(out, "removed from "+file) {
		t.Errorf("remove: status %d, %q", code, out)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != before {
		t.Errorf("after removal %q, %v", after, err)
	}
}
