package git

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
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
// there: tracked files, and untracked ones that are not ignored. Those that
// were changed since they were committed come first, the newest before the
// others; fresh is how many they are. A folder in no work tree has none.
func (g *Git) Files(ctx context.Context, dir string) (paths []string, fresh int, err error) {
	paths, fresh, err = g.files(ctx, dir)
	return paths, fresh, failed("The files could not be listed", "", err)
}

func (g *Git) files(ctx context.Context, dir string) (paths []string, fresh int, err error) {
	in, err := g.locate(ctx, dir)
	if err != nil || in.Top == "" {
		return nil, 0, err
	}
	out, err := g.read(ctx, dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	if err != nil {
		return nil, 0, err
	}
	all := files(string(out))
	out, err = g.read(ctx, dir, "ls-files", "-z", "--modified", "--others", "--exclude-standard", "--deduplicate")
	if err != nil {
		return nil, 0, err
	}
	changed := map[string]int64{} // when, 0 is a file that is gone
	for _, p := range files(string(out)) {
		if len(changed) == freshFiles {
			break // the others are as good as old
		}
		changed[p] = 0
		if info, err := os.Lstat(filepath.Join(dir, p)); err == nil {
			changed[p] = info.ModTime().UnixNano()
			paths = append(paths, p)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(changed[b], changed[a]), strings.Compare(a, b)) })
	fresh = len(paths)
	for _, p := range all {
		if _, ok := changed[p]; !ok {
			paths = append(paths, p)
		}
	}
	return paths, fresh, nil
}

// freshFiles is how many changed files are looked at for their age.
const freshFiles = 1000
