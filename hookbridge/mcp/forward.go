package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"aside/hookbridge/wire"
)

const (
	// dialTimeout limits the connecting, which a live helper does at once.
	dialTimeout = time.Second
	// forwardTimeout limits the whole call: the tools return at once, and the
	// fallback is as good.
	forwardTimeout = 5 * time.Second
)

// Forward is the desk of an agent that a helper hosts: it passes calls on to
// the helper, so that a card is on the screen at once. Where the helper does
// not answer, Fallback gets the call; that it may then be carried out twice
// does no harm, since a call's id, or the same words, are the same offer.
type Forward struct {
	Socket   string // of the helper; "" when there is none
	Thread   string
	Pane     string
	Fallback Desk
}

// Call is the body of wire.OpMCP, which a Reply answers.
type Call struct {
	Tool      string          `json:"tool"`
	CallID    string          `json:"call_id,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Call implements Desk.
func (f Forward) Call(ctx context.Context, tool, callID string, arguments json.RawMessage) (Reply, error) {
	if f.Socket == "" {
		return f.Fallback.Call(ctx, tool, callID, arguments)
	}
	reply, err := f.ask(ctx, Call{tool, callID, arguments})
	var refused *wire.Fault
	switch {
	case errors.As(err, &refused):
		return Reply{Text: failed, IsError: true}, fmt.Errorf("ask helper: %w", refused)
	case err != nil:
		return f.Fallback.Call(ctx, tool, callID, arguments)
	}
	return reply, nil
}

func (f Forward) ask(ctx context.Context, c Call) (Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, forwardTimeout)
	defer cancel()
	dialCtx, cancelDial := context.WithTimeout(ctx, dialTimeout)
	defer cancelDial()
	conn, err := wire.Dial(dialCtx, f.Socket)
	if err != nil {
		return Reply{}, err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	body, err := json.Marshal(c)
	if err != nil {
		return Reply{}, fmt.Errorf("encode call: %w", err)
	}
	answer, err := conn.Ask(wire.Request{Op: wire.OpMCP, Thread: f.Thread, Pane: f.Pane, Body: body})
	if err != nil {
		return Reply{}, err
	}
	var reply Reply
	if err := json.Unmarshal(answer, &reply); err != nil {
		return Reply{}, fmt.Errorf("decode reply: %w", err)
	}
	return reply, nil
}
