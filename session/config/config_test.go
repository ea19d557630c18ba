package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
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

func TestFaultsAreNamedWithTheirPlaceAndAHint(t *testing.T) {
	for name, tc := range map[string]struct{ text, want, hint string }{
		"broken":          {"leader = \"x\"\nhold = [", "line 2", "correct it"},
		"unknown":         {"\n  leeder = \"x\"", "line 2, column 3: unknown setting leeder", "did you mean leader?"},
		"unknown in one":  {"[projects.\"/a\"]\nsetop = \"x\"", "line 2, column 1: unknown setting projects.\"/a\".setop", "did you mean setup?"},
		"unknown table":   {"[themes]\ndark = 1", "line 1, column 2: unknown setting themes", "did you mean theme?"},
		"unknown wholly":  {"frobnicate = 1", "unknown setting frobnicate", "aside config prints all settings"},
		"bad time":        {"hold = \"soon\"", "line 1, column 9: hold has to be a time above zero", "correct it"},
		"no time":         {"hold = \"0s\"", "hold has to be", "correct it"},
		"no time then":    {"hold_before = \"-1s\"", "hold_before has to be", "correct it"},
		"number":          {"hold = 4", "hold has to be a time above zero, such as \"4h\"", "correct it"},
		"bad leader":      {"leader = \"space\"", "leader has to be ctrl or alt with a character", "correct it"},
		"empty leader":    {"leader = \"\"", "leader has to be", "correct it"},
		"bad theme":       {"theme = \"blue\"", "theme has to be \"auto\", \"dark\", \"light\", \"16\" or \"none\"", "correct it"},
		"theme number":    {"theme = 16", "theme has to be", "correct it"},
		"bad call":        {"notify = \"shout\"", "notify has to be \"off\", \"bell\", \"osc9\" or \"osc777\"", "correct it"},
		"bad clipboard":   {"clipboard = true", "clipboard has to be \"ask\", \"allow\" or \"deny\"", "correct it"},
		"bad switch":      {"plain = \"yes\"", "plain has to be true or false", "correct it"},
		"bad worktrees":   {"[projects.\"/a\"]\nworktrees = \"maybe\"", "line 2, column 14: projects.\"/a\".worktrees has to be \"auto\" or \"never\"", "correct it"},
		"bad args":        {"[agents.claude]\nargs = [1]", "agents.claude.args has to be a list of texts", "correct it"},
		"bad env":         {"agents.claude.env = { A = 1 }", "agents.claude.env.A has to be a text", "correct it"},
		"no table":        {"agents = 1", "agents has to be a table", "correct it"},
		"several at once": {"plain = 1\nleeder = \"x\"", "line 1, column 9: plain has to be true or false; line 2, column 1: unknown", "did you mean leader?"},
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, tc.text)
			c, err := config.Read(file)
			var e *session.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, file) || !strings.Contains(e.Message, tc.want) || !strings.Contains(e.Hint, tc.hint) {
				t.Errorf("got %v", err)
			}
			if !reflect.DeepEqual(c, config.Default()) {
				t.Errorf("of a file that cannot be used, some is: %+v", c)
			}
		})
	}
}

func TestTheCommentedFileChangesNothing(t *testing.T) {
	set := write(t, `
leader = "ctrl+b"
theme = "light"
reduced_motion = true
hold = "1h30m"
[agents.claude]
command = "/opt/\"claude\""
args = ["a\\b", "--x"]
env = { "A B" = "$HOME" }
[agents.generic]
model = "m"
[projects."~/src/app"]
worktrees = "never"
setup = "npm ci"
`)
	for name, file := range map[string]string{"the default": write(t, ""), "what is set": set} {
		before, err := config.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		after, err := config.Read(write(t, before.Text()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s: %+v was printed and read as %+v", name, before, after)
		}
	}
}

// TestTheCommentedExampleIsRight takes the comments off: what is shown must
// work as it stands.
func TestTheCommentedExampleIsRight(t *testing.T) {
	var lines []string
	for line := range strings.Lines(config.Default().Text()) {
		line = strings.TrimPrefix(line, "# ")
		if strings.Contains(line, " = ") || strings.HasPrefix(line, "[") {
			lines = append(lines, line)
		}
	}
	c, err := config.Read(write(t, strings.Join(lines, "")))
	if err != nil || c.Agents["claude"].Model == "" || c.Projects["~/src/app"].Setup == "" {
		t.Errorf("%+v, %v\n%s", c, err, strings.Join(lines, ""))
	}
}

func TestTheDocumentationHasTheCommentedFile(t *testing.T) {
	doc, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "```toml\n" + config.Default().Text() + "```\n"; !strings.Contains(string(doc), want) {
		t.Errorf("docs/configuration.md lacks what aside config prints:\n%s", want)
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
