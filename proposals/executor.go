package proposals

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"aside/session"
)

// Checkouts grants checkouts by the checkout policy.
type Checkouts interface {
	// Grant returns a checkout that is ready and, when it is a worktree,
	// proven to be isolated (contracts/proposed-threads.md, Starting 4 and
	// 5). It is called again with the same thread after a failure or a
	// crash, and then finds what it made before instead of making a second
	// one. A block by the policy is a session.Error of CodeBlocked.
	Grant(ctx context.Context, r GrantRequest) (Granted, error)
}

// Executor carries out the effects of walks. Its fields are set before its
// first use and not changed after; it is safe for concurrent use.
type Executor struct {
	Store     Store
	Checkouts Checkouts
	// Launch has a helper host the thread, which dispatches the queued turn.
	// It returns when the helper has taken it on.
	Launch func(ctx context.Context, thread session.ThreadID) error
	// Consent asks the person; a command line without a terminal answers no.
	Consent func(ctx context.Context, a Ask) bool
	// Self is this process. The nonce is not read.
	Self Taker
	// Dead says that the taker's process is gone; see Taker.Dead.
	Dead func(Taker) bool
	Now  func() time.Time
	// Progress, if set, hears of every durable step, on the goroutine of
	// the walk.
	Progress func(thread session.ThreadID, step Step)

	mu sync.Mutex
	// stuck holds the nonces of walks of this process that have ended
	// without dropping their claim, because the store failed.
	stuck map[string]bool
}

// settleTime bounds the tidying after a walk whose context has ended.
const settleTime = 30 * time.Second

// Start walks the order: the start of a proposal, or the composer's first
// message. It returns when a helper has the prompt. The thread is returned
// with an error too when there is one: what became of it is shown there.
//
// Errors are those of Store.Take and of Checkouts; CodeConsent when the
// shared checkout was declined; CodeUsage for a prompt that cannot be handed
// to an agent. When ctx ends before the prompt is recorded, the start fails
// and the offer stands.
func (x *Executor) Start(ctx context.Context, order Order) (session.ThreadID, error) {
	order, err := order.checked()
	if err != nil {
		return "", err
	}
	return x.walk(ctx, Begin{order})
}

// Retry starts an empty thread again whose earlier start failed, with what
// its draft says now. CodeNotFound when the thread had no start; otherwise
// as Start.
func (x *Executor) Retry(ctx context.Context, thread session.ThreadID, prompt string) (session.ThreadID, error) {
	last, err := x.Store.StartOf(ctx, thread)
	if err != nil {
		return "", err
	}
	order := last.Order
	if order.Prompt != prompt {
		order.Prompt, order.Edited = prompt, true
	}
	if order.Proposal == "" {
		order.Thread = thread
	}
	return x.Start(ctx, order)
}

// Recover brings every start whose taker died to a truthful state: before
// the prompt was recorded the offer stands again; after it, the answer is
// recorded and the prompt is kept as the thread's draft, since an agent is
// never launched behind the person's back. It is called whenever aside looks
// at a store anew. A start that another process recovers first is left to it.
func (x *Executor) Recover(ctx context.Context) error {
	starts, err := x.Store.Unfinished(ctx)
	if err != nil {
		return fmt.Errorf("find unfinished starts: %w", err)
	}
	var errs []error
	for _, s := range starts {
		if !x.dead(s.Taker) {
			continue
		}
		by := x.taker()
		mine, err := x.Store.TakeOver(ctx, s, by)
		if errors.Is(err, ErrLost) {
			continue
		}
		if err == nil {
			_, err = x.walk(ctx, Recover{mine})
		} else {
			x.leave(by) // it may have been written all the same
		}
		if err != nil && !errors.Is(err, ErrLost) {
			errs = append(errs, fmt.Errorf("recover the start of thread %s: %w", s.Thread, err))
		}
	}
	return errors.Join(errs...)
}

