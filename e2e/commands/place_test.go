package commands

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// place is a home of its own for aside, and a folder to work in.
type place struct {
	dir string
	env map[string]string
}

// newPlace makes a place whose threads are stopped, and which is removed, when
// the test ends. Its path is short: sockets are in it.
func newPlace(t *testing.T) *place {
	t.Helper()
	dir, err := os.MkdirTemp("", "aside")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &place{dir: dir, env: map[string]string{
		"WORK": dir, "HOME": filepath.Join(dir, "user"), "ASIDE_HOME": filepath.Join(dir, "home"),
		"PATH": filepath.Join(dir, "bin") + ":" + programs + ":" + os.Getenv("PATH"),
		"TERM": "xterm-256color", "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
	}}
	t.Cleanup(func() {
		p.stopAll(t)
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove %s: %v", dir, err)
		}
	})
	for _, d := range []string{"user", "bin"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// write writes a file. One that begins with #! can be run.
func (p *place) write(t *testing.T, name, text string) {
	t.Helper()
	path, mode := filepath.Join(p.dir, name), os.FileMode(0o600)
	if strings.HasPrefix(text, "#!") {
		mode = 0o700
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// agent sets up a project and a shell script that is its agent.
func (p *place) agent(t *testing.T, script string) {
	t.Helper()
	p.write(t, "bin/agent", "#!/bin/sh\n"+script+"\n")
	p.write(t, "home/config/config.toml", "default_agent = \"generic\"\n[agents.generic]\ncommand = \"agent\"\n")
	p.run(t, "sh", "-euc", "git init -q -b main .; git commit -q --allow-empty -m one")
}

// run runs a command, which has to succeed, and returns its output, trimmed.
func (p *place) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := p.command(t, name, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, &errs)
	}
	return strings.TrimSpace(string(out))
}

// until asks again and again, since other processes announce nothing here.
func (p *place) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	over := time.After(patience)
	for !done() {
		select {
		case <-tick.C:
		case <-over:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// stopAll ends the agents that still run.
func (p *place) stopAll(t *testing.T) {
	t.Helper()
	for _, id := range p.threads() {
		cmd := p.command(t, "aside", "stop", id)
		_ = cmd.Run() // one that has ended is refused
	}
}

// threads returns the ids of the threads in the place's first home.
func (p *place) threads() []string {
	runtime, err := filepath.Glob(filepath.Join(p.dir, "home", "run", "*.lock"))
	if err != nil {
		return nil
	}
	for i, lock := range runtime {
		runtime[i] = filepath.Base(lock[:len(lock)-len(".lock")])
	}
	return runtime
}

func (p *place) environ() []string {
	var env []string
	for k, v := range p.env {
		env = append(env, k+"="+v)
	}
	return env
}

// command prepares a command in the place; it is ended with the test.
func (p *place) command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	t.Cleanup(cancel)
	path := name
	for _, dir := range filepath.SplitList(p.env["PATH"]) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			path = filepath.Join(dir, name)
			break
		}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env = p.dir, p.environ()
	return cmd
}
