package actions

import (
	"fmt"

	"aside/session"
)

// Pending returns the card that waits for the person, nil when there is none.
func (d *Desk) Pending() *session.ActionCard {
	if d.taken {
		return nil
	}
	return d.pending()
}

// Card returns the card with the id: the one that waits, or one that was
// settled not long ago.
func (d *Desk) Card(id session.CardID) (session.ActionCard, bool) {
	if d.card != nil && d.card.ID == id {
		return *d.card, true
	}
	for _, c := range d.settled {
		if c.ID == id {
			return c, true
		}
	}
	return session.ActionCard{}, false
}

// Retarget tells which shell pane is the active one. It returns the card if
// it now names another.
func (d *Desk) Retarget(pane session.PaneID) *session.ActionCard {
	if d.card == nil || d.taken || d.card.Target == pane || !d.card.NeedsTarget() {
		return nil
	}
	d.card.Target = pane
	return d.pending()
}

// Closed tells that a pane is being closed. A card that named it as its
// target ends, and is returned.
func (d *Desk) Closed(pane session.PaneID) *session.ActionCard {
	if d.card == nil || d.taken || pane == "" || d.card.Target != pane {
		return nil
	}
	return d.settle(session.CardCancelled, "its terminal was closed")
}

// Take gives the card to who confirms it: only the first gets it, and has to
// call Settle. Without it the receipt says why not; an error is a
// *session.Error for a confirmation that does not fit the card, which then
// stays as it was.
func (d *Desk) Take(c session.Confirmation) (session.ActionCard, *session.CardReceipt, error) {
	if d.card == nil || d.card.ID != c.Card || d.taken {
		r := d.receipt(c.Card)
		return session.ActionCard{}, &r, nil
	}
	if c.Choice < 1 || c.Choice > len(d.card.Choices) {
		return session.ActionCard{}, nil, &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("the card has no choice %d", c.Choice),
			Hint: fmt.Sprintf("its choices are 1 to %d", len(d.card.Choices)),
		}
	}
	choice := d.card.Choices[c.Choice-1]
	switch {
	case c.Insert && !choice.Insertable():
		return session.ActionCard{}, nil, &session.Error{
			Code: session.CodeUsage, Message: "this choice cannot be inserted",
			Hint: "only a choice with one command for a terminal can; run it, or cancel the card",
		}
	case c.Bound && choice.NeedsTarget() && c.Target != d.card.Target:
		return session.ActionCard{}, nil, &session.Error{
			Code: session.CodeSettled, Message: "the active terminal is another now",
			Hint: "look at the card again: it names the terminal that it would reach",
		}
	}
	d.taken = true
	return *d.card, nil, nil
}

// receipt tells who came second what was first.
func (d *Desk) receipt(id session.CardID) session.CardReceipt {
	c, known := d.Card(id)
	switch {
	case !known:
		return session.CardReceipt{Card: id, Outcome: session.OutcomeUnknown}
	case c.State == session.CardPending: // it is being dispatched
		return session.CardReceipt{Card: id, Outcome: session.OutcomeDuplicate, State: session.CardConfirmed}
	case c.State == session.CardConfirmed, c.State == session.CardCancelled:
		return session.CardReceipt{
			Card: id, Outcome: session.OutcomeDuplicate, State: c.State, Choice: c.Choice, Reason: c.Reason, At: c.DecidedAt,
		}
	}
	return session.CardReceipt{Card: id, Outcome: session.OutcomeUnavailable, State: c.State, Reason: c.Reason, At: c.DecidedAt}
}

// Settle ends a card that was taken: choice was dispatched, or, with a
// reason, could not be.
func (d *Desk) Settle(choice int, failure string) *session.ActionCard {
	if !d.taken {
		return nil
	}
	d.taken = false
	if failure != "" {
		return d.settle(session.CardUnavailable, failure)
	}
	d.card.Choice = choice
	return d.settle(session.CardConfirmed, "")
}

// Cancel ends the card because the person does not want it.
func (d *Desk) Cancel(id session.CardID) (session.CardReceipt, *session.ActionCard) {
	if d.card == nil || d.card.ID != id || d.taken {
		return d.receipt(id), nil
	}
	c := d.settle(session.CardCancelled, "the user does not want it")
	return session.CardReceipt{Card: id, Outcome: session.OutcomeAnswered, State: c.State, At: c.DecidedAt}, c
}

// Withdraw ends the card because the command that proposed it is gone.
func (d *Desk) Withdraw(id session.CardID) *session.ActionCard {
	return d.lapse(id, session.CardWithdrawn, "the command that proposed it has ended")
}

// TimeOut ends a card that nobody answered in time.
func (d *Desk) TimeOut(id session.CardID) *session.ActionCard {
	if d.card != nil && d.o.Now().Before(d.card.Deadline) {
		return nil
	}
	return d.lapse(id, session.CardTimedOut, "nobody answered it in 10 minutes")
}

func (d *Desk) lapse(id session.CardID, state session.CardState, reason string) *session.ActionCard {
	if d.card == nil || d.card.ID != id {
		return nil
	}
	return d.settle(state, reason)
}

// settle ends the card, unless there is none or it was taken.
func (d *Desk) settle(state session.CardState, reason string) *session.ActionCard {
	if d.card == nil || d.taken {
		return nil
	}
	d.card.State, d.card.Reason, d.card.DecidedAt = state, reason, d.o.Now()
	c := *d.card
	d.settled, d.card = append(d.settled, c), nil
	d.forget()
	return &c
}
