package claude_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/e2e/claude"
	"aside/session/config"
)

// fakeNpm puts an npm in front of PATH that runs a shell script; $DIR is the
// folder to install into.
func fakeNpm(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	text := "#!/bin/sh\nDIR=$3\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

const install = `for p in linux-x64 linux-arm64 darwin-x64 darwin-arm64; do
	mkdir -p "$DIR/node_modules/@anthropic-ai/claude-code-$p"
	echo "$@" > "$DIR/node_modules/@anthropic-ai/claude-code-$p/claude"
done`

func TestInstallFetchesThePinnedVersionOnce(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("ASIDE_E2E_CACHE", cache)
	fakeNpm(t, install)
	first, err := claude.Install(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	args, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if want := "@anthropic-ai/claude-code@" + claude.Version; !strings.Contains(string(args), want) {
		t.Errorf("npm was run with %q, want %s", args, want)
	}
	fakeNpm(t, "exit 1")
	second, err := claude.Install(t.Context())
	if err != nil || second != first {
		t.Errorf("from the cache: %q, %v; want %q", second, err, first)
	}
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 1 {
		t.Errorf("the cache holds %v, %v; want the one version", entries, err)
	}
}

func TestInstallsAtOnceDoNotDisturbEachOther(t *testing.T) {
	t.Setenv("ASIDE_E2E_CACHE", t.TempDir())
	fakeNpm(t, install)
	errs := make(chan error)
	for range 4 {
		go func() {
			_, err := claude.Install(t.Context())
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestInstallSaysWhatNpmSaid(t *testing.T) {
	t.Setenv("ASIDE_E2E_CACHE", t.TempDir())
	fakeNpm(t, "echo there is no network >&2; exit 1")
	if _, err := claude.Install(t.Context()); err == nil || !strings.Contains(err.Error(), "there is no network") {
		t.Errorf("got %v", err)
	}
}

func TestHomeTrustsTheProjectUnderBothItsNames(t *testing.T) {
	project := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(project, link); err != nil {
		t.Fatal(err)
	}
	home, err := claude.NewHome(filepath.Join(t.TempDir(), "home"), link)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(home.Dir, ".claude.json"))
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Projects map[string]struct {
			Accepted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	if err := json.Unmarshal(data, &settings); err != nil {
		t.Fatal(err)
	}
	resolved, err := filepath.EvalSymlinks(project)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, resolved} {
		if !settings.Projects[path].Accepted {
			t.Errorf("%s is not trusted: %s", path, data)
		}
	}
}

func TestAsideReadsTheConfigurationOfTheHome(t *testing.T) {
	home, err := claude.NewHome(filepath.Join(t.TempDir(), "home"))
	if err != nil {
		t.Fatal(err)
	}
	// Short, for the sockets below it.
	aside, err := os.MkdirTemp("", "a")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(aside) })
	if err := home.Configure(aside, "/a folder/claude", "http://127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASIDE_HOME", aside)
	paths, err := config.Locate()
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Read(paths.File())
	if err != nil {
		t.Fatal(err)
	}
	agent := c.Agents["claude"]
	if c.DefaultAgent != "claude" || agent.Command != "/a folder/claude" || len(agent.Args) != 2 {
		t.Errorf("got default %q, agent %+v", c.DefaultAgent, agent)
	}
	if agent.Env["HOME"] != home.Dir || agent.Env["ANTHROPIC_BASE_URL"] != "http://127.0.0.1:1" {
		t.Errorf("got environment %v", agent.Env)
	}
}
