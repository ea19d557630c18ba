package threads

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"aside/session"
	"aside/session/client"
)

// Decisions returns what the agents of all projects are held on, the oldest
// first. When a helper does not answer, the error names it, and the decisions
// of the others are returned all the same.
func (s *Service) Decisions(ctx context.Context) ([]session.Decision, error) {
	all, err := s.List(ctx, "", true)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var pending []session.Decision
	var faults []error
	var asked sync.WaitGroup
	for _, t := range all {
		if !t.Live {
			continue
		}
		asked.Go(func() {
			st, err := ask[client.Status](ctx, s, t.ID, client.OpStatus, nil)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				pending = append(pending, st.Decisions...)
			case !gone(err): // one that has ended since holds nobody
				faults = append(faults, err)
			}
		})
	}
	asked.Wait()
	slices.SortStableFunc(pending, func(a, b session.Decision) int {
		return cmp.Or(a.ReceivedAt.Compare(b.ReceivedAt), cmp.Compare(a.ID, b.ID))
	})
	return pending, errors.Join(faults...)
}

// gone says that a request failed because there is no helper, or no longer.
func gone(err error) bool {
	return errors.Is(err, client.ErrNoHelper) || errors.Is(err, client.ErrEnded)
}

// Answer answers a decision of a thread. Without a helper there is no such
// decision.
func (s *Service) Answer(ctx context.Context, id session.ThreadID, a session.Answer) (session.Receipt, error) {
	r, err := ask[session.Receipt](ctx, s, id, client.OpAnswer, a)
	if errors.Is(err, client.ErrNoHelper) {
		return session.Receipt{Decision: a.Decision, Outcome: session.OutcomeUnknown}, nil
	}
	return r, err
}

// HandOver leaves a decision to the agent's own prompt.
func (s *Service) HandOver(ctx context.Context, id session.ThreadID, d session.DecisionID) error {
	_, err := ask[struct{}](ctx, s, id, client.OpHandOver, session.Answer{Decision: d})
	return err
}

// AnswerFor answers the pending decision whose id begins with the prefix, or
// asks every helper of one that was answered before.
func (s *Service) AnswerFor(ctx context.Context, prefix string, a session.Answer) (session.Receipt, error) {
	if prefix = strings.ToLower(strings.TrimSpace(prefix)); prefix == "" {
		return session.Receipt{}, &session.Error{
			Code: session.CodeUsage, Message: "the decision has to be named", Hint: "give its id, or the beginning of it; aside decisions lists them",
		}
	}
	pending, err := s.Decisions(ctx)
	if err != nil && len(pending) == 0 {
		return session.Receipt{}, err
	}
	var found []session.Decision
	for _, d := range pending {
		if string(d.ID) == prefix {
			found = []session.Decision{d}
			break
		}
		if strings.HasPrefix(string(d.ID), prefix) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 1:
		a.Decision = found[0].ID
		return s.Answer(ctx, found[0].Thread, a)
	case 0:
		return s.answered(ctx, session.DecisionID(prefix), a)
	}
	return session.Receipt{}, &session.Error{
		Code: session.CodeUsage, Message: "several decisions begin with " + prefix, Hint: "give more of the id; aside decisions lists them",
	}
}

// answered asks the helpers whether one of them remembers the decision.
func (s *Service) answered(ctx context.Context, id session.DecisionID, a session.Answer) (session.Receipt, error) {
	a.Decision = id
	all, err := s.List(ctx, "", true)
	if err != nil {
		return session.Receipt{}, err
	}
	for _, t := range all {
		if !t.Live {
			continue
		}
		r, err := s.Answer(ctx, t.ID, a)
		if gone(err) {
			continue
		}
		if err != nil {
			return r, err
		}
		if r.Outcome != session.OutcomeUnknown {
			return r, nil
		}
	}
	return session.Receipt{Decision: id, Outcome: session.OutcomeUnknown}, nil
}
