package client_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/client"

	"github.com/gofrs/flock"
)

// helperEnv makes the test binary play a helper.
const helperEnv = "ASIDE_TEST_HELPER"

func TestMain(m *testing.M) {
	switch os.Getenv(helperEnv) {
	case "ready":
		_ = client.TellReady(nil)
		return
	case "refuses":
		_ = client.TellReady(&session.Error{Code: session.CodeBlocked, Message: "no", Hint: "try yes"})
		return
	case "silent":
		return
	}
	os.Exit(m.Run())
}

func limit(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func spawn(ctx context.Context, t *testing.T, as string) error {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := client.Program{Path: self, Env: append(os.Environ(), helperEnv+"="+as)}
	return client.Spawn(ctx, p, "abc", filepath.Join(t.TempDir(), "log", "abc.log"))
}

func TestSpawnTellsWhatTheHelperSays(t *testing.T) {
	if err := spawn(limit(t), t, "ready"); err != nil {
		t.Error(err)
	}
	var e *session.Error
	if err := spawn(limit(t), t, "refuses"); !errors.As(err, &e) || e.Code != session.CodeBlocked || e.Message != "no" || e.Hint != "try yes" {
		t.Errorf("got %v", err)
	}
	if err := spawn(limit(t), t, "silent"); !errors.As(err, &e) || !strings.Contains(e.Hint, "abc.log") {
		t.Errorf("got %v", err)
	}
}

// A start that is given up leaves no helper behind.
func TestAnInterruptedSpawnEndsTheHelper(t *testing.T) {
	dir := t.TempDir()
	script := `trap 'echo ended > ` + dir + `/ended; exit' TERM; echo begun > ` + dir + `/begun; while :; do read -r x < ` + dir + `/pipe; done`
	p := client.Program{Path: "/bin/sh", Args: []string{"-c", "mkfifo " + dir + "/pipe; " + script}, Env: os.Environ()}
	ctx, cancel := context.WithCancel(limit(t))
	done := make(chan error, 1)
	go func() { done <- client.Spawn(ctx, p, "abc", filepath.Join(dir, "abc.log")) }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		}
		select {
		case <-tick.C:
		case err := <-done:
			t.Fatalf("it returned %v", err)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ended")); err != nil {
		t.Errorf("the helper was not told, or had not ended: %v", err)
	}
}

// served is the socket of a helper that treats each connection so.
func served(t *testing.T, serve func(*wire.Conn)) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "a")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := wire.Listen(filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				go serve(c)
			}
		}
	}()
	return filepath.Join(dir, "s")
}

func TestCallTellsEachFaultInItsWords(t *testing.T) {
	if _, err := client.Call[client.Status](limit(t), filepath.Join(t.TempDir(), "s"), client.OpStatus, "abc", nil); !errors.Is(err, client.ErrNoHelper) {
		t.Errorf("without a helper: %v", err)
	}
	for name, tc := range map[string]struct {
		serve func(*wire.Conn)
		want  string
	}{
		"it ends": {func(c *wire.Conn) { _, _ = c.ReadRequest(); _ = c.Close() }, "ended before it answered"},
		"it refuses": {func(c *wire.Conn) {
			_, _ = c.ReadRequest()
			_ = c.Refuse(wire.Fault{Code: 4, Message: "done already"})
		}, "done already"},
		"another version": {func(c *wire.Conn) {
			_, _ = c.ReadRequest()
			_ = c.WriteLine(wire.Reply{V: wire.Version + 1})
		}, "another version of aside"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.Call[client.Status](limit(t), served(t, tc.serve), client.OpStatus, "abc", nil)
			var e *session.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, tc.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A helper that does not answer keeps nobody for longer than the context.
func TestWaitsEndWithTheContext(t *testing.T) {
	asked := make(chan struct{}, 2)
	socket := served(t, func(c *wire.Conn) {
		_, _ = c.ReadRequest()
		asked <- struct{}{}
	})
	for name, wait := range map[string]func(context.Context) error{
		"call": func(ctx context.Context) error {
			_, err := client.Call[client.Status](ctx, socket, client.OpStatus, "abc", nil)
			return err
		},
		"attach": func(ctx context.Context) error {
			_, err := client.Attach(ctx, socket, "abc")
			return err
		},
		"gone": func(ctx context.Context) error {
			lock := flock.New(filepath.Join(t.TempDir(), "lock"))
			if ok, err := lock.TryLock(); err != nil || !ok {
				return errors.New("no lock")
			}
			defer func() { _ = lock.Unlock() }()
			asked <- struct{}{}
			return client.AwaitGone(ctx, lock.Path())
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(limit(t))
			done := make(chan error, 1)
			go func() { done <- wait(ctx) }()
			<-asked
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestProbe(t *testing.T) {
	dir := t.TempDir()
	lockFile, nowhere := filepath.Join(dir, "lock"), filepath.Join(dir, "s")
	probe := func(socket string) bool {
		t.Helper()
		there, err := client.Probe(limit(t), socket, lockFile)
		if err != nil {
			t.Error(err)
		}
		return there
	}
	if probe(nowhere) {
		t.Error("there is one without socket and lock")
	}
	if _, err := os.Stat(lockFile); err == nil {
		t.Error("a look made the lock")
	}
	lock := flock.New(lockFile)
	if ok, err := lock.TryLock(); err != nil || !ok {
		t.Fatal(err)
	}
	if !probe(nowhere) {
		t.Error("one that is about to listen is not there")
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if probe(nowhere) {
		t.Error("a lock that is free is a helper")
	}
	if !probe(served(t, func(c *wire.Conn) { _ = c.Close() })) {
		t.Error("one that listens is not there")
	}
}
