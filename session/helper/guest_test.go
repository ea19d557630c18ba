package helper_test

import (
	"strings"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
)

// before is an agent that shows its own prompt only after its hook.
var before = agent.Capabilities{Hooks: true, ConfirmsPrompts: true, Hold: agent.HoldBefore}

// watch attaches a client that shows decisions, and returns when the helper
// knows that.
func (h *hosted) watch() *client.Attachment {
	h.t.Helper()
	a, downs := h.follow()
	for _, up := range []client.Up{{Deciding: true}, {History: &client.HistoryRequest{ID: 1, Pane: session.PaneAgent}}} {
		if err := a.Send(up); err != nil {
			h.t.Fatal(err)
		}
	}
	for receive(h.t, downs).History == nil {
	}
	return a
}

func (h *hosted) pending() []session.Decision {
	h.t.Helper()
	st, err := call[client.Status](h, client.OpStatus, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return st.Decisions
}

func TestAnAgentThatAsksAfterwardsIsHeldOnlyWhileAScreenIsAttached(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: `exec cat`, caps: before}}); err != nil {
		t.Fatal(err)
	}
	h.follow() // it looks at the terminal and shows no decisions
	if r, err := h.hook("asked", said{Session: "s1", Title: "make"}); err != nil || r.Released != string(session.ReleaseUnwatched) {
		t.Fatalf("with nobody to answer the hook was told %+v, %v", r, err)
	}
	if left := h.pending(); len(left) != 0 {
		t.Errorf("pending %+v", left)
	}

	one, two := h.watch(), h.watch()
	d, replies := h.ask("make")
	if held := d.Deadline.Sub(d.ReceivedAt); held > 30*time.Second || held < 29*time.Second {
		t.Errorf("it is held for %v, want 30 s", held)
	}
	_ = one.Close()
	if r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeAnswered {
		t.Errorf("with one screen left: %+v, %v", r, err)
	}
	receive(t, replies)

	_, replies = h.ask("make again")
	_ = two.Close()
	wantReleased(t, replies, session.ReleaseUnwatched)
}

func TestAnAgentThatCannotBeHeldIsNot(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: `exec cat`, caps: agent.Capabilities{Hooks: true}}}); err != nil {
		t.Fatal(err)
	}
	h.watch()
	if r, err := h.hook("asked", said{Session: "s1", Title: "make"}); err != nil || r != (wire.HookReply{}) {
		t.Errorf("the hook was told %+v, %v", r, err)
	}
	if th := h.thread(); th.State != session.StateNeedsYou || len(h.pending()) != 0 {
		t.Errorf("state %s, pending %+v", th.State, h.pending())
	}
}

func (h *hosted) visit(event string, s said) (wire.HookReply, error) {
	return h.hookAs(wire.Request{Thread: string(h.id), Pane: string(session.PaneAgent), Agent: "visitor"}, event, s)
}

// An agent started by hand in a pane whose own program has no hooks is held
// and answered like any other.
func TestAGuestIsHeldAndAnswered(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: `exec cat`}}); err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(session.Decision){
		"answered": func(d session.Decision) {
			if r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeAnswered {
				t.Errorf("got %+v, %v", r, err)
			}
		},
		"its tool is done":           func(session.Decision) { _, _ = h.visit("tool-done", said{Session: "s1", CallID: "c1"}) },
		"it was prompted":            func(session.Decision) { _, _ = h.visit("prompted", said{Session: "s1", Prompt: "next"}) },
		"another conversation began": func(session.Decision) { _, _ = h.visit("started", said{Session: "s2"}) },
		"the person typed in its pane": func(session.Decision) {
			a, _ := h.follow()
			_ = a.Send(client.Up{Input: &client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Key: &session.KeyEvent{Code: 'y', Text: "y"}}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := h.visit("started", said{Session: "s1"}); err != nil {
				t.Fatal(err)
			}
			replies := make(chan wire.HookReply, 1)
			go func() {
				r, _ := h.visit("asked", said{Session: "s1", Title: "make", CallID: "c1"})
				replies <- r
			}()
			h.until("its decision", func() bool { return len(h.pending()) == 1 })
			d := h.pending()[0]
			if d.Agent != "visitor" || d.Thread != h.id {
				t.Errorf("the decision is %+v", d)
			}
			end(d)
			if r := receive(t, replies); (r.Output == "") == (name == "answered") {
				t.Errorf("the hook was told %+v", r)
			}
		})
	}
	// Its turns are no turns of the thread.
	if th := h.thread(); th.SessionID != "" || th.Turn != nil {
		t.Errorf("thread is %+v", th)
	}
}

func TestAGuestIsRefusedWhereTheThreadsOwnAgentSpeaks(t *testing.T) {
	h := host(t, `exec cat`)
	if _, err := h.visit("started", said{Session: "s1"}); err == nil || !strings.Contains(err.Error(), "visitor") {
		t.Errorf("got %v", err)
	}
	plain := open(t)
	if err := plain.run(options{adapter: scripted{script: `exec cat`}}); err != nil {
		t.Fatal(err)
	}
	r := wire.Request{Thread: string(plain.id), Pane: string(session.PaneAgent), Agent: "stranger"}
	if _, err := plain.hookAs(r, "started", said{Session: "s1"}); err == nil {
		t.Error("an agent of no known kind was not refused")
	}
}

// A question answered in the terminal is over when the program works again,
// though no event says so before its tool is done.
func TestAnAnswerInTheTerminalEndsTheNeed(t *testing.T) {
	h := host(t, `stty -echo; printf '\033]9;4;3\033\\'; echo ready
		read x; printf '\033]9;4;0\033\\'; echo asking
		read x; printf '\033]9;4;3\033\\'; echo working; exec cat`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	_, replies := h.ask("make")
	a, _ := h.follow()
	enter := client.Up{Input: &client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Raw: []byte("\r")}}}
	if err := a.Send(enter); err != nil {
		t.Fatal(err)
	}
	wantReleased(t, replies, session.ReleaseTerminal)
	h.until("asking", func() bool { return strings.Contains(screenText(h), "asking") })
	if th := h.thread(); th.State != session.StateNeedsYou {
		t.Errorf("its own prompt is there, and the state is %s", th.State)
	}
	if err := a.Send(enter); err != nil {
		t.Fatal(err)
	}
	h.until("it works", func() bool { return h.thread().State == session.StateWorking })
}
