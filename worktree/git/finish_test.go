package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
)

// finishing is a fixture with a thread's worktree that has one commit.
type finishing struct {
	*fixture

	grant Grant
}

func newFinishing(t *testing.T) *finishing {
	t.Helper()
	f := newFixture(t)
	f.write("shared.txt", "1\n2\n3\n")
	f.commit("shared")
	g := f.add()
	f.writeIn(g.Path, "work.txt", "work\n")
	f.in(g.Path, "add", "--all")
	f.in(g.Path, "commit", "--quiet", "-m", "work")
	return &finishing{f, g}
}

func (f *finishing) standing(into string) Standing {
	f.Helper()
	s, err := f.git.Standing(f.ctx(), f.repo, f.grant.Path, f.grant.Base, into)
	if err != nil {
		f.Fatal(err)
	}
	return s
}

// step is what a person was shown now.
func (f *finishing) step() Finishing {
	f.Helper()
	s := f.standing("")
	return Finishing{
		Dir: f.grant.Path, Branch: s.Branch, Head: s.Head, Hooks: true, Message: "Fix the loader\n\nAll of it.",
		Into: s.Into, IntoHead: s.IntoHead, Remote: s.Remote,
	}
}

// state is all that a failed step must leave as it was.
func (f *finishing) state() string {
	f.Helper()
	var b strings.Builder
	for _, dir := range []string{f.repo, f.grant.Path} {
		b.WriteString(f.in(dir, "rev-parse", "HEAD") + "\n" + f.in(dir, "status", "--porcelain=v2", "--branch") + "\n" + f.in(dir, "stash", "list"))
	}
	return b.String() + f.sh("for-each-ref")
}

// refused makes sure that a step changes nothing, and returns what is said.
func (f *finishing) refused(do func(context.Context, Finishing) error, step Finishing, code session.Code, words ...string) {
	f.Helper()
	before := f.state()
	err := do(f.ctx(), step)
	if session.CodeOf(err) != code {
		f.Fatalf("got %v, want code %d", err, code)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			f.Errorf("%q does not say %q", err, w)
		}
	}
	if after := f.state(); after != before {
		f.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestStandingSaysWhatFinishingDependsOn(t *testing.T) {
	f := newFinishing(t)
	f.writeIn(f.grant.Path, "work.txt", "more\n")
	f.writeIn(f.grant.Path, "dir/a", "")
	f.writeIn(f.grant.Path, "dir/b", "")
	f.sh("init", "--quiet", filepath.Join(f.grant.Path, "nested"))
	f.write("shared.txt", "changed\n")
	f.commit("meanwhile")
	s := f.standing("")
	if s.Branch != f.grant.Branch || s.Uncommitted != 1 || s.Untracked != 2 || s.Nested != 1 || s.Into != "main" || s.IntoTree != f.repo ||
		s.IntoBusy != "" || s.Ahead != 1 || s.Behind != 1 || s.Remote != "" || len(s.Hooks) > 0 || s.Signs {
		t.Errorf("%+v", s)
	}
	f.write("shared.txt", "dirty\n")
	f.sh("config", "commit.gpgSign", "true")
	if s := f.standing(""); s.IntoBusy != "1 uncommitted file" || !s.Signs {
		t.Errorf("%+v", s)
	}
	f.sh("branch", "other", "HEAD~1")
	if s := f.standing("other"); s.Into != "other" || s.IntoTree != "" || s.Behind != 0 {
		t.Errorf("%+v", s)
	}
	if _, err := f.git.Standing(f.ctx(), f.repo, f.grant.Path, f.grant.Base, "none"); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %v", err)
	}
	f.in(f.grant.Path, "checkout", "--quiet", "--detach")
	if _, err := f.git.Standing(f.ctx(), f.repo, f.grant.Path, f.grant.Base, ""); session.CodeOf(err) != session.CodeBlocked {
		t.Errorf("got %v", err)
	}
}

func TestCommitTakesAllThatIsLeft(t *testing.T) {
	f := newFinishing(t)
	f.writeIn(f.grant.Path, "work.txt", "more\n")
	f.writeIn(f.grant.Path, "*.odd", "odd\n")
	f.writeIn(f.grant.Path, "dir/new", "new\n")
	f.writeIn(f.grant.Path, "my.secret", "ignored\n")
	f.sh("init", "--quiet", filepath.Join(f.grant.Path, "nested"))
	step := f.step()
	if err := f.git.Commit(f.ctx(), step); err != nil {
		t.Fatal(err)
	}
	if got := f.in(f.grant.Path, "log", "-1", "--format=%B"); got != step.Message {
		t.Errorf("message is %q", got)
	}
	if got := f.in(f.grant.Path, "show", "--format=", "--name-only"); got != "*.odd\ndir/new\nwork.txt" {
		t.Errorf("committed is %q", got)
	}
	f.refused(f.git.Commit, step, session.CodeSettled, "changed since")
}

