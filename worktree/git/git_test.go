package git

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/worktree"
)

// childVariable makes the test program another process of aside: it holds the
// job as JSON.
const childVariable = "WORKTREE_GIT_TEST_JOB"

// job is one Add by another process.
type job struct {
	Root, Locks, Program string
	Request              Request
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		os.Exit(child(text))
	}
	os.Exit(isolated(m))
}

func child(text string) int {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	g := New(j.Root, j.Locks)
	g.Program = j.Program
	grant, err := g.Add(context.Background(), j.Request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(grant.Branch)
	return 0
}

// isolated runs the tests with a configuration of their own.
func isolated(m *testing.M) int {
	home, err := os.MkdirTemp("", "git-home-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer func() { _ = os.RemoveAll(home) }()
	config := filepath.Join(home, "config")
	text := "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for name, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": os.TempDir(),
	} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
	return m.Run()
}

// fixture is a repository with one commit on main, and a Git for it. All paths
// hold spaces and letters beyond ASCII.
type fixture struct {
	*testing.T

	git  *Git
	base string // folder of everything
	repo string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := emptyFixture(t)
	f.sh("init", "--quiet", "--initial-branch=main")
	f.write("main.go", "package main\n")
	f.write("pkg/lib/lib.go", "package lib\n")
	f.write(".gitignore", "*.secret\n/build/\n")
	f.commit("first")
	return f
}

// emptyFixture has a folder without repository.
func emptyFixture(t *testing.T) *fixture {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	base = filepath.Join(base, "mit Leer zeichen ü")
	f := &fixture{T: t, base: base, repo: filepath.Join(base, "my project é")}
	if err := os.MkdirAll(f.repo, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git = New(filepath.Join(base, "data", "work trees"), filepath.Join(base, "locks"))
	return f
}

// sh runs the real Git in the repository and returns what it prints.
func (f *fixture) sh(args ...string) string {
	f.Helper()
	return f.in(f.repo, args...)
}

func (f *fixture) in(dir string, args ...string) string {
	f.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *fixture) write(path, content string) { f.Helper(); f.writeIn(f.repo, path, content) }

func (f *fixture) writeIn(dir, path, content string) {
	f.Helper()
	path = filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) commit(message string) string {
	f.Helper()
	f.sh("add", "--all")
	f.sh("commit", "--quiet", "--message", message)
	return f.sh("rev-parse", "HEAD")
}

func (f *fixture) read(path string) string {
	f.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	return string(text)
}

// request asks for the worktree of the thread "abcdefghij".
func (f *fixture) request() Request {
	return Request{
		Repo:   f.repo,
		Path:   worktree.Folder(f.git.root, f.repo, "abcdefghij"),
		Branch: worktree.Branch("Fix the loader", "abcdefghij"),
	}
}

func (f *fixture) add(change ...func(*Request)) Grant {
	f.Helper()
	r := f.request()
	for _, c := range change {
		c(&r)
	}
	grant, err := f.git.Add(f.ctx(), r)
	if err != nil {
		f.Fatalf("Add: %v", err)
	}
	return grant
}

func (f *fixture) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	f.Cleanup(cancel)
	return ctx
}

// refs lists the branches.
func (f *fixture) refs() []string {
	f.Helper()
	out := f.sh("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")
	return strings.Fields(out)
}

// untouched makes sure that no trace of a worktree is in the repository or
// among aside's own folders.
func (f *fixture) untouched(branches ...string) {
	f.Helper()
	if got := f.refs(); !slices.Equal(got, branches) {
		f.Errorf("branches are %v, want %v", got, branches)
	}
	if out := f.sh("worktree", "list", "--porcelain"); strings.Count(out, "worktree ") != 1 {
		f.Errorf("worktrees are registered:\n%s", out)
	}
	if left, err := os.ReadDir(f.git.root); err == nil && len(left) > 0 {
		f.Errorf("%v is left in aside's folder", left)
	}
}

// program writes a shell script and returns its path.
func (f *fixture) program(name, body string) string {
	f.Helper()
	path := filepath.Join(f.base, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		f.Fatal(err)
	}
	return path
}

// wait polls a real condition outside of this process.
func (f *fixture) wait(what string, done func() bool) {
	f.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(time.Minute)
	for !done() {
		select {
		case <-look.C:
		case <-deadline:
			f.Fatalf("%s did not happen", what)
		}
	}
}

// start runs a job in another process.
func (f *fixture) start(program string, r Request, env ...string) (*exec.Cmd, *strings.Builder) {
	f.Helper()
	text, err := json.Marshal(job{Root: f.git.root, Locks: f.git.locks, Program: program, Request: r})
	if err != nil {
		f.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), env...), childVariable+"="+string(text))
	out := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	return cmd, out
}
