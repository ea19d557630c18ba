package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"
)

// fakePanes is what the fake keeps of shell panes.
type fakePanes struct {
	opened  int
	last    session.PaneInfo // the one that was opened last
	running string           // in every shell pane
	layout  session.Layout
}

func (f *fake) OpenPane(_ context.Context, id session.ThreadID, o tui.NewPane) (session.PaneInfo, error) {
	err := f.did("open %s %s %s %s %dx%d", id, o.Place, o.Direction, o.Beside, o.Cols, o.Rows)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened++
	f.last = session.PaneInfo{
		ID: session.PaneID(fmt.Sprintf("shell%d", f.opened)), Shell: true, Active: true, Place: o.Place, Direction: o.Direction, Beside: o.Beside,
	}
	return f.last, err
}

func (f *fake) ClosePane(_ context.Context, id session.ThreadID, pane session.PaneID, force bool) (string, error) {
	err := f.did("close %s %s force=%v", id, pane, force)
	if force {
		return "", err
	}
	return f.running, err
}

func (f *fake) RestartPane(_ context.Context, id session.ThreadID, pane session.PaneID) error {
	return f.did("restart %s %s", id, pane)
}

func (f *fake) RenamePane(_ context.Context, id session.ThreadID, pane session.PaneID, name string) error {
	return f.did("name %s %s %q", id, pane, name)
}

func (f *fake) ActivatePane(_ context.Context, id session.ThreadID, pane session.PaneID) error {
	return f.did("activate %s %s", id, pane)
}

func (f *fake) Arrange(_ session.ThreadID, l session.Layout) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.layout = l
}

// helperPanes is the helper of a thread as far as its panes go: it says what
// the fake was asked for.
type helperPanes struct {
	f     *fake
	s     *tuitest.Screen
	panes []session.PaneInfo
}

// withPanes is a screen at work in the terminal of a thread with a helper.
func withPanes(t testing.TB, w, h int) *helperPanes {
	t.Helper()
	f := world()
	s, _ := start(t, f, w, h)
	if w >= 160 {
		s.Press("ctrl+space", "v")
	}
	p := &helperPanes{f: f, s: s, panes: []session.PaneInfo{{ID: session.PaneAgent}}}
	p.tell()
	f.took()
	return p
}

// tell sends the panes as they are now, and of each in view a picture.
func (p *helperPanes) tell() {
	p.s.Send(tui.PanesMsg{Thread: "t1", Panes: slices.Clone(p.panes), Layout: p.f.layout})
	for _, i := range p.panes {
		fr := agentScreen(100, 60, session.Modes{})
		fr.Frame.Pane = i.ID
		fr.Frame.Cursor = session.Cursor{X: 3, Y: 1}
		for y := range fr.Frame.Changed {
			text := fmt.Sprintf("%s row %d", i.ID, y)
			fr.Frame.Changed[y].Row.Spans[0] = session.Span{Text: text, Width: len(text)}
		}
		p.s.Send(fr)
	}
}

// open presses the keys that open a pane, and lets the helper say so.
func (p *helperPanes) open(keys ...string) session.PaneID {
	p.s.Press(append([]string{"ctrl+space"}, keys...)...)
	for i := range p.panes {
		p.panes[i].Active = false
	}
	p.f.mu.Lock()
	info := p.f.last
	p.f.mu.Unlock()
	p.panes = append(p.panes, info)
	p.tell()
	return info.ID
}

// change changes what the helper tells of a pane.
func (p *helperPanes) change(id session.PaneID, do func(*session.PaneInfo)) {
	for i := range p.panes {
		if p.panes[i].ID == id {
			do(&p.panes[i])
		}
	}
	p.tell()
}

// got returns what was typed, by the pane that it reached.
func (p *helperPanes) got() map[session.PaneID]string {
	got := map[session.PaneID]string{}
	for i, in := range p.f.inputs {
		if in.Key != nil {
			got[p.f.to[i]] += in.Key.Text
		}
	}
	return got
}

func TestASplitShowsBothPanesAndTypesIntoTheNewOne(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("|")
	p.s.Want("claude", "shell1*", "agent row 3", "shell1 row 3")
	x, y, _ := p.s.Find("shell1 row 1")
	if c := p.s.View().Cursor; c == nil || c.X != x+3 || c.Y != y {
		t.Errorf("the cursor is at %+v, the shell's second row at %d, %d", c, x, y)
	}
	p.s.Type("ls")
	p.s.Press("ctrl+space", "left")
	p.s.Type("hi")
	p.s.Press("ctrl+space", "right")
	p.s.Type("-l")
	if got := p.got(); got[id] != "ls-l" || got[session.PaneAgent] != "hi" {
		t.Errorf("the panes got %q", got)
	}
	var sizes []string
	for _, c := range p.f.took() {
		if strings.HasPrefix(c, "open") || strings.HasPrefix(c, "view") {
			sizes = append(sizes, c)
		}
	}
	want := []string{"open t1 split right agent 47x36", "view t1 agent 47x36", "view t1 shell1 47x36"}
	if !slices.Equal(sizes, want) {
		t.Errorf("asked for %q, want %q", sizes, want)
	}
}

func TestOnlyPanesInSightAreInView(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("w", "t")
	if calls := p.f.took(); !slices.Contains(calls, "hide t1 agent") || !slices.Contains(calls, "view t1 shell1 95x37") {
		t.Errorf("calls = %q", calls)
	}
	p.s.WantNot("agent row")
	p.s.Press("ctrl+space", "w", "1", "esc")
	if calls := p.f.took(); !slices.Equal(calls, []string{"hide t1 shell1", "view t1 agent 95x37"}) {
		t.Errorf("calls = %q", calls)
	}
	p.s.ClickOn("2 shell1")
	p.s.Type("x")
	if got := p.got(); got["shell1"] != "x" {
		t.Errorf("the panes got %q", got)
	}
	p.s.Press("ctrl+space", "-")
	p.panes = append(p.panes, p.f.last)
	p.tell()
	p.f.took()
	p.s.Press("ctrl+space", "z")
	if calls := p.f.took(); !slices.Equal(calls, []string{"hide t1 shell1", "view t1 shell2 95x37"}) {
		t.Errorf("calls = %q", calls)
	}
	p.s.Want("zoomed")
}

func TestAShellThatHasEndedShowsItAndIsStartedAgainOrClosed(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("|")
	p.change(id, func(i *session.PaneInfo) { i.Ended, i.Exit, i.Active = true, 3, false })
	p.s.Want("ended (3)")
	p.s.WantNot("shell1*")
	p.s.Type("ls")
	if got := p.got(); got[id] != "" {
		t.Errorf("what has ended got %q", got)
	}
	p.f.took()
	p.s.Press("enter")
	if calls := p.f.took(); !slices.Contains(calls, "restart t1 shell1") {
		t.Errorf("calls = %q", calls)
	}
	p.s.Press("esc")
	if calls := p.f.took(); !slices.Contains(calls, "close t1 shell1 force=true") {
		t.Errorf("calls = %q", calls)
	}
	p.panes = p.panes[:1]
	p.tell()
	p.s.WantNot("shell1", "1 claude")
	p.s.Type("x")
	if got := p.got(); got[session.PaneAgent] != "x" {
		t.Errorf("the panes got %q", got)
	}
}
