package actions

import "aside/session"

// Phase says which of the two lines a reply is.
type Phase string

// The phases. A reply of validation other than accepted is the last.
const (
	PhaseValidation Phase = "validation"
	PhaseFinal      Phase = "final"
)

// Status is what a reply says (contracts/terminal-actions.md, Submission).
type Status string

// The statuses of validation.
const (
	Accepted        Status = "accepted"
	Malformed       Status = "malformed"
	UnknownChannel  Status = "unknown_channel"
	HelperMismatch  Status = "helper_mismatch"
	NotArmed        Status = "not_armed"
	Stale           Status = "stale"
	Superseded      Status = "superseded"
	Expired         Status = "expired"
	DigestMismatch  Status = "digest_mismatch"
	AlreadyConsumed Status = "already_consumed"
	InvalidSchema   Status = "invalid_schema"
	Rejected        Status = "rejected"
	Unavailable     Status = "unavailable"
)

// Reply is one line to who submitted a proposal. The final one's Status is a
// session.CardState.
type Reply struct {
	Phase     Phase          `json:"phase"`
	Status    Status         `json:"status"`
	Reason    string         `json:"reason"`
	Retryable bool           `json:"retryable"`
	Card      session.CardID `json:"card,omitempty"`   // accepted
	Choice    int            `json:"choice,omitempty"` // confirmed: which, counted from 1
	Title     string         `json:"title,omitempty"`  // confirmed: of the choice
}

// Final returns the last line for a card that has ended.
func Final(c session.ActionCard) Reply {
	r := Reply{Phase: PhaseFinal, Status: Status(c.State), Reason: c.Reason, Choice: c.Choice}
	if c.Choice > 0 && c.Choice <= len(c.Choices) {
		r.Title = c.Choices[c.Choice-1].Title
	}
	return r
}

// Version is the version of a submission's frame.
const Version = 1

// Submission is what the short-lived command sends.
type Submission struct {
	Version int     `json:"version"`
	Channel Channel `json:"channel"`
	Payload string  `json:"payload"`
}

// frame reads a submission. Like the schema it knows its fields and no
// others: a proposal cannot name a helper, a session or a pane.
func frame(text string) (Submission, string) {
	v, err := parse(text)
	if err != nil {
		return Submission{}, "the submission is no JSON that can be read: " + err.Error()
	}
	o := fields{value: v, path: "the submission"}
	if err := o.only("version", "channel", "payload"); err != nil {
		return Submission{}, err.Error()
	}
	version, _ := v.get("version")
	channel, _ := v.get("channel")
	payload, _ := v.get("payload")
	switch {
	case version.kind != '0' || channel.kind != '"' || payload.kind != '"':
		return Submission{}, "the submission lacks its version, channel or payload"
	case version.text != "1":
		return Submission{}, "the submission is of another version than 1"
	}
	return Submission{Version: Version, Channel: Channel(channel.text), Payload: payload.text}, ""
}
