//go:build xterm

package streams_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aside/e2e/streams"
	"aside/session/screen"
)

// What the real xterm shows is the reference: it is fed with the recorded
// streams, on an X server without a display, and asked for its rows (the
// print-page action) and its cursor (CPR) at each mark.

// relayEnv names the socket over which the program inside xterm, which is this
// one, gets what it writes and sends what xterm answers.
const relayEnv = "ASIDE_XTERM_RELAY"

// patience bounds what has to happen; nothing takes nearly as long.
const patience = time.Minute

func TestMain(m *testing.M) {
	if socket := os.Getenv(relayEnv); socket != "" {
		relay(socket)
		return
	}
	os.Exit(m.Run())
}

func relay(socket string) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		os.Exit(1)
	}
	go func() { _, _ = io.Copy(conn, os.Stdin) }()
	_, _ = io.Copy(os.Stdout, conn)
}

// xterm is a running one with its X server.
type xterm struct {
	t       *testing.T
	conn    net.Conn
	answers *bufio.Reader
	printed string // FIFO that pages are printed to
}

// xserver starts an X server and returns its display.
func xserver(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"xterm", "Xvfb"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is not installed; on Debian: apt-get install xterm xvfb", name)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{w}
	run(t, server)
	_ = w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb does not start: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

// run starts a program and ends it with the test.
func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

func newXterm(t *testing.T, display string, cols, rows int) *xterm {
	t.Helper()
	dir, err := os.MkdirTemp("", "xterm") // a socket's path has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "relay")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	x := &xterm{t: t, printed: filepath.Join(dir, "page")}
	if err := syscall.Mkfifo(x.printed, 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-display", display, "-u8", "-geometry", fmt.Sprintf("%dx%d", cols, rows)}
	for _, resource := range []string{
		"allowWindowOps: true", "printAttributes: 0", "printerAutoClose: true", "printerCommand: cat > " + x.printed,
	} {
		args = append(args, "-xrm", "XTerm*"+resource)
	}
	cmd := exec.Command("xterm", append(args, "-e", "sh", "-c", `stty raw -echo; exec "$0"`, self)...)
	cmd.Env = append(os.Environ(), relayEnv+"="+socket, "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	run(t, cmd)
	if err := listener.(*net.UnixListener).SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if x.conn, err = listener.Accept(); err != nil {
		t.Fatalf("xterm does not start: %v", err)
	}
	t.Cleanup(func() { _ = x.conn.Close() })
	x.answers = bufio.NewReader(x.conn)
	return x
}

// fence is a question that no recorded program asks (DECRQM of a mode that
// there is not), and its answer.
const fence = "\x1b[?9999$p"

var fenceAnswer = []byte("\x1b[?9999;0$y")

// ask writes and returns what xterm has answered to it.
func (x *xterm) ask(p string) string {
	x.t.Helper()
	if err := x.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		x.t.Fatal(err)
	}
	if _, err := io.WriteString(x.conn, p+fence); err != nil {
		x.t.Fatal(err)
	}
	var got []byte
	for {
		b, err := x.answers.ReadByte()
		if err != nil {
			x.t.Fatalf("xterm answers %q, then %v", got, err)
		}
		if got = append(got, b); bytes.HasSuffix(got, fenceAnswer) {
			return string(bytes.TrimSuffix(got, fenceAnswer))
		}
	}
}

var (
	cursorAnswer = regexp.MustCompile(`^\x1b\[(\d+);(\d+)R$`)
	sizeAnswer   = "\x1b[8;%d;%dt"
)

// resize changes the window and returns when xterm has taken the new size
// from the X server.
func (x *xterm) resize(cols, rows int) {
	x.t.Helper()
	x.ask(fmt.Sprintf("\x1b[8;%d;%dt", rows, cols))
	for end := time.Now().Add(patience); ; {
		got := x.ask("\x1b[18t")
		if got == fmt.Sprintf(sizeAnswer, rows, cols) {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("xterm does not become %dx%d: %q", cols, rows, got)
		}
	}
}

// pageSigns takes out the end of the page and the second halves of wide
// characters.
var pageSigns = strings.NewReplacer("\f", "", "\uffff", "")

// page is a screen as text.
type page struct {
	rows   []string // without blanks at the end
	cursor [2]int   // column and row, from 0
	title  string
}

func (x *xterm) page() page {
	x.t.Helper()
	x.ask("\x1b[i")
	text, err := os.ReadFile(x.printed) // until the printer is done
	if err != nil {
		x.t.Fatal(err)
	}
	var p page
	for line := range strings.Lines(pageSigns.Replace(string(text))) {
		p.rows = append(p.rows, strings.TrimRight(line, " \r\n"))
	}
	got := cursorAnswer.FindStringSubmatch(x.ask("\x1b[6n"))
	if got == nil {
		x.t.Fatal("xterm does not tell its cursor")
	}
	y, _ := strconv.Atoi(got[1])
	col, _ := strconv.Atoi(got[2])
	p.cursor = [2]int{col - 1, y - 1}
	title := x.ask("\x1b[21t")
	p.title = strings.TrimSuffix(strings.TrimPrefix(title, "\x1b]l"), "\x1b\\")
	if p.title == "xterm" {
		p.title = "" // its own, where the program has set none or an empty one
	}
	return p
}

// ours is the same of session/screen.
func ours(s *screen.Screen) page {
	f := s.Frame(0)
	p := page{rows: make([]string, f.Rows), cursor: [2]int{f.Cursor.X, f.Cursor.Y}, title: f.Title}
	for _, c := range f.Changed {
		p.rows[c.Y] = strings.TrimRight(c.Row.Text(), " ")
	}
	return p
}

func TestStreamsEndInTheRowsOfXterm(t *testing.T) {
	all, err := streams.All("../../session/screen/testdata/streams")
	if err != nil {
		t.Fatal(err)
	}
	display := xserver(t)
	for _, stream := range all {
		t.Run(stream.Name, func(t *testing.T) {
			now := time.Unix(1_800_000_000, 0)
			s := screen.New(screen.Options{
				Cols: stream.Cols, Rows: stream.Rows, HistoryLines: 1000, Now: func() time.Time { return now },
			})
			x := newXterm(t, display, stream.Cols, stream.Rows)
			x.resize(stream.Cols, stream.Rows)
			for _, step := range stream.Steps {
				switch {
				case step.Output != nil:
					_, _ = s.Write(step.Output) // it never fails
					x.ask(string(step.Output))
				case step.Mark != "":
					now = now.Add(time.Second) // no synchronized update is under way
					compare(t, step.Mark, ours(s), x.page())
				default:
					s.Resize(step.Resize[0], step.Resize[1])
					x.resize(step.Resize[0], step.Resize[1])
				}
			}
		})
	}
}

// limits are what xterm cannot draw, with what it draws in their place in the
// same columns: it has no grapheme clusters. Characters joined to one of them
// are lost, and a variation selector does not make a character wide.
var limits = strings.NewReplacer(
	"👩\u200d👩\u200d👧", "👩",
	"❤\ufe0f", "❤\ufe0f ",
)

func compare(t *testing.T, mark string, got, want page) {
	t.Helper()
	if len(got.rows) != len(want.rows) {
		t.Fatalf("%s: %d rows, xterm has %d", mark, len(got.rows), len(want.rows))
	}
	for y, row := range got.rows {
		if limits.Replace(row) != want.rows[y] {
			t.Errorf("%s: row %d is\n%q, in xterm\n%q", mark, y, row, want.rows[y])
		}
	}
	if got.cursor != want.cursor {
		t.Errorf("%s: cursor at %v, in xterm %v", mark, got.cursor, want.cursor)
	}
	if got.title != want.title {
		t.Errorf("%s: title %q, in xterm %q", mark, got.title, want.title)
	}
}
