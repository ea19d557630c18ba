package actions

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"aside/session"
)

// The times and numbers of contracts/terminal-actions.md.
const (
	leaseTime    = 30 * time.Second
	cardTime     = 10 * time.Minute
	rememberTime = 3 * time.Minute
	rememberMax  = 8 // ended turns, and settled cards
	retriesMax   = 2 // per turn
)

// Options are what a desk is made of.
type Options struct {
	Program string // absolute path of aside
	Thread  session.ThreadID
	Resolve Resolve
	Now     func() time.Time
}

// Desk takes the terminal-action proposals of one thread: it issues a channel
// for each turn, judges the commands that would use it, and keeps the card.
// It is not safe for concurrent use.
type Desk struct {
	o       Options
	helper  string
	current *turn   // nil when no turn can propose
	ended   []*turn // the oldest first
	card    *session.ActionCard
	taken   bool // the card is being dispatched
	settled []session.ActionCard
}

// turn is what a channel stands for.
type turn struct {
	id           session.TurnID
	channel      digest
	conversation string // the agent's own id of it
	over         bool   // the agent has stopped; the channel lives on
	armed        bool
	payload      digest // armed: of the one that is let through
	until        time.Time
	used         bool // a card was made of it, or is being made
	retries      int
	end          Status // why it ended
	endedAt      time.Time
}

// NewDesk returns the desk of a helper, with a name of its own.
func NewDesk(o Options) *Desk { return &Desk{o: o, helper: newPart()} }

// Helper names the desk in its channels.
func (d *Desk) Helper() string { return d.helper }

// Begin issues the channel of a turn that has begun. The one before is
// superseded, and with it its card, which is returned.
func (d *Desk) Begin(id session.TurnID, conversation string) (Channel, *session.ActionCard) {
	card := d.end(Superseded, session.CardSuperseded, "the next turn has begun")
	c := Channel(channelPrefix + d.helper + "." + newPart())
	d.current = &turn{id: id, channel: digestOf(string(c)), conversation: conversation}
	return c, card
}

// Stopped tells that the turn is over: the tool is of no use any more. The
// channel and the card stay until something ends them.
func (d *Desk) Stopped() {
	if d.current != nil {
		d.current.over = true
	}
}

// Conversation tells which conversation the agent is in. Another than that of
// the turn ends the channel; the card that this ends is returned.
func (d *Desk) Conversation(id string) *session.ActionCard {
	if d.current == nil || d.current.conversation == id {
		return nil
	}
	return d.Replaced()
}

// Replaced ends the channel because the conversation has ended or changed.
func (d *Desk) Replaced() *session.ActionCard {
	return d.end(Stale, session.CardSessionReplaced, "the agent's conversation has ended or changed")
}

// Gone ends the channel because the agent, its pane or the helper is gone.
func (d *Desk) Gone(reason string) *session.ActionCard {
	return d.end(Stale, session.CardUnavailable, reason)
}

func (d *Desk) end(why Status, state session.CardState, reason string) *session.ActionCard {
	d.close(why)
	return d.settle(state, reason)
}

// close ends the current channel and remembers why.
func (d *Desk) close(why Status) {
	if t := d.current; t != nil {
		t.end, t.endedAt = why, d.o.Now()
		d.ended = append(d.ended, t)
		d.current = nil
	}
	d.forget()
}

func (d *Desk) forget() {
	oldest := d.o.Now().Add(-rememberTime)
	d.ended = slices.DeleteFunc(d.ended, func(t *turn) bool { return t.endedAt.Before(oldest) })
	if n := len(d.ended) - rememberMax; n > 0 {
		d.ended = d.ended[n:]
	}
	if n := len(d.settled) - rememberMax; n > 0 {
		d.settled = d.settled[n:]
	}
}

// Verdict is the answer to the permission step of a command.
type Verdict int

// The verdicts.
const (
	Untouched Verdict = iota // the ordinary way
	Allow                    // once, silently
	Deny                     // for a reason
)

// Judge answers the permission step of a command that the agent wants to
// run. A command that is let through arms its payload.
func (d *Desk) Judge(command string) (Verdict, string) {
	r := Recognise(d.o.Program, command)
	switch r.Likeness {
	case Other:
		return Untouched, ""
	case Near:
		return Deny, d.denial(r.Reason, r.Invocation)
	}
	t := d.current
	switch {
	case t == nil || !t.channel.is(string(r.Invocation.Channel)):
		return Deny, d.denial("its channel is not the one of this turn", r.Invocation)
	case t.used:
		return Deny, "The terminal actions of this turn have been proposed already: a channel is used once. Nothing was shown."
	case d.card != nil:
		return Deny, "A card of this turn still waits for the user. Nothing was shown."
	case t.armed && d.o.Now().Before(t.until):
		return Deny, "This channel waits for a command that was let through a moment ago. Nothing was shown."
	}
	t.armed, t.payload, t.until = true, digestOf(r.Invocation.Payload), d.o.Now().Add(leaseTime)
	return Allow, ""
}

