package session

import "time"

// CardID names an action card.
type CardID string

// ActionKind is what a terminal action does.
type ActionKind string

// The kinds of a terminal action (contracts/terminal-actions.md, Schema 1).
const (
	ActionRun        ActionKind = "run"          // Command, in the active shell pane
	ActionOpen       ActionKind = "open"         // a new shell pane
	ActionOpenAndRun ActionKind = "open_and_run" // a new shell pane, and Command in it
	ActionDelegate   ActionKind = "delegate"     // a new thread that begins with Prompt
)

// Runs says that an action of the kind writes its command to a pane.
func (k ActionKind) Runs() bool { return k == ActionRun || k == ActionOpenAndRun }

// Opens says that an action of the kind opens a pane of its own.
func (k ActionKind) Opens() bool { return k == ActionOpen || k == ActionOpenAndRun }

// TerminalAction is one thing that an agent proposes to do. Which fields are
// set depends on Type.
type TerminalAction struct {
	Type      ActionKind `json:"type"`
	Command   string     `json:"command,omitempty"`
	Place     Place      `json:"place,omitempty"`
	Direction Direction  `json:"direction,omitempty"`
	Cwd       string     `json:"cwd,omitempty"`   // absolute, inside the thread's checkout; "" for the thread's own folder
	Title     string     `json:"title,omitempty"` // of the new pane or thread
	Prompt    string     `json:"prompt,omitempty"`
}

// Does says on one line what an action does, and where: target is what the
// shell pane is called that run actions reach, "" is a new split. The line ends
// in a colon when the command or the prompt belongs behind it.
func (a TerminalAction) Does(target string) string {
	switch a.Type {
	case ActionRun:
		if target == "" {
			target = "a new split"
		}
		return "in " + target + ":"
	case ActionDelegate:
		return "start a thread, “" + MarkLine(a.Title) + "”, with this prompt:"
	}
	s := "open a tab"
	if a.Place == PlaceSplit {
		s = "open a split to the right"
		if a.Direction == DirectionDown {
			s = "open a split below"
		}
	}
	if a.Title != "" {
		s += " called " + MarkLine(a.Title)
	}
	if a.Cwd != "" {
		s += " in " + MarkLine(a.Cwd)
	}
	if a.Type == ActionOpenAndRun {
		s += ", and in it:"
	}
	return s
}

// ActionChoice is one alternative of a card: all of its actions, in order.
type ActionChoice struct {
	Title     string           `json:"title"`
	Rationale string           `json:"rationale,omitempty"`
	Actions   []TerminalAction `json:"actions"`
}

// NeedsTarget says that an action of the choice writes to the active shell
// pane.
func (c ActionChoice) NeedsTarget() bool {
	for _, a := range c.Actions {
		if a.Type == ActionRun {
			return true
		}
	}
	return false
}

// Insertable says that the choice can be inserted instead of run: it has
// commands, and no two of them would end up on one line.
func (c ActionChoice) Insertable() bool {
	commands, toTarget := 0, 0
	for _, a := range c.Actions {
		if a.Type.Runs() {
			commands++
		}
		if a.Type == ActionRun {
			toTarget++
		}
	}
	return commands > 0 && toTarget <= 1
}

// CardState is where an action card stands. All but CardPending are final.
type CardState string

// The states of an action card.
const (
	CardPending         CardState = "pending"
	CardConfirmed       CardState = "confirmed"        // dispatched, not completed
	CardCancelled       CardState = "cancelled"        // by the person, or its target was closed
	CardSuperseded      CardState = "superseded"       // by a further turn
	CardSessionReplaced CardState = "session_replaced" // the agent's conversation ended or changed
	CardTimedOut        CardState = "timed_out"
	CardUnavailable     CardState = "unavailable" // the agent or the helper ended, or the dispatch failed
	CardWithdrawn       CardState = "withdrawn"   // the command that proposed it is gone
)

// ActionCard is a terminal-action proposal of a turn. It is never written to
// disk as a card; what became of it is a line of the transcript.
type ActionCard struct {
	ID      CardID         `json:"id"`
	Thread  ThreadID       `json:"thread"`
	Turn    TurnID         `json:"turn,omitempty"`
	Choices []ActionChoice `json:"choices"`
	State   CardState      `json:"state"`
	// Target is the shell pane that run actions would reach if the card were
	// confirmed now; "" means that a new split would be opened.
	Target    PaneID    `json:"target,omitempty"`
	OfferedAt time.Time `json:"offered_at"`
	Deadline  time.Time `json:"deadline"`
	DecidedAt time.Time `json:"decided_at,omitzero"`
	Choice    int       `json:"choice,omitempty"` // confirmed: which, counted from 1
	Reason    string    `json:"reason,omitempty"` // why it ended as it did, or ""
}

// NeedsTarget says that some choice of the card writes to the active shell
// pane.
func (c ActionCard) NeedsTarget() bool {
	for _, choice := range c.Choices {
		if choice.NeedsTarget() {
			return true
		}
	}
	return false
}

// Confirmation is what a person confirmed of a card.
type Confirmation struct {
	Card   CardID `json:"card"`
	Choice int    `json:"choice"`           // counted from 1
	Insert bool   `json:"insert,omitempty"` // write the command without Enter
	// Target is the pane that the card named when it was confirmed. Where
	// Bound is set, a confirmation for another than the active one is refused.
	Target PaneID `json:"target,omitempty"`
	Bound  bool   `json:"bound,omitempty"`
}

// CardReceipt tells who confirmed or cancelled a card what became of that.
// For a duplicate, State, Choice and At are those of what was first.
type CardReceipt struct {
	Card    CardID    `json:"card"`
	Outcome Outcome   `json:"outcome"`
	State   CardState `json:"state,omitempty"`
	Choice  int       `json:"choice,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at,omitzero"`
	// Panes are the panes that what was confirmed reached, in the order of its
	// actions.
	Panes []PaneID `json:"panes,omitempty"`
}
