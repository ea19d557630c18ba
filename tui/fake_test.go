package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"
	"aside/worktree"

	tea "charm.land/bubbletea/v2"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fake is a backend that keeps everything in memory and writes down what it
// was asked to do.
type fake struct {
	fakePanes

	mu          sync.Mutex
	threads     []session.Thread
	first       session.ThreadID // the screen is to open on it
	entries     map[session.ThreadID][]transcript.Entry
	turns       []session.Turn
	stamped     map[int64]stamped
	revision    int64
	read        int // entries that were read
	proposals   []session.Proposal
	agents      []tui.AgentChoice
	outlook     tui.Outlook
	bases       []tui.Base
	receipt     session.Receipt
	cardReceipt session.CardReceipt
	removal     []string
	keeps       bool // a removal keeps the worktree
	left        session.Remembered
	rows        int  // of scrollback
	unopened    bool // nothing opens links
	tally       worktree.Tally
	counted     []session.ThreadID // whose changes were asked for
	diff        worktree.Diff
	files       []string
	finds       func(context.Context) error // runs inside Files
	choices     tui.FinishChoices
	blocks      chan struct{}    // FinishChoices waits for it, unless it is nil
	plan        []tui.FinishStep // the steps that are left
	sends       chan struct{}    // a comment waits for it, unless it is nil

	editor string

	calls  []string
	inputs []session.Input
	to     []session.PaneID // that they went to
	fails  map[string]error
	starts func(tui.StartOptions) error                  // runs inside Start
	looks  func(context.Context, transcript.Query) error // runs inside Search
	reads  func()                                        // runs before each reading of a transcript
	holds  []*held                                       // answers to readings of a transcript
	steps  chan struct{}                                 // lets a step of an export be made
	waits  bool                                          // a start, a seek and an earlier page wait until they are cancelled
	news   chan tui.NewThread                            // gets what New is asked for
}

func (f *fake) did(format string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	call := fmt.Sprintf(format, args...)
	f.calls = append(f.calls, call)
	var verb string
	_, _ = fmt.Sscan(call, &verb)
	return f.fails[verb]
}

// took returns the calls so far of a verb, and forgets them.
func (f *fake) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls := f.calls
	f.calls = nil
	return calls
}

// tookOf returns those of the calls that begin so.
func (f *fake) tookOf(beginnings ...string) []string {
	return slices.DeleteFunc(f.took(), func(call string) bool {
		return !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(call, b) })
	})
}

func (f *fake) Proposals(context.Context) ([]session.Proposal, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.proposals), nil
}

func (f *fake) Outlook(context.Context, session.ProposalID) (tui.Outlook, error) {
	return f.outlook, nil
}

func (f *fake) Bases(context.Context, session.ProposalID) ([]tui.Base, error) {
	return f.bases, f.fails["bases"]
}

func (f *fake) set(id session.ProposalID, change func(*session.Proposal)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.proposals {
		if f.proposals[i].ID == id {
			change(&f.proposals[i])
		}
	}
}

