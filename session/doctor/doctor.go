// Package doctor looks at what aside needs on a machine, and says what is
// there and what is wrong.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"

	"aside/hookbridge/wire"
	"aside/session/agent"
	"aside/session/config"
	"aside/session/threads"
	"aside/worktree/git"
)

// Machine is what is looked at; main fills it in.
type Machine struct {
	Version string
	Self    string // absolute path of this program
	Hook    string // absolute path of the hook program, or ""
	Kinds   agent.Kinds
	// Command is the program that is configured for an agent, or "".
	Command func(c config.Config, agent string) string
	// Open opens the store and what stands on it.
	Open func() (s *threads.Service, done func() error, err error)
}

// Finding is what was found out about one thing.
type Finding struct {
	Name  string
	State string
	// Fault says why aside cannot work as it is, or nil.
	Fault error
}

// Check looks at everything, also when something is wrong.
func Check(ctx context.Context, m Machine) []Finding {
	found := []Finding{{Name: "aside", State: m.Self + " " + m.Version}, m.hook()}
	paths, err := config.Locate()
	if err != nil {
		return append(found, Finding{Name: "folders", Fault: err})
	}
	c, err := config.Read(paths.File())
	state := paths.File()
	if _, missing := os.Stat(state); errors.Is(missing, fs.ErrNotExist) {
		state += " (not there: the defaults hold)"
	}
	found = append(found,
		Finding{"configuration", state, err},
		Finding{"runtime", paths.Runtime, wire.SecureDir(paths.Runtime)},
		Finding{"worktrees", paths.Worktrees(), nil},
		store(ctx, m, paths, err),
		folder(ctx, git.New(paths.Worktrees(), paths.Locks())),
	)
	for _, k := range m.Kinds {
		found = append(found, m.agent(c, k))
	}
	return found
}

func (m Machine) hook() Finding {
	if m.Hook == "" {
		return Finding{Name: "hook program", State: "aside-hook is not beside aside: aside hook does its work, slower"}
	}
	return Finding{Name: "hook program", State: m.Hook}
}

// store opens the store. With a configuration that cannot be used nothing is
// opened.
func store(ctx context.Context, m Machine, paths config.Paths, configuration error) Finding {
	f := Finding{Name: "store", State: paths.Database()}
	if configuration != nil {
		f.State += " (not looked at)"
		return f
	}
	s, done, err := m.Open()
	if err != nil {
		f.Fault = err
		return f
	}
	all, err := s.List(ctx, "", true)
	if f.Fault = errors.Join(err, done()); f.Fault == nil {
		f.State += fmt.Sprintf(" (threads: %d)", len(all))
	}
	return f
}

// folder says what Git there is and what the current folder is to it.
func folder(ctx context.Context, g *git.Git) Finding {
	in, err := g.Inspect(ctx, ".")
	f := Finding{Name: "git", Fault: err}
	switch {
	case err != nil:
	case in.Top == "":
		f.State = "works; this folder is in no work tree: threads here share it"
	case in.Head == "":
		f.State = "works; here is " + in.Top + ", without a commit yet"
	case in.Branch == "":
		f.State = "works; here is " + in.Top + ", its HEAD detached"
	default:
		f.State = "works; here is " + in.Top + ", on branch " + in.Branch
	}
	return f
}

// agent says whether an agent can run here. Only one that is configured has
// to.
func (m Machine) agent(c config.Config, k agent.Kind) Finding {
	f := Finding{Name: "agent " + k.Name}
	program := m.Command(c, k.Name)
	if program == "" {
		program = k.Program
	}
	path, err := exec.LookPath(program)
	switch {
	case program == "":
		f.State = fmt.Sprintf("not set up: it takes [agents.%s] command = \"…\" in the configuration", k.Name)
	case err == nil:
		f.State = path
	case c.Agents[k.Name].Command != "":
		f.Fault = fmt.Errorf("its command %s is not there, or is no program", program)
	default:
		f.State = "not installed: no program " + program + " in PATH"
	}
	if f.Fault == nil && (err != nil || program == "") && c.DefaultAgent == k.Name {
		f.Fault = errors.New("it is the default agent")
	}
	return f
}
