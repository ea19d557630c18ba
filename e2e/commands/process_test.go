package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"aside/session"
)

func TestThreadsThatAreStartedAtOnceAreEachTheirOwn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, `trap "exit 0" HUP TERM; echo ready; while read -r line; do echo "got: $line"; done`)
	const n = 4
	ids := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		cmd := p.command(t, "aside", "new", "--checkout", "worktree", fmt.Sprintf("number %d", i))
		all.Go(func() {
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("number %d: %v: %s", i, err, &errs)
			}
			ids[i] = strings.TrimSpace(string(out))
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	var found []session.Thread
	if err := json.Unmarshal([]byte(p.run(t, "aside", "threads", "--json")), &found); err != nil {
		t.Fatal(err)
	}
	folders := map[string]bool{}
	for _, th := range found {
		folders[th.Checkout.Path] = true
	}
	if len(found) != n || len(folders) != n {
		t.Errorf("%d threads in %d worktrees, want %d of each", len(found), len(folders), n)
	}
	for i, id := range ids {
		p.until(t, "each agent has its own prompt", func() bool {
			return strings.Contains(p.run(t, "aside", "screen", id), fmt.Sprintf("got: number %d", i))
		})
	}
}

func TestAnInterruptEndsTheWaitAndNotTheAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, "exec cat")
	var out, errs bytes.Buffer
	cmd := p.command(t, "aside", "new", "--agent", "demo", "--wait", "ask")
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.until(t, "a decision", func() bool { return strings.Contains(p.run(t, "aside", "decisions"), "permission") })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the status is looked at
	if code := cmd.ProcessState.ExitCode(); code != 130 || errs.Len() > 0 {
		t.Errorf("status %d: %s", code, &errs)
	}
	id := strings.TrimSpace(out.String())
	if got := p.run(t, "aside", "threads"); !strings.Contains(got, id) || !strings.Contains(got, "needs you") {
		t.Errorf("the agent did not go on: %s", got)
	}
}

// What stops whoever is being stopped already.
func TestStopsAtOnceAllEnd(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, `trap "" HUP; trap "exit 0" TERM; echo ready; while :; do read -r line; done`)
	id := p.run(t, "aside", "new", "--checkout", "shared", "hello")
	var all sync.WaitGroup
	for range 4 {
		cmd := p.command(t, "aside", "stop", id)
		all.Go(func() {
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != 0 && code != int(session.CodeSettled) {
				t.Errorf("status %d: %s", code, out)
			}
		})
	}
	all.Wait()
	if got := p.run(t, "aside", "threads"); !strings.Contains(got, "stopped") {
		t.Errorf("the thread is not stopped: %s", got)
	}
}

// A state folder that may not be written: for root, another user tries.
func TestAStateFolderThatMayNotBeWrittenIsSaid(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, dir := range []string{p.dir, programs} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	state := filepath.Join(p.dir, "home", "state")
	if err := os.MkdirAll(state, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(state, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(state, 0o755) })
	for _, args := range [][]string{{"threads"}, {"new", "hello"}} {
		cmd := p.command(t, "aside", args...)
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if cmd.ProcessState.ExitCode() != int(session.CodeFailed) || !complaint.Match(out) ||
			!strings.Contains(string(out), state) || !strings.Contains(string(out), "hint: ") {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
	if left, err := os.ReadDir(state); err != nil || len(left) > 0 {
		t.Errorf("something was made: %v, %v", left, err)
	}
}
