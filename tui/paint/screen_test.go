package paint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// output is a terminal that takes writes when it is let.
type output struct {
	mu     sync.Mutex
	all    []string
	wrote  chan struct{} // closed and replaced after each write
	let    chan struct{} // a write waits for one of these, if there is the channel
	begun  chan struct{} // gets one when a write begins, if there is the channel
	failed error
}

func (o *output) Write(b []byte) (int, error) {
	if o.begun != nil {
		o.begun <- struct{}{}
	}
	if o.let != nil {
		<-o.let
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return 0, o.failed
	}
	o.all = append(o.all, string(b))
	if o.wrote != nil {
		close(o.wrote)
		o.wrote = make(chan struct{})
	}
	return len(b), nil
}

func (o *output) writes() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.all...)
}

// await waits until something was written that holds the texts, in this order.
func (o *output) await(t *testing.T, texts ...string) {
	t.Helper()
	late := time.After(patience)
	for {
		o.mu.Lock()
		wrote, all := o.wrote, strings.Join(o.all, "")
		o.mu.Unlock()
		there, rest := true, all
		for _, text := range texts {
			_, after, ok := strings.Cut(rest, text)
			there, rest = there && ok, after
		}
		if there {
			return
		}
		select {
		case <-wrote:
		case <-late:
			t.Fatalf("%q was not written, but %q", texts, all)
		}
	}
}

// counter shows how often it was told to count, and does what it is told.
type counter struct {
	n     int
	views int
}

type (
	countMsg struct{}
	doMsg    struct{ cmd tea.Cmd }
	panicMsg struct{}
)

func (c *counter) Init() tea.Cmd { return nil }

func (c *counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case countMsg:
		c.n++
	case doMsg:
		return c, msg.cmd
	case panicMsg:
		panic("as told")
	}
	return c, nil
}

func (c *counter) View() tea.View {
	c.views++
	return tea.View{Content: fmt.Sprintf("counted %d", c.n)}
}

// held is a screen that a test drives by hand.
func held(t *testing.T, out *output) (runner, *counter) {
	t.Helper()
	m := &counter{}
	s := Open(strings.NewReader(""), out, nil)
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Program(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	s.painter.Resize(40, 2)
	return runner{s}, m
}

// TestTheNewestFrameFollowsASlowOne has a terminal take a frame late: many
// messages later one more frame follows, which shows the last of them.
func TestTheNewestFrameFollowsASlowOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &output{let: make(chan struct{}, 2)}
		r, m := held(t, out)
		_, write := r.Update(countMsg{})
		wrote := make(chan tea.Msg, 1)
		go func() { wrote <- write() }()
		for range 1000 {
			if _, cmd := r.Update(countMsg{}); cmd != nil {
				t.Fatal("a second write begins while the first is held up")
			}
		}
		if m.views != 1 {
			t.Errorf("%d frames were drawn for nobody", m.views-1)
		}
		out.let <- struct{}{}
		_, write = r.Update(<-wrote)
		out.let <- struct{}{}
		if _, again := r.Update(write()); again != nil {
			t.Error("a third write begins")
		}
		if all := out.writes(); len(all) != 2 || !strings.Contains(all[1], "1001") {
			t.Errorf("written: %q", all)
		}
		out.let <- struct{}{} // for the end
	})
}

func TestFramesAreBoundedAndTheFirstIsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &output{}
		r, _ := held(t, out)
		begun := time.Now()
		msgs := make(chan tea.Msg, 1)
		run := func(cmd tea.Cmd) {
			if cmd != nil {
				go func() { msgs <- cmd() }()
			}
		}
		_, cmd := r.Update(countMsg{})
		run(cmd)
		synctest.Wait()
		if len(out.writes()) != 1 || time.Since(begun) != 0 {
			t.Errorf("after %v written: %q", time.Since(begun), out.writes())
		}
		for time.Since(begun) < time.Second {
			select {
			case msg := <-msgs:
				_, cmd := r.Update(msg)
				run(cmd)
			case <-time.After(time.Millisecond):
				_, cmd := r.Update(countMsg{})
				run(cmd)
			}
		}
		if n := len(out.writes()); n < 100 || n > 121 {
			t.Errorf("%d frames in a second", n)
		}
		<-msgs
	})
}

func TestNothingIsWrittenWhenNothingChanges(t *testing.T) {
	out := &output{}
	r, _ := held(t, out)
	_, write := r.Update(countMsg{})
	r.Update(write())
	for range 10 {
		if _, cmd := r.Update(tea.FocusMsg{}); cmd != nil {
			t.Error("something is written")
		}
	}
}

// TestAFrameThatDidNotArriveIsPaintedAnew has the terminal fail once; it is
// not tried again before there is something new to show.
func TestAFrameThatDidNotArriveIsPaintedAnew(t *testing.T) {
	out := &output{failed: errors.New("gone for a moment")}
	r, _ := held(t, out)
	_, write := r.Update(countMsg{})
	if _, cmd := r.Update(write()); cmd != nil {
		t.Error("it is tried again at once")
	}
	out.failed = nil
	_, write = r.Update(tea.FocusMsg{})
	r.Update(write())
	if all := out.writes(); len(all) != 1 || !strings.Contains(all[0], "counted 1") {
		t.Errorf("written: %q", all)
	}
}

