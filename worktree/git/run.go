package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"aside/session"
)

const (
	readLimit    = time.Minute      // a run that only looks
	writeLimit   = 15 * time.Minute // a run that may check out a whole tree
	graceLimit   = 5 * time.Second  // from the request to end until it is killed
	outputLimit  = 64 << 20         // bytes of standard output
	messageLimit = 4 << 10          // bytes of standard error that are kept
)

// oldest is the oldest Git that works: the first with `worktree list -z`.
var oldest = [2]int{2, 36}

// Git runs Git for the worktrees below one folder. Make it with New; it may be
// used by several goroutines.
type Git struct {
	// Program is the Git to run, "git" unless a test changes it.
	Program string

	root  string
	locks string

	mu    sync.Mutex
	ready bool // the program was found and is new enough
}

// New returns a Git that keeps worktrees below root and its locks in locks,
// both absolute folders that are made when needed.
func New(root, locks string) *Git {
	return &Git{Program: "git", root: root, locks: locks}
}

// call is one run of Git.
type call struct {
	dir    string
	args   []string
	config []string // name=value, in addition to the usual
	env    []string // likewise
	stdin  io.Reader
	limit  int  // bytes of output, 0 for outputLimit
	writes bool // it may change the repository and fetch missing objects
	hooks  bool // the repository's hooks run
	alone  bool // it has no terminal to ask on
	ok     int  // an exit status beside 0 that is no failure
}

