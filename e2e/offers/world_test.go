package offers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
)

// patience bounds what has to happen; nothing takes nearly as long.
const patience = 2 * time.Minute

// program is the built aside.
var program string

// TestMain builds the program once. A child of a test is a starter instead.
func TestMain(m *testing.M) {
	if role := os.Getenv(starterEnv); role != "" {
		os.Exit(starter(role))
	}
	code, err := built(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func built(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "aside-offers")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "aside")
	if there := os.Getenv("ASIDE_E2E_BIN"); there != "" {
		program, err = filepath.Abs(filepath.Join(there, "aside"))
		if err != nil {
			return 0, err
		}
		return m.Run(), nil
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-tags", "sqlite_fts5", "-o", program, "aside")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build aside: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// world is an aside with a project and one thread that offers, which no other
// test shares.
type world struct {
	t       testing.TB
	home    string // ASIDE_HOME
	project string // the folder that the user opened
	seen    string // where agents write what they were given
	env     []string
	first   string // the thread that offers
}

// agentScript is an agent that notes where it runs and what it is given.
const agentScript = `#!/bin/sh
pwd > "$SEEN/$ASIDE_THREAD.cwd"
exec cat > "$SEEN/$ASIDE_THREAD.prompt"
`

// newWorld has a project with one commit on main, or what prepare makes in
// the folder that it is given; prepare returns the project's folder.
func newWorld(t testing.TB, prepare func(w *world, dir string) string) *world {
	t.Helper()
	base := tempDir(t)
	w := &world{t: t, home: filepath.Join(base, "h"), seen: filepath.Join(base, "seen")}
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + base, "LANG=C.UTF-8", "SHELL=/bin/sh",
		"ASIDE_HOME=" + w.home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	}
	agent := filepath.Join(base, "agent")
	w.write(agent, agentScript)
	must(t, os.Chmod(agent, 0o700))
	must(t, os.Mkdir(w.seen, 0o700))
	w.configure(fmt.Sprintf("[agents.generic]\ncommand = %q\n[agents.generic.env]\nSEEN = %q\n", agent, w.seen))
	dir := filepath.Join(base, "app")
	must(t, os.Mkdir(dir, 0o755))
	if prepare == nil {
		prepare = func(w *world, dir string) string {
			w.repository(dir)
			return dir
		}
	}
	w.project = prepare(w, dir)
	t.Cleanup(w.stopAll)
	return w
}

// offering starts the thread that offers, in the project's own work tree.
func (w *world) offering() *world {
	w.t.Helper()
	w.first = w.aside("new", "--agent", "generic", "--checkout", "shared", "--cwd", w.project, "Notice something")
	return w
}

func (w *world) stopAll() {
	for _, t := range listed[session.Thread](w, "threads", "--all") {
		if t.Live {
			if _, errText, code := w.run("", "stop", string(t.ID)); code != 0 && code != int(session.CodeSettled) {
				w.t.Errorf("stop %s: status %d: %s", t.ID, code, errText)
			}
		}
	}
}

// tempDir has a short path, below which a socket's path stays within its
// limit.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "aso")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	dir, err = filepath.EvalSymlinks(dir)
	must(t, err)
	return dir
}

func (w *world) configure(text string) { w.write(filepath.Join(w.home, "config", "config.toml"), text) }

func (w *world) configureMore(text string) {
	w.t.Helper()
	path := filepath.Join(w.home, "config", "config.toml")
	before, err := os.ReadFile(path)
	must(w.t, err)
	w.write(path, string(before)+text)
}

func (w *world) write(path, text string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
}

func (w *world) has(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (w *world) text(path string) string {
	w.t.Helper()
	b, err := os.ReadFile(path)
	must(w.t, err)
	return string(b)
}

// repository makes a repository with one commit on main.
func (w *world) repository(dir string) {
	w.t.Helper()
	w.git(dir, "init", "--quiet", "--initial-branch", "main")
	w.write(filepath.Join(dir, "README.md"), "# app\n")
	w.commit(dir, "Start")
}

func (w *world) commit(dir, message string) {
	w.t.Helper()
	w.git(dir, "add", "--all")
	w.git(dir, "commit", "--quiet", "--allow-empty", "--message", message)
}

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	all := append([]string{"-c", "user.name=A Person", "-c", "user.email=person@example.com", "-c", "protocol.file.allow=always"}, args...)
	cmd := exec.Command("git", all...)
	cmd.Dir, cmd.Env = dir, w.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// command is aside with arguments, in the project.
func (w *world) command(args ...string) *exec.Cmd {
	// A cleanup runs when the test's own context is gone.
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	w.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = w.project, w.env
	return cmd
}

// run runs aside and returns what it wrote and its exit status.
func (w *world) run(stdin string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	cmd := w.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatalf("aside %q: %v", args, err)
	}
	return strings.TrimSpace(out.String()), strings.TrimSpace(fault.String()), cmd.ProcessState.ExitCode()
}

