package actions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aside/proposals/actions"
	"aside/session"
)

// armed is a desk whose turn may submit the payload.
func armed(t *testing.T, payload string) (*actions.Desk, *clock, actions.Channel) {
	t.Helper()
	d, c, channel := began()
	arm(t, d, channel, payload)
	return d, c, channel
}

func arm(t *testing.T, d *actions.Desk, channel actions.Channel, payload string) {
	t.Helper()
	if v, reason := d.Judge(command(channel, payload)); v != actions.Allow {
		t.Fatalf("the canonical form gets verdict %d: %s", v, reason)
	}
}

// stands is a desk with a card, made through the channel.
func stands(t *testing.T) (*actions.Desk, *clock, actions.Channel, session.ActionCard) {
	t.Helper()
	d, c, channel := armed(t, plain)
	r, card := d.Submit(submission(channel, plain), "s1")
	if r.Status != actions.Accepted {
		t.Fatalf("got %+v", r)
	}
	return d, c, channel, *card
}

func TestASubmissionIsToldWhatIsWrong(t *testing.T) {
	good := actions.Channel("v1." + strings.Repeat("0", 32) + "." + strings.Repeat("1", 32))
	for _, tt := range []struct {
		name  string
		after func(t *testing.T, d *actions.Desk, c *clock, ch actions.Channel) string // returns the frame
		want  actions.Status
		retry bool
	}{
		{"no JSON", func(*testing.T, *actions.Desk, *clock, actions.Channel) string { return "hello" }, actions.Malformed, false},
		{"an array", func(*testing.T, *actions.Desk, *clock, actions.Channel) string { return "[]" }, actions.Malformed, false},
		{"no payload", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return fmt.Sprintf(`{"version":1,"channel":%q}`, ch)
		}, actions.Malformed, false},
		{"another version", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return strings.Replace(submission(ch, plain), `"version":1`, `"version":2`, 1)
		}, actions.Malformed, false},
		{"a pane is named", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return strings.Replace(submission(ch, plain), `{"version"`, `{"pane":"shell1","version"`, 1)
		}, actions.Malformed, false},
		{"a field in another case", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return strings.Replace(submission(ch, plain), `"payload"`, `"Payload"`, 1)
		}, actions.Malformed, false},
		{"a field twice", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return strings.Replace(submission(ch, plain), `{"version"`, `{"version":1,"version"`, 1)
		}, actions.Malformed, false},
		{"too long", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return submission(ch, strings.Repeat("x", actions.MaxPayload+1))
		}, actions.Malformed, true},
		{"too long for a channel that is not there", func(*testing.T, *actions.Desk, *clock, actions.Channel) string {
			return submission(good, strings.Repeat("x", actions.MaxPayload+1))
		}, actions.Malformed, false},
		{"no channel", func(*testing.T, *actions.Desk, *clock, actions.Channel) string { return submission("v1.x.y", plain) }, actions.Malformed, false},
		{"another helper", func(*testing.T, *actions.Desk, *clock, actions.Channel) string { return submission(good, plain) }, actions.HelperMismatch, false},
		{"a guessed secret", func(_ *testing.T, d *actions.Desk, _ *clock, _ actions.Channel) string {
			return submission(actions.Channel("v1."+d.Helper()+"."+strings.Repeat("1", 32)), plain)
		}, actions.UnknownChannel, false},
		{"an earlier turn", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			d.Begin("turn2", "s1")
			return submission(ch, plain)
		}, actions.Superseded, false},
		{"an earlier turn, long ago", func(_ *testing.T, d *actions.Desk, c *clock, ch actions.Channel) string {
			d.Begin("turn2", "s1")
			c.at = c.at.Add(3*time.Minute + time.Second)
			return submission(ch, plain)
		}, actions.UnknownChannel, false},
		{"many turns ago", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			for i := range 20 {
				d.Begin(session.TurnID(fmt.Sprint(i)), "s1")
			}
			return submission(ch, plain)
		}, actions.UnknownChannel, false},
		{"another conversation", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			d.Conversation("s2")
			return submission(ch, plain)
		}, actions.Stale, false},
		{"in another conversation", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string { return submission(ch, plain) }, actions.Stale, false},
		{"the agent is gone", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			d.Gone("the agent has ended")
			return submission(ch, plain)
		}, actions.Stale, false},
		{"expired", func(_ *testing.T, _ *actions.Desk, c *clock, ch actions.Channel) string {
			c.at = c.at.Add(30 * time.Second)
			return submission(ch, plain)
		}, actions.Expired, true},
		{"another payload", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string {
			return submission(ch, strings.Replace(plain, "go test", "rm -rf", 1))
		}, actions.DigestMismatch, true},
		{"replayed", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			d.Submit(submission(ch, plain), "s1")
			return submission(ch, plain)
		}, actions.AlreadyConsumed, false},
		{"replayed later than its lease", func(_ *testing.T, d *actions.Desk, c *clock, ch actions.Channel) string {
			d.Submit(submission(ch, plain), "s1")
			c.at = c.at.Add(time.Minute)
			return submission(ch, plain)
		}, actions.AlreadyConsumed, false},
		{"replayed after it was cancelled", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			r, _ := d.Submit(submission(ch, plain), "s1")
			d.Cancel(r.Card)
			return submission(ch, plain)
		}, actions.AlreadyConsumed, false},
		{"beside the tool's card", func(_ *testing.T, d *actions.Desk, _ *clock, ch actions.Channel) string {
			_, _ = d.Propose(plain)
			return submission(ch, plain)
		}, actions.Unavailable, true},
		{"as it has to be", func(_ *testing.T, _ *actions.Desk, _ *clock, ch actions.Channel) string { return submission(ch, plain) }, actions.Accepted, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, c, ch := armed(t, plain)
			text := tt.after(t, d, c, ch)
			conversation := "s1"
			if strings.HasSuffix(tt.name, "another conversation") {
				conversation = "s2"
			}
			r, card := d.Submit(text, conversation)
			if r.Status != tt.want || r.Retryable != tt.retry || r.Phase != actions.PhaseValidation {
				t.Errorf("got %+v, want %s, retryable %v", r, tt.want, tt.retry)
			}
			if (card != nil) != (tt.want == actions.Accepted) || (r.Reason == "") != (tt.want == actions.Accepted) {
				t.Errorf("the card is %v, the reason %q", card, r.Reason)
			}
		})
	}
}

