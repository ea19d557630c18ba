// Package demo is the built-in agent that needs no account and no network:
// its adapter, and the program itself. No model runs in it. What it says is
// written down here; what it does, it does for real: it offers threads
// through aside's own tools, is held on permissions through the real hook,
// and then runs the command that was allowed.
package demo

import (
	"aside/session/agent"
	"aside/session/agent/claude"
)

// Name is the kind's name.
const Name = "demo"

// Kind is the kind of agent that is the demo agent.
func Kind() agent.Kind {
	return agent.Kind{Name: Name, Title: "Demo agent", New: func() agent.Adapter { return adapter{claude.New()} }}
}

// adapter speaks Claude Code's dialect: the program's payloads, verdicts and
// record are of its shape.
type adapter struct{ dialect agent.Adapter }

func (adapter) Capabilities() agent.Capabilities {
	return agent.Capabilities{
		Hooks: true, ConfirmsPrompts: true, Ready: agent.ReadyReported, Hold: agent.HoldBeside, MCP: true, TakesSession: true, Resume: true,
	}
}

// Command starts aside itself: the program is a subcommand of it.
func (adapter) Command(l agent.Launch) (agent.Command, error) {
	c := agent.Command{Path: l.Aside, PromptTaken: l.Prompt != ""}
	if l.Command != "" {
		c.Path = l.Command
	}
	c.Args = append(c.Args, "demo-agent", "--session", l.Session, "--record", l.RuntimeDir)
	if l.Hook != "" {
		c.Args = append(c.Args, "--hook", l.Hook)
	} else {
		c.Args = append(c.Args, "--hook", l.Aside, "--hook", "hook")
	}
	if l.Resume {
		c.Args = append(c.Args, "--resume")
	}
	c.Args = append(c.Args, l.Args...)
	if l.Prompt != "" {
		c.Args = append(c.Args, "--", l.Prompt)
	}
	return c, nil
}

func (a adapter) Event(name string, payload []byte) (agent.Event, error) {
	return a.dialect.Event(name, payload)
}

// Context returns nothing: the program does not read what is given beside a
// prompt.
func (adapter) Context(string) []byte { return nil }

func (a adapter) Reader() agent.Reader { return a.dialect.Reader() }