// TestPanicsShowOnTheTerminalAsItWas has the terminal given back before what
// panics goes on to do so.
func TestPanicsShowOnTheTerminalAsItWas(t *testing.T) {
	asTold := func() tea.Msg { panic("as told") }
	for name, do := range map[string]func(runner){
		"update":  func(r runner) { r.Update(panicMsg{}) },
		"command": func(r runner) { _, cmd := r.Update(doMsg{asTold}); cmd() },
		"one of several": func(r runner) {
			_, cmd := r.Update(doMsg{tea.Batch(asTold, asTold)})
			cmd().(tea.BatchMsg)[1]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := &output{}
			r, _ := held(t, out)
			_, write := r.Update(countMsg{})
			r.Update(write())
			func() {
				defer func() {
					if recover() == nil {
						t.Error("the panic is swallowed")
					}
				}()
				do(r)
			}()
			if all := strings.Join(out.writes(), ""); !strings.HasSuffix(all, ansi.ResetModeAltScreenSaveCursor) {
				t.Errorf("written: %q", all)
			}
			if _, cmd := r.Update(countMsg{}); cmd != nil {
				t.Error("it goes on drawing")
			}
		})
	}
}

// TestClosingDoesNotWaitForATerminalThatTakesNothing closes a screen while a
// write is held up; what it then still wants to write is dropped.
func TestClosingDoesNotWaitForATerminalThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &output{let: make(chan struct{}, 4)}
		r, _ := held(t, out)
		_, write := r.Update(countMsg{})
		go write()
		synctest.Wait()
		begun := time.Now()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if waited := time.Since(begun); waited != leavePatience {
			t.Errorf("waited %v", waited)
		}
		for range 4 {
			out.let <- struct{}{}
		}
	})
}

// TestProgram runs a real program on a screen: frames, text beside them,
// another program in between, and the end.
func TestProgram(t *testing.T) {
	out := &output{wrote: make(chan struct{})}
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(in.Close(), feed.Close()) }()
	s := Open(in, out, []string{"TERM=xterm-256color"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p, err := s.Program(ctx, &counter{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- errors.Join(err, s.Close())
	}()
	out.await(t, "\x1b[?2026$p")
	out.await(t, "counted 0")
	p.Send(countMsg{})
	out.await(t, ";9H\x1b[m1")
	p.Send(doMsg{tea.Raw("\a")})
	out.await(t, "\a")
	ran := make(chan string, 1)
	p.Send(doMsg{s.Exec(exec.Command("sh", "-c", "echo from the editor; exit 3"), func(err error) tea.Msg {
		ran <- fmt.Sprint(err)
		return nil
	})})
	select {
	case got := <-ran:
		if got != "exit status 3" {
			t.Errorf("the program ended with %s", got)
		}
	case <-time.After(patience):
		t.Fatal("the program does not run")
	}
	out.await(t, ansi.ResetModeAltScreenSaveCursor, "counted 1")
	all := strings.Join(out.writes(), "")
	_, then, ok := strings.Cut(all, ansi.ResetModeAltScreenSaveCursor)
	if shown, then, back := strings.Cut(then, ansi.SetModeAltScreenSaveCursor); !ok || !back ||
		shown != "from the editor\n" || !strings.Contains(then, "counted 1") {
		t.Errorf("written: %q", all)
	}
	p.Quit()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if all := strings.Join(out.writes(), ""); !strings.HasSuffix(all, ansi.ResetModeAltScreenSaveCursor) {
		t.Errorf("written: %q", all)
	}
}

// TestTmuxIsAskedForItsColours has a tmux that tells of 24-bit colours; that is
// found out after the start, which does not wait for it.
func TestTmuxIsAskedForItsColours(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte("#!/bin/sh\necho \" 199: Tc: (flag) true\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for tmux, want := range map[string]tea.Msg{"socket": tea.ColorProfileMsg{Profile: colorprofile.TrueColor}, "": nil} {
		s := Open(strings.NewReader(""), &output{}, []string{"TERM=tmux-256color", "TTY_FORCE=1", "TMUX=" + tmux})
		if got := s.moreColors(); got != want {
			t.Errorf("with TMUX=%q: %v, want %v", tmux, got, want)
		}
	}
}

func TestTerminalsThatAreAskedForTheirModes(t *testing.T) {
	for env, want := range map[string]bool{
		"TERM=xterm-256color":                                   true,
		"TERM=xterm-256color TERM_PROGRAM=iTerm.app":            true,
		"TERM=xterm-256color TERM_PROGRAM=Apple_Terminal":       false,
		"TERM=xterm-256color SSH_TTY=/dev/pts/1":                false,
		"TERM=xterm-kitty SSH_TTY=/dev/pts/1":                   true,
		"TERM=xterm-256color SSH_TTY=/dev/pts/1 WT_SESSION=one": true,
	} {
		if got := asksModes(strings.Fields(env)); got != want {
			t.Errorf("%s: %v", env, got)
		}
	}
}
