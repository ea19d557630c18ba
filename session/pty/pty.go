// Package pty runs one child on a pseudo-terminal. It is the only importer
// of creack/pty and the only place that builds a child's environment.
package pty

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"aside/session"

	creack "github.com/creack/pty"
)

// Options say what to run.
type Options struct {
	Path string // program, absolute or looked up in PATH
	Args []string
	Dir  string
	Env  []string // the child's whole environment, see Environment
	Cols int
	Rows int
}

// Child is a program on a pseudo-terminal. It leads its own session and
// process group, which Stop ends whole.
type Child struct {
	master *os.File // non-blocking twin of the terminal's master side
	ctl    *os.File // the master as opened, for ioctls
	cmd    *exec.Cmd
	out    *queue

	exited chan struct{}
	code   int

	open   sync.RWMutex // held for reading while ctl is used
	closed bool
}

// drainTime is how long output may still come after the program has ended,
// when a process of its own keeps the terminal open.
const drainTime = 200 * time.Millisecond

// Start starts the program. A program that does not exist is a
// session.Error with a hint.
func Start(o Options) (*Child, error) {
	path, err := exec.LookPath(o.Path)
	if err != nil {
		return nil, &session.Error{
			Code:    session.CodeFailed,
			Message: fmt.Sprintf("the program %q cannot be started", o.Path),
			Hint:    "install it, or name it in the configuration file (see: aside config path)",
			Cause:   errors.Unwrap(err),
		}
	}
	cmd := exec.Command(path, o.Args...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	ctl, err := creack.StartWithSize(cmd, &creack.Winsize{Cols: size(o.Cols), Rows: size(o.Rows)})
	if err != nil {
		return nil, &session.Error{
			Code:    session.CodeFailed,
			Message: fmt.Sprintf("the program %q cannot be started", o.Path),
			Hint:    "check that it can be run, and that its folder exists",
			Cause:   err,
		}
	}
	master, err := nonblocking(ctl)
	if err != nil {
		_ = ctl.Close()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	c := &Child{master: master, ctl: ctl, cmd: cmd, exited: make(chan struct{})}
	c.out = newQueue(master)
	go c.wait()
	return c, nil
}

// nonblocking returns a twin of the master whose reads can be ended by a
// deadline: creack opens it in blocking mode.
func nonblocking(f *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "ptmx"), nil
}

func (c *Child) wait() {
	err := c.cmd.Wait()
	c.code = exitCode(c.cmd.ProcessState, err)
	_ = c.master.SetReadDeadline(time.Now().Add(drainTime))
	close(c.exited)
}

// exitCode follows the shells: 128 and the signal's number for a program
// that a signal ended.
func exitCode(st *os.ProcessState, err error) int {
	if st == nil {
		if err != nil {
			return 1
		}
		return 0
	}
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return st.ExitCode()
}

// Pid returns the program's process id.
func (c *Child) Pid() int { return c.cmd.Process.Pid }

// Read reads what the program writes. It returns io.EOF when the program has
// ended and all it wrote was read.
func (c *Child) Read(p []byte) (int, error) {
	n, err := c.master.Read(p)
	if n > 0 {
		return n, nil
	}
	switch {
	case err == nil:
		return 0, nil
	case errors.Is(err, syscall.EIO), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, fs.ErrClosed):
		return 0, io.EOF
	}
	return 0, err
}

// Send queues bytes for the program and returns at once, in the order of the
// calls. It reports false when the program has not read for so long that the
// queue is full; then none of the bytes are taken.
func (c *Child) Send(p []byte) bool { return c.out.put(p) }

// Resize sets the terminal's size; the program gets SIGWINCH.
func (c *Child) Resize(cols, rows int) error {
	c.open.RLock()
	defer c.open.RUnlock()
	if c.closed {
		return nil // nobody is there to be told
	}
	if err := creack.Setsize(c.ctl, &creack.Winsize{Cols: size(cols), Rows: size(rows)}); err != nil {
		return fmt.Errorf("resize terminal: %w", err)
	}
	return nil
}

func size(n int) uint16 { return uint16(min(max(n, 1), 65535)) }

// Exited is closed when the program has ended.
func (c *Child) Exited() <-chan struct{} { return c.exited }

// ExitCode returns the exit status, once Exited is closed.
func (c *Child) ExitCode() int { return c.code }

// Stop ends the program and all that it started in its session: by hang-up
// and termination first, and by force when the context ends before they are
// gone. It returns when all of them have ended.
func (c *Child) Stop(ctx context.Context) {
	pid := c.Pid()
	select {
	case <-c.exited:
	default:
		signalAll(pid, syscall.SIGHUP)
		signalAll(pid, syscall.SIGTERM)
		signalAll(pid, syscall.SIGCONT)
		select {
		case <-c.exited:
		case <-ctx.Done():
		}
	}
	signalAll(pid, syscall.SIGKILL)
	<-c.exited
	endMembers(pid)
}

// endTime bounds the wait for processes that were ended by force: one in an
// uninterruptible call of the system ends when that does.
const (
	endTime     = 2 * time.Second
	endInterval = 5 * time.Millisecond
)

// endMembers waits until nothing is left of the session that pid led, also of
// what was forked while it was being ended.
func endMembers(pid int) {
	for late := time.Now().Add(endTime); time.Now().Before(late); time.Sleep(endInterval) {
		left := sessionMembers(pid)
		if len(left) == 0 {
			return
		}
		for _, p := range left {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	}
}

// Close frees the terminal. A program still running is hung up by it.
func (c *Child) Close() error {
	c.open.Lock()
	defer c.open.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	c.out.close()
	_ = c.master.Close()
	_ = c.ctl.Close()
	return nil
}

// signalAll signals the group of the session leader pid and every other
// process of its session.
func signalAll(pid int, sig syscall.Signal) {
	_ = syscall.Kill(-pid, sig)
	for _, p := range sessionMembers(pid) {
		_ = syscall.Kill(p, sig)
	}
}
