package helper_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/hookbridge/mcp"
	"aside/hookbridge/wire"
	"aside/proposals/actions"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/transcript"
)

// acting is an agent that takes context and asks its hooks before each tool.
var acting = agent.Capabilities{Hooks: true, ConfirmsPrompts: true, TakesContext: true, MCP: true}

// acts is a thread whose agent can propose, with one turn begun.
func acts(t *testing.T) (*hosted, actions.Channel) {
	t.Helper()
	t.Setenv("SHELL", "/bin/sh") // a person's own reads settings of its own
	h := open(t)
	if err := h.run(options{adapter: scripted{script: "exec cat", caps: acting}}); err != nil {
		t.Fatal(err)
	}
	return h, h.begin("first")
}

// begin begins a turn and returns the channel that came with its prompt.
func (h *hosted) begin(prompt string) actions.Channel {
	h.t.Helper()
	r, err := h.hook("prompted", said{Session: "s1", Prompt: prompt})
	if err != nil {
		h.t.Fatal(err)
	}
	_, rest, ok := strings.Cut(r.Output, "--channel ")
	if !ok || len(rest) < 68 {
		h.t.Fatalf("the agent was told %q", r.Output)
	}
	return actions.Channel(rest[:68])
}

// arm has the command's permission step let it through.
func (h *hosted) arm(c actions.Channel, payload string) {
	h.t.Helper()
	line := actions.Invocation{Program: "/bin/false", Channel: c, Payload: payload}.String()
	if r, err := h.hook("tool", said{Session: "s1", Title: line}); err != nil || r.Output != `"let"` {
		h.t.Fatalf("the permission step answers %+v, %v", r, err)
	}
}

// submitted is a submission under way.
type submitted struct {
	replies chan actions.Reply
	end     context.CancelFunc
}

func (h *hosted) submit(c actions.Channel, payload string) submitted {
	ctx, cancel := context.WithCancel(context.Background())
	s := submitted{make(chan actions.Reply, 2), cancel}
	go func() {
		defer close(s.replies)
		_ = client.Propose(ctx, h.socket, actions.Submission{Version: 1, Channel: c, Payload: payload}, func(r actions.Reply) error {
			s.replies <- r
			return nil
		})
	}()
	h.t.Cleanup(cancel)
	return s
}

func (s submitted) next(t *testing.T, want actions.Status) actions.Reply {
	t.Helper()
	r := receive(t, s.replies)
	if r.Status != want {
		t.Fatalf("the reply is %+v, want %s", r, want)
	}
	return r
}

func runs(command string) string {
	command = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "'", `\u0027`).Replace(command)
	return `{"schema_version":1,"choices":[{"title":"Run it","actions":[{"type":"run","command":"` + command + `"}]}]}`
}

