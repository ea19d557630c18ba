package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/session"
)

// kept tries to remove a worktree that must be kept, and says why it is.
func (f *fixture) kept(grant Grant, why string) Report {
	f.Helper()
	before := f.refs()
	report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if session.CodeOf(err) != session.CodeBlocked {
		f.Fatalf("got %+v, %v", report, err)
	}
	for _, want := range []string{why, grant.Path, "kept"} {
		if !strings.Contains(err.Error(), want) {
			f.Errorf("%q does not say %q", err, want)
		}
	}
	if report.Gone || !exists(filepath.Join(grant.Path, ".git")) || !slices.Equal(f.refs(), before) {
		f.Error("it was not kept")
	}
	return report
}

func TestRemoveUntouched(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.sh("config", "branch."+grant.Branch+".remote", "origin")
	f.writeIn(grant.Path, "x.secret", "ignored")
	report, err := f.git.Removable(f.ctx(), f.repo, grant.Checkout)
	if err != nil || !report.Removable() || !slices.Equal(report.Ignored, []string{"x.secret"}) {
		t.Fatalf("got %+v, %v", report, err)
	}
	if !exists(grant.Path) {
		t.Fatal("asking removed it")
	}
	report, err = f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if err != nil || !report.Gone || !report.BranchDeleted {
		t.Fatalf("got %+v, %v", report, err)
	}
	f.untouched("main")
	if strings.Contains(f.read(filepath.Join(f.repo, ".git", "config")), "loader") {
		t.Error("the branch's configuration is left")
	}
	// Once more is no error.
	if report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil || !report.Gone {
		t.Errorf("got %+v, %v", report, err)
	}
}

func TestRemoveKeepsWork(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.writeIn(grant.Path, "main.go", "package main // changed\n")
	if r := f.kept(grant, "1 uncommitted file"); !slices.Equal(r.Uncommitted, []string{"main.go"}) {
		t.Errorf("got %+v", r)
	}
	f.in(grant.Path, "add", ".")
	f.kept(grant, "1 uncommitted file")
	f.in(grant.Path, "reset", "--quiet", "--hard")
	f.writeIn(grant.Path, "new ü", "x")
	f.writeIn(grant.Path, "other", "x")
	if r := f.kept(grant, "2 untracked files"); !slices.Equal(r.Untracked, []string{"new ü", "other"}) {
		t.Errorf("got %+v", r)
	}
	f.in(grant.Path, "add", ".")
	f.in(grant.Path, "commit", "--quiet", "-m", "work")
	f.kept(grant, "1 unmerged commit")

	f.sh("merge", "--quiet", grant.Branch)
	report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if err != nil || !report.BranchDeleted {
		t.Fatalf("once merged: %+v, %v", report, err)
	}
	f.untouched("main")
}

func TestRemoveKeepsCommitsOnNoBranch(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.in(grant.Path, "checkout", "--quiet", "--detach")
	f.in(grant.Path, "commit", "--quiet", "--allow-empty", "-m", "detached")
	f.kept(grant, "1 unmerged commit")
	f.in(grant.Path, "checkout", "--quiet", "-b", "renamed")
	f.kept(grant, "1 unmerged commit")
}

// The agent switched to another branch: what is on the thread's own counts.
func TestRemoveLooksAtTheThreadsBranchToo(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.in(grant.Path, "commit", "--quiet", "--allow-empty", "-m", "work")
	f.in(grant.Path, "checkout", "--quiet", "-b", "other", "main")
	f.kept(grant, "1 unmerged commit")
}

func TestRemoveOfPushedWork(t *testing.T) {
	f := newFixture(t)
	remote := filepath.Join(f.base, "remote.git")
	f.sh("clone", "--quiet", "--bare", ".", remote)
	f.sh("remote", "add", "origin", remote)
	grant := f.add()
	f.in(grant.Path, "commit", "--quiet", "--allow-empty", "-m", "work")
	f.in(grant.Path, "push", "--quiet", "-u", "origin", grant.Branch)
	if _, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Error(err)
	}
	f.untouched("main")
}

func TestRemoveKeepsWhatIsUnderWay(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.in(grant.Path, "commit", "--quiet", "--allow-empty", "-m", "work")
	f.sh("merge", "--quiet", "--ff-only", grant.Branch)
	f.in(grant.Path, "bisect", "start")
	f.kept(grant, "a bisection under way")
	f.in(grant.Path, "bisect", "reset")
	f.sh("worktree", "lock", "--reason", "mine", grant.Path)
	f.kept(grant, "a lock (mine)")
}

