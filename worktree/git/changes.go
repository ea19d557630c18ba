package git

import (
	"context"
	"strconv"
	"strings"
)

// Changes is what a thread did to its checkout.
type Changes struct {
	// Files, Insertions and Deletions compare the files as they are with the
	// base, committed or not; untracked files are not among them.
	Files, Insertions, Deletions int
	// Uncommitted and Untracked count files; a folder that is untracked as a
	// whole counts once.
	Uncommitted, Untracked int
	// Unmerged counts the commits that are on no other branch, remote or tag
	// and not below the base.
	Unmerged int
}

// Work says what there is that is not committed or not merged, such as
// "1 uncommitted file, 2 unmerged commits", or "".
func (c Changes) Work() string {
	return strings.Join(counts(c.Uncommitted, c.Untracked, c.Unmerged), ", ")
}

// counts names what of three kinds of unfinished work there is.
func counts(uncommitted, untracked, unmerged int) []string {
	var held []string
	for _, k := range [...]struct {
		n         int
		one, many string
	}{
		{uncommitted, "uncommitted file", "uncommitted files"},
		{untracked, "untracked file", "untracked files"},
		{unmerged, "unmerged commit", "unmerged commits"},
	} {
		switch {
		case k.n == 1:
			held = append(held, "1 "+k.one)
		case k.n > 1:
			held = append(held, strconv.Itoa(k.n)+" "+k.many)
		}
	}
	return held
}

// Changes compares the checkout of dir with a base, a full commit id. Without
// one it compares with HEAD, and counts no commits as unmerged.
func (g *Git) Changes(ctx context.Context, dir, base string) (Changes, error) {
	c, err := g.changes(ctx, dir, base)
	return c, failed("The changes could not be counted", "", err)
}

func (g *Git) changes(ctx context.Context, dir, base string) (Changes, error) {
	var c Changes
	in, err := g.locate(ctx, dir)
	if err != nil || in.Top == "" {
		return c, err
	}
	s, err := g.status(ctx, in.Top, "--ignore-submodules=dirty")
	if err != nil {
		return c, err
	}
	c.Uncommitted, c.Untracked = len(s.uncommitted), len(s.untracked)
	if s.head == "" {
		return c, nil
	}
	against := "HEAD"
	if base != "" {
		against = base
		var own []string
		if s.branch != "" {
			own = append(own, s.branch)
		}
		if c.Unmerged, err = g.unmerged(ctx, in.Top, base, []string{s.head}, own); err != nil {
			return c, err
		}
	}
	out, err := g.read(ctx, in.Top, "diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=dirty", "--end-of-options", against, "--")
	if err != nil {
		return c, err
	}
	for line := range strings.SplitSeq(string(out), "\x00") {
		added, rest, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		removed, _, _ := strings.Cut(rest, "\t")
		c.Files++
		// A binary file has dashes for numbers, which count as nothing.
		n, _ := strconv.Atoi(added)
		c.Insertions += n
		n, _ = strconv.Atoi(removed)
		c.Deletions += n
	}
	return c, nil
}
