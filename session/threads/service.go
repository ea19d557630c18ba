// Package threads is what can be done with threads, for the screen and the
// command line alike: it brings the store, the helpers, the accept flow and
// the checkouts together. What needs a running agent goes to its helper,
// which is started when there is none.
package threads

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
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
	Reading
	OpenProject(ctx context.Context, path string, at time.Time) error
	Thread(ctx context.Context, id session.ThreadID) (session.Thread, error)
	FindThread(ctx context.Context, prefix string) (session.Thread, error)
	ProjectThreads(ctx context.Context, project string, archived bool) ([]session.Thread, error)
	ScreenThreads(ctx context.Context, project string, shown session.ThreadID) ([]session.Thread, error)
	LiveThreads(ctx context.Context, project string) ([]session.Thread, error)
	Archive(ctx context.Context, id session.ThreadID, archived bool) error
	Remembered(ctx context.Context, project string) (session.Remembered, error)
	RememberScreen(ctx context.Context, project string, shown session.ThreadID, listHidden bool) error
	RememberView(ctx context.Context, id session.ThreadID, view string) error
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
	o        Options
	starter  *proposals.Executor
	patience time.Duration

	tallies  tallies
	listings listings
	colors   atomic.Pointer[session.Colors] // of the person's terminal, if known
}

// New returns a service.
func New(o Options) (*Service, error) {
	self, err := proposals.Self()
	if err != nil {
		return nil, fmt.Errorf("identify this process: %w", err)
	}
	s := &Service{o: o, patience: patience}
	s.starter = &proposals.Executor{
		Store: o.Store, Checkouts: checkouts{s}, Launch: s.launchWithPrompt, Consent: s.consent,
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

// Find returns the thread whose id begins with the prefix.
func (s *Service) Find(ctx context.Context, prefix string) (session.Thread, error) {
	return s.o.Store.FindThread(ctx, prefix)
}

// Send gives a thread's agent a further prompt and waits for its receipt.
// When the agent does not run it is started with the prompt; when the
// thread's first start failed it is started anew.
func (s *Service) Send(ctx context.Context, id session.ThreadID, prompt string) (client.Delivery, error) {
	if err := proposals.CheckPasted(prompt); err != nil {
		return client.Delivery{}, err
	}
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return client.Delivery{}, err
	}
	begun, err := s.begun(ctx, t)
	if err != nil {
		return client.Delivery{}, err
	}
	if !begun {
		if err := proposals.CheckPrompt(prompt); err != nil {
			return client.Delivery{}, err
		}
		if _, err := s.starter.Retry(ctx, id, prompt); err != nil {
			return client.Delivery{}, err
		}
		return s.Wait(ctx, id, client.WaitDelivery)
	}
	d, err := client.Call[client.Delivery](ctx, s.socket(id), client.OpSend, id,
		client.SendRequest{Prompt: prompt, Author: proposals.AuthorPerson})
	switch {
	case session.CodeOf(err) == session.CodeNotFound: // no helper, or its agent has ended
	case err != nil:
		return d, err
	default:
		return d, s.settleDraft(ctx, t, prompt, d)
	}
	if err := proposals.CheckPrompt(prompt); err != nil {
		return d, err
	}
	if err := s.o.Store.QueuePrompt(ctx, id, prompt, proposals.AuthorPerson, s.o.Now()); err != nil {
		return d, err
	}
	if err := s.revive(ctx, id, true); err != nil {
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

// launchWithPrompt is launch for the sake of a queued prompt: should that be
// given up before the agent runs, none is started.
func (s *Service) launchWithPrompt(ctx context.Context, id session.ThreadID) error {
	p := s.o.Program
	p.Args = append(slices.Clone(p.Args), "--prompt")
	return s.launch(ctx, id, p)
}

// endingTime is how long a helper that is in the way is given to end.
const endingTime = time.Second

// launch has a thread's worktree set up, unless it is, and starts its helper.
// One that runs already is fine.
func (s *Service) launch(ctx context.Context, id session.ThreadID, helper client.Program) error {
	if err := s.setUp(ctx, id); err != nil {
		return err
	}
	if c := s.colors.Load(); c != nil {
		helper.Colors = *c
	}
	err := client.Spawn(ctx, helper, id, s.o.Paths.Log(id))
	if session.CodeOf(err) == session.CodeSettled {
		// One that is ending hosts nothing any more.
		brief, cancel := context.WithTimeout(ctx, endingTime)
		defer cancel()
		if client.AwaitGone(brief, s.o.Paths.Lock(id)) != nil {
			return ctx.Err()
		}
		err = client.Spawn(ctx, helper, id, s.o.Paths.Log(id))
	}
	if err != nil && ctx.Err() != nil {
		return &session.Error{
			Code: session.CodeFailed, Message: "the start was interrupted", Cause: err,
			Hint: "the prompt is kept as the thread's draft: aside threads shows it",
		}
	}
	return err
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
