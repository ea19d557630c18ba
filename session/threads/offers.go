package threads

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
	"aside/worktree/git"
)

// BaseDefault is, as a base, the project's default branch. A branch of that
// very name is refs/heads/default.
const BaseDefault = "default"

// StartOptions are the choices of a person who starts a proposal.
type StartOptions struct {
	Title  string // "" is the offer's
	Prompt string // "" is the offer's
	Agent  string // "" is the offering thread's
	// Model is one as the agent names it. "" is the offering thread's with
	// its agent, and with another one that one's own choice.
	Model  string
	Base   string // "" is the offering thread's HEAD; BaseDefault, or a name that Git knows
	Carry  bool   // take the offering thread's uncommitted work along
	Shared bool   // in the project's own work tree
}

// Start starts a proposal as a thread (contracts/proposed-threads.md,
// Starting). The thread is returned with an error too when there is one.
func (s *Service) Start(ctx context.Context, id session.ProposalID, o StartOptions) (session.ThreadID, error) {
	if err := ownOnly(o.Shared, o.Base != "", o.Carry); err != nil {
		return "", err
	}
	p, offering, err := s.offer(ctx, id)
	if err != nil {
		return "", err
	}
	order := proposals.Order{
		Proposal: id, ProposedIn: p.Thread, Project: offering.Project,
		Title: p.Title, Prompt: p.Prompt, Author: proposals.AuthorModel,
		Agent: offering.Agent, Model: offering.Model, Wish: worktree.WishWorktree, Carry: o.Carry,
	}
	order.Dir, order.Base = source(offering)
	if o.Base != "" {
		order.Base = o.Base
	}
	if o.Agent != "" && o.Agent != order.Agent {
		order.Agent, order.Model = o.Agent, ""
	}
	if o.Model != "" {
		order.Model = o.Model
	}
	if _, err := s.agent(order.Agent); err != nil {
		return "", err
	}
	if o.Shared {
		order.Wish = worktree.WishShared
	}
	edit(&order, o)
	return s.starter.Start(ctx, order)
}

// edit gives the order the title and the prompt that the person made of the
// offer's.
func edit(order *proposals.Order, o StartOptions) {
	if title := session.CleanLine(o.Title); title != "" && title != order.Title {
		order.Title, order.Edited = title, true
	}
	if prompt := strings.TrimSpace(o.Prompt); prompt != "" && prompt != order.Prompt {
		order.Prompt, order.Edited = prompt, true
	}
}

// ownOnly refuses what only a checkout of its own can have.
func ownOnly(shared, base, carry bool) error {
	switch {
	case !shared:
		return nil
	case base:
		return &session.Error{
			Code: session.CodeUsage, Message: "the shared checkout has no base to choose: it is as it is",
			Hint: "leave out the base, or take a checkout of its own",
		}
	case carry:
		return &session.Error{
			Code: session.CodeUsage, Message: "in the shared checkout the uncommitted work is there already",
			Hint: "leave out carrying it along, or take a checkout of its own",
		}
	}
	return nil
}

// offer returns a proposal with the thread that made it.
func (s *Service) offer(ctx context.Context, id session.ProposalID) (session.Proposal, session.Thread, error) {
	p, err := s.o.Store.Proposal(ctx, id)
	if err != nil {
		return p, session.Thread{}, err
	}
	t, err := s.o.Store.Thread(ctx, p.Thread)
	return p, t, err
}

// source returns the folder whose HEAD is the base of what a thread offers,
// and the base where that is not the HEAD: of a worktree that is gone its
// branch is left.
func source(t session.Thread) (dir, base string) {
	if t.Cwd == "" {
		return t.Project, ""
	}
	if _, err := os.Stat(t.Cwd); errors.Is(err, fs.ErrNotExist) && t.Checkout.Mode == session.CheckoutWorktree {
		return t.Project, t.Checkout.Branch
	}
	return t.Cwd, ""
}

// baseOf returns the name that Git knows for a base as a person gives it.
func baseOf(base string, in git.Inspection) (string, error) {
	switch {
	case base != BaseDefault:
		return base, nil
	case in.Default != "":
		return in.Default, nil
	}
	return "", &session.Error{
		Code: session.CodeNotFound, Message: "this project has no default branch",
		Hint: "name the base: a branch or a commit",
	}
}

// Outlook is the checkout that a proposal would get.
type Outlook struct {
	Text    string // the chip on its card
	Blocked bool
}

// Outlook tells which checkout a proposal would get if it were started now,
// and what of the offering thread's would be left out.
func (s *Service) Outlook(ctx context.Context, id session.ProposalID) (Outlook, error) {
	bases, out, err := s.outlook(ctx, id)
	if err != nil || out.Blocked {
		return out, err
	}
	out.Text = "own checkout from " + bases[0].Name
	if bases[0].LeftOut != "" {
		out.Text += " · " + bases[0].LeftOut + " left out"
	}
	return out, nil
}

// Base is where the checkout of a proposal can start from.
type Base struct {
	Ref  string // for StartOptions.Base
	Name string // the branch, or the commit's short id
	// LeftOut counts what the offering thread has and the checkout would not:
	// its commits and its uncommitted files; "" is nothing. Carrying the
	// uncommitted work along leaves no file out.
	LeftOut string
	// Commits and Uncommitted are these numbers.
	Commits, Uncommitted int
}

// Bases returns what a proposal can be started from: the offering thread's
// HEAD and, where that is another branch, the project's default branch. There
// are none where no checkout of its own is possible; see Outlook.
func (s *Service) Bases(ctx context.Context, id session.ProposalID) ([]Base, error) {
	bases, _, err := s.outlook(ctx, id)
	return bases, err
}

func (s *Service) outlook(ctx context.Context, id session.ProposalID) ([]Base, Outlook, error) {
	_, t, err := s.offer(ctx, id)
	if err != nil {
		return nil, Outlook{}, err
	}
	dir, gone := source(t)
	in, _ := s.o.Git.Inspect(ctx, dir) // its facts are right beside an error too
	in.Facts.Never = s.never(t.Project)
	if d := worktree.Decide(in.Facts, worktree.WishWorktree); d.Blocked {
		return nil, Outlook{Text: d.Reason + ". " + d.Hint, Blocked: true}, nil
	}
	if gone != "" {
		// What lay in it uncommitted is gone with it, and what its branch has
		// beside the default one is not known here.
		return []Base{{Name: gone}}, Outlook{}, nil
	}
	files := in.Uncommitted + in.Untracked
	bases := []Base{{Name: in.Branch, LeftOut: leftOut(0, files), Uncommitted: files}}
	if in.Default != "" && in.Default != in.Branch {
		bases = append(bases, Base{
			Ref: BaseDefault, Name: in.Default, LeftOut: leftOut(in.Ahead, files), Commits: in.Ahead, Uncommitted: files,
		})
	}
	return bases, Outlook{}, nil
}

// leftOut counts commits and files, "" for none.
func leftOut(commits, files int) string {
	var parts []string
	for _, c := range []struct {
		n    int
		noun string
	}{{commits, "commit"}, {files, "uncommitted file"}} {
		switch {
		case c.n == 1:
			parts = append(parts, "1 "+c.noun)
		case c.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", c.n, c.noun))
		}
	}
	return strings.Join(parts, " and ")
}