func (f *fake) Start(ctx context.Context, id session.ProposalID, o tui.StartOptions) (session.ThreadID, error) {
	err := f.did("start %s shared=%v%s", id, o.Shared, changes(o))
	if f.starts != nil {
		err = f.starts(o)
	}
	if f.waits {
		<-ctx.Done()
		err = &session.Error{Code: session.CodeFailed, Message: "the start was interrupted"}
	}
	if err != nil {
		return "", err
	}
	thread := session.ThreadID("new-" + id)
	f.set(id, func(p *session.Proposal) {
		p.State, p.StartedThread, p.CheckoutMode = session.ProposalStarted, thread, session.CheckoutWorktree
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.threads = append(f.threads, session.Thread{ID: thread, Title: "Started " + string(id), Agent: "claude", State: session.StateWorking, Live: true})
	return thread, nil
}

// changes are the choices of a start beside the checkout.
func changes(o tui.StartOptions) string {
	parts := []string{}
	for name, v := range map[string]string{"title": o.Title, "prompt": o.Prompt, "agent": o.Agent, "model": o.Model, "base": o.Base} {
		if v != "" {
			parts = append(parts, fmt.Sprintf(" %s=%q", name, v))
		}
	}
	if o.Carry {
		parts = append(parts, " carry")
	}
	slices.Sort(parts)
	return strings.Join(parts, "")
}

func (f *fake) Dismiss(_ context.Context, id session.ProposalID) error {
	if err := f.did("dismiss %s", id); err != nil {
		return err
	}
	f.set(id, func(p *session.Proposal) { p.State = session.ProposalDismissed })
	return nil
}

func (f *fake) Restore(_ context.Context, id session.ProposalID) error {
	f.set(id, func(p *session.Proposal) { p.State = session.ProposalStanding })
	return f.did("restore %s", id)
}

func (f *fake) New(ctx context.Context, t tui.NewThread) (session.ThreadID, error) {
	if f.waits {
		<-ctx.Done()
		return "", &session.Error{Code: session.CodeFailed, Message: "the start was interrupted"}
	}
	if err := f.did("new %q %q %s", t.Title, t.Prompt, t.Agent); err != nil {
		return "", err
	}
	if f.news != nil {
		f.news <- t
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.threads = append(f.threads, session.Thread{ID: "fresh", Title: t.Title, Agent: t.Agent, State: session.StateStarting, Live: true})
	return "fresh", nil
}

func (f *fake) Send(_ context.Context, id session.ThreadID, prompt string) error {
	return f.did("send %s %q", id, prompt)
}

// Files are those that have what is typed in their path.
func (f *fake) Files(ctx context.Context, id session.ThreadID, typed string, limit int) ([]string, error) {
	err := f.did("files %q %q", id, typed)
	if f.finds != nil {
		err = f.finds(ctx)
	}
	var found []string
	for _, path := range f.files {
		if strings.Contains(path, typed) && len(found) < limit {
			found = append(found, path)
		}
	}
	return found, err
}

func (f *fake) SetDraft(_ context.Context, id session.ThreadID, text string) error {
	f.mu.Lock()
	for i := range f.threads {
		if f.threads[i].ID == id {
			f.threads[i].Draft = text
		}
	}
	f.mu.Unlock()
	return f.did("draft %s %q", id, text)
}

func (f *fake) Rename(_ context.Context, id session.ThreadID, title string) error {
	return f.did("rename %s %q", id, title)
}
func (f *fake) Stop(_ context.Context, id session.ThreadID) error   { return f.did("stop %s", id) }
func (f *fake) Resume(_ context.Context, id session.ThreadID) error { return f.did("resume %s", id) }

func (f *fake) Removal(_ context.Context, id session.ThreadID) ([]string, bool, error) {
	return f.removal, f.keeps, f.did("removal %s", id)
}

func (f *fake) Remove(_ context.Context, id session.ThreadID, keep bool) (string, error) {
	return "removed; the branch is kept", f.did("remove %s keep=%v", id, keep)
}

func (f *fake) Answer(_ context.Context, id session.ThreadID, a session.Answer) (session.Receipt, error) {
	said := fmt.Sprintf("%q", a.Note)
	for _, r := range a.Replies {
		said += fmt.Sprintf(" %s=%q", r.Option, r.Note)
	}
	err := f.did("answer %s %s %s %s", id, a.Decision, a.Option, said)
	r := f.receipt
	if r.Outcome == "" {
		r = session.Receipt{Decision: a.Decision, Outcome: session.OutcomeAnswered, Option: a.Option}
	}
	return r, err
}

func (f *fake) Confirm(_ context.Context, id session.ThreadID, c session.Confirmation) (session.CardReceipt, error) {
	err := f.did("confirm %s %s choice=%d insert=%v target=%s bound=%v", id, c.Card, c.Choice, c.Insert, c.Target, c.Bound)
	r := f.cardReceipt
	if r.Outcome == "" {
		r = session.CardReceipt{Card: c.Card, Outcome: session.OutcomeAnswered, State: session.CardConfirmed, Choice: c.Choice}
	}
	return r, err
}

func (f *fake) CancelCard(_ context.Context, id session.ThreadID, card session.CardID) (session.CardReceipt, error) {
	return session.CardReceipt{Card: card, Outcome: session.OutcomeAnswered, State: session.CardCancelled}, f.did("cancelcard %s %s", id, card)
}

func (f *fake) HandOver(_ context.Context, id session.ThreadID, d session.DecisionID) error {
	return f.did("handover %s %s", id, d)
}

func (f *fake) History(_ context.Context, _ session.ThreadID, pane session.PaneID, from, n int) ([]session.Row, error) {
	_ = f.did("history %d %d", from, n)
	var rows []session.Row
	for i := from; i < min(from+n, f.rows); i++ {
		s := fmt.Sprintf("old line %d", i)
		if pane != session.PaneAgent {
			s += " of " + string(pane)
		}
		rows = append(rows, session.Row{Spans: []session.Span{{Text: s, Width: len(s)}}})
	}
	return rows, f.fails["history"]
}

func (f *fake) View(id session.ThreadID, pane session.PaneID, cols, rows int) {
	_ = f.did("view %s %s %dx%d", id, pane, cols, rows)
}

func (f *fake) SetColors(c session.Colors) {
	_ = f.did("colors %06x %06x", c.Fg&0xffffff, c.Bg&0xffffff)
}

func (f *fake) Hide(id session.ThreadID, pane session.PaneID) { _ = f.did("hide %s %s", id, pane) }

func (f *fake) Input(_ session.ThreadID, pane session.PaneID, in session.Input) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inputs = append(f.inputs, in)
	f.to = append(f.to, pane)
}

func (f *fake) Agents() []tui.AgentChoice  { return f.agents }
func (f *fake) Project() string            { return "/home/ada/src/app" }
func (f *fake) Shown(folder string) string { return strings.Replace(folder, "/home/ada", "~", 1) }

// typed is what reached the agent as text.
func (f *fake) typed() string {
	s := ""
	for _, in := range f.inputs {
		if in.Key != nil {
			s += in.Key.Text
		}
	}
	return s
}

func (f *fake) wantTyped(t *testing.T, want string) {
	t.Helper()
	if got := f.typed(); got != want {
		t.Errorf("the agent got %q, want %q", got, want)
	}
}

// clock is a clock that stands still, and timers that never fire.
type clock struct {
	now   time.Time
	ticks []time.Duration
	fire  []func(time.Time) tea.Msg
}

func (c *clock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	c.ticks = append(c.ticks, d)
	c.fire = append(c.fire, fn)
	return nil
}

// start opens the screen on the fake.
func start(t testing.TB, f *fake, w, h int) (*tuitest.Screen, *clock) {
	t.Helper()
	c := &clock{now: noon}
	m := tui.New(tui.Options{
		Backend: f, Context: t.Context(), Thread: f.first, Editor: f.editor, Now: func() time.Time { return c.now }, Tick: c.Tick,
	})
	s := tuitest.New(t, m, w, h)
	c.ticks, c.fire = c.ticks[1:], c.fire[1:] // the wait for the colours
	return s, c
}

// world is a project at work: three threads, and cards in all states.
func world() *fake {
	f := &fake{
		first:  "t1",
		agents: []tui.AgentChoice{{Name: "claude", Label: "Claude Code"}, {Name: "codex", Label: "Codex"}},
		bases: []tui.Base{
			{Name: "fix-parser", Uncommitted: 2},
			{Ref: "default", Name: "main", Commits: 1, Uncommitted: 2},
		},
		outlook: tui.Outlook{Text: "own checkout from fix-parser · 2 uncommitted files left out"},
		entries: map[session.ThreadID][]transcript.Entry{}, fails: map[string]error{},
	}
	f.threads = []session.Thread{
		{
			ID: "t1", Title: "Fix the parser", Agent: "claude", State: session.StateWorking, Live: true,
			Checkout: session.Checkout{Mode: session.CheckoutShared, Branch: "main"},
			Turn:     &session.Turn{ID: "u1", StartedAt: noon.Add(-42 * time.Second)},
		},
		{ID: "t2", Title: "Cover loader", Agent: "claude", State: session.StateNeedsYou, NeedsYou: true, Live: true},
		{ID: "t3", Title: "Migrate store", Agent: "codex", State: session.StateDone, Live: false},
	}
	offer := func(id session.ProposalID, title string, state session.ProposalState, age time.Duration) *session.Proposal {
		p := session.Proposal{
			ID: id, Thread: "t1", Title: title, State: state, OfferedAt: noon.Add(-age),
			Summary:   "The loader swallows malformed YAML and falls back to defaults. This would make it return the file, line and reason, and cover it with tests.",
			Rationale: "it is unrelated to the parser fix at hand.",
			Prompt:    "Make LoadSettings return the file, line and reason.",
			Files:     []string{"settings/load.go", "settings/load_test.go", "a.go", "b.go", "c.go", "d.go"},
		}
		f.proposals = append(f.proposals, p)
		return &p
	}
	p1 := offer("p1", "Cover the loader with tests", session.ProposalStarted, 3*time.Hour)
	f.proposals[0].StartedThread, f.proposals[0].CheckoutMode = "t2", session.CheckoutWorktree
	p2 := offer("p2", "Rename the flag", session.ProposalDismissed, 2*time.Hour)
	p3 := offer("p3", "Make the settings loader report bad input", session.ProposalStanding, 5*time.Minute)
	f.entries["t1"] = []transcript.Entry{
		{ID: 1, Thread: "t1", Kind: transcript.KindPrompt, Text: "Fix the parser so that it takes trailing commas."},
		{ID: 2, Thread: "t1", Kind: transcript.KindAssistant, Text: "I looked at `parse.go`:\n\n- the **list** rule stops too early\n- nothing tests it"},
		{ID: 3, Thread: "t1", Kind: transcript.KindTool, Tool: "Bash", Input: "go test ./parse"},
		{ID: 4, Thread: "t1", Kind: transcript.KindProposal, Proposal: p1},
		{ID: 5, Thread: "t1", Kind: transcript.KindProposal, Proposal: p2},
		{ID: 6, Thread: "t1", Kind: transcript.KindDecision, Text: "Bash wants to run", Outcome: "once"},
		{ID: 7, Thread: "t1", Kind: transcript.KindProposal, Proposal: p3},
	}
	return f
}

func decision(id session.DecisionID) tui.DecisionMsg {
	return tui.DecisionMsg{Decision: session.Decision{
		ID: id, Thread: "t1", Pane: session.PaneAgent, Agent: "claude", Kind: session.KindPermission,
		Tool: "Bash", Title: "Bash wants to run", Detail: "rm -rf build/ && make dist # " + string(id), Answerable: true,
		Options: []session.Option{
			{ID: session.OptionOnce, Label: "once"},
			{ID: "always1", Label: "always: Bash(make dist) in this session"},
			{ID: session.OptionDeny, Label: "deny", Note: true},
		},
	}}
}

// frame is a full frame with some text on it.
func frame(cols, rows int, modes session.Modes, lines ...string) tui.FrameMsg {
	f := session.Frame{Pane: session.PaneAgent, Cols: cols, Rows: rows, Full: true, Modes: modes, Cursor: session.Cursor{X: 2, Y: 5}}
	for y, l := range lines {
		f.Changed = append(f.Changed, session.RowChange{Y: y, Row: session.Row{Spans: []session.Span{{Text: l, Width: len(l)}}}})
	}
	return tui.FrameMsg{Thread: "t1", Frame: f}
}

func agentScreen(cols, rows int, modes session.Modes) tui.FrameMsg {
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = fmt.Sprintf("agent row %d", i)
	}
	return frame(cols, rows, modes, lines...)
}

// longTerminal is the screen of a world whose agent's terminal has rows above
// what is seen.
func longTerminal(t testing.TB, rows int) (*fake, *tuitest.Screen) {
	t.Helper()
	f := world()
	f.rows = rows
	s, _ := start(t, f, 80, 24)
	fr := agentScreen(61, 22, session.Modes{})
	fr.Frame.History = rows
	s.Send(fr)
	return f, s
}
