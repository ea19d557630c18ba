package tui

import (
	"context"

	"aside/session"
	"aside/session/transcript"
	"aside/worktree"
)

// Backend is everything the screen asks of the rest of the program. The
// methods that take a context may wait and are called from commands, never
// from Update; several may run at the same time. Those without one must
// return at once: they are called from Update so that their order holds.
//
// Errors are shown as they are: a session.Error's sentence, then its hint.
type Backend interface {
	// Threads returns the project's threads, archived ones too, those of other
	// projects that are live or need the person, and the one that is shown
	// wherever it is; the newest first.
	Threads(ctx context.Context, shown session.ThreadID) ([]session.Thread, error)
	// Remembered returns how the screen was left the last time. RememberScreen
	// keeps which of the project's threads is shown and whether the list of
	// threads is hidden, RememberView what is shown of a thread.
	Remembered(ctx context.Context) (session.Remembered, error)
	RememberScreen(ctx context.Context, shown session.ThreadID, listHidden bool) error
	RememberView(ctx context.Context, thread session.ThreadID, view string) error
	// Entries returns the newest limit entries of a thread in the order they
	// are shown; with before not 0, the newest limit of those that come
	// before the entry with that id.
	Entries(ctx context.Context, thread session.ThreadID, before int64, limit int) ([]transcript.Entry, error)
	// EntriesAround returns an entry with at most so many of those before it
	// and of those behind it, and EntriesAfter the first limit entries behind
	// one, or with 0 from the beginning.
	EntriesAround(ctx context.Context, thread session.ThreadID, entry int64, before, behind int) ([]transcript.Entry, error)
	EntriesAfter(ctx context.Context, thread session.ThreadID, after int64, limit int) ([]transcript.Entry, error)
	// Revision rises with every change to an entry; it is 0 when there is none.
	// EntriesSince returns what is new or shows something else since one, at most limit
	// entries, with the revision to go on from.
	Revision(ctx context.Context) (int64, error)
	EntriesSince(ctx context.Context, thread session.ThreadID, revision int64, limit int) ([]transcript.Entry, int64, error)
	// Seek returns entries of a kind, the nearest first.
	Seek(ctx context.Context, q transcript.Seek) ([]transcript.Entry, error)
	// Turns returns those of the turns that have reached the agent.
	Turns(ctx context.Context, thread session.ThreadID, ids []session.TurnID) ([]session.Turn, error)
	// Search finds entries of the project's threads by their words.
	Search(ctx context.Context, q transcript.Query) (transcript.Found, error)
	// Export begins to write a thread's transcript to a new file.
	Export(ctx context.Context, thread session.ThreadID) (Export, error)
	// Proposals returns the proposals of all threads with their answers.
	// Withdrawn ones are left out.
	Proposals(ctx context.Context) ([]session.Proposal, error)
	// Outlook tells which checkout a standing proposal would get if it were
	// started now.
	Outlook(ctx context.Context, id session.ProposalID) (Outlook, error)
	// Bases returns what a proposal's checkout can start from, the one it is
	// started from unless another is chosen first; none where no checkout of
	// its own is possible.
	Bases(ctx context.Context, id session.ProposalID) ([]Base, error)

	// Start runs the accept flow of a proposal and returns the started
	// thread; it may take seconds. Where the flow needs a yes, an AskMsg is
	// sent. A thread id can come with an error: the thread is there, and the
	// prompt is its draft.
	Start(ctx context.Context, id session.ProposalID, o StartOptions) (session.ThreadID, error)
	// Dismiss answers a standing proposal with "not now"; Restore takes that
	// answer back.
	Dismiss(ctx context.Context, id session.ProposalID) error
	Restore(ctx context.Context, id session.ProposalID) error

	// New creates a thread and dispatches its first prompt, by the same road
	// as Start.
	New(ctx context.Context, t NewThread) (session.ThreadID, error)
	// Send delivers a prompt to a thread's agent. An error means that it was
	// not delivered; the text is then still the user's.
	Send(ctx context.Context, thread session.ThreadID, prompt string) error
	// Files returns the files of a thread's checkout that fit what was typed of
	// a path, the best first, at most limit; of the project's folder when the
	// thread is "".
	Files(ctx context.Context, thread session.ThreadID, typed string, limit int) ([]string, error)
	// SetDraft keeps what the user has not sent yet.
	SetDraft(ctx context.Context, thread session.ThreadID, text string) error
	// Rename, Stop and Resume change a thread. Stop ends its agent, Resume
	// starts it again.
	Rename(ctx context.Context, thread session.ThreadID, title string) error
	Stop(ctx context.Context, thread session.ThreadID) error
	Resume(ctx context.Context, thread session.ThreadID) error
	// Archive takes a thread that does not run off the list, or brings it back.
	Archive(ctx context.Context, thread session.ThreadID, archived bool) error
	// Removal tells what Remove would do, one sentence a line: what goes and
	// what is kept where; keeps says that the thread's worktree holds work, so
	// that only keeping it is possible. Remove does it and tells what it did.
	Removal(ctx context.Context, thread session.ThreadID) (lines []string, keeps bool, err error)
	Remove(ctx context.Context, thread session.ThreadID, keep bool) (string, error)

	// Answer answers a decision. An outcome other than answered is no error.
	Answer(ctx context.Context, thread session.ThreadID, a session.Answer) (session.Receipt, error)
	// HandOver releases a decision without a verdict, so that the agent's own
	// prompt in the terminal is in charge.
	HandOver(ctx context.Context, thread session.ThreadID, id session.DecisionID) error

	// Confirm has a choice of an action card done; CancelCard ends the card
	// without doing anything. An outcome other than answered is no error.
	Confirm(ctx context.Context, thread session.ThreadID, c session.Confirmation) (session.CardReceipt, error)
	CancelCard(ctx context.Context, thread session.ThreadID, card session.CardID) (session.CardReceipt, error)

	// OpenPane opens a shell pane in a thread and returns it. ClosePane ends
	// one; without force only if nothing but its shell runs in it, else running
	// says what does. RestartPane starts a shell anew where one has ended.
	OpenPane(ctx context.Context, thread session.ThreadID, o NewPane) (session.PaneInfo, error)
	ClosePane(ctx context.Context, thread session.ThreadID, pane session.PaneID, force bool) (running string, err error)
	RestartPane(ctx context.Context, thread session.ThreadID, pane session.PaneID) error
	// RenamePane gives a shell pane a name; "" takes it away. ActivatePane
	// makes it the one that an action card reaches.
	RenamePane(ctx context.Context, thread session.ThreadID, pane session.PaneID, name string) error
	ActivatePane(ctx context.Context, thread session.ThreadID, pane session.PaneID) error

	// ChangesOf counts what a thread has changed; it may be a few seconds old.
	ChangesOf(ctx context.Context, thread session.ThreadID) (worktree.Tally, error)
	// Review returns what a thread has changed, committed or not.
	Review(ctx context.Context, thread session.ThreadID) (worktree.Diff, error)
	// Comment sends a comment to a thread's agent as a prompt that quotes the
	// lines, and returns the receipt as a sentence. An error means that it was
	// not delivered.
	Comment(ctx context.Context, thread session.ThreadID, c Comment) (string, error)
	// FinishPlan returns the steps that are left to finish a thread, the one to
	// do first before the others; nothing is done. FinishStep does the first
	// one, if it is still the one that was shown with the token, and returns
	// what was done as a sentence; after an error everything is as before.
	FinishPlan(ctx context.Context, thread session.ThreadID, f Finish) ([]FinishStep, error)
	FinishStep(ctx context.Context, thread session.ThreadID, f Finish, token string) (string, error)
	// FinishChoices returns what there is to choose before.
	FinishChoices(ctx context.Context, thread session.ThreadID) (FinishChoices, error)

	// History returns n rows of a pane's scrollback beginning with the row
	// from, as Frame.History counts them; one that has gone is blank.
	History(ctx context.Context, thread session.ThreadID, pane session.PaneID, from, n int) ([]session.Row, error)

	// View says that a pane is on the screen with this size. Frames are sent
	// for panes in view only, the first of them Full. Calling it again
	// resizes.
	View(thread session.ThreadID, pane session.PaneID, cols, rows int)
	// SetColors tells the colours of the terminal that the screen is in, which
	// programs in panes may ask for.
	SetColors(c session.Colors)
	// Hide says that a pane is no longer on the screen.
	Hide(thread session.ThreadID, pane session.PaneID)
	// Arrange keeps how a thread's panes are placed, for the next screen. Calls
	// keep their order.
	Arrange(thread session.ThreadID, l session.Layout)
	// Input queues an event for a pane. Events reach the pane in the order of
	// the calls.
	Input(thread session.ThreadID, pane session.PaneID, in session.Input)

	// OpenLink opens the target of a link that was shown in a thread's
	// terminal, outside of aside. It is false, without an error, where nothing
	// opens links. Addresses of pages and of mail are opened, and documents of
	// the thread's checkout; the error says why another one is not.
	OpenLink(ctx context.Context, thread session.ThreadID, target string) (bool, error)

	// Agents returns the agents that can run here, the preferred one first.
	Agents() []AgentChoice
	// Project is the project's folder, as threads name it; Shown is a folder as
	// the person reads it.
	Project() string
	Shown(folder string) string
}

