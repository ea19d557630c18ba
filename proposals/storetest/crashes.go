package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
)

// crash is the point at which a process dies: before or after its nth
// operation, counted from 1; 0 is never.
type crash struct {
	nth   int
	after bool
}

// died is what a dying process panics with, up to the test.
type died struct{}

// world is what processes share beside the store: the folders on disk, the
// helpers, the person, and which processes are gone.
type world struct {
	Subject
	mu       sync.Mutex
	made     map[session.ThreadID]session.Checkout
	makings  int // checkouts ever made
	launched []session.ThreadID
	gone     map[int]bool

	shared   bool  // checkouts come back shared
	consent  bool  // what the person says to that
	noGrant  error // no checkout can be had
	noLaunch error // no helper can be started
	slow     bool  // a launched helper dies before it dispatches
}

func newWorld(s Subject) *world {
	return &world{Subject: s, made: map[session.ThreadID]session.Checkout{}, gone: map[int]bool{}}
}

// process returns the executor of a process that dies at the point.
func (w *world) process(t *testing.T, pid int, at crash) *proposals.Executor {
	t.Helper()
	p := &mortal{world: w, at: at}
	return &proposals.Executor{
		Store: p, Checkouts: p, Launch: p.launch,
		Consent: func(context.Context, proposals.Ask) bool {
			_ = p.point(func() error { return nil })
			return w.consent
		},
		Self: proposals.Taker{PID: pid, Stamp: "boot:1"},
		Dead: func(t proposals.Taker) bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.gone[t.PID]
		},
		Now: func() time.Time { return day },
	}
}

// kill says that the process is gone.
func (w *world) kill(pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone[pid] = true
}

// mortal is the world as one process sees it: every operation that others
// can see is a point at which it may die.
type mortal struct {
	*world
	at crash
	n  int
}

func (m *mortal) point(fn func() error) error {
	m.n++
	if m.n == m.at.nth && !m.at.after {
		panic(died{})
	}
	err := fn()
	if m.n == m.at.nth {
		panic(died{})
	}
	return err
}

// Grant makes a folder unless the thread has one, as Checkouts demands.
func (m *mortal) Grant(_ context.Context, r proposals.GrantRequest) (g proposals.Granted, err error) {
	err = m.point(func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.noGrant != nil {
			return m.noGrant
		}
		if m.shared {
			g = proposals.Granted{Checkout: session.Checkout{Mode: session.CheckoutShared, Path: r.Order.Project}, Cwd: r.Order.Project}
			return nil
		}
		c, there := m.made[r.Thread]
		if !there {
			c = checkout(r.Thread)
			m.made[r.Thread] = c
			m.makings++
		}
		g = proposals.Granted{Checkout: c, Cwd: c.Path}
		return nil
	})
	return g, err
}

func (m *mortal) launch(ctx context.Context, id session.ThreadID) error {
	return m.point(func() error {
		if m.noLaunch != nil {
			return m.noLaunch
		}
		m.mu.Lock()
		m.launched = append(m.launched, id)
		m.mu.Unlock()
		if m.slow {
			return nil
		}
		return m.Dispatch(ctx, id, day)
	})
}

func (m *mortal) Take(ctx context.Context, o proposals.Order, fresh session.ThreadID, by proposals.Taker, at time.Time, dead func(proposals.Taker) bool) (s proposals.Start, err error) {
	err = m.point(func() error { s, err = m.world.Take(ctx, o, fresh, by, at, dead); return err })
	return s, err
}

func (m *mortal) TakeOver(ctx context.Context, s proposals.Start, by proposals.Taker) (mine proposals.Start, err error) {
	err = m.point(func() error { mine, err = m.world.TakeOver(ctx, s, by); return err })
	return mine, err
}

func (m *mortal) CreateThread(ctx context.Context, s proposals.Start, at time.Time) error {
	return m.point(func() error { return m.world.CreateThread(ctx, s, at) })
}

func (m *mortal) RecordGrant(ctx context.Context, s proposals.Start, c session.Checkout, cwd string, at time.Time) error {
	return m.point(func() error { return m.world.RecordGrant(ctx, s, c, cwd, at) })
}

func (m *mortal) RecordPrompt(ctx context.Context, s proposals.Start, turn session.TurnID, at time.Time) error {
	return m.point(func() error { return m.world.RecordPrompt(ctx, s, turn, at) })
}

func (m *mortal) RecordStarted(ctx context.Context, s proposals.Start, at time.Time) error {
	return m.point(func() error { return m.world.RecordStarted(ctx, s, at) })
}

func (m *mortal) MarkDispatched(ctx context.Context, s proposals.Start, at time.Time) error {
	return m.point(func() error { return m.world.MarkDispatched(ctx, s, at) })
}

