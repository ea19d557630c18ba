package wire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// tempDir returns a new folder of mode 0700 with a path short enough for a
// socket, which t.TempDir does not promise.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wire")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestSocketIsPrivate(t *testing.T) {
	dir := filepath.Join(tempDir(t), "run")
	path := filepath.Join(dir, "t.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600} {
		info, err := os.Lstat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v (%v), want %v", name, info.Mode().Perm(), err, want)
		}
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Errorf("Accept: %v", err)
			return
		}
		if r, err := c.ReadRequest(); err == nil {
			_ = c.Answer(HookReply{Released: r.Op})
		}
	}()
	c, err := Dial(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := c.Ask(Request{Op: "hi"}); err != nil || string(body) != `{"released":"hi"}` {
		t.Errorf("Ask = %s, %v", body, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Close the socket is still there (%v)", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept after Close = %v, want net.ErrClosed", err)
	}
}

func TestStaleSocketIsReplacedOnlyWhenNobodyAnswers(t *testing.T) {
	path := filepath.Join(tempDir(t), "t.sock")
	first, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path); !errors.Is(err, ErrInUse) {
		t.Fatalf("Listen where somebody answers = %v, want %v", err, ErrInUse)
	}
	_ = first.l.Close() // as a killed process would: the file stays
	second, err := Listen(path)
	if err != nil {
		t.Fatalf("Listen on a stale socket: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func TestCloseLeavesAnothersSocket(t *testing.T) {
	path := filepath.Join(tempDir(t), "t.sock")
	first, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	c, err := Dial(context.Background(), path)
	if err != nil {
		t.Fatalf("closing the first took the second's socket: %v", err)
	}
	_ = c.Close()
	_ = second.Close()
}

func TestOneOfManyListensOnStaleSocket(t *testing.T) {
	dir := tempDir(t)
	for round := range 50 {
		path := filepath.Join(dir, fmt.Sprint(round))
		old, err := Listen(path)
		if err != nil {
			t.Fatal(err)
		}
		_ = old.l.Close()
		var wg sync.WaitGroup
		begin := make(chan struct{})
		listeners, errs := make([]*Listener, 8), make([]error, 8)
		for i := range errs {
			wg.Go(func() {
				<-begin
				listeners[i], errs[i] = Listen(path)
			})
		}
		close(begin)
		wg.Wait()
		won := 0
		for i, err := range errs {
			switch {
			case err == nil:
				won++
				_ = listeners[i].Close()
			case !errors.Is(err, ErrInUse):
				t.Errorf("Listen = %v, want %v", err, ErrInUse)
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d of 8 got the socket, want 1", round, won)
		}
	}
}

func TestListenRefuses(t *testing.T) {
	dir := tempDir(t)
	open := filepath.Join(dir, "open")
	link := filepath.Join(dir, "link")
	file := filepath.Join(dir, "file")
	if err := errors.Join(os.Mkdir(open, 0o700), os.Chmod(open, 0o750), os.Symlink(dir, link), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ path, says string }{
		"a relative path":         {"t.sock", "not absolute"},
		"an abstract socket":      {"@t", "not absolute"},
		"a long path":             {"/" + strings.Repeat("x", 103), "104 bytes"},
		"a folder others enter":   {open + "/t.sock", "others can enter"},
		"a link as folder":        {link + "/t.sock", "not a folder"},
		"a file as folder":        {file + "/t.sock", "not a directory"},
		"a plain file in the way": {file, "not a socket"},
	} {
		if _, err := Listen(tt.path); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want an error that says %q", name, err, tt.says)
		}
	}
	if _, err := os.Lstat(file); err != nil {
		t.Errorf("the plain file in the way was removed: %v", err)
	}
}

func TestFolderOfAnotherUserIsRefused(t *testing.T) {
	dir := tempDir(t)
	other := dir
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
	} else {
		other = "/" // root's; its owner is checked before its mode
	}
	if err := SecureDir(other); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("SecureDir = %v, want it to say that another user owns it", err)
	}
}

func TestPeerOfAnotherUserIsRefused(t *testing.T) {
	l, err := Listen(filepath.Join(tempDir(t), "t.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	near, err := net.Dial("unix", l.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = near.Close() }()
	far, err := l.l.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = far.Close() }()
	for _, end := range []*net.UnixConn{near.(*net.UnixConn), far} {
		if err := checkPeer(end, os.Geteuid()); err != nil {
			t.Errorf("a peer of the same user: %v", err)
		}
		if err := checkPeer(end, os.Geteuid()+1); !errors.Is(err, ErrPeer) {
			t.Errorf("a peer of another user: %v, want %v", err, ErrPeer)
		}
	}
}
