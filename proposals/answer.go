package proposals

import "aside/session"

// ErrStarting says that a start is under way, and ErrNotEmpty that a thread
// to be started has begun already. ErrLost tells a walk that its claim is gone. All are of CodeSettled.
var (
	ErrStarting = &session.Error{Code: session.CodeSettled, Message: "this is being started already", Hint: "wait a moment and look again"}
	ErrNotEmpty = &session.Error{Code: session.CodeSettled, Message: "this thread has begun already", Hint: "send it a further prompt instead"}
	ErrLost     = &session.Error{Code: session.CodeSettled, Message: "this start is no longer held here: another aside took it over, or its thread was removed"}
)

// MayStart says whether p can be started now: nil, or a session.Error of
// CodeSettled with a sentence for the person
// (contracts/proposed-threads.md, Starting 1).
func MayStart(p session.Proposal) error {
	if err := open(p); err != nil {
		return err
	}
	if p.State == session.ProposalDismissed {
		return settled("this offer was put away with Not now", "bring it back first: aside restore "+string(p.ID))
	}
	return nil
}

// MayDismiss says whether p can be answered with "not now".
func MayDismiss(p session.Proposal) error {
	if err := open(p); err != nil {
		return err
	}
	if p.State == session.ProposalDismissed {
		return settled("this offer was put away with Not now already", "")
	}
	return nil
}

// MayRestore says whether p can be brought back.
func MayRestore(p session.Proposal) error {
	if err := open(p); err != nil {
		return err
	}
	if p.State != session.ProposalDismissed {
		return settled("this offer still stands", "start it: aside start "+string(p.ID))
	}
	return nil
}

// open refuses what no answer can be given to any more, or not now.
func open(p session.Proposal) error {
	switch {
	case p.State == session.ProposalStarted:
		return settled("this offer was started already", "")
	case p.Starting:
		return ErrStarting
	case p.Withdrawn:
		return settled("the agent took this offer back", "")
	}
	return nil
}

func settled(message, hint string) error {
	return &session.Error{Code: session.CodeSettled, Message: message, Hint: hint}
}
