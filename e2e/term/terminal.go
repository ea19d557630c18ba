// Package term runs a program on a real pseudo-terminal, sees its screen the
// way a person would, and types, clicks and pastes. It is what end-to-end
// tests and the pictures of the documentation are made with. Waiting is woken
// by the program's output, never by a timer.
package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"aside/session"
	"aside/session/pty"
	"aside/session/screen"

	"github.com/clipperhouse/displaywidth"
)

// Options say what to run. The command is looked up in this process's PATH.
type Options struct {
	Command    []string
	Dir        string
	Env        []string // the program's whole environment
	Cols, Rows int
	Theme      Theme // the zero value is Dark
	// Output, if set, gets the program's output before it is on the screen,
	// on the goroutine that reads it. It must not keep the bytes.
	Output func([]byte)
}

// Terminal is a program on a terminal. Its methods may be called from any
// goroutine; input arrives in the order of the calls.
type Terminal struct {
	child *pty.Child
	theme Theme
	tap   func([]byte)
	read  chan struct{} // closed when all output has been read

	mu      sync.Mutex
	screen  *screen.Screen
	changed chan struct{} // closed and replaced after each output
	size    [2]int
}

// Start starts the program; the caller owes a Close.
func Start(o Options) (*Terminal, error) {
	if len(o.Command) == 0 {
		return nil, errors.New("start a terminal: no command")
	}
	if signal.Ignored(syscall.SIGHUP) {
		// The tests run under nohup; what they start is to end with its terminal.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	child, err := pty.Start(pty.Options{
		Path: o.Command[0], Args: o.Command[1:], Dir: o.Dir, Env: o.Env, Cols: o.Cols, Rows: o.Rows,
	})
	if err != nil {
		return nil, fmt.Errorf("start a terminal: %w", err)
	}
	t := &Terminal{
		child: child, theme: o.Theme, tap: o.Output, read: make(chan struct{}), changed: make(chan struct{}),
		size: [2]int{o.Cols, o.Rows},
		screen: screen.New(screen.Options{
			Cols: o.Cols, Rows: o.Rows, HistoryLines: 2000, Name: "aside-e2e 1.0",
			Fg: o.Theme.fg(), Bg: o.Theme.bg(),
		}),
	}
	go t.follow()
	return t, nil
}

func (t *Terminal) follow() {
	defer close(t.read)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.child.Read(buf)
		t.take(buf[:n])
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.take([]byte("\r\n" + err.Error()))
			}
			return
		}
	}
}

func (t *Terminal) take(output []byte) {
	if t.tap != nil {
		t.tap(output)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = t.screen.Write(output) // it never fails
	if replies := t.screen.Replies(); len(replies) > 0 {
		t.child.Send(replies)
	}
	t.wake()
}

func (t *Terminal) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// Pid returns the program's process id.
func (t *Terminal) Pid() int { return t.child.Pid() }

// Changed is closed at the program's next output.
func (t *Terminal) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// Text returns the screen's rows, joined by newlines, blanks at the end cut
// off.
func (t *Terminal) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.Text()
}

// Modes returns the modes that the program has set.
func (t *Terminal) Modes() session.Modes {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.Frame(0).Modes
}

// WaitFor returns once the regular expression matches the screen's text. When
// ctx ends first, or the program does, the error shows the screen.
func (t *Terminal) WaitFor(ctx context.Context, pattern string) error {
	return t.wait(ctx, "see", pattern, true)
}

// WaitGone returns once the regular expression no longer matches the screen's
// text. It fails like WaitFor.
func (t *Terminal) WaitGone(ctx context.Context, pattern string) error {
	return t.wait(ctx, "no longer see", pattern, false)
}

func (t *Terminal) wait(ctx context.Context, verb, pattern string, want bool) error {
	re, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return fmt.Errorf("wait to %s %q: %w", verb, pattern, err)
	}
	for ended := false; ; {
		text, changed, due := t.watch()
		if re.MatchString(text) == want {
			return nil
		}
		if ended {
			return fmt.Errorf("wait to %s %q: the program has ended; screen:\n%s", verb, pattern, text)
		}
		select {
		case <-changed:
		case <-due:
		case <-t.read:
			ended = true
		case <-ctx.Done():
			return fmt.Errorf("wait to %s %q: %w; screen:\n%s", verb, pattern, ctx.Err(), text)
		}
	}
}

// watch returns the screen's text and what announces the next one: output, or
// the end of the time that a synchronized update may be held back.
func (t *Terminal) watch() (text string, changed <-chan struct{}, due <-chan time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at, pending := t.screen.SyncPending(); pending {
		due = time.After(time.Until(at))
	}
	return t.screen.Text(), t.changed, due
}

// WaitExit returns the program's exit status once it has ended and all its
// output is on the screen.
func (t *Terminal) WaitExit(ctx context.Context) (int, error) {
	select {
	case <-t.read:
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for the program to end: %w; screen:\n%s", ctx.Err(), t.Text())
	}
	select {
	case <-t.child.Exited():
		return t.child.ExitCode(), nil
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for the program to end: %w; screen:\n%s", ctx.Err(), t.Text())
	}
}

// Resize changes the terminal's size.
func (t *Terminal) Resize(cols, rows int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.screen.Resize(cols, rows)
	t.size = [2]int{cols, rows}
	return t.child.Resize(cols, rows)
}

// SetTheme changes the colours that the terminal shows and answers with; a
// program that has asked for it (mode 2031) is told.
func (t *Terminal) SetTheme(theme Theme) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.theme = theme
	t.screen.SetColors(theme.fg(), theme.bg())
	if replies := t.screen.Replies(); len(replies) > 0 {
		t.child.Send(replies)
	}
	t.wake()
}

// Kill ends the program at once, and what it started in its session, the way
// a crash would.
func (t *Terminal) Kill() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	t.child.Stop(now)
}

// Close hangs up: it ends the program, by force when ctx ends first, and
// frees the terminal.
func (t *Terminal) Close(ctx context.Context) error {
	t.child.Stop(ctx)
	<-t.read
	return t.child.Close()
}

// find returns the cell at the middle of the first place where text is shown.
func (t *Terminal) find(text string) (x, y int, found bool) {
	for y, line := range strings.Split(t.Text(), "\n") {
		before, _, found := strings.Cut(line, text)
		if found {
			return displaywidth.String(before) + displaywidth.String(text)/2, y, true
		}
	}
	return 0, 0, false
}
