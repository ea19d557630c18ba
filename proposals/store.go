package proposals

import (
	"context"
	"time"

	"aside/session"
	"aside/worktree"
)

// StandingMax is how many standing offers a thread holds
// (contracts/proposed-threads.md, The tool).
const StandingMax = 20

// Author says who wrote a prompt. The dispatcher neutralises what a model
// wrote (contracts/proposed-threads.md, Starting 9).
type Author string

// The authors of a prompt.
const (
	AuthorModel  Author = "model"
	AuthorPerson Author = "person"
)

// Order is what a person asked to be started: an offer as its card showed it
// or as the person edited it, or the composer's first message. It is stored
// as JSON with the start.
type Order struct {
	Proposal   session.ProposalID `json:"proposal,omitempty"`    // "": the composer's first message
	ProposedIn session.ThreadID   `json:"proposed_in,omitempty"` // the offering thread
	// Thread names the empty thread to start when there is no proposal: one
	// whose earlier start failed. "" means a new thread. With a proposal it
	// is not read: the store finds the thread an earlier start left.
	Thread  session.ThreadID `json:"thread,omitempty"`
	Project string           `json:"project"` // absolute folder
	// Dir is the folder whose HEAD is the base by default: the offering
	// thread's, else the project's.
	Dir    string        `json:"dir"`
	Title  string        `json:"title"`
	Prompt string        `json:"prompt"`
	Author Author        `json:"author"`
	Edited bool          `json:"edited,omitempty"` // the person changed what the card showed
	Agent  string        `json:"agent"`            // name of its adapter
	Model  string        `json:"model,omitempty"`
	Wish   worktree.Wish `json:"wish"`
	Base   string        `json:"base,omitempty"`  // a ref; "" is Dir's HEAD
	Carry  bool          `json:"carry,omitempty"` // take Dir's uncommitted work along
}

// checked returns the order as it is started. A prompt that came from a
// proposal stays the model's, edited or not.
func (o Order) checked() (Order, error) {
	if err := CheckPrompt(o.Prompt); err != nil {
		return o, err
	}
	if o.Title = oneLine(o.Title, titleMax); o.Title == "" {
		o.Title = titleFrom(o.Prompt)
	}
	if o.Proposal != "" || o.Author != AuthorPerson {
		o.Author = AuthorModel
	}
	return o, nil
}

// Step is the last durable step of a start.
type Step string

// The steps in their order, and the two ends of a start whose prompt was
// recorded.
const (
	StepTaken       Step = "taken"       // the proposal is claimed
	StepCreated     Step = "created"     // the thread is written
	StepGranted     Step = "granted"     // its checkout is written
	StepPrompted    Step = "prompted"    // the prompt is its first entry, the turn is queued
	StepStarted     Step = "started"     // the answer is written
	StepDispatched  Step = "dispatched"  // end: a helper has it
	StepUndelivered Step = "undelivered" // end: the prompt is the thread's draft again
)

// Prompted says that the prompt is recorded: from there on a start only goes
// forward.
func (s Step) Prompted() bool {
	return s == StepPrompted || s == StepStarted || s.Ended()
}

// Ended says that nothing is left to do.
func (s Step) Ended() bool { return s == StepDispatched || s == StepUndelivered }

// Taker is who holds a start: one walk of one process. The zero value holds
// nothing.
type Taker struct {
	PID   int    `json:"pid"`
	Stamp string `json:"stamp"` // when the process began, so that a pid used again is not taken for it
	Nonce string `json:"nonce"` // this walk; no other has it
}

// Start is the durable walk of an order. A failed one keeps its row, held by
// nobody, so that a retry finds its empty thread.
type Start struct {
	Thread session.ThreadID
	Order  Order
	Step   Step
	Taker  Taker // zero when nobody holds it
	// Checkout and Cwd are the recorded grant; a grant that an earlier walk
	// of the same thread recorded stays here through Take.
	Checkout session.Checkout
	Cwd      string
}

// OfferResult says what became of an offer. The agent does not learn the
// difference between the first two.
type OfferResult string

// The results of an offer.
const (
	OfferAdded  OfferResult = "added"
	OfferFolded OfferResult = "folded" // the thread has it already
	OfferFull   OfferResult = "full"   // the thread holds StandingMax of them
)

// Filter chooses proposals.
type Filter struct {
	Thread session.ThreadID // offered there; "" is any
	All    bool             // settled and withdrawn ones too, else only what stands
}

