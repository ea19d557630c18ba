package proposals

import (
	"context"
	"errors"
	"path/filepath"

	"aside/session"
	"aside/worktree"
)

// GrantRequest asks for the checkout of a thread.
type GrantRequest struct {
	Thread session.ThreadID
	Order  Order
	// Left is the checkout that an earlier walk recorded for this thread, or
	// zero. It is granted again or given up first: a thread never has two.
	Left session.Checkout
}

// Granted is a checkout that is ready for an agent.
type Granted struct {
	Checkout session.Checkout
	Cwd      string // absolute: the project's folder within the checkout
	// Why says in a sentence without full stop why the checkout is shared.
	Why string
}

// Ask is the question whether a thread may run in the shared checkout though
// one of its own was asked for.
type Ask struct {
	Thread session.ThreadID
	Title  string
	Path   string // the shared checkout
	Why    string // why there is no own one; may be ""
}

// State is where a walk is. The zero value has not begun; Next does not
// change the state it is given.
type State struct {
	Start   Start
	Granted Granted
	// Awaits is the effect whose outcome the walk waits for, nil before the
	// beginning and after the end.
	Awaits Effect
	// Recovering says that the walk tidies up after a taker that died: it
	// never launches anything.
	Recovering bool
	// Err is why the walk failed, nil after a good end.
	Err error
}

// An Event drives a walk: its beginning, or the outcome of the effect that it
// awaits.
type Event interface{ event() }

// The events.
type (
	// Begin begins the walk of an order.
	Begin struct{ Order Order }
	// Recover begins a walk after the death of a start's taker, with the
	// claim taken over.
	Recover struct{ Start Start }
	// WasTaken is the outcome of Take.
	WasTaken struct{ Start Start }
	// WasGranted is the outcome of Grant.
	WasGranted struct{ Granted Granted }
	// WasAnswered is the outcome of AskShared.
	WasAnswered struct{ Yes bool }
	// Done is the good outcome of any other effect.
	Done struct{}
	// Failed is the bad outcome of an effect.
	Failed struct{ Err error }
)

func (Begin) event()       {}
func (Recover) event()     {}
func (WasTaken) event()    {}
func (WasGranted) event()  {}
func (WasAnswered) event() {}
func (Done) event()        {}
func (Failed) event()      {}

// An Effect is what a walk does next.
type Effect interface{ effect() }

// The effects, in the order of contracts/proposed-threads.md, Starting; then
// the two that end a walk which cannot go on. Each but Grant, AskShared and
// Launch is the store's method of that name.
type (
	// Take claims the order.
	Take struct{ Order Order }
	// CreateThread writes the thread.
	CreateThread struct{}
	// Grant asks for the checkout and has its isolation proven.
	Grant struct{ Request GrantRequest }
	// AskShared asks for consent to the shared checkout.
	AskShared struct{ Ask Ask }
	// RecordGrant writes the checkout.
	RecordGrant struct{ Granted Granted }
	// RecordPrompt writes the first entry and queues the turn.
	RecordPrompt struct{}
	// RecordStarted writes the answer.
	RecordStarted struct{}
	// Launch has a helper host the thread and dispatch its queued turn.
	Launch struct{}
	// MarkDispatched ends the start.
	MarkDispatched struct{}

	// Fail drops the claim; the offer stands.
	Fail struct {
		Reason    string
		KeepDraft bool
	}
	// Undelivered ends a start whose prompt did not reach an agent.
	Undelivered struct{ Reason string }
)

func (Take) effect()           {}
func (CreateThread) effect()   {}
func (Grant) effect()          {}
func (AskShared) effect()      {}
func (RecordGrant) effect()    {}
func (RecordPrompt) effect()   {}
func (RecordStarted) effect()  {}
func (Launch) effect()         {}
func (MarkDispatched) effect() {}
func (Fail) effect()           {}
func (Undelivered) effect()    {}

// What a thread says when the aside that started it ended before its time.
const (
	reasonAbandoned   = "Not started: aside ended before the checkout and the prompt were ready"
	reasonUndelivered = "The prompt was not delivered: aside ended before the agent had it"
)

// Next advances a walk by an event and returns what to do next: one effect,
// so that a step is durable before the next begins, or nil at the end. An
// event that the walk does not await changes nothing and has no effect.
func Next(s State, e Event) (State, Effect) {
	if s.Awaits == nil {
		return begin(s, e)
	}
	if failed, ok := e.(Failed); ok {
		return fail(s, failed.Err)
	}
	switch awaits := s.Awaits.(type) {
	case Take:
		if e, ok := e.(WasTaken); ok {
			s.Start = e.Start
			return await(s, CreateThread{})
		}
	case Grant:
		if e, ok := e.(WasGranted); ok {
			return granted(s, e.Granted)
		}
	case AskShared:
		if e, ok := e.(WasAnswered); ok {
			return answered(s, e.Yes)
		}
	default:
		if _, ok := e.(Done); ok {
			return done(s, awaits)
		}
	}
	return s, nil
}

