package session

import (
	"strings"
	"time"
)

// State is what an agent is doing.
type State string

// The states of an agent.
const (
	StateStarting State = "starting"
	StateIdle     State = "idle"
	StateWorking  State = "working"
	StateNeedsYou State = "needs_you" // a decision, a question, or its own prompt
	StateDone     State = "done"
	StateFailed   State = "failed"
	StateExited   State = "exited"
)

// Ended says that the agent's process is gone.
func (s State) Ended() bool { return s == StateExited || s == StateFailed }

// Words is the state as a person reads it; a thread without one has not been
// started. See Thread.Words for how one has ended.
func (s State) Words() string {
	if s == "" {
		return "not started"
	}
	return strings.ReplaceAll(string(s), "_", " ")
}

// Source says where a state was learnt. Text on the screen is no source.
type Source string

// The sources, from the best to the least.
const (
	SourceAgent    Source = "agent"    // a hook or another event of the agent
	SourceTerminal Source = "terminal" // its report in the terminal: OSC 7501, OSC 9;4, title
	SourceProcess  Source = "process"  // the process itself
	SourcePerson   Source = "person"   // who had it stopped: of an ended process only
)

func (s Source) rank() int {
	switch s {
	case SourceAgent:
		return 3
	case SourceTerminal:
		return 2
	case SourceProcess:
		return 1
	}
	return 0
}

// Status is a state with its source and age.
type Status struct {
	State  State     `json:"state"`
	Source Source    `json:"source"`
	At     time.Time `json:"at"`
}

// Next returns the status after a report. The better source wins: a report
// from a lesser source than the current one changes nothing, except that an
// ended process always ends the thread and a process that starts always
// begins it anew. One that a person had stopped ends it just so.
func (s Status) Next(report Status) Status {
	switch {
	case report.Source == SourcePerson, report.Source == SourceProcess && (report.State.Ended() || report.State == StateStarting):
		return report
	}
	if s.State.Ended() || report.Source.rank() < s.Source.rank() {
		return s
	}
	return report
}