// Store keeps proposals, their answers and the starts under way. Package
// storage implements it.
//
// Every method is one transaction, durable when it returns, and safe across
// processes: what it checks still holds when it writes. A method that finds
// no such thing returns a session.Error of CodeNotFound. Where the rules say
// no it returns what MayStart, MayDismiss or MayRestore return for the
// proposal it read, a session.Error of CodeSettled. All times are the
// caller's.
//
// The steps from CreateThread to Undelivered are taken only while s.Taker
// holds the start of s.Thread; otherwise they change nothing and return
// ErrLost. They read the order and the grant of the stored start, not of s.
//
// A proposal is standing when it has no answer row (or one of unknown
// status) and is not withdrawn; it is starting while a start that names it is
// held and has not reached StepStarted.
type Store interface {
	// Offer adds p, a standing proposal, as an entry of its thread's
	// transcript; p.Thread and p.CallID are its identity, Arguments(p) is
	// what is stored and Decode what reads it again. When the thread
	// has that call already, or a proposal with the same fold key that is
	// not withdrawn, whatever its answer, nothing is added: OfferFolded with
	// that one's id. Otherwise, when most of its proposals stand already:
	// OfferFull with "".
	Offer(ctx context.Context, p session.Proposal, foldKey string, most int) (OfferResult, session.ProposalID, error)

	// Withdraw takes an own offer of the thread back when it is standing and
	// not starting; done says whether it did. CodeNotFound when the thread
	// never offered it.
	Withdraw(ctx context.Context, thread session.ThreadID, id session.ProposalID, at time.Time) (done bool, err error)

	// Proposal returns the proposal with its answer as it is now.
	Proposal(ctx context.Context, id session.ProposalID) (session.Proposal, error)
	// FindProposal returns the proposal whose id begins with prefix;
	// CodeUsage, naming them, when there are several.
	FindProposal(ctx context.Context, prefix string) (session.Proposal, error)
	// Proposals returns the chosen proposals, standing ones first, then the
	// newest first.
	Proposals(ctx context.Context, f Filter) ([]session.Proposal, error)

	// Dismiss records "not now"; see MayDismiss.
	Dismiss(ctx context.Context, id session.ProposalID, at time.Time) error
	// Restore deletes the row of a dismissed proposal; see MayRestore.
	Restore(ctx context.Context, id session.ProposalID, at time.Time) error

	// Take claims the order for the taker and returns its start at
	// StepTaken: a compare-and-set.
	//
	// With a proposal it must be one that MayStart allows, where a holder
	// for whom dead returns true holds no longer, unless its start has
	// reached StepPrompted: that one is as good as started (CodeSettled).
	// Where an earlier start of the proposal left a thread that is still
	// there, the start goes on with that thread and keeps its recorded
	// grant; otherwise its thread is fresh, not yet written.
	//
	// Without a proposal the thread is order.Thread, or fresh when that is
	// "". An order.Thread that has had a turn, or whose start somebody alive
	// holds, is CodeSettled: use ErrNotEmpty and ErrStarting.
	Take(ctx context.Context, order Order, fresh session.ThreadID, by Taker, at time.Time, dead func(Taker) bool) (Start, error)

	// CreateThread writes the start's thread: title, agent, model, project,
	// and proposed_by when there is a proposal. When the thread is there it
	// sets title, agent and model and clears its problem; the draft stays.
	// StepCreated.
	CreateThread(ctx context.Context, s Start, at time.Time) error
	// RecordGrant writes the thread's checkout and cwd. StepGranted.
	RecordGrant(ctx context.Context, s Start, checkout session.Checkout, cwd string, at time.Time) error
	// RecordPrompt writes the prompt as the thread's first transcript entry
	// and queues it as a turn of human origin with the order's author; a
	// draft that says the same is cleared. StepPrompted.
	RecordPrompt(ctx context.Context, s Start, turn session.TurnID, at time.Time) error
	// RecordStarted writes the answer: started, with the thread and the mode
	// of the recorded grant. Without a proposal, or when the offering thread
	// is gone, it only advances the step. StepStarted.
	RecordStarted(ctx context.Context, s Start, at time.Time) error
	// MarkDispatched ends the start: a helper has the queued turn.
	// StepDispatched.
	MarkDispatched(ctx context.Context, s Start, at time.Time) error

	// Fail drops the claim of a start that has not reached StepPrompted; one
	// that has is not changed, which is an error. Its row stays, held by nobody. The thread, if it is written, shows reason
	// as its problem; with keepDraft the prompt becomes its draft, see Draft.
	// With keepDraft a thread that is not written yet is written first, so
	// that the prompt has somewhere to stay.
	Fail(ctx context.Context, s Start, reason string, keepDraft bool, at time.Time) error
	// Undelivered ends a start whose prompt was recorded but not handed on.
	// When the turn has been dispatched after all it is MarkDispatched.
	// Otherwise the turn is no longer queued, the prompt becomes the
	// thread's draft (see Draft) and reason its problem. StepUndelivered.
	Undelivered(ctx context.Context, s Start, reason string, at time.Time) error

	// Unfinished returns the starts that somebody holds and that have not
	// ended.
	Unfinished(ctx context.Context) ([]Start, error)
	// TakeOver moves the claim of s from s.Taker to by, when s.Taker still
	// holds it; else ErrLost. The step does not change.
	TakeOver(ctx context.Context, s Start, by Taker) (Start, error)
	// StartOf returns the last start of the thread, CodeNotFound when it had
	// none.
	StartOf(ctx context.Context, thread session.ThreadID) (Start, error)
}

// Draft returns the draft of a thread that gets prompt back: what the person
// has in the draft by now is not lost, it follows after a blank line.
func Draft(prompt, draft string) string {
	if draft == "" || draft == prompt {
		return prompt
	}
	return prompt + "\n\n" + draft
}
