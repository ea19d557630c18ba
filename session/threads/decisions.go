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

// FindDecision returns the pending decision whose id begins with the prefix.
func (s *Service) FindDecision(ctx context.Context, prefix string) (session.Decision, error) {
	pending, fault := s.Decisions(ctx)
	d, err := oneOf(pending, prefix)
	if fault != nil && session.CodeOf(err) == session.CodeNotFound {
		return d, fault // it may be a decision of the helper that does not answer
	}
	return d, err
}

// oneOf returns the decision whose id begins with the prefix.
func oneOf(pending []session.Decision, prefix string) (session.Decision, error) {
	prefix = canonical(prefix)
	if prefix == "" {
		return session.Decision{}, &session.Error{
			Code: session.CodeUsage, Message: "the decision has to be named", Hint: "give its id, or the beginning of it; aside decisions lists them",
		}
	}
	var found []session.Decision
	for _, d := range pending {
		if string(d.ID) == prefix {
			return d, nil
		}
		if strings.HasPrefix(string(d.ID), prefix) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return session.Decision{}, &session.Error{
			Code: session.CodeNotFound, Message: "no agent is held on " + session.MarkLine(prefix), Hint: "aside decisions lists what waits",
		}
	}
	return session.Decision{}, &session.Error{
		Code: session.CodeUsage, Message: "several decisions begin with " + prefix, Hint: "give more of the id; aside decisions lists them",
	}
}

// canonical is an id as a person wrote it, as it was made.
func canonical(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// AnswerFor answers the pending decision whose id begins with the prefix, or
// asks every helper of one that was answered before. Each is what is answered
// to each of several questions, by number or in words, or empty.
func (s *Service) AnswerFor(ctx context.Context, prefix string, a session.Answer, each ...string) (session.Receipt, error) {
	pending, err := s.Decisions(ctx)
	if err != nil && len(pending) == 0 {
		return session.Receipt{}, err
	}
	d, err := oneOf(pending, prefix)
	switch {
	case session.CodeOf(err) == session.CodeNotFound:
		return s.answered(ctx, session.DecisionID(canonical(prefix)), a)
	case err != nil:
		return session.Receipt{}, err
	}
	a.Decision, a.Replies = d.ID, d.Replies(each)
	if err := d.CheckReplies(a); err != nil { // a helper of an earlier version would not look at them
		return session.Receipt{}, err
	}
	return s.Answer(ctx, d.Thread, a)
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
