package claude_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"aside/session/agent"
	"aside/session/agent/claude"
)

var update = flag.Bool("update", false, "write the golden files anew")

func launch() agent.Launch {
	return agent.Launch{
		Thread: "abc", Session: "11111111-1111-4111-8111-111111111111", Cwd: "/home/user/project",
		RuntimeDir: "/run/aside/abc", Aside: "/opt/aside/bin/aside", Hook: "/opt/aside/bin/aside-hook",
		Endpoint: []string{"ASIDE_SOCKET=/run/aside/abc.sock", "ASIDE_THREAD=abc", "ASIDE_PANE=agent"},
		Hold:     4 * time.Hour,
	}
}

func command(t *testing.T, l agent.Launch) agent.Command {
	t.Helper()
	c, err := claude.New().Command(l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSettingsOfOneRun(t *testing.T) {
	c := command(t, launch())
	for name, data := range c.Files {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		pretty, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "golden", name)
		if *update {
			if err := os.WriteFile(golden, append(pretty, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != string(pretty)+"\n" {
			t.Errorf("%s is not as recorded (go test -update writes it anew):\n%s", name, pretty)
		}
	}
}

func TestHookIsHeldLongerThanTheBridgeHolds(t *testing.T) {
	l := launch()
	l.Hold = 90 * time.Second
	var s struct {
		Hooks map[string][]struct {
			Hooks []struct{ Timeout int }
		}
	}
	if err := json.Unmarshal(command(t, l).Files["claude-settings.json"], &s); err != nil {
		t.Fatal(err)
	}
	for name, m := range s.Hooks {
		want := 5
		if name == "PermissionRequest" {
			want = 150
		}
		if got := m[0].Hooks[0].Timeout; got != want {
			t.Errorf("%s: time-out %d s, want %d s", name, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	settings := []string{"--mcp-config", "/run/aside/abc/claude-mcp.json", "--settings", "/run/aside/abc/claude-settings.json"}
	const id = "11111111-1111-4111-8111-111111111111"
	for _, tt := range []struct {
		name  string
		with  func(*agent.Launch)
		path  string
		args  []string
		taken bool
	}{
		{"a new conversation", func(*agent.Launch) {}, "claude", append(slices.Clone(settings), "--session-id", id), false},
		{
			"with a prompt, as one argument", func(l *agent.Launch) { l.Prompt = "--help\n!ls $HOME" },
			"claude", append(slices.Clone(settings), "--session-id", id, "--", "--help\n!ls $HOME"), true,
		},
		{
			"going on", func(l *agent.Launch) { l.Resume, l.Model = true, "opus" },
			"claude", append(slices.Clone(settings), "--model", "opus", "--resume", id), false,
		},
		{
			"the person's own program", func(l *agent.Launch) { l.Command, l.Args = "/opt/my claude", []string{"--permission-mode", "manual"} },
			"/opt/my claude", append(append([]string{"--permission-mode", "manual"}, settings...), "--session-id", id), false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := launch()
			tt.with(&l)
			c := command(t, l)
			if c.Path != tt.path || !reflect.DeepEqual(c.Args, tt.args) || c.PromptTaken != tt.taken {
				t.Errorf("got %q %q, prompt taken: %v\nwant %q %q, %v", c.Path, c.Args, c.PromptTaken, tt.path, tt.args, tt.taken)
			}
		})
	}
}

// The hook's command line goes through a shell: a real one has to find the
// program and pass it the right words, wherever aside is installed.
func TestHookCommandReachesTheProgramThroughAShell(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `it's a $HOME "folder"; exit 1 #`)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]agent.Launch{
		"aside-hook": {Hook: filepath.Join(dir, "aside-hook")},
		"aside hook": {Aside: filepath.Join(dir, "aside")},
	} {
		t.Run(name, func(t *testing.T) {
			program, want := l.Hook, "--agent|claude|--event|Stop|"
			if program == "" {
				program, want = l.Aside, "hook|"+want
			}
			if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o700); err != nil { //nolint:gosec // it has to run
				t.Fatal(err)
			}
			var s struct {
				Hooks map[string][]struct {
					Hooks []struct{ Command string }
				}
			}
			if err := json.Unmarshal(command(t, l).Files["claude-settings.json"], &s); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("/bin/sh", "-c", s.Hooks["Stop"][0].Hooks[0].Command).Output()
			if err != nil || string(out) != want {
				t.Errorf("the program got %q, %v; want %q", out, err, want)
			}
		})
	}
}

func TestContextGoesBesideThePrompt(t *testing.T) {
	got := string(claude.New().Context("use <channel> \"v1\""))
	want := `{"hookSpecificOutput":{"additionalContext":"use <channel> \"v1\"","hookEventName":"UserPromptSubmit"}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