func (h *hosted) cards() []session.ActionCard {
	h.t.Helper()
	cards, err := call[[]session.ActionCard](h, client.OpCards, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return cards
}

func (h *hosted) confirm(c session.Confirmation) session.CardReceipt {
	h.t.Helper()
	r, err := call[session.CardReceipt](h, client.OpConfirm, c)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// shell opens a shell pane with the system's shell.
func (h *hosted) shell(o client.OpenPane) session.PaneInfo {
	h.t.Helper()
	h.t.Setenv("SHELL", "/bin/sh") // a person's own reads settings of its own
	p, err := call[session.PaneInfo](h, client.OpOpenPane, o)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (h *hosted) made(name string) bool {
	_, err := os.Stat(filepath.Join(h.thread().Cwd, name))
	return err == nil
}

func (h *hosted) untilMade(name string) {
	h.t.Helper()
	h.until(name+" is made", func() bool { return h.made(name) })
}

func TestAConfirmedCommandRunsInTheActiveShell(t *testing.T) {
	h, ch := acts(t)
	h.shell(client.OpenPane{})
	p := h.shell(client.OpenPane{})
	h.shell(client.OpenPane{})
	if _, err := call[struct{}](h, client.OpActivatePane, client.PaneRequest{Pane: p.ID}); err != nil {
		t.Fatal(err)
	}
	text := runs(`echo "$ASIDE_PANE" > where; echo it\'s > said`)
	h.arm(ch, text)
	s := h.submit(ch, text)
	accepted := s.next(t, actions.Accepted)
	card := h.cards()[0]
	if card.ID != accepted.Card || card.Target != p.ID || h.made("where") {
		t.Fatalf("the card is %+v", card)
	}
	if r := h.confirm(session.Confirmation{Card: card.ID, Choice: 1, Bound: true, Target: p.ID}); r.Outcome != session.OutcomeAnswered || r.State != session.CardConfirmed {
		t.Fatalf("got %+v", r)
	}
	if f := s.next(t, actions.Status(session.CardConfirmed)); f.Phase != actions.PhaseFinal || f.Choice != 1 || f.Title != "Run it" {
		t.Errorf("got %+v", f)
	}
	h.untilMade("said")
	if got := strings.TrimSpace(logFile(t, h, "where")); got != string(p.ID) {
		t.Errorf("it ran in %q", got)
	}
	if got := strings.TrimSpace(logFile(t, h, "said")); got != "it's" {
		t.Errorf("it wrote %q", got)
	}
	if r := h.confirm(session.Confirmation{Card: card.ID, Choice: 1}); r.Outcome != session.OutcomeDuplicate || r.Choice != 1 {
		t.Errorf("a second time: %+v", r)
	}
	h.until("it is in the transcript", func() bool {
		for _, e := range h.entries() {
			if e.Kind == transcript.KindAction {
				return e.Outcome == "confirmed: Run it" && strings.Contains(e.Input, "where")
			}
		}
		return false
	})
}

func TestInsertWritesNoEnter(t *testing.T) {
	h, ch := acts(t)
	p := h.shell(client.OpenPane{})
	h.arm(ch, runs("touch first"))
	s := h.submit(ch, runs("touch first"))
	card := s.next(t, actions.Accepted).Card
	h.confirm(session.Confirmation{Card: card, Choice: 1, Insert: true})
	s.next(t, "confirmed")
	h.until("the command is on the line", func() bool {
		sc, err := call[client.Screen](h, client.OpScreen, client.ScreenRequest{Pane: p.ID})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range sc.Rows {
			if strings.Contains(r.Text(), "touch first") {
				return true
			}
		}
		return false
	})
	// What is typed behind it, and its Enter, are the person's.
	a, _ := h.follow()
	for _, in := range []session.Input{{Raw: []byte("-second")}, {Raw: []byte("\r")}} {
		if err := a.Send(client.Up{Input: &client.PaneInput{Pane: p.ID, Event: in}}); err != nil {
			t.Fatal(err)
		}
	}
	h.untilMade("first-second")
	if h.made("first") {
		t.Error("it was run by itself")
	}
}

func TestWithoutAShellANewSplitTakesTheCommand(t *testing.T) {
	h, ch := acts(t)
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	card := s.next(t, actions.Accepted).Card
	if c := h.cards()[0]; c.Target != "" {
		t.Errorf("the card names %q", c.Target)
	}
	h.confirm(session.Confirmation{Card: card, Choice: 1, Bound: true})
	h.untilMade("made")
	panes, err := call[[]session.PaneInfo](h, client.OpPanes, nil)
	if err != nil || len(panes) != 2 || panes[1].Place != session.PlaceSplit || !panes[1].Active {
		t.Errorf("the panes are %+v, %v", panes, err)
	}
}

func TestPanesAreOpenedWhereTheCardSays(t *testing.T) {
	h, ch := acts(t)
	if err := os.Mkdir(filepath.Join(h.thread().Cwd, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	const payload = `{"schema_version":1,"choices":[{"title":"A","actions":[{"type":"run","command":"touch wrong"}]},` +
		`{"title":"B","actions":[{"type":"open","place":"tab","title":"Notes"},{"type":"open_and_run","place":"split","direction":"down","cwd":"sub","title":"Log","command":"touch here"}]}]}`
	h.arm(ch, payload)
	s := h.submit(ch, payload)
	card := s.next(t, actions.Accepted).Card
	h.confirm(session.Confirmation{Card: card, Choice: 2})
	if f := s.next(t, "confirmed"); f.Choice != 2 {
		t.Errorf("got %+v", f)
	}
	h.untilMade("sub/here")
	panes, err := call[[]session.PaneInfo](h, client.OpPanes, nil)
	if err != nil || len(panes) != 3 {
		t.Fatalf("the panes are %+v, %v", panes, err)
	}
	if p := panes[1]; p.Name != "Notes" || p.Place != session.PlaceTab {
		t.Errorf("got %+v", p)
	}
	if p := panes[2]; p.Name != "Log" || p.Place != session.PlaceSplit || p.Direction != session.DirectionDown || !strings.HasSuffix(p.Cwd, "/sub") {
		t.Errorf("got %+v", p)
	}
	if h.made("wrong") {
		t.Error("the other choice was carried out too")
	}
}

func TestAClosedTargetCancelsTheCard(t *testing.T) {
	h, ch := acts(t)
	p := h.shell(client.OpenPane{})
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	card := s.next(t, actions.Accepted).Card
	if _, err := call[struct{}](h, client.OpClosePane, client.PaneRequest{Pane: p.ID}); err != nil {
		t.Fatal(err)
	}
	s.next(t, "cancelled")
	if r := h.confirm(session.Confirmation{Card: card, Choice: 1}); r.Outcome != session.OutcomeDuplicate || r.State != session.CardCancelled {
		t.Errorf("got %+v", r)
	}
	if h.made("made") {
		t.Error("it ran")
	}
}

func TestAFolderOutsideIsRefused(t *testing.T) {
	h, _ := acts(t)
	cwd := h.thread().Cwd
	if err := errors.Join(os.Symlink("/", filepath.Join(cwd, "out")), os.Mkdir(filepath.Join(cwd, "in"), 0o700),
		os.Symlink("in", filepath.Join(cwd, "link"))); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]actions.Status{
		"..": "rejected", "../..": "rejected", "in/../..": "rejected", "/": "rejected", "/etc": "rejected", "out": "rejected",
		"out/etc": "rejected", "link/../../..": "rejected", "nosuch": "rejected", cwd + "x": "rejected", filepath.Dir(cwd): "rejected",
		"in": "accepted", ".": "accepted", "link": "accepted", cwd: "accepted", "in/..": "accepted",
	} {
		ch := h.begin("again " + dir)
		payload := fmt.Sprintf(`{"schema_version":1,"choices":[{"title":"A","actions":[{"type":"open","place":"tab","cwd":%q}]}]}`, dir)
		h.arm(ch, payload)
		s := h.submit(ch, payload)
		if r := receive(t, s.replies); r.Status != want {
			t.Errorf("%s: %+v, want %s", dir, r, want)
		}
	}
}

func TestAFolderThatIsExchangedAfterwardsIsRefused(t *testing.T) {
	h, ch := acts(t)
	sub := filepath.Join(h.thread().Cwd, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	const payload = `{"schema_version":1,"choices":[{"title":"A","actions":[{"type":"open_and_run","place":"tab","cwd":"sub","command":"touch made"}]}]}`
	h.arm(ch, payload)
	s := h.submit(ch, payload)
	card := s.next(t, actions.Accepted).Card
	outside := t.TempDir()
	if err := errors.Join(os.Remove(sub), os.Symlink(outside, sub)); err != nil {
		t.Fatal(err)
	}
	if r := h.confirm(session.Confirmation{Card: card, Choice: 1}); r.Outcome != session.OutcomeUnavailable {
		t.Errorf("got %+v", r)
	}
	s.next(t, "unavailable")
	if panes, _ := call[[]session.PaneInfo](h, client.OpPanes, nil); len(panes) != 1 {
		t.Errorf("panes %+v", panes)
	}
}

func TestAnAgentThatWaitsInTheTargetIsNotAnsweredByACard(t *testing.T) {
	h, ch := acts(t)
	p := h.shell(client.OpenPane{})
	replies := make(chan wire.HookReply, 1)
	go func() {
		r, err := h.hookAs(wire.Request{Thread: string(h.id), Pane: string(p.ID), Agent: "visitor"}, "asked", said{Session: "g1", Title: "rm"})
		if err != nil {
			r.Released = err.Error()
		}
		replies <- r
	}()
	h.until("the decision", func() bool {
		st, err := call[client.Status](h, client.OpStatus, nil)
		return err == nil && len(st.Decisions) == 1
	})
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	card := s.next(t, actions.Accepted).Card
	if _, err := call[session.CardReceipt](h, client.OpConfirm, session.Confirmation{Card: card, Choice: 1}); session.CodeOf(err) != session.CodeFailed {
		t.Errorf("got %v", err)
	}
	if len(h.cards()) != 1 {
		t.Error("the card is gone")
	}
}

func TestACommandThatIsGoneWithdrawsItsCard(t *testing.T) {
	h, ch := acts(t)
	_, downs := h.follow()
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	card := s.next(t, actions.Accepted).Card
	s.end()
	for {
		d := receive(t, downs)
		if d.Card != nil && d.Card.State != session.CardPending {
			if d.Card.ID != card || d.Card.State != session.CardWithdrawn {
				t.Errorf("the card is %+v", d.Card)
			}
			break
		}
	}
	if r := h.confirm(session.Confirmation{Card: card, Choice: 1}); r.Outcome != session.OutcomeUnavailable || h.made("made") {
		t.Errorf("got %+v", r)
	}
}

func TestWhatEndsATurnEndsItsCard(t *testing.T) {
	for want, end := range map[actions.Status]func(h *hosted){
		"superseded":       func(h *hosted) { h.begin("second") },
		"session_replaced": func(h *hosted) { _, _ = h.hook("started", said{Session: "s2"}) },
		"unavailable":      func(h *hosted) { _, _ = call[struct{}](h, client.OpStop, nil) },
	} {
		h, ch := acts(t)
		h.arm(ch, runs("touch made"))
		s := h.submit(ch, runs("touch made"))
		s.next(t, actions.Accepted)
		if _, err := h.hook("stopped", said{Session: "s1"}); err != nil {
			t.Fatal(err)
		}
		if len(h.cards()) != 1 {
			t.Error("the end of the turn took the card")
		}
		end(h)
		s.next(t, want)
	}
}

func TestTheEndOfTheAgentEndsItsCard(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: "read x", caps: acting}}); err != nil {
		t.Fatal(err)
	}
	ch := h.begin("first")
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	s.next(t, actions.Accepted)
	a, _ := h.follow()
	if err := a.Send(client.Up{Input: &client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Raw: []byte("\r")}}}); err != nil {
		t.Fatal(err)
	}
	s.next(t, "unavailable")
}

