package paint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// frameTime is the least time between two writes: 120 a second.
const frameTime = time.Second / 120

// maxSaid is how much may wait to be said to a terminal that takes nothing.
const maxSaid = 4 << 20

// Screen runs a model on a terminal. A message that changes the picture is
// followed by a frame at once, unless one was written less than a frame's
// time ago or the terminal has not taken it yet; then the newest is written
// when that is over. A terminal that takes nothing holds up nothing else.
type Screen struct {
	term    *terminal
	env     []string
	signals chan os.Signal
	done    <-chan struct{}

	// What follows belongs to the goroutine of the program.
	model tea.Model
	busy  bool // a write is under way, or was a moment ago
	said  []byte

	mu      sync.Mutex
	painter Painter
	gone    bool // the terminal is not the screen's
}

// Open returns the screen of a terminal, or in tests of what stands for one,
// which then has 80x24 cells. It is left as it is until there is a program.
// The caller owes a Close.
func Open(in io.Reader, out io.Writer, env []string) *Screen {
	return &Screen{term: newTerminal(in, out), env: env, signals: make(chan os.Signal, 8)}
}

// Program returns the program that runs a model on the screen until ctx ends.
// Of the model's view it draws what a Painter heeds. tea.Raw reaches the
// terminal. What Bubble Tea's other commands write waits for its own clock, up
// to a second, and they must not be used; nor must tea.ExecProcess, see Exec.
func (s *Screen) Program(ctx context.Context, model tea.Model) (*tea.Program, error) {
	s.model, s.done = model, ctx.Done()
	w, h := s.term.size()
	profile := colorprofile.Env(s.env)
	s.painter.SetProfile(profile)
	if err := s.enter(); err != nil {
		return nil, err
	}
	return tea.NewProgram(runner{s},
		tea.WithContext(ctx), tea.WithInput(s.term.in), tea.WithOutput(s.term.out), tea.WithEnvironment(s.env),
		tea.WithoutRenderer(), tea.WithFPS(1), // its clock ticks all the same
		tea.WithWindowSize(w, h), tea.WithColorProfile(profile),
		tea.WithFilter(said),
	), nil
}

// Close gives the terminal back. It waits for one that takes nothing only for
// a moment.
func (s *Screen) Close() error {
	signal.Stop(s.signals)
	return s.leave(time.After(leavePatience))
}

func (s *Screen) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = false
	return s.term.take()
}

// leave gives the terminal back, in whatever goroutine.
func (s *Screen) leave(late <-chan time.Time) error {
	s.mu.Lock()
	s.gone = true
	last := s.painter.Leave()
	s.mu.Unlock()
	return s.term.leave(last, late)
}

// fall gives it back before a panic is shown.
func (s *Screen) fall() {
	_ = s.leave(time.After(leavePatience)) // the panic says more
}

// Exec returns a command that gives the terminal to another program until
// that ends; done is called with how it did, and the model gets a
// tea.ResumeMsg too.
func (s *Screen) Exec(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	c.Stdin, c.Stdout, c.Stderr = s.term.in, s.term.out, s.term.out
	return tea.Exec(away{s, c.Run}, func(err error) tea.Msg { return back(done(err)) })
}

// back brings the model a message and the word that the screen has its
// terminal again, which may have changed meanwhile.
func back(msg tea.Msg) tea.Msg {
	return tea.BatchMsg{func() tea.Msg { return tea.ResumeMsg{} }, func() tea.Msg { return msg }}
}

// away is what happens while the screen is away. Bubble Tea has stopped
// reading the terminal when it runs it.
type away struct {
	s  *Screen
	do func() error
}

// Run implements tea.ExecCommand.
func (a away) Run() error {
	err := a.s.leave(nil)
	if err == nil {
		err = a.do()
	}
	return errors.Join(err, a.s.enter())
}

// SetStdin implements tea.ExecCommand; the program has the terminal already,
// as for the other two.
func (away) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (away) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (away) SetStderr(io.Writer) {}

// sayMsg is text for the terminal, beside the frames.
type sayMsg string

// said takes tea.Raw before Bubble Tea does, which would write only at the
// next tick of its clock.
func said(_ tea.Model, msg tea.Msg) tea.Msg {
	if raw, ok := msg.(tea.RawMsg); ok {
		return sayMsg(fmt.Sprint(raw.Msg))
	}
	return msg
}

// paintedMsg says that a frame is on the terminal, unless err is set, and the
// next may follow.
type paintedMsg struct{ err error }

// signalMsg is a signal that the screen waited for.
type signalMsg struct{ os.Signal }

// runner is the screen as Bubble Tea's model.
type runner struct{ *Screen }

