package git

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Start is where the work in a checkout begins, as far as it is not done.
type Start struct {
	// Commit is the base for Diff, or "" where nothing is known.
	Commit string
	// Into is the branch that the work goes into, where that has all there is
	// in Commit: what differs from Commit is what the branch has not got. It is
	// "" where the work is compared with what it was made from alone.
	Into string
}

// Began returns where the work in the checkout of dir begins: at base, the
// commit it was made from, or at what it was brought up to date with since from
// the branch that it goes into, or behind what of it has been merged into that.
// A merge that keeps no commits, such as a squash, is known by its files. repo
// is the project's folder.
func (g *Git) Began(ctx context.Context, repo, dir, base string) (Start, error) {
	began, err := g.began(ctx, repo, dir, base)
	return began, failed("The changes could not be read", "", err)
}

func (g *Git) began(ctx context.Context, repo, dir, base string) (Start, error) {
	if base == "" {
		return Start{}, nil
	}
	branch, err := g.line(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil && !isStatus(err, 1) {
		return Start{}, err
	}
	into, err := g.target(ctx, repo, dir, branch)
	if err != nil {
		return Start{}, err
	}
	within, err := g.ancestor(ctx, dir, base, "HEAD")
	if err != nil {
		return Start{}, err
	}
	start := Start{Commit: base}
	if into != "" {
		if start, err = g.beganFrom(ctx, dir, base, into, within); err != nil {
			return Start{}, err
		}
	}
	if !within && start.Into == "" {
		start.Commit, err = g.common(ctx, dir, base, "HEAD")
	}
	return start, err
}

// beganFrom is began for work that goes into a branch; within says that base is
// below HEAD.
func (g *Git) beganFrom(ctx context.Context, dir, base, into string, within bool) (Start, error) {
	start := Start{Commit: base}
	common, err := g.common(ctx, dir, "HEAD", "refs/heads/"+into)
	if err != nil {
		return start, err
	}
	newer, err := g.ancestor(ctx, dir, base, common)
	if err != nil {
		return start, err
	}
	if common != "" && (newer || !within) {
		start = Start{Commit: common, Into: into}
	}
	landed, err := g.landed(ctx, dir, common, into)
	if err != nil {
		return start, err
	}
	if later, err := g.ancestor(ctx, dir, start.Commit, landed); err != nil || later {
		return Start{Commit: landed, Into: into}, err
	}
	return start, nil
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
