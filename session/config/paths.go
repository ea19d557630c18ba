// Package config knows where aside keeps its files and what the user has
// configured. It fences the TOML and XDG libraries.
package config

import (
	"fmt"
	"os"
	"path/filepath"

	"aside/session"

	"github.com/adrg/xdg"
)

// socketLimit is the longest path of a Unix socket that every system takes.
const socketLimit = 104

// Paths are the folders aside uses; none of them need exist yet.
type Paths struct {
	Config  string // config.toml
	State   string // the store
	Data    string // worktrees, the demo project, transcripts written to files
	Runtime string // sockets, locks and generated settings, 0700
}

// Locate returns the folders: those of the XDG base directories, or all of
// them under ASIDE_HOME when that is set. The runtime folder is
// $XDG_RUNTIME_DIR/aside, else one in the folder for temporary files that
// belongs to the user alone.
func Locate() (Paths, error) {
	if home := os.Getenv("ASIDE_HOME"); home != "" {
		abs, err := filepath.Abs(home)
		if err != nil {
			return Paths{}, fmt.Errorf("locate ASIDE_HOME: %w", err)
		}
		p := Paths{
			Config: filepath.Join(abs, "config"), State: filepath.Join(abs, "state"),
			Data: filepath.Join(abs, "data"), Runtime: filepath.Join(abs, "run"),
		}
		return p, p.check()
	}
	xdg.Reload()
	p := Paths{
		Config: filepath.Join(xdg.ConfigHome, "aside"),
		State:  filepath.Join(xdg.StateHome, "aside"),
		Data:   filepath.Join(xdg.DataHome, "aside"),
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		p.Runtime = filepath.Join(dir, "aside")
	} else {
		p.Runtime = filepath.Join(os.TempDir(), fmt.Sprintf("aside-%d", os.Getuid()))
	}
	return p, p.check()
}

func (p Paths) check() error {
	if n := len(p.Socket(session.ThreadID(session.NewID()))); n > socketLimit {
		return &session.Error{
			Code:    session.CodeFailed,
			Message: fmt.Sprintf("the runtime folder %s is too deep for a socket: %d bytes, %d are the limit", p.Runtime, n, socketLimit),
			Hint:    "set XDG_RUNTIME_DIR or ASIDE_HOME to a shorter path",
		}
	}
	return nil
}

// File returns the configuration file.
func (p Paths) File() string { return filepath.Join(p.Config, "config.toml") }

// Database returns the store's file.
func (p Paths) Database() string { return filepath.Join(p.State, "aside.db") }

// Log returns the file a thread's helper writes its faults to.
func (p Paths) Log(t session.ThreadID) string {
	return filepath.Join(p.State, "log", string(t)+".log")
}

// Worktrees returns the folder that holds all worktrees aside makes.
func (p Paths) Worktrees() string { return filepath.Join(p.Data, "worktrees") }

// Exports returns the folder of the transcripts that were written to files.
func (p Paths) Exports() string { return filepath.Join(p.Data, "exports") }

// Demo returns the scratch project of the demo agent.
func (p Paths) Demo() string { return filepath.Join(p.Data, "demo") }

// Locks returns the folder of locks that processes share.
func (p Paths) Locks() string { return filepath.Join(p.Runtime, "locks") }

// Socket returns the socket of a thread's helper.
func (p Paths) Socket(t session.ThreadID) string {
	return filepath.Join(p.Runtime, string(t)+".sock")
}

// Lock returns the file that a thread's helper holds locked while it lives.
func (p Paths) Lock(t session.ThreadID) string {
	return filepath.Join(p.Runtime, string(t)+".lock")
}

// Generated returns the folder of the settings made for one thread's agent.
func (p Paths) Generated(t session.ThreadID) string {
	return filepath.Join(p.Runtime, string(t))
}
