package hook

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"aside/hookbridge/wire"
)

// TestMain lets the test program be the hook itself, for tests that need a
// process.
func TestMain(m *testing.M) {
	if os.Getenv("BE_ASIDE_HOOK") != "" {
		Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helper answers each connection on a socket by serve and returns its path.
func helper(t testing.TB, serve func(*wire.Conn, wire.Request)) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hook")
	if err != nil {
		t.Fatal(err)
	}
	l, err := wire.Listen(filepath.Join(dir, "t.sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(); _ = os.RemoveAll(dir) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				if r, err := c.ReadRequest(); err == nil {
					serve(c, r)
				}
			}()
		}
	}()
	return filepath.Join(dir, "t.sock")
}

// environment is a hook's environment with the socket.
func environment(socket string) func(string) string {
	vars := map[string]string{"ASIDE_SOCKET": socket, "ASIDE_THREAD": "thread1", "ASIDE_PANE": "agent"}
	return func(name string) string { return vars[name] }
}

// run runs a hook and returns what it printed.
func run(ctx context.Context, socket, event string, stdin io.Reader) (stdout, stderr string) {
	var out, why bytes.Buffer
	Run(ctx, []string{"--agent", "claude", "--event", event}, stdin, &out, &why, environment(socket))
	return out.String(), why.String()
}

func TestPrintsOnlyTheVerdict(t *testing.T) {
	verdict := "{\"hookSpecificOutput\":{\"decision\": {\"behavior\":\"allow\"}, \"note\":\"<ü\\u2028>\"}}\n"
	for name, tt := range map[string]struct {
		reply           any
		stdout, stderrs string
	}{
		"a verdict":          {wire.HookReply{Output: verdict}, verdict, ""},
		"a release":          {wire.HookReply{Released: "time ran out"}, "", "no verdict: time ran out"},
		"nothing to say":     {wire.HookReply{}, "", ""},
		"no body":            {nil, "", ""},
		"no JSON as verdict": {wire.HookReply{Output: "allow"}, "", "not JSON"},
		"another body":       {[]int{1}, "", "read reply"},
		"a fault":            {&wire.Fault{Code: 3, Message: "no such pane"}, "", "no such pane"},
	} {
		t.Run(name, func(t *testing.T) {
			socket := helper(t, func(c *wire.Conn, _ wire.Request) {
				if f, ok := tt.reply.(*wire.Fault); ok {
					_ = c.Refuse(*f)
					return
				}
				_ = c.Answer(tt.reply)
			})
			stdout, stderr := run(t.Context(), socket, "PermissionRequest", strings.NewReader(`{}`))
			if stdout != tt.stdout {
				t.Errorf("stdout = %q, want %q", stdout, tt.stdout)
			}
			if !strings.Contains(stderr, tt.stderrs) || (tt.stderrs == "") != (stderr == "") {
				t.Errorf("stderr = %q, want %q in it", stderr, tt.stderrs)
			}
		})
	}
}

func TestRequestSaysWhoAsks(t *testing.T) {
	got := make(chan wire.Request, 1)
	socket := helper(t, func(c *wire.Conn, r wire.Request) {
		got <- r
		_ = c.Answer(nil)
	})
	payload := "{\n  \"tool\": \"Bash\",\n  \"input\": \"a & b\"\n}\n"
	if stdout, stderr := run(t.Context(), socket, "PostToolUse", strings.NewReader(payload)); stdout+stderr != "" {
		t.Fatalf("printed %q and %q", stdout, stderr)
	}
	r := <-got
	if string(r.Body) != `{"tool":"Bash","input":"a & b"}` {
		t.Errorf("payload arrived as %s", r.Body)
	}
	r.Body = nil
	want, _ := json.Marshal(wire.Request{V: 1, Op: "hook", Thread: "thread1", Pane: "agent", Agent: "claude", Event: "PostToolUse"})
	if have, _ := json.Marshal(r); !bytes.Equal(have, want) {
		t.Errorf("request %s, want %s", have, want)
	}
}

