package helper_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/transcript"
)

func discard() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

var confirming = agent.Capabilities{Hooks: true, ConfirmsPrompts: true, Hold: agent.HoldBeside}

// release waits for a held hook's end without a verdict.
func wantReleased(t *testing.T, replies <-chan wire.HookReply, why session.Release) {
	t.Helper()
	if r := receive(t, replies); r.Output != "" || r.Released != string(why) {
		t.Errorf("the hook was told %+v, want released: %s", r, why)
	}
}

func TestAnAnswerReachesTheHeldHookOnce(t *testing.T) {
	h := host(t, `exec cat`)
	d, replies := h.ask("rm -rf build")
	if th := h.thread(); !th.NeedsYou {
		t.Error("the thread does not say that it needs you")
	}
	r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"})
	if err != nil || r.Outcome != session.OutcomeAnswered {
		t.Fatalf("got %+v, %v", r, err)
	}
	if got := receive(t, replies); got.Output != `"once for rm -rf build"` {
		t.Errorf("the hook was told %+v", got)
	}
	again, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "deny"})
	if err != nil || again.Outcome != session.OutcomeDuplicate || again.Option != "once" {
		t.Errorf("got %+v, %v", again, err)
	}
	h.until("the outcome is in the transcript", func() bool {
		all := h.entries()
		return len(all) == 1 && all[0].Kind == transcript.KindDecision && all[0].Outcome == "once" && all[0].Text == "rm -rf build"
	})
	h.until("it needs you no more", func() bool { return !h.thread().NeedsYou })
}

// Bytes of the user release the decision before they reach the program: the
// program writes down what it reads, and at that time the hook knows already.
func TestUserInputReleasesBeforeItsBytesAreWritten(t *testing.T) {
	h := host(t, `stty raw -echo; echo ready; exec dd bs=1 count=1 of=read 2>/dev/null`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	_, replies := h.ask("make")
	a, _ := h.follow()
	in := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Key: &session.KeyEvent{Code: 'y', Text: "y"}}}
	if err := a.Send(client.Up{Input: &in}); err != nil {
		t.Fatal(err)
	}
	h.until("the key arrived", func() bool { return logFile(t, h, "read") == "y" })
	st, err := call[client.Status](h, client.OpStatus, nil)
	if err == nil && len(st.Decisions) != 0 {
		t.Error("the decision outlived the bytes")
	}
	wantReleased(t, replies, session.ReleaseTerminal)
}

func TestWhatIsNotTheUsersOwnActReleasesNothing(t *testing.T) {
	h := host(t, `printf '\033[?1003h\033[?1006h\033[?1004h\033[c'; echo ready; exec cat >/dev/null`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	d, replies := h.ask("make")
	a, downs := h.follow()
	in := true
	for _, e := range []session.Input{
		{Focus: &in},
		{Mouse: &session.MouseEvent{Action: session.ActionMove, X: 3, Y: 4}},
		{Mouse: &session.MouseEvent{Button: session.ButtonWheelUp, X: 3, Y: 4}},
		{Mouse: &session.MouseEvent{Button: session.ButtonLeft, Action: session.ActionRelease}},
		{Key: &session.KeyEvent{Code: session.KeyLeftShift, Mods: session.ModShift}},
		{Key: &session.KeyEvent{Code: 'x', Action: session.ActionRelease}},
	} {
		if err := a.Send(client.Up{Input: &client.PaneInput{Pane: session.PaneAgent, Event: e}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 70, Rows: 20}}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "ready") // all of the above was taken by now
	r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "deny"})
	if err != nil || r.Outcome != session.OutcomeAnswered {
		t.Fatalf("got %+v, %v", r, err)
	}
	receive(t, replies)
}

func TestEventsThatEndAQuestionReleaseIt(t *testing.T) {
	h := host(t, `exec cat`)
	for event, s := range map[string]said{
		"tool-done": {Session: "s1", CallID: "tool-done"},
		"prompted":  {Session: "s1", Prompt: "next"},
		"stopped":   {Session: "s1"},
		"started":   {Session: "s2"},
	} {
		if _, err := h.hook("started", said{Session: "s1"}); err != nil {
			t.Fatal(err)
		}
		_, replies := h.ask(event)
		if _, err := h.hook(event, s); err != nil {
			t.Fatal(err)
		}
		wantReleased(t, replies, session.ReleaseGone)
	}
}

