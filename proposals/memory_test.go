package proposals_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/proposals"
	"aside/proposals/storetest"
	"aside/session"
)

// memory is a store without a disk: proposals.Store as its comments say, in
// the shortest form.
type memory struct {
	mu      sync.Mutex
	offers  []session.Proposal // without Starting
	folds   map[session.ProposalID]string
	threads map[session.ThreadID]*session.Thread
	turns   map[session.ThreadID]*turn
	starts  map[session.ThreadID]*proposals.Start
}

type turn struct {
	prompt string
	author proposals.Author
	queued bool
}

func newMemory() *memory {
	return &memory{
		folds: map[session.ProposalID]string{}, threads: map[session.ThreadID]*session.Thread{},
		turns: map[session.ThreadID]*turn{}, starts: map[session.ThreadID]*proposals.Start{},
	}
}

func TestMemoryStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Subject { return newMemory() })
}

func missing(what string) error {
	return &session.Error{Code: session.CodeNotFound, Message: "no such " + what}
}

func (m *memory) lock() func() {
	m.mu.Lock()
	return m.mu.Unlock
}

func (m *memory) at(id session.ProposalID) (*session.Proposal, error) {
	for i := range m.offers {
		if m.offers[i].ID == id {
			return &m.offers[i], nil
		}
	}
	return nil, missing("proposal")
}

// now returns the proposal as it is read.
func (m *memory) now(p session.Proposal) session.Proposal {
	if s := m.startOf(p.ID); s != nil && held(s) && s.Step != proposals.StepStarted {
		p.Starting = true
	}
	return p
}

func (m *memory) startOf(id session.ProposalID) *proposals.Start {
	for _, s := range m.starts {
		if s.Order.Proposal == id {
			return s
		}
	}
	return nil
}

func held(s *proposals.Start) bool { return s.Taker != (proposals.Taker{}) && !s.Step.Ended() }

func stands(p session.Proposal) bool {
	return p.State == session.ProposalStanding && !p.Withdrawn
}

func (m *memory) Offer(_ context.Context, p session.Proposal, fold string, most int) (proposals.OfferResult, session.ProposalID, error) {
	defer m.lock()()
	if m.threads[p.Thread] == nil {
		return "", "", missing("thread")
	}
	n := 0
	for _, q := range m.offers {
		if q.ID == p.ID || q.Thread == p.Thread && !q.Withdrawn && m.folds[q.ID] == fold {
			return proposals.OfferFolded, q.ID, nil
		}
		if q.Thread == p.Thread && stands(q) {
			n++
		}
	}
	if n >= most {
		return proposals.OfferFull, "", nil
	}
	m.offers, m.folds[p.ID] = append(m.offers, p), fold
	return proposals.OfferAdded, p.ID, nil
}

func (m *memory) Withdraw(_ context.Context, thread session.ThreadID, id session.ProposalID, _ time.Time) (bool, error) {
	defer m.lock()()
	p, err := m.at(id)
	if err != nil || p.Thread != thread {
		return false, missing("proposal")
	}
	done := stands(*p) && !m.now(*p).Starting
	p.Withdrawn = p.Withdrawn || done
	return done, nil
}

func (m *memory) Proposal(_ context.Context, id session.ProposalID) (session.Proposal, error) {
	defer m.lock()()
	p, err := m.at(id)
	if err != nil {
		return session.Proposal{}, err
	}
	return m.now(*p), nil
}

func (m *memory) FindProposal(_ context.Context, prefix string) (session.Proposal, error) {
	defer m.lock()()
	var found []session.Proposal
	var ids []string
	for _, p := range m.offers {
		if strings.HasPrefix(string(p.ID), prefix) {
			found, ids = append(found, m.now(p)), append(ids, string(p.ID))
		}
	}
	switch len(found) {
	case 0:
		return session.Proposal{}, missing("proposal")
	case 1:
		return found[0], nil
	}
	return session.Proposal{}, &session.Error{Code: session.CodeUsage, Message: "several: " + strings.Join(ids, ", ")}
}

