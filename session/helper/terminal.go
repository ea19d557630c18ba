package helper

import (
	"sync"
	"time"

	"aside/session"
	"aside/session/client"
	"aside/session/screen"
)

// maxNotice is how much of a notification's text is shown, in bytes.
const maxNotice = 500

// maxSaid is how much programs may tell the person in a second, in bells,
// notifications and clipboards; what is more is dropped. No person reads
// faster, and a flood must not hold the screen up.
const maxSaid = 20

// ration counts what is told.
type ration struct {
	mu    sync.Mutex
	since time.Time
	n     int
}

// take says whether there may be one more.
func (r *ration) take(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.since) >= time.Second {
		r.since, r.n = now, 0
	}
	r.n++
	return r.n <= maxSaid
}

// terminalEvent takes what the program in a pane told its terminal; of states
// it is asked for the agent's alone. It is the
// program's own word: it informs, and never makes a decision.
func (h *Host) terminalEvent(pane session.PaneID, e screen.Event) {
	switch e.Kind {
	case screen.EventBell, screen.EventNotification, screen.EventClipboard:
		if !h.said.take(h.now()) {
			return
		}
	}
	switch e.Kind {
	case screen.EventBell:
		h.tell(client.Down{Bell: true})
	case screen.EventNotification:
		text := session.MarkLine(e.Text)
		if len(text) > maxNotice {
			text = text[:maxNotice] + "…"
		}
		h.tell(client.Down{Notice: &client.Notice{At: h.now(), Title: session.MarkLine(e.Title), Text: text}})
	case screen.EventClipboard:
		h.tell(client.Down{Clipboard: &client.Clipboard{Pane: pane, Text: string(e.Data)}})
	case screen.EventStatus:
		if s, ok := reported(e.Status); ok {
			h.status.report(s, session.SourceTerminal)
		}
	case screen.EventProgress:
		if e.Progress.State == screen.ProgressNone {
			h.status.report(session.StateIdle, session.SourceTerminal)
		} else {
			h.status.report(session.StateWorking, session.SourceTerminal)
		}
	}
}

// reported is the state that a program status (OSC 7501) of the program
// itself tells; those of its parts are not the agent's.
func reported(s screen.ProgramStatus) (session.State, bool) {
	if s.ID != "" {
		return "", false
	}
	switch s.State {
	case "idle":
		return session.StateIdle, true
	case "working":
		return session.StateWorking, true
	case "blocked":
		return session.StateNeedsYou, true
	case "done":
		return session.StateDone, true
	case "error":
		return session.StateFailed, true
	}
	return "", false
}
