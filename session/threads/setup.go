package threads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"aside/session"
	"aside/session/pty"
	"aside/session/transcript"
)

// SetupFile is where a project keeps its setup command: a text for sh(1) that
// makes a fresh worktree ready, such as fetching dependencies. It belongs to
// the project's folder, and runs there.
const SetupFile = ".aside/setup"

const (
	setupMax    = 4 << 10          // bytes of a setup command: a person reads it
	setupLimit  = 10 * time.Minute // how long it may run
	setupGrace  = 5 * time.Second  // from the request to end until it is killed
	setupOutput = 4 << 10          // bytes of its output that are kept, the last ones
	setupLines  = 20               // lines of it that are shown
)

// Setup is the command that makes a project's new worktrees ready.
type Setup struct {
	Text string // for sh(1); "" is none
	// Own says that the text is from the user's own configuration, which
	// needs no agreement. What a repository brings runs only after the person
	// has agreed to that exact text (contracts/proposed-threads.md, Checkout
	// policy).
	Own           bool
	Agreed, Known bool // the person's answer, and whether there is one
}

// Runs says that the command may run.
func (u Setup) Runs() bool { return u.Text != "" && (u.Own || u.Agreed) }

// Setup returns the setup command of a project as it is in a folder of one of
// its checkouts.
func (s *Service) Setup(ctx context.Context, project, dir string) (Setup, error) {
	if own := strings.TrimSpace(s.o.Config.Project(project).Setup); own != "" {
		return Setup{Text: own, Own: true}, nil
	}
	text, err := setupText(dir)
	if err != nil || text == "" {
		return Setup{}, err
	}
	u := Setup{Text: text}
	u.Agreed, u.Known, err = s.o.Store.Agreement(ctx, project, text)
	return u, err
}

// ProjectSetup returns the project of a folder and its setup command as it is
// there.
func (s *Service) ProjectSetup(ctx context.Context, dir string) (project string, u Setup, err error) {
	if project, err = folder(dir); err == nil {
		u, err = s.Setup(ctx, project, project)
	}
	return project, u, err
}

// setupText reads the setup command that a checkout brings, "" when it has
// none.
func setupText(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("look for a setup command: %w", err)
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(SetupFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil
	}
	var text []byte
	if err == nil && info.Mode().IsRegular() && info.Size() <= setupMax {
		text, err = root.ReadFile(SetupFile)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("read setup command: %w", err)
	case !info.Mode().IsRegular():
		return "", &session.Error{Code: session.CodeFailed, Message: "the setup command " + SetupFile + " is not a file"}
	case info.Size() > setupMax || len(text) > setupMax:
		return "", &session.Error{
			Code: session.CodeFailed, Message: fmt.Sprintf("the setup command %s is longer than %d KiB", SetupFile, setupMax>>10),
			Hint: "put it into a script of the project and call that",
		}
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return "", &session.Error{Code: session.CodeFailed, Message: "the setup command " + SetupFile + " is not text"}
	}
	return strings.TrimSpace(string(text)), nil
}

// AgreeSetup records whether a project's setup command, this exact text, may
// run.
func (s *Service) AgreeSetup(ctx context.Context, project, text string, agreed bool) error {
	return s.o.Store.SetAgreement(ctx, project, text, agreed, s.o.Now())
}

// setUp makes a thread's worktree ready for its first agent. Whatever becomes
// of the command is told in the transcript; only an end of ctx keeps the
// agent from being started.
func (s *Service) setUp(ctx context.Context, id session.ThreadID) error {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil || t.Checkout.Mode != session.CheckoutWorktree {
		return err
	}
	u, err := s.Setup(ctx, t.Project, t.Cwd)
	if err != nil {
		return s.notice(ctx, id, "The worktree was not set up: "+session.MarkLine(err.Error()))
	}
	if u.Text == "" {
		return nil
	}
	if done, err := s.o.Store.IsSetUp(ctx, id); err != nil || done {
		return err
	}
	if !u.Own && !u.Known {
		if u, err = s.askSetup(ctx, t, u); err != nil {
			return err
		}
	}
	if !u.Runs() {
		why := "you said no to it"
		if !u.Known {
			why = "nobody has agreed to it"
		}
		return s.notice(ctx, id, fmt.Sprintf(
			"The project's setup command (%s) was not run: %s. To agree to it: aside config setup --agree %s", SetupFile, why, t.Project))
	}
	return s.runSetup(ctx, t, u)
}

