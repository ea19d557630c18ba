package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/hookbridge/mcp"
	"aside/hookbridge/wire"
	"aside/proposals/actions"
	"aside/session"
	"aside/session/agent"
	"aside/session/cli"
	"aside/session/client"
	"aside/session/config"
	"aside/session/helper"
	"aside/session/threads"
	"aside/storage"
)

const patience = time.Minute

// talker is an agent whose events are said by the test.
type talker struct{}

func (talker) Capabilities() agent.Capabilities {
	return agent.Capabilities{Hooks: true, ConfirmsPrompts: true, TakesContext: true, MCP: true}
}

func (talker) Command(agent.Launch) (agent.Command, error) {
	return agent.Command{Path: "cat", PromptTaken: true}, nil
}

func (talker) Event(name string, payload []byte) (agent.Event, error) {
	var said struct{ Session, Text string }
	err := json.Unmarshal(payload, &said)
	e := agent.Event{Session: said.Session, Prompt: said.Text, Call: agent.Call{Command: said.Text}}
	e.Kind = map[string]agent.EventKind{"started": agent.SessionStarted, "prompted": agent.Prompted, "tool": agent.ToolStarting}[name]
	return e, err
}

func (talker) Context(text string) []byte { return []byte(text) }
func (talker) Let() []byte                { return []byte("let") }
func (talker) Stop(reason string) []byte  { return []byte(reason) }
func (talker) Reader() agent.Reader       { return nil }

type noTools struct{}

func (noTools) Call(context.Context, string, string, json.RawMessage) (mcp.Reply, error) {
	return mcp.Reply{}, nil
}

// place is a thread with a helper in this process, on a clock of its own.
type place struct {
	store  *storage.DB
	t      *testing.T
	thread session.ThreadID
	paths  config.Paths
	cancel context.CancelFunc
	done   chan error

	mu  sync.Mutex
	at  time.Time
	due chan time.Time
}

func (p *place) now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

// pass moves the clock, and fires what waits for it.
func (p *place) pass(d time.Duration) {
	p.mu.Lock()
	p.at = p.at.Add(d)
	p.mu.Unlock()
	select {
	case p.due <- p.at:
	default:
	}
}

// settle is a place whose turn has begun; its channel is returned.
func settle(t *testing.T) (*place, actions.Channel) {
	t.Helper()
	dir, err := os.MkdirTemp("", "aside") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("ASIDE_HOME", dir)
	t.Setenv("ASIDE_SOCKET", "")
	t.Setenv("SHELL", "/bin/sh")
	p := &place{t: t, thread: session.ThreadID(session.NewID()), done: make(chan error, 1), at: time.Now(), due: make(chan time.Time, 1)}
	if p.paths, err = config.Locate(); err != nil {
		t.Fatal(err)
	}
	store, err := storage.Open(p.paths.Database(), slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if err := store.AddThread(t.Context(), session.Thread{
		ID: p.thread, Title: "Work", Agent: "talker", Project: dir, Cwd: dir, CreatedAt: time.Now(),
		Checkout: session.Checkout{Mode: session.CheckoutShared, Path: dir},
	}); err != nil {
		t.Fatal(err)
	}
	p.store = store
	p.run(store)
	return p, p.begin("first")
}

func (p *place) run(store *storage.DB) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	ready := make(chan error, 1)
	go func() {
		p.done <- helper.Run(ctx, helper.Options{
			Thread: p.thread, Paths: p.paths, Config: config.Default(), Store: store, Adapter: talker{}, Desk: noTools{},
			Aside: "/bin/aside", Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: p.now, Receipt: patience,
			After: func(time.Duration) <-chan time.Time { return p.due }, Ready: func(err error) { ready <- err },
		})
	}()
	p.t.Cleanup(p.end)
	if err := <-ready; err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) end() {
	p.cancel()
	err := <-p.done
	p.done <- err
}

