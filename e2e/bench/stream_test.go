package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aside/e2e/streams"
	"aside/session"
	"aside/session/client"
	"aside/session/screen"
)

// stream is about 1 MiB of output of one kind.
func stream(kind string, cols, rows int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		switch kind {
		case "ascii":
			fmt.Fprintf(&b, "%6d %s\r\n", i, strings.Repeat("the quick brown fox ", cols*2/3/20))
		case "sgr":
			for k := range cols / 10 {
				fmt.Fprintf(&b, "\x1b[%d;38;5;%dmword%d\x1b[0m ", k%2, (i+k)%256, k)
			}
			b.WriteString("\r\n")
		case "unicode":
			b.WriteString(strings.Repeat("日本語のテキスト и русский, é̂ ✓ 👩‍👩‍👧 🇯🇵 ❤️ ─│┌ ελληνικά ", cols/110+1) + "\r\n")
		case "repaint":
			b.WriteString("\x1b[?2026h\x1b[H")
			for y := range rows {
				fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K\x1b[1mrow %d\x1b[0m %s", y+1, i, strings.Repeat("x", cols/2+y))
			}
			b.WriteString("\x1b[?2026l")
		}
	}
	return b.Bytes()
}

// recorded is about 1 MiB of what one of the recorded agents wrote.
func recorded(b *testing.B, agent string) []byte {
	b.Helper()
	all, err := streams.All("../../session/screen/testdata/streams")
	check(b, err)
	var data []byte
	for len(data) < 1<<20 {
		before := len(data)
		for _, s := range all {
			if strings.HasPrefix(s.Name, agent+"-") {
				data = append(data, s.Output()...)
			}
		}
		if len(data) == before {
			b.Fatalf("there is no stream of %s", agent)
		}
	}
	return data
}

// played is how many MiB of a stream a terminal is given.
const played = 24

// BenchmarkStreams measures how many MB of output a second of processor time
// takes in, in a helper and in a server of tmux, each with its PTY and
// nobody looking; and the emulator alone.
func BenchmarkStreams(b *testing.B) {
	usual, large := [2]int{120, 40}, [2]int{260, 80}
	run := func(kind string, data func(b *testing.B, cols, rows int) []byte, sizes ...[2]int) {
		for _, size := range sizes {
			b.Run(fmt.Sprintf("%s/%dx%d", kind, size[0], size[1]), func(b *testing.B) {
				for b.Loop() {
					streamed(b, data(b, size[0], size[1]), size[0], size[1])
				}
			})
		}
	}
	for _, kind := range []string{"ascii", "sgr", "unicode", "repaint"} {
		run(kind, func(_ *testing.B, cols, rows int) []byte { return stream(kind, cols, rows) }, usual, large)
	}
	for _, agent := range []string{"claude", "codex", "opencode"} {
		run(agent, func(b *testing.B, _, _ int) []byte { return recorded(b, agent) }, usual)
	}
}

func streamed(b *testing.B, data []byte, cols, rows int) {
	b.ReportMetric(0, "ns/op")
	mb := float64(len(data)*played) / 1e6
	if spent, ok := alone(b, data, cols, rows); ok {
		b.ReportMetric(mb/spent.Seconds(), "MB/s-emulator")
	}
	p := newPlayer(b, data, played)
	spent, ok := p.cost(b, p.helper(b, cols, rows))
	if !ok {
		return
	}
	ours := mb / spent.Seconds()
	b.ReportMetric(ours, "MB/s-helper")
	if !tmuxThere(b) {
		return
	}
	spent, _ = p.cost(b, p.tmux(b, cols, rows))
	theirs := mb / spent.Seconds()
	b.ReportMetric(theirs, "MB/s-tmux")
	b.ReportMetric(ours/theirs, "x-tmux")
}

// BenchmarkScrollback measures by how many MiB a helper and a server of tmux
// grow, each with 10,000 rows of scrollback, all of which are filled.
func BenchmarkScrollback(b *testing.B) {
	for _, kind := range []string{"ascii", "sgr", "unicode"} {
		b.Run(kind, func(b *testing.B) {
			data := stream(kind, 120, 40)
			for b.Loop() {
				b.ReportMetric(0, "ns/op")
				p := newPlayer(b, data, 1+10_000/bytes.Count(data, []byte{'\n'}))
				b.ReportMetric(p.growth(b, p.helper(b, 120, 40)), "MiB-helper")
				if tmuxThere(b) {
					b.ReportMetric(p.growth(b, p.tmux(b, 120, 40)), "MiB-tmux")
				}
			}
		})
	}
}

// player has an agent play a file, in one terminal after the other.
type player struct {
	*stage
	file, line string
}

func newPlayer(b *testing.B, data []byte, times int) *player {
	b.Helper()
	s := newStage(b)
	file := filepath.Join(s.home, "stream")
	check(b, os.WriteFile(file, data, 0o600))
	check(b, syscall.Mkfifo(file+".go", 0o600))
	check(b, syscall.Mkfifo(file+".done", 0o600))
	return &player{stage: s, file: file, line: fmt.Sprintf("play %s %d", file, times)}
}

// helper starts one with the agent, and returns its process.
func (p *player) helper(b *testing.B, cols, rows int) int {
	b.Helper()
	thread, helper := p.start(b, "generic", p.line)
	p.size(b, thread, cols, rows)
	return helper
}

// tmux starts a server with the agent, and returns its process.
func (p *player) tmux(b *testing.B, cols, rows int) int {
	b.Helper()
	m := &tmux{socket: filepath.Join(p.home, "tmux")}
	conf := m.socket + ".conf"
	check(b, os.WriteFile(conf, []byte("set -g history-limit 10000\n"), 0o600))
	cmd := exec.CommandContext(b.Context(), "tmux", "-u", "-f", conf, "-S", m.socket,
		"new-session", "-d", "-P", "-F", "#{pid}", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows), selfPath(b))
	cmd.Env = append(plainEnv(), agentFlag+"=1")
	out, err := cmd.Output()
	check(b, err)
	b.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	server, err := strconv.Atoi(strings.TrimSpace(string(out)))
	check(b, err)
	m.do(b, "send-keys", "-l", p.line)
	m.do(b, "send-keys", "Enter")
	return server
}

