package proposals

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"aside/session"
)

// Desk answers the tools propose_thread, withdraw_proposal and
// list_proposals. The helper uses it for the agents it hosts, `aside mcp` and
// `aside propose` directly when no helper answers.
type Desk struct {
	Store Store
	Now   func() time.Time
}

// Reply is what the agent reads.
type Reply struct {
	Text    string `json:"text"`
	IsError bool   `json:"is_error,omitempty"`
	// Changed says that a card was added or one ceased to stand, for the
	// caller to publish. The agent never sees it.
	Changed bool `json:"-"`
}

// Propose offers what the arguments say as a card of the thread. callID is
// the agent's id of the call, "" when it sends none. It returns at once, and
// with an error the reply is still one for the agent.
func (d Desk) Propose(ctx context.Context, thread session.ThreadID, callID string, arguments json.RawMessage) (Reply, error) {
	offer, err := Decode(arguments)
	if err != nil {
		return Reply{Text: invalid(err), IsError: true}, nil
	}
	p := offer.Proposal(thread, knownCallID(callID), d.Now())
	result, id, err := d.Store.Offer(ctx, p, FoldKey(p.Title, p.Prompt), StandingMax)
	switch {
	case err != nil:
		return Reply{Text: unrecorded, IsError: true}, fmt.Errorf("offer a thread: %w", err)
	case result == OfferFull:
		return Reply{Text: full(StandingMax), IsError: true}, nil
	}
	return Reply{Text: acknowledgement(p.Title, id), Changed: result == OfferAdded}, nil
}

// knownCallID returns the id to know a call by: the agent's own, or a fresh
// one when that is absent or not fit to be kept.
func knownCallID(id string) string {
	if id == "" || len(id) > callIDMax || !utf8.ValidString(id) || session.CleanLine(id) != id {
		return "aside-" + session.NewID()
	}
	return id
}

// Withdraw takes back the thread's own offer that {"id": …} names. The reply
// is the same whether or not it was still standing.
func (d Desk) Withdraw(ctx context.Context, thread session.ThreadID, arguments json.RawMessage) (Reply, error) {
	fields, err := object(arguments)
	if err != nil {
		return Reply{Text: notWithdrawn(err.Error()), IsError: true}, nil
	}
	name, err := line(fields, "id", titleMax)
	if err != nil {
		return Reply{Text: notWithdrawn(err.Error()), IsError: true}, nil
	}
	id := session.ProposalID(name)
	done, err := d.Store.Withdraw(ctx, thread, id, d.Now())
	var fault *session.Error
	switch {
	case errors.As(err, &fault) && fault.Code == session.CodeNotFound:
		return Reply{Text: notWithdrawn("this thread made no offer with the id " + name), IsError: true}, nil
	case err != nil:
		return Reply{Text: notWithdrawn("aside could not write it down"), IsError: true}, fmt.Errorf("withdraw an offer: %w", err)
	}
	return Reply{Text: withdrawn(id), Changed: done}, nil
}

// List names the thread's own offers without their answers.
func (d Desk) List(ctx context.Context, thread session.ThreadID) (Reply, error) {
	offers, err := d.Store.Proposals(ctx, Filter{Thread: thread, All: true})
	if err != nil {
		return Reply{Text: "The offers of this thread cannot be read now.", IsError: true}, fmt.Errorf("list offers: %w", err)
	}
	slices.SortFunc(offers, func(a, b session.Proposal) int {
		if c := a.OfferedAt.Compare(b.OfferedAt); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return Reply{Text: listed(offers)}, nil
}
