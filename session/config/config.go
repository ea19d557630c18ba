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

// Config is what the user has configured. What each setting means is said in
// settings, from which the commented file is printed.
type Config struct {
	Leader        string   `toml:"leader"`
	DefaultAgent  string   `toml:"default_agent"` // "" takes the first that is installed
	Theme         string   `toml:"theme"`
	ReducedMotion bool     `toml:"reduced_motion"`
	Plain         bool     `toml:"plain"`
	Notify        string   `toml:"notify"`
	Clipboard     string   `toml:"clipboard"`
	Hold          Duration `toml:"hold"`
	HoldBefore    Duration `toml:"hold_before"`

	Agents   map[string]Agent   `toml:"agents"`
	Projects map[string]Project `toml:"projects"` // by their folders, see Config.Project
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

// String returns it without the parts that are zero.
func (d Duration) String() string {
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Default returns what holds where the user says nothing.
func Default() Config {
	return Config{
		Leader: "ctrl+space", Theme: "auto", Notify: "off", Clipboard: "allow",
		Hold: Duration(4 * time.Hour), HoldBefore: Duration(30 * time.Second),
	}
}

// Read reads a configuration file; one that is not there is the default. A
// file with any fault is not used at all, not even in part: the settings would
// be others than the person wrote. The session.Error names the file, and for
// each fault its line, its column and the reason.
func Read(file string) (Config, error) {
	c := Default()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return c, nil
	}
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return c, unusable(file, []fault{{sentence: err.Error()}})
	}
	if faults := check(string(text)); len(faults) > 0 {
		return c, unusable(file, faults)
	}
	if _, err := toml.Decode(string(text), &c); err != nil {
		return c, unusable(file, []fault{{sentence: err.Error()}})
	}
	return c, nil
}

func unusable(file string, faults []fault) error {
	said := make([]string, len(faults))
	e := &session.Error{Code: session.CodeFailed}
	for i, f := range faults {
		said[i] = f.String()
		if e.Hint == "" {
			e.Hint = f.hint
		}
	}
	if e.Hint == "" {
		e.Hint = "correct it (aside config check tells when it is right), or move it away to use the defaults"
	}
	e.Message = fmt.Sprintf("the configuration file %s cannot be used: %s", file, strings.Join(said, "; "))
	return e
}

// Environ returns the agent's own environment as NAME=value.
func (a Agent) Environ() []string {
	env := make([]string, 0, len(a.Env))
	for k, v := range a.Env {
		env = append(env, k+"="+os.ExpandEnv(v))
	}
	return env
}
