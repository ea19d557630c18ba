package paint

import (
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
)

// leavePatience is how long leaving waits for a terminal that takes nothing.
const leavePatience = time.Second

// What a terminal that does not know its size is taken for.
const (
	usualCols = 80
	usualRows = 24
)

// terminal is what frames are written to. Its methods may be called from any
// goroutine.
type terminal struct {
	in   io.Reader
	out  io.Writer
	turn chan struct{} // held by who writes

	mu     sync.Mutex
	taken  bool
	cooked *term.State // of the input before it was taken, if that is a terminal
}

func newTerminal(in io.Reader, out io.Writer) *terminal {
	return &terminal{in: in, out: out, turn: make(chan struct{}, 1)}
}

// tty returns the file of an end that is a terminal.
func tty(end any) (f *os.File, ok bool) {
	f, ok = end.(*os.File)
	return f, ok && term.IsTerminal(f.Fd())
}

// size returns the columns and rows there are.
func (t *terminal) size() (w, h int) {
	if f, ok := tty(t.out); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return usualCols, usualRows
}

// take makes keys arrive as they are pressed, and writes wait.
func (t *terminal) take() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f, ok := tty(t.out); ok {
		if err := syscall.SetNonblock(int(f.Fd()), false); err != nil { // a program may have left it so
			return fmt.Errorf("take the terminal: %w", err)
		}
	}
	if f, ok := tty(t.in); ok {
		cooked, err := term.MakeRaw(f.Fd())
		if err != nil {
			return fmt.Errorf("take the terminal: %w", err)
		}
		t.cooked = cooked
	}
	t.taken = true
	return nil
}

// write writes whole frames, one after the other. What is written to a
// terminal that is not taken is dropped.
func (t *terminal) write(b []byte) error {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	t.mu.Lock()
	taken := t.taken
	t.mu.Unlock()
	if !taken {
		return nil
	}
	_, err := t.out.Write(b)
	return err
}

// leave writes last words to a terminal that is taken, after the frame that
// is being written, and gives it back; when it takes nothing until late, it
// is given back without them.
func (t *terminal) leave(last []byte, late <-chan time.Time) error {
	t.mu.Lock()
	taken, cooked := t.taken, t.cooked
	t.taken, t.cooked = false, nil
	t.mu.Unlock()
	if !taken {
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.turn <- struct{}{}
		_, _ = t.out.Write(last) // one that is gone needs nothing
		<-t.turn
	}()
	select {
	case <-done:
	case <-late:
	}
	if f, ok := tty(t.in); ok && cooked != nil {
		if err := term.Restore(f.Fd(), cooked); err != nil {
			return fmt.Errorf("give the terminal back: %w", err)
		}
	}
	return nil
}