func TestAnExpiredLeaseCanBeArmedAgain(t *testing.T) {
	d, c, ch := armed(t, plain)
	c.at = c.at.Add(30 * time.Second)
	arm(t, d, ch, plain)
	if r, _ := d.Submit(submission(ch, plain), "s1"); r.Status != actions.Accepted {
		t.Errorf("got %+v", r)
	}
}

func TestTwoRetriesAndNoMore(t *testing.T) {
	const bad = `{"schema_version":1,"choices":[]}`
	d, _, ch := began()
	for i, retryable := range []bool{true, true, false} {
		arm(t, d, ch, bad)
		r, _ := d.Submit(submission(ch, bad), "s1")
		if r.Status != actions.InvalidSchema || r.Retryable != retryable {
			t.Fatalf("fault %d: %+v", i+1, r)
		}
		if again, _ := d.Submit(submission(ch, bad), "s1"); retryable && again.Status != actions.NotArmed {
			t.Errorf("it was not let through again, and is %s", again.Status)
		}
	}
	if v, _ := d.Judge(command(ch, plain)); v != actions.Deny {
		t.Error("the channel is still of use")
	}
	if r, _ := d.Submit(submission(ch, plain), "s1"); r.Status != actions.Rejected {
		t.Errorf("got %+v", r)
	}
	next, _ := d.Begin("turn2", "s1")
	arm(t, d, next, plain)
}

