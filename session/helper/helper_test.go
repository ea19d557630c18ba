package helper_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/hookbridge/mcp"
	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/config"
	"aside/session/helper"
	"aside/session/transcript"
	"aside/storage"

	"go.uber.org/goleak"
)

// TestMain lets the test program be another process of a test.
func TestMain(m *testing.M) {
	if socket := os.Getenv("BE_HELPER"); socket != "" {
		fmt.Fprintln(os.Stderr, beHelper(socket))
		os.Exit(1)
	}
	if helper := os.Getenv("BE_AGENT"); helper != "" {
		fmt.Fprintln(os.Stderr, beAgent(helper))
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// patience bounds what has to happen; nothing takes nearly as long.
const patience = time.Minute

// scripted is an agent whose program is a shell script, and whose events are
// said in JSON by the test.
type scripted struct {
	script  string
	program string // in place of the shell
	caps    agent.Capabilities
}

// said is the payload of an event of a scripted agent.
type said struct {
	Session string `json:"session"`
	Prompt  string `json:"prompt,omitempty"`
	Title   string `json:"title,omitempty"`
	CallID  string `json:"call_id,omitempty"`

	Origin     session.Origin `json:"origin,omitempty"`
	Background bool           `json:"background,omitempty"`

	Within time.Duration `json:"within,omitempty"` // how long an answer is waited for, if not as the helper holds
}

func (s scripted) Capabilities() agent.Capabilities { return s.caps }

func (s scripted) Command(l agent.Launch) (agent.Command, error) {
	c := agent.Command{Path: "sh", Args: []string{"-c", s.script, "agent", l.Prompt}, PromptTaken: true}
	if s.program != "" {
		c.Path = s.program
	}
	return c, nil
}

func (s scripted) Event(name string, payload []byte) (agent.Event, error) {
	var p said
	if err := json.Unmarshal(payload, &p); err != nil {
		return agent.Event{}, err
	}
	e := agent.Event{Session: p.Session, Prompt: p.Prompt, Origin: p.Origin, Background: p.Background}
	switch name {
	case "started":
		e.Kind, e.State = agent.SessionStarted, session.StateIdle
	case "prompted":
		e.Kind, e.State = agent.Prompted, session.StateWorking
	case "stopped":
		e.Kind, e.State = agent.Stopped, session.StateDone
	case "tool":
		e.Kind, e.Call.Command = agent.ToolStarting, p.Title
	case "tool-done":
		e.Kind, e.Call.ID = agent.ToolDone, p.CallID
	case "asked", "PermissionRequest":
		e.Kind, e.State = agent.PermissionAsked, session.StateNeedsYou
		e.Ask = &agent.Ask{
			Decision: session.Decision{
				Kind: session.KindPermission, Title: p.Title, Answerable: true, ToolCallID: p.CallID,
				Options: []session.Option{{ID: "once", Label: "once"}, {ID: "deny", Label: "deny", Note: true}},
			},
			Verdict: func(a session.Answer) ([]byte, error) { return json.Marshal(a.Option + " for " + p.Title) },
		}
		if p.Within > 0 {
			e.Ask.Decision.Deadline = time.Now().Add(p.Within)
		}
	}
	return e, nil
}

func (s scripted) Context(text string) []byte { return []byte(text) }

func (s scripted) Let() []byte { return []byte(`"let"`) }

func (s scripted) Stop(reason string) []byte { return []byte("stopped: " + reason) }

func (s scripted) Reader() agent.Reader { return nil }

type noDesk struct{}

func (noDesk) Call(_ context.Context, tool, callID string, _ json.RawMessage) (mcp.Reply, error) {
	return mcp.Reply{Text: "heard " + tool + " " + callID}, nil
}

// hosted is a thread that a helper hosts in this process.
type hosted struct {
	t      testing.TB
	store  *storage.DB
	paths  config.Paths
	id     session.ThreadID
	socket string
	done   chan error
}

type options struct {
	adapter  agent.Adapter
	prompt   string
	receipt  time.Duration
	left     string // what work the agent leaves
	prompted bool
}

// open makes a store with one thread whose helper is not there yet.
func open(t testing.TB) *hosted {
	t.Helper()
	// The folder of t.TempDir is too deep for a socket on some systems.
	dir, err := os.MkdirTemp("", "aside")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h := &hosted{
		t: t, id: session.ThreadID(session.NewID()), done: make(chan error, 1),
		paths: config.Paths{State: dir + "/state", Data: dir + "/data", Runtime: dir + "/run", Config: dir + "/config"},
	}
	h.socket = h.paths.Socket(h.id)
	if h.store, err = storage.Open(h.paths.Database(), slog.New(slog.NewTextHandler(io.Discard, nil))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.store.Close() })
	if err := h.store.AddThread(t.Context(), session.Thread{
		ID: h.id, Title: "Work", Agent: "scripted", Project: dir, Cwd: dir, CreatedAt: time.Now(),
		Checkout: session.Checkout{Mode: session.CheckoutShared, Path: dir},
	}); err != nil {
		t.Fatal(err)
	}
	return h
}

// run starts the helper and waits until its agent runs, or does not.
func (h *hosted) run(o options) error {
	h.t.Helper()
	if o.receipt == 0 {
		o.receipt = patience
	}
	if o.prompt != "" {
		if err := h.store.QueuePrompt(h.t.Context(), h.id, o.prompt, "model", time.Now()); err != nil {
			h.t.Fatal(err)
		}
	}
	ready := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		h.done <- helper.Run(ctx, helper.Options{
			Thread: h.id, Paths: h.paths, Config: config.Default(), Store: h.store, Adapter: o.adapter, Desk: noDesk{},
			Aside: "/bin/false", Version: "9.9", Colors: session.Colors{Bg: session.RGB(0x11, 0x22, 0x33)}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now,
			Receipt: o.receipt, Ready: func(err error) { ready <- err },
			Left: func(context.Context, session.Thread) string { return o.left }, Prompted: o.prompted,
			Guest: func(kind string) (agent.Adapter, error) {
				if kind != "visitor" {
					return nil, errors.New("no such kind")
				}
				return scripted{caps: confirming}, nil
			},
		})
	}()
	h.t.Cleanup(func() {
		cancel()
		h.awaitEnd()
	})
	return <-ready
}