func (m *mortal) Fail(ctx context.Context, s proposals.Start, reason string, keepDraft bool, at time.Time) error {
	return m.point(func() error { return m.world.Fail(ctx, s, reason, keepDraft, at) })
}

func (m *mortal) Undelivered(ctx context.Context, s proposals.Start, reason string, at time.Time) error {
	return m.point(func() error { return m.world.Undelivered(ctx, s, reason, at) })
}

// survives runs fn and says whether its process lived to the end of it.
func survives(fn func()) (alive bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(died); !ok {
				panic(r)
			}
			alive = false
		}
	}()
	fn()
	return true
}

// scenario is a start with its circumstances.
type scenario struct {
	name     string
	composer bool
	order    func(*proposals.Order)
	world    func(*world)
}

func scenarios() []scenario {
	blocked := &session.Error{Code: session.CodeBlocked, Message: "A separate checkout is not possible here: no commit yet"}
	return []scenario{
		{name: "own"},
		{name: "edited", order: func(o *proposals.Order) { o.Prompt, o.Edited = o.Prompt+" And more.", true }},
		{name: "agreed", world: func(w *world) { w.shared, w.consent = true, true }},
		{name: "declined", world: func(w *world) { w.shared = true }},
		{name: "blocked", world: func(w *world) { w.noGrant = blocked }},
		{name: "no helper", world: func(w *world) { w.noLaunch = fmt.Errorf("no helper") }},
		{name: "helper dies", world: func(w *world) { w.slow = true }},
		{name: "composer", composer: true},
		{name: "composer blocked", composer: true, world: func(w *world) { w.noGrant = blocked }},
		{
			name: "composer declined", composer: true, world: func(w *world) { w.shared = true },
			order: func(o *proposals.Order) { o.Wish = worktree.WishWorktree },
		},
	}
}

// crashes lets a process die at every point of every scenario, lets its
// recovery die at every point as well, and looks at what is left.
func crashes(t *testing.T, s Subject) {
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			c := &crashCase{scenario: sc, s: s, offerer: offering(t, s, sc.name)}
			for nth := 1; ; nth++ {
				reached := c.run(t, crash{nth, false}, crash{})
				c.run(t, crash{nth, true}, crash{})
				if !reached || t.Failed() {
					if nth < 4 {
						t.Errorf("only %d points", nth-1)
					}
					return
				}
				for again := 1; again <= 4; again++ {
					c.run(t, crash{nth, true}, crash{again, false})
					c.run(t, crash{nth, true}, crash{again, true})
				}
			}
		})
	}
}

// crashCase runs the cases of a scenario, each on an offer of its own.
type crashCase struct {
	scenario
	s       Subject
	offerer session.ThreadID
	n       int
}

// run starts in a process that dies at first, recovers in one that dies at
// second, recovers again in one that lives, and looks. It says whether first
// was reached.
func (c *crashCase) run(t *testing.T, first, second crash) (reached bool) {
	t.Helper()
	c.n++
	w := newWorld(c.s)
	if c.world != nil {
		c.world(w)
	}
	o := composed(fmt.Sprintf("%s %d", c.name, c.n))
	if !c.composer {
		p := offer(t, c.s, proposal(c.offerer, c.n))
		o = order(p)
		defer func() { _ = c.s.Dismiss(context.Background(), p.ID, day) }() // room for the next
	}
	if c.order != nil {
		c.order(&o)
	}
	l := look{w: w, order: o, taken: first.nth > 1 || first.after, what: fmt.Sprintf("death %+v, in recovery %+v", first, second)}
	alive := survives(func() { _, _ = w.process(t, 1, first).Start(t.Context(), o) })
	launches := len(w.launched)
	w.kill(1)
	if alive {
		l.what = "no death"
	}
	_ = survives(func() { ok(t, w.process(t, 2, second).Recover(t.Context())) })
	w.kill(2)
	ok(t, w.process(t, 3, crash{}).Recover(t.Context()))
	if len(w.launched) != launches {
		t.Errorf("%s: an agent was launched behind the person's back", l.what)
	}
	l.settled(t)
	l.again(t)
	return !alive
}

// look examines what a start left.
type look struct {
	w     *world
	order proposals.Order
	taken bool // the order was taken before the first death
	what  string
}

// found is what there is of an order's thread.
type found struct {
	session.Thread // zero when there is none
	prompts        []string
	queued         string
}

func (f found) begun() bool { return len(f.prompts) == 1 }

// empty says that there is a thread that has not begun.
func (f found) empty() bool { return f.ID != "" && len(f.prompts) == 0 }

