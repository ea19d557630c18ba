// Package threads is what can be done with threads, for the screen and the
// command line alike: it brings the store, the helpers, the accept flow and
// the checkouts together. What needs a running agent goes to its helper,
// which is started when there is none.
package threads

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/client"
	"aside/session/config"
	"aside/session/transcript"
	"aside/worktree/git"
)

// Store is what the service keeps; package storage implements it.
type Store interface {
	proposals.Store
	OpenProject(ctx context.Context, path string, at time.Time) error
	Thread(ctx context.Context, id session.ThreadID) (session.Thread, error)
	FindThread(ctx context.Context, prefix string) (session.Thread, error)
	ProjectThreads(ctx context.Context, project string, archived bool) ([]session.Thread, error)
	Entries(ctx context.Context, thread session.ThreadID, before int64, limit int) ([]transcript.Entry, error)
	SetTitle(ctx context.Context, id session.ThreadID, title string) error
	SetDraft(ctx context.Context, id session.ThreadID, draft string) error
	SetProblem(ctx context.Context, id session.ThreadID, problem string) error
	EndedUnseen(ctx context.Context, id session.ThreadID, problem string, at time.Time) error
	DeleteThread(ctx context.Context, id session.ThreadID) error
	QueuePrompt(ctx context.Context, id session.ThreadID, prompt string, by proposals.Author, at time.Time) error
	Append(ctx context.Context, id session.ThreadID, entries ...transcript.Entry) error
	// Agreement returns the person's answer to a text of a project; known is
	// false when there is none. SetAgreement records it.
	Agreement(ctx context.Context, project, text string) (agreed, known bool, err error)
	SetAgreement(ctx context.Context, project, text string, agreed bool, at time.Time) error
	// IsSetUp says that a thread's worktree was set up; SetUp records it.
	IsSetUp(ctx context.Context, id session.ThreadID) (bool, error)
	SetUp(ctx context.Context, id session.ThreadID, at time.Time) error
}

// Options are what a service is made of.
type Options struct {
	Paths   config.Paths
	Config  config.Config
	Store   Store
	Git     *git.Git
	Program client.Program // starts a helper
	Agents  []string       // installed ones, the preferred one first
	Known   []string       // all that can be asked for
	// Ask asks the person what a start cannot go on without. asked is false,
	// and the answer no, where there is nobody to ask.
	Ask func(ctx context.Context, q Question) (yes, asked bool)
	// Progress, if set, hears of every durable step of a start, on the
	// goroutine that asked for it.
	Progress func(thread session.ThreadID, step proposals.Step)
	Now      func() time.Time
}

// Service does what a person asks of threads.
type Service struct {
	o       Options
	starter *proposals.Executor
}

// New returns a service.
func New(o Options) (*Service, error) {
	self, err := proposals.Self()
	if err != nil {
		return nil, fmt.Errorf("identify this process: %w", err)
	}
	s := &Service{o: o}
	s.starter = &proposals.Executor{
		Store: o.Store, Checkouts: checkouts{s}, Launch: s.launch, Consent: s.consent,
		Self: self, Dead: proposals.Taker.Dead, Progress: o.Progress, Now: o.Now,
	}
	return s, nil
}

// Open notes that the user opened a folder as a project, and returns the
// project's one name.
func (s *Service) Open(ctx context.Context, dir string) (string, error) {
	project, err := folder(dir)
	if err != nil {
		return "", err
	}
	return project, s.o.Store.OpenProject(ctx, project, s.o.Now())
}

// Scratch makes a project with the files, by path, unless it is there.
func (s *Service) Scratch(ctx context.Context, dir string, files map[string]string) error {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return nil
	}
	return s.o.Git.InitProject(ctx, dir, files)
}

// Inspect looks at a folder as a start would; the error says what is wrong
// with Git or with the folder.
func (s *Service) Inspect(ctx context.Context, dir string) (git.Inspection, error) {
	return s.o.Git.Inspect(ctx, dir)
}