// denial says what is wrong and how it has to be written.
func (d *Desk) denial(reason string, in Invocation) string {
	if d.current == nil || !d.current.channel.is(string(in.Channel)) {
		in.Channel = "<channel of this turn>"
	}
	if in.Payload == "" {
		in.Payload = "<compact JSON>"
	}
	return fmt.Sprintf("This command proposes terminal actions, but %s. Nothing was shown to the user. Run exactly this, with nothing before or after it: %s", reason, in)
}

// Submit takes a submission, as the text of its frame. When it is accepted
// there is a new card. conversation is the one the agent is in now.
func (d *Desk) Submit(text, conversation string) (Reply, *session.ActionCard) {
	d.forget()
	s, fault := frame(text)
	if fault != "" {
		return refuse(Malformed, fault), nil
	}
	helper, ok := s.Channel.Helper()
	t := d.current
	mine := t != nil && t.channel.is(string(s.Channel))
	switch {
	case len(s.Payload) > MaxPayload:
		reply := refuse(Malformed, fmt.Sprintf("the payload takes %d bytes, %d are the limit", len(s.Payload), MaxPayload))
		reply.Retryable = mine && d.retry(t)
		return reply, nil
	case !ok:
		return refuse(Malformed, "the channel is malformed"), nil
	case helper != d.helper:
		return refuse(HelperMismatch, "the channel is of another helper: the thread was stopped or resumed since"), nil
	case !mine:
		return d.late(s.Channel), nil
	case t.conversation != conversation:
		return refuse(Stale, "the agent's conversation has changed since"), nil
	}
	return d.use(t, s.Payload)
}

// late tells the truth about a channel that is not the current one.
func (d *Desk) late(c Channel) Reply {
	for _, t := range d.ended {
		if !t.channel.is(string(c)) {
			continue
		}
		switch t.end {
		case Superseded:
			return refuse(Superseded, "a further turn has begun since; its prompt came with a channel of its own")
		case Rejected:
			return refuse(Rejected, "this channel was ended by an earlier submission")
		}
		return refuse(Stale, "the turn of this channel is over")
	}
	return refuse(UnknownChannel, "this channel was never issued, or long ago")
}

// use spends the channel's lease on the payload.
func (d *Desk) use(t *turn, payload string) (Reply, *session.ActionCard) {
	switch {
	case !t.armed:
		return refuse(NotArmed, "the command was not let through by its permission step in the canonical form"), nil
	case !t.used && !d.o.Now().Before(t.until):
		reply := refuse(Expired, "the command came later than 30 seconds after it was let through")
		reply.Retryable = true
		return reply, nil
	case !t.payload.is(payload):
		reply := refuse(DigestMismatch, "the payload is not the one that was let through")
		reply.Retryable = d.retry(t)
		return reply, nil
	case t.used:
		return refuse(AlreadyConsumed, "this channel was used before"), nil
	case d.card != nil:
		reply := refuse(Unavailable, "a card of this turn still waits for the user")
		reply.Retryable = true
		return reply, nil
	}
	t.used = true
	card, err := d.propose(payload, t)
	var f *Fault
	switch {
	case err == nil:
		return Reply{Phase: PhaseValidation, Status: Accepted, Card: card.ID}, card
	case errors.As(err, &f) && f.Policy:
		d.close(Rejected)
		return refuse(Rejected, f.Error()), nil
	}
	t.used, t.armed = false, false // the next one has to be let through again
	reply := refuse(InvalidSchema, err.Error())
	reply.Retryable = d.retry(t)
	return reply, nil
}

func refuse(s Status, reason string) Reply {
	return Reply{Phase: PhaseValidation, Status: s, Reason: reason}
}

// retry counts a fault that the agent may mend; past the last one the channel
// ends.
func (d *Desk) retry(t *turn) bool {
	if t.used {
		return false
	}
	if t.retries++; t.retries <= retriesMax {
		return true
	}
	d.close(Rejected)
	return false
}

// The reasons why the tool makes no card.
var (
	errNoTurn = errors.New("no turn is open; terminal actions belong to a turn")
	errTaken  = errors.New("a card of this turn still waits for the user")
)

// Propose makes a card of what the tool was called with.
func (d *Desk) Propose(text string) (*session.ActionCard, error) {
	if d.current == nil || d.current.over {
		return nil, errNoTurn
	}
	if d.card != nil {
		return nil, errTaken
	}
	if len(text) > MaxProposal {
		return nil, &Fault{Field: "the proposal", Reason: fmt.Sprintf("takes %d bytes, %d are the limit", len(text), MaxProposal)}
	}
	return d.propose(text, d.current)
}

func (d *Desk) propose(text string, t *turn) (*session.ActionCard, error) {
	choices, err := Decode(text, d.o.Resolve)
	if err != nil {
		return nil, err
	}
	now := d.o.Now()
	d.card, d.taken = &session.ActionCard{
		ID: session.CardID(session.NewID()), Thread: d.o.Thread, Turn: t.id, Choices: choices,
		State: session.CardPending, OfferedAt: now, Deadline: now.Add(cardTime),
	}, false
	return d.pending(), nil
}

// pending returns the card that waits, as a copy.
func (d *Desk) pending() *session.ActionCard {
	if d.card == nil {
		return nil
	}
	c := *d.card
	return &c
}