func TestSilentWithoutVerdict(t *testing.T) {
	unused := filepath.Join(t.TempDir(), "none.sock")
	live := helper(t, func(c *wire.Conn, _ wire.Request) { _ = c.Answer(wire.HookReply{Output: `"asked"`}) })
	crashing := helper(t, func(c *wire.Conn, _ wire.Request) { _ = c.Close() })
	event := []string{"--agent", "a", "--event", "PermissionRequest"}
	for name, tt := range map[string]struct {
		args    []string
		socket  string
		payload string
		stderr  string
	}{
		"no helper named":     {event, "", `{}`, "ASIDE_SOCKET is not set"},
		"nobody answers":      {event, unused, `{}`, "reach helper"},
		"helper crashes":      {event, crashing, `{}`, "read reply"},
		"nothing on stdin":    {event, live, ``, "nothing on standard input"},
		"no JSON":             {event, live, `{`, "encode line"},
		"invalid UTF-8":       {event, live, "{\"a\":\"\xff\"}", "not valid UTF-8"},
		"nested too deep":     {event, live, strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64), "nested deeper"},
		"larger than allowed": {event, live, `"` + strings.Repeat("x", wire.MaxPayload) + `"`, "larger than 1 MiB"},
		"no event":            {[]string{"--agent", "a"}, live, `{}`, "usage"},
		"no agent":            {[]string{"--event=PermissionRequest"}, live, `{}`, "usage"},
		"half an argument":    {[]string{"--agent"}, live, `{}`, "lacks its value"},
		"unknown argument":    {append(event, "--verbose", "x"), live, `{}`, `"--verbose"`},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			Run(t.Context(), tt.args, strings.NewReader(tt.payload), &stdout, &stderr, environment(tt.socket))
			if stdout.Len() != 0 {
				t.Errorf("stdout = %q, want nothing", stdout.String())
			}
			if !strings.Contains(stderr.String(), tt.stderr) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("stderr = %q, want one line with %q", stderr.String(), tt.stderr)
			}
		})
	}
	if stdout, _ := run(t.Context(), live, "x", strings.NewReader(`{}`)); stdout != `"asked"` {
		t.Errorf("the live helper answered %q; the cases above prove nothing", stdout)
	}
}

// An informing event gives up on a helper that hangs; a held one, begun
// before, still waits then, until the agent ends it.
func TestHangingHelper(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 2)
	socket := helper(t, func(c *wire.Conn, r wire.Request) {
		asked <- r.Event
		_ = c.AwaitEnd()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	held := make(chan string, 1)
	go func() {
		stdout, stderr := run(ctx, socket, "permissionRequest", strings.NewReader(`{}`))
		held <- stdout + stderr
	}()
	if e := <-asked; e != "permissionRequest" {
		t.Fatalf("helper was asked about %q", e)
	}
	stdin, open := io.Pipe() // an agent that never closes it
	defer func() { _ = open.Close() }()
	noEOF := make(chan string, 1)
	go func() {
		stdout, stderr := run(t.Context(), socket, "Stop", stdin)
		noEOF <- stdout + stderr
	}()
	if stdout, stderr := run(t.Context(), socket, "Stop", strings.NewReader(`{}`)); stdout != "" || !strings.Contains(stderr, "deadline") {
		t.Errorf("informing event: %q and %q, want it to say that the deadline has passed", stdout, stderr)
	}
	if said := <-noEOF; !strings.Contains(said, "read payload") {
		t.Errorf("payload without end: %q, want it to say that the payload could not be read", said)
	}
	select {
	case said := <-held:
		t.Fatalf("the held event ended with %q", said)
	default:
	}
	cancel(errors.New("no longer asked"))
	if said := <-held; !strings.Contains(said, "no longer asked") {
		t.Errorf("the held event ended with %q", said)
	}
}

func TestSignalEndsTheHookAtOnce(t *testing.T) {
	asked, gone := make(chan struct{}), make(chan error, 1)
	socket := helper(t, func(c *wire.Conn, _ wire.Request) {
		close(asked)
		gone <- c.AwaitEnd()
	})
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--agent", "a", "--event", "PermissionRequest")
	cmd.Env = []string{"BE_ASIDE_HOOK=1", "ASIDE_SOCKET=" + socket}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(`{}`), &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || stdout.Len() != 0 || !strings.Contains(stderr.String(), "terminated") {
		t.Errorf("%v, stdout %q, stderr %q; want exit 0 and a reason", err, stdout.String(), stderr.String())
	}
	if err := <-gone; !errors.Is(err, io.EOF) {
		t.Errorf("the helper saw %v, want io.EOF", err)
	}
}

// BenchmarkStart compares the hook program with an empty Go program, run in
// turn: without a helper, and with one for an event that only informs.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	empty, hook := filepath.Join(dir, "empty"), filepath.Join(dir, "aside-hook")
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	for out, in := range map[string]string{empty: source, hook: "./aside-hook"} {
		cmd := exec.CommandContext(b.Context(), "go", "build", "-buildvcs=false", "-o", out, in)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	socket := helper(b, func(c *wire.Conn, _ wire.Request) { _ = c.Answer(nil) })
	spent := func(program string, env ...string) time.Duration {
		cmd := exec.CommandContext(b.Context(), program, "--agent", "a", "--event", "PostToolUse")
		cmd.Stdin, cmd.Env = bufio.NewReader(strings.NewReader(`{"tool_name":"Bash"}`)), append(env, "PATH=/bin")
		begun := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return time.Since(begun)
	}
	var none, alone, informed []time.Duration
	for b.Loop() {
		none = append(none, spent(empty))
		alone = append(alone, spent(hook))
		informed = append(informed, spent(hook, "ASIDE_SOCKET="+socket))
	}
	// Medians, since other work on the machine lengthens a few runs by much.
	n, a, i := median(none), median(alone), median(informed)
	b.ReportMetric(float64(a)/float64(n), "x-empty")
	b.ReportMetric(float64(i)/float64(n), "x-empty-informing")
	b.ReportMetric(float64((i - a).Microseconds()), "µs-informing")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