func (x *Executor) walk(ctx context.Context, e Event) (session.ThreadID, error) {
	state, effect := Next(State{}, e)
	for effect != nil {
		step := state.Start.Step
		e := x.carryOut(ctx, state, effect)
		state, effect = Next(state, e)
		if s := state.Start; s.Step != step && x.Progress != nil {
			x.Progress(s.Thread, s.Step)
		}
	}
	if s := state.Start; s.Taker != (Taker{}) && !s.Step.Ended() {
		x.leave(s.Taker)
	}
	return state.Start.Thread, state.Err
}

// carryOut does what the effect says and returns its outcome. The end of ctx
// stops a walk until the prompt is recorded; what follows is written all the
// same.
func (x *Executor) carryOut(ctx context.Context, state State, e Effect) Event {
	s := state.Start
	if err := ctx.Err(); err != nil && !s.Step.Prompted() {
		if _, tidies := e.(Fail); !tidies {
			return interrupted(err)
		}
	}
	switch e := e.(type) {
	case Take:
		return x.take(ctx, e.Order)
	case Grant:
		g, err := x.Checkouts.Grant(ctx, e.Request)
		if err != nil {
			return Failed{err}
		}
		return WasGranted{g}
	case AskShared:
		yes := x.Consent(ctx, e.Ask)
		if err := ctx.Err(); err != nil { // not an answer
			return interrupted(err)
		}
		return WasAnswered{yes}
	case Launch:
		return outcome(x.Launch(ctx, s.Thread))
	}
	return outcome(x.write(ctx, s, e))
}

func (x *Executor) take(ctx context.Context, order Order) Event {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	by := x.taker()
	s, err := x.Store.Take(ctx, order, session.ThreadID(session.NewID()), by, x.Now(), x.dead)
	if err != nil {
		if session.CodeOf(err) == session.CodeFailed {
			x.leave(by) // it may have been written all the same
		}
		return Failed{err}
	}
	return WasTaken{s}
}

// write does an effect that is a step of the store, whole even when ctx ends
// meanwhile: half a walk is worse than a late one.
func (x *Executor) write(ctx context.Context, s Start, e Effect) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	switch e := e.(type) {
	case CreateThread:
		return x.Store.CreateThread(ctx, s, x.Now())
	case RecordGrant:
		return x.Store.RecordGrant(ctx, s, e.Granted.Checkout, e.Granted.Cwd, x.Now())
	case RecordPrompt:
		return x.Store.RecordPrompt(ctx, s, session.TurnID(session.NewID()), x.Now())
	case RecordStarted:
		return x.Store.RecordStarted(ctx, s, x.Now())
	case MarkDispatched:
		return x.Store.MarkDispatched(ctx, s, x.Now())
	case Fail:
		return x.Store.Fail(ctx, s, e.Reason, e.KeepDraft, x.Now())
	case Undelivered:
		return x.Store.Undelivered(ctx, s, e.Reason, x.Now())
	}
	return fmt.Errorf("carry out %T: no such effect", e)
}

func interrupted(err error) Event {
	return Failed{&session.Error{Code: session.CodeFailed, Message: "the start was interrupted", Cause: err}}
}

func outcome(err error) Event {
	if err != nil {
		return Failed{err}
	}
	return Done{}
}

// taker returns the taker of a new walk.
func (x *Executor) taker() Taker {
	t := x.Self
	t.Nonce = session.NewID()
	return t
}

// dead says that a taker does not go on: its process is gone, or it was a
// walk of this one that ended.
func (x *Executor) dead(t Taker) bool {
	x.mu.Lock()
	left := x.stuck[t.Nonce]
	x.mu.Unlock()
	return left || x.Dead(t)
}

func (x *Executor) leave(t Taker) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stuck == nil {
		x.stuck = map[string]bool{}
	}
	x.stuck[t.Nonce] = true
}