func (l look) find(t *testing.T) (f found) {
	t.Helper()
	all, err := l.w.Threads(t.Context(), l.order.Project)
	if err != nil || len(all) > 1 {
		t.Fatalf("%s: threads %+v, %v", l.what, all, err)
	}
	if len(all) == 0 {
		return f
	}
	f.Thread = all[0]
	f.prompts, err = l.w.Prompts(t.Context(), f.ID)
	ok(t, err)
	f.queued, _, err = l.w.Queued(t.Context(), f.ID)
	ok(t, err)
	return f
}

// settled asserts that the state is truthful and that nothing was lost.
func (l look) settled(t *testing.T) {
	t.Helper()
	if left, err := l.w.Unfinished(t.Context()); len(left) != 0 || err != nil {
		t.Errorf("%s: unfinished %+v, %v", l.what, left, err)
	}
	if l.w.makings > 1 {
		t.Errorf("%s: %d checkouts", l.what, l.w.makings)
	}
	f := l.find(t)
	l.truthful(t, f)
	if f.begun() {
		l.begun(t, f)
	}
	if l.order.Proposal != "" {
		l.answered(t, f)
	}
}

// truthful asserts that the thread says what became of it, and that what the
// person wrote is somewhere.
func (l look) truthful(t *testing.T, f found) {
	t.Helper()
	if len(f.prompts) > 1 {
		t.Errorf("%s: prompts %q", l.what, f.prompts)
	}
	if f.empty() && f.Problem == "" {
		t.Errorf("%s: an empty thread does not say why: %+v", l.what, f)
	}
	persons := l.order.Proposal == "" || l.order.Edited
	if l.taken && persons && !f.begun() && f.Draft != l.order.Prompt {
		t.Errorf("%s: the person's prompt is lost: %+v", l.what, f)
	}
}

// begun asserts that a thread with its prompt has a place to run, and that
// the prompt is with an agent or back in the draft.
func (l look) begun(t *testing.T, f found) {
	t.Helper()
	if f.prompts[0] != l.order.Prompt || f.Cwd == "" {
		t.Errorf("%s: it began with %q in %q", l.what, f.prompts, f.Cwd)
	}
	if f.Problem != "" {
		if f.Draft != l.order.Prompt || f.queued != "" {
			t.Errorf("%s: the undelivered prompt is not the draft alone: %+v", l.what, f)
		}
		return
	}
	if !slices.Contains(l.w.launched, f.ID) {
		t.Errorf("%s: it says the prompt was delivered, and no agent was launched", l.what)
	}
	if f.queued != "" && !l.w.slow {
		t.Errorf("%s: a turn is left queued with nobody to dispatch it", l.what)
	}
}

// answered asserts that the answer says what is there.
func (l look) answered(t *testing.T, f found) {
	t.Helper()
	p := read(t, l.w, l.order.Proposal)
	if p.Starting {
		t.Errorf("%s: the claim stays", l.what)
	}
	if f.ID != "" && (f.ProposedBy == nil || f.ProposedBy.Proposal != p.ID) {
		t.Errorf("%s: the thread does not say where it comes from: %+v", l.what, f)
	}
	if !f.begun() {
		if p.State != session.ProposalStanding {
			t.Errorf("%s: the offer is %s and the thread has not begun", l.what, p.State)
		}
		return
	}
	if p.State != session.ProposalStarted || p.StartedThread != f.ID || p.CheckoutMode != f.Checkout.Mode {
		t.Errorf("%s: the answer is %+v, the thread %+v", l.what, p, f)
	}
	switch f.Checkout.Mode {
	case session.CheckoutWorktree:
	case session.CheckoutShared:
		if !l.w.consent {
			t.Errorf("%s: in the shared checkout without consent", l.what)
		}
	default:
		t.Errorf("%s: it runs in a checkout of mode %q", l.what, f.Checkout.Mode)
	}
}

// again starts what still can be started, without a death and with all going
// well: there is one thread and one checkout in the end.
func (l look) again(t *testing.T) {
	t.Helper()
	w, o, before := l.w, l.order, l.find(t)
	if before.begun() {
		return
	}
	if o.Proposal == "" {
		o.Thread = before.ID
	}
	w.shared, w.consent, w.noGrant, w.noLaunch, w.slow = false, false, nil, nil, false
	launches := len(w.launched)
	id, err := w.process(t, 4, crash{}).Start(t.Context(), o)
	if err != nil {
		t.Errorf("%s: the retry: %v", l.what, err)
		return
	}
	after := l.find(t)
	if after.ID != id || before.ID != "" && before.ID != id {
		t.Errorf("%s: the retry made thread %s, there was %q", l.what, id, before.ID)
	}
	if w.makings != 1 || after.Checkout != checkout(id) {
		t.Errorf("%s: after the retry %d checkouts, %+v", l.what, w.makings, after)
	}
	if after.Draft != "" || after.Problem != "" || len(w.launched) != launches+1 {
		t.Errorf("%s: after the retry %d launches, %+v", l.what, len(w.launched), after)
	}
}
