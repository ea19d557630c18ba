package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/e2e/term"
	"aside/session"
	"aside/session/client"
	"aside/session/config"
)

// patience is how long a benchmark waits for what must come.
const patience = time.Minute

// built is the folder of the programs, made when the first benchmark asks.
var built = struct {
	once sync.Once
	dir  string
	err  error
}{}

// programs builds aside and aside-hook as make build does, and an empty
// program to compare with.
func programs(b *testing.B) (aside, hook, empty string) {
	b.Helper()
	built.once.Do(func() { built.dir, built.err = build(b.Context()) })
	if built.err != nil {
		b.Fatal(built.err)
	}
	in := func(name string) string { return filepath.Join(built.dir, name) }
	return in("aside"), in("aside-hook"), in("empty")
}

func build(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return "", err
	}
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return dir, err
	}
	for _, p := range []struct{ cgo, name, from string }{
		{"1", "aside", "aside"}, {"0", "aside-hook", "aside/hookbridge/hook/aside-hook"}, {"0", "empty", source},
	} {
		cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-tags", "sqlite_fts5",
			"-o", filepath.Join(dir, p.name), p.from)
		cmd.Env = append(os.Environ(), "CGO_ENABLED="+p.cgo)
		if out, err := cmd.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("build %s: %w\n%s", p.name, err, out)
		}
	}
	return dir, nil
}

func removeBuilt() {
	if built.dir != "" {
		_ = os.RemoveAll(built.dir) // what is left is in the folder for temporary files
	}
}

// stage is an aside and a project that no other benchmark shares. Its agent
// is this program.
type stage struct {
	home, project string
	program, hook string
	env           []string
	paths         config.Paths
}

func newStage(b *testing.B) *stage {
	b.Helper()
	s := &stage{home: tempDir(b), project: tempDir(b)}
	s.program, s.hook, _ = programs(b)
	self, err := os.Executable()
	check(b, err)
	b.Setenv("ASIDE_HOME", s.home)
	s.paths, err = config.Locate()
	check(b, err)
	check(b, os.MkdirAll(s.paths.Config, 0o700))
	check(b, os.WriteFile(s.paths.File(), fmt.Appendf(nil,
		"[agents.generic]\ncommand = %q\nenv = { %s = \"1\" }\n[agents.demo]\ncommand = %[1]q\nenv = { %[2]s = \"1\" }\n"+
			"[agents.claude]\ncommand = %[1]q\nenv = { %[2]s = \"1\" }\n", self, agentFlag), 0o600))
	s.env = append(plainEnv(), "ASIDE_HOME="+s.home)
	b.Cleanup(func() { s.stopAll(b) })
	return s
}

// plainEnv is the environment of a person's terminal.
func plainEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"),
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "SHELL=/bin/sh",
	}
}

// tempDir has a short path, below which a socket's path stays within its
// limit.
func tempDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("", "bench")
	check(b, err)
	b.Cleanup(func() { check(b, os.RemoveAll(dir)) })
	dir, err = filepath.EvalSymlinks(dir)
	check(b, err)
	return dir
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// command is a run of aside in the project.
func (s *stage) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Dir, cmd.Env = s.project, s.env
	return cmd
}

func (s *stage) aside(b *testing.B, args ...string) string {
	b.Helper()
	ctx, cancel := deadline(b)
	defer cancel()
	cmd := s.command(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("aside %q: %v\n%s", args, err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// deadline ends after patience, also when the benchmark's own context is
// gone.
func deadline(b *testing.B) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(b.Context()), patience)
}

// start starts a thread whose agent does what the line says, and returns the
// thread and its helper's process. The newest thread is the first one.
func (s *stage) start(b *testing.B, agent, line string) (session.ThreadID, int) {
	b.Helper()
	id := session.ThreadID(s.aside(b, "new", "--agent", agent, "--checkout", "shared", "--title", line, line))
	ctx, cancel := deadline(b)
	defer cancel()
	st, err := client.Call[client.Status](ctx, s.paths.Socket(id), client.OpStatus, id, nil)
	check(b, err)
	return id, st.PID
}

// stopAll ends every thread's agent and waits until the helpers are gone.
func (s *stage) stopAll(b *testing.B) {
	b.Helper()
	socks, err := filepath.Glob(filepath.Join(s.paths.Runtime, "*.sock"))
	check(b, err)
	for _, sock := range socks {
		ctx, cancel := deadline(b)
		id := session.ThreadID(strings.TrimSuffix(filepath.Base(sock), ".sock"))
		_, _ = client.Call[struct{}](ctx, sock, client.OpStop, id, nil) // one that has ended is none to stop
		check(b, client.AwaitGone(ctx, s.paths.Lock(id)))
		cancel()
	}
}

// open opens the screen on a terminal of the size; tap gets its output.
func (s *stage) open(b *testing.B, cols, rows int, tap func([]byte)) *term.Terminal {
	b.Helper()
	return run(b, term.Options{
		Command: []string{s.program}, Dir: s.project, Env: s.env, Cols: cols, Rows: rows, Output: tap,
	})
}

// run runs a program on a terminal until the benchmark ends.
func run(b *testing.B, o term.Options) *term.Terminal {
	b.Helper()
	t, err := term.Start(o)
	check(b, err)
	b.Cleanup(func() {
		if b.Failed() {
			b.Logf("the last screen:\n%s", t.Text())
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		check(b, t.Close(ctx))
	})
	return t
}

func see(b *testing.B, t *term.Terminal, pattern string) {
	b.Helper()
	ctx, cancel := deadline(b)
	defer cancel()
	check(b, t.WaitFor(ctx, pattern))
}

// wide shows the thread's terminal alone, as wide as the window, with the
// focus in it.
func wide(b *testing.B, t *term.Terminal) {
	b.Helper()
	check(b, t.Key("ctrl+space", "b"))
	check(b, t.Key("ctrl+space", "v"))
	check(b, t.Key("ctrl+space", "m"))
}

// cost returns the processor time that the processes have had, in total; ok
// is false where the system does not tell.
func cost(b *testing.B, pids ...int) (sum time.Duration, ok bool) {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Log("only Linux tells what a process has cost: not measured")
		return 0, false
	}
	for _, pid := range pids {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		check(b, err)
		if len(tasks) == 0 {
			b.Fatalf("process %d has ended", pid)
		}
		for _, task := range tasks {
			var ns int64
			text, err := os.ReadFile(task)
			if err != nil {
				continue // a thread that has just ended
			}
			_, err = fmt.Sscan(string(text), &ns)
			check(b, err)
			sum += time.Duration(ns)
		}
	}
	return sum, true
}

// window waits a time that something is measured over.
func window(d time.Duration) { <-time.After(d) }

// share is what processes cost of one core over the time.
func share(b *testing.B, over time.Duration, pids ...int) (percent []float64, ok bool) {
	b.Helper()
	before := make([]time.Duration, len(pids))
	for i, pid := range pids {
		if before[i], ok = cost(b, pid); !ok {
			return nil, false
		}
	}
	begun := time.Now()
	window(over)
	took := time.Since(begun)
	for i, pid := range pids {
		after, _ := cost(b, pid)
		percent = append(percent, 100*float64(after-before[i])/float64(took))
	}
	return percent, true
}

// median and p95 are in milliseconds; they sort.
func median(d []time.Duration) float64 { return quantile(d, 50) }

func p95(d []time.Duration) float64 { return quantile(d, 95) }

func quantile(d []time.Duration, percent int) float64 {
	slices.Sort(d)
	return float64(d[min(len(d)*percent/100, len(d)-1)]) / float64(time.Millisecond)
}
