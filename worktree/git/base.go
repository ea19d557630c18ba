package git

import (
	"context"
	"strings"
)

// Began returns where the work in the checkout of dir begins, as a base for
// Diff: base, the commit it was made from, or what it was brought up to date
// with since from the branch that its work goes into. It is "" where nothing
// is known. repo is the project's folder.
func (g *Git) Began(ctx context.Context, repo, dir, base string) (string, error) {
	began, err := g.began(ctx, repo, dir, base)
	return began, failed("The changes could not be read", "", err)
}

func (g *Git) began(ctx context.Context, repo, dir, base string) (string, error) {
	if base == "" {
		return "", nil
	}
	branch, err := g.line(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil && !isStatus(err, 1) {
		return "", err
	}
	within, err := g.ancestor(ctx, dir, base, "HEAD")
	if err != nil {
		return "", err
	}
	into, err := g.target(ctx, repo, dir, branch)
	if err != nil {
		return "", err
	}
	if into != "" {
		common, err := g.common(ctx, dir, "HEAD", "refs/heads/"+into)
		if err != nil {
			return "", err
		}
		head, err := g.line(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
		if err != nil {
			return "", err
		}
		newer, err := g.ancestor(ctx, dir, base, common)
		// With all of it merged, what the work began from is what is left to
		// compare with.
		if err != nil || common != "" && common != head && (newer || !within) {
			return common, err
		}
	}
	if within {
		return base, nil
	}
	return g.common(ctx, dir, base, "HEAD")
}

// ancestor says whether one commit is below another, or the same. One that is
// not there is not.
func (g *Git) ancestor(ctx context.Context, dir, one, other string) (bool, error) {
	if one == "" || other == "" {
		return false, nil
	}
	_, err := g.read(ctx, dir, "merge-base", "--is-ancestor", "--end-of-options", one, other)
	if err != nil {
		return false, ctx.Err()
	}
	return true, nil
}

// common returns the best common ancestor of two commits, or "".
func (g *Git) common(ctx context.Context, dir, one, other string) (string, error) {
	out, err := g.line(ctx, dir, "merge-base", "--end-of-options", one, other)
	if err != nil {
		return "", ctx.Err()
	}
	first, _, _ := strings.Cut(out, "\n")
	return first, nil
}

// Files lists what is in a folder of a checkout and below it, by path from
// there: tracked files, and untracked ones that are not ignored. A folder in
// no work tree has none.
func (g *Git) Files(ctx context.Context, dir string) ([]string, error) {
	in, err := g.locate(ctx, dir)
	if err == nil && in.Top == "" {
		return nil, nil
	}
	if err == nil {
		var out []byte
		out, err = g.read(ctx, dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
		if err == nil {
			return files(string(out)), nil
		}
	}
	return nil, failed("The files could not be listed", "", err)
}
