// Package client is the other end of a helper's socket: the requests a
// helper answers, the attachment by which the screen follows a thread, and
// the start of a helper.
package client

import (
	"time"

	"aside/proposals"
	"aside/session"
)

// The operations of a helper beside those of the hook bridge. All but
// OpAttach are one request and one reply.
const (
	OpStatus   = "status"    // → Status
	OpAnswer   = "answer"    // session.Answer → session.Receipt
	OpSend     = "send"      // SendRequest → Delivery, when it is known
	OpWait     = "wait"      // WaitRequest → Delivery or nothing, when it has come
	OpScreen   = "screen"    // ScreenRequest → Screen
	OpExplain  = "explain"   // → Explanation
	OpHandOver = "hand_over" // session.Answer without option → nothing
	OpStop     = "stop"      // → nothing, when the agent has ended
	OpRelaunch = "relaunch"  // Relaunch → Relaunched, when the agent runs
	OpAttach   = "attach"    // Up lines one way, Down lines the other, until one side ends it
)

// Status is what a helper tells of its thread.
type Status struct {
	PID       int                  `json:"pid"`
	Status    session.Status       `json:"status"`
	NeedsYou  bool                 `json:"needs_you"`
	Decisions []session.Decision   `json:"decisions"`
	Panes     []session.PaneInfo   `json:"panes,omitempty"`
	Cards     []session.ActionCard `json:"cards,omitempty"`
}

// Explanation says why a thread's state is what it is.
type Explanation struct {
	Current session.Status     `json:"current"`
	Reports []session.Status   `json:"reports"` // the last from each source, the newest first
	Pending []session.Decision `json:"pending"` // in order of arrival
	// Asked is what agents ask in their own prompts, as far as their events tell.
	Asked []session.Decision `json:"asked,omitempty"`
}

// SendRequest asks for a further prompt to be given to the agent.
type SendRequest struct {
	Prompt string `json:"prompt"`
	// Author says who wrote it. A model's prompt is neutralised.
	Author proposals.Author `json:"author"`
}

// Delivery is a prompt's receipt.
type Delivery struct {
	Turn      session.TurnID `json:"turn"`
	Delivered bool           `json:"delivered"`
	// Confirmed is false when the agent is of a kind that confirms nothing.
	Confirmed bool   `json:"confirmed"`
	Problem   string `json:"problem,omitempty"`
}

// WaitRequest waits for a prompt's receipt or for the end of the turn that
// is open or about to open.
type WaitRequest struct {
	For string `json:"for"` // WaitDelivery or WaitTurn
}

// Relaunch asks for the agent, which has ended, to be started again in the
// helper that hosts its thread.
type Relaunch struct {
	// Prompted says that this is for the sake of a queued prompt.
	Prompted bool `json:"prompted,omitempty"`
}

// Relaunched answers a Relaunch. Done is false where the helper hosts nothing
// that has to go on: then it is ended, and another one started.
type Relaunched struct {
	Done bool `json:"done"`
}

// What can be waited for.
const (
	WaitDelivery = "delivery"
	WaitTurn     = "turn"
)

// ScreenRequest asks for what is on a pane.
type ScreenRequest struct {
	Pane session.PaneID `json:"pane"`
}

// Screen is what is on a pane: every row, blank ones at the end left out.
type Screen struct {
	Cols  int           `json:"cols"`
	Rows  []session.Row `json:"rows"`
	Title string        `json:"title,omitempty"`
}

// Up is one line from an attached client; exactly one field is set.
type Up struct {
	View    *View           `json:"view,omitempty"`
	Hide    *session.PaneID `json:"hide,omitempty"`
	Input   *PaneInput      `json:"input,omitempty"`
	Ack     bool            `json:"ack,omitempty"` // the last frame was taken; the next may come
	History *HistoryRequest `json:"history,omitempty"`
	// Deciding says that the client shows decisions and lets them be answered:
	// an agent that asks before its own prompt is held only while one does.
	Deciding bool `json:"deciding,omitempty"`
	// Arrange is how the thread's panes are placed now.
	Arrange *session.Layout `json:"arrange,omitempty"`
	// Colors are those of the client's terminal.
	Colors *session.Colors `json:"colors,omitempty"`
}

// View makes a pane visible to the client, at the client's size for it.
type View struct {
	Pane session.PaneID `json:"pane"`
	Cols int            `json:"cols"`
	Rows int            `json:"rows"`
}

// PaneInput is an event for a pane.
type PaneInput struct {
	Pane  session.PaneID `json:"pane"`
	Event session.Input  `json:"event"`
}

// HistoryRequest asks for N rows of scrollback from the number From on, as
// Frame.History counts them.
type HistoryRequest struct {
	ID   int            `json:"id"` // comes back with the answer
	Pane session.PaneID `json:"pane"`
	From int            `json:"from"`
	N    int            `json:"n"`
}

// History answers a HistoryRequest: with the row From first, and without those
// that are not there yet. A row that has gone is blank.
type History struct {
	ID   int           `json:"id"`
	Rows []session.Row `json:"rows"`
}

// Gone says that a decision is no longer asked, and why.
type Gone struct {
	Decision session.DecisionID `json:"decision"`
	Answered string             `json:"answered,omitempty"` // the option's label, if it was answered
	Released session.Release    `json:"released,omitempty"`
}

// Down is one line to an attached client; one field is set. All but
// Frame must arrive, in order; of frames the newest wins.
type Down struct {
	Frame    *session.Frame    `json:"frame,omitempty"`
	Status   *session.Status   `json:"status,omitempty"`
	Decision *session.Decision `json:"decision,omitempty"`
	Gone     *Gone             `json:"gone,omitempty"`
	History  *History          `json:"history,omitempty"`
	Notice   *Notice           `json:"notice,omitempty"`
	Bell     bool              `json:"bell,omitempty"`
	// Clipboard is what the program in a pane asked to be copied.
	Clipboard *Clipboard `json:"clipboard,omitempty"`
	// Ended is the exit status of the agent's program.
	Ended *int `json:"ended,omitempty"`
	// Panes are the thread's panes, whenever one of them is another than
	// before: the newest list is told, not each one.
	Panes []session.PaneInfo `json:"panes,omitempty"`
	// Layout comes with Panes: how they were placed last, nil when they were
	// not.
	Layout *session.Layout `json:"layout,omitempty"`
	// Card is an action card, new or changed; one that is not pending has
	// ended and is not told again.
	Card *session.ActionCard `json:"card,omitempty"`
}

// Clipboard is text that the program in a pane asked to be copied.
type Clipboard struct {
	Pane session.PaneID `json:"pane"`
	Text string         `json:"text"`
}

// Notice is a notification the agent's program asked for.
type Notice struct {
	At    time.Time `json:"at"`
	Title string    `json:"title,omitempty"`
	Text  string    `json:"text"`
}
