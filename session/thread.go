package session

import (
	"fmt"
	"time"
)

// CheckoutMode says where a thread's files are.
type CheckoutMode string

// The checkout modes. The zero value means not known: a row from before the
// mode was recorded, or a thread whose checkout has not been granted yet.
const (
	CheckoutUnknown  CheckoutMode = ""
	CheckoutShared   CheckoutMode = "shared"   // the project's own work tree
	CheckoutWorktree CheckoutMode = "worktree" // its own branch and folder
)

// Checkout is the place of a thread's files.
type Checkout struct {
	Mode   CheckoutMode `json:"mode,omitempty"`
	Path   string       `json:"path,omitempty"`   // top folder, absolute
	Branch string       `json:"branch,omitempty"` // without refs/heads/
	Base   string       `json:"base,omitempty"`   // full commit id it started from
}

// Lineage says which proposal a thread came from.
type Lineage struct {
	Thread   ThreadID   `json:"thread"`
	Proposal ProposalID `json:"proposal"`
}

// Origin says who opened a turn.
type Origin string

// The origins of a turn.
const (
	OriginHuman Origin = "human"
	OriginAgent Origin = "agent"
)

// Turn is the time from a prompt reaching the agent to its stop or
// interruption.
type Turn struct {
	ID        TurnID    `json:"id"`
	Origin    Origin    `json:"origin"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"-"` // zero while it is open, as a thread's own turn is
}

// Thread is one piece of work. Its JSON form is the thread object of
// contracts/cli.md.
type Thread struct {
	ID          ThreadID  `json:"id"`
	Title       string    `json:"title"`
	Agent       string    `json:"agent"` // name of its adapter
	Model       string    `json:"model,omitempty"`
	State       State     `json:"state,omitempty"`
	StateSource Source    `json:"state_source,omitempty"`
	StateAt     time.Time `json:"state_at,omitzero"`
	NeedsYou    bool      `json:"needs_you"`
	Project     string    `json:"project"`       // absolute folder
	Cwd         string    `json:"cwd,omitempty"` // absolute folder the agent runs in; "" until the checkout is granted
	Checkout    Checkout  `json:"checkout,omitzero"`
	ProposedBy  *Lineage  `json:"proposed_by,omitempty"`
	Draft       string    `json:"draft,omitempty"`
	// Problem is the sentence shown on a thread whose start or delivery
	// failed, or "".
	Problem   string    `json:"problem,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	Turn      *Turn     `json:"turn,omitempty"`
	SessionID string    `json:"session_id,omitempty"` // the agent's own id of the conversation
	ExitCode  *int      `json:"exit_code,omitempty"`
	// Live says that a helper hosts the thread, as far as the store knows.
	Live bool `json:"live"`
	// Archived threads are listed only when asked for.
	Archived bool `json:"archived,omitempty"`
}

// Words is what the thread's agent is doing as a person reads it, or how it has
// ended.
func (t Thread) Words() string {
	switch {
	case t.State == StateExited && t.StateSource == SourcePerson:
		return "stopped"
	case !t.State.Ended() || t.ExitCode == nil || *t.ExitCode == 0:
		return t.State.Words()
	case t.State == StateFailed:
		return t.State.Words() + ", " + ExitWords(*t.ExitCode)
	}
	return ExitWords(*t.ExitCode)
}

// signals is the end of the numbers that signals have.
const signals = 65

// ExitWords is a program's exit status as a person reads it. One that a signal
// ended has 128 and the signal's number, as in a shell.
func ExitWords(status int) string {
	if signal := status - 128; signal > 0 && signal < signals {
		return fmt.Sprintf("killed by signal %d", signal)
	}
	return fmt.Sprintf("exit %d", status)
}