// alone returns what an emulator costs that a stream is written to.
func alone(b *testing.B, data []byte, cols, rows int) (time.Duration, bool) {
	b.Helper()
	scr := screen.New(screen.Options{Cols: cols, Rows: rows, HistoryLines: 10_000})
	before, ok := cost(b, os.Getpid())
	if !ok {
		return 0, false
	}
	for range played {
		for p := data; len(p) > 0; {
			n := min(len(p), 32<<10)
			_, _ = scr.Write(p[:n]) // it never fails
			p = p[n:]
		}
	}
	after, _ := cost(b, os.Getpid())
	return after - before, true
}

// size gives a thread's pane a size, as a screen does that goes again.
func (s *stage) size(b *testing.B, thread session.ThreadID, cols, rows int) {
	b.Helper()
	a, err := client.Attach(b.Context(), s.paths.Socket(thread), thread)
	check(b, err)
	defer func() { check(b, a.Close()) }()
	check(b, a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: cols, Rows: rows}}))
	for {
		d, err := a.Next()
		check(b, err)
		if d.Frame != nil && d.Frame.Cols == cols {
			return
		}
	}
}

// play lets the agent play the file.
func (p *player) play(b *testing.B) {
	b.Helper()
	check(b, os.WriteFile(p.file+".go", []byte("go"), 0))
	_, err := os.ReadFile(p.file + ".done")
	check(b, err)
}

// cost plays the file and returns what that cost a process.
func (p *player) cost(b *testing.B, pid int) (time.Duration, bool) {
	b.Helper()
	before, ok := cost(b, pid)
	if !ok {
		return 0, false
	}
	p.play(b)
	after, _ := cost(b, pid)
	return after - before, true
}

// growth plays the file and returns how many MiB a process has grown.
func (p *player) growth(b *testing.B, pid int) float64 {
	b.Helper()
	before := memory(b, pid, "RssAnon")
	p.play(b)
	return memory(b, pid, "RssAnon") - before
}

// selfPath is this program's file.
func selfPath(b *testing.B) string {
	b.Helper()
	self, err := os.Executable()
	check(b, err)
	return self
}