// Export is a transcript on its way into a file. It ends with a Step that says
// done or fails, or with Abandon, which takes the file away; none of them is
// called while another runs.
type Export interface {
	Path() string
	Written() (entries, all int)
	Step(ctx context.Context) (done bool, err error)
	Abandon() error
}

// Outlook is the checkout that a proposal would get. Text is the chip on its
// card: what it would be made from and what is left out, or with Blocked, why
// a checkout of its own is not possible (contracts/proposed-threads.md,
// Checkout policy).
type Outlook struct {
	Text    string
	Blocked bool
}

// Base is where the checkout of a proposal can start from.
type Base struct {
	Ref  string // for StartOptions.Base
	Name string // for the person
	// What the offering thread has and a checkout from here would not: its
	// commits, and its uncommitted files, which can be carried along.
	Commits, Uncommitted int
}

// StartOptions are the choices a person makes with the start of a proposal;
// the zero value starts it as it was offered.
type StartOptions struct {
	Title  string // "" is the offer's
	Prompt string // "" is the offer's
	Agent  string // AgentChoice.Name; "" is the offering thread's
	Model  string // as the agent names it; "" is the agent's or the thread's
	Base   string // Base.Ref, or a name that Git knows
	Carry  bool   // take the offering thread's uncommitted files along
	Shared bool   // in the project's own work tree
}

