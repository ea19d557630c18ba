package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aside/session"
)

// What follows is done because a person asked for just that, in the place of
// their own git commit, merge, rebase and push. So the repository's hooks run
// as they would then, unless the person says no. Nothing is ever forced, and
// nothing is asked on a terminal: what needs a passphrase fails.

// Finishing is one step of finishing the branch of a checkout.
type Finishing struct {
	Dir    string // the checkout
	Branch string // that is checked out in it
	Head   string // the commit it was at when the step was shown
	Hooks  bool   // whether the repository's hooks run

	Message string // of a commit that is made

	Into     string // merge and rebase: the other branch
	IntoHead string // and where it was when the step was shown

	Remote string // push
}

// act holds the repository, makes sure that everything is as it was shown,
// and does the step.
func (g *Git) act(ctx context.Context, what string, f Finishing, do func(h *hold, top string, now Standing) error) error {
	in, err := g.locate(ctx, f.Dir)
	if err != nil {
		return err
	}
	h, err := g.hold(ctx, in.Common, in.Top)
	if err != nil {
		return failed(what, "", err)
	}
	defer h.release()
	now, err := g.standing(ctx, in.Top, in.Top, "", f.Into)
	switch {
	case err != nil:
		return failed(what, "", err)
	case now.Branch != f.Branch || now.Head != f.Head || f.Into != "" && now.IntoHead != f.IntoHead:
		return &session.Error{
			Code: session.CodeSettled, Message: "The branches have changed since this was shown", Hint: "Look at the steps again",
		}
	case now.Operation != "":
		return &session.Error{
			Code: session.CodeBlocked, Message: "In the checkout " + plain(in.Top) + " " + now.Operation + " is under way",
			Hint: "Finish it, or give it up, first",
		}
	}
	return failed(what, "", do(h, in.Top, now))
}

// own runs Git as the person would.
func (h *hold) own(ctx context.Context, f Finishing, dir, stdin string, args ...string) ([]byte, error) {
	return h.ownOr(ctx, f, 0, dir, stdin, args...)
}

// ownOr is own for a command with a further exit status that is no failure.
func (h *hold) ownOr(ctx context.Context, f Finishing, ok int, dir, stdin string, args ...string) ([]byte, error) {
	c := call{
		dir: dir, args: args, stdin: strings.NewReader(stdin), writes: true, hooks: f.Hooks, alone: true,
		config: []string{
			"rebase.autoSquash=false", "rebase.updateRefs=false", "rebase.autoStash=false", "merge.autoStash=false",
			"push.followTags=false",
		},
		env: []string{"GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true"},
		ok:  ok,
	}
	if !f.Hooks {
		c.env = append(c.env, h.env...)
	}
	return h.git.run(ctx, c)
}

// Commit commits all there is in the checkout, untracked files that are not
// ignored too. When it fails, the files and the index are as before.
func (g *Git) Commit(ctx context.Context, f Finishing) error {
	return g.act(ctx, "Nothing was committed", f, func(h *hold, top string, now Standing) error {
		out, err := g.read(ctx, top, "ls-files", "-z", "--others", "--exclude-standard")
		if err != nil {
			return err
		}
		var list string
		if untracked := files(string(out)); len(untracked) > 0 {
			list = string(joined(untracked))
			if _, err := h.own(ctx, f, top, list, "--literal-pathspecs", "add", "--intent-to-add",
				"--pathspec-from-file=-", "--pathspec-file-nul"); err != nil {
				return err
			}
		}
		_, err = h.own(ctx, f, top, f.Message, "commit", "--quiet", "--all", "--file=-")
		if err != nil && list != "" {
			_, undo := h.own(context.WithoutCancel(ctx), f, top, list, "--literal-pathspecs", "reset", "--quiet",
				"--pathspec-from-file=-", "--pathspec-file-nul")
			err = errors.Join(err, undo)
		}
		return err
	})
}

// Merge merges the branch into the other one, by moving that forward where
// this is enough. Where the other branch is checked out, its work tree must
// hold nothing uncommitted. With conflicts or any other failure both branches
// and all files are as before; the error says where.
func (g *Git) Merge(ctx context.Context, f Finishing) error {
	what := "Nothing was merged: " + plain(f.Into) + " is as it was"
	return g.act(ctx, what, f, func(h *hold, top string, now Standing) error {
		switch {
		case now.IntoBusy != "":
			return &session.Error{
				Code: session.CodeBlocked, Message: "The work tree " + plain(now.IntoTree) + " on " + plain(f.Into) + " holds " + now.IntoBusy,
				Hint: "Commit or put aside what is there first",
			}
		case now.IntoTree != "":
			_, err := h.own(ctx, f, now.IntoTree, "", "merge", "--quiet", "--ff", "--commit", "--no-squash", "--no-edit", "--no-stat",
				"--no-autostash", "--message="+f.Message, "--end-of-options", f.Head)
			return h.undone(ctx, f, now.IntoTree, f.Into, f.IntoHead, "merge", err)
		case now.Behind == 0:
			return h.move(ctx, f, top, f.Head)
		}
		return h.mergeApart(ctx, f, top)
	})
}

