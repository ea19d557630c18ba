package session

import "errors"

// Code tells what kind of fault an Error is; the command line turns it into
// its exit status (contracts/cli.md).
type Code int

// The codes, each with the exit status of the same number.
const (
	CodeFailed   Code = 1 // it was tried and failed
	CodeUsage    Code = 2 // what was asked makes no sense
	CodeNotFound Code = 3 // no such thing
	CodeSettled  Code = 4 // already settled or under way, a duplicate included
	CodeBlocked  Code = 5 // the checkout policy says no
	CodeConsent  Code = 6 // it needs a yes from a person and there is nobody to ask
)

// Error is a fault at the edge of the program: one sentence for the person
// and, where something can be done about it, a hint.
type Error struct {
	Code    Code
	Message string // a sentence without full stop
	Hint    string // what to do about it, or ""
	Cause   error  // what lies beneath, or nil; its text is not part of Message
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf returns the code of the first Error in err's chain: CodeFailed when
// there is none, 0 for nil.
func CodeOf(err error) Code {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeFailed
}
