package helper_test

import (
	"strings"
	"testing"

	"aside/session"
	"aside/session/agent"
	"aside/session/client"
)

// questioned is an agent that asks, and a person who answers somewhere.
type questioned struct {
	*hosted
	viewer *client.Attachment
}

// step is one thing that happens.
type step func(*questioned)

// asks is held on a question and stays so.
func asks(title string) step {
	return func(q *questioned) { q.ask(title) }
}

// asksUnheld asks and is not held: the hook is told at once.
func asksUnheld(title string) step {
	return func(q *questioned) {
		if r, err := q.hook("asked", said{Session: "s1", Title: title, CallID: title}); err != nil || r.Output != "" {
			q.t.Fatalf("the hook was told %+v, %v", r, err)
		}
	}
}

func tells(event string, s said) step {
	return func(q *questioned) {
		if s.Session == "" {
			s.Session = "s1"
		}
		if _, err := q.hook(event, s); err != nil {
			q.t.Fatal(err)
		}
	}
}

func (q *questioned) decision(title string) session.DecisionID {
	q.t.Helper()
	for _, d := range q.pending() {
		if d.Title == title {
			return d.ID
		}
	}
	q.t.Fatalf("%s is not pending", title)
	return ""
}

func handsOver(title string) step {
	return func(q *questioned) {
		if _, err := call[struct{}](q.hosted, client.OpHandOver, session.Answer{Decision: q.decision(title)}); err != nil {
			q.t.Fatal(err)
		}
	}
}

func answersHere(title string) step {
	return func(q *questioned) {
		r, err := call[session.Receipt](q.hosted, client.OpAnswer, session.Answer{Decision: q.decision(title), Option: "once"})
		if err != nil || r.Outcome != session.OutcomeAnswered {
			q.t.Fatal(r, err)
		}
	}
}

// types makes the program read a line, and waits until it shows text.
func typesUntil(text string) step {
	return func(q *questioned) {
		q.types(q.viewer, session.PaneAgent, "\r")
		q.until(text, func() bool { return strings.Contains(screenText(q.hosted), text) })
	}
}

func TestAPromptIsNotTypedIntoTheAgentsOwnQuestion(t *testing.T) {
	const asksThere, isFree = "asks in its own terminal: make", ""
	beside, unheld := agent.Capabilities{Hooks: true, Hold: agent.HoldBeside}, agent.Capabilities{Hooks: true}
	for name, tt := range map[string]struct {
		caps  agent.Capabilities // beside, unless set
		steps []step
		want  string // what the refusal says, "" for none
	}{
		"answered here":      {steps: []step{asks("make"), answersHere("make")}, want: isFree},
		"handed over":        {steps: []step{asks("make"), handsOver("make")}, want: asksThere},
		"never held":         {caps: unheld, steps: []step{asksUnheld("make")}, want: asksThere},
		"with nobody to see": {caps: agent.Capabilities{Hooks: true, Hold: agent.HoldBefore}, steps: []step{asksUnheld("make")}, want: asksThere},
		"and its tool has run": {
			steps: []step{asks("make"), handsOver("make"), tells("tool-done", said{CallID: "make"})}, want: isFree,
		},
		"and another tool has run": {
			steps: []step{asks("make"), handsOver("make"), tells("tool-done", said{CallID: "ls"}), tells("tool", said{Title: "ls"})}, want: asksThere,
		},
		"and the turn is over":       {steps: []step{asks("make"), handsOver("make"), tells("stopped", said{})}, want: isFree},
		"and sub-agents are at work": {steps: []step{asks("make"), handsOver("make"), tells("stopped", said{Background: true})}, want: asksThere},
		"and it was prompted":        {steps: []step{asks("make"), handsOver("make"), tells("prompted", said{Prompt: "no"})}, want: isFree},
		"and a sub-agent reported": {
			steps: []step{asks("make"), handsOver("make"), tells("prompted", said{Prompt: "report", Origin: session.OriginAgent})}, want: asksThere,
		},
		"and another conversation began": {steps: []step{asks("make"), handsOver("make"), tells("started", said{Session: "s2"})}, want: isFree},
		"the first of two is answered": {
			steps: []step{asks("ls"), asks("make"), handsOver("make"), answersHere("ls")}, want: asksThere,
		},
		"the second of two waits here": {
			steps: []step{asks("ls"), asks("make"), handsOver("ls")}, want: "waits for an answer: make",
		},
		"typed there, and nothing told":    {steps: []step{asks("make"), typesUntil("asking")}, want: asksThere},
		"typed there, and it works again":  {steps: []step{asks("make"), typesUntil("asking"), typesUntil("working")}, want: isFree},
		"typed there, and it asks further": {steps: []step{asks("make"), typesUntil("asking"), typesUntil("working"), typesUntil("further")}, want: asksThere},
		"it works, and is asked anew": {
			caps: unheld, steps: []step{typesUntil("asking"), typesUntil("working"), asksUnheld("make")}, want: asksThere,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.caps == (agent.Capabilities{}) {
				tt.caps = beside
			}
			h := open(t)
			script := `stty -echo; printf '\033]9;4;3\033\\'; echo ready
				read x; printf '\033]9;4;0\033\\'; echo asking
				read x; printf '\033]9;4;3\033\\'; echo working
				read x; printf '\033]9;4;0\033\\'; echo further; exec cat > typed`
			if err := h.run(options{adapter: scripted{script: script, caps: tt.caps}}); err != nil {
				t.Fatal(err)
			}
			h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
			a, _ := h.follow()
			q := &questioned{h, a}
			tells("started", said{})(q)
			for _, s := range tt.steps {
				s(q)
			}
			e, err := call[client.Explanation](h, client.OpExplain, nil)
			if err != nil || (len(e.Asked) > 0) != (tt.want == asksThere) {
				t.Errorf("explained as %+v, %v", e.Asked, err)
			}
			_, err = call[client.Delivery](h, client.OpSend, client.SendRequest{Prompt: "go on"})
			switch {
			case tt.want == isFree && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != isFree && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want a refusal that says %q", err, tt.want)
			case err != nil && !strings.Contains(fault(t, err).Hint, "then send the prompt"):
				t.Errorf("the hint is %q", fault(t, err).Hint)
			}
		})
	}
}

