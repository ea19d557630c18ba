package pty_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aside/session"
	"aside/session/pty"
)

func start(t *testing.T, script string) *pty.Child {
	t.Helper()
	c, err := pty.Start(pty.Options{
		Path: "sh", Args: []string{"-c", script}, Dir: t.TempDir(),
		Env: pty.Environment(os.Environ(), nil), Cols: 80, Rows: 24,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		c.Stop(ctx)
		_ = c.Close()
	})
	return c
}

func readAll(t *testing.T, c *pty.Child) string {
	t.Helper()
	b, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// readUntil reads until the text has come.
func readUntil(t *testing.T, c *pty.Child, text string) string {
	t.Helper()
	var got bytes.Buffer
	p := make([]byte, 4096)
	for !strings.Contains(got.String(), text) {
		n, err := c.Read(p)
		if err != nil {
			t.Fatalf("%q never came: %v; read %q", text, err, got.String())
		}
		got.Write(p[:n])
	}
	return got.String()
}

func TestChildRunsOnATerminalOfTheGivenSize(t *testing.T) {
	c := start(t, "stty size; exit 7")
	if got := readAll(t, c); !strings.Contains(got, "24 80") {
		t.Errorf("size is %q", got)
	}
	<-c.Exited()
	if c.ExitCode() != 7 {
		t.Errorf("exit status %d", c.ExitCode())
	}
}

func TestResizeReachesTheProgram(t *testing.T) {
	c := start(t, `trap 'stty size; exit' WINCH; echo ready; while :; do read x; done`)
	readUntil(t, c, "ready")
	if err := c.Resize(100, 30); err != nil {
		t.Fatal(err)
	}
	readUntil(t, c, "30 100")
}

func TestSentBytesArriveInOrder(t *testing.T) {
	c := start(t, `stty -echo; echo ready; read a; read b; echo "<$a|$b>"`)
	readUntil(t, c, "ready")
	c.Send([]byte("one\n"))
	c.Send([]byte("two\n"))
	readUntil(t, c, "<one|two>")
}

func TestAProgramThatNeverReadsBlocksNobody(t *testing.T) {
	c := start(t, `stty raw -echo; echo ready; exec tail -f /dev/null`)
	readUntil(t, c, "ready")
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	for range 64 { // far more than the terminal and the queue hold
		if !c.Send(chunk) {
			return
		}
	}
	t.Error("64 MiB were taken for a program that reads nothing")
}

func TestStopEndsTheWholeSession(t *testing.T) {
	// The grandchild is in a process group of its own and ignores hang-ups.
	c := start(t, `set -m; sh -c 'trap "" HUP TERM; echo "pid=$$."; while :; do sleep 1000; done' & wait`)
	out := readUntil(t, c, ".")
	_, rest, _ := strings.Cut(out, "pid=")
	pid, err := strconv.Atoi(strings.TrimRight(strings.TrimSpace(rest), "."))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.Stop(ctx)
	deadline := time.Now().Add(30 * time.Second)
	for alive(pid) {
		if time.Now().After(deadline) {
			t.Fatal("the grandchild still runs")
		}
	}
}

// alive says that a process runs; one that waits to be reaped does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(stat, []byte(") Z"))
}

func TestOutputEndsThoughABackgroundProcessKeepsTheTerminal(t *testing.T) {
	c := start(t, `trap '' HUP; sleep 1000 & echo done`)
	if got := readAll(t, c); !strings.Contains(got, "done") {
		t.Errorf("got %q", got)
	}
}

func TestAMissingProgramIsNamedWithAHint(t *testing.T) {
	_, err := pty.Start(pty.Options{Path: "no-such-agent", Dir: t.TempDir(), Cols: 1, Rows: 1})
	var e *session.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "no-such-agent") || e.Hint == "" {
		t.Errorf("got %#v", err)
	}
}

func TestEnvironmentSpeaksOfThisTerminalOnly(t *testing.T) {
	env := pty.Environment(
		[]string{"PATH=/bin", "API_KEY=k", "TMUX=/tmp/x", "TMUX_PANE=%1", "TERM=dumb", "ASIDE_SOCKET=/other", "KITTY_PID=1", "TERMINAL_EMULATOR_OF_MINE=1"},
		[]string{"ASIDE_SOCKET=/mine"})
	for _, want := range []string{"PATH=/bin", "API_KEY=k", "TERM=xterm-256color", "ASIDE_SOCKET=/mine", "TERMINAL_EMULATOR_OF_MINE=1"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	for _, kv := range env {
		if strings.HasPrefix(kv, "TMUX") || strings.HasPrefix(kv, "KITTY") || kv == "ASIDE_SOCKET=/other" || kv == "TERM=dumb" {
			t.Errorf("%s reached the child", kv)
		}
	}
}

func TestATerminalMayBeAskedWhileItCloses(t *testing.T) {
	c := start(t, "exec cat")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 1000 {
			_ = c.Resize(80, 24)
			_ = c.Takes(1 << 20)
		}
	}()
	_ = c.Close()
	<-done
}

func TestForegroundIsOfTheProgramOrOfWhatItStarted(t *testing.T) {
	own := start(t, "echo ready; read x")
	job := start(t, "set -m; sh -c 'echo ready; read x'; echo over; read x")
	for c, want := range map[*pty.Child]bool{own: true, job: false} {
		readUntil(t, c, "ready")
		if got := c.Foreground(); got != want {
			t.Errorf("foreground is %v, want %v", got, want)
		}
	}
	job.Send([]byte("\n"))
	readUntil(t, job, "over")
	if !job.Foreground() {
		t.Error("what it started is over, and it does not have its terminal back")
	}
}

func TestWhatRunsInAShellIsNamed(t *testing.T) {
	c := start(t, `PS1='? ' exec sh -i`)
	c.Send([]byte("sh -c 'echo it run''s; read x'; echo $(( 40 + 2 ))\r"))
	readUntil(t, c, "it runs")
	if got := c.Running(); got != "sh" {
		t.Errorf("%q is said to run", got)
	}
	c.Send([]byte("\r"))
	readUntil(t, c, "42\r\n? ")
	if got := c.Running(); got != "" {
		t.Errorf("%q is said to run in a shell at its prompt", got)
	}
}
