package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aside/session"
)

// place is where a worktree lies or will lie.
type place struct {
	root string // the folder of all worktrees, without symbolic links
	rel  string // below it
	path string // both together
}

// place checks a worktree's path. Everything that is written or taken away
// lies below the folder that aside made: no other path passes, nor one that a
// symbolic link leads away from.
func (g *Git) place(path string) (place, error) {
	if err := os.MkdirAll(g.root, 0o700); err != nil {
		return place{}, unwritable(g.root, err)
	}
	root, err := filepath.EvalSymlinks(g.root)
	if err != nil {
		return place{}, unwritable(g.root, err)
	}
	for _, from := range []string{g.root, root} {
		rel, err := filepath.Rel(from, path)
		if err != nil || rel == "." || !filepath.IsLocal(rel) {
			continue
		}
		p := place{root: root, rel: rel, path: filepath.Join(root, rel)}
		return p, p.check()
	}
	return place{}, &session.Error{
		Code:    session.CodeFailed,
		Message: "The folder " + plain(path) + " is not among aside's own checkouts in " + plain(g.root),
	}
}

// check makes sure that no part of the path below the root is a link.
func (p place) check() error {
	for path := p.path; path != p.root; path = filepath.Dir(path) {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return unwritable(path, err)
		case !info.IsDir():
			return &session.Error{
				Code: session.CodeFailed, Message: plain(path) + " is not a folder",
				Hint: "Move it away and try again",
			}
		}
	}
	return nil
}

// make makes the folders above the place.
func (p place) make() error {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return unwritable(p.root, err)
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(filepath.Dir(p.rel), 0o700); err != nil {
		return unwritable(filepath.Dir(p.path), err)
	}
	return p.check()
}

// removeAll takes away the folder with all it holds.
func (p place) removeAll() error {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return fmt.Errorf("open folder of checkouts: %w", err)
	}
	defer func() { _ = root.Close() }()
	return root.RemoveAll(p.rel)
}

// tidy takes away the folder above the place when nothing is left in it.
func (p place) tidy() {
	if dir := filepath.Dir(p.path); dir != p.root {
		_ = os.Remove(dir) // it fails when there is another checkout in it
	}
}

func unwritable(path string, err error) error {
	return &session.Error{
		Code: session.CodeFailed, Message: "The folder " + plain(path) + " cannot be used for separate checkouts",
		Hint: "Check its permissions, or set another place with ASIDE_HOME", Cause: err,
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