// awaitEnd waits until the helper has ended.
func (h *hosted) awaitEnd() {
	h.t.Helper()
	select {
	case err := <-h.done:
		h.done <- err
	case <-time.After(patience):
		h.t.Fatal("the helper does not end")
	}
}

// host is open and run with a script.
func host(t *testing.T, script string) *hosted {
	t.Helper()
	h := open(t)
	if err := h.run(options{adapter: scripted{script: script, caps: confirming}}); err != nil {
		t.Fatal(err)
	}
	return h
}

func call[Reply any](h *hosted, op string, in any) (Reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return client.Call[Reply](ctx, h.socket, op, h.id, in)
}

// until asks again and again, for what no event tells, until it holds.
func (h *hosted) until(what string, holds func() bool) {
	h.t.Helper()
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) {
			h.t.Fatalf("never: %s", what)
		}
	}
}

func (h *hosted) thread() session.Thread {
	h.t.Helper()
	t, err := h.store.Thread(context.Background(), h.id)
	if err != nil {
		h.t.Fatal(err)
	}
	return t
}

func (h *hosted) entries() []transcript.Entry {
	h.t.Helper()
	all, err := h.store.Entries(context.Background(), h.id, 0, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

// hook sends an event as the hook program does and returns the reply.
func (h *hosted) hook(event string, s said) (wire.HookReply, error) {
	h.t.Helper()
	return h.hookAs(wire.Request{Thread: string(h.id), Pane: string(session.PaneAgent)}, event, s)
}

func (h *hosted) hookAs(r wire.Request, event string, s said) (reply wire.HookReply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := wire.Dial(ctx, h.socket)
	if err != nil {
		return reply, err
	}
	defer func() { _ = c.Close() }()
	if r.Agent == "" {
		r.Agent = "scripted"
	}
	r.Op, r.Event = wire.OpHook, event
	if r.Body, err = json.Marshal(s); err != nil {
		return reply, err
	}
	body, err := c.Ask(r)
	if err != nil {
		return reply, err
	}
	return reply, json.Unmarshal(body, &reply)
}

// ask holds a hook on a decision; its reply comes on the channel.
func (h *hosted) ask(title string) (session.Decision, <-chan wire.HookReply) {
	h.t.Helper()
	replies := make(chan wire.HookReply, 1)
	go func() {
		r, err := h.hook("asked", said{Session: "s1", Title: title, CallID: title})
		if err != nil {
			r.Released = err.Error()
		}
		replies <- r
	}()
	var found session.Decision
	h.until("the decision "+title, func() bool {
		st, err := call[client.Status](h, client.OpStatus, nil)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, d := range st.Decisions {
			if d.Title == title {
				found = d
			}
		}
		return found.ID != ""
	})
	return found, replies
}

func receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatal("nothing came")
	}
	panic("unreachable")
}

// follow attaches and hands out what comes, frames acknowledged.
func (h *hosted) follow() (*client.Attachment, <-chan client.Down) {
	h.t.Helper()
	a, err := client.Attach(context.Background(), h.socket, h.id)
	if err != nil {
		h.t.Fatal(err)
	}
	downs := make(chan client.Down, 1000)
	go func() {
		defer close(downs)
		for {
			d, err := a.Next()
			if err != nil {
				return
			}
			downs <- d
			if d.Frame != nil && a.Send(client.Up{Ack: true}) != nil {
				return
			}
		}
	}()
	h.t.Cleanup(func() { _ = a.Close() })
	return a, downs
}

// picture follows frames until the pane shows the text; it returns the rows.
func picture(t *testing.T, downs <-chan client.Down, text string) map[int]session.Row {
	t.Helper()
	rows := map[int]session.Row{}
	for {
		d := receive(t, downs)
		if d.Frame == nil {
			continue
		}
		if d.Frame.Full {
			clear(rows)
		}
		for _, c := range d.Frame.Changed {
			rows[c.Y] = c.Row
		}
		for _, r := range rows {
			if strings.Contains(r.Text(), text) {
				return rows
			}
		}
	}
}

func screenText(h *hosted) string {
	s, err := call[client.Screen](h, client.OpScreen, client.ScreenRequest{Pane: session.PaneAgent})
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, r := range s.Rows {
		b.WriteString(r.Text() + "\n")
	}
	return b.String()
}

func fault(t *testing.T, err error) *session.Error {
	t.Helper()
	var e *session.Error
	if !errors.As(err, &e) {
		t.Fatalf("not a fault for a person: %v", err)
	}
	return e
}

func logFile(t *testing.T, h *hosted, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(h.thread().Cwd, name))
	if err != nil {
		return ""
	}
	return string(b)
}
