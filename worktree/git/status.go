package git

import (
	"context"
	"strings"
)

// status is what `git status` knows.
type status struct {
	head        string // commit, "" when there is none
	branch      string // "" when detached
	uncommitted []string
	untracked   []string // whole folders as one, with a slash at the end
	ignored     []string // likewise; only when asked for
}

func (s status) clean() bool { return len(s.uncommitted) == 0 && len(s.untracked) == 0 }

func (g *Git) status(ctx context.Context, dir string, more ...string) (status, error) {
	args := append([]string{
		"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-ahead-behind",
	}, more...)
	out, err := g.read(ctx, dir, args...)
	if err != nil {
		return status{}, err
	}
	return parseStatus(string(out)), nil
}

// parseStatus reads git-status(1), Porcelain Format Version 2, with -z.
func parseStatus(out string) status {
	var s status
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		kind, rest, _ := strings.Cut(fields[i], " ")
		switch kind {
		case "#":
			name, value, _ := strings.Cut(rest, " ")
			switch {
			case name == "branch.oid" && value != "(initial)":
				s.head = value
			case name == "branch.head" && value != "(detached)":
				s.branch = value
			}
		case "1":
			s.uncommitted = append(s.uncommitted, lastField(rest, 7))
		case "2":
			s.uncommitted = append(s.uncommitted, lastField(rest, 8))
			i++ // the path it had before
		case "u":
			s.uncommitted = append(s.uncommitted, lastField(rest, 9))
		case "?":
			s.untracked = append(s.untracked, rest)
		case "!":
			s.ignored = append(s.ignored, rest)
		}
	}
	return s
}

// lastField returns what follows the first n fields; it can hold spaces.
func lastField(s string, n int) string {
	for range n {
		_, s, _ = strings.Cut(s, " ")
	}
	return s
}