func TestAMendedProposalIsTaken(t *testing.T) {
	const bad = `{"schema_version":1,"choices":[],"pane":"shell1"}`
	d, _, ch := armed(t, bad)
	if r, _ := d.Submit(submission(ch, bad), "s1"); r.Status != actions.InvalidSchema || !strings.Contains(r.Reason, "pane") {
		t.Errorf("got %+v", r)
	}
	arm(t, d, ch, plain)
	if r, _ := d.Submit(submission(ch, plain), "s1"); r.Status != actions.Accepted {
		t.Errorf("got %+v", r)
	}
}

func TestAFaultOfPolicyEndsTheChannel(t *testing.T) {
	evil := strings.Replace(plain, "go test ./...", `ls \u202e`, 1)
	d, _, ch := armed(t, evil)
	r, card := d.Submit(submission(ch, evil), "s1")
	if r.Status != actions.Rejected || r.Retryable || card != nil || !strings.Contains(r.Reason, "U+202E") {
		t.Errorf("got %+v", r)
	}
	if v, _ := d.Judge(command(ch, plain)); v != actions.Deny {
		t.Error("the channel is still of use")
	}
	if r, _ := d.Submit(submission(ch, plain), "s1"); r.Status != actions.Rejected {
		t.Errorf("a further submission is %+v", r)
	}
}

func TestACardEndsInOneWay(t *testing.T) {
	confirm := func(d *actions.Desk, c session.ActionCard) (session.CardReceipt, *session.ActionCard) {
		_, r, err := d.Take(session.Confirmation{Card: c.ID, Choice: 1})
		if r != nil || err != nil {
			return session.CardReceipt{}, nil
		}
		return session.CardReceipt{}, d.Settle(1, "")
	}
	ends := map[string]struct {
		end   func(d *actions.Desk, k *clock, c session.ActionCard) *session.ActionCard
		state session.CardState
	}{
		"confirmed": {func(d *actions.Desk, _ *clock, c session.ActionCard) *session.ActionCard {
			_, done := confirm(d, c)
			return done
		}, session.CardConfirmed},
		"cancelled": {func(d *actions.Desk, _ *clock, c session.ActionCard) *session.ActionCard {
			_, done := d.Cancel(c.ID)
			return done
		}, session.CardCancelled},
		"its pane closed": {func(d *actions.Desk, _ *clock, _ session.ActionCard) *session.ActionCard {
			d.Retarget("shell1")
			return d.Closed("shell1")
		}, session.CardCancelled},
		"a further turn": {func(d *actions.Desk, _ *clock, _ session.ActionCard) *session.ActionCard {
			_, done := d.Begin("turn2", "s1")
			return done
		}, session.CardSuperseded},
		"another conversation": {func(d *actions.Desk, _ *clock, _ session.ActionCard) *session.ActionCard { return d.Conversation("s2") }, session.CardSessionReplaced},
		"no conversation":      {func(d *actions.Desk, _ *clock, _ session.ActionCard) *session.ActionCard { return d.Replaced() }, session.CardSessionReplaced},
		"time": {func(d *actions.Desk, k *clock, c session.ActionCard) *session.ActionCard {
			if early := d.TimeOut(c.ID); early != nil {
				return early
			}
			k.at = k.at.Add(10 * time.Minute)
			return d.TimeOut(c.ID)
		}, session.CardTimedOut},
		"the agent gone":   {func(d *actions.Desk, _ *clock, _ session.ActionCard) *session.ActionCard { return d.Gone("gone") }, session.CardUnavailable},
		"the command gone": {func(d *actions.Desk, _ *clock, c session.ActionCard) *session.ActionCard { return d.Withdraw(c.ID) }, session.CardWithdrawn},
		"dispatch failed": {func(d *actions.Desk, _ *clock, c session.ActionCard) *session.ActionCard {
			_, _, _ = d.Take(session.Confirmation{Card: c.ID, Choice: 1})
			return d.Settle(1, "no pane")
		}, session.CardUnavailable},
	}
	for name, e := range ends {
		d, k, _, card := stands(t)
		done := e.end(d, k, card)
		if done == nil || done.State != e.state || d.Pending() != nil {
			t.Fatalf("%s: got %+v", name, done)
		}
		if f := actions.Final(*done); f.Phase != actions.PhaseFinal || f.Status != actions.Status(e.state) {
			t.Errorf("%s: the last line is %+v", name, f)
		}
		for other, o := range ends {
			if again := o.end(d, k, card); again != nil {
				t.Errorf("%s, then %s: it ended again: %+v", name, other, again)
			}
		}
		if kept, ok := d.Card(card.ID); !ok || kept.State != e.state {
			t.Errorf("%s: remembered is %+v", name, kept)
		}
	}
}

