package threads

import (
	"context"
	"fmt"
	"os"
	"strings"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
)

// namedFiles is how many files a sentence names.
const namedFiles = 5

// Removal tells what Remove would do, one sentence a line, and whether the
// thread's worktree would have to be kept, since it holds work.
func (s *Service) Removal(ctx context.Context, id session.ThreadID) (lines []string, keeps bool, err error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return nil, false, err
	}
	lines = []string{fmt.Sprintf("The thread “%s” and its transcript go.", t.Title)}
	switch standing, err := s.o.Store.Proposals(ctx, proposals.Filter{Thread: id}); {
	case err != nil:
		return nil, false, err
	case len(standing) == 1:
		lines = append(lines, "An offer that still stands goes with them.")
	case len(standing) > 1:
		lines = append(lines, fmt.Sprintf("%d offers that still stand go with them.", len(standing)))
	}
	switch {
	case t.Live && !t.State.Ended():
		lines = append(lines, "Its agent is stopped, and what runs in its other panes.")
	case t.Live:
		lines = append(lines, "What still runs in its panes is stopped.")
	}
	if t.Checkout.Mode != session.CheckoutWorktree {
		return append(lines, "The project's files stay as they are."), false, nil
	}
	r, err := s.o.Git.Removable(ctx, t.Project, t.Checkout)
	if err != nil {
		return nil, false, err
	}
	r.Processes = nil // the agent's, which is stopped first
	switch kept := r.Kept(); {
	case r.Gone:
		return append(lines, "Its worktree is gone already."), false, nil
	case kept != "":
		return append(lines, kept+"."), true, nil
	}
	branch := "."
	if b := t.Checkout.Branch; strings.HasPrefix(b, worktree.Prefix) {
		branch = ", and its branch " + session.MarkLine(b) + "."
	}
	lines = append(lines, "Its worktree "+session.MarkLine(r.Path)+" goes"+branch, "Nothing there is uncommitted, untracked or unmerged.")
	if len(r.Ignored) > 0 {
		lines = append(lines, "Ignored files go with it: "+named(r.Ignored)+".")
	}
	return lines, false, nil
}

func named(files []string) string {
	marked := make([]string, 0, namedFiles+1)
	for i, f := range files {
		if i == namedFiles {
			marked = append(marked, fmt.Sprintf("and %d more", len(files)-namedFiles))
			break
		}
		marked = append(marked, session.MarkLine(f))
	}
	return strings.Join(marked, ", ")
}

// Remove deletes a thread: it ends its agent, removes its worktree when
// nothing in it would be lost, and forgets the thread. It tells what it did
// with the worktree. One that holds work is kept, and named, with
// CodeBlocked and the thread untouched, unless keep says to leave it anyway.
func (s *Service) Remove(ctx context.Context, id session.ThreadID, keep bool) (string, error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return "", err
	}
	own := t.Checkout.Mode == session.CheckoutWorktree
	if own && !keep {
		// Before the agent is stopped: a refusal must leave all as it is.
		r, err := s.o.Git.Removable(ctx, t.Project, t.Checkout)
		if err != nil {
			return "", err
		}
		r.Processes = nil // the agent's, which ends first; Remove looks again
		if kept := r.Kept(); kept != "" {
			return "", &session.Error{
				Code: session.CodeBlocked, Message: kept,
				Hint: "commit and merge what you need, or run: aside rm --keep-worktree " + string(id),
			}
		}
	}
	if err := s.end(ctx, id); err != nil {
		return "", err
	}
	said := ""
	switch {
	case own && keep:
		said = fmt.Sprintf("The worktree %s on branch %s is kept.", t.Checkout.Path, t.Checkout.Branch)
	case own:
		r, err := s.o.Git.Remove(ctx, t.Project, t.Checkout)
		if err != nil {
			return "", err
		}
		if len(r.Ignored) > 0 {
			said = "Ignored files went with the worktree: " + named(r.Ignored) + "."
		}
	}
	if err := s.o.Store.DeleteThread(ctx, id); err != nil {
		return said, err
	}
	// What is left of its helper tells nobody anything any more.
	_ = os.Remove(s.o.Paths.Log(id))
	_ = os.Remove(s.o.Paths.Lock(id))
	return said, nil
}
