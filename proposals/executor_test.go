package proposals_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
)

// house is a process with its store, whose parts a test may replace.
type house struct {
	*proposals.Executor
	store    *memory
	requests []proposals.GrantRequest
	grant    func(proposals.GrantRequest) (proposals.Granted, error)
	launched []session.ThreadID
}

func newHouse(t *testing.T, m *memory) *house {
	t.Helper()
	h := &house{store: m, grant: func(proposals.GrantRequest) (proposals.Granted, error) { return own, nil }}
	h.Executor = &proposals.Executor{
		Store: m, Checkouts: h,
		Launch: func(ctx context.Context, id session.ThreadID) error {
			h.launched = append(h.launched, id)
			return m.Dispatch(ctx, id, day)
		},
		Consent: func(context.Context, proposals.Ask) bool { return false },
		Self:    proposals.Taker{PID: 1, Stamp: "now"},
		Dead:    func(proposals.Taker) bool { return false },
		Now:     func() time.Time { return day },
	}
	return h
}

func (h *house) Grant(_ context.Context, r proposals.GrantRequest) (proposals.Granted, error) {
	h.requests = append(h.requests, r)
	return h.grant(r)
}

func (h *house) seen(t *testing.T, id session.ThreadID) session.Thread {
	t.Helper()
	th := h.store.threads[id]
	if th == nil {
		t.Fatalf("no thread %q", id)
	}
	return *th
}

// offered returns a house with one standing offer and the order to start it.
func offered(t *testing.T) (*house, proposals.Order) {
	t.Helper()
	o := newOffice(t)
	o.propose("a", whole)
	p := o.all()[0]
	return newHouse(t, o.store), proposals.Order{
		Proposal: p.ID, ProposedIn: p.Thread, Project: "/p", Dir: "/p", Title: p.Title, Prompt: p.Prompt,
		Author: proposals.AuthorModel, Agent: "demo", Wish: worktree.WishWorktree,
	}
}

