//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/session"
)

// withAside gives the stage an aside of its own, which starts the client, and
// ends at the test's end what it has started.
func (s *stage) withAside(t *testing.T) {
	t.Helper()
	home := tempDir(t)
	if err := s.home.Configure(home, s.program, s.model.URL()); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "ASIDE_HOME="+home)
	t.Cleanup(func() {
		for _, thread := range listed[session.Thread](t, s, "threads", "--all") {
			if out, code := s.run(t, "stop", string(thread.ID)); code > int(session.CodeFailed) && code != int(session.CodeSettled) {
				t.Errorf("stop %s: status %d: %s", thread.ID, code, out)
			}
		}
	})
}

// binary returns the path of the built program.
func binary(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ASIDE_E2E_BIN")
	if dir == "" {
		dir = filepath.Join("..", "bin")
	}
	path, err := filepath.Abs(filepath.Join(dir, "aside"))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("aside is not built, run make e2e: %v", err)
	}
	return path
}

// run runs a command of aside in the project and returns its standard output
// and exit status.
func (s *stage) run(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	// A cleanup runs when the test's own context is gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary(t), args...)
	cmd.Dir, cmd.Env = s.project, s.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("aside %q: %v", args, err)
	}
	if stderr.Len() > 0 {
		t.Logf("aside %q: %s", args, &stderr)
	}
	return strings.TrimSpace(string(out)), cmd.ProcessState.ExitCode()
}

// aside runs a command that has to succeed.
func (s *stage) aside(t *testing.T, args ...string) string {
	t.Helper()
	out, code := s.run(t, args...)
	if code != 0 {
		t.Fatalf("aside %q: status %d\n%s", args, code, out)
	}
	return out
}

// listed runs a listing command and reads what it lists.
func listed[T any](t *testing.T, s *stage, args ...string) []T {
	t.Helper()
	var items []T
	out := s.aside(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &items); err != nil {
		t.Fatalf("aside %q: %v\n%s", args, err, out)
	}
	return items
}

// await asks again and again for a state of other processes, which announce it
// to nobody here, until get has it.
func await[T any](t *testing.T, what string, get func() (T, bool)) T {
	t.Helper()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for ctx := deadline(t); ; {
		if v, ok := get(); ok {
			return v
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// the returns the only item.
func the[T any](t *testing.T, items []T) T {
	t.Helper()
	if len(items) != 1 {
		t.Fatalf("got %d items, want one: %+v", len(items), items)
	}
	return items[0]
}
