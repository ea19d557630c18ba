package helper_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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

func TestAShellThatEndsTakesItsPaneAlong(t *testing.T) {
	h := host(t, "exec cat")
	p := h.shell(client.OpenPane{})
	a, downs := h.follow()
	h.types(a, p.ID, "exit\r")
	for gone := false; !gone; {
		d := receive(t, downs)
		gone = len(d.Panes) == 1
		if d.Ended != nil {
			t.Fatal("the agent is said to have ended")
		}
	}
	if th := h.thread(); th.State.Ended() || th.ExitCode != nil {
		t.Errorf("the thread is %+v", th)
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
	for d := range downs {
		if len(d.Panes) == 1 {
			break
		}
	}
	_ = a.Close()
	h.awaitEnd()
}

func TestStoppingEndsTheShellsPrograms(t *testing.T) {
	h := host(t, "exec cat")
	p := h.shell(client.OpenPane{})
	a, _ := h.follow()
	h.types(a, p.ID, "sh -c 'trap \"\" HUP TERM; echo $$ > pid; while :; do sleep 1; done'\r")
	h.until("the program runs", func() bool { return strings.HasSuffix(logFile(t, h, "pid"), "\n") })
	h.onPane(client.OpClosePane, client.PaneRequest{Pane: p.ID})
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
