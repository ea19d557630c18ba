package threads

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aside/session"
	"aside/session/client"
)

// What is asked of a running agent. All of it goes to its helper.

// patience is how long a helper may take for what it answers at once. One
// that does not is stuck; who waits for it would never know.
const patience = 10 * time.Second

// ask makes a request that the helper of a thread answers at once.
func ask[Reply any](ctx context.Context, s *Service, id session.ThreadID, op string, in any) (Reply, error) {
	limited, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	r, err := client.Call[Reply](limited, s.socket(id), op, id, in)
	return r, s.stuck(ctx, id, err)
}

// stuck gives the end of patience its sentence.
func (s *Service) stuck(ctx context.Context, id session.ThreadID, err error) error {
	if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &session.Error{
		Code: session.CodeFailed, Message: fmt.Sprintf("the helper of thread %s does not answer", id),
		Hint: "try again; if it stays so, end its process (aside helper " + string(id) + ") and resume the thread",
	}
}

// Wait waits for a prompt's receipt, or for the end of the turn. A helper that
// is gone, or goes meanwhile, is the end of both.
func (s *Service) Wait(ctx context.Context, id session.ThreadID, what string) (client.Delivery, error) {
	d, err := client.Call[client.Delivery](ctx, s.socket(id), client.OpWait, id, client.WaitRequest{For: what})
	if errors.Is(err, client.ErrNoHelper) || errors.Is(err, client.ErrEnded) {
		return client.Delivery{}, nil
	}
	return d, err
}

// WaitTurn waits for the end of the turn that a thread's newest prompt opens.
// CodeFailed when the prompt did not arrive, or the agent failed.
func (s *Service) WaitTurn(ctx context.Context, id session.ThreadID) error {
	for _, what := range []string{client.WaitDelivery, client.WaitTurn} {
		if _, err := s.Wait(ctx, id, what); err != nil {
			return err
		}
	}
	t, err := s.found(ctx, id)
	switch {
	case err != nil:
		return err
	case t.Problem != "":
		return &session.Error{Code: session.CodeFailed, Message: t.Problem}
	case t.State == session.StateFailed && t.ExitCode != nil:
		return &session.Error{
			Code: session.CodeFailed, Message: "the agent has ended: " + session.ExitWords(*t.ExitCode),
			Hint: "its last screen says why: aside screen " + string(id),
		}
	}
	return nil
}

// Resume starts the agent of a thread that has ended.
func (s *Service) Resume(ctx context.Context, id session.ThreadID) error {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return err
	}
	if begun, err := s.begun(ctx, t); err != nil || !begun {
		if err != nil {
			return err
		}
		return &session.Error{Code: session.CodeFailed, Message: "this thread was never started", Hint: "send it a prompt: aside send " + string(id)}
	}
	if !t.State.Ended() && s.hosted(ctx, id) {
		return &session.Error{Code: session.CodeSettled, Message: "this thread is running already"}
	}
	return s.revive(ctx, id, false)
}

// revive starts the agent of a thread again, for the sake of a queued prompt or
// not: in the helper that is there, where that hosts shell panes which go on,
// else in a new one.
func (s *Service) revive(ctx context.Context, id session.ThreadID, prompted bool) error {
	r, err := client.Call[client.Relaunched](ctx, s.socket(id), client.OpRelaunch, id, client.Relaunch{Prompted: prompted})
	switch {
	case r.Done:
		return nil
	case err == nil, errors.Is(err, client.ErrNoHelper), errors.Is(err, client.ErrEnded), session.CodeOf(err) == session.CodeUsage:
		// Nothing has to go on, or the helper is too old to be asked.
	default:
		return err
	}
	if err := s.end(ctx, id); err != nil {
		return err
	}
	if prompted {
		return s.launchWithPrompt(ctx, id)
	}
	return s.launch(ctx, id, s.o.Program)
}

// Stop ends a thread's agent and its helper.
func (s *Service) Stop(ctx context.Context, id session.ThreadID) error {
	if !s.hosted(ctx, id) {
		return &session.Error{Code: session.CodeSettled, Message: "this thread is not running"}
	}
	return s.end(ctx, id)
}

// stopInterval is how often end looks for a helper that holds its lock and
// does not listen: the system tells nobody when it begins to.
const stopInterval = 10 * time.Millisecond

// end ends the helper, if there is one, and waits until it is gone. One that
// is about to listen is waited for.
func (s *Service) end(ctx context.Context, id session.ThreadID) error {
	tick := time.NewTicker(stopInterval)
	defer tick.Stop()
	for {
		_, err := client.Call[struct{}](ctx, s.socket(id), client.OpStop, id, nil)
		switch {
		case err == nil, errors.Is(err, client.ErrEnded):
			return client.AwaitGone(ctx, s.o.Paths.Lock(id))
		case !errors.Is(err, client.ErrNoHelper):
			return fmt.Errorf("stop thread: %w", err)
		}
		there, err := client.Probe(ctx, s.socket(id), s.o.Paths.Lock(id))
		if err != nil || !there {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Screen returns what is on a pane.
func (s *Service) Screen(ctx context.Context, id session.ThreadID, pane session.PaneID) (client.Screen, error) {
	return ask[client.Screen](ctx, s, id, client.OpScreen, client.ScreenRequest{Pane: pane})
}

// Explain says why a thread's state is what it is.
func (s *Service) Explain(ctx context.Context, id session.ThreadID) (client.Explanation, error) {
	return ask[client.Explanation](ctx, s, id, client.OpExplain, nil)
}

// Attach follows a thread.
func (s *Service) Attach(ctx context.Context, id session.ThreadID) (*client.Attachment, error) {
	limited, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	a, err := client.Attach(limited, s.socket(id), id)
	return a, s.stuck(ctx, id, err)
}