// Init implements tea.Model.
func (r runner) Init() tea.Cmd {
	signal.Notify(r.signals, syscall.SIGWINCH, syscall.SIGTSTP)
	if asksModes(r.env) {
		r.say(ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore)
	}
	return tea.Batch(r.guard(r.model.Init()), r.heed, r.moreColors)
}

// moreColors looks for what the environment does not tell: in tmux, which is
// asked, or in the terminal's description.
func (s *Screen) moreColors() tea.Msg {
	if found := colorprofile.Detect(s.term.out, s.env); found > colorprofile.Env(s.env) {
		return tea.ColorProfileMsg{Profile: found}
	}
	return nil
}

// View implements tea.Model. Nothing draws it.
func (r runner) View() tea.View { return tea.View{} }

// Update implements tea.Model.
func (r runner) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	ended := false
	defer func() {
		if !ended {
			r.fall()
		}
	}()
	cmd := r.take(msg)
	if painted, ok := msg.(paintedMsg); !ok || painted.err == nil {
		cmd = tea.Batch(cmd, r.paint())
	}
	ended = true
	return r, cmd
}

func (r runner) take(msg tea.Msg) tea.Cmd {
	r.about(msg)
	switch msg := msg.(type) {
	case paintedMsg:
		r.busy = false
		return nil
	case sayMsg:
		r.say(string(msg))
		return nil
	case signalMsg:
		return tea.Batch(r.signalled(msg.Signal), r.heed)
	}
	var cmd tea.Cmd
	r.model, cmd = r.model.Update(msg)
	return r.guard(cmd)
}

// about takes what the terminal says of itself.
func (s *Screen) about(msg tea.Msg) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.painter.Resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		s.painter.SetProfile(msg.Profile)
	case tea.ModeReportMsg:
		s.painter.Report(msg)
	case paintedMsg:
		if msg.err != nil {
			s.painter.Forget() // part of it may be on the terminal
		}
	}
}

// say keeps text for the next write. What is more than the terminal will ever
// want to hear is dropped.
func (s *Screen) say(text string) {
	if len(s.said)+len(text) <= maxSaid {
		s.said = append(s.said, text...)
	}
}

// paint draws what is new, if it may now, and returns the command that writes
// it.
func (s *Screen) paint() tea.Cmd {
	if s.busy {
		return nil
	}
	out := s.frame(s.model.View())
	if len(out) == 0 {
		return nil
	}
	s.busy = true
	return func() tea.Msg {
		next := time.Now().Add(frameTime)
		err := s.term.write(out)
		time.Sleep(time.Until(next))
		return paintedMsg{err}
	}
}

// frame returns what to write for a view.
func (s *Screen) frame(v tea.View) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil
	}
	out := append(s.painter.Paint(v), s.said...)
	s.said = nil
	return out
}

// heed waits for a signal.
func (s *Screen) heed() tea.Msg {
	select {
	case sig := <-s.signals:
		return signalMsg{sig}
	case <-s.done:
		return nil
	}
}

// signalled takes a new size, or the wish that the program stop until it is
// told to go on.
func (s *Screen) signalled(sig os.Signal) tea.Cmd {
	if sig == syscall.SIGTSTP {
		return tea.Exec(away{s, stop}, func(error) tea.Msg { return back(s.resized()) })
	}
	return s.resized
}

func (s *Screen) resized() tea.Msg {
	w, h := s.term.size()
	return tea.WindowSizeMsg{Width: w, Height: h}
}

// stop stops this process; it returns when that goes on. Its threads do not
// stop at once.
func stop() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGSTOP); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	<-goesOn
	return nil
}

// guard gives the terminal back before a command's panic is shown.
func (s *Screen) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		ended := false
		defer func() {
			if !ended {
				s.fall()
			}
		}()
		msg := cmd()
		ended = true
		batch, ok := msg.(tea.BatchMsg)
		if !ok {
			return msg
		}
		guarded := make(tea.BatchMsg, len(batch))
		for i, c := range batch {
			guarded[i] = s.guard(c)
		}
		return guarded
	}
}

// asksModes says that the terminal may be asked for its modes. As in Bubble
// Tea: Apple's terminal shows the question instead, and at the other end of an
// SSH connection it might be any, unless it is known by its name.
func asksModes(env []string) bool {
	vars := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		vars[name] = value
	}
	_, ssh := vars["SSH_TTY"]
	_, windows := vars["WT_SESSION"]
	if windows || !ssh && !strings.Contains(vars["TERM_PROGRAM"], "Apple") {
		return true
	}
	for _, name := range []string{"ghostty", "wezterm", "alacritty", "kitty", "rio"} {
		if strings.Contains(vars["TERM"], name) {
			return true
		}
	}
	return false
}
