package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
	"aside/worktree"
)

func (f *fixture) inspect(dir string) Inspection {
	f.Helper()
	in, err := f.git.Inspect(f.ctx(), dir)
	if err != nil {
		f.Fatalf("Inspect: %v", err)
	}
	return in
}

func TestInspectRepository(t *testing.T) {
	f := newFixture(t)
	f.write("main.go", "package main // changed\n")
	f.write("neu ü.txt", "x")
	f.write("dir/a", "x")
	f.write("dir/b", "x")
	f.write("x.secret", "ignored")
	f.sh("mv", "pkg/lib/lib.go", "pkg/lib/other.go")

	in := f.inspect(filepath.Join(f.repo, "pkg", "lib"))
	want := Inspection{
		Facts: worktree.Facts{WorkTree: true, Commit: true},
		Top:   f.repo, Sub: "pkg/lib", Common: filepath.Join(f.repo, ".git"),
		Head: f.sh("rev-parse", "HEAD"), Branch: "main", Default: "main",
		Uncommitted: 2, Untracked: 2,
	}
	if in != want {
		t.Errorf("got  %+v\nwant %+v", in, want)
	}
}

// blocked says for what reason an explicit worktree is blocked in a folder.
func (f *fixture) blocked(dir, reason string) {
	f.Helper()
	in := f.inspect(dir)
	d := worktree.Decide(in.Facts, worktree.WishWorktree)
	if !d.Blocked || !strings.Contains(d.Reason, reason) {
		f.Errorf("want blocked for %q, got %+v", reason, d)
	}
	if d := worktree.Decide(in.Facts, worktree.WishAuto); d.Mode != worktree.ModeShared {
		f.Errorf("want shared without a wish, got %+v", d)
	}
}

func TestInspectWhatBlocks(t *testing.T) {
	t.Run("no repository", func(t *testing.T) {
		f := emptyFixture(t)
		f.blocked(f.repo, "not in a Git work tree")
	})
	t.Run("bare", func(t *testing.T) {
		f := newFixture(t)
		bare := filepath.Join(f.base, "bare.git")
		f.sh("clone", "--quiet", "--bare", ".", bare)
		f.blocked(bare, "bare")
	})
	t.Run("inside .git", func(t *testing.T) {
		f := newFixture(t)
		f.blocked(filepath.Join(f.repo, ".git"), "not in a Git work tree")
	})
	t.Run("no commit", func(t *testing.T) {
		f := emptyFixture(t)
		f.sh("init", "--quiet")
		f.blocked(f.repo, "no commit yet")
	})
	t.Run("detached", func(t *testing.T) {
		f := newFixture(t)
		f.sh("checkout", "--quiet", "--detach")
		f.blocked(f.repo, "detached")
	})
	t.Run("submodules", func(t *testing.T) {
		f := newFixture(t)
		lib := filepath.Join(f.base, "lib")
		f.sh("clone", "--quiet", ".", lib)
		f.sh("submodule", "--quiet", "add", lib, "vendor/lib")
		f.commit("submodule")
		f.blocked(filepath.Join(f.repo, "pkg"), ".gitmodules")
		f.sh("sparse-checkout", "set", "--no-cone", "/pkg/")
		if exists(filepath.Join(f.repo, ".gitmodules")) {
			t.Fatal("the sparse checkout holds .gitmodules")
		}
		f.blocked(f.repo, ".gitmodules")
	})
}

func TestInspectLinkedWorktree(t *testing.T) {
	f := newFixture(t)
	linked := filepath.Join(f.base, "linked")
	f.sh("worktree", "add", "--quiet", "-b", "side", linked)
	in := f.inspect(linked)
	if in.Top != linked || in.Common != filepath.Join(f.repo, ".git") || in.Branch != "side" {
		t.Errorf("got %+v", in)
	}
	if d := worktree.Decide(in.Facts, worktree.WishAuto); d.Mode != worktree.ModeWorktree {
		t.Errorf("got %+v", d)
	}
}

func TestInspectDefaultBranch(t *testing.T) {
	f := newFixture(t)
	f.sh("branch", "trunk")
	f.sh("checkout", "--quiet", "-b", "work")
	clone := filepath.Join(f.base, "clone")
	f.sh("clone", "--quiet", "--branch", "work", ".", clone)
	f.in(clone, "remote", "set-head", "origin", "trunk")
	if in := f.inspect(clone); in.Default != "origin/trunk" {
		t.Errorf("got %q, want origin's", in.Default)
	}
	f.in(clone, "commit", "--quiet", "--allow-empty", "-m", "one")
	f.in(clone, "commit", "--quiet", "--allow-empty", "-m", "two")
	if in := f.inspect(clone); in.Ahead != 2 {
		t.Errorf("%d commits are left out, want 2", in.Ahead)
	}
	f.in(clone, "branch", "--quiet", "trunk", "origin/trunk")
	if in := f.inspect(clone); in.Default != "trunk" {
		t.Errorf("got %q, want the local branch of that name", in.Default)
	}
	f.sh("branch", "-D", "main")
	f.sh("branch", "master")
	if in := f.inspect(f.repo); in.Default != "master" {
		t.Errorf("got %q, want master", in.Default)
	}
	f.sh("branch", "-D", "master")
	if in := f.inspect(f.repo); in.Default != "" {
		t.Errorf("got %q, want none", in.Default)
	}
}

func TestInspectSaysWhatIsWrongWithGit(t *testing.T) {
	f := newFixture(t)
	for name, c := range map[string]struct{ program, says string }{
		"missing": {filepath.Join(f.base, "no such git"), "Git was not found"},
		"old":     {f.program("old", "echo git version 2.30.1\n"), "Git is too old: git version 2.30.1"},
		"broken":  {f.program("broken", "exit 3\n"), "Git does not run"},
	} {
		t.Run(name, func(t *testing.T) {
			g := New(f.git.root, f.git.locks)
			g.Program = c.program
			in, err := g.Inspect(f.ctx(), f.repo)
			var e *session.Error
			if !errors.As(err, &e) || e.Message != c.says || e.Hint == "" {
				t.Errorf("got %#v", err)
			}
			d := worktree.Decide(in.Facts, worktree.WishWorktree)
			if !d.Blocked || !strings.Contains(d.Reason, c.says) {
				t.Errorf("the policy does not say so: %+v", d)
			}
		})
	}
	if _, err := f.git.Inspect(f.ctx(), filepath.Join(f.base, "nowhere")); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("a missing folder gives %v", err)
	}
}

// A repository of somebody else is not looked at: its configuration may name
// programs.
func TestInspectForeignRepository(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	f := newFixture(t)
	for _, path := range []string{f.repo, filepath.Join(f.repo, ".git")} {
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	_, err := f.git.Inspect(f.ctx(), f.repo)
	var e *session.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "does not trust") || !strings.Contains(e.Hint, "safe.directory") {
		t.Errorf("got %#v", err)
	}
}