func begin(s State, e Event) (State, Effect) {
	switch e := e.(type) {
	case Begin:
		return await(State{}, Take(e))
	case Recover:
		s = State{Start: e.Start, Recovering: true}
		switch {
		case e.Start.Step.Ended():
			return s, nil
		case e.Start.Step == StepStarted:
			return await(s, Undelivered{reasonUndelivered})
		case e.Start.Step == StepPrompted:
			return await(s, RecordStarted{})
		}
		return await(s, Fail{reasonAbandoned, keepsDraft(e.Start.Order)})
	}
	return s, nil
}

func await(s State, e Effect) (State, Effect) {
	s.Awaits = e
	return s, e
}

func end(s State, err error) (State, Effect) {
	s.Awaits, s.Err = nil, err
	return s, nil
}

// done goes on after an effect that has no outcome but its being done.
func done(s State, after Effect) (State, Effect) {
	switch after.(type) {
	case CreateThread:
		s.Start.Step = StepCreated
		return await(s, Grant{GrantRequest{s.Start.Thread, s.Start.Order, s.Start.Checkout}})
	case RecordGrant:
		s.Start.Step = StepGranted
		s.Start.Checkout, s.Start.Cwd = s.Granted.Checkout, s.Granted.Cwd
		return await(s, RecordPrompt{})
	case RecordPrompt:
		s.Start.Step = StepPrompted
		return await(s, RecordStarted{})
	case RecordStarted:
		s.Start.Step = StepStarted
		if s.Recovering {
			return await(s, Undelivered{reasonUndelivered})
		}
		return await(s, Launch{})
	case Launch:
		return await(s, MarkDispatched{})
	case MarkDispatched:
		s.Start.Step = StepDispatched
	case Undelivered:
		s.Start.Step = StepUndelivered
	case Fail:
		s.Start.Taker = Taker{}
	}
	return end(s, s.Err)
}

// granted looks at the checkout that was granted. A shared one needs consent
// unless it was chosen, or nobody asked for anything.
func granted(s State, g Granted) (State, Effect) {
	usable := filepath.IsAbs(g.Checkout.Path) && filepath.IsAbs(g.Cwd)
	switch {
	case usable && g.Checkout.Mode == session.CheckoutWorktree:
	case usable && g.Checkout.Mode == session.CheckoutShared:
		if asks(s.Start.Order) {
			s.Granted = g
			return await(s, AskShared{Ask{s.Start.Thread, s.Start.Order.Title, g.Checkout.Path, g.Why}})
		}
	default:
		return fail(s, &session.Error{Code: session.CodeFailed, Message: "no usable checkout was granted"})
	}
	s.Granted = g
	return await(s, RecordGrant{g})
}

// asks says whether the order needs consent to a shared checkout: an offer
// asks for its own unless the person chose otherwise, the composer's message
// only when the person said so.
func asks(o Order) bool {
	return o.Wish == worktree.WishWorktree || o.Proposal != "" && o.Wish != worktree.WishShared
}

func answered(s State, yes bool) (State, Effect) {
	if yes {
		return await(s, RecordGrant{s.Granted})
	}
	s.Err = &session.Error{
		Code:    session.CodeConsent,
		Message: "not started: a checkout of its own was asked for, and running in the shared one was not agreed to",
		Hint:    "the prompt is the thread's draft; to run it there, choose the shared checkout (--shared)",
	}
	return await(s, Fail{"Not started: running in the shared checkout was not agreed to", true})
}

// fail goes on after an effect that failed. Until the prompt is recorded the
// offer stands again; from there on the start has happened, and only the
// delivery can fail. When a tidying effect fails itself, the claim stays for
// the next recovery.
func fail(s State, err error) (State, Effect) {
	awaited := s.Awaits
	if s.Err == nil {
		s.Err = err
	} else {
		s.Err = errors.Join(s.Err, err)
	}
	if errors.Is(err, ErrLost) {
		return end(s, s.Err)
	}
	switch awaited.(type) {
	case CreateThread, Grant, AskShared, RecordGrant, RecordPrompt:
		return await(s, Fail{sentence("Not started", err), keepsDraft(s.Start.Order)})
	case Launch:
		return await(s, Undelivered{sentence("The prompt was not delivered", err)})
	}
	return end(s, s.Err)
}

// keepsDraft says whether the prompt would be lost with a failed start: an
// offer keeps its own prompt, but not what the person made of it.
func keepsDraft(o Order) bool { return o.Proposal == "" || o.Edited }

// sentence says what happened and why, for the thread that shows it.
func sentence(what string, err error) string {
	why := err.Error()
	var fault *session.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		why = "it was interrupted"
	case errors.As(err, &fault):
		why = fault.Error()
		if fault.Hint != "" {
			why += ". " + fault.Hint
		}
	}
	return oneLine(what+": "+why, textMax)
}
