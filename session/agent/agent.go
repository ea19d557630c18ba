// Package agent holds what aside has to know about one kind of coding agent,
// as one interface: how it is started, what its hooks say, how it is
// answered, and where it keeps its record. Each kind is a sub-room of its
// own; the rest of aside never names one.
package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"aside/session"
)

// Kind is one kind of agent that aside can host.
type Kind struct {
	Name    string // as in the configuration and in a thread's agent field
	Title   string // as a person calls it
	Program string // looked up in PATH when the configuration names none; "" when it needs none
	// New makes the adapter of one thread: an adapter remembers what its
	// agent asked before, so threads never share one.
	New func() Adapter
	// Hooks returns the hooks that can be installed in the person's own
	// settings of this agent; nil when there are none.
	Hooks func(Installation) (Hooks, error)
}

// Kinds are the kinds of agent on offer, in the order they are shown.
type Kinds []Kind

// Get returns the kind with the name; a session.Error names those there are.
func (ks Kinds) Get(name string) (Kind, error) {
	known := ""
	for _, k := range ks {
		if k.Name == name {
			return k, nil
		}
		known += " " + k.Name
	}
	return Kind{}, &session.Error{
		Code:    session.CodeUsage,
		Message: fmt.Sprintf("there is no agent %q", session.MarkLine(name)),
		Hint:    "the agents are:" + known,
	}
}

// Installed returns the kinds whose program is there. command returns the
// program that the configuration names for a kind, or ""; look is
// exec.LookPath. A kind that has neither a program nor a command cannot run.
func (ks Kinds) Installed(command func(name string) string, look func(file string) (string, error)) Kinds {
	var there Kinds
	for _, k := range ks {
		program := command(k.Name)
		if program == "" {
			program = k.Program
		}
		if program == "" {
			continue
		}
		if _, err := look(program); err == nil {
			there = append(there, k)
		}
	}
	return there
}

// Adapter is one thread's agent. Its methods are called one at a time.
type Adapter interface {
	Capabilities() Capabilities

	// Command returns how to start the agent for one run. It touches nothing:
	// the caller writes the files.
	Command(Launch) (Command, error)

	// Event reads the payload of a hook. A name it does not know is an event
	// of kind Ignored; a payload it cannot read is an error and changes
	// nothing.
	Event(name string, payload []byte) (Event, error)

	// Context returns what a hook prints in answer to a Prompted event so
	// that the agent reads text beside the prompt; nil when it cannot.
	Context(text string) []byte

	// Reader returns a reader of the agent's own record, nil when it has none.
	Reader() Reader
}

// Capabilities say what an agent can do with aside.
type Capabilities struct {
	Hooks           bool  // it reports its events
	ConfirmsPrompts bool  // every prompt that reaches it is an event
	Ready           Ready // how it is known that it takes what is typed
	Hold            Hold  // how it can be held on a decision
	MCP             bool  // it offers the tools of aside mcp to its model
	TakesSession    bool  // it takes the id of its conversation from aside
	Resume          bool  // it can go on with an earlier conversation
	TakesContext    bool  // text can be given to it beside a prompt
}

// Ready says how it is known that an agent that starts takes what is typed;
// what comes earlier may be lost.
type Ready int

// The signs of it.
const (
	// ReadyAtOnce: what is typed waits in the terminal until it is read.
	ReadyAtOnce Ready = iota
	// ReadyReported: it reports a state, by an event or in its terminal.
	ReadyReported
	// ReadyTitled: it gives its terminal a title.
	ReadyTitled
)

// Hold says how an agent waits for a decision.
type Hold int

// The ways an agent waits.
const (
	// HoldNone: it asks in its own prompt only.
	HoldNone Hold = iota
	// HoldBeside: its own prompt is there while the hook waits.
	HoldBeside
	// HoldBefore: its own prompt comes only after the hook, so it may be held
	// only shortly, and only while somebody looks (contracts/decisions.md).
	HoldBefore
)

// Launch says what to start.
type Launch struct {
	Thread  session.ThreadID
	Session string // the conversation's id, for an agent that takes one or goes on with one
	Resume  bool   // go on with Session instead of beginning it
	Prompt  string // the first prompt, neutralised when a model wrote it; "" for none
	Model   string // "" for the agent's own choice
	Cwd     string

	RuntimeDir string   // folder of mode 0700 for generated files
	Aside      string   // absolute path of aside
	Hook       string   // absolute path of aside-hook; "" for `aside hook`
	Endpoint   []string // NAME=value: how a program of the agent finds this thread's helper

	Command string        // the person's own choice of program, or ""
	Args    []string      // and arguments, before those of the adapter
	Hold    time.Duration // how long the bridge holds a decision
}

// Command is how to start an agent.
type Command struct {
	Path string
	Args []string
	Env  []string // NAME=value, added to the child's environment
	// Files are to be in the runtime folder before the start, by name; they
	// are for the user alone.
	Files map[string][]byte
	// PromptTaken says that the first prompt is among the arguments; else it
	// has to be pasted into the terminal.
	PromptTaken bool
}

// Neutralise returns a prompt that a model wrote in the form in which it may
// be given to an agent: behind a neutral line, since some agents run a first
// prompt that begins with ! as a shell command, or with / as a command of
// their own (contracts/proposed-threads.md, Starting).
func Neutralise(prompt string) string { return "Task:\n" + prompt }

// JSON returns v as one line of JSON, with characters as they are where JSON
// allows it.
func JSON(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}