// aside runs a command that has to succeed.
func (w *world) aside(args ...string) string {
	w.t.Helper()
	out, fault, code := w.run("", args...)
	if code != 0 {
		w.t.Fatalf("aside %q: status %d\n%s", args, code, fault)
	}
	return out
}

// refused runs a command that has to end with the status and say the text.
func (w *world) refused(code session.Code, says string, args ...string) string {
	w.t.Helper()
	_, fault, got := w.run("", args...)
	if got != int(code) || !strings.Contains(fault, says) {
		w.t.Errorf("aside %q: status %d, want %d\n%s\nwhich does not say %q", args, got, code, fault, says)
	}
	return fault
}

// listed runs a listing command and reads what it lists.
func listed[T any](w *world, args ...string) []T {
	w.t.Helper()
	var items []T
	out := w.aside(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &items); err != nil {
		w.t.Fatalf("aside %q: %v\n%s", args, err, out)
	}
	return items
}

// offer has the offering thread offer something, and returns its id.
func (w *world) offer(title, prompt string) session.ProposalID {
	w.t.Helper()
	arguments, err := json.Marshal(map[string]string{"title": title, "summary": "It would " + title, "prompt": prompt})
	must(w.t, err)
	cmd := w.command("propose")
	cmd.Stdin = bytes.NewReader(arguments)
	cmd.Env = append(cmd.Env, "ASIDE_THREAD="+w.first)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("propose: %v\n%s", err, out)
	}
	for _, p := range listed[session.Proposal](w, "proposals") {
		if p.Title == title {
			return p.ID
		}
	}
	w.t.Fatalf("the offer %q does not stand", title)
	return ""
}

func (w *world) proposal(id session.ProposalID) session.Proposal {
	w.t.Helper()
	for _, p := range listed[session.Proposal](w, "proposals", "--all") {
		if p.ID == id {
			return p
		}
	}
	w.t.Fatalf("there is no offer %s", id)
	return session.Proposal{}
}

func (w *world) threads() []session.Thread { return listed[session.Thread](w, "threads", "--all") }

func (w *world) thread(id string) session.Thread {
	w.t.Helper()
	for _, t := range w.threads() {
		if string(t.ID) == id {
			return t
		}
	}
	w.t.Fatalf("there is no thread %s", id)
	return session.Thread{}
}

// of returns the threads that came from an offer.
func (w *world) of(id session.ProposalID) []session.Thread {
	var found []session.Thread
	for _, t := range w.threads() {
		if t.ProposedBy != nil && t.ProposedBy.Proposal == id {
			found = append(found, t)
		}
	}
	return found
}

func (w *world) entries(thread string) []transcript.Entry {
	w.t.Helper()
	return listed[transcript.Entry](w, "transcript", thread)
}

// notices returns what a thread says of itself, a line each.
func (w *world) notices(thread string) string {
	w.t.Helper()
	var said []string
	for _, e := range w.entries(thread) {
		if e.Kind == transcript.KindNotice {
			said = append(said, e.Text)
		}
	}
	return strings.Join(said, "\n")
}

// worktrees returns the checkouts that the project's repository has beside
// its own, and branches the branches that aside made.
func (w *world) worktrees() []string {
	w.t.Helper()
	var paths []string
	for line := range strings.Lines(w.git(w.project, "worktree", "list", "--porcelain")) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree "); ok && strings.HasPrefix(path, w.home) {
			paths = append(paths, path)
		}
	}
	return paths
}

func (w *world) branches() []string {
	w.t.Helper()
	return strings.Fields(w.git(w.project, "for-each-ref", "--format=%(refname:short)", "refs/heads/aside"))
}

// folders returns the checkouts that there are in aside's own folder,
// registered or not.
func (w *world) folders() []string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.home, "data", "worktrees", "*", "*"))
	must(w.t, err)
	return found
}

// await asks again and again for a state of other processes, which announce
// it to nobody here, until holds says that it is there.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	limit := time.After(patience)
	for !holds() {
		select {
		case <-again.C:
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// given waits until a thread's agent was given text, and returns it.
func (w *world) given(thread, text string) string {
	w.t.Helper()
	var got string
	await(w.t, "what the agent is given", func() bool {
		b, err := os.ReadFile(filepath.Join(w.seen, thread+".prompt"))
		got = string(b)
		return err == nil && strings.Contains(got, text)
	})
	return got
}

// ran says whether a thread's agent was ever started.
func (w *world) ran(thread string) bool { return w.has(filepath.Join(w.seen, thread+".cwd")) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
