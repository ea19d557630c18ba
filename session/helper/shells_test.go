package helper_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/proposals/actions"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
)

func (h *hosted) panes() []session.PaneInfo {
	h.t.Helper()
	p, err := call[[]session.PaneInfo](h, client.OpPanes, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (h *hosted) onPane(op string, r client.PaneRequest) {
	h.t.Helper()
	if _, err := call[struct{}](h, op, r); err != nil {
		h.t.Fatal(err)
	}
}

// types is what a person types into a pane.
func (h *hosted) types(a *client.Attachment, p session.PaneID, text string) {
	h.t.Helper()
	if err := a.Send(client.Up{Input: &client.PaneInput{Pane: p, Event: session.Input{Raw: []byte(text)}}}); err != nil {
		h.t.Fatal(err)
	}
}

func active(panes []session.PaneInfo) session.PaneID {
	for _, p := range panes {
		if p.Active {
			return p.ID
		}
	}
	return ""
}

func TestShellPanesLiveInTheHelper(t *testing.T) {
	h := host(t, "exec cat")
	first := h.shell(client.OpenPane{Name: "Build\x1b[2J \n it", Cols: 91, Rows: 23})
	second := h.shell(client.OpenPane{Place: session.PlaceSplit, Direction: session.DirectionDown, Beside: first.ID})
	if first.Name != "Build it" || first.Cols != 91 || first.Rows != 23 || first.Place != session.PlaceTab || !first.Shell || first.Cwd != h.thread().Cwd {
		t.Errorf("got %+v", first)
	}
	if second.Place != session.PlaceSplit || second.Direction != session.DirectionDown || second.Beside != first.ID || !second.Active {
		t.Errorf("got %+v", second)
	}
	a, _ := h.follow()
	h.types(a, first.ID, "pwd > where; stty size > size; echo $ASIDE_PANE $ASIDE_THREAD > who; echo $TERM_PROGRAM >> who\r")
	h.until("the shell has answered", func() bool { return strings.Contains(logFile(t, h, "who"), "ghostty") })
	if got := strings.TrimSpace(logFile(t, h, "size")); got != "23 91" {
		t.Errorf("its size is %q", got)
	}
	if got := logFile(t, h, "who"); !strings.HasPrefix(got, fmt.Sprintf("%s %s\n", first.ID, h.id)) {
		t.Errorf("its environment says %q", got)
	}
	if got, want := strings.TrimSpace(logFile(t, h, "where")), h.thread().Cwd; got != want {
		if there, err := filepath.EvalSymlinks(want); err != nil || got != there {
			t.Errorf("it runs in %q, not in %q", got, want)
		}
	}
	// A screen that comes back finds picture and scrollback as they were.
	h.types(a, first.ID, "i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); done; echo the end of it\r")
	_ = a.Close()
	b, downs := h.follow()
	if err := b.Send(client.Up{View: &client.View{Pane: first.ID, Cols: 91, Rows: 23}}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "line 299")
	if err := b.Send(client.Up{History: &client.HistoryRequest{ID: 7, Pane: first.ID, From: 0, N: 500}}); err != nil {
		t.Fatal(err)
	}
	for {
		if d := receive(t, downs); d.History != nil {
			text := ""
			for _, r := range d.History.Rows {
				text += r.Text() + "\n"
			}
			if !strings.Contains(text, "line 5\n") {
				t.Errorf("the scrollback is %q", text)
			}
			break
		}
	}
}

func TestTheActivePaneIsTheLastOneThatWasUsed(t *testing.T) {
	h := host(t, "exec cat")
	var ids []session.PaneID
	for range 3 {
		ids = append(ids, h.shell(client.OpenPane{}).ID)
	}
	h.onPane(client.OpActivatePane, client.PaneRequest{Pane: ids[0]})
	if got := active(h.panes()); got != ids[0] {
		t.Errorf("active is %q", got)
	}
	h.onPane(client.OpClosePane, client.PaneRequest{Pane: ids[0]})
	h.until("the pane is gone", func() bool { return len(h.panes()) == 3 })
	if got := active(h.panes()); got != ids[2] {
		t.Errorf("active is %q, want the one before", got)
	}
	h.onPane(client.OpRenamePane, client.PaneRequest{Pane: ids[1], Name: "Log"})
	if p := h.panes()[1]; p.Name != "Log" || p.Label() != "Log" {
		t.Errorf("got %+v", p)
	}
	for _, op := range []string{client.OpActivatePane, client.OpClosePane, client.OpRenamePane} {
		for _, id := range []session.PaneID{ids[0], session.PaneAgent, "", "shell99"} {
			if _, err := call[struct{}](h, op, client.PaneRequest{Pane: id}); session.CodeOf(err) != session.CodeNotFound {
				t.Errorf("%s %q: %v", op, id, err)
			}
		}
	}
	if next := h.shell(client.OpenPane{}).ID; next == ids[0] {
		t.Error("an id is used twice")
	}
}

// infoOf waits until a pane is as it should be.
func infoOf(t *testing.T, downs <-chan client.Down, id session.PaneID, is func(session.PaneInfo) bool) session.PaneInfo {
	t.Helper()
	for {
		for _, p := range receive(t, downs).Panes {
			if p.ID == id && is(p) {
				return p
			}
		}
	}
}

func ended(p session.PaneInfo) bool { return p.Ended }

func TestAPaneShowsTheEndOfItsShellUntilItIsClosed(t *testing.T) {
	h := host(t, "exec cat")
	other := h.shell(client.OpenPane{})
	p := h.shell(client.OpenPane{Name: "Log", Place: session.PlaceSplit, Beside: session.PaneAgent, Cols: 40, Rows: 9})
	a, downs := h.follow()
	h.types(a, p.ID, "echo the last words; exit 3\r")
	if end := infoOf(t, downs, p.ID, ended); end.Exit != 3 || end.Active {
		t.Errorf("got %+v", end)
	}
	if got := active(h.panes()); got != other.ID {
		t.Errorf("active is %q: a shell that has ended takes no command", got)
	}
	if th := h.thread(); th.State.Ended() || th.ExitCode != nil {
		t.Errorf("the thread is %+v", th)
	}
	if err := a.Send(client.Up{View: &client.View{Pane: p.ID, Cols: 40, Rows: 9}}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "the last words")

	if _, err := call[struct{}](h, client.OpRestartPane, client.PaneRequest{Pane: other.ID}); session.CodeOf(err) != session.CodeSettled {
		t.Errorf("a shell that runs: %v", err)
	}
	h.onPane(client.OpRestartPane, client.PaneRequest{Pane: p.ID})
	again := infoOf(t, downs, p.ID, func(p session.PaneInfo) bool { return !p.Ended })
	if again.Name != "Log" || again.Place != session.PlaceSplit || again.Beside != session.PaneAgent || again.Cols != 40 || !again.Active {
		t.Errorf("got %+v", again)
	}
	h.types(a, p.ID, "echo once more\r")
	for _, r := range picture(t, downs, "once more") {
		if strings.Contains(r.Text(), "the last words") {
			t.Errorf("the new shell's picture has %q", r.Text())
		}
	}
	h.onPane(client.OpClosePane, client.PaneRequest{Pane: p.ID})
	h.until("the pane is gone", func() bool { return len(h.panes()) == 2 })

	h.types(a, other.ID, "exit\r")
	infoOf(t, downs, other.ID, ended)
	h.onPane(client.OpClosePane, client.PaneRequest{Pane: other.ID})
	if got := h.panes(); len(got) != 1 {
		t.Errorf("the panes are %+v", got)
	}
}

func TestAPaneInWhichAProgramRunsIsClosedByForceOnly(t *testing.T) {
	h := host(t, "exec cat")
	p := h.shell(client.OpenPane{})
	a, _ := h.follow()
	h.types(a, p.ID, "cat > written; echo\r")
	h.untilMade("written")
	h.types(a, p.ID, "a line\r")
	h.until("it reads the keys", func() bool { return logFile(t, h, "written") != "" })
	c, err := call[client.Closed](h, client.OpClosePane, client.PaneRequest{Pane: p.ID})
	if err != nil || c.Running != "cat" || len(h.panes()) != 2 {
		t.Fatalf("%+v, %v; the panes are %+v", c, err, h.panes())
	}
	c, err = call[client.Closed](h, client.OpClosePane, client.PaneRequest{Pane: p.ID, Force: true})
	if err != nil || c.Running != "" {
		t.Errorf("%+v, %v", c, err)
	}
	h.until("the pane is gone", func() bool { return len(h.panes()) == 1 })
}

func TestTheLayoutIsKeptForTheNextScreen(t *testing.T) {
	h := host(t, "exec cat")
	p := h.shell(client.OpenPane{})
	leaf := func(id session.PaneID) *session.PaneNode { return &session.PaneNode{Pane: id} }
	layout := session.Layout{Rev: 4, Tabs: []session.PaneTab{{Focus: p.ID, Root: &session.PaneNode{
		Direction: session.DirectionDown, Share: 300, First: leaf(session.PaneAgent), Second: leaf(p.ID),
	}}}}
	a, downs := h.follow()
	other, others := h.follow()
	defer func() { _ = other.Close() }()
	arrange := func(l session.Layout) {
		if err := a.Send(client.Up{Arrange: &l}); err != nil {
			t.Fatal(err)
		}
	}
	arrange(layout)
	older, broken := layout, layout
	older.Rev, older.Shown = 3, 7
	broken.Rev, broken.Tabs = 9, []session.PaneTab{{Root: &session.PaneNode{}}}
	arrange(older)
	arrange(broken)
	layout.Rev, layout.Shown = 5, 0
	layout.Tabs[0].Zoomed = true
	arrange(layout)
	kept := func(downs <-chan client.Down) {
		t.Helper()
		for {
			d := receive(t, downs)
			if d.Layout == nil || d.Layout.Rev == 4 {
				continue
			}
			if l := *d.Layout; l.Rev != 5 || len(l.Tabs) != 1 || !l.Tabs[0].Zoomed || l.Tabs[0].Focus != p.ID || l.Tabs[0].Root.Share != 300 {
				t.Errorf("got %+v", l)
			}
			return
		}
	}
	kept(downs)
	kept(others)
	_ = a.Close()
	next, nexts := h.follow()
	defer func() { _ = next.Close() }()
	kept(nexts)
}

func TestTheAgentIsStartedAgainBesideItsShells(t *testing.T) {
	h := host(t, `echo "run $1"; read x; exit 4`)
	relaunch := func() (client.Relaunched, error) {
		return call[client.Relaunched](h, client.OpRelaunch, client.Relaunch{})
	}
	if _, err := relaunch(); session.CodeOf(err) != session.CodeSettled {
		t.Errorf("an agent that runs: %v", err)
	}
	p := h.shell(client.OpenPane{})
	a, downs := h.follow()
	h.types(a, p.ID, "kept=here\r")
	h.types(a, session.PaneAgent, "\r")
	infoOf(t, downs, session.PaneAgent, func(p session.PaneInfo) bool { return p.Ended && p.Exit == 4 })
	h.until("the end is recorded", func() bool { th := h.thread(); return th.ExitCode != nil && th.State.Ended() })

	if r, err := relaunch(); err != nil || !r.Done {
		t.Fatalf("%+v, %v", r, err)
	}
	infoOf(t, downs, session.PaneAgent, func(p session.PaneInfo) bool { return !p.Ended && p.Exit == 0 })
	if th := h.thread(); th.State != session.StateStarting || th.ExitCode != nil || !th.Live || th.Problem != "" {
		t.Errorf("the thread is %+v", th)
	}
	h.types(a, p.ID, "touch $kept\r")
	h.untilMade("here")

	h.types(a, session.PaneAgent, "\r")
	infoOf(t, downs, session.PaneAgent, ended)
	h.types(a, p.ID, "exit\r")
	infoOf(t, downs, p.ID, ended)
	if r, err := relaunch(); err != nil || r.Done {
		t.Errorf("nothing has to go on: %+v, %v", r, err)
	}
}

// Who starts an agent again at the moment of its end gets one that runs: the end
// of the one before is not recorded after it.
func TestAnAgentThatIsStartedAgainAtOnceRuns(t *testing.T) {
	h := host(t, "read x")
	h.shell(client.OpenPane{})
	a, downs := h.follow()
	for range rounds(t, 20) {
		h.types(a, session.PaneAgent, "\r")
		for {
			r, err := call[client.Relaunched](h, client.OpRelaunch, client.Relaunch{})
			if err == nil && r.Done {
				break
			}
			if session.CodeOf(err) != session.CodeSettled {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		for receive(t, downs).Ended == nil {
		}
		if th := h.thread(); th.State.Ended() || th.ExitCode != nil {
			t.Fatalf("the thread is %+v", th)
		}
	}
}

func TestWhatAShellSaysIsNotTheAgents(t *testing.T) {
	h := host(t, "exec cat")
	before := h.thread().State
	p := h.shell(client.OpenPane{})
	a, downs := h.follow()
	h.types(a, p.ID, `printf '\033]7501;;working\033\\\033]9;4;1;50\033\\\033]0;My title\007\033]7;file:///tmp\007'`+"\r")
	for {
		d := receive(t, downs)
		if len(d.Panes) == 2 && d.Panes[1].Title == "My title" && d.Panes[1].Cwd == "/tmp" {
			break
		}
	}
	if got := h.thread().State; got != before {
		t.Errorf("the thread is %s", got)
	}
}

func TestATitleThatChangesAllTheTimeIsToldNowAndThen(t *testing.T) {
	h := host(t, "exec cat")
	p := h.shell(client.OpenPane{})
	a, downs := h.follow()
	begun := time.Now()
	h.types(a, p.ID, `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf '\033]0;title %d\007' $i; done`+"\r")
	told := 0
	for last := false; !last; {
		for _, info := range receive(t, downs).Panes {
			if info.ID == p.ID {
				told++
				last = info.Title == "title 3000"
			}
		}
	}
	if most := int(time.Since(begun)/(500*time.Millisecond)) + 4; told > most { // some are not for a title
		t.Errorf("it was told %d times, want at most %d", told, most)
	}
}

func TestAShellOutlivesTheAgentAndTheHelperItsShell(t *testing.T) {
	h := open(t)
	if err := h.run(options{adapter: scripted{script: "read x", caps: agent.Capabilities{}}}); err != nil {
		t.Fatal(err)
	}
	p := h.shell(client.OpenPane{})
	a, downs := h.follow()
	h.types(a, session.PaneAgent, "\r")
	for receive(t, downs).Ended == nil {
		continue
	}
	if _, err := call[client.Screen](h, client.OpScreen, client.ScreenRequest{Pane: session.PaneAgent}); err != nil { // its end is seen
		t.Fatal(err)
	}
	h.types(a, p.ID, "touch alive\r")
	h.untilMade("alive")
	h.types(a, p.ID, "exit\r")
	infoOf(t, downs, p.ID, ended)
	_ = a.Close()
	h.awaitEnd()
}

func TestStoppingEndsTheShellsPrograms(t *testing.T) {
	h := host(t, "exec cat")
	p := h.shell(client.OpenPane{})
	a, _ := h.follow()
	h.types(a, p.ID, "sh -c 'trap \"\" HUP TERM; echo $$ > pid; while :; do sleep 1; done'\r")
	h.until("the program runs", func() bool { return strings.HasSuffix(logFile(t, h, "pid"), "\n") })
	h.onPane(client.OpClosePane, client.PaneRequest{Pane: p.ID, Force: true})
	if pid := strings.TrimSpace(logFile(t, h, "pid")); running(pid) {
		t.Errorf("process %s is left", pid)
	}
	h.shell(client.OpenPane{})
	if _, err := call[struct{}](h, client.OpStop, nil); err != nil {
		t.Fatal(err)
	}
	h.awaitEnd()
}

func TestTooManyPanesAndWrongFoldersAreRefused(t *testing.T) {
	h := host(t, "exec cat")
	if _, err := call[session.PaneInfo](h, client.OpOpenPane, client.OpenPane{Cwd: "nosuch"}); session.CodeOf(err) != session.CodeUsage {
		t.Errorf("got %v", err)
	}
	for range 16 {
		h.shell(client.OpenPane{})
	}
	if _, err := call[session.PaneInfo](h, client.OpOpenPane, client.OpenPane{}); err == nil {
		t.Error("a seventeenth pane")
	}
}

// A terminal that edits lines itself would cut a long command, and run what
// is left of it.
func TestACommandThatWouldBeCutIsNotWritten(t *testing.T) {
	h, ch := acts(t)
	h.shell(client.OpenPane{}) // of sh, which edits lines itself on some systems
	payload := runs("touch made; : " + strings.Repeat("x", 6000))
	h.arm(ch, payload)
	s := h.submit(ch, payload)
	card := s.next(t, actions.Accepted).Card
	r := h.confirm(session.Confirmation{Card: card, Choice: 1})
	switch r.Outcome {
	case session.OutcomeUnavailable:
		s.next(t, "unavailable")
		if h.made("made") || !strings.Contains(r.Reason, "longer") {
			t.Errorf("got %+v", r)
		}
	case session.OutcomeAnswered:
		h.untilMade("made")
	default:
		t.Errorf("got %+v", r)
	}
}

// A shell that edits its own lines gets long commands whole, also one that
// has just been opened for it.
func TestALongCommandReachesANewShellWhole(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	h, ch := acts(t)
	own := filepath.Join(t.TempDir(), "shell")
	if err := os.WriteFile(own, []byte("#!/bin/sh\nexec "+bash+" --norc --noprofile -i\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHELL", own)
	payload := runs("echo " + strings.Repeat("x", 6000) + " > long; touch made")
	h.arm(ch, payload)
	s := h.submit(ch, payload)
	h.confirm(session.Confirmation{Card: s.next(t, actions.Accepted).Card, Choice: 1})
	s.next(t, "confirmed")
	h.untilMade("made")
	if got := len(strings.TrimSpace(logFile(t, h, "long"))); got != 6000 {
		t.Errorf("%d characters of 6000 arrived", got)
	}
}

// running says that a process is there and at work; one that was killed may
// stay in the list of processes until its parent has seen that.
func running(pid string) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}
