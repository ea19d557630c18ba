// Package generic is the adapter for any command that a person names: aside
// gives it a terminal, pastes the prompt into it, and knows of it only what
// its process and its terminal tell.
package generic

import (
	"aside/session"
	"aside/session/agent"
)

// Kind is the kind of agent that is any command.
func Kind() agent.Kind {
	return agent.Kind{Name: "generic", Title: "Any command", New: func() agent.Adapter { return adapter{} }}
}

type adapter struct{}

func (adapter) Capabilities() agent.Capabilities { return agent.Capabilities{} }

// Command runs the person's command as it is; without one it is a
// session.Error with a hint.
func (adapter) Command(l agent.Launch) (agent.Command, error) {
	if l.Command == "" {
		return agent.Command{}, &session.Error{
			Code:    session.CodeUsage,
			Message: "no command is set for the agent generic",
			Hint:    "set command under [agents.generic] in the configuration file (see: aside config path)",
		}
	}
	return agent.Command{Path: l.Command, Args: l.Args}, nil
}

func (adapter) Event(string, []byte) (agent.Event, error) { return agent.Event{}, nil }

func (adapter) Context(string) []byte { return nil }

func (adapter) Reader() agent.Reader { return nil }
