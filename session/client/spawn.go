package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"aside/session"
)

// ReadyFD is the file descriptor on which a helper tells its starter whether
// its agent runs.
const ReadyFD = 3

// ColorsEnv names the variable that tells a helper the colours of the terminal
// that it was started from, as session.Colors writes them: agents ask for them
// before any screen can be attached.
const ColorsEnv = "ASIDE_COLORS"

// Program is how helpers are started.
type Program struct {
	Path   string         // this program, absolute
	Args   []string       // before the thread's id
	Env    []string       // the helper's environment
	Colors session.Colors // of the terminal it is started from
}

// readiness is the one line on ReadyFD; no fault means that the agent runs.
type readiness struct {
	Code    session.Code `json:"code,omitempty"`
	Message string       `json:"message,omitempty"`
	Hint    string       `json:"hint,omitempty"`
}

// Spawn starts the helper of a thread in a session of its own and waits
// until its agent runs. What the helper writes goes to the log file. The
// error is the helper's own sentence, a session.Error, if it has one. When
// ctx ends first the helper is told to end, and has ended when Spawn returns:
// nobody would know of an agent that began after its start was given up.
func Spawn(ctx context.Context, p Program, thread session.ThreadID, log string) error {
	if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		return fmt.Errorf("make log folder: %w", err)
	}
	logFile, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open helper log: %w", err)
	}
	defer func() { _ = logFile.Close() }()
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("open pipe: %w", err)
	}
	defer func() { _ = r.Close() }()
	cmd := exec.Command(p.Path, append(append([]string{}, p.Args...), string(thread))...)
	cmd.Dir, cmd.Env = "/", p.Env
	if p.Colors != (session.Colors{}) {
		cmd.Env = append(slices.Clip(p.Env), ColorsEnv+"="+p.Colors.String())
	}
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.ExtraFiles = []*os.File{w} // becomes ReadyFD
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	_ = w.Close()
	if err != nil {
		return fmt.Errorf("start helper: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // reaped when it ends before this process
		close(ended)
	}()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	err = awaitReady(r, log)
	if !stop() {
		<-ended
		return ctx.Err()
	}
	return err
}

func awaitReady(r io.Reader, log string) error {
	line, err := bufio.NewReader(io.LimitReader(r, 64<<10)).ReadBytes('\n')
	var ready readiness
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	switch {
	case err != nil:
		return &session.Error{
			Code: session.CodeFailed, Message: "the thread's helper ended before its agent ran",
			Hint: "its log says why: " + log,
		}
	case ready.Message != "":
		return &session.Error{Code: ready.Code, Message: ready.Message, Hint: ready.Hint}
	}
	return nil
}

// TellReady is the helper's side of Spawn: it tells on ReadyFD that the
// agent runs, or why it does not, and closes it.
func TellReady(fault error) error {
	f := os.NewFile(ReadyFD, "ready")
	if f == nil {
		return errors.New("no starter to tell")
	}
	defer func() { _ = f.Close() }()
	var ready readiness
	if fault != nil {
		ready = readiness{Code: session.CodeOf(fault), Message: fault.Error()}
		var e *session.Error
		if errors.As(fault, &e) {
			ready.Hint = e.Hint
		}
	}
	line, err := json.Marshal(ready)
	if err != nil {
		return fmt.Errorf("encode readiness: %w", err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("tell starter: %w", err)
	}
	return nil
}
