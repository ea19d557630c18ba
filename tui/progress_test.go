package tui_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"
	"aside/worktree"

	tea "charm.land/bubbletea/v2"
)

// stuck is a backend that takes its time: what it is asked for waits until it
// is stopped, or the test lets it go.
type stuck struct {
	*fake

	free    chan struct{}
	stopped chan struct{}
}

func (f *stuck) wait(ctx context.Context) error {
	select {
	case <-f.free:
		return nil
	case <-ctx.Done():
		f.stopped <- struct{}{}
		return ctx.Err()
	}
}

func (f *stuck) Start(ctx context.Context, id session.ProposalID, o tui.StartOptions) (session.ThreadID, error) {
	if err := f.wait(ctx); err != nil {
		return "", err
	}
	return f.fake.Start(ctx, id, o)
}

func (f *stuck) New(ctx context.Context, t tui.NewThread) (session.ThreadID, error) {
	if err := f.wait(ctx); err != nil {
		return "", err
	}
	return f.fake.New(ctx, t)
}

func (f *stuck) Bases(ctx context.Context, id session.ProposalID) ([]tui.Base, error) {
	if err := f.wait(ctx); err != nil {
		return nil, err
	}
	return f.fake.Bases(ctx, id)
}

func (f *stuck) Send(ctx context.Context, id session.ThreadID, prompt string) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	return f.fake.Send(ctx, id, prompt)
}

func (f *stuck) Rename(ctx context.Context, id session.ThreadID, title string) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	return f.fake.Rename(ctx, id, title)
}

func (f *stuck) Stop(ctx context.Context, id session.ThreadID) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	return f.fake.Stop(ctx, id)
}

func (f *stuck) Resume(ctx context.Context, id session.ThreadID) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	return f.fake.Resume(ctx, id)
}

func (f *stuck) Removal(ctx context.Context, id session.ThreadID) ([]string, bool, error) {
	if err := f.wait(ctx); err != nil {
		return nil, false, err
	}
	return f.fake.Removal(ctx, id)
}

func (f *stuck) HandOver(ctx context.Context, id session.ThreadID, d session.DecisionID) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	return f.fake.HandOver(ctx, id, d)
}

func (f *stuck) Answer(ctx context.Context, id session.ThreadID, a session.Answer) (session.Receipt, error) {
	if err := f.wait(ctx); err != nil {
		return session.Receipt{}, err
	}
	return f.fake.Answer(ctx, id, a)
}

func (f *stuck) Search(ctx context.Context, q transcript.Query) (transcript.Found, error) {
	if err := f.wait(ctx); err != nil {
		return transcript.Found{}, err
	}
	return f.fake.Search(ctx, q)
}

func (f *stuck) Review(ctx context.Context, id session.ThreadID) (worktree.Diff, error) {
	if err := f.wait(ctx); err != nil {
		return worktree.Diff{}, err
	}
	return f.fake.Review(ctx, id)
}

func (f *stuck) FinishPlan(ctx context.Context, id session.ThreadID, how tui.Finish) ([]tui.FinishStep, error) {
	if err := f.wait(ctx); err != nil {
		return nil, err
	}
	return f.fake.FinishPlan(ctx, id, how)
}

func (f *stuck) History(ctx context.Context, id session.ThreadID, pane session.PaneID, from, n int) ([]session.Row, error) {
	if err := f.wait(ctx); err != nil {
		return nil, err
	}
	return f.fake.History(ctx, id, pane, from, n)
}

// startStuck opens the screen on a backend that takes its time.
func startStuck(t *testing.T, thread session.ThreadID) (*stuck, *tuitest.Screen, *clock) {
	t.Helper()
	f := &stuck{fake: changed(), free: make(chan struct{}), stopped: make(chan struct{}, 8)}
	f.removal, f.rows = []string{"Its worktree goes."}, 500
	c := &clock{now: noon}
	m := tui.New(tui.Options{Backend: f, Context: t.Context(), Thread: thread, Now: func() time.Time { return c.now }, Tick: c.Tick})
	s := tuitest.New(t, m, 120, 40)
	s.Held = true
	return f, s, c
}