func (h *house) state(t *testing.T, o proposals.Order) session.Proposal {
	t.Helper()
	p, err := h.Store.Proposal(t.Context(), o.Proposal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProgress(t *testing.T) {
	h, o := offered(t)
	var steps []proposals.Step
	h.Progress = func(id session.ThreadID, s proposals.Step) {
		if id == "" {
			t.Errorf("step %s of no thread", s)
		}
		steps = append(steps, s)
	}
	id, err := h.Start(t.Context(), o)
	if err != nil || !slices.Equal(h.launched, []session.ThreadID{id}) {
		t.Fatalf("launched %v, %v", h.launched, err)
	}
	want := []proposals.Step{
		proposals.StepTaken, proposals.StepCreated, proposals.StepGranted,
		proposals.StepPrompted, proposals.StepStarted, proposals.StepDispatched,
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
	if th := h.seen(t, id); th.Cwd != own.Cwd || th.ProposedBy.Proposal != o.Proposal {
		t.Errorf("the thread is %+v", th)
	}
}

func TestPromptsThatCannotBeHandedOver(t *testing.T) {
	h, o := offered(t)
	for _, bad := range []string{"", " \n", "a\x00b", "a\xff"} {
		o.Prompt = bad
		if id, err := h.Start(t.Context(), o); id != "" || session.CodeOf(err) != session.CodeUsage {
			t.Errorf("%q: %q, %v", bad, id, err)
		}
	}
	if h.state(t, o).Starting {
		t.Error("the offer is claimed")
	}
}

// Who wrote a prompt decides whether it may be handed over bare: what came
// from a proposal never may, and neither what nobody vouches for.
func TestAuthorOfAPrompt(t *testing.T) {
	for _, tt := range []struct{ proposal, author, want proposals.Author }{
		{"", proposals.AuthorPerson, proposals.AuthorPerson},
		{"", proposals.AuthorModel, proposals.AuthorModel},
		{"", "", proposals.AuthorModel},
		{"yes", proposals.AuthorPerson, proposals.AuthorModel},
		{"yes", proposals.AuthorModel, proposals.AuthorModel},
	} {
		h, o := offered(t)
		if tt.proposal == "" {
			o.Proposal = ""
		}
		o.Author, o.Edited = tt.author, true
		id, err := h.Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.store.turns[id].author; got != tt.want {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}

func TestTitleOfTheThread(t *testing.T) {
	const prompt = "\n \u200b\n\x1b[1mFix  it\nplease"
	for _, tt := range []struct{ title, prompt, want string }{
		{"", prompt, "Fix it"},
		{" \u200b", prompt, "Fix it"},
		{"Mine\n\x1b[1m", prompt, "Mine"},
		{strings.Repeat("a", 81), prompt, strings.Repeat("a", 79) + "…"},
		{"", strings.Repeat("a", 81), strings.Repeat("a", 79) + "…"},
		{"", "\u200b", "Untitled"},
	} {
		h := newHouse(t, newMemory())
		id, err := h.Start(t.Context(), proposals.Order{Project: "/p", Title: tt.title, Prompt: tt.prompt, Wish: worktree.WishAuto})
		if err != nil {
			t.Fatal(err)
		}
		if th := h.seen(t, id); th.Title != tt.want || th.ProposedBy != nil {
			t.Errorf("%q: the thread is %+v", tt.title, th)
		}
	}
}

func TestBlockedCheckout(t *testing.T) {
	h, o := offered(t)
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) {
		return proposals.Granted{}, &session.Error{Code: session.CodeBlocked, Message: "A separate checkout is not possible here: no commit yet"}
	}
	id, err := h.Start(t.Context(), o)
	if session.CodeOf(err) != session.CodeBlocked {
		t.Errorf("got %v", err)
	}
	if th := h.seen(t, id); !strings.Contains(th.Problem, "no commit yet") || th.Draft != "" {
		t.Errorf("the thread is %+v", th)
	}
	if p := h.state(t, o); p.State != session.ProposalStanding || p.Starting || len(h.launched) != 0 {
		t.Errorf("the offer is %+v, launched %v", p, h.launched)
	}
}

// The context ends while the checkout is being made, or while the person is
// asked: that is neither a no nor a start.
func TestInterrupted(t *testing.T) {
	for name, set := range map[string]func(*house, context.CancelFunc){
		"before": func(_ *house, cancel context.CancelFunc) { cancel() },
		"in the grant": func(h *house, cancel context.CancelFunc) {
			h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { cancel(); return own, nil }
		},
		"in the question": func(h *house, cancel context.CancelFunc) {
			h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return shared, nil }
			h.Consent = func(context.Context, proposals.Ask) bool { cancel(); return false }
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, o := offered(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			set(h, cancel)
			_, err := h.Start(ctx, o)
			if !errors.Is(err, context.Canceled) || session.CodeOf(err) != session.CodeFailed {
				t.Errorf("got %v", err)
			}
			if p := h.state(t, o); p.State != session.ProposalStanding || p.Starting || len(h.launched) != 0 {
				t.Errorf("the offer is %+v, launched %v", p, h.launched)
			}
			for _, th := range h.store.threads {
				if th.ProposedBy != nil && (th.Problem != "Not started: it was interrupted" || th.Draft != "") {
					t.Errorf("the thread is %+v", th)
				}
			}
		})
	}
}

// Once the prompt is recorded the end of the context stops only the launch.
func TestInterruptedAfterThePrompt(t *testing.T) {
	h, o := offered(t)
	ctx, cancel := context.WithCancel(t.Context())
	h.Launch = func(ctx context.Context, _ session.ThreadID) error { return ctx.Err() }
	h.Progress = func(_ session.ThreadID, s proposals.Step) {
		if s == proposals.StepPrompted {
			cancel()
		}
	}
	id, err := h.Start(ctx, o)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if th := h.seen(t, id); th.Draft != o.Prompt || !strings.Contains(th.Problem, "not delivered") {
		t.Errorf("the thread is %+v", th)
	}
	if p := h.state(t, o); p.State != session.ProposalStarted || p.StartedThread != id {
		t.Errorf("the offer is %+v", p)
	}
}

// flaky is a store whose steps fail while broken is set.
type flaky struct {
	*memory
	broken map[string]bool
}

func (f flaky) Fail(ctx context.Context, s proposals.Start, reason string, keep bool, at time.Time) error {
	if f.broken["fail"] {
		return errDisk
	}
	return f.memory.Fail(ctx, s, reason, keep, at)
}

// Take is written and then reported as failed, as a commit may be.
func (f flaky) Take(ctx context.Context, o proposals.Order, fresh session.ThreadID, by proposals.Taker, at time.Time, dead func(proposals.Taker) bool) (proposals.Start, error) {
	s, err := f.memory.Take(ctx, o, fresh, by, at, dead)
	if f.broken["take"] {
		return proposals.Start{}, errDisk
	}
	return s, err
}

func (f flaky) TakeOver(ctx context.Context, s proposals.Start, by proposals.Taker) (proposals.Start, error) {
	s, err := f.memory.TakeOver(ctx, s, by)
	if f.broken["take over"] {
		return proposals.Start{}, errDisk
	}
	return s, err
}

func (f flaky) RecordStarted(ctx context.Context, s proposals.Start, at time.Time) error {
	if f.broken["started"] {
		return errDisk
	}
	return f.memory.RecordStarted(ctx, s, at)
}

// A claim that could not be dropped does not outlive its walk: the same
// process may start again, another still leaves it alone.
func TestClaimThatCouldNotBeDropped(t *testing.T) {
	h, o := offered(t)
	store := flaky{h.store, map[string]bool{"fail": true}}
	h.Store = store
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return proposals.Granted{}, errBoom }
	left, err := h.Start(t.Context(), o)
	if !errors.Is(err, errBoom) || !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
	store.broken["fail"] = false
	other := newHouse(t, h.store)
	other.Self.PID = 2
	if err := other.Recover(t.Context()); err != nil || !h.state(t, o).Starting {
		t.Errorf("another process took it: %v", err)
	}
	if _, err := other.Start(t.Context(), o); session.CodeOf(err) != session.CodeSettled {
		t.Errorf("another process started it: %v", err)
	}
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return own, nil }
	id, err := h.Start(t.Context(), o)
	if err != nil || id != left || len(h.launched) != 1 {
		t.Errorf("the same process: %s, %v; was %s", id, err, left)
	}
}

// A claim that was written though the store said it was not does not lock
// the offer up for as long as the process lives.
func TestClaimOfUnknownFate(t *testing.T) {
	h, o := offered(t)
	store := flaky{h.store, map[string]bool{"take": true, "take over": true}}
	h.Store = store
	if _, err := h.Start(t.Context(), o); !errors.Is(err, errDisk) || !h.state(t, o).Starting {
		t.Fatalf("got %v", err)
	}
	if err := h.Recover(t.Context()); !errors.Is(err, errDisk) || !h.state(t, o).Starting {
		t.Fatalf("recovery: %v", err)
	}
	store.broken["take over"] = false
	if err := h.Recover(t.Context()); err != nil || h.state(t, o).Starting {
		t.Errorf("the claim stays: %v", err)
	}
	if _, err := h.Start(t.Context(), o); !errors.Is(err, errDisk) {
		t.Fatalf("got %v", err)
	}
	store.broken["take"] = false
	if _, err := h.Start(t.Context(), o); err != nil {
		t.Errorf("start: %v", err)
	}
}

func TestAnswerThatCouldNotBeRecorded(t *testing.T) {
	h, o := offered(t)
	store := flaky{h.store, map[string]bool{"started": true}}
	h.Store = store
	id, err := h.Start(t.Context(), o)
	if !errors.Is(err, errDisk) || len(h.launched) != 0 {
		t.Fatalf("got %v, launched %v", err, h.launched)
	}
	if err := h.Recover(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("recovery on a full disk: %v", err)
	}
	store.broken["started"] = false
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := h.state(t, o); p.State != session.ProposalStarted || p.StartedThread != id || len(h.launched) != 0 {
		t.Errorf("the offer is %+v, launched %v", p, h.launched)
	}
	if th := h.seen(t, id); th.Draft != o.Prompt || th.Problem == "" {
		t.Errorf("the thread is %+v", th)
	}
}

// A declined start leaves the prompt as the draft; sending that draft is the
// start of the same offer, edited or not.
func TestRetry(t *testing.T) {
	h, o := offered(t)
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return shared, nil }
	id, err := h.Start(t.Context(), o)
	if session.CodeOf(err) != session.CodeConsent {
		t.Fatalf("got %v", err)
	}
	if th := h.seen(t, id); th.Draft != o.Prompt || th.Checkout.Mode != session.CheckoutUnknown {
		t.Errorf("the thread is %+v", th)
	}
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return own, nil }
	again, err := h.Retry(t.Context(), id, "Write more tests.")
	if err != nil || again != id {
		t.Fatalf("retry: %s, %v", again, err)
	}
	last := h.requests[len(h.requests)-1].Order
	if !last.Edited || last.Prompt != "Write more tests." || last.Author != proposals.AuthorModel {
		t.Errorf("the order is %+v", last)
	}
	if p := h.state(t, o); p.State != session.ProposalStarted || p.StartedThread != id {
		t.Errorf("the offer is %+v", p)
	}
	if _, err := h.Retry(t.Context(), id, "x"); session.CodeOf(err) != session.CodeSettled {
		t.Errorf("retry of what has begun: %v", err)
	}
	if _, err := h.Retry(t.Context(), "offering22", "x"); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("retry of a thread that had no start: %v", err)
	}
}

func TestRetryOfTheComposer(t *testing.T) {
	h := newHouse(t, newMemory())
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return proposals.Granted{}, errBoom }
	o := proposals.Order{Project: "/p", Prompt: "Fix it", Wish: worktree.WishAuto, Author: proposals.AuthorPerson}
	id, err := h.Start(t.Context(), o)
	if !errors.Is(err, errBoom) || h.seen(t, id).Draft != "Fix it" {
		t.Fatalf("%v, %+v", err, h.seen(t, id))
	}
	h.grant = func(proposals.GrantRequest) (proposals.Granted, error) { return own, nil }
	again, err := h.Retry(t.Context(), id, "Fix it now")
	if err != nil || again != id || len(h.launched) != 1 {
		t.Errorf("retry: %s, %v", again, err)
	}
}

func TestDraftLosesNothing(t *testing.T) {
	for _, tt := range [][3]string{{"p", "", "p"}, {"p", "p", "p"}, {"p", "mine", "p\n\nmine"}} {
		if got := proposals.Draft(tt[0], tt[1]); got != tt[2] {
			t.Errorf("Draft(%q, %q) = %q", tt[0], tt[1], got)
		}
	}
}
