package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/config"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestNoFileIsTheDefault(t *testing.T) {
	c, err := config.Read(filepath.Join(t.TempDir(), "config.toml"))
	if err != nil || c.Leader != "ctrl+space" || time.Duration(c.Hold) != 4*time.Hour {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestAgentSettings(t *testing.T) {
	t.Setenv("WHERE", "/opt")
	c, err := config.Read(write(t, `
hold = "90s"
[agents.claude]
command = "/opt/claude"
args = ["--permission-mode", "manual"]
env = { CLAUDE_HOME = "$WHERE/claude" }
[projects."/src/app"]
worktrees = "never"
`))
	if err != nil {
		t.Fatal(err)
	}
	a := c.Agents["claude"]
	if a.Command != "/opt/claude" || len(a.Args) != 2 || a.Environ()[0] != "CLAUDE_HOME=/opt/claude" {
		t.Errorf("agent is %+v", a)
	}
	if time.Duration(c.Hold) != 90*time.Second || c.Projects["/src/app"].Worktrees != "never" {
		t.Errorf("config is %+v", c)
	}
}

func TestFaultsNameFileAndReason(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"broken":        {"leader = \"x\"\nhold = [", "line 2"},
		"unknown":       {"leeder = \"x\"", "leeder"},
		"bad time":      {"hold = \"soon\"", "soon"},
		"no time":       {"hold = \"0s\"", "hold"},
		"no such call":  {"notify = \"shout\"", "notify has to be off, bell or desktop"},
		"no time then":  {"hold_before = \"-1s\"", "hold_before"},
		"bad worktrees": {"[projects.\"/a\"]\nworktrees = \"maybe\"", "maybe"},
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, tc.text)
			_, err := config.Read(file)
			var e *session.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, file) || !strings.Contains(e.Message, tc.want) || e.Hint == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEverythingIsUnderAsideHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("ASIDE_HOME", home)
	p, err := config.Locate()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{p.File(), p.Database(), p.Worktrees(), p.Socket("abc"), p.Locks()} {
		if !strings.HasPrefix(path, home+"/") {
			t.Errorf("%s is outside", path)
		}
	}
}

func TestXDGFoldersAreUsed(t *testing.T) {
	t.Setenv("ASIDE_HOME", "")
	t.Setenv("XDG_STATE_HOME", "/x/state")
	t.Setenv("XDG_RUNTIME_DIR", "/x/run")
	p, err := config.Locate()
	if err != nil || p.Database() != "/x/state/aside/aside.db" || p.Runtime != "/x/run/aside" {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestATooLongSocketPathIsRefused(t *testing.T) {
	t.Setenv("ASIDE_HOME", "/"+strings.Repeat("x", 110))
	_, err := config.Locate()
	var e *session.Error
	if !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("got %v", err)
	}
}