func TestACardComesBackWithTheScreen(t *testing.T) {
	h, ch := acts(t)
	p := h.shell(client.OpenPane{Name: "Build"})
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	card := s.next(t, actions.Accepted).Card
	for range 2 {
		a, downs := h.follow()
		var panes []session.PaneInfo
		var shown *session.ActionCard
		for panes == nil || shown == nil {
			d := receive(t, downs)
			if d.Panes != nil {
				panes = d.Panes
			}
			if d.Card != nil {
				shown = d.Card
			}
		}
		if shown.ID != card || shown.Target != p.ID || len(panes) != 2 || panes[1].Name != "Build" || !panes[1].Active {
			t.Errorf("card %+v, panes %+v", shown, panes)
		}
		_ = a.Close()
	}
	h.confirm(session.Confirmation{Card: card, Choice: 1})
	s.next(t, "confirmed")
	h.untilMade("made")
}

func TestTheToolMakesACardAndTellsItsFateLater(t *testing.T) {
	h, _ := acts(t)
	tool := func(name, arguments string) mcp.Reply {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		f := mcp.Forward{Socket: h.socket, Thread: string(h.id), Pane: string(session.PaneAgent)}
		r, err := f.Call(ctx, name, "call1", json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := tool(mcp.ToolActions, `{"schema_version":1}`); !r.IsError || !strings.Contains(r.Text, "choices") {
		t.Errorf("got %+v", r)
	}
	if r := tool(mcp.ToolActions, runs("touch made")); r.IsError {
		t.Fatalf("got %+v", r)
	}
	card := h.cards()[0]
	if r := tool(mcp.ToolActions, runs("touch made")); !r.IsError {
		t.Error("two cards at once")
	}
	ask := fmt.Sprintf(`{"card":%q}`, card.ID)
	if r := tool(mcp.ToolResult, ask); r.IsError || !strings.HasPrefix(r.Text, "pending") {
		t.Errorf("got %+v", r)
	}
	h.confirm(session.Confirmation{Card: card.ID, Choice: 1})
	if r := tool(mcp.ToolResult, ask); !strings.HasPrefix(r.Text, "confirmed: choice 1") {
		t.Errorf("got %+v", r)
	}
	h.untilMade("made")
	if _, err := h.hook("stopped", said{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	if r := tool(mcp.ToolActions, runs("touch made")); !r.IsError {
		t.Error("a card outside of a turn")
	}
	if r := tool(mcp.ToolResult, `{"card":"nosuchcard"}`); !r.IsError {
		t.Errorf("got %+v", r)
	}
}