func (p *place) socket() string { return p.paths.Socket(p.thread) }

// says is an event of the agent; the answer to its hook is returned.
func (p *place) says(event, sid, text string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := wire.Dial(ctx, p.socket())
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	body, _ := json.Marshal(map[string]string{"session": sid, "text": text})
	answer, err := c.Ask(wire.Request{
		Op: wire.OpHook, Event: event, Thread: string(p.thread), Pane: string(session.PaneAgent), Agent: "talker", Body: body,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	var r wire.HookReply
	if err := json.Unmarshal(answer, &r); err != nil {
		p.t.Fatal(err)
	}
	return r.Output
}

func (p *place) begin(prompt string) actions.Channel {
	p.t.Helper()
	_, rest, ok := strings.Cut(p.says("prompted", "s1", prompt), "--channel ")
	if !ok {
		p.t.Fatal("no channel came with the prompt")
	}
	return actions.Channel(rest[:68])
}

func (p *place) arm(c actions.Channel, payload string) {
	p.t.Helper()
	if got := p.says("tool", "s1", actions.Invocation{Program: "/bin/aside", Channel: c, Payload: payload}.String()); got != "let" {
		p.t.Fatalf("the permission step says %q", got)
	}
}

// command is a command under way; its replies come as it prints them.
type command struct {
	lines  chan string
	code   chan int
	stderr *bytes.Buffer
}

func propose(ctx context.Context, args ...string) *command {
	out, in := io.Pipe()
	c := &command{lines: make(chan string, 16), code: make(chan int, 1), stderr: &bytes.Buffer{}}
	go func() {
		code := cli.Run(ctx, cli.Program{Out: in, Err: c.stderr}, append([]string{"propose-terminal-actions"}, args...))
		_ = in.Close()
		c.code <- code
	}()
	go func() {
		defer close(c.lines)
		dec := json.NewDecoder(out)
		for {
			var raw json.RawMessage
			if dec.Decode(&raw) != nil {
				return
			}
			c.lines <- string(raw)
		}
	}()
	return c
}

func (p *place) propose(c actions.Channel, payload string) *command {
	return propose(p.t.Context(), "--channel", string(c), "--payload-json", payload)
}

// wants reads the next line.
func (c *command) wants(t *testing.T, phase actions.Phase, status string, retryable bool) actions.Reply {
	t.Helper()
	var line string
	select {
	case line = <-c.lines:
	case <-time.After(patience):
		t.Fatal("no line came")
	}
	var fields map[string]any
	var r actions.Reply
	if json.Unmarshal([]byte(line), &fields) != nil || json.Unmarshal([]byte(line), &r) != nil {
		t.Fatalf("%q is no line of the protocol", line)
	}
	_, reason := fields["reason"]
	_, retry := fields["retryable"]
	if r.Phase != phase || string(r.Status) != status || r.Retryable != retryable || !reason || !retry {
		t.Fatalf("the line is %s, want %s %s, retryable %v", line, phase, status, retryable)
	}
	return r
}

func (c *command) ends(t *testing.T, code int) {
	t.Helper()
	select {
	case got := <-c.code:
		if got != code {
			t.Errorf("exit status %d, want %d: %s", got, code, c.stderr)
		}
	case <-time.After(patience):
		t.Fatal("the command does not end")
	}
	for line := range c.lines {
		t.Errorf("a further line: %s", line)
	}
}

const listing = `{"schema_version":1,"choices":[{"title":"List","actions":[{"type":"run","command":"ls"}]}]}`

func TestEachStatusOfValidationIsALineAndExitStatus0(t *testing.T) {
	bad := `{"schema_version":1,"choices":[]}`
	hidden := strings.Replace(listing, "ls", `ls \u202e`, 1)
	for status, row := range map[string]struct {
		retryable bool
		channel   func(p *place, c actions.Channel) (actions.Channel, string)
	}{
		"malformed":       {false, func(*place, actions.Channel) (actions.Channel, string) { return "v1.x", listing }},
		"unknown_channel": {false, func(_ *place, c actions.Channel) (actions.Channel, string) { return c[:len(c)-4] + "0000", listing }},
		"helper_mismatch": {false, func(p *place, _ actions.Channel) (actions.Channel, string) {
			p.t.Setenv("ASIDE_SOCKET", p.socket())
			return actions.Channel("v1." + strings.Repeat("0", 32) + "." + strings.Repeat("0", 32)), listing
		}},
		"not_armed": {false, func(_ *place, c actions.Channel) (actions.Channel, string) { return c, listing }},
		"stale": {false, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, listing)
			p.says("started", "s2", "")
			return c, listing
		}},
		"superseded": {false, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, listing)
			p.begin("second")
			return c, listing
		}},
		"expired": {true, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, listing)
			p.pass(30 * time.Second)
			return c, listing
		}},
		"digest_mismatch": {true, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, listing)
			return c, strings.Replace(listing, "ls", "rm", 1)
		}},
		"already_consumed": {false, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, listing)
			p.propose(c, listing).wants(p.t, actions.PhaseValidation, "accepted", false)
			return c, listing
		}},
		"invalid_schema": {true, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, bad)
			return c, bad
		}},
		"rejected": {false, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, hidden)
			return c, hidden
		}},
		"unavailable": {true, func(p *place, c actions.Channel) (actions.Channel, string) {
			p.arm(c, listing)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			f := mcp.Forward{Socket: p.socket(), Thread: string(p.thread), Pane: string(session.PaneAgent)}
			if r, err := f.Call(ctx, mcp.ToolActions, "", json.RawMessage(listing)); err != nil || r.IsError {
				p.t.Fatalf("%+v, %v", r, err)
			}
			return c, listing
		}},
	} {
		t.Run(status, func(t *testing.T) {
			p, c := settle(t)
			channel, payload := row.channel(p, c)
			run := p.propose(channel, payload)
			if r := run.wants(t, actions.PhaseValidation, status, row.retryable); r.Reason == "" {
				t.Error("no reason")
			}
			run.ends(t, 0)
		})
	}
}

