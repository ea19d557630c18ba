package threads

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"aside/session"
	"aside/worktree/git"
)

// How says how a thread is finished.
type How string

// The ways to finish a thread. Each commits first what is left.
const (
	FinishCommit How = "commit" // and no more
	FinishMerge  How = "merge"  // merge the branch into the one it came from
	FinishRebase How = "rebase" // put the branch on top of the one it came from
	FinishPush   How = "push"   // push the branch, for a pull request
)

// Finish is how a person wants to finish a thread.
type Finish struct {
	How     How
	Into    string // branch; "" is the project's own, or its default branch
	Message string // of commits that are made; "" is the thread's title
	NoHooks bool   // the repository's hooks do not run
}

// FinishChoices are what a person can choose from before the steps of
// finishing a thread are planned.
type FinishChoices struct {
	Message  string   // of commits that are made, unless another one is given
	Branches []string // that it can go into, the first one unless another is chosen
}

// FinishChoices returns what there is to choose for finishing a thread.
func (s *Service) FinishChoices(ctx context.Context, id session.ThreadID) (FinishChoices, error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return FinishChoices{}, err
	}
	branches, err := s.o.Git.Branches(ctx, t.Project, dir(t))
	return FinishChoices{Message: t.Title, Branches: branches}, err
}

// StepKind is what a step does.
type StepKind string

// The kinds of a step.
const (
	StepCommit      StepKind = "commit"
	StepMerge       StepKind = "merge"
	StepRebase      StepKind = "rebase"
	StepPush        StepKind = "push"
	StepPullRequest StepKind = "pull_request" // is the person's own to run
)

// Step is one step of finishing a thread, as it is shown before it is done.
// Texts are safe to show.
type Step struct {
	Kind  StepKind `json:"kind"`
	Title string   `json:"title"`
	// Commands are what is done, as one would type it; where they run is Dir.
	Commands []string `json:"commands"`
	Dir      string   `json:"dir"`
	Notes    []string `json:"notes,omitempty"` // sentences about what to know before
	// ByHand says that the commands are for a shell: aside does not run them.
	ByHand bool `json:"by_hand,omitempty"`
	// Token stands for the step and for the branches as they were when it was
	// shown.
	Token string `json:"token"`

	doing git.Finishing
}

// FinishPlan returns the steps that are left to finish a thread, the first
// one to do first; none when it is finished. Nothing is done. A step is shown,
// done by FinishStep, and then there is a new plan.
func (s *Service) FinishPlan(ctx context.Context, id session.ThreadID, f Finish) ([]Step, error) {
	p, err := s.planning(ctx, id, f)
	if err != nil {
		return nil, err
	}
	if n := p.now.Uncommitted + p.now.Untracked; n > 0 {
		p.commit(n)
	}
	if f.How == FinishCommit {
		return p.steps, nil
	}
	if f.How == FinishPush {
		return p.steps, p.push()
	}
	return p.steps, p.join()
}

// planning is the work on a plan.
type planning struct {
	thread session.Thread
	finish Finish
	now    git.Standing
	steps  []Step
}

func (s *Service) planning(ctx context.Context, id session.ThreadID, f Finish) (*planning, error) {
	if !slices.Contains([]How{FinishCommit, FinishMerge, FinishRebase, FinishPush}, f.How) {
		return nil, &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("a thread is not finished by %q", f.How), Hint: "by commit, merge, rebase or push",
		}
	}
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return nil, err
	}
	if f.Message = strings.TrimSpace(f.Message); f.Message == "" {
		f.Message = t.Title
	}
	now, err := s.o.Git.Standing(ctx, t.Project, dir(t), t.Checkout.Base, f.Into)
	if err != nil {
		return nil, err
	}
	if now.Operation != "" {
		return nil, &session.Error{
			Code: session.CodeBlocked, Message: fmt.Sprintf("in the checkout %s %s is under way", session.MarkLine(dir(t)), now.Operation),
			Hint: "finish it, or give it up, first",
		}
	}
	return &planning{thread: t, finish: f, now: now}, nil
}

