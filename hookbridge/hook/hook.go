// Package hook is what an agent's hook runs: it takes the payload to the
// helper and prints what the helper answers. Its start-up is time the user
// waits for on every tool call, so it is made of the standard library and the
// wire alone.
package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"aside/hookbridge/wire"
)

const (
	// heldEvent is the event whose hook may be held while a person decides,
	// in any case. Adapters install the hook for their agent's request under
	// this name, whatever the agent calls it.
	heldEvent = "PermissionRequest"
	// timeout limits everything but the wait of a held event.
	timeout = 5 * time.Second
	// dialTimeout limits the connecting, which a live helper does at once.
	dialTimeout = time.Second
)

// Run is aside-hook --agent A --event E, and so aside hook: it reads the
// payload on stdin, sends it to the helper that env names, waits, and prints
// the verdict, exactly, on stdout. In every other case it prints nothing
// there and says why on stderr, so that the agent carries on with its own
// prompt (contracts/decisions.md). For the same reason the exit status is
// always 0: with some agents any other one denies the request.
//
// An event that only informs takes at most five seconds. PermissionRequest
// waits for as long as the helper holds it. A signal, as the agent sends it
// when its own time-out or its own prompt was first, ends Run at once, and so
// does the end of ctx; a read of stdin under way is left behind.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	output, err := ask(ctx, args, stdin, env)
	if err == nil && output != "" {
		_, err = io.WriteString(stdout, output)
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "aside-hook:", err) // the last resort has no other
	}
}

// ask returns what to print, "" for nothing.
func ask(ctx context.Context, args []string, stdin io.Reader, env func(string) string) (string, error) {
	r := wire.Request{Op: wire.OpHook, Thread: env("ASIDE_THREAD"), Pane: env("ASIDE_PANE")}
	if err := parse(args, &r); err != nil {
		return "", err
	}
	socket := env("ASIDE_SOCKET")
	if socket == "" {
		return "", errors.New("no helper: ASIDE_SOCKET is not set")
	}
	limit, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var err error
	if r.Body, err = readPayload(limit, stdin); err != nil {
		return "", fmt.Errorf("read payload: %w", err)
	}
	c, err := dial(limit, socket)
	if err != nil {
		return "", fmt.Errorf("reach helper: %w", err)
	}
	defer func() { _ = c.Close() }()
	if !strings.EqualFold(r.Event, heldEvent) {
		ctx = limit
	}
	// A helper takes a request at once, held or not; only its reply may take
	// long, and closing the connection ends that wait.
	if err := c.SetWriteDeadline(time.Now().Add(timeout)); err != nil {
		return "", fmt.Errorf("send payload: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	body, err := c.Ask(r)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", fmt.Errorf("wait for helper: %w", context.Cause(ctx))
	case err != nil:
		return "", err
	}
	return output(body)
}

// parse reads --agent and --event by hand: package flag would exit with a
// status that denies.
func parse(args []string, r *wire.Request) error {
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		if !joined {
			if len(args) == 0 {
				return fmt.Errorf("%s lacks its value", name)
			}
			value, args = args[0], args[1:]
		}
		switch name {
		case "--agent":
			r.Agent = value
		case "--event":
			r.Event = value
		default:
			return fmt.Errorf("unknown argument %q", name)
		}
	}
	if r.Agent == "" || r.Event == "" {
		return errors.New("usage: aside-hook --agent AGENT --event EVENT")
	}
	return nil
}

// readPayload reads all of stdin, within the limit and until ctx ends.
func readPayload(ctx context.Context, stdin io.Reader) ([]byte, error) {
	type result struct {
		payload []byte
		err     error
	}
	read := make(chan result, 1)
	go func() {
		payload, err := io.ReadAll(io.LimitReader(stdin, wire.MaxPayload+1))
		read <- result{payload, err}
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-read:
		switch {
		case r.err != nil:
			return nil, r.err
		case len(r.payload) > wire.MaxPayload:
			return nil, wire.ErrPayload
		case len(r.payload) == 0:
			return nil, errors.New("nothing on standard input")
		}
		return r.payload, nil
	}
}

func dial(ctx context.Context, socket string) (*wire.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	return wire.Dial(ctx, socket)
}

// output returns what a reply asks to print.
func output(body json.RawMessage) (string, error) {
	var h wire.HookReply
	if len(body) > 0 {
		if err := json.Unmarshal(body, &h); err != nil {
			return "", fmt.Errorf("read reply: %w", err)
		}
	}
	switch {
	case h.Released != "":
		return "", errors.New("no verdict: " + h.Released)
	case h.Output != "" && !json.Valid([]byte(h.Output)):
		return "", errors.New("read reply: the verdict is not JSON")
	}
	return h.Output, nil
}
