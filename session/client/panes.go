package client

import "aside/session"

// The operations on a thread's panes and action cards.
const (
	OpPanes        = "panes"         // → []session.PaneInfo
	OpOpenPane     = "open_pane"     // OpenPane → session.PaneInfo
	OpClosePane    = "close_pane"    // PaneRequest → Closed, when its programs have ended
	OpRestartPane  = "restart_pane"  // PaneRequest → nothing
	OpRenamePane   = "rename_pane"   // PaneRequest → nothing
	OpActivatePane = "activate_pane" // PaneRequest → nothing

	OpCards   = "cards"   // → []session.ActionCard, those that wait
	OpConfirm = "confirm" // session.Confirmation → session.CardReceipt, when it is dispatched
	OpCancel  = "cancel"  // session.Confirmation, its card → session.CardReceipt

	// OpPropose takes an actions.Submission. It is answered with an
	// actions.Reply, and when that accepts, with a second and last one.
	OpPropose = "propose_actions"
)

// OpenPane asks for a new shell pane, which becomes the active one.
type OpenPane struct {
	Place     session.Place     `json:"place,omitempty"` // tab when it is ""
	Direction session.Direction `json:"direction,omitempty"`
	Beside    session.PaneID    `json:"beside,omitempty"` // the pane that is split
	Cwd       string            `json:"cwd,omitempty"`    // folder; the thread's own when it is ""
	Name      string            `json:"name,omitempty"`
	Cols      int               `json:"cols,omitempty"`
	Rows      int               `json:"rows,omitempty"`
}

// PaneRequest names a pane, and for a new name that.
type PaneRequest struct {
	Pane  session.PaneID `json:"pane"`
	Name  string         `json:"name,omitempty"`
	Force bool           `json:"force,omitempty"` // close it whatever runs in it
}

// Closed answers the request to close a pane. Where a program runs in it and
// nobody said force, it is not closed, and Running is that program.
type Closed struct {
	Running string `json:"running,omitempty"`
}