// mergeApart merges where the other branch is not checked out, so that no
// work tree is touched and no hook of one runs.
func (h *hold) mergeApart(ctx context.Context, f Finishing, top string) error {
	out, err := h.ownOr(ctx, f, 1, top, "", "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", f.IntoHead, f.Head)
	switch {
	case says(err, "usage:"), says(err, "unknown option"):
		return &session.Error{
			Code: session.CodeFailed, Message: "This Git merges only in a work tree, and " + plain(f.Into) + " is checked out in none",
			Hint: "Check " + plain(f.Into) + " out, or install Git 2.38 or newer", Cause: err,
		}
	case err != nil:
		return err
	}
	tree, list, _ := strings.Cut(string(out), "\x00")
	if unmerged := files(list); len(unmerged) > 0 {
		return conflicts("merge", f, unmerged)
	}
	out, err = h.own(ctx, f, top, f.Message, "commit-tree", tree, "-p", f.IntoHead, "-p", f.Head, "-F", "-")
	if err != nil {
		return err
	}
	return h.move(ctx, f, top, strings.TrimSpace(string(out)))
}

// move moves the other branch, unless it has moved meanwhile.
func (h *hold) move(ctx context.Context, f Finishing, top, commit string) error {
	_, err := h.own(ctx, f, top, "", "update-ref", "-m", "merge "+f.Branch, "refs/heads/"+f.Into, commit, f.IntoHead)
	return err
}

// Rebase puts the branch's commits on top of the other one. With conflicts or
// any other failure the branch and all files are as before; the error says
// where.
func (g *Git) Rebase(ctx context.Context, f Finishing) error {
	what := "Nothing was rebased: " + plain(f.Branch) + " is as it was"
	return g.act(ctx, what, f, func(h *hold, top string, now Standing) error {
		if now.Uncommitted > 0 {
			return &session.Error{Code: session.CodeBlocked, Message: "The checkout holds uncommitted work", Hint: "Commit it first"}
		}
		_, err := h.own(ctx, f, top, "", "rebase", "--quiet", "--no-stat", "--no-autostash", "--no-autosquash", "--no-fork-point",
			"--end-of-options", f.IntoHead)
		return h.undone(ctx, f, top, f.Branch, f.Head, "rebase", err)
	})
}

// undone gives up a merge or rebase that failed, and makes sure that the work
// tree is back where it was.
func (h *hold) undone(ctx context.Context, f Finishing, tree, branch, head, what string, err error) error {
	if err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoLimit)
	defer cancel()
	op, lookErr := h.git.operation(ctx, tree)
	out, listErr := h.git.read(ctx, tree, "diff", "--name-only", "--diff-filter=U", "-z", "--no-ext-diff")
	if lookErr == nil && op != "" {
		_, lookErr = h.own(ctx, f, tree, "", what, "--abort")
	}
	s, statusErr := h.git.status(ctx, tree, "--ignore-submodules=dirty")
	if e := errors.Join(lookErr, listErr, statusErr); e != nil || s.branch != branch || s.head != head || len(s.uncommitted) > 0 {
		return &session.Error{
			Code: session.CodeFailed, Message: "The " + what + " failed and could not be taken back whole in " + plain(tree),
			Hint: "Look at git status there; " + plain(branch) + " was at " + head, Cause: errors.Join(err, e),
		}
	}
	if unmerged := files(string(out)); len(unmerged) > 0 {
		return conflicts(what, f, unmerged)
	}
	return err
}

func conflicts(what string, f Finishing, unmerged []string) error {
	const most = 5
	var named []string
	for i, path := range unmerged {
		if i == most {
			named = append(named, fmt.Sprintf("and %d more", len(unmerged)-most))
			break
		}
		named = append(named, plain(path))
	}
	return &session.Error{
		Code: session.CodeFailed,
		Message: fmt.Sprintf("The %s of %s and %s has conflicts in %s; everything is as it was",
			what, plain(f.Branch), plain(f.Into), strings.Join(named, ", ")),
		Hint: "Ask the agent to bring its branch up to date with " + plain(f.Into) + ", or do it by hand in " + plain(f.Dir),
	}
}

// Push pushes the branch to a branch of the same name and makes that its
// upstream. What the remote has and the branch does not is never overwritten:
// then the push is refused.
func (g *Git) Push(ctx context.Context, f Finishing) error {
	return g.act(ctx, "Nothing was pushed", f, func(h *hold, top string, now Standing) error {
		ref := "refs/heads/" + f.Branch
		_, err := h.own(ctx, f, top, "", "push", "--quiet", "--no-force", "--no-mirror", "--set-upstream", "--", f.Remote, ref+":"+ref)
		if says(err, "[rejected]") {
			return &session.Error{
				Code: session.CodeBlocked, Message: plain(f.Remote) + " has commits on " + plain(f.Branch) + " that are not here, and refused the push",
				Hint: "Fetch and look at them; aside never pushes by force", Cause: err,
			}
		}
		return err
	})
}
