package helper

import (
	"context"
	"fmt"
	"slices"

	"aside/proposals/actions"
	"aside/session"
	"aside/session/client"
)

// confirm takes a card for a person and dispatches the choice. It is the only
// way to the dispatcher.
func (b *actionBook) confirm(ctx context.Context, c session.Confirmation) (session.CardReceipt, error) {
	h := b.host
	var card session.ActionCard
	var early *session.CardReceipt
	var err error
	var target session.PaneID
	b.with(func(d *actions.Desk) *session.ActionCard {
		target = h.shells.active()
		changed := d.Retarget(target)
		if err = h.busy(target, c, d); err == nil {
			card, early, err = d.Take(c)
		}
		return changed
	})
	if err != nil {
		return session.CardReceipt{}, err
	}
	if early != nil {
		return *early, nil
	}
	// The person has spoken: that they then stop waiting changes nothing.
	reached, fault := h.dispatch(context.WithoutCancel(ctx), card, c, target)
	var done *session.ActionCard
	b.with(func(d *actions.Desk) *session.ActionCard {
		reason := ""
		if fault != nil {
			reason = sentence(fault)
		}
		done = d.Settle(c.Choice, reason)
		return done
	})
	r := session.CardReceipt{Card: c.Card, Outcome: session.OutcomeAnswered, State: done.State, Choice: done.Choice, At: done.DecidedAt, Panes: reached}
	if fault != nil {
		r.Outcome, r.Reason = session.OutcomeUnavailable, done.Reason
	}
	return r, nil
}

// busy refuses a choice for a pane in which an agent waits for a decision:
// what is written there would answer it.
func (h *Host) busy(target session.PaneID, c session.Confirmation, d *actions.Desk) error {
	card, ok := d.Card(c.Card)
	if !ok || c.Choice < 1 || c.Choice > len(card.Choices) || !card.Choices[c.Choice-1].NeedsTarget() {
		return nil
	}
	return h.unasked(target, "confirm this, or make another terminal the active one")
}

// cancel ends a card that the person does not want.
func (b *actionBook) cancel(id session.CardID) session.CardReceipt {
	var r session.CardReceipt
	b.with(func(d *actions.Desk) (card *session.ActionCard) {
		r, card = d.Cancel(id)
		return card
	})
	return r
}

// dispatch carries out the actions of a confirmed choice, in order. A new
// split stands in for the active shell pane where there is none. It returns
// the panes that the actions reached.
func (h *Host) dispatch(ctx context.Context, card session.ActionCard, c session.Confirmation, target session.PaneID) (reached []session.PaneID, err error) {
	list := card.Choices[c.Choice-1].Actions
	for i, a := range list {
		pane := target
		switch a.Type {
		case session.ActionRun:
			if pane == "" {
				pane, err = h.openFor(ctx, session.TerminalAction{Place: session.PlaceSplit})
				target = pane
			}
			if err == nil {
				err = h.write(pane, a.Command, !c.Insert)
			}
		case session.ActionOpen, session.ActionOpenAndRun:
			pane, err = h.openAnd(ctx, a, !c.Insert)
		case session.ActionDelegate:
			pane = ""
			err = h.delegate(ctx, fmt.Sprintf("card-%s-%d", card.ID, i+1), card.Choices[c.Choice-1], a)
		default:
			err = fmt.Errorf("no action %q", a.Type)
		}
		if pane != "" && !slices.Contains(reached, pane) {
			reached = append(reached, pane)
		}
		if err != nil && len(list) > 1 {
			return reached, fmt.Errorf("action %d of %d was not carried out: %w", i+1, len(list), err)
		}
		if err != nil {
			return reached, err
		}
	}
	return reached, nil
}

func (h *Host) openAnd(ctx context.Context, a session.TerminalAction, enter bool) (session.PaneID, error) {
	pane, err := h.openFor(ctx, a)
	if err != nil || a.Type == session.ActionOpen {
		return pane, err
	}
	return pane, h.write(pane, a.Command, enter)
}

// openFor opens the pane of an action and waits until it takes input. The
// folder was checked when it was proposed, and is again.
func (h *Host) openFor(ctx context.Context, a session.TerminalAction) (session.PaneID, error) {
	if a.Cwd != "" {
		if now, ok := h.within(a.Cwd); !ok || now != a.Cwd {
			return "", &session.Error{Code: session.CodeFailed, Message: fmt.Sprintf("the folder %s is no longer inside the checkout", a.Cwd)}
		}
	}
	info, err := h.openShell(client.OpenPane{
		Place: a.Place, Direction: a.Direction, Cwd: a.Cwd, Name: a.Title, Beside: h.shells.active(),
	})
	if err != nil {
		return "", err
	}
	s, err := h.shells.find(info.ID)
	if err != nil {
		return "", err
	}
	if a.Type.Runs() || a.Type == "" {
		s.ready.wait(ctx)
	}
	return info.ID, nil
}

// write gives a shell pane a command as a person does, with Enter or without.
func (h *Host) write(id session.PaneID, command string, enter bool) error {
	s, err := h.shells.find(id)
	if err != nil {
		return &session.Error{Code: session.CodeFailed, Message: "the terminal was closed"}
	}
	if !s.pane.child.Takes(len(command)) {
		return &session.Error{
			Code: session.CodeFailed, Message: "the command is longer than this terminal takes on a line",
			Hint: "it would be cut; use a shell that edits its own command line, such as bash",
		}
	}
	if err := h.Input(id, session.Input{Paste: &command}); err != nil || !enter {
		return err
	}
	return h.Input(id, session.Input{Key: &session.KeyEvent{Code: session.KeyEnter}})
}

// delegate starts a thread by the road of a proposed thread.
func (h *Host) delegate(ctx context.Context, callID string, choice session.ActionChoice, a session.TerminalAction) error {
	if h.o.Delegate == nil {
		return &session.Error{Code: session.CodeFailed, Message: "no thread can be started from here"}
	}
	summary := choice.Rationale
	if summary == "" {
		summary = choice.Title
	}
	id, err := h.o.Delegate(ctx, Delegation{Thread: h.thread.ID, CallID: callID, Title: a.Title, Summary: summary, Prompt: a.Prompt})
	if err != nil {
		return err
	}
	h.tell(client.Down{Notice: &client.Notice{At: h.now(), Text: fmt.Sprintf("“%s” was started as thread %s", a.Title, id)}})
	return nil
}

// Delegation is a thread that a person confirmed on an action card.
type Delegation struct {
	Thread  session.ThreadID // whose agent proposed it
	CallID  string           // names the proposal that it is recorded as
	Title   string
	Summary string
	Prompt  string
}