// NewThread is a thread as the person asks for it.
type NewThread struct {
	Title  string // one line, from the prompt
	Prompt string
	Agent  string // AgentChoice.Name
}

// NewPane is a shell pane as the person asks for it.
type NewPane struct {
	Place      session.Place
	Direction  session.Direction // of a split
	Beside     session.PaneID    // the pane that is split
	Cols, Rows int               // its first size
}

// Comment is what a person says about lines of a diff.
type Comment struct {
	Path  string
	Lines []worktree.Line // as the person saw them
	Text  string
}

// The ways to finish a thread; each commits first what is left.
const (
	FinishMerge  = "merge"
	FinishRebase = "rebase"
	FinishPush   = "push"
	FinishCommit = "commit"
)

// Finish is how a person wants to finish a thread.
type Finish struct {
	How     string
	Into    string // branch; "" is the first of the choices
	Message string // of commits that are made; "" is that of the choices
}

// FinishChoices are the message of the commits that are made, and the branches
// that a thread's work can go into, where nothing else is said: the first one.
type FinishChoices struct {
	Message  string
	Branches []string
}

// FinishStep is one step of finishing a thread, as it is shown before it is
// done.
type FinishStep struct {
	Title    string
	Commands []string // what is done, as one would type it
	Dir      string   // where they run
	Notes    []string // sentences about what to know before
	ByHand   bool     // it is the person's own to run
	Token    string   // stands for the step as it was shown
}

// AgentChoice is an agent that a new thread can run.
type AgentChoice struct {
	Name  string // of its adapter
	Label string // for the person
}

// Ask is a question that a start cannot go on without, such as whether a
// shared checkout will do.
type Ask struct {
	Title  string // of the thread to be started
	Lines  []string
	Yes    string // what yes does, as a short label
	No     string // what no does
	Thread session.ThreadID
}
