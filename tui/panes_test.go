package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
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
	sizes := p.f.tookOf("open", "view")
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
	p.s.Want("ended, exit 3 · enter: again")
	p.s.WantNot("shell1*")
	fr := agentScreen(47, 36, session.Modes{Focus: true, Mouse: session.MouseMotion})
	fr.Frame.Pane = id
	p.s.Send(fr)
	p.s.Type("ls")
	x, y, _ := p.s.Find("agent row 3")
	p.s.Send(tea.PasteMsg{Content: "pasted"}, tea.BlurMsg{}, tea.FocusMsg{}, tea.MouseMotionMsg{X: x + 60, Y: y})
	p.s.Click(x+60, y)
	if len(p.f.inputs) > 0 {
		t.Errorf("what has ended got %+v", p.f.inputs)
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

// calls returns what was asked of the fake since it was asked last, by verb.
func (p *helperPanes) calls(verbs ...string) []string {
	return slices.DeleteFunc(p.f.took(), func(c string) bool {
		verb, _, _ := strings.Cut(c, " ")
		return !slices.Contains(verbs, verb)
	})
}

func wantCalls(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

func TestABorderIsMovedByKeysAndByTheMouse(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("|")
	p.calls()
	p.s.Press("ctrl+space", "w", "H", "shift+left")
	wantCalls(t, p.calls("view"), "view t1 agent 45x36", "view t1 shell1 49x36", "view t1 agent 43x36", "view t1 shell1 51x36")
	p.s.Type("x") // closes the pane: the scope of its keys is open still
	wantCalls(t, p.calls("close"), "close t1 shell1 force=false")
	x, _, _ := p.s.Find("─ shell1*")
	border := x - 1
	p.s.Send(tea.MouseClickMsg{X: border, Y: 20, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: border + 9, Y: 22, Button: tea.MouseLeft})
	wantCalls(t, p.calls("view"), "view t1 agent 52x36", "view t1 shell1 42x36")
	p.s.Send(tea.MouseMotionMsg{X: 500, Y: 22, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: 500, Y: 22, Button: tea.MouseLeft})
	wantCalls(t, p.calls("view"), "view t1 agent 74x36", "view t1 shell1 20x36")
	p.s.Send(tea.MouseMotionMsg{X: 60, Y: 22, Button: tea.MouseLeft})
	wantCalls(t, p.calls("view"))
	if len(p.f.inputs) != 0 {
		t.Errorf("the panes got %+v", p.f.inputs)
	}
}

func TestATitleIsTheBorderToThePaneAbove(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("-")
	p.calls()
	x, y, _ := p.s.Find("─ shell1*")
	p.s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: x, Y: y - 6, Button: tea.MouseLeft},
		tea.MouseReleaseMsg{X: x, Y: y - 6, Button: tea.MouseLeft})
	wantCalls(t, p.calls("view"), "view t1 agent 95x12", "view t1 shell1 95x23")
	p.s.ClickOn("─ claude")
	p.s.Type("x")
	if got := p.got(); got[session.PaneAgent] != "x" {
		t.Errorf("the panes got %q", got)
	}
}

func TestASplitWithoutRoomIsRefused(t *testing.T) {
	p := withPanes(t, 80, 24)
	p.open("|")
	p.calls()
	p.s.Press("ctrl+space", "|")
	wantCalls(t, p.calls("open"))
	p.s.Want("no room for this split: a pane takes 20 columns, 3 rows")
	p.s.Press("ctrl+space", "-")
	wantCalls(t, p.calls("open"), "open t1 split down shell1 30x9")
}

func TestAPaneInWhichAProgramRunsIsClosedAfterAQuestion(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("|")
	p.f.running = "make"
	p.s.Press("ctrl+space", "w", "x")
	p.s.Want("Close “shell1”?", "make runs in it")
	p.s.Press("n")
	wantCalls(t, p.calls("close"), "close t1 shell1 force=false")
	p.s.Press("ctrl+space", "w", "x", "y")
	wantCalls(t, p.calls("close"), "close t1 shell1 force=false", "close t1 shell1 force=true")
	p.s.Press("ctrl+space", "left", "ctrl+space", "w", "x")
	wantCalls(t, p.calls("close"))
	p.s.Want("the agent's pane stays with its thread")
}

func TestAPaneIsNamed(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("|")
	p.s.Press("ctrl+space", "w", "r")
	p.s.Type("Log")
	x, y, _ := p.s.Find("name › Log")
	if c := p.s.View().Cursor; c == nil || c.X != x+len("name > Log") || c.Y != y {
		t.Errorf("the cursor is at %+v:\n%s", c, p.s.Text())
	}
	p.s.Press("enter")
	wantCalls(t, p.calls("name"), `name t1 shell1 "Log"`)
	p.change(id, func(i *session.PaneInfo) { i.Name = "Log" })
	p.s.Want("1 claude, Log*", "─ Log* ─")
	p.s.Type("x")
	if got := p.got(); got[id] != "x" {
		t.Errorf("the panes got %q", got)
	}
}

