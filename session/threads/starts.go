package threads

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
	"aside/worktree/git"
)

// NewThread is a thread as a person asks for it.
type NewThread struct {
	// Thread names the empty thread to start, whose earlier start failed; ""
	// makes a new one.
	Thread  session.ThreadID
	Project string // folder
	Title   string // "" is made from the prompt
	Prompt  string
	Agent   string // "" is the preferred one
	Model   string
	Wish    worktree.Wish // "" is WishAuto
	Base    string
}

// Create starts a thread with its first prompt, by the road that a proposal
// takes. The thread is returned with an error too when there is one.
func (s *Service) Create(ctx context.Context, n NewThread) (session.ThreadID, error) {
	project, err := folder(n.Project)
	if err != nil {
		return "", err
	}
	agent, err := s.agent(n.Agent)
	if err != nil {
		return "", err
	}
	if n.Wish == "" {
		n.Wish = worktree.WishAuto
	}
	if err := ownOnly(n.Wish == worktree.WishShared, n.Base != "", false); err != nil {
		return "", err
	}
	if n.Base != "" && n.Wish == worktree.WishAuto {
		n.Wish = worktree.WishWorktree // a base is one of a checkout of its own
	}
	return s.starter.Start(ctx, proposals.Order{
		Thread: n.Thread, Project: project, Dir: project, Title: session.CleanLine(n.Title),
		Prompt: n.Prompt, Author: proposals.AuthorPerson, Agent: agent, Model: n.Model, Wish: n.Wish, Base: n.Base,
	})
}

// folder returns the absolute path of a folder, symbolic links followed, so
// that a project has one name only.
func folder(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(abs)
	}
	fault := &session.Error{Code: session.CodeUsage, Message: "there is no folder " + session.MarkLine(path), Cause: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fault.Cause = nil
	case err == nil && info.IsDir():
		return abs, nil
	case err == nil:
		fault.Message = session.MarkLine(path) + " is not a folder"
	}
	return "", fault
}

// agent returns the agent to run: the one asked for, or the one that the
// person has configured, or the preferred one. It must be installed.
func (s *Service) agent(name string) (string, error) {
	if name == "" {
		name = s.o.Config.DefaultAgent
	}
	switch {
	case name == "" && len(s.o.Agents) > 0:
		return s.o.Agents[0], nil
	case slices.Contains(s.o.Agents, name):
		return name, nil
	case !slices.Contains(s.o.Known, name):
		return "", &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("no agent is called %q", name),
			Hint: "known are: " + strings.Join(s.o.Known, ", "),
		}
	}
	fault := &session.Error{
		Code: session.CodeFailed, Message: fmt.Sprintf("the agent %s is not installed", name),
		Hint: fmt.Sprintf("install it, or name its program in %s: [agents.%s] command = \"…\"", s.o.Paths.File(), name),
	}
	if command := s.o.Config.Agents[name].Command; command != "" {
		fault.Message = fmt.Sprintf("the agent %s cannot run: its command %s is not there, or is no program", name, session.MarkLine(command))
		fault.Hint = fmt.Sprintf("correct [agents.%s] in %s", name, s.o.Paths.File())
	}
	return "", fault
}

// Proposals returns the proposals of a project, or of all when that is "":
// those that stand, or with all every one that was not withdrawn.
func (s *Service) Proposals(ctx context.Context, project string, all bool) ([]session.Proposal, error) {
	found, err := s.o.Store.Proposals(ctx, proposals.Filter{All: all})
	if err != nil {
		return nil, err
	}
	in := map[session.ThreadID]bool{}
	if project != "" && len(found) > 0 {
		threads, err := s.o.Store.ProjectThreads(ctx, project, true)
		if err != nil {
			return nil, err
		}
		for _, t := range threads {
			in[t.ID] = true
		}
	}
	kept := found[:0]
	for _, p := range found {
		if !p.Withdrawn && (project == "" || in[p.Thread]) {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// FindProposal returns the proposal whose id begins with the prefix.
func (s *Service) FindProposal(ctx context.Context, prefix string) (session.Proposal, error) {
	return s.o.Store.FindProposal(ctx, prefix)
}

// Dismiss answers a proposal with "not now".
func (s *Service) Dismiss(ctx context.Context, id session.ProposalID) error {
	return s.o.Store.Dismiss(ctx, id, s.o.Now())
}

// Restore brings a dismissed proposal back.
func (s *Service) Restore(ctx context.Context, id session.ProposalID) error {
	return s.o.Store.Restore(ctx, id, s.o.Now())
}

func (s *Service) never(project string) bool {
	return s.o.Config.Project(project).Worktrees == "never"
}

// checkouts grants checkouts by the checkout policy.
type checkouts struct{ service *Service }

// Grant implements proposals.Checkouts.
func (c checkouts) Grant(ctx context.Context, r proposals.GrantRequest) (proposals.Granted, error) {
	s, o := c.service, r.Order
	in, err := s.o.Git.Look(ctx, o.Dir)
	in.Facts.Never = s.never(o.Project)
	d := worktree.Decide(in.Facts, o.Wish)
	switch {
	case d.Blocked:
		return proposals.Granted{}, &session.Error{Code: session.CodeBlocked, Message: d.Reason, Hint: d.Hint, Cause: err}
	case d.Mode == worktree.ModeShared:
		return proposals.Granted{
			Checkout: session.Checkout{Mode: session.CheckoutShared, Path: o.Project, Branch: in.Branch, Base: in.Head},
			Cwd:      o.Project, Why: d.Reason,
		}, nil
	}
	base, err := baseOf(o.Base, in)
	if err != nil {
		return proposals.Granted{}, err
	}
	want := git.Request{
		Repo: o.Dir, Base: base, Carry: o.Carry,
		Path:   worktree.Folder(s.o.Paths.Worktrees(), o.Project, string(r.Thread)),
		Branch: worktree.Branch(o.Title, string(r.Thread)),
	}
	if left := r.Left; left.Mode == session.CheckoutWorktree {
		// What is asked for may be another base by now. What holds work
		// already is not given up for that.
		if _, err := s.o.Git.Remove(ctx, o.Project, left); err != nil {
			want.Branch, want.Base = left.Branch, left.Base
		}
	}
	g, err := s.o.Git.Add(ctx, want)
	if err != nil {
		return proposals.Granted{}, err
	}
	return proposals.Granted{Checkout: g.Checkout, Cwd: g.Cwd}, nil
}
