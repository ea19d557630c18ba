package client

import (
	"context"
	"encoding/json"
	"fmt"

	"aside/hookbridge/wire"
	"aside/proposals/actions"
	"aside/session"
)

// Propose hands a submission to the helper at the socket and passes each
// reply on, in order, until the last: one that does not accept, or the final
// one. It holds the connection, since its end withdraws the card.
func Propose(ctx context.Context, socket string, s actions.Submission, reply func(actions.Reply) error) error {
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode submission: %w", err)
	}
	c, err := dial(ctx, socket)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	answer, err := c.Ask(wire.Request{Op: OpPropose, Body: body})
	if err != nil {
		return refusal(ctx, err)
	}
	for {
		var r actions.Reply
		if err := json.Unmarshal(answer, &r); err != nil {
			return fmt.Errorf("decode reply: %w", err)
		}
		if err := reply(r); err != nil {
			return err
		}
		if r.Status != actions.Accepted {
			return nil
		}
		var next wire.Reply
		if err := c.ReadLine(&next); err != nil {
			return refusal(ctx, err)
		}
		if next.Fault != nil {
			return &session.Error{Code: session.Code(next.Fault.Code), Message: next.Fault.Message, Hint: next.Fault.Hint}
		}
		answer = next.Body
	}
}
