package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aside/session"
	"aside/worktree"
)

// halfMade is the reason of the lock (git-worktree(1), lock) that a worktree
// has until it is finished; after a crash it tells a half-made one from one
// that a thread may live in. initializing is the reason that Git itself gives
// while it makes one.
const (
	halfMade     = "aside: being made"
	initializing = "initializing"
)

// undoLimit bounds the cleaning up after a failure, which goes on when the
// caller's context has ended.
const undoLimit = time.Minute

// Request asks for a worktree.
type Request struct {
	// Repo is a folder in the offering checkout. When it is not its top
	// folder, the thread stays in the same subfolder.
	Repo string
	// Path is the worktree's folder, see worktree.Folder.
	Path string
	// Branch is the first choice for the new branch, see worktree.Branch.
	Branch string
	// Base is what the branch starts from, as a name that Git knows; "" is
	// the HEAD of Repo.
	Base string
	// Carry says that the uncommitted and untracked files of Repo come along;
	// ignored ones do not. Repo is not touched.
	Carry bool
}

// Grant is a worktree that was made and proven.
type Grant struct {
	session.Checkout

	Cwd      string   // the folder for the agent: Path, or the subfolder in it
	Adopted  bool     // it was left by an earlier request
	Carried  int      // uncommitted and untracked files that came along
	Included []string // ignored files that .worktreeinclude names, copied
}

// Add makes a worktree on a new branch and proves it (contracts/
// proposed-threads.md, Starting 4 and 5). When there already is one at the
// path that an earlier request for the same branch and base made, that one is
// returned. After an error nothing of it is left. Errors are a session.Error,
// or the context's.
func (g *Git) Add(ctx context.Context, r Request) (Grant, error) {
	grant, _, err := g.obtain(ctx, r, true)
	return grant, failed("The separate checkout could not be made", "", err)
}

// Adopt looks for what an earlier request left at the path, as after a crash.
// A worktree that fits is finished and returned; what is half made is taken
// away, and then as when there is nothing the answer is false.
func (g *Git) Adopt(ctx context.Context, r Request) (Grant, bool, error) {
	grant, found, err := g.obtain(ctx, r, false)
	return grant, found, failed("What was left of a separate checkout could not be looked at", "", err)
}

// making is the work on one request.
type making struct {
	*hold
	place

	source Inspection // of the offering checkout
	branch string     // the first choice
	base   string     // full commit id
	carry  bool
}

func (g *Git) obtain(ctx context.Context, r Request, create bool) (Grant, bool, error) {
	source, err := g.locate(ctx, r.Repo)
	if err != nil {
		return Grant{}, false, err
	}
	if source.Top == "" {
		return Grant{}, false, &session.Error{
			Code: session.CodeBlocked, Message: "The folder " + plain(r.Repo) + " is not in a Git work tree",
		}
	}
	base := r.Base
	if base == "" {
		base = "HEAD"
	}
	commit, err := g.line(ctx, source.Top, "rev-parse", "--verify", "--quiet", "--end-of-options", base+"^{commit}")
	if err != nil {
		return Grant{}, false, &session.Error{
			Code: session.CodeNotFound, Message: "There is no commit " + plain(base),
			Hint: "Choose another base", Cause: err,
		}
	}
	where, err := g.place(r.Path)
	if err != nil {
		return Grant{}, false, err
	}
	h, err := g.hold(ctx, source.Common, source.Top)
	if err != nil {
		return Grant{}, false, err
	}
	defer h.release()
	m := &making{hold: h, place: where, source: source, branch: r.Branch, base: commit, carry: r.Carry}
	grant, found, err := m.adopt(ctx)
	if err != nil || found || !create {
		return grant, found, err
	}
	grant, err = m.create(ctx)
	return grant, err == nil, err
}

// create makes the worktree where nothing is.
func (m *making) create(ctx context.Context) (Grant, error) {
	if err := m.make(); err != nil {
		return Grant{}, err
	}
	name, err := m.newBranch(ctx)
	if err != nil {
		m.tidy()
		return Grant{}, err
	}
	if _, err := m.run(ctx, m.source.Top,
		"worktree", "add", "--quiet", "--lock", "--reason", halfMade, "--", m.path, name); err != nil {
		return Grant{}, m.undo(ctx, name, err)
	}
	return m.finish(ctx, name)
}

