// Command esctest runs esctest2 on a terminal whose emulator is
// session/screen:
//
//	go run ./e2e/esctest -- python3 esctest.py --options xtermWinopsEnabled ...
//
// It answers two things that the tests need and a pane refuses: the checksum of
// a cell (DECRQCRA), and another size (XTWINOPS 8). The result is in the log
// that esctest2 writes.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"

	"aside/session/pty"
	"aside/session/screen"
)

// The size that the tests expect at their start.
const cols, rows = 80, 25

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "esctest:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return errors.New("no program to run")
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return fmt.Errorf("find program: %w", err)
	}
	child, err := pty.Start(pty.Options{Path: path, Args: args[1:], Env: pty.Environment(os.Environ(), nil), Cols: cols, Rows: rows})
	if err != nil {
		return fmt.Errorf("start program: %w", err)
	}
	defer func() { _ = child.Close() }()
	w := wrapper{child: child, screen: screen.New(screen.Options{Cols: cols, Rows: rows, Name: "XTerm(379)"})}
	buf := make([]byte, 1<<16)
	for {
		n, err := child.Read(buf)
		w.write(buf[:n])
		if err != nil {
			<-child.Exited()
			if code := child.ExitCode(); code != 0 {
				return fmt.Errorf("program ended with %d", code)
			}
			return nil
		}
	}
}

var (
	// question is DECRQCRA with id, page, top, left, bottom, right; or XTWINOPS
	// with rows and columns.
	question = regexp.MustCompile(`\x1b\[(?:(\d+);\d*;(\d+);(\d+);\d+;\d+\*y|8;(\d*);(\d*)t)`)
	// begun is what may become one with the next read.
	begun = regexp.MustCompile(`\x1b(?:\[[\d;]{0,40}\*?)?$`)
)

// wrapper is the core with the answers that it does not give.
type wrapper struct {
	child  *pty.Child
	screen *screen.Screen
	held   []byte // output that may be the beginning of a question
}

func (w *wrapper) write(p []byte) {
	p = append(w.held, p...)
	for {
		at := question.FindSubmatchIndex(p)
		if at == nil {
			break
		}
		w.show(p[:at[0]])
		number := func(i int) int {
			if at[2*i] < 0 {
				return 0
			}
			n, _ := strconv.Atoi(string(p[at[2*i]:at[2*i+1]])) // missing: 0
			return n
		}
		if at[2] >= 0 {
			w.child.Send(fmt.Appendf(nil, "\x1bP%d!~%04X\x1b\\", number(1), w.cell(number(3)-1, number(2)-1)))
		} else {
			w.resize(number(5), number(4))
		}
		p = p[at[1]:]
	}
	end := len(p)
	if at := begun.FindIndex(p); at != nil {
		end = at[0]
	}
	w.show(p[:end])
	w.held = append([]byte(nil), p[end:]...)
}

func (w *wrapper) show(p []byte) {
	_, _ = w.screen.Write(p) // it never fails
	w.child.Send(w.screen.Replies())
}

// resize changes the size; 0 leaves it.
func (w *wrapper) resize(cols, rows int) {
	f := w.screen.Frame(0)
	if cols == 0 {
		cols = f.Cols
	}
	if rows == 0 {
		rows = f.Rows
	}
	w.screen.Resize(cols, rows)
	_ = w.child.Resize(cols, rows) // its program would read another size, and fail
}

// cell returns the code point at a place; a blank cell has that of a space.
func (w *wrapper) cell(x, y int) rune {
	for _, c := range w.screen.Frame(0).Changed {
		if c.Y != y {
			continue
		}
		for _, s := range c.Row.Spans {
			if x >= s.Width {
				x -= s.Width
				continue
			}
			if text := []rune(s.Text); x < len(text) { // the tests write narrow characters
				return text[x]
			}
		}
	}
	return ' '
}