func TestEachFinalStatusIsALineAndExitStatus0(t *testing.T) {
	ask := func(p *place, op string, in any) {
		p.t.Helper()
		if _, err := client.Call[json.RawMessage](context.Background(), p.socket(), op, p.thread, in); err != nil {
			p.t.Fatal(err)
		}
	}
	for status, end := range map[string]func(p *place, card session.CardID){
		"confirmed":        func(p *place, c session.CardID) { ask(p, client.OpConfirm, session.Confirmation{Card: c, Choice: 1}) },
		"cancelled":        func(p *place, c session.CardID) { ask(p, client.OpCancel, session.Confirmation{Card: c}) },
		"superseded":       func(p *place, _ session.CardID) { p.begin("second") },
		"session_replaced": func(p *place, _ session.CardID) { p.says("started", "s2", "") },
		"timed_out":        func(p *place, _ session.CardID) { p.pass(10 * time.Minute) },
		"unavailable":      func(p *place, _ session.CardID) { p.end() },
	} {
		t.Run(status, func(t *testing.T) {
			p, c := settle(t)
			p.arm(c, listing)
			run := p.propose(c, listing)
			card := run.wants(t, actions.PhaseValidation, "accepted", false).Card
			end(p, card)
			r := run.wants(t, actions.PhaseFinal, status, false)
			if status == "confirmed" && (r.Choice != 1 || r.Title != "List") {
				t.Errorf("got %+v", r)
			}
			run.ends(t, 0)
		})
	}
}

