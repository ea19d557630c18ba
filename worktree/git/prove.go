package git

import (
	"context"
	"os"

	"aside/session"
)

// Prove makes sure that a worktree is what it should be, before anything runs
// in it (contracts/proposed-threads.md, Starting 5): its folder is its own top
// level, below aside's folder and reached through no symbolic link; it is
// registered with the repository of repo and not that repository's own work
// tree; and its HEAD is c.Base on the branch c.Branch. The error is a
// session.Error that says what is wrong.
func (g *Git) Prove(ctx context.Context, repo string, c session.Checkout) error {
	source, err := g.locate(ctx, repo)
	if err == nil {
		err = g.prove(ctx, source, c)
	}
	return failed("The separate checkout could not be proven", "", err)
}

// unproven says what is wrong with a worktree.
func unproven(path, what string) error {
	return &session.Error{
		Code:    session.CodeFailed,
		Message: "The separate checkout " + plain(path) + " is not what it should be: " + what,
		Hint:    "Nothing was started in it",
	}
}

func (g *Git) prove(ctx context.Context, source Inspection, c session.Checkout) error {
	where, err := g.place(c.Path)
	if err != nil {
		return err
	}
	if err := g.proveFolder(ctx, source, where.path, c); err != nil {
		return err
	}
	list, err := g.entries(ctx, source.Top)
	if err != nil {
		return err
	}
	e, ok := at(list, where.path)
	switch {
	case !ok:
		return unproven(where.path, "it is not registered with the repository")
	case e.main:
		return unproven(where.path, "it is the repository's own work tree")
	case e.branch != c.Branch || c.Branch == "":
		return unproven(where.path, "it is on branch "+plain(e.branch)+" and not on "+plain(c.Branch))
	case e.head != c.Base:
		return unproven(where.path, "its HEAD is "+plain(e.head)+" and not "+plain(c.Base))
	}
	return nil
}

// proveFolder asks Git from inside of the folder.
func (g *Git) proveFolder(ctx context.Context, source Inspection, path string, c session.Checkout) error {
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return unproven(path, "there is no such folder")
	}
	in, err := g.locate(ctx, path)
	switch {
	case err != nil:
		return err
	case in.Top == "" || !sameFolder(in.Top, path) || in.Sub != "":
		return unproven(path, "its top level is "+plain(in.Top))
	case source.Common == "" || !sameFolder(in.Common, source.Common):
		return unproven(path, "it belongs to another repository")
	}
	own, err := g.line(ctx, path, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
	}
	if sameFolder(own, in.Common) {
		return unproven(path, "it is the project's own work tree")
	}
	// The repository's list goes by its own records. What counts is what a
	// program sees that runs in the folder.
	seen, err := g.line(ctx, path, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
	if err != nil {
		return err
	}
	if seen != c.Base+"\nrefs/heads/"+c.Branch {
		return unproven(path, "its HEAD is "+plain(seen)+" and not "+plain(c.Base+" "+c.Branch))
	}
	return nil
}
