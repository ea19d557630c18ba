package session

import (
	"strings"
	"time"
)

// DecisionKind is the kind of a request that an agent is held on.
type DecisionKind string

// The kinds of a decision.
const (
	KindPermission DecisionKind = "permission"
	KindQuestion   DecisionKind = "question"
	KindPlan       DecisionKind = "plan"
)

// The option ids that mean the same for every agent. An adapter may add
// others, such as always1.
const (
	OptionOnce    = "once"
	OptionDeny    = "deny"
	OptionApprove = "approve"
)

// Option is one way to answer a decision.
type Option struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// Note says that the option takes a note to the agent.
	Note bool `json:"note,omitempty"`
}

// Decision is a request that an agent is held on; it is at most answered
// once and never written to disk (contracts/decisions.md).
type Decision struct {
	ID         DecisionID   `json:"id"`
	Thread     ThreadID     `json:"thread"`
	Pane       PaneID       `json:"pane"`
	Agent      string       `json:"agent"`
	Kind       DecisionKind `json:"kind"`
	Tool       string       `json:"tool,omitempty"`
	Title      string       `json:"title"`  // one line: what it wants
	Detail     string       `json:"detail"` // what it is about, whole, sanitised
	Options    []Option     `json:"options"`
	Questions  []Question   `json:"questions,omitempty"` // each for itself, where several are asked at once
	ReceivedAt time.Time    `json:"received_at"`
	Deadline   time.Time    `json:"deadline,omitzero"`
	Answerable bool         `json:"answerable"` // false: answer in the terminal
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

// Option returns the option with the id.
func (d Decision) Option(id string) (Option, bool) { return optionOf(d.Options, id) }

func optionOf(options []Option, id string) (Option, bool) {
	for _, o := range options {
		if o.ID == id {
			return o, true
		}
	}
	return Option{}, false
}

// OptionIDs are the ids of options, in their order.
func OptionIDs(options []Option) []string {
	ids := make([]string, len(options))
	for i, o := range options {
		ids[i] = o.ID
	}
	return ids
}

// Whole is all that the decision is about: its detail, after its title where
// the detail does not say that already.
func (d Decision) Whole() string {
	detail, title := strings.TrimSpace(d.Detail), strings.TrimSpace(d.Title)
	start := strings.TrimSuffix(title, "…")
	switch {
	case detail == "":
		return title
	case title == "", d.Kind == KindPlan, strings.Contains(detail, start), strings.Contains(folded(detail), folded(start)):
		return detail
	}
	return title + "\n\n" + detail
}

// folded is the beginning of a text without its white space: a title has the
// lines of what it was made from on one.
func folded(s string) string {
	s = strings.ReplaceAll(s[:min(len(s), 4<<10)], "⏎", "")
	return strings.Join(strings.Fields(s), "")
}

// Answer is what a person chose.
type Answer struct {
	Decision DecisionID `json:"decision"`
	Option   string     `json:"option"`
	Note     string     `json:"note,omitempty"`
	Replies  []Reply    `json:"replies,omitempty"` // with OptionAnswers: one for each question
}

// Outcome says what became of an answer.
type Outcome string

// The outcomes of an answer.
const (
	OutcomeAnswered    Outcome = "answered"
	OutcomeDuplicate   Outcome = "duplicate"        // it was answered before
	OutcomeUnknown     Outcome = "no such decision" // never known, or superseded
	OutcomeUnavailable Outcome = "unavailable"      // the agent stopped waiting
)

// Receipt tells the answerer what became of the answer. For a duplicate,
// Option and At are those of the first answer. Answered means queued to the
// agent's hook, not carried out.
type Receipt struct {
	Decision DecisionID `json:"decision"`
	Outcome  Outcome    `json:"outcome"`
	Option   string     `json:"option,omitempty"`
	At       time.Time  `json:"at,omitzero"`
}

// Release says why a decision ended without a verdict.
type Release string

// The reasons, as the bar shows them.
const (
	ReleaseTerminal   Release = "answered in the terminal"
	ReleaseGone       Release = "no longer asked"
	ReleaseDeadline   Release = "time ran out"
	ReleaseSuperseded Release = "asked again"
	ReleaseHandedOver Release = "handed to the terminal"
	ReleaseStopped    Release = "the thread was stopped"
	ReleaseFull       Release = "too many requests at once"
	ReleaseUnwatched  Release = "no screen is attached"
)