// What takes longer than half a second says so, and is stopped by a key where
// that is safe; nothing else waits for it.
func TestWhatTakesLongSaysSoAndCanBeStopped(t *testing.T) {
	const footer = "ctrl+space ctrl+x"
	for name, tc := range map[string]struct {
		thread session.ThreadID // "" is t1
		keys   []string
		typed  string // after the keys, and then enter
		msgs   []tea.Msg
		says   string
		stop   string // keys, "" where it cannot be stopped
	}{
		"a start":           {keys: []string{"ctrl+space", "o", "s"}, says: "Starting", stop: "x"},
		"a new thread":      {keys: []string{"ctrl+space", "n"}, typed: "do it", says: "starting…", stop: "ctrl+x"},
		"what to start on":  {keys: []string{"ctrl+space", "o", "c"}, says: "looking what it can start from…", stop: footer},
		"a prompt":          {keys: []string{"ctrl+space", "c"}, typed: "do it", says: "sending…"},
		"a title":           {keys: []string{"ctrl+space", "r"}, typed: "x", says: "renaming the thread…"},
		"stopping":          {keys: []string{"ctrl+space", "s", "y"}, says: "stopping the agent…"},
		"starting again":    {thread: "t3", keys: []string{"ctrl+space", "u"}, says: "starting the agent again…", stop: footer},
		"what would go":     {keys: []string{"ctrl+space", "x"}, says: "looking what removing it would do…", stop: footer},
		"the own prompt":    {keys: []string{"ctrl+space", "d", "t"}, msgs: []tea.Msg{decision("d1")}, says: "leaving it to the terminal…"},
		"an answer":         {keys: []string{"ctrl+space", "1"}, msgs: []tea.Msg{decision("d1")}, says: "the answer is under way…"},
		"a search":          {keys: []string{"ctrl+space", "/"}, typed: "parser", says: "looking…", stop: "esc"},
		"the changes":       {keys: []string{"ctrl+space", "g"}, says: "reading what has changed…", stop: "esc"},
		"the steps":         {keys: []string{"ctrl+space", "g", "f", "1"}, says: "looking what there is to do…", stop: "x"},
		"the lines before":  {keys: []string{"ctrl+space", "["}, msgs: []tea.Msg{scrolled()}, says: "reading what was shown before…", stop: footer},
		"words in terminal": {keys: []string{"ctrl+space", "[", "/"}, typed: "old", msgs: []tea.Msg{scrolled()}, says: "looking through all that was shown…", stop: footer},
	} {
		t.Run(name, func(t *testing.T) {
			f, s, c := startStuck(t, cmp.Or(tc.thread, "t1"))
			s.Send(agentScreen(94, 38, session.Modes{}))
			s.Send(tc.msgs...)
			s.Press(tc.keys...)
			if tc.typed != "" {
				s.Type(tc.typed)
				s.Press("enter")
			}
			if strings.HasSuffix(tc.stop, "ctrl+x") && tc.stop == footer {
				s.WantNot(tc.says) // not before half a second has gone
			}
			if !slices.ContainsFunc(c.ticks, func(d time.Duration) bool { return d <= 500*time.Millisecond }) && tc.stop == footer {
				t.Error("nothing wakes the screen in half a second")
			}
			c.now = c.now.Add(600 * time.Millisecond)
			s.Send(tea.FocusMsg{})
			s.Want(tc.says)
			if tc.stop == "" {
				close(f.free)
				s.Wait()
				s.WantNot(tc.says)
				return
			}
			s.Press(strings.Fields(tc.stop)...)
			select {
			case <-f.stopped:
			case <-time.After(30 * time.Second):
				t.Fatalf("%s does not stop it:\n%s", tc.stop, s.Text())
			}
			close(f.free)
			s.Wait()
			s.WantNot(tc.says)
		})
	}
}

// scrolled is a terminal with lines above what is shown.
func scrolled() tea.Msg {
	f := frame(94, 38, session.Modes{}, "now")
	f.Frame.History = 500
	return f
}

func TestTheFooterIsClickedToStop(t *testing.T) {
	f, s, c := startStuck(t, "t1")
	s.Press("ctrl+space", "o", "c")
	c.now = c.now.Add(time.Second)
	s.Send(tea.FocusMsg{})
	s.ClickOn("looking what it can start from")
	<-f.stopped
	s.Wait()
	s.Want("stopped")
}
