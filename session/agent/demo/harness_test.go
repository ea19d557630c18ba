package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/demo"
	"aside/session/pty"
	"aside/session/screen"
)

// patience is how long a test waits for what has to come.
const patience = 60 * time.Second

// TestMain lets the test binary be the demo agent's program.
func TestMain(m *testing.M) {
	log := os.Getenv("TEST_DEMO_CALLS")
	if log == "" {
		os.Exit(m.Run())
	}
	call := func(_ context.Context, tool string, arguments any, meta map[string]any) (string, error) {
		if log == "none" {
			return "", errors.New("no server")
		}
		line, err := json.Marshal(map[string]any{"tool": tool, "arguments": arguments, "meta": meta})
		if err != nil {
			return "", err
		}
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return "", err
		}
		_, err = f.Write(append(line, '\n'))
		return "Offered.", errors.Join(err, f.Close())
	}
	if err := demo.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, call); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// hookScript stands for the hook: it keeps each payload in a file of its own,
// named in the order of arrival, and then waits for a verdict where the agent
// is held. What it is told to print comes through a named pipe.
const hookScript = `#!/bin/sh
dir=$(dirname "$0")
test "$1 $2 $3" = "--agent demo --event" || exit 9
event=$4
trap 'echo gone >>"$dir/signals"; exit 0' TERM
cat >"$dir/new.$$"
n=$(ls "$dir/events" | wc -l)
mv "$dir/new.$$" "$dir/events/$(printf %03d "$n")-$event"
test "$event" = PermissionRequest || exit 0
cat "$dir/verdict" & wait $!
`

// agentRun is the program in a terminal.
type agentRun struct {
	t       *testing.T
	dir     string // of the hook
	cwd     string
	child   *pty.Child
	changed chan struct{}

	mu  sync.Mutex
	scr *screen.Screen
}

// start runs the program in a scratch project.
func start(t *testing.T, args ...string) *agentRun { return startWith(t, 80, 40, "", args...) }

func startWith(t *testing.T, cols, rows int, calls string, args ...string) *agentRun {
	t.Helper()
	r := &agentRun{
		t: t, dir: t.TempDir(), cwd: t.TempDir(), changed: make(chan struct{}, 1),
		scr: screen.New(screen.Options{Cols: cols, Rows: rows}),
	}
	git(t, r.cwd, "init", "-q", "-b", "main")
	if err := os.WriteFile(filepath.Join(r.cwd, "parser.go"), []byte("package parser\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(r.dir, "events"), 0o700); err != nil {
		t.Fatal(err)
	}
	hook := filepath.Join(r.dir, "hook")
	if err := os.WriteFile(hook, []byte(hookScript), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(r.dir, "verdict"), 0o600); err != nil {
		t.Fatal(err)
	}
	if calls == "" {
		calls = filepath.Join(r.dir, "calls")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r.child, err = pty.Start(pty.Options{
		Path: self, Dir: r.cwd, Cols: cols, Rows: rows,
		Args: append([]string{"--session", "s1", "--record", r.dir, "--pace", "0", "--hook", hook}, args...),
		Env:  pty.Environment(os.Environ(), []string{"TEST_DEMO_CALLS=" + calls}),
	})
	if err != nil {
		t.Fatal(err)
	}
	go r.watch()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		r.child.Stop(ctx)
		_ = r.child.Close()
	})
	return r
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (r *agentRun) watch() {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.child.Read(buf)
		r.mu.Lock()
		_, _ = r.scr.Write(buf[:n])
		r.child.Send(r.scr.Replies())
		r.mu.Unlock()
		select {
		case r.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// text is what is on the screen now.
func (r *agentRun) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.scr.Text()
}

// see waits until the screen shows the text.
func (r *agentRun) see(what string) {
	r.t.Helper()
	r.until("see "+what, func() bool { return strings.Contains(r.text(), what) })
}

// unsee waits until the screen does not show the text any more.
func (r *agentRun) unsee(what string) {
	r.t.Helper()
	r.until("no longer see "+what, func() bool { return !strings.Contains(r.text(), what) })
}

// until waits for a condition, which is looked at whenever the screen
// changes, and now and then for what the screen does not show.
func (r *agentRun) until(what string, ok func() bool) {
	r.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-r.changed:
		case <-tick.C:
		case <-deadline.C:
			r.t.Fatalf("waited in vain to %s; the hook got %v, the screen shows\n%s", what, r.events(), r.text())
		}
	}
}

func (r *agentRun) send(keys string) {
	r.t.Helper()
	if !r.child.Send([]byte(keys)) {
		r.t.Fatal("the program does not read")
	}
}

// submit pastes a prompt and sends it, as aside does.
func (r *agentRun) submit(prompt string) {
	r.t.Helper()
	r.mu.Lock()
	keys := r.scr.Encode(session.Input{Paste: &prompt})
	r.mu.Unlock()
	r.send(string(keys) + "\r")
}

// events are the events the hook got, in order.
func (r *agentRun) events() []string {
	names, _ := filepath.Glob(filepath.Join(r.dir, "events", "*"))
	slices.Sort(names)
	for i, n := range names {
		_, names[i], _ = strings.Cut(filepath.Base(n), "-")
	}
	return names
}

// event waits for the nth event of a name and returns its payload.
func (r *agentRun) event(name string, n int) []byte {
	r.t.Helper()
	var files []string
	r.until(fmt.Sprintf("get %s %d", name, n), func() bool {
		files, _ = filepath.Glob(filepath.Join(r.dir, "events", "*-"+name))
		return len(files) >= n
	})
	slices.Sort(files)
	data, err := os.ReadFile(files[n-1])
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

// verdict lets the hook that is held print the text.
func (r *agentRun) verdict(text string) {
	r.t.Helper()
	// Opening waits for the hook to read.
	f, err := os.OpenFile(filepath.Join(r.dir, "verdict"), os.O_WRONLY, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := io.WriteString(f, text); err != nil {
		r.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// asks returns the first request for a permission as aside reads it.
func (r *agentRun) asks() agent.Event {
	r.t.Helper()
	ev, err := demo.Kind().New().Event("PermissionRequest", r.event("PermissionRequest", 1))
	if err != nil {
		r.t.Fatal(err)
	}
	return ev
}

// answer lets the hook print what an answer comes to.
func (r *agentRun) answer(asked agent.Event, a session.Answer) {
	r.t.Helper()
	out, err := asked.Ask.Verdict(a)
	if err != nil {
		r.t.Fatal(err)
	}
	r.verdict(string(out))
}

func (r *agentRun) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(data)
}

// exited waits for the program's end and returns its status.
func (r *agentRun) exited() int {
	r.t.Helper()
	r.until("end", func() bool {
		select {
		case <-r.child.Exited():
			return true
		default:
			return false
		}
	})
	return r.child.ExitCode()
}