// command returns the name of Git's command.
func (c call) command() string {
	for _, a := range c.args {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// errTooMuch is a run whose output was above its limit.
var errTooMuch = errors.New("its output is above the limit")

// settings returns what every run is given; see the package comment.
func settings(hooks bool) []string {
	all := []string{
		"--no-pager",
		"-c", "core.fsmonitor=false",
		"-c", "gc.auto=0",
		"-c", "maintenance.auto=false",
		"-c", "commit.gpgSign=false",
		"-c", "log.showSignature=false",
		"-c", "protocol.ext.allow=never",
		"-c", "submodule.recurse=false",
		"-c", "rerere.enabled=false",
		"-c", "color.ui=false",
	}
	if !hooks {
		all = append(all, "-c", "core.hooksPath=/dev/null")
	}
	return all
}

// read runs Git for its output and changes nothing, not even the index.
func (g *Git) read(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return g.run(ctx, call{dir: dir, args: args})
}

// line is read for an output of one line; it returns it without its newline.
func (g *Git) line(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := g.read(ctx, dir, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

func (g *Git) run(ctx context.Context, c call) ([]byte, error) {
	limit := readLimit
	if c.writes {
		limit = writeLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	args := settings(c.hooks)
	for _, set := range c.config {
		args = append(args, "-c", set)
	}
	cmd := exec.CommandContext(ctx, g.Program, append(args, c.args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(environment(os.Environ()), c.env...)
	if !c.writes {
		cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
	}
	cmd.Stdin = c.stdin
	if c.limit == 0 {
		c.limit = outputLimit
	}
	out := &capped{limit: c.limit, full: cancel}
	message := &capped{limit: messageLimit}
	cmd.Stdout, cmd.Stderr = out, message

	// In a group of its own, Git and what it started end together, and a
	// ctrl+c at the terminal does not cut it off halfway. Asked to end, Git
	// takes away its lock files and a half-made worktree.
	// In a session of its own there is no terminal, so that SSH cannot ask.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !c.alone, Setsid: c.alone}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = graceLimit

	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		// Best effort: the group may be gone by now.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	switch {
	case out.over:
		return nil, fmt.Errorf("run git %s: %w: more than %d MiB of output", c.command(), errTooMuch, c.limit>>20)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("run git %s: %w", c.command(), ctx.Err())
	case err == nil:
		return out.held.Bytes(), nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if c.ok != 0 && exit.ExitCode() == c.ok {
			return out.held.Bytes(), nil
		}
		return nil, &failure{command: c.command(), status: exit.ExitCode(), message: message.held.String()}
	}
	return nil, fmt.Errorf("run git %s: %w", c.command(), err)
}

// environment returns env without what would point Git at another repository,
// make it ask, or is aside's own. Where the user's configuration lies and how
// SSH is reached stay.
func environment(env []string) []string {
	kept := make([]string, 0, len(env)+3)
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch {
		case strings.HasPrefix(name, "ASIDE_"), name == "LC_ALL", name == "LANGUAGE", name == "SSH_ASKPASS":
		case !strings.HasPrefix(name, "GIT_"):
			kept = append(kept, e)
		default:
			switch name {
			case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
				"GIT_CEILING_DIRECTORIES", "GIT_SSH", "GIT_SSH_COMMAND":
				kept = append(kept, e)
			}
		}
	}
	return append(kept, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
}

// capped keeps no more than limit bytes of what is written to it; at the first
// byte beyond it calls full, if that is set. It does not embed its buffer,
// whose ReadFrom would go around the limit.
type capped struct {
	held  bytes.Buffer
	limit int
	over  bool
	full  func()
}

func (c *capped) Write(p []byte) (int, error) {
	kept := p[:min(len(p), c.limit-c.held.Len())]
	c.held.Write(kept)
	if len(kept) < len(p) && !c.over {
		c.over = true
		if c.full != nil {
			c.full()
		}
	}
	return len(p), nil
}

// failure is a run of Git that ended with another status than 0.
type failure struct {
	command string
	status  int
	message string
}

func (f *failure) Error() string {
	if m := plain(f.message); m != "" {
		return fmt.Sprintf("git %s: %s", f.command, m)
	}
	return fmt.Sprintf("git %s: exit status %d", f.command, f.status)
}

// says tells whether err is a failed run whose message holds the text.
func says(err error, text string) bool {
	var f *failure
	return errors.As(err, &f) && strings.Contains(f.message, text)
}

// plain returns what Git said as one line that is safe to show: messages hold
// names of files and branches, which a repository chooses.
func plain(message string) string {
	const most = 300
	message = strings.TrimSpace(message)
	message = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, message)
	if r := []rune(message); len(r) > most {
		message = string(r[:most]) + "…"
	}
	return message
}

// check makes sure once that there is a Git that is new enough.
func (g *Git) check(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ready {
		return nil
	}
	out, err := g.line(ctx, "", "version")
	want := fmt.Sprintf("%d.%d", oldest[0], oldest[1])
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return &session.Error{
			Code: session.CodeFailed, Message: "Git was not found",
			Hint: "Install Git " + want + " or newer", Cause: err,
		}
	case err != nil:
		return &session.Error{
			Code: session.CodeFailed, Message: "Git does not run",
			Hint: "Try `git version` in a shell", Cause: err,
		}
	case !recent(out):
		return &session.Error{
			Code: session.CodeFailed, Message: "Git is too old: " + plain(out),
			Hint: "Install Git " + want + " or newer",
		}
	}
	g.ready = true
	return nil
}

// recent reads the output of `git version`. What it cannot read passes.
func recent(version string) bool {
	rest, ok := strings.CutPrefix(version, "git version ")
	if !ok {
		return true
	}
	parts := strings.SplitN(rest, ".", 3)
	if len(parts) < 2 {
		return true
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return true
	}
	return major > oldest[0] || major == oldest[0] && minor >= oldest[1]
}

// failed returns err as an error for the person, unless it is one already, is
// none, or the work was called off.
func failed(message, hint string, err error) error {
	var e *session.Error
	if err == nil || errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return err
	}
	return &session.Error{Code: session.CodeFailed, Message: message, Hint: hint, Cause: err}
}

// isStatus tells whether err is a run that ended with the exit status.
func isStatus(err error, status int) bool {
	var f *failure
	return errors.As(err, &f) && f.status == status
}
