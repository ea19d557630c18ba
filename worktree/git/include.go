package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// includeFile lists, as a .gitignore does, which ignored files a new worktree
// gets a copy of. Other programs for agents read the same file.
const includeFile = ".worktreeinclude"

// includeLimit is the size of that file in bytes at most.
const includeLimit = 64 << 10

// include copies the files of the offering checkout that are ignored and that
// its .worktreeinclude names, and returns their paths. What the worktree has
// already is not replaced. Nothing outside of the checkout is read or written:
// a symbolic link is copied as a link, and only when it stays inside.
func (m *making) include(ctx context.Context) ([]string, error) {
	list := filepath.Join(m.source.Top, includeFile)
	info, err := os.Lstat(list)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	if info.Size() > includeLimit {
		return nil, fmt.Errorf("%s is larger than %d KiB", includeFile, includeLimit>>10)
	}
	out, err := m.git.read(ctx, m.source.Top, "ls-files", "-z", "--others", "--ignored", "--exclude-from="+list)
	if err != nil {
		return nil, err
	}
	named := files(string(out))
	if len(named) == 0 {
		return nil, nil
	}
	out, err = m.git.run(ctx, call{
		dir: m.source.Top, args: []string{"check-ignore", "-z", "--stdin"},
		stdin: bytes.NewReader(joined(named)),
	})
	if err != nil && !isStatus(err, 1) { // 1 is: none of them
		return nil, err
	}
	from, err := os.OpenRoot(m.source.Top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenRoot(m.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = to.Close() }()
	var copied []string
	for _, path := range files(string(out)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		done, err := copyWithin(from, to, path)
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", plain(path), err)
		}
		if done {
			copied = append(copied, path)
		}
	}
	return copied, nil
}

// copyWithin copies one file from one folder to another and tells whether it
// did: not when it is there already, or is neither a file nor a link that
// stays inside.
func copyWithin(from, to *os.Root, path string) (bool, error) {
	info, err := from.Lstat(path)
	if err != nil {
		return false, ifThere(err)
	}
	link := ""
	switch {
	case info.Mode().IsRegular():
	case info.Mode()&fs.ModeSymlink != 0:
		link, err = from.Readlink(path)
		if err != nil || filepath.IsAbs(link) || !filepath.IsLocal(filepath.Join(filepath.Dir(path), link)) {
			return false, ifThere(err)
		}
	default:
		return false, nil
	}
	if err := to.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	if _, err := to.Lstat(path); err == nil {
		return false, nil
	}
	if link != "" {
		return true, to.Symlink(link, path)
	}
	return true, copyContent(from, to, path)
}

func copyContent(from, to *os.Root, path string) (err error) {
	// Not blocking, and looked at again once open: it could be a pipe by now.
	source, err := from.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no longer a file")
	}
	target, err := to.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// ifThere returns err unless it says that something has gone meanwhile.
func ifThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
