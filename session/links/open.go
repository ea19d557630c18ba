package links

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"aside/session"
)

// Opener opens targets by the program that the machine has for that.
type Opener struct {
	System string // as runtime.GOOS
	Env    func(string) string
	Look   func(name string) (string, error) // as exec.LookPath
	// Patience is how long a program may take to say that it failed; one that
	// goes on is the viewer itself.
	Patience time.Duration
}

// New returns the opener of this machine.
func New() Opener {
	return Opener{System: runtime.GOOS, Env: os.Getenv, Look: exec.LookPath, Patience: 2 * time.Second}
}

// program returns the program that opens targets, "" where there is none, or
// where nobody would see what it opens: on a machine without a screen, as when
// one is logged in from another.
func (o Opener) program() string {
	names := []string{"xdg-open"}
	switch {
	case o.System == "darwin":
		names = []string{"open"}
	case o.Env("WSL_DISTRO_NAME") != "":
		names = []string{"wslview", "xdg-open"}
	case o.Env("DISPLAY") == "" && o.Env("WAYLAND_DISPLAY") == "" && o.Env("BROWSER") == "":
		return ""
	}
	for _, name := range names {
		if path, err := o.Look(name); err == nil {
			return path
		}
	}
	return ""
}

// Open opens a target that Check has returned. It is false where nothing opens
// targets. What is started goes on when this program ends.
func (o Opener) Open(ctx context.Context, target string) (bool, error) {
	path := o.program()
	if path == "" {
		return false, nil
	}
	cmd := exec.Command(path, target) // what it says goes nowhere: a pipe would end with this program
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return false, failed(path, err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			return false, failed(path, err)
		}
	case <-time.After(o.Patience):
	case <-ctx.Done():
	}
	return true, nil
}

func failed(path string, err error) error {
	f := &session.Error{
		Code: session.CodeFailed, Message: filepath.Base(path) + " could not open it", Hint: "its target can be copied", Cause: err,
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == noHandler {
		f.Message = filepath.Base(path) + " knows no program that opens it"
	}
	return f
}

// noHandler is how xdg-open says that a program it needs is missing.
const noHandler = 3
