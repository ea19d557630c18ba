//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"aside/e2e/claude"
	"aside/e2e/model"
	"aside/e2e/term"
)

// patience is how long a test waits for what must come. It is no measure of
// speed: a busy machine needs a minute to start the client.
const patience = 3 * time.Minute

// stage is a project, a model and a client that no other test shares.
type stage struct {
	model   *model.Server
	program string // the client
	home    interface {
		// Configure makes an aside start the client.
		Configure(asideHome, program, modelURL string) error
	}
	homeDir string // the client's home folder
	project string // a git work tree with one commit
	env     []string
}

// newStage skips nothing: a client that cannot be installed fails the test.
func newStage(t *testing.T) *stage {
	t.Helper()
	installing, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	program, err := claude.Install(installing)
	if err != nil {
		t.Fatal(err)
	}
	s := bareStage(t)
	home, err := claude.NewHome(tempDir(t), s.project)
	if err != nil {
		t.Fatal(err)
	}
	s.program, s.home, s.homeDir = program, home, home.Dir
	for name, value := range home.Env(s.model.URL()) {
		s.env = append(s.env, name+"="+value)
	}
	return s
}

// bareStage is a stage without a client.
func bareStage(t *testing.T) *stage {
	t.Helper()
	server, err := model.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return &stage{model: server, project: newProject(t), env: []string{
		"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "SHELL=/bin/sh",
	}}
}

// tempDir has a short path, below which a socket's path stays within its
// limit.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e2e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	// The client and git name a folder by its real path.
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func newProject(t *testing.T) string {
	t.Helper()
	dir := tempDir(t)
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("# app\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "main"},
		{"add", "."},
		{"-c", "user.name=A Person", "-c", "user.email=person@example.com", "commit", "--quiet", "--message", "Start"},
	} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = dir
		git.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return dir
}

// deadline ends after patience, or with the test.
func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// open runs a command in the project, on a terminal of 120x40.
func (s *stage) open(t *testing.T, command ...string) *term.Terminal {
	t.Helper()
	tm, err := term.Start(term.Options{Command: command, Dir: s.project, Env: s.env, Cols: 120, Rows: 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last screen:\n%s", tm.Text())
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := tm.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return tm
}

// see waits for a regular expression on the screen.
func see(t *testing.T, tm *term.Terminal, pattern string) {
	t.Helper()
	if err := tm.WaitFor(deadline(t), pattern); err != nil {
		t.Fatal(err)
	}
}

// confirm presses enter on a dialog until it is gone: the client ignores a
// key that comes right after typing, lest it confirm what was not read.
func confirm(t *testing.T, tm *term.Terminal, dialog string) {
	t.Helper()
	for ctx := deadline(t); ; {
		must(t, tm.Key("enter"))
		trying, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := tm.WaitGone(trying, dialog)
		cancel()
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

// must ends the test when an input could not be given.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