func TestTheActiveShellFollowsTheFocus(t *testing.T) {
	p := withPanes(t, 120, 40)
	first := p.open("|")
	p.open("w", "t")
	p.s.Want("claude, shell1", "2 shell2*")
	p.calls()
	p.s.ClickOn("1 claude")
	wantCalls(t, p.calls("activate"), "activate t1 shell1")
	p.change("shell2", func(i *session.PaneInfo) { i.Active = false })
	p.change(first, func(i *session.PaneInfo) { i.Active = true })
	p.s.Press("ctrl+space", "left", "ctrl+space", "right")
	wantCalls(t, p.calls("activate"))
	p.s.Press("ctrl+space", "w", "tab", "esc")
	wantCalls(t, p.calls("activate"), "activate t1 shell2")
}

func TestTheNextScreenHasTheSameLayout(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("|")
	p.open("-")
	p.open("w", "t")
	p.s.Press("ctrl+space", "w", "1", "H", "esc")
	before := p.s.Text()
	next, _ := start(t, p.f, 120, 40)
	again := &helperPanes{f: p.f, s: next, panes: p.panes}
	again.tell()
	if got := next.Text(); got != before {
		t.Errorf("the next screen shows\n%s\nthe one before\n%s", got, before)
	}
	// One that is behind does not take the newer one's layout back.
	stale := p.f.layout
	next.Press("ctrl+space", "z")
	next.Send(tui.PanesMsg{Thread: "t1", Panes: p.panes, Layout: stale})
	next.Want("shell2, zoomed")
}

func TestAPlusOpensATab(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("|")
	p.calls()
	x, y, _ := p.s.Find("shell1*  +")
	p.s.Click(x+len("shell1*  "), y)
	wantCalls(t, p.calls("open"), "open t1 tab   95x37")
}

// With the agent's pane alone there is no row of tabs to have the sign.
func TestAPlusInTheHeaderOpensTheFirstShell(t *testing.T) {
	for _, size := range [][2]int{{100, 24}, {120, 40}, {200, 50}} {
		p := withPanes(t, size[0], size[1])
		plus := func() (x int, there bool) {
			row := []rune(strings.TrimRight(p.s.Lines()[0], " "))
			return len(row) - 1, row[len(row)-1] == '+'
		}
		x, there := plus()
		if !there {
			t.Fatalf("%v: the header is %q", size, p.s.Lines()[0])
		}
		p.s.Click(x-4, 0)
		wantCalls(t, p.calls("open"))
		p.s.Click(x, 0)
		if got := p.calls("open"); len(got) != 1 || !strings.HasPrefix(got[0], "open t1 tab") {
			t.Errorf("%v: the calls are %q", size, got)
		}
		p.panes = append(p.panes, p.f.last)
		p.tell()
		if _, there := plus(); there {
			t.Errorf("%v: it is there twice:\n%s", size, p.s.Text())
		}
	}
	// It takes no room from what the header says.
	p := withPanes(t, 80, 24)
	p.s.Want("Fix the parser   claude · main, shared · working 0:42 · ◆ 1")
	p.s.Click(79, 0)
	wantCalls(t, p.calls("open"))
}

func TestThePaletteOpensAndClosesPanes(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.s.Press("ctrl+space", "p")
	p.s.Type("new tab")
	p.s.Want("ctrl+space w t")
	p.s.WantNot("close the pane")
	p.s.Press("enter")
	wantCalls(t, p.calls("open"), "open t1 tab   95x37")
	p.panes = append(p.panes, p.f.last)
	p.tell()
	p.s.Press("ctrl+space", "p")
	p.s.Type("close the pane")
	p.s.Want("ctrl+space w x")
	p.s.Press("enter")
	wantCalls(t, p.calls("close"), "close t1 shell1 force=false")
}

func TestTheCardNamesThePaneAsItsTabAndShowsWhereItsCommandWent(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("w", "t")
	p.change(id, func(i *session.PaneInfo) { i.Name = "Log" })
	p.s.Press("ctrl+space", "w", "1", "esc")
	card := proposed("c1", runs("Run the tests", "make test"))
	card.Card.Target = id
	p.f.cardReceipt = session.CardReceipt{Outcome: session.OutcomeAnswered, State: session.CardConfirmed, Choice: 1, Panes: []session.PaneID{id}}
	p.s.Send(card)
	p.s.Want("Proposed in your shell  ·  Log", "2 Log*", "agent row 30")
	p.s.Press("ctrl+space", "e", "r")
	p.s.Want("shell1 row 30")
	p.s.WantNot("agent row")
	p.s.Type("x") // the focus went along, for the agent is out of sight
	if got := p.got(); got[id] != "x" {
		t.Errorf("the panes got %q", got)
	}

	// Beside the agent the focus stays where it was; a new split is seen once
	// the helper has said where it is.
	p.s.Press("ctrl+space", "w", "1", "esc")
	card = proposed("c2", runs("Run the tests", "make test"))
	card.Card.Target = ""
	p.f.cardReceipt.Panes = []session.PaneID{"shell2"}
	p.s.Send(card)
	p.s.Want("a new split")
	p.s.Press("ctrl+space", "z", "ctrl+space", "e", "r")
	p.panes = append(p.panes, session.PaneInfo{ID: "shell2", Shell: true, Active: true, Place: session.PlaceSplit})
	p.tell()
	p.s.Want("agent row 30", "shell2 row 30")
	p.s.Type("y")
	if got := p.got(); got[session.PaneAgent] != "y" {
		t.Errorf("the panes got %q", got)
	}
}

