package threads

import (
	"context"
	"errors"
	"slices"
	"strings"

	"aside/proposals"
	"aside/session"
	"aside/session/client"
)

// Panes returns the panes of a thread, the agent's first.
func (s *Service) Panes(ctx context.Context, id session.ThreadID) ([]session.PaneInfo, error) {
	return client.Call[[]session.PaneInfo](ctx, s.socket(id), client.OpPanes, id, nil)
}

// OpenPane opens a shell pane in a thread, which becomes the active one.
func (s *Service) OpenPane(ctx context.Context, id session.ThreadID, o client.OpenPane) (session.PaneInfo, error) {
	return client.Call[session.PaneInfo](ctx, s.socket(id), client.OpOpenPane, id, o)
}

// ClosePane ends the programs of a shell pane and takes it away; it returns
// when they have ended. Without force it does nothing where one runs beside
// the shell, and returns its name.
func (s *Service) ClosePane(ctx context.Context, id session.ThreadID, pane session.PaneID, force bool) (running string, err error) {
	c, err := client.Call[client.Closed](ctx, s.socket(id), client.OpClosePane, id, client.PaneRequest{Pane: pane, Force: force})
	return c.Running, err
}

// RestartPane starts a shell anew in a pane whose shell has ended.
func (s *Service) RestartPane(ctx context.Context, id session.ThreadID, pane session.PaneID) error {
	return s.onPane(ctx, client.OpRestartPane, id, client.PaneRequest{Pane: pane})
}

// RenamePane gives a shell pane a name; "" takes it away.
func (s *Service) RenamePane(ctx context.Context, id session.ThreadID, pane session.PaneID, name string) error {
	return s.onPane(ctx, client.OpRenamePane, id, client.PaneRequest{Pane: pane, Name: name})
}

// ActivatePane makes a shell pane the one that an action card would reach.
func (s *Service) ActivatePane(ctx context.Context, id session.ThreadID, pane session.PaneID) error {
	return s.onPane(ctx, client.OpActivatePane, id, client.PaneRequest{Pane: pane})
}

func (s *Service) onPane(ctx context.Context, op string, id session.ThreadID, r client.PaneRequest) error {
	_, err := client.Call[struct{}](ctx, s.socket(id), op, id, r)
	return err
}

// Cards returns the action cards that wait, of all projects, the oldest first.
func (s *Service) Cards(ctx context.Context) ([]session.ActionCard, error) {
	cards := []session.ActionCard{}
	err := s.eachLive(ctx, func(id session.ThreadID) (bool, error) {
		found, err := client.Call[[]session.ActionCard](ctx, s.socket(id), client.OpCards, id, nil)
		cards = append(cards, found...)
		return false, err
	})
	slices.SortStableFunc(cards, func(a, b session.ActionCard) int { return a.OfferedAt.Compare(b.OfferedAt) })
	return cards, err
}

// eachLive calls do for each thread with a helper until it says that it is
// done. A helper that has ended meanwhile is passed over.
func (s *Service) eachLive(ctx context.Context, do func(session.ThreadID) (bool, error)) error {
	all, err := s.List(ctx, "", true)
	if err != nil {
		return err
	}
	for _, t := range all {
		if !t.Live {
			continue
		}
		done, err := do(t.ID)
		if errors.Is(err, client.ErrNoHelper) {
			continue
		}
		if err != nil || done {
			return err
		}
	}
	return nil
}

// Confirm confirms a choice of a thread's card; it returns when the choice is
// dispatched, or says what was first.
func (s *Service) Confirm(ctx context.Context, id session.ThreadID, c session.Confirmation) (session.CardReceipt, error) {
	return s.onCard(ctx, client.OpConfirm, id, c)
}

// CancelCard ends a thread's card without doing anything.
func (s *Service) CancelCard(ctx context.Context, id session.ThreadID, card session.CardID) (session.CardReceipt, error) {
	return s.onCard(ctx, client.OpCancel, id, session.Confirmation{Card: card})
}

func (s *Service) onCard(ctx context.Context, op string, id session.ThreadID, c session.Confirmation) (session.CardReceipt, error) {
	r, err := client.Call[session.CardReceipt](ctx, s.socket(id), op, id, c)
	if errors.Is(err, client.ErrNoHelper) {
		return session.CardReceipt{Card: c.Card, Outcome: session.OutcomeUnknown}, nil
	}
	return r, err
}

// ConfirmFor confirms a choice of the card whose id begins with the prefix, for
// its Target where that is Bound and else for the pane that the card names now;
// of a card that has ended, it asks every helper what was first.
func (s *Service) ConfirmFor(ctx context.Context, prefix string, c session.Confirmation) (session.CardReceipt, error) {
	return s.cardFor(ctx, client.OpConfirm, prefix, c)
}

// CancelFor cancels the card whose id begins with the prefix.
func (s *Service) CancelFor(ctx context.Context, prefix string) (session.CardReceipt, error) {
	return s.cardFor(ctx, client.OpCancel, prefix, session.Confirmation{})
}

func (s *Service) cardFor(ctx context.Context, op, prefix string, c session.Confirmation) (session.CardReceipt, error) {
	cards, err := s.Cards(ctx)
	if err != nil {
		return session.CardReceipt{}, err
	}
	found := slices.DeleteFunc(cards, func(c session.ActionCard) bool { return !strings.HasPrefix(string(c.ID), prefix) })
	switch len(found) {
	case 1:
		if c.Card = found[0].ID; !c.Bound {
			c.Target, c.Bound = found[0].Target, true
		}
		return s.onCard(ctx, op, found[0].Thread, c)
	case 0:
		return s.cardBefore(ctx, op, session.CardID(prefix), c)
	}
	return session.CardReceipt{}, &session.Error{
		Code: session.CodeUsage, Message: "several cards begin with " + prefix, Hint: "give more of the id; aside actions lists them",
	}
}

// cardBefore asks the helpers whether one of them remembers the card.
func (s *Service) cardBefore(ctx context.Context, op string, card session.CardID, c session.Confirmation) (session.CardReceipt, error) {
	c.Card = card
	last := session.CardReceipt{Card: card, Outcome: session.OutcomeUnknown}
	err := s.eachLive(ctx, func(id session.ThreadID) (bool, error) {
		r, err := s.onCard(ctx, op, id, c)
		if err != nil || r.Outcome == session.OutcomeUnknown {
			return false, err
		}
		last = r
		return true, nil
	})
	return last, err
}

// Delegation is a thread that a person confirmed on an action card.
type Delegation struct {
	Thread  session.ThreadID // whose agent proposed it
	CallID  string
	Title   string
	Summary string
	Prompt  string
}

// Delegate starts a thread that a person confirmed on an action card, by the
// road of a proposed thread: it is recorded as an offer of the thread, and
// started (contracts/terminal-actions.md, Schema 1).
func (s *Service) Delegate(ctx context.Context, d Delegation) (session.ThreadID, error) {
	offer, err := proposals.NewOffer(d.Title, d.Summary, d.Prompt)
	if err != nil {
		return "", err
	}
	p := offer.Proposal(d.Thread, d.CallID, s.o.Now())
	result, id, err := s.o.Store.Offer(ctx, p, proposals.FoldKey(p.Title, p.Prompt), proposals.StandingMax)
	if err != nil {
		return "", err
	}
	if result == proposals.OfferFull {
		return "", &session.Error{
			Code: session.CodeFailed, Message: "the thread has as many open offers as it may have",
			Hint: "start or dismiss some of them; aside proposals lists them",
		}
	}
	return s.Start(ctx, id, StartOptions{})
}
