package wire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// maxPath is the longest socket path that every system takes: macOS has 104
// bytes for it, one of them the terminating zero.
const maxPath = 103

// probeTimeout is how long a socket found in the way may take to answer.
const probeTimeout = time.Second

// ErrInUse says that a live process already listens on the path.
var ErrInUse = errors.New("socket is in use")

// ErrPeer says that the process at the other end is another user's.
var ErrPeer = errors.New("peer is another user")

// crowdInterval is how often a socket is tried on which too many wait: the
// system tells nobody when there is room.
const crowdInterval = 2 * time.Millisecond

// Dial connects to the socket and checks that its owner is the same user.
// Where many connect at once it waits its turn, until ctx ends.
func Dial(ctx context.Context, path string) (*Conn, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	c, err := connect(ctx, path)
	if err != nil {
		return nil, err // it names the operation and the path itself
	}
	if err := checkPeer(c.(*net.UnixConn), os.Geteuid()); err != nil {
		_ = c.Close()
		return nil, err
	}
	return NewConn(c), nil
}

func connect(ctx context.Context, path string) (net.Conn, error) {
	for {
		var d net.Dialer
		c, err := d.DialContext(ctx, "unix", path)
		if !errors.Is(err, syscall.EAGAIN) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(crowdInterval):
		}
	}
}

// checkPath refuses relative paths, which also keeps out Linux's abstract
// sockets, since those have no owner and no mode.
func checkPath(path string) error {
	switch {
	case !filepath.IsAbs(path):
		return fmt.Errorf("socket path %q is not absolute", path)
	case len(path) > maxPath:
		return fmt.Errorf("socket path has %d bytes, at most %d are possible; set ASIDE_HOME or XDG_RUNTIME_DIR to a shorter folder: %s", len(path), maxPath, path)
	}
	return nil
}

// Unread says that the other end has sent something that nobody has read yet.
// It may be asked while another goroutine reads.
func (c *Conn) Unread() bool {
	sock, ok := c.conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := sock.SyscallConn()
	if err != nil {
		return false // it is closed
	}
	n := 0
	err = raw.Control(func(fd uintptr) {
		n, _, _ = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT) // there is none
	})
	return err == nil && n > 0
}

// checkPeer refuses a peer that is not the user, root included.
func checkPeer(c *net.UnixConn, user int) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return fmt.Errorf("check peer: %w", err)
	}
	var uid uint32
	var uidErr error
	if err := raw.Control(func(fd uintptr) { uid, uidErr = peerUID(int(fd)) }); err != nil {
		return fmt.Errorf("check peer: %w", err)
	}
	if uidErr != nil {
		return fmt.Errorf("check peer: %w", uidErr)
	}
	if int64(uid) != int64(user) {
		return fmt.Errorf("check peer: %w (uid %d)", ErrPeer, uid)
	}
	return nil
}

// Listener accepts connections of the same user.
type Listener struct {
	l    *net.UnixListener
	path string
	file fs.FileInfo // the socket as it was made, to remove no other; while l is open its inode is not used again
}

// Listen makes a socket of mode 0600 at an absolute path; its folder is made
// and checked by SecureDir. A socket that is in the way is replaced when
// nobody answers on it; else the error is ErrInUse.
func Listen(path string) (*Listener, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	if err := SecureDir(dir); err != nil {
		return nil, err
	}
	unlock, err := LockDir(dir) // of two that find a stale socket only one removes it
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	defer unlock()
	if err := removeStale(path); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	// Until Chmod the folder's mode alone keeps others out.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l.SetUnlinkOnClose(false)
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	file, err := os.Lstat(path)
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	return &Listener{l: l, path: path, file: file}, nil
}

// Accept waits for the next connection of the same user; others are closed
// without a word. The error is net.ErrClosed after Close.
func (l *Listener) Accept() (*Conn, error) {
	for {
		c, err := l.l.AcceptUnix()
		if err != nil {
			return nil, fmt.Errorf("accept: %w", err)
		}
		if checkPeer(c, os.Geteuid()) == nil {
			return newConn(c, acceptedBuffer), nil
		}
		_ = c.Close()
	}
}

// Close stops listening and removes the socket, unless another has taken its
// place. Accepted connections stay.
func (l *Listener) Close() error {
	if unlock, err := LockDir(filepath.Dir(l.path)); err == nil {
		defer unlock()
	}
	if file, err := os.Lstat(l.path); err == nil && os.SameFile(file, l.file) {
		_ = os.Remove(l.path) // one that stays is found stale by the next Listen
	}
	return l.l.Close()
}

// SecureDir makes the folder, of mode 0700, if it is missing, and checks
// that it is a folder of this user that nobody else can enter.
func SecureDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make runtime folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("check runtime folder: %w", err)
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	switch {
	case !info.IsDir():
		return fmt.Errorf("check runtime folder: %s is not a folder", dir)
	case int64(owner) != int64(os.Geteuid()):
		return fmt.Errorf("check runtime folder: %s belongs to another user (uid %d)", dir, owner)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("check runtime folder: others can enter %s (mode %#o); run chmod 700 on it", dir, info.Mode().Perm())
	}
	return nil
}

// LockDir waits until no other process holds the lock on the folder: one at a
// time replaces what is in it. No file is made for that.
func LockDir(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("lock folder: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock folder: %w", err)
	}
	return func() { _ = f.Close() }, nil // closing it gives up the lock
}

// removeStale removes a socket on which nobody answers. Anything but a plain
// refusal, such as a full queue, means that somebody is there.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is not a socket", path)
	}
	c, err := net.DialTimeout("unix", path, probeTimeout)
	if err == nil {
		_ = c.Close()
		return ErrInUse
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("%w: %w", ErrInUse, err)
	}
	return os.Remove(path)
}
