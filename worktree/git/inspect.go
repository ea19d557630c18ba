package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"aside/session"
	"aside/worktree"
)

// Inspection is what there is to know about a project's folder.
type Inspection struct {
	// Facts are for worktree.Decide. They are right even beside an error.
	Facts worktree.Facts
	// Top is the top folder of the work tree and Sub the folder within it,
	// "" for Top itself. Both are "" outside of a work tree.
	Top, Sub string
	// Common is the repository's own folder, shared by all its worktrees.
	Common string
	Head   string // full commit id, or ""
	Branch string // without refs/heads/, or "" when detached
	// Default is the project's default branch, as a name for Request.Base, or
	// "" when there is none.
	Default string
	// Ahead counts the commits of HEAD that Default does not have, which it
	// leaves out as a base.
	Ahead int
	// Uncommitted and Untracked count what a new worktree would leave out; a
	// folder that is untracked as a whole counts once.
	Uncommitted, Untracked int
}

// Inspect looks at a folder. A folder in no repository is no error. The errors
// are a session.Error: Git is missing or too old, the folder does not exist,
// or Git does not want to look at it.
func (g *Git) Inspect(ctx context.Context, dir string) (Inspection, error) {
	in, err := g.look(ctx, dir)
	if err == nil {
		err = g.weigh(ctx, &in)
	}
	return examined(in, err)
}

// Look is Inspect without a look at the files, which takes long where there
// are many: Ahead, Uncommitted and Untracked stay 0.
func (g *Git) Look(ctx context.Context, dir string) (Inspection, error) {
	return examined(g.look(ctx, dir))
}

// examined gives facts to an error, and an error to the person.
func examined(in Inspection, err error) (Inspection, error) {
	if err == nil {
		return in, nil
	}
	err = failed("The folder could not be examined", "", err)
	in = Inspection{Facts: worktree.Facts{Trouble: "the folder could not be examined"}}
	var e *session.Error
	if errors.As(err, &e) {
		in.Facts.Trouble, in.Facts.Remedy = e.Message, e.Hint
	}
	return in, err
}

func (g *Git) look(ctx context.Context, dir string) (Inspection, error) {
	in, err := g.locate(ctx, dir)
	if err != nil || in.Top == "" {
		return in, err
	}
	in.Head, err = g.line(ctx, in.Top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil && !isStatus(err, 1) { // 1: there is none yet
		return in, err
	}
	on, err := g.line(ctx, in.Top, "symbolic-ref", "--quiet", "HEAD")
	if err != nil && !isStatus(err, 1) { // 1: it is detached
		return in, err
	}
	in.Branch = strings.TrimPrefix(on, "refs/heads/")
	in.Facts.Commit = in.Head != ""
	in.Facts.Detached = in.Head != "" && in.Branch == ""
	if in.Facts.Submodules, err = g.submodules(ctx, in); err != nil {
		return in, err
	}
	in.Default, err = g.defaultBranch(ctx, in.Top)
	return in, err
}

// weigh counts what a new worktree would leave out.
func (g *Git) weigh(ctx context.Context, in *Inspection) error {
	if in.Top == "" {
		return nil
	}
	s, err := g.status(ctx, in.Top, "--ignore-submodules=dirty")
	if err != nil {
		return err
	}
	in.Uncommitted, in.Untracked = len(s.uncommitted), len(s.untracked)
	if in.Default == "" || in.Head == "" {
		return nil
	}
	in.Ahead, err = g.count(ctx, in.Top, in.Head, "^"+in.Default)
	return err
}

// locate finds the work tree and the repository of a folder. Top is "" and the
// error nil where there is no work tree.
func (g *Git) locate(ctx context.Context, dir string) (Inspection, error) {
	var in Inspection
	if err := g.check(ctx); err != nil {
		return in, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return in, &session.Error{Code: session.CodeNotFound, Message: "There is no folder " + plain(dir), Cause: err}
	}
	kind, err := g.line(ctx, dir, "rev-parse", "--is-inside-work-tree", "--is-bare-repository")
	switch {
	case says(err, "not a git repository"):
		return in, nil
	case says(err, "dubious ownership"), says(err, "unsafe repository"):
		return in, &session.Error{
			Code: session.CodeFailed, Message: "Git does not trust the repository: it belongs to somebody else",
			Hint: "If you trust it, run git config --global --add safe.directory with its folder", Cause: err,
		}
	case err != nil:
		return in, err
	}
	in.Facts.Bare = strings.HasSuffix(kind, "true") && strings.HasPrefix(kind, "false")
	if in.Common, err = g.line(ctx, dir, "rev-parse", "--path-format=absolute", "--git-common-dir"); err != nil {
		return in, err
	}
	if !strings.HasPrefix(kind, "true") {
		return in, nil
	}
	in.Facts.WorkTree = true
	// One run each: a path can hold any byte but NUL, and rev-parse parts its
	// answers by newlines.
	if in.Top, err = g.line(ctx, dir, "rev-parse", "--show-toplevel"); err != nil {
		return in, err
	}
	sub, err := g.line(ctx, dir, "rev-parse", "--show-prefix")
	in.Sub = strings.TrimSuffix(sub, "/")
	return in, err
}

// submodules returns the path of a .gitmodules file that names submodules.
func (g *Git) submodules(ctx context.Context, in Inspection) (string, error) {
	const name = ".gitmodules"
	path := filepath.Join(in.Top, name)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if bytes.Contains(text, []byte("[submodule")) {
			return name, nil
		}
		return "", nil
	}
	if in.Head == "" {
		return "", nil
	}
	// It may be there but not checked out, as in a sparse checkout.
	text, err := g.read(ctx, in.Top, "ls-tree", "-z", "--name-only", "HEAD", "--", name)
	if err != nil || len(text) == 0 {
		return "", err
	}
	return name, nil
}

// defaultBranch returns origin's HEAD, else the branch that a new repository
// of the user would have, else main or master, whichever exists first. A local
// branch is preferred to origin's of the same name: it is the one the person
// sees.
func (g *Git) defaultBranch(ctx context.Context, dir string) (string, error) {
	var names []string
	for _, ask := range [][]string{
		{"symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"},
		{"config", "--get", "init.defaultBranch"},
	} {
		name, err := g.line(ctx, dir, ask...)
		if err != nil && !isStatus(err, 1) {
			return "", err
		}
		if name != "" {
			names = append(names, strings.TrimPrefix(name, "origin/"))
		}
	}
	names = append(names, "main", "master")
	args := []string{"for-each-ref", "--format=%(refname)", "--"}
	for _, n := range names {
		args = append(args, "refs/heads/"+n, "refs/remotes/origin/"+n)
	}
	out, err := g.line(ctx, dir, args...)
	if err != nil {
		return "", err
	}
	have := map[string]bool{}
	for ref := range strings.SplitSeq(out, "\n") {
		have[ref] = true
	}
	for _, n := range names {
		switch {
		case have["refs/heads/"+n]:
			return n, nil
		case have["refs/remotes/origin/"+n]:
			return "origin/" + n, nil
		}
	}
	return "", nil
}
