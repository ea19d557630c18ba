package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aside/e2e/term"
	"aside/session"
	"aside/session/client"
	"aside/storage"
)

// BenchmarkHeldAnswer measures what an agent waits for after a person has
// answered: from the moment the helper took the answer until the verdict is
// on the standard output of the held hook; and the whole command aside
// answer, until then.
func BenchmarkHeldAnswer(b *testing.B) {
	s := newStage(b)
	thread, _ := s.start(b, "demo", "idle")
	ctx := b.Context()
	a, err := client.Attach(ctx, s.paths.Socket(thread), thread)
	check(b, err)
	defer func() { _ = a.Close() }()
	check(b, s.hooked(ctx, "demo", thread, "SessionStart", `"source":"startup"`).Run())
	var took, command []time.Duration
	for b.Loop() {
		verdict, id := s.hold(b, a, thread)
		r, err := client.Call[session.Receipt](ctx, s.paths.Socket(thread), client.OpAnswer, thread, session.Answer{Decision: id, Option: "once"})
		check(b, err)
		took = append(took, (<-verdict).Sub(r.At))

		verdict, id = s.hold(b, a, thread)
		begun := time.Now()
		check(b, s.command(ctx, "answer", string(id), "once").Run())
		command = append(command, (<-verdict).Sub(begun))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took), "ms-taken-to-verdict")
	b.ReportMetric(p95(took), "ms-taken-to-verdict-p95")
	b.ReportMetric(median(command), "ms-whole-command")
}

// hooked is a hook as the thread's agent runs it.
func (s *stage) hooked(ctx context.Context, agent string, thread session.ThreadID, event, fields string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.hook, "--agent", agent, "--event", event)
	cmd.Env = append(s.env, "ASIDE_SOCKET="+s.paths.Socket(thread), "ASIDE_THREAD="+string(thread), "ASIDE_PANE="+string(session.PaneAgent))
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"11111111-1111-4111-8111-111111111111","hook_event_name":%q,%s}`, event, fields))
	cmd.Stderr = os.Stderr
	return cmd
}

// hold starts a hook that is held, and returns the decision it waits for and
// the time at which it prints its verdict.
func (s *stage) hold(b *testing.B, a *client.Attachment, thread session.ThreadID) (<-chan time.Time, session.DecisionID) {
	b.Helper()
	cmd := s.hooked(b.Context(), "demo", thread, "PermissionRequest", `"tool_name":"Bash","tool_input":{"command":"make dist"}`)
	out, err := cmd.StdoutPipe()
	check(b, err)
	check(b, cmd.Start())
	verdict := make(chan time.Time, 1)
	go func() {
		_, err := bufio.NewReader(out).ReadByte()
		at := time.Now()
		if err == nil {
			_, _ = io.Copy(io.Discard, out)
		}
		_ = cmd.Wait()
		verdict <- at
	}()
	for {
		d, err := a.Next()
		check(b, err)
		if d.Decision != nil {
			return verdict, d.Decision.ID
		}
	}
}

// BenchmarkTools measures from the start of aside mcp to its list of tools,
// as many times as an empty program takes to run.
func BenchmarkTools(b *testing.B) {
	s := newStage(b)
	thread, _ := s.start(b, "generic", "idle")
	_, _, empty := programs(b)
	var listed, nothing []time.Duration
	for b.Loop() {
		begun := time.Now()
		check(b, exec.CommandContext(b.Context(), empty).Run())
		nothing = append(nothing, time.Since(begun))

		cmd := s.command(b.Context(), "mcp")
		cmd.Env = append(cmd.Env, "ASIDE_SOCKET="+s.paths.Socket(thread), "ASIDE_THREAD="+string(thread), "ASIDE_PANE="+string(session.PaneAgent))
		in, err := cmd.StdinPipe()
		check(b, err)
		out, err := cmd.StdoutPipe()
		check(b, err)
		lines := bufio.NewScanner(out)
		begun = time.Now()
		check(b, cmd.Start())
		ask(b, in, lines, `"protocolVersion"`, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
		ask(b, in, lines, "propose_thread", `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		listed = append(listed, time.Since(begun))
		check(b, in.Close())
		check(b, cmd.Wait())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(listed), "ms-start-to-tools")
	b.ReportMetric(median(listed)/median(nothing), "x-empty-program")
}

func ask(b *testing.B, in io.Writer, lines *bufio.Scanner, want, request string) {
	b.Helper()
	_, err := fmt.Fprintln(in, request)
	check(b, err)
	if !lines.Scan() || !strings.Contains(lines.Text(), want) {
		b.Fatalf("asked %s\ngot %s, %v", request, lines.Text(), lines.Err())
	}
}

// BenchmarkFirstFrame measures from the start of the screen until the threads
// of a project with a thousand of them are on it, and the processor time that
// this takes, which is the same on a busy machine.
func BenchmarkFirstFrame(b *testing.B) {
	s := newStage(b)
	s.seed(b, 1000)
	var output, threads, spent []time.Duration
	for b.Loop() {
		var first atomic.Int64
		begun := time.Now()
		t, err := term.Start(term.Options{
			Command: []string{s.program}, Dir: s.project, Env: s.env, Cols: 300, Rows: 80,
			Output: func([]byte) { first.CompareAndSwap(0, int64(time.Since(begun))) },
		})
		check(b, err)
		see(b, t, "Stored thread")
		threads = append(threads, time.Since(begun))
		if d, ok := cost(b, t.Pid()); ok {
			spent = append(spent, d)
		}
		output = append(output, time.Duration(first.Load()))
		ctx, cancel := deadline(b)
		check(b, t.Close(ctx))
		cancel()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(output), "ms-to-first-output")
	b.ReportMetric(median(threads), "ms-to-threads")
	if len(spent) > 0 {
		b.ReportMetric(median(spent), "ms-processor")
	}
}

// seed stores threads of the project that do not run.
func (s *stage) seed(b *testing.B, n int) {
	b.Helper()
	check(b, os.MkdirAll(s.paths.State, 0o700))
	db, err := storage.Open(s.paths.Database(), nil)
	check(b, err)
	now := time.Now()
	for i := range n {
		check(b, db.AddThread(b.Context(), session.Thread{
			ID: session.ThreadID(session.NewID()), Title: fmt.Sprint("Stored thread ", i), Agent: "generic",
			State: session.StateExited, StateSource: session.SourceProcess, StateAt: now, CreatedAt: now.Add(time.Duration(i) * time.Second),
			Project: s.project, Cwd: s.project, Checkout: session.Checkout{Mode: session.CheckoutShared, Path: s.project},
		}))
	}
	check(b, db.Close())
}
