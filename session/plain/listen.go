package plain

import (
	"context"
	"fmt"
	"strings"

	"aside/session"
	"aside/session/threads"
	"aside/session/transcript"
)

// listen says what happens until ctx ends.
func (c *Conversation) listen(ctx context.Context) {
	for {
		select {
		case e := <-c.o.Backend.Events():
			if err := c.happened(ctx, e); err != nil && ctx.Err() == nil {
				c.complain(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (c *Conversation) happened(ctx context.Context, e threads.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := e.Down
	if (d.Decision != nil || d.Card != nil) && c.threadOf(e.Thread) == nil {
		if err := c.changed(ctx); err != nil { // the thread is said before what it asks
			return err
		}
	}
	switch {
	case e.Store:
		return c.changed(ctx)
	case d.Status != nil:
		c.status(e.Thread, *d.Status)
	case d.Decision != nil:
		c.asked(*d.Decision)
	case d.Gone != nil:
		c.gone(d.Gone.Decision, answerOr(d.Gone.Answered, string(d.Gone.Released)))
	case d.Card != nil:
		c.proposed(*d.Card)
	case d.Notice != nil:
		c.saying(fmt.Sprintf("Thread %s notifies you: %s.", c.name(e.Thread), session.MarkLine(d.Notice.Text)))
	}
	return nil
}

func answerOr(answer, reason string) string {
	if answer != "" {
		return "answered, " + session.MarkLine(answer)
	}
	return reason
}

// changed says what is new in the store.
func (c *Conversation) changed(ctx context.Context) error {
	there, err := c.o.Backend.Threads(ctx)
	if err != nil {
		return err
	}
	for _, now := range there {
		had := c.threadOf(now.ID)
		if had == nil {
			c.saying("New: " + c.threadThing(now).headline())
			continue
		}
		problem := now.Problem != had.thread.Problem && now.Problem != ""
		status := session.Status{State: now.State, Source: now.StateSource}
		if now.State, now.StateSource = had.thread.State, had.thread.StateSource; now.Live && had.thread.Live {
			status.State = now.State // its helper says it sooner
		}
		c.threadThing(now)
		c.status(now.ID, status)
		if problem {
			c.saying(had.headline())
		}
	}
	offers, err := c.o.Backend.Proposals(ctx, c.o.Project, true)
	if err != nil {
		return err
	}
	for _, p := range offers {
		c.offered(p)
	}
	return c.readOn(ctx)
}

// readOn says what is new in the current thread's transcript.
func (c *Conversation) readOn(ctx context.Context) error {
	if c.current == "" {
		return nil
	}
	entries, now, err := c.o.Backend.EntriesSince(ctx, c.current, c.revision, 0)
	if err != nil {
		return err
	}
	c.revision = now
	for _, e := range entries {
		c.entry(e)
	}
	return nil
}

// offered says what has become of an offer. One that was settled before it was
// ever said is not.
func (c *Conversation) offered(p session.Proposal) {
	had := c.find(func(t *thing) bool { return t.offer != nil && t.offer.ID == p.ID })
	switch {
	case had == nil && p.State == session.ProposalStanding:
		c.saying(c.offerThing(p).unasked()...)
	case had != nil && offerState(*had.offer) != offerState(p):
		c.saying(c.offerThing(p).headline())
	}
}

// entry says what is new in the current thread's transcript. Offers and
// decisions are said as such.
func (c *Conversation) entry(e transcript.Entry) {
	failed, said := c.failed[e.ID]
	if said && failed == e.Failed {
		return
	}
	c.failed[e.ID] = e.Failed
	switch e.Kind {
	case transcript.KindProposal, transcript.KindDecision, transcript.KindAction:
		return
	case transcript.KindPrompt:
		if strings.TrimSpace(e.Text) == c.mine {
			c.mine = ""
			return
		}
	}
	c.saying(c.spoken(e)...)
}

// toolSaid is how much of what went into a tool is said, in bytes.
const toolSaid = 200

// spoken is an entry in lines, headed by who speaks.
func (c *Conversation) spoken(e transcript.Entry) []string {
	text := split(session.Mark(e.Text))
	headed := func(who string) []string {
		if len(text) == 1 {
			return []string{who + ": " + text[0]}
		}
		return append([]string{who + ":"}, text...)
	}
	switch e.Kind {
	case transcript.KindPrompt:
		if e.Origin == session.OriginAgent {
			return headed("Prompt of an agent")
		}
		return headed("You")
	case transcript.KindAssistant:
		agent := "Agent"
		if t := c.threadOf(e.Thread); t != nil && t.thread.Agent != "" {
			agent = sentence(t.thread.Agent)
		}
		return headed(agent)
	case transcript.KindTool:
		s := "Tool " + session.MarkLine(e.Tool)
		if e.Failed {
			s += " failed"
		}
		if in := session.MarkLine(e.Input[:min(len(e.Input), toolSaid)]); in != "" {
			s += ": " + in
		}
		return []string{s}
	case transcript.KindProposal:
		if e.Proposal == nil {
			return nil
		}
		return []string{c.offerThing(*e.Proposal).headline()}
	case transcript.KindDecision, transcript.KindAction:
		return []string{session.MarkLine(e.Text) + ": " + session.MarkLine(e.Outcome) + "."}
	}
	return headed("Notice")
}

// status says a thread's new state: of the current thread every one, of others
// those that concern the person.
func (c *Conversation) status(id session.ThreadID, now session.Status) {
	t := c.threadOf(id)
	if t == nil || t.thread.State == now.State {
		return
	}
	t.thread.State, t.thread.StateSource = now.State, now.Source
	if id == c.current || now.State == session.StateNeedsYou || now.State == session.StateDone || now.State.Ended() {
		c.saying(fmt.Sprintf("Thread %s: %s.", c.name(id), t.thread.Words()))
	}
}

func (c *Conversation) asked(d session.Decision) {
	if c.find(func(t *thing) bool { return t.decision != nil && t.decision.ID == d.ID }) != nil {
		return // its helper was reached anew
	}
	c.calling(c.number(&thing{decision: &d, of: c.name(d.Thread)}).unasked()...)
}

func (c *Conversation) gone(id session.DecisionID, why string) {
	t := c.find(func(t *thing) bool { return t.decision != nil && t.decision.ID == id })
	if t == nil || t.settled != "" {
		return
	}
	t.settled = why
	c.saying(fmt.Sprintf("%d is settled: %s.", t.n, why))
}

// proposed says an action card when it comes up, when the terminal that it
// would reach is another one, and when it has ended.
func (c *Conversation) proposed(card session.ActionCard) {
	t := c.find(func(t *thing) bool { return t.card != nil && t.card.ID == card.ID })
	switch {
	case t == nil && card.State == session.CardPending:
		c.calling(c.number(&thing{card: &card, of: c.name(card.Thread)}).unasked()...)
		return
	case t == nil || t.settled != "":
		return
	case card.State != session.CardPending:
		t.settled = strings.ReplaceAll(string(card.State), "_", " ")
		if card.Reason != "" {
			t.settled += ", " + session.MarkLine(card.Reason)
		}
		c.saying(fmt.Sprintf("%d is settled: %s.", t.n, t.settled))
	case card.Target != t.card.Target && card.NeedsTarget():
		t.card = &card
		c.saying(t.whole()...)
	}
	t.card = &card
}