// An agent that a person started by hand may end without a word: then the
// shell has its terminal back.
func TestAGuestThatWasKilledAsksNothingMore(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: `PS1='$ ' exec sh -i`}}); err != nil {
		t.Fatal(err)
	}
	a, _ := h.follow()
	h.types(a, session.PaneAgent, "sh -c 'printf guest; printf ed; exec sleep 1000'\r")
	h.until("it runs", func() bool { return strings.Contains(screenText(h), "guested") })
	replies := make(chan error, 1)
	go func() {
		_, err := h.visit("asked", said{Session: "s1", Title: "make"})
		replies <- err
	}()
	q := &questioned{h, a}
	h.until("its question", func() bool { return len(h.pending()) == 1 })
	handsOver("make")(q)
	if err := receive(t, replies); err != nil {
		t.Fatal(err)
	}
	send := func() error {
		_, err := call[client.Delivery](h, client.OpSend, client.SendRequest{Prompt: "true"})
		return err
	}
	if err := send(); err == nil || !strings.Contains(err.Error(), "asks in its own terminal: make") {
		t.Errorf("while it is there: %v", err)
	}
	h.types(a, session.PaneAgent, "\x03")
	h.until("the shell takes a line", func() bool { return send() == nil })
}

// What is typed while an agent starts may be lost: a prompt waits until it has
// shown that it is there.
func TestAPromptWaitsForAnAgentThatStarts(t *testing.T) {
	for name, tt := range map[string]struct {
		ready agent.Ready
		show  func(*hosted, *client.Attachment) // that it is there
	}{
		"by an event": {agent.ReadyReported, func(h *hosted, _ *client.Attachment) { tells("started", said{})(&questioned{hosted: h}) }},
		"by a title":  {agent.ReadyTitled, func(h *hosted, a *client.Attachment) { h.types(a, session.PaneAgent, "\r") }},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t)
			caps := agent.Capabilities{Hooks: true, Hold: agent.HoldBeside, Ready: tt.ready}
			script := `stty -echo; echo ready; read x; stty raw; printf '\033]2;Agent\033\\'; exec cat > typed`
			if tt.ready == agent.ReadyReported {
				script = `stty raw -echo; echo ready; exec cat > typed`
			}
			if err := h.run(options{adapter: scripted{script: script, caps: caps}}); err != nil {
				t.Fatal(err)
			}
			h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
			a, _ := h.follow()
			sent := make(chan error, 1)
			go func() {
				_, err := call[client.Delivery](h, client.OpSend, client.SendRequest{Prompt: "go on"})
				sent <- err
			}()
			for range 200 { // time enough for what does not wait
				if len(h.pending()) > 0 || len(h.entries()) > 0 || logFile(t, h, "typed") != "" {
					t.Fatal("the prompt did not wait")
				}
			}
			tt.show(h, a)
			if err := receive(t, sent); err != nil {
				t.Fatal(err)
			}
			h.until("it was typed", func() bool { return logFile(t, h, "typed") == "go on\r" })
		})
	}
}
