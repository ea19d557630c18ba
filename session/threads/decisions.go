package threads

import (
	"context"
	"errors"
	"slices"
	"strings"

	"aside/session"
	"aside/session/client"
)

// Decisions returns what the agents of all projects are held on, the oldest
// first.
func (s *Service) Decisions(ctx context.Context) ([]session.Decision, error) {
	all, err := s.List(ctx, "", true)
	if err != nil {
		return nil, err
	}
	var pending []session.Decision
	for _, t := range all {
		if !t.Live {
			continue
		}
		st, err := client.Call[client.Status](ctx, s.socket(t.ID), client.OpStatus, t.ID, nil)
		if errors.Is(err, client.ErrNoHelper) {
			continue // it ended since
		}
		if err != nil {
			return nil, err
		}
		pending = append(pending, st.Decisions...)
	}
	slices.SortStableFunc(pending, func(a, b session.Decision) int { return a.ReceivedAt.Compare(b.ReceivedAt) })
	return pending, nil
}

// Answer answers a decision of a thread.
func (s *Service) Answer(ctx context.Context, id session.ThreadID, a session.Answer) (session.Receipt, error) {
	r, err := client.Call[session.Receipt](ctx, s.socket(id), client.OpAnswer, id, a)
	if errors.Is(err, client.ErrNoHelper) {
		return session.Receipt{Decision: a.Decision, Outcome: session.OutcomeUnknown}, nil
	}
	return r, err
}

// HandOver leaves a decision to the agent's own prompt.
func (s *Service) HandOver(ctx context.Context, id session.ThreadID, d session.DecisionID) error {
	_, err := client.Call[struct{}](ctx, s.socket(id), client.OpHandOver, id, session.Answer{Decision: d})
	return err
}

// AnswerFor answers the pending decision whose id begins with the prefix, or
// asks every helper of one that was answered before.
func (s *Service) AnswerFor(ctx context.Context, prefix string, a session.Answer) (session.Receipt, error) {
	pending, err := s.Decisions(ctx)
	if err != nil {
		return session.Receipt{}, err
	}
	var found []session.Decision
	for _, d := range pending {
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
		if err != nil {
			return r, err
		}
		if r.Outcome != session.OutcomeUnknown {
			return r, nil
		}
	}
	return session.Receipt{Decision: id, Outcome: session.OutcomeUnknown}, nil
}