func TestUsageAndTransportFaultsAreOnStandardErrorAlone(t *testing.T) {
	p, c := settle(t)
	for _, args := range [][]string{
		{},
		{"--channel", string(c)},
		{"--payload-json", listing},
		{"--channel", string(c), "--payload-json", listing, "more"},
		{"--channel", string(c), "--payload-json", listing, "--pane", "shell1"},
	} {
		run := propose(t.Context(), args...)
		run.ends(t, 2)
	}
	p.arm(c, listing)
	p.end() // and nobody can say what became of the channel
	run := p.propose(c, listing)
	run.ends(t, 1)
	if !strings.Contains(run.stderr.String(), "helper") {
		t.Errorf("it says %q", run.stderr)
	}
}

// person runs a command as a person does.
func (p *place) person(args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(p.t.Context(), cli.Program{
		Out: &out, Err: &errs,
		Open: func(context.Context, cli.Asker) (*threads.Service, func() error, error) {
			s, err := threads.New(threads.Options{Paths: p.paths, Config: config.Default(), Store: p.store, Now: time.Now})
			return s, func() error { return nil }, err
		},
	}, args)
	return out.String(), errs.String(), code
}

func TestAPersonSeesACardWholeAndConfirmsItOnce(t *testing.T) {
	p, c := settle(t)
	if out, _, code := p.person("actions"); code != 0 || out != "Nothing is proposed for your terminals.\n" {
		t.Errorf("status %d: %s", code, out)
	}
	if out, _, code := p.person("actions", "--json"); code != 0 || out != "[]\n" {
		t.Errorf("status %d: %s", code, out)
	}
	payload := `{"schema_version":1,"choices":[{"title":"Run the test","rationale":"It failed before.","actions":[{"type":"run","command":"touch made"}]},` +
		`{"title":"Watch","actions":[{"type":"open_and_run","place":"split","direction":"down","title":"Log","command":"tail -f log"},{"type":"delegate","title":"Cover it","prompt":"one\ntwo"}]}]}`
	p.arm(c, payload)
	run := p.propose(c, payload)
	card := string(run.wants(t, actions.PhaseValidation, "accepted", false).Card)
	out, _, code := p.person("actions")
	want := card + "  thread " + string(p.thread) + "  "
	if code != 0 || !strings.HasPrefix(out, want) || !strings.HasSuffix(out, `
1  Run the test
   It failed before.
   in a new split: touch made
2  Watch
   open a split below called Log, and in it: tail -f log
   start a thread, “Cover it”, with this prompt:
   one
   two
`) {
		t.Errorf("status %d:\n%s", code, out)
	}
	out, _, _ = p.person("actions", "--json")
	for _, field := range []string{`"id": "` + card, `"thread"`, `"choices"`, `"title"`, `"rationale"`, `"actions"`, `"type": "run"`, `"command"`, `"state": "pending"`, `"offered_at"`, `"deadline"`} {
		if !strings.Contains(out, field) {
			t.Errorf("%s is missing in %s", field, out)
		}
	}
	for _, row := range []struct {
		args []string
		code int
	}{
		{[]string{"confirm", card}, 2},
		{[]string{"confirm", card, "one"}, 2},
		{[]string{"confirm", card, "3"}, 2},
		{[]string{"confirm", card, "0"}, 2},
		{[]string{"confirm", "nosuchcard", "1"}, 3},
		{[]string{"cancel", "nosuchcard"}, 3},
		{[]string{"cancel"}, 2},
	} {
		if out, stderr, code := p.person(row.args...); code != row.code || out != "" || stderr == "" {
			t.Errorf("%q: status %d, want %d: %s%s", row.args, code, row.code, out, stderr)
		}
	}
	if out, stderr, code := p.person("confirm", card[:5], "1"); code != 0 || out != "confirmed\n" {
		t.Errorf("status %d: %s%s", code, out, stderr)
	}
	run.wants(t, actions.PhaseFinal, "confirmed", false)
	for _, args := range [][]string{{"confirm", card, "1"}, {"cancel", card}} {
		if _, stderr, code := p.person(args...); code != 4 || !strings.Contains(stderr, "confirmed") {
			t.Errorf("%q: status %d: %s", args, code, stderr)
		}
	}
	next := p.begin("second")
	p.arm(next, listing)
	run = p.propose(next, listing)
	card = string(run.wants(t, actions.PhaseValidation, "accepted", false).Card)
	if out, _, code := p.person("cancel", card, "--json"); code != 0 || !strings.Contains(out, `"state": "cancelled"`) {
		t.Errorf("status %d: %s", code, out)
	}
	run.wants(t, actions.PhaseFinal, "cancelled", false)
}