// add adds a step with what is to be said about every one of its kind.
func (p *planning) add(s Step, hooks ...string) {
	s.doing = git.Finishing{
		Dir: dir(p.thread), Branch: p.now.Branch, Head: p.now.Head, Hooks: !p.finish.NoHooks, Message: p.finish.Message,
		Into: p.now.Into, IntoHead: p.now.IntoHead, Remote: p.now.Remote,
	}
	if s.Kind == StepCommit || s.Kind == StepPush {
		s.doing.Into, s.doing.IntoHead = "", ""
	}
	if s.Dir == "" {
		s.Dir = session.MarkLine(dir(p.thread))
	}
	var run []string
	for _, h := range p.now.Hooks {
		if slices.Contains(hooks, h) || strings.Contains(h, ".") { // one that the configuration names
			run = append(run, session.MarkLine(h))
		}
	}
	switch {
	case len(run) == 0:
	case p.finish.NoHooks:
		s.Notes = append(s.Notes, "The repository's hooks do not run: "+strings.Join(run, ", ")+".")
	default:
		s.Notes = append(s.Notes, "The repository's hooks run: "+strings.Join(run, ", ")+".")
		if len(p.now.OwnHooks) > 0 {
			s.Notes = append(s.Notes, "This branch itself changed hooks: "+named(p.now.OwnHooks)+". Look at them first.")
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %+v", s.Kind, s.doing))
	s.Token = hex.EncodeToString(sum[:8])
	p.steps = append(p.steps, s)
}

func (p *planning) commit(n int) {
	s := Step{Kind: StepCommit, Title: fmt.Sprintf("Commit what is left: %s on %s", plural(n, "file"), session.MarkLine(p.now.Branch))}
	if p.now.Untracked > 0 {
		s.Commands = append(s.Commands, "git add --intent-to-add (the "+plural(p.now.Untracked, "untracked file")+")")
	}
	s.Commands = append(s.Commands, command("git", "commit", "--all", "--message", p.finish.Message))
	if p.thread.State == session.StateWorking {
		s.Notes = append(s.Notes, "The agent is working: what it changes after this is not in it.")
	}
	if p.now.Nested > 0 {
		s.Notes = append(s.Notes, "Left out: "+plural(p.now.Nested, "repository")+" within the checkout.")
	}
	if p.now.Signs {
		s.Notes = append(s.Notes, "It is not signed, though your configuration asks for that: commit by hand where a signature is needed.")
	}
	p.add(s, "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
}

// join plans how the branch and the one it goes into come together.
func (p *planning) join() error {
	branch, into := session.MarkLine(p.now.Branch), session.MarkLine(p.now.Into)
	switch {
	case p.now.Into == "":
		return &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("there is no branch that %s would go into", branch), Hint: "name one",
		}
	case p.now.Into == p.now.Branch:
		return &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("the thread works on %s itself", into), Hint: "commit what is left, or name another branch",
		}
	case p.finish.How == FinishRebase:
		p.rebase(branch, into)
		return nil
	case p.now.Ahead == 0 && len(p.steps) == 0:
		return nil
	case p.now.IntoBusy != "":
		return &session.Error{
			Code:    session.CodeBlocked,
			Message: fmt.Sprintf("the work tree %s on %s holds %s", session.MarkLine(p.now.IntoTree), into, p.now.IntoBusy),
			Hint:    "commit or put aside what is there, or finish with push",
		}
	}
	s := Step{
		Kind: StepMerge, Title: fmt.Sprintf("Merge %s into %s", branch, into), Dir: session.MarkLine(p.now.IntoTree),
		Commands: []string{command("git", "merge", "--message", p.finish.Message, p.now.Branch)},
	}
	switch {
	case p.now.IntoTree == "" && p.now.Behind == 0:
		s.Commands = []string{command("git", "update-ref", "refs/heads/"+p.now.Into, p.now.Branch)}
	case p.now.IntoTree == "":
		s.Commands = []string{
			command("git", "merge-tree", "--write-tree", p.now.Into, p.now.Branch),
			command("git", "commit-tree", "-p", p.now.Into, "-p", p.now.Branch, "-m", p.finish.Message),
			command("git", "update-ref", "refs/heads/"+p.now.Into),
		}
	}
	if p.now.Behind == 0 {
		s.Notes = append(s.Notes, into+" has nothing that the branch does not have: it moves forward to it, without a commit.")
	} else {
		s.Notes = append(s.Notes, fmt.Sprintf("%s has %s that the branch does not have: a merge commit is made.", into, plural(p.now.Behind, "commit")))
	}
	s.Notes = append(s.Notes, "With a conflict it is given up, and everything stays as it is.")
	if p.now.IntoTree == "" {
		s.Notes = append(s.Notes, into+" is checked out nowhere: no files change, and no hooks run.")
		p.add(s)
		return nil
	}
	p.add(s, "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge")
	return nil
}

func (p *planning) rebase(branch, into string) {
	if p.now.Behind == 0 {
		return // it is on top already
	}
	s := Step{
		Kind: StepRebase, Title: fmt.Sprintf("Put %s on top of %s", branch, into),
		Commands: []string{command("git", "rebase", p.now.Into)},
		Notes: []string{
			fmt.Sprintf("%s has %s that the branch does not have.", into, plural(p.now.Behind, "commit")),
			"With a conflict it is given up, and everything stays as it is.",
		},
	}
	if p.now.Pushed || p.now.Parted {
		s.Notes = append(s.Notes, fmt.Sprintf("The branch was pushed to %s: it could be pushed again only by force, which aside never does.", session.MarkLine(p.now.Remote)))
	}
	if p.thread.State == session.StateWorking {
		s.Notes = append(s.Notes, "The agent is working: files change under it.")
	}
	p.add(s, "pre-rebase", "post-checkout", "post-rewrite")
}

// push plans the push and, where GitHub's own program is there, says how a
// pull request is opened.
func (p *planning) push() error {
	branch, remote := session.MarkLine(p.now.Branch), session.MarkLine(p.now.Remote)
	if p.now.Remote == "" {
		return &session.Error{
			Code: session.CodeUsage, Message: "the repository has no remote to push to", Hint: "add one: git remote add origin URL",
		}
	}
	if !p.now.Pushed || len(p.steps) > 0 {
		s := Step{
			Kind: StepPush, Title: fmt.Sprintf("Push %s to %s", branch, remote),
			Commands: []string{command("git", "push", "--set-upstream", p.now.Remote, p.now.Branch)},
			Notes:    []string{"It goes to " + session.MarkLine(withoutSecret(p.now.RemoteURL)) + "."},
		}
		if p.now.Parted {
			s.Notes = append(s.Notes, remote+" had commits of the branch that are not here: it will refuse, and aside never pushes by force.")
		}
		p.add(s, "pre-push")
	}
	if _, err := exec.LookPath("gh"); err != nil || !strings.Contains(p.now.RemoteURL, "github") || p.now.Into == p.now.Branch {
		return nil
	}
	title, body, _ := strings.Cut(p.finish.Message, "\n")
	args := []string{"gh", "pr", "create", "--head", p.now.Branch, "--title", title, "--body", strings.TrimSpace(body)}
	if p.now.Into != "" {
		args = append(args, "--base", p.now.Into)
	}
	p.add(Step{Kind: StepPullRequest, Title: "Open a pull request", Commands: []string{command(args...)}, ByHand: true})
	return nil
}

// withoutSecret takes a user and password out of an address.
func withoutSecret(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	host, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return scheme + "://" + host + "/" + path
}

// FinishStep does the first step of the plan, which was shown with the token,
// and returns what was done as a sentence. CodeSettled when the branches have
// changed since, or another step is the first one. After an error everything
// is as before.
func (s *Service) FinishStep(ctx context.Context, id session.ThreadID, f Finish, token string) (string, error) {
	plan, err := s.FinishPlan(ctx, id, f)
	if err != nil {
		return "", err
	}
	if len(plan) == 0 || plan[0].Token != token {
		return "", &session.Error{
			Code: session.CodeSettled, Message: "the branches have changed since this step was shown", Hint: "look at the steps again",
		}
	}
	step := plan[0]
	said := step.Title
	g := s.o.Git
	switch step.Kind {
	case StepCommit:
		err = g.Commit(ctx, step.doing)
		said = "Committed what was left on " + session.MarkLine(step.doing.Branch)
	case StepMerge:
		err = g.Merge(ctx, step.doing)
		said = fmt.Sprintf("Merged %s into %s", session.MarkLine(step.doing.Branch), session.MarkLine(step.doing.Into))
	case StepRebase:
		err = g.Rebase(ctx, step.doing)
		said = fmt.Sprintf("Put %s on top of %s", session.MarkLine(step.doing.Branch), session.MarkLine(step.doing.Into))
	case StepPush:
		err = g.Push(ctx, step.doing)
		said = fmt.Sprintf("Pushed %s to %s", session.MarkLine(step.doing.Branch), session.MarkLine(step.doing.Remote))
	default:
		err = &session.Error{Code: session.CodeUsage, Message: "this step is for you to do", Hint: strings.Join(step.Commands, "; ")}
	}
	if err != nil {
		return "", err
	}
	s.tallies.put(id, tallied{at: s.o.Now(), old: true})
	return said, s.notice(ctx, id, said)
}

func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// command returns a command as one would type it in a shell; safe to show.
func command(args ...string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		switch a = strings.ReplaceAll(session.Mark(a), "\t", " "); {
		case strings.Contains(a, "\n"):
			a = "$'" + strings.NewReplacer("\n", `\n`, `\`, `\\`, "'", `\'`).Replace(a) + "'"
		case a == "" || strings.ContainsFunc(a, special):
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		quoted[i] = a
	}
	return strings.Join(quoted, " ")
}

// special says that a character may mean something to a shell.
func special(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	return !plain
}