// newBranch makes the branch, under the first free name, and returns it. It is
// made apart from the worktree, in one step that fails when the name is taken
// meanwhile: what is cleaned up later is certain to be ours.
func (m *making) newBranch(ctx context.Context) (string, error) {
	const tries = 1000
	for n := 1; n <= tries; n++ {
		taken, err := m.taken(ctx)
		if err != nil {
			return "", err
		}
		for n < tries && taken(worktree.Numbered(m.branch, n)) {
			n++
		}
		name := worktree.Numbered(m.branch, n)
		_, err = m.run(ctx, m.source.Top, "update-ref", "--create-reflog", "-m", m.mark(),
			"refs/heads/"+name, m.base, strings.Repeat("0", len(m.base)))
		if err == nil {
			return name, nil
		}
		if !says(err, "already exists") {
			return "", err
		}
	}
	return "", &session.Error{
		Code: session.CodeFailed, Message: "No name is free for the branch " + plain(m.branch),
	}
}

// taken returns a function that tells whether a branch name cannot be used.
// Names are compared without case, as some file systems do.
func (m *making) taken(ctx context.Context) (func(string) bool, error) {
	first, _, _ := strings.Cut(m.branch, "/")
	out, err := m.git.line(ctx, m.source.Top, "for-each-ref", "--format=%(refname:lstrip=2)", "--", "refs/heads/"+first)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(out, "\n") {
		if name == first && first != m.branch {
			return nil, &session.Error{
				Code: session.CodeFailed, Message: "The branch " + first + " keeps branches below it from being made",
				Hint: "Rename it with git branch -m " + first,
			}
		}
		name = strings.ToLower(name)
		names[name] = true
		for i, c := range name {
			if c == '/' {
				names[name[:i]] = true // a branch cannot be above another
			}
		}
	}
	return func(name string) bool { return names[strings.ToLower(name)] }, nil
}

// mark is the first reflog entry of a branch that aside made for this place.
func (m *making) mark() string { return "aside: made for " + filepath.Base(m.path) }

// finish proves a worktree on the branch, completes it and unlocks it. When
// that fails nothing is left.
func (m *making) finish(ctx context.Context, name string) (Grant, error) {
	grant := Grant{Checkout: session.Checkout{
		Mode: session.CheckoutWorktree, Path: m.path, Branch: name, Base: m.base,
	}}
	err := m.complete(ctx, &grant)
	if err != nil {
		return Grant{}, m.undo(ctx, name, err)
	}
	return grant, nil
}

func (m *making) complete(ctx context.Context, grant *Grant) error {
	if err := m.git.prove(ctx, m.source, grant.Checkout); err != nil {
		return err
	}
	var err error
	if m.carry {
		if grant.Carried, err = m.bring(ctx); err != nil {
			return err
		}
	}
	if grant.Included, err = m.include(ctx); err != nil {
		return fmt.Errorf("copy files that .worktreeinclude names: %w", err)
	}
	if grant.Cwd, err = m.cwd(); err != nil {
		return err
	}
	_, err = m.run(ctx, m.source.Top, "worktree", "unlock", "--", m.path)
	return err
}

// cwd returns the subfolder that the offering checkout was in, made if the
// base does not have it.
func (m *making) cwd() (string, error) {
	if m.source.Sub == "" {
		return m.path, nil
	}
	root, err := os.OpenRoot(m.path)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(m.source.Sub, 0o755); err != nil {
		return "", fmt.Errorf("make subfolder: %w", err)
	}
	if _, err := root.Stat(m.source.Sub); err != nil {
		return "", fmt.Errorf("find subfolder: %w", err)
	}
	return filepath.Join(m.path, m.source.Sub), nil
}

// numberOf returns the n for which candidate is worktree.Numbered(branch, n).
func numberOf(branch, candidate string) (int, bool) {
	if candidate == branch {
		return 1, true
	}
	rest, ok := strings.CutPrefix(candidate, branch+"-")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil && worktree.Numbered(branch, n) == candidate
}

// undo takes away what was made and returns the reason, with what stood in the
// way of that too.
func (m *making) undo(ctx context.Context, name string, reason error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoLimit)
	defer cancel()
	list, err := m.git.entries(ctx, m.source.Top)
	if err == nil {
		if e, ok := at(list, m.path); ok {
			err = m.scrap(ctx, e)
		} else {
			_ = os.Remove(m.path) // only when it is empty
		}
	}
	if err == nil {
		err = m.dropBranch(ctx, name)
	}
	m.tidy()
	if err != nil {
		return &session.Error{
			Code: session.CodeFailed, Message: "The separate checkout could not be made, nor what there is of it taken away",
			Hint: "Look at " + plain(m.path) + " and the branch " + plain(name), Cause: errors.Join(reason, err),
		}
	}
	return reason
}