func (m *memory) Proposals(_ context.Context, f proposals.Filter) ([]session.Proposal, error) {
	defer m.lock()()
	var all []session.Proposal
	for _, p := range m.offers {
		if (f.Thread == "" || p.Thread == f.Thread) && (f.All || stands(p)) {
			all = append(all, m.now(p))
		}
	}
	slices.SortFunc(all, func(a, b session.Proposal) int {
		if stands(a) != stands(b) {
			if stands(a) {
				return -1
			}
			return 1
		}
		return cmp.Or(b.OfferedAt.Compare(a.OfferedAt), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// answer sets the state of a proposal if may allows it.
func (m *memory) answer(id session.ProposalID, may func(session.Proposal) error, state session.ProposalState, at time.Time) error {
	defer m.lock()()
	p, err := m.at(id)
	if err != nil {
		return err
	}
	if err := may(m.now(*p)); err != nil {
		return err
	}
	p.State, p.DecidedAt = state, at
	return nil
}

func (m *memory) Dismiss(_ context.Context, id session.ProposalID, at time.Time) error {
	return m.answer(id, proposals.MayDismiss, session.ProposalDismissed, at)
}

func (m *memory) Restore(_ context.Context, id session.ProposalID, _ time.Time) error {
	return m.answer(id, proposals.MayRestore, session.ProposalStanding, time.Time{})
}

func (m *memory) Take(ctx context.Context, o proposals.Order, fresh session.ThreadID, by proposals.Taker, _ time.Time, dead func(proposals.Taker) bool) (proposals.Start, error) {
	defer m.lock()()
	if err := ctx.Err(); err != nil {
		return proposals.Start{}, err
	}
	s := proposals.Start{Thread: fresh, Order: o, Step: proposals.StepTaken, Taker: by}
	earlier := m.starts[o.Thread]
	switch {
	case o.Proposal != "":
		p, err := m.at(o.Proposal)
		if err != nil {
			return s, err
		}
		q := m.now(*p)
		earlier = m.startOf(o.Proposal)
		if q.Starting && !earlier.Step.Prompted() && dead(earlier.Taker) {
			q.Starting = false
		}
		if err := proposals.MayStart(q); err != nil {
			return s, err
		}
	case o.Thread != "":
		switch {
		case m.threads[o.Thread] == nil:
			return s, missing("thread")
		case earlier != nil && held(earlier) && !dead(earlier.Taker):
			return s, proposals.ErrStarting
		case m.turns[o.Thread] != nil:
			return s, proposals.ErrNotEmpty
		}
		s.Thread = o.Thread
	}
	if earlier != nil {
		if m.threads[earlier.Thread] != nil {
			s.Thread, s.Checkout, s.Cwd = earlier.Thread, earlier.Checkout, earlier.Cwd
		} else {
			delete(m.starts, earlier.Thread)
		}
	}
	kept := s
	m.starts[s.Thread] = &kept
	return s, nil
}

// step does a step of the start if s still holds it at one of the steps.
func (m *memory) step(ctx context.Context, s proposals.Start, to proposals.Step, do func(s *proposals.Start, th *session.Thread) error) error {
	defer m.lock()()
	if err := ctx.Err(); err != nil {
		return err
	}
	stored := m.starts[s.Thread]
	if stored == nil || !held(stored) || stored.Taker != s.Taker {
		return proposals.ErrLost
	}
	if err := do(stored, m.threads[s.Thread]); err != nil {
		return err
	}
	if to != "" {
		stored.Step = to
	}
	return nil
}

func (m *memory) CreateThread(ctx context.Context, s proposals.Start, at time.Time) error {
	return m.step(ctx, s, proposals.StepCreated, func(s *proposals.Start, _ *session.Thread) error {
		m.create(s, at)
		return nil
	})
}

func (m *memory) create(s *proposals.Start, at time.Time) *session.Thread {
	th := m.threads[s.Thread]
	if th == nil {
		th = &session.Thread{ID: s.Thread, Project: s.Order.Project, CreatedAt: at}
		if s.Order.Proposal != "" {
			th.ProposedBy = &session.Lineage{Thread: s.Order.ProposedIn, Proposal: s.Order.Proposal}
		}
		m.threads[s.Thread] = th
	}
	th.Title, th.Agent, th.Model, th.Problem = s.Order.Title, s.Order.Agent, s.Order.Model, ""
	return th
}

func (m *memory) RecordGrant(ctx context.Context, s proposals.Start, c session.Checkout, cwd string, _ time.Time) error {
	return m.step(ctx, s, proposals.StepGranted, func(s *proposals.Start, th *session.Thread) error {
		s.Checkout, s.Cwd, th.Checkout, th.Cwd = c, cwd, c, cwd
		return nil
	})
}

func (m *memory) RecordPrompt(ctx context.Context, s proposals.Start, _ session.TurnID, _ time.Time) error {
	return m.step(ctx, s, proposals.StepPrompted, func(s *proposals.Start, th *session.Thread) error {
		m.turns[s.Thread] = &turn{s.Order.Prompt, s.Order.Author, true}
		if th.Draft == s.Order.Prompt {
			th.Draft = ""
		}
		return nil
	})
}

func (m *memory) RecordStarted(ctx context.Context, s proposals.Start, at time.Time) error {
	return m.step(ctx, s, proposals.StepStarted, func(s *proposals.Start, _ *session.Thread) error {
		if p, err := m.at(s.Order.Proposal); err == nil {
			p.State, p.StartedThread, p.CheckoutMode, p.DecidedAt = session.ProposalStarted, s.Thread, s.Checkout.Mode, at
		}
		return nil
	})
}

func (m *memory) MarkDispatched(ctx context.Context, s proposals.Start, _ time.Time) error {
	return m.step(ctx, s, proposals.StepDispatched, func(*proposals.Start, *session.Thread) error { return nil })
}

func (m *memory) Fail(ctx context.Context, s proposals.Start, reason string, keepDraft bool, at time.Time) error {
	return m.step(ctx, s, "", func(s *proposals.Start, th *session.Thread) error {
		if s.Step.Prompted() {
			return proposals.ErrNotEmpty
		}
		if th == nil && keepDraft {
			th = m.create(s, at)
		}
		if th != nil {
			th.Problem = reason
			if keepDraft {
				th.Draft = proposals.Draft(s.Order.Prompt, th.Draft)
			}
		}
		s.Taker = proposals.Taker{}
		return nil
	})
}

func (m *memory) Undelivered(ctx context.Context, s proposals.Start, reason string, _ time.Time) error {
	return m.step(ctx, s, proposals.StepUndelivered, func(s *proposals.Start, th *session.Thread) error {
		if t := m.turns[s.Thread]; t.queued {
			t.queued, th.Problem, th.Draft = false, reason, proposals.Draft(s.Order.Prompt, th.Draft)
		}
		return nil
	})
}

func (m *memory) Unfinished(context.Context) ([]proposals.Start, error) {
	defer m.lock()()
	var all []proposals.Start
	for _, s := range m.starts {
		if held(s) {
			all = append(all, *s)
		}
	}
	return all, nil
}

func (m *memory) TakeOver(ctx context.Context, s proposals.Start, by proposals.Taker) (mine proposals.Start, err error) {
	err = m.step(ctx, s, "", func(s *proposals.Start, _ *session.Thread) error {
		s.Taker = by
		mine = *s
		return nil
	})
	return mine, err
}

func (m *memory) StartOf(_ context.Context, id session.ThreadID) (proposals.Start, error) {
	defer m.lock()()
	if s := m.starts[id]; s != nil {
		return *s, nil
	}
	return proposals.Start{}, missing("start")
}

func (m *memory) AddThread(_ context.Context, t session.Thread) error {
	defer m.lock()()
	m.threads[t.ID] = &t
	return nil
}

func (m *memory) Threads(_ context.Context, project string) ([]session.Thread, error) {
	defer m.lock()()
	var all []session.Thread
	for _, t := range m.threads {
		if t.Project == project {
			all = append(all, *t)
		}
	}
	return all, nil
}

func (m *memory) RemoveThread(_ context.Context, id session.ThreadID) error {
	defer m.lock()()
	delete(m.threads, id)
	delete(m.turns, id)
	delete(m.starts, id)
	return nil
}

func (m *memory) Prompts(_ context.Context, id session.ThreadID) ([]string, error) {
	defer m.lock()()
	if t := m.turns[id]; t != nil {
		return []string{t.prompt}, nil
	}
	return nil, nil
}

func (m *memory) Queued(_ context.Context, id session.ThreadID) (string, proposals.Author, error) {
	defer m.lock()()
	if t := m.turns[id]; t != nil && t.queued {
		return t.prompt, t.author, nil
	}
	return "", "", nil
}

func (m *memory) Dispatch(_ context.Context, id session.ThreadID, _ time.Time) error {
	defer m.lock()()
	m.turns[id].queued = false
	return nil
}
