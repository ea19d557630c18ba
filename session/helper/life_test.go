package helper_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/helper"
)

func TestAClientSeesTheScreenAsItIsAndAgainAfterComingBack(t *testing.T) {
	h := host(t, `echo first; read x; echo "got $x"; exec cat`)
	a, downs := h.follow()
	if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 60, Rows: 10}}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "first")
	raw := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Raw: []byte("hello\r")}}
	if err := a.Send(client.Up{Input: &raw}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "got hello")
	_ = a.Close()

	b, again := h.follow()
	if err := b.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 60, Rows: 10}}); err != nil {
		t.Fatal(err)
	}
	rows := picture(t, again, "got hello")
	if rows[0].Text() != "first" {
		t.Errorf("the first row is %q", rows[0].Text())
	}
}

// Agents ask at their start, and some wait for the answer.
func TestAProgramIsAnsweredThoughNobodyLooks(t *testing.T) {
	h := host(t, `stty raw -echo; printf '\033[>q'; dd bs=1 count=15 2>/dev/null | tr '\033' ^; exec cat`)
	h.until("the answer is on the screen", func() bool {
		shown, err := call[client.Screen](h, client.OpScreen, client.ScreenRequest{Pane: session.PaneAgent})
		if err != nil {
			t.Fatal(err)
		}
		return len(shown.Rows) > 0 && shown.Rows[0].Text() == `^P>|aside 9.9^\`
	})
}

func TestAProgramIsToldTheColoursOfThePersonsTerminal(t *testing.T) {
	const ask = `printf '\033]11;?\007'; dd bs=1 count=24 2>/dev/null | tr '\033\007' '^$'`
	h := host(t, `stty raw -echo; `+ask+`; printf '\033[?2031h.'; dd bs=1 count=9 2>/dev/null | tr '\033' ^; `+ask+`; exec cat`)
	shows := func(want string) func() bool {
		return func() bool {
			shown, err := call[client.Screen](h, client.OpScreen, client.ScreenRequest{Pane: session.PaneAgent})
			if err != nil {
				t.Fatal(err)
			}
			return len(shown.Rows) > 0 && shown.Rows[0].Text() == want
		}
	}
	first := `^]11;rgb:1111/2222/3333$.`
	h.until("the colour at the start is told", shows(first))
	a, _ := h.follow()
	light := session.Colors{Fg: session.RGB(0, 0, 0), Bg: session.RGB(0xee, 0xee, 0xee)}
	if err := a.Send(client.Up{Colors: &light}); err != nil {
		t.Fatal(err)
	}
	h.until("the colours of another screen are told", shows(first+`^[?997;2n`+`^]11;rgb:eeee/eeee/eeee$`))
}

func TestResizeReachesTheProgram(t *testing.T) {
	h := host(t, `trap 'stty size' WINCH; echo ready; while :; do read x; done`)
	a, downs := h.follow()
	look := func(cols, rows int) {
		t.Helper()
		if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: cols, Rows: rows}}); err != nil {
			t.Fatal(err)
		}
	}
	look(60, 10)
	picture(t, downs, "ready") // it hears of a new size from here on
	look(91, 17)
	picture(t, downs, "17 91")
}

func TestScrollbackIsFetchedOnDemand(t *testing.T) {
	h := host(t, `stty -onlcr -echo; i=0; while [ $i -lt 100 ]; do printf 'line %d\r\n' $i; i=$((i+1)); done; printf end; exec cat`)
	a, downs := h.follow()
	picture0 := client.View{Pane: session.PaneAgent, Cols: 60, Rows: 10}
	if err := a.Send(client.Up{View: &picture0}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "end")
	if err := a.Send(client.Up{History: &client.HistoryRequest{ID: 7, Pane: session.PaneAgent, From: 1, N: 2}}); err != nil {
		t.Fatal(err)
	}
	for {
		d := receive(t, downs)
		if d.History == nil {
			continue
		}
		if d.History.ID != 7 || len(d.History.Rows) != 2 || d.History.Rows[0].Text() != "line 1" {
			t.Errorf("got %+v", d.History)
		}
		return
	}
}

func TestTheEndOfTheAgentIsKeptUntilSomebodySawIt(t *testing.T) {
	h := host(t, `echo last words; exit 3`)
	h.until("the end is recorded", func() bool { return h.thread().ExitCode != nil })
	th := h.thread()
	if *th.ExitCode != 3 || th.State != session.StateFailed || !th.Live || th.Problem == "" {
		t.Errorf("thread is %+v", th)
	}
	if got := screenText(h); !strings.Contains(got, "last words") {
		t.Errorf("screen is %q", got)
	}
	h.awaitEnd() // somebody saw it
	if h.thread().Live {
		t.Error("the thread is still live")
	}
}

// A store that is full for a moment must not make an ended agent a working one.
func TestTheEndOfTheAgentIsStoredLaterWhereTheStoreDoesNotTakeIt(t *testing.T) {
	h := host(t, `read line; exit 3`)
	db, err := sql.Open("sqlite3", h.paths.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(`CREATE TRIGGER full BEFORE UPDATE OF exit_code ON threads BEGIN SELECT RAISE(FAIL, 'full'); END`); err != nil {
		t.Fatal(err)
	}
	a, downs := h.follow()
	h.types(a, session.PaneAgent, "\r")
	for d := receive(t, downs); d.Ended == nil; {
		d = receive(t, downs)
	}
	if th := h.thread(); th.ExitCode != nil {
		t.Fatalf("the store took it: %+v", th)
	}
	if _, err := db.Exec(`DROP TRIGGER full`); err != nil {
		t.Fatal(err)
	}
	_ = a.Close()
	if _, err := call[struct{}](h, client.OpStop, nil); err != nil {
		t.Fatal(err)
	}
	h.awaitEnd()
	if th := h.thread(); th.ExitCode == nil || *th.ExitCode != 3 || th.State != session.StateFailed || th.Live {
		t.Errorf("thread is %+v", th)
	}
}

func TestAHelperWhoseEndIsOnScreenStaysUntilTheClientLeaves(t *testing.T) {
	h := host(t, `echo last words; exit 0`)
	a, downs := h.follow()
	if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 60, Rows: 10}}); err != nil {
		t.Fatal(err)
	}
	picture(t, downs, "last words")
	h.until("the end is recorded", func() bool { return h.thread().ExitCode != nil })
	if _, err := call[client.Status](h, client.OpStatus, nil); err != nil {
		t.Fatalf("the helper left its client: %v", err)
	}
	// A picture that was asked for after the end has been seen when it comes.
	if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 61, Rows: 10}}); err != nil {
		t.Fatal(err)
	}
	for d := receive(t, downs); d.Frame == nil || d.Frame.Cols != 61; {
		d = receive(t, downs)
	}
	_ = a.Close()
	h.awaitEnd()
}

func TestStopEndsTheAgentBeforeItAnswers(t *testing.T) {
	h := host(t, `trap 'echo bye > stopped; exit' TERM HUP; echo ready; while :; do sleep 0.01; done`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	if _, err := call[struct{}](h, client.OpStop, nil); err != nil {
		t.Fatal(err)
	}
	if got := logFile(t, h, "stopped"); got != "bye\n" {
		t.Errorf("the agent was not asked to end: %q", got)
	}
	if th := h.thread(); th.State != session.StateExited || th.StateSource != session.SourcePerson || th.ExitCode == nil {
		t.Errorf("thread is %+v", th)
	}
	h.awaitEnd()
}

func TestASecondHelperOfAThreadIsRefused(t *testing.T) {
	h := host(t, `exec cat`)
	second := &hosted{t: t, store: h.store, paths: h.paths, id: h.id, socket: h.socket, done: make(chan error, 1)}
	err := second.run(options{adapter: scripted{script: "exec cat"}})
	if !errors.Is(err, helper.ErrRunning) {
		t.Errorf("got %v", err)
	}
	if _, err := call[client.Status](h, client.OpStatus, nil); err != nil {
		t.Errorf("the first is gone: %v", err)
	}
}

func TestAMissingProgramIsToldToTheStarterAndShownOnTheThread(t *testing.T) {
	h := open(t)
	err := h.run(options{adapter: scripted{program: "no-such-agent"}, prompt: "Do it"})
	if e := fault(t, err); !strings.Contains(e.Message, "no-such-agent") || e.Hint == "" {
		t.Errorf("got %#v", e)
	}
	if th := h.thread(); th.Draft != "Do it" || th.Problem == "" || th.Live {
		t.Errorf("thread is %+v", th)
	}
}

func TestTheStateComesFromTheBetterSource(t *testing.T) {
	h := host(t, `printf '\033]7501;state=working:app=x\033\\'; echo ready; exec cat`)
	h.until("the terminal's word", func() bool { return h.thread().State == session.StateWorking })
	if src := h.thread().StateSource; src != session.SourceTerminal {
		t.Errorf("source is %s", src)
	}
	if _, err := h.hook("started", said{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	if th := h.thread(); th.State != session.StateIdle || th.StateSource != session.SourceAgent {
		t.Errorf("state is %s from %s", th.State, th.StateSource)
	}
	e, err := call[client.Explanation](h, client.OpExplain, nil)
	if err != nil || e.Current.State != session.StateIdle || len(e.Reports) != 3 {
		t.Errorf("explained as %+v, %v", e, err)
	}
}

func TestAnUnknownOperationIsRefusedWithAHint(t *testing.T) {
	h := host(t, `exec cat`)
	_, err := call[struct{}](h, "no-such-thing", nil)
	if e := fault(t, err); e.Code != session.CodeUsage || e.Hint == "" {
		t.Errorf("got %#v", e)
	}
}

func TestTheHelperEndsWithItsContext(t *testing.T) {
	h := open(t)
	ready := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- helper.Run(ctx, helper.Options{
			Thread: h.id, Paths: h.paths, Store: h.store, Adapter: scripted{script: "exec cat", caps: agent.Capabilities{}},
			Desk: noDesk{}, Now: time.Now, Log: discard(), Receipt: patience, Ready: func(err error) { ready <- err },
		})
	}()
	if err := receive(t, ready); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := receive(t, done); err != nil {
		t.Fatal(err)
	}
	if th := h.thread(); th.Live || !th.State.Ended() {
		t.Errorf("thread is %+v", th)
	}
}