// hook writes a hook of the repository.
func (f *finishing) hook(name, body string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.repo, ".git/hooks", name), []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		f.Fatal(err)
	}
}

func TestHooksRunForWhatThePersonAsksForUnlessTheySayNo(t *testing.T) {
	f := newFinishing(t)
	f.hook("pre-commit", "echo 'no bad words' >&2; exit 1\n")
	f.writeIn(f.grant.Path, "new.txt", "new\n")
	f.writeIn(f.grant.Path, "work.txt", "more\n")
	if s := f.standing(""); len(s.Hooks) != 1 || s.Hooks[0] != "pre-commit" || len(s.OwnHooks) > 0 {
		t.Errorf("%v %v", s.Hooks, s.OwnHooks)
	}
	step := f.step()
	f.refused(f.git.Commit, step, session.CodeFailed, "no bad words")
	step.Hooks = false
	if err := f.git.Commit(f.ctx(), step); err != nil {
		t.Error(err)
	}
}

func TestHooksThatTheBranchChangedAreNamed(t *testing.T) {
	f := newFinishing(t)
	f.sh("config", "core.hooksPath", ".hooks")
	f.writeIn(f.grant.Path, ".hooks/pre-commit", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(f.grant.Path, ".hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	if s := f.standing(""); len(s.Hooks) != 1 || len(s.OwnHooks) != 1 || s.OwnHooks[0] != ".hooks/pre-commit" {
		t.Errorf("%v %v", s.Hooks, s.OwnHooks)
	}
}

func TestMergeMovesTheBranchForward(t *testing.T) {
	for _, away := range []bool{false, true} {
		f := newFinishing(t)
		f.write("notes.txt", "untracked\n")
		if away {
			f.sh("checkout", "--quiet", "--detach")
		}
		step := f.step()
		step.Into, step.IntoHead = "main", f.sh("rev-parse", "main")
		if err := f.git.Merge(f.ctx(), step); err != nil {
			t.Fatal(err)
		}
		if got := f.sh("rev-parse", "main"); got != step.Head {
			t.Errorf("main is at %s", got)
		}
		if _, err := os.Stat(filepath.Join(f.repo, "work.txt")); (err == nil) == away {
			t.Errorf("away %t: %v", away, err)
		}
	}
}

func TestMergeMakesACommitWhereBothHaveSome(t *testing.T) {
	for _, away := range []bool{false, true} {
		f := newFinishing(t)
		f.write("meanwhile.txt", "x\n")
		main := f.commit("meanwhile")
		if away {
			f.sh("checkout", "--quiet", "--detach")
		}
		step := f.step()
		step.Into, step.IntoHead = "main", main
		if err := f.git.Merge(f.ctx(), step); err != nil {
			t.Fatal(err)
		}
		if got := f.sh("log", "-1", "--format=%P|%B", "main"); got != main+" "+step.Head+"|"+step.Message {
			t.Errorf("got %q", got)
		}
		if got := f.sh("ls-tree", "--name-only", "main"); !strings.Contains(got, "meanwhile.txt") || !strings.Contains(got, "work.txt") {
			t.Errorf("got %q", got)
		}
	}
}

func TestAConflictLeavesEverythingAsItWas(t *testing.T) {
	f := newFinishing(t)
	f.writeIn(f.grant.Path, "shared.txt", "thread's\n2\n3\n")
	f.in(f.grant.Path, "commit", "--quiet", "-am", "thread's")
	f.write("shared.txt", "main's\n2\n3\n")
	f.commit("main's")
	f.writeIn(f.grant.Path, "left.txt", "uncommitted\n")
	f.refused(f.git.Merge, f.step(), session.CodeFailed, "conflicts in shared.txt", "everything is as it was")
	f.refused(f.git.Rebase, f.step(), session.CodeFailed, "conflicts in shared.txt", "everything is as it was")
	f.sh("checkout", "--quiet", "--detach")
	step := f.step()
	step.Into, step.IntoHead = "main", f.sh("rev-parse", "main")
	f.refused(f.git.Merge, step, session.CodeFailed, "conflicts in shared.txt", "everything is as it was")
}

func TestMergeRefusesWhatItWouldDisturb(t *testing.T) {
	f := newFinishing(t)
	f.write("work.txt", "the person's own, untracked\n")
	f.refused(f.git.Merge, f.step(), session.CodeFailed, "main is as it was", "work.txt")
	f.write("shared.txt", "uncommitted\n")
	f.refused(f.git.Merge, f.step(), session.CodeBlocked, "1 uncommitted file")
	f.sh("checkout", "--quiet", "shared.txt")
	f.hook("commit-msg", "echo 'bad message' >&2; exit 1\n")
	step := f.step()
	if err := os.Remove(filepath.Join(f.repo, "work.txt")); err != nil {
		t.Fatal(err)
	}
	f.write("other.txt", "x\n")
	f.sh("add", "--all")
	f.sh("commit", "--quiet", "--no-verify", "-m", "other")
	f.refused(f.git.Merge, step, session.CodeSettled, "changed since")
	f.refused(f.git.Merge, f.step(), session.CodeFailed, "bad message")
}

func TestRebasePutsTheWorkOnTop(t *testing.T) {
	f := newFinishing(t)
	f.write("meanwhile.txt", "x\n")
	main := f.commit("meanwhile")
	for key, value := range map[string]string{"rebase.autoStash": "true", "rebase.updateRefs": "true", "merge.ff": "false", "pull.rebase": "true"} {
		f.sh("config", key, value)
	}
	if err := f.git.Rebase(f.ctx(), f.step()); err != nil {
		t.Fatal(err)
	}
	if got := f.sh("rev-parse", f.grant.Branch+"~1"); got != main {
		t.Errorf("the parent is %s", got)
	}
	f.writeIn(f.grant.Path, "work.txt", "dirty\n")
	f.refused(f.git.Rebase, f.step(), session.CodeBlocked, "uncommitted")
}

func TestPushGoesToABranchOfTheSameNameAndIsNeverForced(t *testing.T) {
	f := newFinishing(t)
	remote := filepath.Join(f.base, "remote.git")
	f.sh("init", "--quiet", "--bare", remote)
	f.sh("remote", "add", "upstream", remote)
	f.sh("config", "push.default", "nothing")
	step := f.step()
	if step.Remote != "upstream" {
		t.Fatalf("remote is %q", step.Remote)
	}
	if err := f.git.Push(f.ctx(), step); err != nil {
		t.Fatal(err)
	}
	if got := f.in(remote, "for-each-ref", "--format=%(refname) %(objectname)"); got != "refs/heads/"+f.grant.Branch+" "+step.Head {
		t.Errorf("the remote has %q", got)
	}
	if s := f.standing(""); !s.Pushed || s.Parted || s.Remote != "upstream" || s.RemoteURL != remote {
		t.Errorf("%+v", s)
	}
	f.in(f.grant.Path, "commit", "--quiet", "--amend", "-m", "rewritten")
	if s := f.standing(""); s.Pushed || !s.Parted {
		t.Errorf("%+v", s)
	}
	f.sh("config", "remote.upstream.push", "+refs/heads/*:refs/heads/*")
	f.refused(f.git.Push, f.step(), session.CodeBlocked, "refused the push")
	if got := f.in(remote, "rev-parse", f.grant.Branch); got != step.Head {
		t.Errorf("the remote is at %s", got)
	}
}

func TestNothingIsAskedOnTheTerminal(t *testing.T) {
	f := newFinishing(t)
	f.sh("remote", "add", "origin", "ssh://127.0.0.1:1/none")
	ssh := f.program("ssh", "if (true </dev/tty) 2>/dev/null; then echo 'has a terminal' >&2; else echo 'no terminal' >&2; fi; exit 1\n")
	t.Setenv("GIT_SSH_COMMAND", "'"+ssh+"'")
	f.refused(f.git.Push, f.step(), session.CodeFailed, "no terminal")
}

func TestFinishingWaitsForNoOperationUnderWay(t *testing.T) {
	f := newFinishing(t)
	f.writeIn(f.grant.Path, "shared.txt", "thread's\n")
	f.in(f.grant.Path, "commit", "--quiet", "-am", "thread's")
	f.write("shared.txt", "main's\n")
	f.commit("main's")
	if _, err := f.git.run(f.ctx(), call{dir: f.grant.Path, args: []string{"merge", "main"}, writes: true}); err == nil {
		t.Fatal("no conflict")
	}
	for _, do := range []func(context.Context, Finishing) error{f.git.Commit, f.git.Merge, f.git.Rebase, f.git.Push} {
		f.refused(do, f.step(), session.CodeBlocked, "a merge is under way")
	}
}