// Who has read a card can hold aside to the terminal that it named.
func TestAPersonConfirmsForTheTerminalThatTheySaw(t *testing.T) {
	p, c := settle(t)
	p.arm(c, listing)
	run := p.propose(c, listing)
	card := string(run.wants(t, actions.PhaseValidation, "accepted", false).Card)
	refused := func(pane string) {
		t.Helper()
		out, stderr, code := p.person("confirm", card, "1", "--pane", pane)
		if code != 4 || out != "" || !strings.Contains(stderr, "the active terminal is another now") {
			t.Errorf("for %s: status %d: %s%s", pane, code, out, stderr)
		}
	}
	refused("shell1") // it named a new split
	opened, err := client.Call[session.PaneInfo](t.Context(), p.paths.Socket(p.thread), client.OpOpenPane, p.thread, client.OpenPane{})
	if err != nil {
		t.Fatal(err)
	}
	if out, _, _ := p.person("actions"); !strings.Contains(out, "   in "+string(opened.ID)+": ls") {
		t.Errorf("the card names no terminal:\n%s", out)
	}
	if out, _, _ := p.person("actions", "--json"); !strings.Contains(out, `"target": "`+string(opened.ID)+`"`) {
		t.Errorf("the card names no terminal:\n%s", out)
	}
	refused("new")
	refused("agent")
	if out, stderr, code := p.person("confirm", card, "1", "--pane", string(opened.ID)); code != 0 || out != "confirmed\n" {
		t.Errorf("status %d: %s%s", code, out, stderr)
	}
	run.wants(t, actions.PhaseFinal, "confirmed", false)
}

// A command that is killed while it waits withdraws its card.
func TestAKilledCommandWithdrawsItsCard(t *testing.T) {
	p, c := settle(t)
	p.arm(c, listing)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestBeTheCommand$")
	cmd.Env = append(os.Environ(), "BE_CHANNEL="+string(c), "BE_PAYLOAD="+listing)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var r actions.Reply
	if err := json.NewDecoder(out).Decode(&r); err != nil || r.Status != actions.Accepted {
		t.Fatalf("got %+v, %v", r, err)
	}
	a, err := client.Attach(t.Context(), p.socket(), p.thread)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	for {
		d, err := a.Next()
		if err != nil {
			t.Fatal(err)
		}
		if d.Card != nil && d.Card.State == session.CardWithdrawn {
			break
		}
	}
	receipt, err := client.Call[session.CardReceipt](t.Context(), p.socket(), client.OpConfirm, p.thread, session.Confirmation{Card: r.Card, Choice: 1})
	if err != nil || receipt.Outcome != session.OutcomeUnavailable || receipt.State != session.CardWithdrawn {
		t.Errorf("got %+v, %v", receipt, err)
	}
}

// TestBeTheCommand is the command in a process of its own.
func TestBeTheCommand(t *testing.T) {
	channel := os.Getenv("BE_CHANNEL")
	if channel == "" {
		t.Skip("it is run by another test")
	}
	cli.Run(t.Context(), cli.Program{Out: os.Stdout, Err: os.Stderr}, []string{
		"propose-terminal-actions", "--channel", channel, "--payload-json", os.Getenv("BE_PAYLOAD"),
	})
}
