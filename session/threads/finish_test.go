package threads_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/session/threads"
	"aside/session/transcript"
)

func (s *shop) plan(f threads.Finish) []threads.Step {
	s.Helper()
	steps, err := s.service.FinishPlan(s.Context(), s.thread.ID, f)
	ok(s, err)
	return steps
}

func (s *shop) wantPlan(f threads.Finish, kinds ...threads.StepKind) []threads.Step {
	s.Helper()
	steps := s.plan(f)
	var got []threads.StepKind
	for _, step := range steps {
		got = append(got, step.Kind)
	}
	if !slices.Equal(got, kinds) {
		s.Fatalf("%s: the steps are %v, want %v", f.How, got, kinds)
	}
	return steps
}

// do does the first step.
func (s *shop) do(f threads.Finish) string {
	s.Helper()
	said, err := s.service.FinishStep(s.Context(), s.thread.ID, f, s.plan(f)[0].Token)
	ok(s, err)
	return said
}

// shows makes sure that a step says all of the words.
func (s *shop) shows(step threads.Step, words ...string) {
	s.Helper()
	text := strings.Join(append(append([]string{step.Title, "in " + step.Dir}, step.Commands...), step.Notes...), "\n")
	for _, w := range words {
		if !strings.Contains(text, w) {
			s.Errorf("the step does not say %q:\n%s", w, text)
		}
	}
}

func (s *shop) refused(f threads.Finish, code session.Code, words ...string) {
	s.Helper()
	_, err := s.service.FinishPlan(s.Context(), s.thread.ID, f)
	if session.CodeOf(err) != code {
		s.Fatalf("got %v, want code %d", err, code)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			s.Errorf("%q does not say %q", err, w)
		}
	}
}

// Every step is shown, done once, and leads to the next plan.
func TestAThreadIsMergedStepByStep(t *testing.T) {
	s := newShop(t)
	s.write(s.path, "it's new.txt", "new\n")
	s.write(s.path, "pkg/main.go", "package main\n")
	s.write(s.project, "others.txt", "others\n")
	s.git(s.project, "add", "--all")
	s.git(s.project, "commit", "--quiet", "-m", "others")
	f := threads.Finish{How: threads.FinishMerge, Message: "It's done"}
	steps := s.wantPlan(f, threads.StepCommit, threads.StepMerge)
	s.shows(steps[0], "2 files on aside/fix-it-abcdefghij", "git add --intent-to-add (the 1 untracked file)",
		`git commit --all --message 'It'\''s done'`, "in "+s.path)
	s.shows(steps[1], "into main", "in "+s.project, `git merge --message 'It'\''s done' aside/fix-it-abcdefghij`,
		"main has 1 commit that the branch does not have: a merge commit", "everything stays as it is")

	if said := s.do(f); said != "Committed what was left on aside/fix-it-abcdefghij" {
		t.Errorf("said %q", said)
	}
	_, err := s.service.FinishStep(t.Context(), s.thread.ID, f, steps[0].Token)
	if session.CodeOf(err) != session.CodeSettled {
		t.Errorf("done twice: %v", err)
	}
	_, err = s.service.FinishStep(t.Context(), s.thread.ID, f, steps[1].Token)
	if session.CodeOf(err) != session.CodeSettled {
		t.Errorf("another merge than was shown: %v", err)
	}
	s.wantPlan(f, threads.StepMerge)
	s.do(f)
	s.wantPlan(f)
	if got := s.git(s.project, "log", "--first-parent", "--format=%s"); got != "It's done\nothers\nfirst" {
		t.Errorf("main has\n%s", got)
	}
	entries, err := s.store.Entries(t.Context(), s.thread.ID, 0, 0)
	ok(t, err)
	if len(entries) != 2 || entries[1].Kind != transcript.KindNotice || entries[1].Text != "Merged aside/fix-it-abcdefghij into main" {
		t.Errorf("the transcript has %+v", entries)
	}
}