func TestTheEndOfTheAgentReleases(t *testing.T) {
	h := host(t, `read x; exit 0`)
	_, replies := h.ask("make")
	a, _ := h.follow()
	// Not by a key: that would release it on its own.
	in := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Raw: []byte("\r")}}
	if err := a.Send(client.Up{Input: &in}); err != nil {
		t.Fatal(err)
	}
	if r := receive(t, replies); r.Output != "" {
		t.Errorf("the hook was told %+v", r)
	}
}

func TestHandedToTheTerminal(t *testing.T) {
	h := host(t, `exec cat`)
	d, replies := h.ask("make")
	if _, err := call[struct{}](h, client.OpHandOver, session.Answer{Decision: d.ID}); err != nil {
		t.Fatal(err)
	}
	wantReleased(t, replies, session.ReleaseHandedOver)
}

func TestEventsOfSomethingElseAreRefusedAndChangeNothing(t *testing.T) {
	h := host(t, `exec cat`)
	if _, err := h.hook("started", said{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	d, replies := h.ask("make")
	for name, try := range map[string]func() (wire.HookReply, error){
		"another conversation": func() (wire.HookReply, error) {
			return h.hook("prompted", said{Session: "s9", Prompt: "x"})
		},
		"another thread": func() (wire.HookReply, error) {
			return h.hookAs(wire.Request{Thread: "other", Pane: "agent"}, "prompted", said{Session: "s1", Prompt: "x"})
		},
		"another pane": func() (wire.HookReply, error) {
			return h.hookAs(wire.Request{Thread: string(h.id), Pane: "p9"}, "prompted", said{Session: "s1", Prompt: "x"})
		},
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	if st, err := call[client.Status](h, client.OpStatus, nil); err != nil || len(st.Decisions) != 1 || st.Decisions[0].ID != d.ID {
		t.Errorf("pending are %+v, %v", st.Decisions, err)
	}
	if _, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"}); err != nil {
		t.Fatal(err)
	}
	receive(t, replies)
}

func TestAPromptIsConfirmedByTheAgentsOwnWord(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: `printf '%s' "$1" > prompt; exec cat`, caps: confirming}, prompt: "!ls"}); err != nil {
		t.Fatal(err)
	}
	h.until("the prompt arrived", func() bool { return logFile(t, h, "prompt") == "Task:\n!ls" })
	delivery := make(chan client.Delivery, 1)
	go func() {
		d, err := call[client.Delivery](h, client.OpWait, client.WaitRequest{For: client.WaitDelivery})
		if err != nil {
			d.Problem = err.Error()
		}
		delivery <- d
	}()
	if _, err := h.hook("prompted", said{Session: "s1", Prompt: "Task:\n!ls"}); err != nil {
		t.Fatal(err)
	}
	if d := receive(t, delivery); !d.Delivered || !d.Confirmed {
		t.Errorf("got %+v", d)
	}
	th := h.thread()
	if th.Turn == nil || th.Turn.Origin != session.OriginHuman || th.State != session.StateWorking || th.SessionID != "s1" {
		t.Errorf("thread is %+v", th)
	}
	turnOver := make(chan error, 1)
	go func() {
		_, err := call[client.Delivery](h, client.OpWait, client.WaitRequest{For: client.WaitTurn})
		turnOver <- err
	}()
	if _, err := h.hook("stopped", said{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, turnOver); err != nil {
		t.Fatal(err)
	}
	// The transcript shows the prompt as it was shown, once.
	if all := h.entries(); len(all) != 1 || all[0].Text != "!ls" {
		t.Errorf("transcript is %+v", all)
	}
	if h.thread().Turn != nil {
		t.Error("the turn is still open")
	}
}

