package git

import (
	"context"
	"os"
	"strings"
)

// entry is a worktree that is registered with a repository.
type entry struct {
	path   string
	head   string
	branch string // "" when detached
	main   bool   // it is the repository's own, not a linked one
	locked bool
	reason string // of the lock
}

// entries lists the worktrees of the repository that dir belongs to.
func (g *Git) entries(ctx context.Context, dir string) ([]entry, error) {
	out, err := g.read(ctx, dir, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	return parseEntries(string(out)), nil
}

// parseEntries reads git-worktree(1), Porcelain Format, with -z.
func parseEntries(out string) []entry {
	var list []entry
	for line := range strings.SplitSeq(out, "\x00") {
		name, value, _ := strings.Cut(line, " ")
		if name == "worktree" {
			list = append(list, entry{path: value, main: len(list) == 0})
			continue
		}
		if len(list) == 0 {
			continue
		}
		e := &list[len(list)-1]
		switch name {
		case "HEAD":
			e.head = value
		case "branch":
			e.branch = strings.TrimPrefix(value, "refs/heads/")
		case "locked":
			e.locked, e.reason = true, value
		}
	}
	return list
}

// at returns the entry of a folder, which need not exist any more.
func at(list []entry, path string) (entry, bool) {
	for _, e := range list {
		if e.path == path || sameFolder(e.path, path) {
			return e, true
		}
	}
	return entry{}, false
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
