package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aside/session"
	"aside/worktree"
)

// Report is what a worktree holds that would be lost with it, and what became
// of it.
type Report struct {
	Path   string
	Branch string // that it is on, or "" when detached
	// Gone says that the folder does not exist (any more).
	Gone bool
	// Uncommitted and Untracked are paths in the worktree; a folder that is
	// untracked as a whole is one, with a slash at the end.
	Uncommitted, Untracked []string
	// Ignored are the ignored files, likewise. They do not keep a worktree,
	// but are to be named before they go.
	Ignored []string
	// Unmerged counts the commits that are on no other branch, remote or tag
	// and not below the base.
	Unmerged int
	// Operation is what is under way in it, such as "a rebase", or "".
	Operation string
	// Locked is the reason for which the person locked it, or "".
	Locked string
	// Processes live in it.
	Processes []Process
	// BranchDeleted says that Remove deleted the thread's branch too.
	BranchDeleted bool
}

// Removable says that nothing is lost with the worktree but ignored files.
func (r Report) Removable() bool { return r.Kept() == "" }

// Kept says in one sentence, without full stop, what is kept and where, or ""
// when nothing keeps the worktree.
func (r Report) Kept() string {
	if r.Gone {
		return ""
	}
	held := counts(len(r.Uncommitted), len(r.Untracked), r.Unmerged)
	if r.Operation != "" {
		held = append(held, r.Operation+" under way")
	}
	if len(r.Processes) > 0 {
		p := r.Processes[0]
		living := fmt.Sprintf("1 process living there (%s, %d)", p.Name, p.PID)
		if n := len(r.Processes); n > 1 {
			living = strconv.Itoa(n) + " processes living there"
		}
		held = append(held, living)
	}
	if r.Locked != "" {
		held = append(held, "a lock ("+plain(r.Locked)+")")
	}
	if len(held) == 0 {
		return ""
	}
	where := plain(r.Path)
	if r.Branch != "" {
		where += " on branch " + plain(r.Branch)
	}
	return "The checkout " + where + " is kept: it holds " + strings.Join(held, ", ")
}

// Removable reports what the worktree of a thread holds. repo is a folder of
// the project; the checkout is the thread's.
func (g *Git) Removable(ctx context.Context, repo string, c session.Checkout) (Report, error) {
	where, common, err := g.thread(ctx, repo, c)
	if err != nil {
		return Report{Path: c.Path}, failed("The checkout could not be examined", "", err)
	}
	if common == "" {
		return Report{Path: c.Path, Gone: true}, nil
	}
	report, _, err := g.report(ctx, common, where, c)
	return report, failed("The checkout could not be examined", "", err)
}

// Remove removes the worktree of a thread when nothing is lost with it, and
// then its branch when that is merged (contracts/proposed-threads.md, Checkout
// policy). Otherwise everything is kept and the error, of code CodeBlocked,
// says what and where. A worktree that is gone already is no error.
func (g *Git) Remove(ctx context.Context, repo string, c session.Checkout) (Report, error) {
	where, common, err := g.thread(ctx, repo, c)
	if err == nil && common == "" {
		return Report{Path: c.Path, Gone: true}, nil
	}
	if err != nil {
		return Report{Path: c.Path}, failed("The checkout could not be removed", "", err)
	}
	h, err := g.hold(ctx, common, common)
	if err != nil {
		return Report{Path: c.Path}, failed("The checkout could not be removed", "", err)
	}
	defer h.release()
	report, err := h.remove(ctx, common, where, c)
	if kept := report.Kept(); err == nil && kept != "" {
		err = &session.Error{
			Code: session.CodeBlocked, Message: kept,
			Hint: "Commit and merge what you need, or keep the checkout",
		}
	}
	return report, failed("The checkout could not be removed", "It is kept in "+plain(c.Path), err)
}

// thread finds a thread's place and the repository it belongs to, by the
// project or else by the worktree itself; "" when both are gone.
func (g *Git) thread(ctx context.Context, repo string, c session.Checkout) (place, string, error) {
	where, err := g.place(c.Path)
	if err != nil {
		return place{}, "", err
	}
	for _, dir := range []string{repo, where.path} {
		in, err := g.locate(ctx, dir)
		if session.CodeOf(err) == session.CodeNotFound {
			continue
		}
		if err != nil || in.Common != "" {
			return where, in.Common, err
		}
	}
	if exists(where.path) {
		return place{}, "", &session.Error{
			Code: session.CodeFailed, Message: "The checkout " + plain(where.path) + " is kept: its repository was not found",
			Hint: "Look at what it holds, and remove the folder yourself",
		}
	}
	return where, "", nil
}

// remove removes a worktree if nothing is lost with it; the report tells.
func (h *hold) remove(ctx context.Context, common string, where place, c session.Checkout) (Report, error) {
	report, listed, err := h.git.report(ctx, common, where, c)
	if err != nil || !report.Removable() {
		return report, err
	}
	if listed {
		// Git looks once more, and refuses where something came in between.
		if _, err := h.run(ctx, common, "worktree", "remove", "--", where.path); err != nil {
			return report, err
		}
	}
	where.tidy()
	report.Gone = true
	report.BranchDeleted, err = h.deleteMerged(ctx, common, c)
	return report, err
}