func TestTheBarLiesOverThePaneWhoseAgentAsks(t *testing.T) {
	p := withPanes(t, 160, 40)
	id := p.open("|")
	d := decision("d1")
	d.Decision.Pane, d.Decision.Agent = id, "codex"
	p.s.Send(d)
	x, _, _ := p.s.Find("Bash wants to run")
	if shell, _, _ := p.s.Find("─ shell1"); x < shell {
		t.Errorf("the bar begins at column %d, its pane at %d:\n%s", x, shell, p.s.Text())
	}
	p.s.Want("agent row 0", "1 once")
	p.s.Press("ctrl+space", "left", "ctrl+space", "d", "t")
	wantCalls(t, p.calls("handover"), "handover t1 d1")
	p.s.Type("x")
	if got := p.got(); got[id] != "x" {
		t.Errorf("the panes got %q", got)
	}
	// Out of sight it lies over what is shown, and says where it belongs.
	p.open("w", "t")
	p.s.Send(d)
	p.s.Want("Bash wants to run", "◐ shell1")
}

func TestAPaneIsToldOfItsFocusAndOfTheReleaseOfItsKeysOnly(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("|")
	for _, pane := range []session.PaneID{session.PaneAgent, id} {
		fr := agentScreen(47, 36, session.Modes{Focus: true, Keyboard: 2})
		fr.Frame.Pane = pane
		p.s.Send(fr)
	}
	p.f.inputs, p.f.to = nil, nil
	p.s.Send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	p.s.Press("ctrl+space", "left")
	p.s.Send(tea.KeyReleaseMsg{Code: 'a', Text: "a"})
	var got []string
	for i, in := range p.f.inputs {
		switch {
		case in.Focus != nil:
			got = append(got, fmt.Sprintf("%s focus %v", p.f.to[i], *in.Focus))
		case in.Key != nil:
			got = append(got, fmt.Sprintf("%s key %v", p.f.to[i], in.Key.Action))
		}
	}
	want := []string{"shell1 key ", "shell1 focus false", "agent focus true"}
	if !slices.Equal(got, want) {
		t.Errorf("the panes got %q, want %q", got, want)
	}
}

func TestEachPaneHasItsScrollbackAndSelection(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("|")
	p.f.rows = 100
	for _, pane := range []session.PaneID{session.PaneAgent, id} {
		fr := agentScreen(47, 36, session.Modes{})
		fr.Frame.Pane, fr.Frame.History = pane, 100
		p.s.Send(fr)
	}
	x, y, _ := p.s.Find("agent row 10")
	p.s.Send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	p.s.Press("ctrl+space", "pgup")
	p.s.Want("18 lines back", "─ claude 3 lines back ─", "─ shell1* 18 lines back ─")
	p.s.Press("esc", "ctrl+space", "left")
	p.s.Want("3 lines back", "old line 99")
	right, _, _ := p.s.Find("─ shell1")
	p.s.Send(tea.MouseClickMsg{X: right, Y: 10, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: right + 4, Y: 10, Button: tea.MouseLeft},
		tea.MouseReleaseMsg{X: right + 4, Y: 10, Button: tea.MouseLeft})
	p.s.Want("copied")
	p.s.Type("x")
	if got := p.got(); got[id] != "x" {
		t.Errorf("the panes got %q", got)
	}
}

func TestTheCursorIsWhereAPaneIsNamed(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.open("|")
	p.s.Press("ctrl+space", "w", "r")
	p.s.Type("log")
	x, y, _ := p.s.Find("log")
	if c := p.s.View().Cursor; c == nil || c.X != x+3 || c.Y != y {
		t.Errorf("the cursor is %+v, want behind the name at %d, %d", c, x, y)
	}
}

func TestAPageIsAsHighAsItsPane(t *testing.T) {
	p := withPanes(t, 120, 40)
	id := p.open("-")
	p.f.rows = 100
	fr := agentScreen(95, 18, session.Modes{})
	fr.Frame.Pane, fr.Frame.History = id, 100
	p.s.Send(fr)
	calls := p.calls("view")
	_, size, _ := strings.Cut(calls[len(calls)-1], "95x")
	h, err := strconv.Atoi(size)
	if err != nil || h > 20 {
		t.Fatalf("the pane was shown by %q", calls)
	}
	p.s.Press("ctrl+space", "[", "pgup")
	p.s.Want(fmt.Sprintf("%d lines back", h/2+h-1))
}

func TestHintsOfThePanesAreClicked(t *testing.T) {
	p := withPanes(t, 120, 40)
	p.s.Press("ctrl+space")
	p.s.ClickOn("w panes")
	p.s.ClickOn("| right")
	wantCalls(t, p.calls("open"), "open t1 split right agent 47x36")
}
