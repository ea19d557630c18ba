package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"aside/session"
	"aside/worktree"
)

// adopt deals with what lies at the place. It returns a worktree that fits the
// request, or has made the place free, or fails and has changed nothing.
func (m *making) adopt(ctx context.Context) (Grant, bool, error) {
	list, err := m.git.entries(ctx, m.source.Top)
	if err != nil {
		return Grant{}, false, err
	}
	e, ok := at(list, m.path)
	if !ok {
		return Grant{}, false, m.clear(ctx, list)
	}
	_, named := numberOf(m.branch, e.branch)
	fits := named && e.head == m.base
	switch {
	case e.locked && (e.reason == halfMade || e.reason == initializing), !e.locked && !exists(m.path):
		return m.repair(ctx, e, fits)
	case fits:
		grant, err := m.accept(ctx, e.branch)
		return grant, err == nil, err
	}
	// It is whole, but of another branch or base: the title was edited or the
	// base moved since. It goes when nothing is lost with it.
	report, err := m.remove(ctx, m.source.Common, m.place, session.Checkout{Path: m.path, Branch: e.branch, Base: e.head})
	if err == nil && !report.Removable() {
		err = inTheWay(m.path, report.Kept())
	}
	return Grant{}, false, err
}

// repair finishes a half-made worktree, or takes it away. Nobody has worked in
// it: it is handed out only when it is whole.
func (m *making) repair(ctx context.Context, e entry, fits bool) (Grant, bool, error) {
	quiet, err := m.quiet(ctx)
	if err != nil {
		return Grant{}, false, err
	}
	if !quiet {
		return Grant{}, false, &session.Error{
			Code: session.CodeSettled, Message: "The separate checkout is being made at this moment",
			Hint: "Try again when it is done",
		}
	}
	if fits && exists(m.path) {
		s, err := m.git.status(ctx, m.path)
		if err == nil && s.clean() {
			grant, err := m.finish(ctx, e.branch)
			grant.Adopted = err == nil
			return grant, err == nil, err
		}
		if ctx.Err() != nil {
			return Grant{}, false, ctx.Err()
		}
	}
	if err := m.scrap(ctx, e); err != nil {
		return Grant{}, false, err
	}
	return Grant{}, false, m.dropBranch(ctx, e.branch)
}

// The Git of a process that was killed may still be writing in the folder: so
// often it is looked whether it is, for so long.
const (
	orphanPoll  = 50 * time.Millisecond
	orphanLimit = 5 * time.Second
)

// quiet waits until no process lives in the folder, and says whether that
// came true.
func (m *making) quiet(ctx context.Context) (bool, error) {
	limit := time.After(orphanLimit)
	again := time.NewTicker(orphanPoll)
	defer again.Stop()
	for {
		busy, err := processes(ctx, m.path)
		if err != nil || len(busy) == 0 {
			return err == nil, err
		}
		select {
		case <-again.C:
		case <-limit:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// accept proves a whole worktree again and returns it.
func (m *making) accept(ctx context.Context, branch string) (Grant, error) {
	grant := Grant{Adopted: true, Checkout: session.Checkout{
		Mode: session.CheckoutWorktree, Path: m.path, Branch: branch, Base: m.base,
	}}
	if err := m.git.prove(ctx, m.source, grant.Checkout); err != nil {
		return Grant{}, err
	}
	var err error
	grant.Cwd, err = m.cwd()
	return grant, err
}

// clear makes the place free where no worktree is registered: an empty folder
// goes, and so does a branch that was made for this place before a crash and
// that nothing has happened to since. Anything else is kept, and an error.
func (m *making) clear(ctx context.Context, list []entry) error {
	if err := os.Remove(m.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inTheWay(m.path, err.Error())
	}
	taken, err := m.taken(ctx)
	if err != nil {
		return err
	}
	inUse := map[string]bool{}
	for _, e := range list {
		inUse[e.branch] = true
	}
	for n := 1; taken(worktree.Numbered(m.branch, n)); n++ {
		name := worktree.Numbered(m.branch, n)
		if inUse[name] {
			continue
		}
		if err := m.dropBranch(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// scrap takes away a worktree that was never handed out. The folder goes while
// the lock still says that it is half made, so that a crash in between is no
// different from the one before.
func (m *making) scrap(ctx context.Context, e entry) error {
	if e.main {
		return inTheWay(m.path, "it is the project's own work tree")
	}
	if err := m.removeAll(); err != nil {
		return fmt.Errorf("remove half-made checkout: %w", err)
	}
	if e.locked {
		if _, err := m.run(ctx, m.source.Common, "worktree", "unlock", "--", m.path); err != nil {
			return err
		}
	}
	_, err := m.run(ctx, m.source.Common, "worktree", "remove", "--", m.path)
	return err
}

// dropBranch deletes a branch that aside made for this place and that has not
// moved since; others stay.
func (m *making) dropBranch(ctx context.Context, name string) error {
	ref := "refs/heads/" + name
	out, err := m.git.line(ctx, m.source.Common, "reflog", "show", "--format=%H %gs", "-n", "2", ref, "--")
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return nil // there is no such branch
	}
	commit, subject, _ := strings.Cut(out, " ")
	if subject != m.mark() {
		return nil
	}
	_, err = m.run(ctx, m.source.Common, "update-ref", "-d", ref, commit)
	return err
}

func inTheWay(path, what string) error {
	return &session.Error{
		Code: session.CodeFailed, Message: "The folder " + plain(path) + " is in the way: " + plain(what),
		Hint: "Move it away and try again",
	}
}