// deleteMerged deletes a thread's branch when it is one that aside made, is
// checked out nowhere and all its commits are elsewhere too. `git branch -d`
// would ask another question: whether it is merged into the project's HEAD.
func (h *hold) deleteMerged(ctx context.Context, common string, c session.Checkout) (bool, error) {
	if !strings.HasPrefix(c.Branch, worktree.Prefix) {
		return false, nil
	}
	ref := "refs/heads/" + c.Branch
	commit, err := h.git.line(ctx, common, "rev-parse", "--verify", "--quiet", "--end-of-options", ref)
	if err != nil {
		return false, ctx.Err() // there is none
	}
	list, err := h.git.entries(ctx, common)
	if err != nil {
		return false, err
	}
	for _, e := range list {
		if e.branch == c.Branch {
			return false, nil
		}
	}
	n, err := h.git.unmerged(ctx, common, c.Base, []string{commit}, []string{c.Branch})
	if err != nil || n > 0 {
		return false, err
	}
	if _, err := h.run(ctx, common, "update-ref", "-d", ref, commit); err != nil {
		return false, err
	}
	// Its section in the configuration, which pushing it may have made. There
	// mostly is none, and then this fails.
	_, _ = h.run(ctx, common, "config", "--local", "--remove-section", "branch."+c.Branch)
	return true, nil
}

// report looks at a worktree and tells whether it is registered.
func (g *Git) report(ctx context.Context, common string, where place, c session.Checkout) (Report, bool, error) {
	r := Report{Path: where.path}
	list, err := g.entries(ctx, common)
	if err != nil {
		return r, false, err
	}
	e, listed := at(list, where.path)
	if listed && e.main {
		return r, true, fmt.Errorf("%s is the repository's own work tree", plain(where.path))
	}
	if listed && e.locked {
		r.Locked = e.reason
		if r.Locked == "" {
			r.Locked = "no reason given"
		}
	}
	if !exists(where.path) {
		// With a lock, it may be on a disk that is away.
		r.Gone = r.Locked == ""
		return r, listed, nil
	}
	if !listed {
		return r, false, fmt.Errorf("%s is not registered with the repository", plain(where.path))
	}
	s, err := g.status(ctx, where.path, "--ignore-submodules=none", "--ignored=traditional")
	if err != nil {
		return r, true, err
	}
	r.Branch, r.Uncommitted, r.Untracked, r.Ignored = s.branch, s.uncommitted, s.untracked, s.ignored
	if r.Unmerged, err = g.ownCommits(ctx, where.path, s, c); err != nil {
		return r, true, err
	}
	if r.Operation, err = g.operation(ctx, where.path); err != nil {
		return r, true, err
	}
	r.Processes, err = processes(ctx, where.path)
	return r, true, err
}

// ownCommits counts the commits of HEAD and of the thread's branch that are
// nowhere else. The two differ when the agent switched branches.
func (g *Git) ownCommits(ctx context.Context, dir string, s status, c session.Checkout) (int, error) {
	var tips, own []string
	if s.head != "" {
		tips = append(tips, s.head)
	}
	if s.branch != "" {
		own = append(own, s.branch)
	}
	if c.Branch != "" && c.Branch != s.branch {
		out, err := g.line(ctx, dir, "for-each-ref", "--format=%(objectname)", "--", "refs/heads/"+c.Branch)
		if err != nil {
			return 0, err
		}
		if out != "" {
			tips, own = append(tips, out), append(own, c.Branch)
		}
	}
	if len(tips) == 0 {
		return 0, nil
	}
	return g.unmerged(ctx, dir, c.Base, tips, own)
}

// unmerged counts the commits below the tips that are neither below base nor
// on a remote, a tag or a branch other than own.
func (g *Git) unmerged(ctx context.Context, dir, base string, tips, own []string) (int, error) {
	args := slices.Clone(tips)
	if base != "" {
		args = append(args, "^"+base)
	}
	args = append(args, "--not")
	for _, b := range own {
		args = append(args, "--exclude="+b)
	}
	return g.count(ctx, dir, append(args, "--branches", "--remotes", "--tags")...)
}

// count counts the commits that git rev-list would list.
func (g *Git) count(ctx context.Context, dir string, args ...string) (int, error) {
	out, err := g.line(ctx, dir, append([]string{"rev-list", "--count", "--ignore-missing"}, args...)...)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(out)
	if err != nil {
		return 0, fmt.Errorf("count commits: %w", err)
	}
	return n, nil
}

// operation tells what is under way in a worktree. Its state lies in the
// worktree's own folder within the repository and would go with it.
func (g *Git) operation(ctx context.Context, dir string) (string, error) {
	own, err := g.line(ctx, dir, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	for _, o := range [...]struct{ file, name string }{
		{"rebase-merge", "a rebase"},
		{"rebase-apply", "a rebase"},
		{"MERGE_HEAD", "a merge"},
		{"CHERRY_PICK_HEAD", "a cherry-pick"},
		{"REVERT_HEAD", "a revert"},
		{"BISECT_LOG", "a bisection"},
	} {
		if _, err := os.Lstat(filepath.Join(own, o.file)); err == nil {
			return o.name, nil
		}
	}
	return "", nil
}