func (s *Service) runSetup(ctx context.Context, t session.Thread, u Setup) error {
	if err := s.notice(ctx, t.ID, "Setting up the worktree: "+short(u.Text)); err != nil {
		return err
	}
	began := s.o.Now()
	output, err := run(ctx, u.Text, t.Cwd)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	took := s.o.Now().Sub(began).Round(100 * time.Millisecond)
	said := fmt.Sprintf("The worktree was set up in %s", took)
	if err != nil {
		said = fmt.Sprintf("The setup command failed after %s: %s. The agent starts all the same.", took, session.MarkLine(err.Error()))
		if output != "" {
			said += " Its last output:\n" + output
		}
	}
	if err := s.notice(ctx, t.ID, said); err != nil {
		return err
	}
	return s.o.Store.SetUp(ctx, t.ID, s.o.Now())
}

// askSetup asks the person for agreement to a command that a project brings,
// and remembers the answer.
func (s *Service) askSetup(ctx context.Context, t session.Thread, u Setup) (Setup, error) {
	lines := []string{fmt.Sprintf("The project has a setup command for new worktrees (%s). It would run in %s:", SetupFile, session.MarkLine(t.Cwd))}
	text := strings.Split(session.Mark(u.Text), "\n")
	if more := len(text) - setupLines; more > 0 {
		text = append(text[:setupLines], fmt.Sprintf("… and %d more lines; aside config setup shows them all", more))
	}
	for _, l := range text {
		lines = append(lines, "  "+l)
	}
	yes, asked := s.ask(ctx, Question{
		Thread: t.ID, Title: t.Title, Lines: append(lines, "Your answer is remembered for this exact text."),
		Yes: "Run it", No: "Start without it",
	})
	if err := ctx.Err(); err != nil { // not an answer
		return u, err
	}
	if !asked {
		return u, nil
	}
	u.Agreed, u.Known = yes, true
	return u, s.AgreeSetup(ctx, t.Project, u.Text, yes)
}

func (s *Service) notice(ctx context.Context, id session.ThreadID, text string) error {
	return s.o.Store.Append(ctx, id, transcript.Entry{At: s.o.Now(), Kind: transcript.KindNotice, Text: text})
}

// short returns the first line of a command.
func short(text string) string {
	first, _, more := strings.Cut(text, "\n")
	first = session.MarkLine(first)
	if more {
		first += " …"
	}
	return first
}

// run runs a command with the user's environment and returns the end of what
// it said. It and all that it started have ended when it returns.
func run(ctx context.Context, text, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, setupLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", text)
	cmd.Dir, cmd.Env = dir, pty.Environment(os.Environ(), nil)
	kept := &tail{limit: setupOutput}
	cmd.Stdout, cmd.Stderr = kept, kept
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = setupGrace
	err := cmd.Run()
	if cmd.Process != nil {
		// What it left in the background would hold on to the worktree.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("it did not end in %s", setupLimit)
	}
	return kept.text(), err
}

// tail keeps the last bytes that are written to it.
type tail struct {
	held  []byte
	limit int
	cut   bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.held = append(t.held, p...)
	if over := len(t.held) - t.limit; over > 0 {
		t.held = append(t.held[:0], t.held[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// text returns the last lines, safe to show.
func (t *tail) text() string {
	lines := strings.Split(strings.TrimSpace(session.Clean(string(t.held))), "\n")
	if over := len(lines) - setupLines; over > 0 {
		lines, t.cut = lines[over:], true
	}
	said := strings.Join(lines, "\n")
	if t.cut {
		said = "…\n" + said
	}
	return said
}
