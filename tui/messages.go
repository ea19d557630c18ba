package tui

import "aside/session"

// The messages that the relay of main sends into the program. Frames may be
// merged with newer ones on the way; all others arrive, and in order.
type (
	// FrameMsg is what is new on a pane in view.
	FrameMsg struct {
		Thread session.ThreadID
		Frame  session.Frame
	}

	// StoreChangedMsg says that threads, entries or proposals have changed.
	StoreChangedMsg struct{}

	// DecisionMsg is a decision that waits. The ones that wait already are
	// sent when the screen opens, and again when a helper is reached anew.
	DecisionMsg struct{ Decision session.Decision }

	// DecisionGoneMsg says that a decision waits no longer. Reason is shown
	// for a moment: a session.Release, or how it was answered elsewhere.
	DecisionGoneMsg struct {
		ID     session.DecisionID
		Reason string
	}

	// StatusMsg is a thread's new state.
	StatusMsg struct {
		Thread session.ThreadID
		Status session.Status
	}

	// ExitMsg says that the program in a pane has ended.
	ExitMsg struct {
		Thread session.ThreadID
		Pane   session.PaneID
		Code   int
	}

	// CardMsg is an action card, new or changed; one that does not wait any
	// more comes a last time. The ones that wait already are sent when the
	// screen opens.
	CardMsg struct{ Card session.ActionCard }

	// PanesMsg are a thread's panes, as they are now, and how they were placed
	// last, if they were.
	PanesMsg struct {
		Thread session.ThreadID
		Panes  []session.PaneInfo
		Layout session.Layout
	}

	// StepMsg says what the start of a thread is at; Doing is "" at its end.
	StepMsg struct {
		Thread session.ThreadID
		Doing  string // such as "making its checkout"
	}

	// NoticeMsg is a sentence for the person, with a hint or "". That of a thread
	// may be its programs' own: its title is said before it.
	NoticeMsg struct {
		Thread session.ThreadID // or ""
		Text   string
		Hint   string
	}

	// ClipboardMsg is text that the program in a pane wants on the clipboard.
	ClipboardMsg struct {
		Thread session.ThreadID
		Pane   session.PaneID
		Text   string
	}

	// AskMsg asks the person a question. Reply is called once, outside of
	// Update, unless the screen is closed first: the asker then takes no for
	// the answer.
	AskMsg struct {
		Ask   Ask
		Reply func(yes bool)
	}
)
