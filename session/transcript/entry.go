// Package transcript is the append-only record of a thread: what was said
// and done, as entries in one order. It is pure; what each agent keeps itself
// is read by that agent's adapter and becomes entries here.
package transcript

import (
	"time"

	"aside/session"
)

// Kind is the kind of an entry.
type Kind string

// The kinds of an entry (contracts/cli.md).
const (
	KindPrompt    Kind = "prompt"
	KindAssistant Kind = "assistant"
	KindTool      Kind = "tool"
	KindProposal  Kind = "proposal"
	KindDecision  Kind = "decision"
	KindAction    Kind = "action"
	KindNotice    Kind = "notice"
)

// Entry is one thing that was said or done in a thread. The fields after
// Kind belong to the kinds named beside them.
type Entry struct {
	ID     int64            `json:"id"` // rises with the order of recording
	Thread session.ThreadID `json:"thread"`
	Turn   session.TurnID   `json:"turn,omitempty"`
	At     time.Time        `json:"at"` // when it happened; entries are shown in the order of At, then ID
	Kind   Kind             `json:"kind"`

	// Key is the entry's identity where it came from, unique in its thread,
	// so that reading a record twice adds nothing; "" means none.
	Key string `json:"-"`

	Text string `json:"text,omitempty"` // prompt, assistant, notice, decision: the text; action: the choices' titles

	// prompt
	Origin session.Origin `json:"origin,omitempty"`

	// tool
	Tool   string `json:"tool,omitempty"` // tool, decision: the tool's name
	CallID string `json:"call_id,omitempty"`
	Input  string `json:"input,omitempty"`  // tool: what went in, made for reading; action: the card, whole
	Output string `json:"output,omitempty"` // tool: what came out
	Failed bool   `json:"failed,omitempty"` // also of a notice: that something was cut short or went wrong

	// proposal: the card, with its answer as it is now
	Proposal *session.Proposal `json:"proposal,omitempty"`

	// decision
	Decision session.DecisionID `json:"decision,omitempty"`
	Outcome  string             `json:"outcome,omitempty"` // the option's label, or why it was released; of an action card its state

	// Depth is 1 for what a sub-agent did, else 0.
	Depth int `json:"depth,omitempty"`
}
