package agent

import (
	"encoding/json"

	"aside/session"
)

// EventKind is the kind of an event.
type EventKind int

// The kinds of an event.
const (
	Ignored         EventKind = iota
	SessionStarted            // a conversation began or goes on; Session may be another than before
	Prompted                  // a prompt reached the agent: a turn begins
	ToolStarting              // a tool is about to be used
	PermissionAsked           // the agent is held: Ask is set
	ToolDone                  // a tool has run, or failed
	Notified                  // the agent tells something in passing
	Stopped                   // the turn has ended
	SessionEnded              // the conversation has ended
)

// Event is what a hook said, in words that are the same for every agent.
// What it holds is as the agent wrote it, not made for showing, except Ask's
// decision.
type Event struct {
	Kind    EventKind
	Session string // the agent's own id of the conversation
	// Transcript is the file that records what the event belongs to, or "".
	// A sub-agent has one of its own.
	Transcript string
	// State is what the agent is doing, as far as the event tells; "" when it
	// does not.
	State session.State

	// Prompted. A prompt that no person wrote, such as the report of a
	// background task, is of agent origin.
	Prompt string
	Origin session.Origin

	// ToolStarting, PermissionAsked, ToolDone.
	Call Call

	// PermissionAsked.
	Ask *Ask

	// Stopped: the last thing the agent said, whether the turn ended in a
	// fault, and whether sub-agents are still at work.
	Message    string
	Failed     bool
	Background bool
}

// Call is one use of a tool.
type Call struct {
	ID    string // "" when not known
	Tool  string
	Input json.RawMessage
	// Command is the command line of a shell tool that is starting, byte for
	// byte; "" for other tools and events.
	Command string
}

// Ask is a request that the agent is held on.
type Ask struct {
	// Decision is complete but for ID, Thread, Pane, Agent, ReceivedAt and
	// Deadline, which the helper gives it.
	Decision session.Decision
	// Verdict returns what the hook prints for an answer. It changes nothing
	// and can be called again; an option that is not there, or a note that
	// cannot be used, is a session.Error that says what would do.
	Verdict func(session.Answer) ([]byte, error)
}