func TestAThreadIsPutOnTopAndPushed(t *testing.T) {
	s := newShop(t)
	remote := filepath.Join(filepath.Dir(s.project), "github.com")
	s.git(s.project, "init", "--quiet", "--bare", remote)
	s.write(s.path, "new.txt", "new\n")
	s.write(s.project, "others.txt", "others\n")
	s.git(s.project, "add", "--all")
	s.git(s.project, "commit", "--quiet", "-m", "others")
	s.refused(threads.Finish{How: threads.FinishPush}, session.CodeUsage, "no remote")
	s.git(s.project, "remote", "add", "origin", remote)

	rebase := threads.Finish{How: threads.FinishRebase}
	s.wantPlan(rebase, threads.StepCommit, threads.StepRebase)
	s.do(rebase)
	s.shows(s.wantPlan(rebase, threads.StepRebase)[0], "on top of main", "git rebase main")
	s.do(rebase)
	s.wantPlan(rebase)

	bin := t.TempDir()
	ok(t, os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	push := threads.Finish{How: threads.FinishPush}
	steps := s.wantPlan(push, threads.StepPush, threads.StepPullRequest)
	s.shows(steps[0], "git push --set-upstream origin aside/fix-it-abcdefghij", remote)
	s.do(push)
	steps = s.wantPlan(push, threads.StepPullRequest)
	s.shows(steps[0], "gh pr create --head aside/fix-it-abcdefghij --title 'Fix it' --body '' --base main")
	if !steps[0].ByHand {
		t.Error("it is not left to the person")
	}
	_, err := s.service.FinishStep(t.Context(), s.thread.ID, push, steps[0].Token)
	if session.CodeOf(err) != session.CodeUsage {
		t.Errorf("got %v", err)
	}
	s.write(s.project, "others.txt", "more\n")
	s.git(s.project, "commit", "--quiet", "-am", "more")
	s.shows(s.wantPlan(rebase, threads.StepRebase)[0], "pushed again only by force")
}

// A message of several lines is one command that can be copied, and a pull
// request takes its title and text from it.
func TestTheMessageAndTheTargetAreThePersons(t *testing.T) {
	s := newShop(t)
	s.write(s.path, "new.txt", "new\n")
	s.git(s.project, "branch", "apart")
	s.write(s.project, "others.txt", "others\n")
	s.git(s.project, "add", "--all")
	s.git(s.project, "commit", "--quiet", "-m", "others")
	choices, err := s.service.FinishChoices(t.Context(), s.thread.ID)
	ok(t, err)
	if choices.Message != "Fix it" || !slices.Equal(choices.Branches, []string{"main", "apart"}) {
		t.Errorf("the choices are %+v", choices)
	}
	f := threads.Finish{How: threads.FinishMerge, Into: "apart", Message: "It's in\n\nFor a\\b."}
	steps := s.wantPlan(f, threads.StepCommit, threads.StepMerge)
	s.shows(steps[0], `git commit --all --message $'It\'s in\n\nFor a\\b.'`)
	s.do(f)
	if got := s.git(s.path, "log", "-1", "--format=%B"); got != "It's in\n\nFor a\\b." {
		t.Errorf("the message is %q", got)
	}
	s.do(f)
	if got := s.git(s.project, "log", "-1", "--format=%s", "apart"); got != "It's in" {
		t.Errorf("apart is at %q", got)
	}

	remote := filepath.Join(filepath.Dir(s.project), "github.com")
	s.git(s.project, "init", "--quiet", "--bare", remote)
	s.git(s.project, "remote", "add", "origin", remote)
	bin := t.TempDir()
	ok(t, os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	f.How = threads.FinishPush
	s.shows(s.wantPlan(f, threads.StepPush, threads.StepPullRequest)[1], `--title 'It'\''s in' --body 'For a\b.' --base apart`)
}

func TestAPlanSaysWhatToKnowBefore(t *testing.T) {
	s := newShop(t)
	s.git(s.project, "config", "core.hooksPath", ".hooks")
	s.git(s.project, "config", "commit.gpgSign", "true")
	s.write(s.path, ".hooks/pre-commit", "#!/bin/sh\n")
	ok(t, os.Chmod(filepath.Join(s.path, ".hooks/pre-commit"), 0o755))
	ok(t, s.store.SetStatus(t.Context(), s.thread.ID, session.Status{State: session.StateWorking, Source: session.SourceAgent, At: s.now}, false))
	f := threads.Finish{How: threads.FinishCommit}
	s.shows(s.wantPlan(f, threads.StepCommit)[0], "The agent is working", "hooks run: pre-commit.",
		"changed hooks: .hooks/pre-commit. Look at them first", "It is not signed")
	f.NoHooks = true
	s.shows(s.plan(f)[0], "hooks do not run: pre-commit.")
}

func TestWhatCannotBeFinishedSoIsSaid(t *testing.T) {
	s := newShop(t)
	s.wantPlan(threads.Finish{How: threads.FinishMerge})
	s.write(s.path, "new.txt", "new\n")
	s.refused(threads.Finish{How: "burn"}, session.CodeUsage, `"burn"`)
	s.refused(threads.Finish{How: threads.FinishMerge, Into: "nowhere"}, session.CodeNotFound, "nowhere")
	s.refused(threads.Finish{How: threads.FinishMerge, Into: s.thread.Checkout.Branch}, session.CodeUsage, "itself")
	s.write(s.project, "pkg/main.go", "package other\n")
	s.refused(threads.Finish{How: threads.FinishMerge}, session.CodeBlocked, s.project+" on main holds 1 uncommitted file")
	s.git(s.project, "branch", "apart")
	steps := s.wantPlan(threads.Finish{How: threads.FinishMerge, Into: "apart"}, threads.StepCommit, threads.StepMerge)
	s.shows(steps[1], "apart is checked out nowhere: no files change")
}