func TestTheFirstToConfirmTakesTheCard(t *testing.T) {
	d, _, _, card := stands(t)
	if _, r, err := d.Take(session.Confirmation{Card: card.ID, Choice: 1}); r != nil || err != nil {
		t.Fatalf("got %+v, %v", r, err)
	}
	_, r, err := d.Take(session.Confirmation{Card: card.ID, Choice: 1})
	if err != nil || r == nil || r.Outcome != session.OutcomeDuplicate {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, c := d.Cancel(card.ID); c != nil || r.Outcome != session.OutcomeDuplicate {
		t.Errorf("cancelled after it was confirmed: %+v", r)
	}
	if _, c := d.Begin("turn2", "s1"); c != nil {
		t.Errorf("superseded after it was confirmed: %+v", c)
	}
	if c := d.Settle(1, ""); c == nil || c.State != session.CardConfirmed || c.Choice != 1 {
		t.Errorf("got %+v", c)
	}
	if _, r, _ := d.Take(session.Confirmation{Card: card.ID, Choice: 1}); r.Outcome != session.OutcomeDuplicate || r.Choice != 1 {
		t.Errorf("got %+v", r)
	}
	if _, r, _ := d.Take(session.Confirmation{Card: "nosuchcard", Choice: 1}); r.Outcome != session.OutcomeUnknown {
		t.Errorf("got %+v", r)
	}
}

func TestAConfirmationThatDoesNotFitLeavesTheCard(t *testing.T) {
	d, _, _, card := stands(t)
	d.Retarget("shell2")
	for _, c := range []session.Confirmation{
		{Card: card.ID},
		{Card: card.ID, Choice: 2},
		{Card: card.ID, Choice: -1},
		{Card: card.ID, Choice: 1, Bound: true},
		{Card: card.ID, Choice: 1, Bound: true, Target: "shell1"},
	} {
		if _, r, err := d.Take(c); err == nil || r != nil {
			t.Errorf("%+v is taken", c)
		}
	}
	if p := d.Pending(); p == nil || p.Target != "shell2" {
		t.Fatalf("the card is %+v", p)
	}
	if _, r, err := d.Take(session.Confirmation{Card: card.ID, Choice: 1, Bound: true, Target: "shell2"}); r != nil || err != nil {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestTheToolBelongsToTheOpenTurn(t *testing.T) {
	d, _ := newDesk()
	if _, err := d.Propose(plain); err == nil {
		t.Error("a card without a turn")
	}
	d.Begin("turn1", "s1")
	card, err := d.Propose(plain)
	if err != nil || card.Turn != "turn1" {
		t.Fatalf("got %+v, %v", card, err)
	}
	if _, err := d.Propose(plain); err == nil {
		t.Error("two cards at once")
	}
	d.Stopped()
	if d.Pending() == nil {
		t.Error("the end of the turn took the card")
	}
	d.Cancel(card.ID)
	if _, err := d.Propose(plain); err == nil {
		t.Error("a card after the end of the turn")
	}
	if c, ok := d.Card(card.ID); !ok || c.State != session.CardCancelled {
		t.Errorf("what became of it is %+v", c)
	}
}

func TestChannelsDifferAndNameTheirHelper(t *testing.T) {
	d, _ := newDesk()
	seen := map[actions.Channel]bool{}
	for i := range 100 {
		c, _ := d.Begin(session.TurnID(fmt.Sprint(i)), "s1")
		if len(c) != 68 || seen[c] {
			t.Fatalf("channel %q", c)
		}
		seen[c] = true
		if h, ok := c.Helper(); !ok || h != d.Helper() {
			t.Fatalf("%q names %q", c, h)
		}
	}
}