func TestRemoveKeepsWhereAProcessLives(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	sub := filepath.Join(grant.Path, "pkg")
	cmd := exec.Command("cat")
	cmd.Dir = sub
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	report := f.kept(grant, "process living there (cat, ")
	if len(report.Processes) != 1 || report.Processes[0].PID != cmd.Process.Pid {
		t.Errorf("got %+v", report.Processes)
	}
	// Where lsof is installed it says the same.
	if _, err := exec.LookPath("lsof"); err == nil {
		found, err := fromLsof(f.ctx(), grant.Path)
		if err != nil || !slices.Equal(found, report.Processes) {
			t.Errorf("lsof: %+v, %v", found, err)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Error(err)
	}
}

func TestParseLsof(t *testing.T) {
	const out = "p12\nczsh\nfcwd\nn/w/t\np13\ncvim\nfcwd\nn/w/t/sub dir\np14\ncls\nfcwd\nn/w/t-other\np15\ncsh\nfcwd\nn/\n"
	want := []Process{{12, "zsh"}, {13, "vim"}}
	if got := parseLsof(out, "/w/t"); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestRemoveKeepsSubmodules(t *testing.T) {
	f := newFixture(t)
	lib := filepath.Join(f.base, "lib")
	f.sh("clone", "--quiet", ".", lib)
	grant := f.add()
	f.in(grant.Path, "submodule", "--quiet", "add", lib, "lib")
	f.in(grant.Path, "commit", "--quiet", "-m", "submodule")
	f.sh("merge", "--quiet", "--ff-only", grant.Branch)
	// Git itself refuses; nothing may be forced.
	_, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if err == nil || !strings.Contains(err.Error(), "submodules") || !exists(grant.Path) {
		t.Errorf("got %v", err)
	}
}

func TestRemoveOnlyItsOwn(t *testing.T) {
	f := newFixture(t)
	theirs := filepath.Join(f.base, "theirs")
	f.sh("worktree", "add", "--quiet", "-b", "aside/theirs", theirs)
	inside := filepath.Join(f.git.root, "p", "unregistered")
	f.writeIn(inside, "file", "x")
	for _, path := range []string{theirs, f.repo, f.git.root, inside, filepath.Join(f.git.root, "..")} {
		if _, err := f.git.Remove(f.ctx(), f.repo, session.Checkout{Path: path, Branch: "aside/theirs"}); err == nil {
			t.Errorf("%s: no error", path)
		}
		if !exists(path) {
			t.Errorf("%s is gone", path)
		}
	}
	if !slices.Contains(f.refs(), "aside/theirs") {
		t.Error("their branch is gone")
	}
}

func TestRemoveWhenTheFolderIsGone(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.in(grant.Path, "commit", "--quiet", "--allow-empty", "-m", "work")
	if err := os.RemoveAll(grant.Path); err != nil {
		t.Fatal(err)
	}
	report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if err != nil || !report.Gone || report.BranchDeleted {
		t.Errorf("got %+v, %v", report, err)
	}
	f.untouched(grant.Branch, "main") // its work is on the branch still
}

func TestRemoveWhenTheProjectIsGone(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	if err := os.RemoveAll(f.repo); err != nil {
		t.Fatal(err)
	}
	_, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if session.CodeOf(err) != session.CodeFailed || !strings.Contains(err.Error(), "kept") || !exists(grant.Path) {
		t.Errorf("got %v", err)
	}
	if err := os.RemoveAll(grant.Path); err != nil {
		t.Fatal(err)
	}
	if report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil || !report.Gone {
		t.Errorf("got %+v, %v", report, err)
	}
}

func TestRemoveDeletesOnlyBranchesThatAsideMade(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.sh("branch", "mine")
	grant.Branch = "mine"
	if _, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(f.refs(), "mine") {
		t.Error("a branch of the person is gone")
	}
}

func TestRemoveKeepsABranchThatIsCheckedOutElsewhere(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	f.in(grant.Path, "checkout", "--quiet", "--detach")
	f.sh("checkout", "--quiet", grant.Branch)
	report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout)
	if err != nil || !report.Gone || report.BranchDeleted {
		t.Errorf("got %+v, %v", report, err)
	}
	f.untouched(grant.Branch, "main")
}
