package session

import "time"

// ProposalState is where a proposal stands.
type ProposalState string

// The states of a proposal. No answer means standing.
const (
	ProposalStanding  ProposalState = "standing"
	ProposalStarted   ProposalState = "started"
	ProposalDismissed ProposalState = "dismissed"
)

// Proposal is work an agent offers as a thread of its own, with its answer.
// Its JSON form is the proposal object of contracts/cli.md.
type Proposal struct {
	ID        ProposalID `json:"id"`
	Thread    ThreadID   `json:"thread"` // the offering thread
	CallID    string     `json:"call_id"`
	Title     string     `json:"title"`
	Summary   string     `json:"summary"`
	Rationale string     `json:"rationale,omitempty"`
	Prompt    string     `json:"prompt"`
	Files     []string   `json:"files,omitempty"`

	State ProposalState `json:"state"`
	// Withdrawn says that the agent took the still standing offer back.
	Withdrawn     bool         `json:"withdrawn,omitempty"`
	StartedThread ThreadID     `json:"started_thread,omitempty"`
	CheckoutMode  CheckoutMode `json:"checkout_mode,omitempty"`
	OfferedAt     time.Time    `json:"offered_at"`
	DecidedAt     time.Time    `json:"decided_at,omitzero"`
	// Starting says that somebody has taken it to start it.
	Starting bool `json:"starting,omitempty"`
}
