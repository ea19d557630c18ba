package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"aside/session"

	"github.com/BurntSushi/toml"
)

// Config is what the user has configured.
type Config struct {
	// Leader is the key that reaches aside from a terminal, such as
	// ctrl+space.
	Leader string `toml:"leader"`
	// DefaultAgent is used for a thread that names none; "" takes the first
	// that is installed.
	DefaultAgent string `toml:"default_agent"`
	// Hold is how long a decision may wait for its answer.
	Hold Duration `toml:"hold"`
	// HoldBefore is how long it may when the agent shows its own prompt only
	// afterwards.
	HoldBefore Duration `toml:"hold_before"`
	// Notify is how the person is called when a thread needs them while the
	// screen's window does not have the focus: "off", "bell" or "desktop".
	Notify string `toml:"notify"`
	// Agents are settings per adapter.
	Agents map[string]Agent `toml:"agents"`
	// Projects are settings per project folder.
	Projects map[string]Project `toml:"projects"`
}

// Agent is how one agent is started.
type Agent struct {
	Command string            `toml:"command"` // program; "" is the adapter's own name for it
	Args    []string          `toml:"args"`    // before aside's own
	Env     map[string]string `toml:"env"`
	Model   string            `toml:"model"`
}

// Project is what holds for one project.
type Project struct {
	// Worktrees is "auto" or "never": whether threads without an explicit
	// wish get a checkout of their own.
	Worktrees string `toml:"worktrees"`
	// Setup is a command for sh(1) that makes a new worktree ready before its
	// agent starts; it takes the place of the one that the project brings.
	Setup string `toml:"setup"`
}

// Duration is a time.Duration written as in Go: 4h, 90s.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
}

// Default returns what holds where the user says nothing.
func Default() Config {
	return Config{Leader: "ctrl+space", Notify: "off", Hold: Duration(4 * time.Hour), HoldBefore: Duration(30 * time.Second)}
}

// Read reads a configuration file; one that is not there is the default. A
// fault is a session.Error that names file, line and reason.
func Read(file string) (Config, error) {
	c := Default()
	meta, err := toml.DecodeFile(file, &c)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return c, nil
	}
	if err != nil {
		return c, faulty(file, reason(err))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		names := make([]string, len(unknown))
		for i, k := range unknown {
			names[i] = k.String()
		}
		return c, faulty(file, "unknown setting "+strings.Join(names, ", "))
	}
	return c, c.check(file)
}

func (c Config) check(file string) error {
	if c.Hold <= 0 {
		return faulty(file, "hold has to be a time above zero, such as 4h")
	}
	if c.HoldBefore <= 0 {
		return faulty(file, "hold_before has to be a time above zero, such as 30s")
	}
	if c.Leader == "" {
		return faulty(file, "leader has to name a key, such as ctrl+space")
	}
	if c.Notify != "off" && c.Notify != "bell" && c.Notify != "desktop" {
		return faulty(file, fmt.Sprintf("notify has to be off, bell or desktop, not %q", c.Notify))
	}
	for path, p := range c.Projects {
		if p.Worktrees != "" && p.Worktrees != "auto" && p.Worktrees != "never" {
			return faulty(file, fmt.Sprintf("worktrees of project %s has to be auto or never, not %q", path, p.Worktrees))
		}
	}
	return nil
}

func faulty(file, why string) error {
	return &session.Error{
		Code:    session.CodeFailed,
		Message: fmt.Sprintf("the configuration file %s cannot be used: %s", file, why),
		Hint:    "correct it (aside config check tells when it is right), or move it away to use the defaults",
	}
}

func reason(err error) string {
	var p toml.ParseError
	if errors.As(err, &p) {
		return fmt.Sprintf("line %d: %s", p.Position.Line, p.Message)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// Environ returns the agent's own environment as NAME=value.
func (a Agent) Environ() []string {
	env := make([]string, 0, len(a.Env))
	for k, v := range a.Env {
		env = append(env, k+"="+os.ExpandEnv(v))
	}
	return env
}
