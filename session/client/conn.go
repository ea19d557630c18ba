package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
)

// ErrNoHelper says that no helper hosts the thread.
var ErrNoHelper = &session.Error{
	Code: session.CodeNotFound, Message: "this thread is not running", Hint: "aside resume starts it again",
}

// ErrEnded says that the helper ended while it was asked: whether it did what
// it was asked for is not known.
var ErrEnded = &session.Error{
	Code: session.CodeFailed, Message: "the thread's helper ended before it answered",
	Hint: "aside threads tells what became of the thread",
}

// errOther says that the helper is of an aside that speaks otherwise.
var errOther = &session.Error{
	Code: session.CodeFailed, Message: "the thread's helper was started by another version of aside",
	Hint: "use that version, or end the helper's process; aside resume starts a new one",
}

// dialTime is how long a helper may take to accept a connection.
const dialTime = 5 * time.Second

// dial reaches the helper at the socket; ErrNoHelper when there is none.
func dial(ctx context.Context, socket string) (*wire.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	c, err := wire.Dial(ctx, socket)
	var op *net.OpError
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &op) && errors.Is(err, syscall.ECONNREFUSED):
		return nil, ErrNoHelper
	}
	return nil, fmt.Errorf("reach helper: %w", err)
}

// Call makes one request of the helper at the socket and returns its reply;
// the wait ends with the context. A refusal is a session.Error.
func Call[Reply any](ctx context.Context, socket, op string, thread session.ThreadID, in any) (Reply, error) {
	var out Reply
	c, err := dial(ctx, socket)
	if err != nil {
		return out, err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	r := wire.Request{Op: op, Thread: string(thread)}
	if in != nil {
		if r.Body, err = json.Marshal(in); err != nil {
			return out, fmt.Errorf("encode %s: %w", op, err)
		}
	}
	reply, err := c.Ask(r)
	if err != nil {
		return out, refusal(ctx, err)
	}
	if len(reply) == 0 {
		return out, nil
	}
	if err := json.Unmarshal(reply, &out); err != nil {
		return out, fmt.Errorf("decode reply to %s: %w", op, err)
	}
	return out, nil
}

// refusal is what became of a request that was not answered.
func refusal(ctx context.Context, err error) error {
	var f *wire.Fault
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &f):
		return &session.Error{Code: session.Code(f.Code), Message: f.Message, Hint: f.Hint}
	case errors.Is(err, wire.ErrVersion):
		return errOther
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return ErrEnded
	}
	return fmt.Errorf("ask helper: %w", err)
}

// Attachment is a client's connection to a thread's helper. One goroutine
// may call Next; any may call Send.
type Attachment struct{ conn *wire.Conn }

// Attach connects to the helper at the socket as a client that follows the
// thread; ctx bounds the time until the helper has answered, which it does
// when its agent runs. What is there already comes first: the status and the
// pending decisions.
func Attach(ctx context.Context, socket string, thread session.ThreadID) (*Attachment, error) {
	c, err := dial(ctx, socket)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	_, err = c.Ask(wire.Request{Op: OpAttach, Thread: string(thread)})
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = c.Close()
		return nil, refusal(ctx, err)
	}
	return &Attachment{conn: c}, nil
}

// Next waits for the next line from the helper. A frame must be acknowledged
// before the next comes.
func (a *Attachment) Next() (Down, error) {
	var d Down
	if err := a.conn.ReadLine(&d); err != nil {
		return d, err
	}
	return d, nil
}

// Send sends a line to the helper.
func (a *Attachment) Send(u Up) error { return a.conn.WriteLine(u) }

// Close ends the attachment.
func (a *Attachment) Close() error { return a.conn.Close() }