func TestAnUnconfirmedPromptBecomesTheDraftAndALateWordStillCounts(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: `exec cat`, caps: confirming}, prompt: "Fix it", receipt: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	h.until("given up", func() bool { return h.thread().Problem != "" })
	if th := h.thread(); th.Draft != "Fix it" || !strings.Contains(th.Problem, "not delivered") {
		t.Errorf("thread is %+v", th)
	}
	if _, err := h.hook("prompted", said{Session: "s1", Prompt: "Task:\nFix it"}); err != nil {
		t.Fatal(err)
	}
	if th := h.thread(); th.Draft != "" || th.Problem != "" || th.Turn == nil {
		t.Errorf("thread is %+v", th)
	}
}

func TestAPromptTypedInTheAgentIsATurnOfItsOwn(t *testing.T) {
	h := host(t, `exec cat`)
	if _, err := h.hook("prompted", said{Session: "s1", Prompt: "by hand \x1b[31m"}); err != nil {
		t.Fatal(err)
	}
	all := h.entries()
	if len(all) != 1 || all[0].Kind != transcript.KindPrompt || strings.Contains(all[0].Text, "\x1b") {
		t.Errorf("transcript is %+v", all)
	}
}

func TestSendPastesAndWaitsForTheReceipt(t *testing.T) {
	h := host(t, `stty raw -echo; printf '\033[?2004h'; echo ready; exec cat > typed`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	sent := make(chan client.Delivery, 1)
	go func() {
		d, err := call[client.Delivery](h, client.OpSend, client.SendRequest{Prompt: "go\non"})
		if err != nil {
			d.Problem = err.Error()
		}
		sent <- d
	}()
	h.until("it was typed", func() bool { return logFile(t, h, "typed") == "\x1b[200~go\ron\x1b[201~\r" })
	if _, err := h.hook("prompted", said{Session: "s1", Prompt: "go\non"}); err != nil {
		t.Fatal(err)
	}
	if d := receive(t, sent); !d.Delivered || d.Problem != "" {
		t.Errorf("got %+v", d)
	}
}

func TestAPromptIsNotTypedIntoAQuestion(t *testing.T) {
	h := host(t, `stty raw -echo; echo ready; exec cat > typed`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	h.watch()
	d, replies := h.ask("make")
	_, err := call[client.Delivery](h, client.OpSend, client.SendRequest{Prompt: "go on"})
	if err == nil || !strings.Contains(err.Error(), "waits for an answer") {
		t.Errorf("sent while it was held: %v", err)
	}
	if _, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"}); err != nil {
		t.Fatal(err)
	}
	receive(t, replies)
	sent := make(chan error, 1)
	go func() {
		_, err := call[client.Delivery](h, client.OpSend, client.SendRequest{Prompt: "go on now"})
		sent <- err
	}()
	// Nothing of the first prompt is before the second.
	h.until("it was typed", func() bool { return strings.HasSuffix(logFile(t, h, "typed"), "go on now\r") })
	if got := logFile(t, h, "typed"); got != "go on now\r" {
		t.Errorf("typed %q", got)
	}
	if _, err := h.hook("prompted", said{Session: "s1", Prompt: "go on now"}); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, sent); err != nil {
		t.Error(err)
	}
}

func TestAToolCallIsAnswered(t *testing.T) {
	h := host(t, `exec cat`)
	ctx := t.Context()
	c, err := wire.Dial(ctx, h.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	body, err := c.Ask(wire.Request{Op: wire.OpMCP, Thread: string(h.id), Body: []byte(`{"tool":"t","call_id":"c","arguments":{}}`)})
	if err != nil || !strings.Contains(string(body), "heard t c") {
		t.Errorf("got %s, %v", body, err)
	}
}

func TestWhatAnAgentIsStillHeldOnOutlivesTheEndOfItsOwnTurn(t *testing.T) {
	h := host(t, `exec cat`)
	if _, err := h.hook("started", said{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	d, replies := h.ask("make")
	for _, s := range []said{{Session: "s1", Background: true}, {Session: "s1", Prompt: "report", Origin: session.OriginAgent}} {
		event := "stopped"
		if s.Prompt != "" {
			event = "prompted"
		}
		if _, err := h.hook(event, s); err != nil {
			t.Fatal(err)
		}
	}
	r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"})
	if err != nil || r.Outcome != session.OutcomeAnswered {
		t.Fatalf("got %+v, %v", r, err)
	}
	receive(t, replies)
}