// Installed returns the agents that can run here, the preferred one first.
func (s *Service) Installed() []string { return s.o.Agents }

// OnlyAgent returns the one agent that can run here, or "" if there are more.
func (s *Service) OnlyAgent() string {
	if len(s.o.Agents) != 1 {
		return ""
	}
	return s.o.Agents[0]
}

// Recover finishes or undoes what a process that died left in the middle of
// a start.
func (s *Service) Recover(ctx context.Context) error { return s.starter.Recover(ctx) }

func (s *Service) socket(id session.ThreadID) string { return s.o.Paths.Socket(id) }

// List returns the threads of a project ("" for all), the newest first. A
// thread whose helper is gone without having said so is found out here.
func (s *Service) List(ctx context.Context, project string, archived bool) ([]session.Thread, error) {
	return s.list(ctx, project, archived, func(session.ThreadID) bool { return false })
}

// list is List without a look at the helpers that are known to be there.
func (s *Service) list(ctx context.Context, project string, archived bool, there func(session.ThreadID) bool) ([]session.Thread, error) {
	all, err := s.o.Store.ProjectThreads(ctx, project, archived)
	if err != nil {
		return nil, err
	}
	for i, t := range all {
		if !t.Live || there(t.ID) || s.hosted(ctx, t.ID) {
			continue
		}
		if err := s.o.Store.EndedUnseen(ctx, t.ID, "The thread's helper ended without warning, and its agent with it — resume it to go on", s.o.Now()); err != nil {
			return nil, err
		}
		if left := Left(ctx, s.o.Git, t); left != "" {
			// Others find it out too, and say it once between them.
			once := transcript.Entry{
				At: s.o.Now(), Kind: transcript.KindNotice, Text: left, Key: fmt.Sprintf("left:%d", t.StateAt.UnixNano()),
			}
			if err := s.o.Store.Append(ctx, t.ID, once); err != nil {
				return nil, err
			}
		}
		if all[i], err = s.o.Store.Thread(ctx, t.ID); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// hosted says whether a helper is there, or about to be.
func (s *Service) hosted(ctx context.Context, id session.ThreadID) bool {
	a, err := client.Probe(ctx, s.socket(id), s.o.Paths.Lock(id))
	return err != nil || a
}

// Find returns the thread whose id begins with the prefix.
func (s *Service) Find(ctx context.Context, prefix string) (session.Thread, error) {
	return s.o.Store.FindThread(ctx, prefix)
}

// Entries returns the newest limit entries of a thread in the order they are
// shown; with before not 0, the newest of those before that entry.
func (s *Service) Entries(ctx context.Context, id session.ThreadID, before int64, limit int) ([]transcript.Entry, error) {
	return s.o.Store.Entries(ctx, id, before, limit)
}

// Send gives a thread's agent a further prompt and waits for its receipt.
// When the agent does not run it is started with the prompt; when the
// thread's first start failed it is started anew.
func (s *Service) Send(ctx context.Context, id session.ThreadID, prompt string) (client.Delivery, error) {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return client.Delivery{}, err
	}
	begun, err := s.begun(ctx, t)
	if err != nil {
		return client.Delivery{}, err
	}
	if !begun {
		if _, err := s.starter.Retry(ctx, id, prompt); err != nil {
			return client.Delivery{}, err
		}
		return s.Wait(ctx, id, client.WaitDelivery)
	}
	d, err := client.Call[client.Delivery](ctx, s.socket(id), client.OpSend, id,
		client.SendRequest{Prompt: prompt, Author: proposals.AuthorPerson})
	switch {
	case errors.Is(err, client.ErrNoHelper):
	case err != nil:
		return d, err
	default:
		return d, s.settleDraft(ctx, t, prompt, d)
	}
	if err := s.o.Store.QueuePrompt(ctx, id, prompt, proposals.AuthorPerson, s.o.Now()); err != nil {
		return d, err
	}
	if err := s.launch(ctx, id); err != nil {
		return d, err
	}
	if d, err = s.Wait(ctx, id, client.WaitDelivery); err != nil {
		return d, err
	}
	return d, s.settleDraft(ctx, t, prompt, d)
}

// begun says that a thread's first prompt was recorded. One whose start failed
// before that has its whole road to go yet.
func (s *Service) begun(ctx context.Context, t session.Thread) (bool, error) {
	start, err := s.o.Store.StartOf(ctx, t.ID)
	if session.CodeOf(err) == session.CodeNotFound {
		return t.Cwd != "", nil
	}
	return start.Step.Prompted(), err
}

// settleDraft clears a draft that has been delivered.
func (s *Service) settleDraft(ctx context.Context, t session.Thread, prompt string, d client.Delivery) error {
	if d.Problem != "" {
		return &session.Error{
			Code: session.CodeFailed, Message: d.Problem,
			Hint: "the text is kept as the thread's draft; send it again when the agent is ready",
		}
	}
	if t.Draft == prompt {
		return s.o.Store.SetDraft(ctx, t.ID, "")
	}
	return nil
}

// Wait waits for a prompt's receipt, or for the end of the turn.
func (s *Service) Wait(ctx context.Context, id session.ThreadID, what string) (client.Delivery, error) {
	d, err := client.Call[client.Delivery](ctx, s.socket(id), client.OpWait, id, client.WaitRequest{For: what})
	if errors.Is(err, client.ErrNoHelper) {
		return d, nil // it ended, and with it what was waited for
	}
	return d, err
}

// launch has a thread's worktree set up, unless it is, and starts its helper.
// One that runs already is fine.
func (s *Service) launch(ctx context.Context, id session.ThreadID) error {
	if err := s.setUp(ctx, id); err != nil {
		return err
	}
	err := client.Spawn(ctx, s.o.Program, id, s.o.Paths.Log(id))
	if session.CodeOf(err) == session.CodeSettled {
		return nil
	}
	return err
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
	if err := s.end(ctx, id); err != nil {
		return err
	}
	return s.launch(ctx, id)
}

// Stop ends a thread's agent and its helper.
func (s *Service) Stop(ctx context.Context, id session.ThreadID) error {
	if !s.hosted(ctx, id) {
		return &session.Error{Code: session.CodeSettled, Message: "this thread is not running"}
	}
	return s.end(ctx, id)
}

// end ends the helper, if there is one, and waits until it is gone.
func (s *Service) end(ctx context.Context, id session.ThreadID) error {
	_, err := client.Call[struct{}](ctx, s.socket(id), client.OpStop, id, nil)
	if err != nil && !errors.Is(err, client.ErrNoHelper) {
		return fmt.Errorf("stop thread: %w", err)
	}
	return client.AwaitGone(ctx, s.o.Paths.Lock(id))
}

// Rename gives a thread another title.
func (s *Service) Rename(ctx context.Context, id session.ThreadID, title string) error {
	if title = session.CleanLine(title); title == "" {
		return &session.Error{Code: session.CodeUsage, Message: "a thread needs a title"}
	}
	return s.o.Store.SetTitle(ctx, id, title)
}

// SetDraft keeps what the person has not sent yet.
func (s *Service) SetDraft(ctx context.Context, id session.ThreadID, text string) error {
	return s.o.Store.SetDraft(ctx, id, text)
}

// Screen returns what is on a pane.
func (s *Service) Screen(ctx context.Context, id session.ThreadID, pane session.PaneID) (client.Screen, error) {
	return client.Call[client.Screen](ctx, s.socket(id), client.OpScreen, id, client.ScreenRequest{Pane: pane})
}

// Explain says why a thread's state is what it is.
func (s *Service) Explain(ctx context.Context, id session.ThreadID) (client.Explanation, error) {
	return client.Call[client.Explanation](ctx, s.socket(id), client.OpExplain, id, nil)
}

// Attach follows a thread.
func (s *Service) Attach(ctx context.Context, id session.ThreadID) (*client.Attachment, error) {
	return client.Attach(ctx, s.socket(id), id)
}
