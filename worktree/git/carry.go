package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aside/session"
)

// identity is who commits that belong to nobody are by: they are written as
// objects and never become part of a branch.
func identity() []string {
	return []string{
		"GIT_AUTHOR_NAME=aside", "GIT_AUTHOR_EMAIL=aside@localhost",
		"GIT_COMMITTER_NAME=aside", "GIT_COMMITTER_EMAIL=aside@localhost",
	}
}

// bring carries the uncommitted and untracked files of the offering checkout
// over and returns how many there are. They arrive unstaged. On another base
// they are merged; where that fails so does bring.
func (m *making) bring(ctx context.Context) (int, error) {
	commit, files, err := m.snapshot(ctx)
	if err != nil || files == 0 {
		return 0, err
	}
	_, err = m.git.run(ctx, call{
		dir: m.path, args: []string{"cherry-pick", "--no-commit", commit},
		env: append(identity(), m.env...), writes: true,
	})
	if err != nil {
		return 0, &session.Error{
			Code: session.CodeFailed, Message: "The uncommitted work does not fit on the chosen base",
			Hint: "Start from the offering thread's HEAD, or without the uncommitted work", Cause: err,
		}
	}
	_, err = m.run(ctx, m.path, "reset", "--quiet")
	return files, err
}

// snapshot writes the state of the offering checkout as a commit on its HEAD
// and returns its id and how many files differ. It works on a copy of the
// index, so nothing in the checkout changes.
func (m *making) snapshot(ctx context.Context) (string, int, error) {
	dir, err := os.MkdirTemp("", "aside-index-")
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	index := filepath.Join(dir, "index")
	top := m.source.Top
	own, err := m.git.line(ctx, top, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return "", 0, err
	}
	// A missing index is an empty one to Git too.
	if err := copyFile(own, index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", 0, err
	}
	env := append(append(identity(), m.env...), "GIT_INDEX_FILE="+index)
	run := func(stdin []byte, args ...string) (string, error) {
		out, err := m.git.run(ctx, call{dir: top, args: args, env: env, stdin: bytes.NewReader(stdin), writes: true})
		return strings.TrimSuffix(string(out), "\n"), err
	}
	if _, err := run(nil, "add", "--update", "--", "."); err != nil {
		return "", 0, err
	}
	untracked, err := run(nil, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return "", 0, err
	}
	if paths := files(untracked); len(paths) > 0 {
		if _, err := run(joined(paths), "update-index", "--add", "-z", "--stdin"); err != nil {
			return "", 0, err
		}
	}
	tree, err := run(nil, "write-tree")
	if err != nil {
		return "", 0, err
	}
	changed, err := run(nil, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "HEAD", tree)
	if err != nil || changed == "" {
		return "", 0, err
	}
	commit, err := run(nil, "commit-tree", "-p", "HEAD", "-m", "aside: uncommitted work", tree)
	return commit, strings.Count(changed, "\x00"), err
}

// files parts a list that ends each path with a NUL, and leaves out the
// folders in it: those are repositories of their own.
func files(list string) []string {
	var paths []string
	for p := range strings.SplitSeq(list, "\x00") {
		if p != "" && !strings.HasSuffix(p, "/") {
			paths = append(paths, p)
		}
	}
	return paths
}

func joined(paths []string) []byte { return []byte(strings.Join(paths, "\x00") + "\x00") }

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
