package threads

import (
	"context"
	"fmt"

	"aside/session"
	"aside/session/client"
	"aside/session/transcript"
)

// List returns the threads of a project ("" for all), the newest first. A
// thread whose helper is gone without having said so is found out here.
func (s *Service) List(ctx context.Context, project string, archived bool) ([]session.Thread, error) {
	all, err := s.o.Store.ProjectThreads(ctx, project, archived)
	if err != nil {
		return nil, err
	}
	return all, s.check(ctx, all, func(session.ThreadID) bool { return false })
}

// check makes threads say what is so, without a look at the helpers that are
// known to be there.
func (s *Service) check(ctx context.Context, all []session.Thread, there func(session.ThreadID) bool) (err error) {
	for i, t := range all {
		if there(t.ID) {
			continue
		}
		if all[i], err = s.checked(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// found returns a thread by its id, as it is.
func (s *Service) found(ctx context.Context, id session.ThreadID) (session.Thread, error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return t, err
	}
	return s.checked(ctx, t)
}

// checked returns a thread as it is: when the store says that it is live and
// its helper is gone, the end is recorded first.
func (s *Service) checked(ctx context.Context, t session.Thread) (session.Thread, error) {
	if !t.Live || s.hosted(ctx, t.ID) {
		return t, nil
	}
	if err := s.o.Store.EndedUnseen(ctx, t.ID, "Its helper ended without warning, and the agent with it — resume it to go on", s.o.Now()); err != nil {
		return t, err
	}
	if left := Left(ctx, s.o.Git, t); left != "" {
		// Others find it out too, and say it once between them.
		once := transcript.Entry{
			At: s.o.Now(), Kind: transcript.KindNotice, Text: left, Key: fmt.Sprintf("left:%d", t.StateAt.UnixNano()),
		}
		if err := s.o.Store.Append(ctx, t.ID, once); err != nil {
			return t, err
		}
	}
	return s.o.Store.Thread(ctx, t.ID)
}

// hosted says whether a helper is there, or about to be.
func (s *Service) hosted(ctx context.Context, id session.ThreadID) bool {
	a, err := client.Probe(ctx, s.socket(id), s.o.Paths.Lock(id))
	return err != nil || a
}

// Archive takes a thread off the ordinary list, or brings it back; nothing else
// of it changes. One that a helper hosts is refused with CodeSettled: what runs
// must be seen.
func (s *Service) Archive(ctx context.Context, id session.ThreadID, archived bool) error {
	t, err := s.found(ctx, id)
	switch {
	case err != nil:
		return err
	case archived && t.Live:
		return &session.Error{
			Code: session.CodeSettled, Message: "its agent is running, so this thread stays in the list", Hint: "stop it first",
		}
	}
	return s.o.Store.Archive(ctx, id, archived)
}

// Remembered returns how the screen of a project was left.
func (s *Service) Remembered(ctx context.Context, project string) (session.Remembered, error) {
	return s.o.Store.Remembered(ctx, project)
}

// RememberScreen keeps which thread the screen of a project shows, and whether
// the list of threads is hidden.
func (s *Service) RememberScreen(ctx context.Context, project string, shown session.ThreadID, listHidden bool) error {
	return s.o.Store.RememberScreen(ctx, project, shown, listHidden)
}

// RememberView keeps what is shown of a thread, in the screen's own words.
func (s *Service) RememberView(ctx context.Context, id session.ThreadID, view string) error {
	return s.o.Store.RememberView(ctx, id, view)
}
