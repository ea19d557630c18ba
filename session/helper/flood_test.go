package helper_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/client"
)

// heapBound is the memory that a helper may take beside what it had, whatever
// its program does: the scrollback, what waits for the program, and the frames
// under way, each at its limit.
const heapBound = 96 << 20

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// answers checks that a hook is held, shown and answered, and that a client
// sees the pane.
func answers(t *testing.T, h *hosted, title string) {
	t.Helper()
	d, replies := h.ask(title)
	r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"})
	if err != nil || r.Outcome != session.OutcomeAnswered {
		t.Fatalf("got %+v, %v", r, err)
	}
	if got := receive(t, replies); got.Output != `"once for `+title+`"` {
		t.Errorf("the hook was told %+v", got)
	}
}

// A program that writes as fast as it can, and the costliest sequences at
// that, is seen and resized, its hooks are answered and its keys arrive.
func TestAProgramThatWritesWithoutEndIsStillInHand(t *testing.T) {
	for name, output := range map[string]string{
		"text":   `line after line of some length with a \033[3%sm colour\033[m\r\n`,
		"resets": `\033c\033#8\033[999S\033[1;1;999;999;1;1;1;1$v`,
		"noise":  `\033]2;title %s\033\\\033[?2026h\a\033[c\033]8;;https://example.com/%s\033\\x`,
	} {
		t.Run(name, func(t *testing.T) {
			before := heap()
			h := host(t, `trap 'trap "" INT; printf "\033c\r\ncaught\r\n"; exec cat >/dev/null' INT
				stty -echo; printf 'ready\r\n'; while :; do printf '`+strings.Repeat(output, 50)+`'; done`)
			a, downs := h.follow()
			show := func(cols, rows int) {
				t.Helper()
				if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: cols, Rows: rows}}); err != nil {
					t.Fatal(err)
				}
				for d := receive(t, downs); d.Frame == nil || d.Frame.Cols != cols || d.Frame.Rows != rows; {
					d = receive(t, downs)
				}
			}
			show(120, 40)
			answers(t, h, "first")
			for _, size := range [][2]int{{1, 1}, {500, 200}, {80, 24}} {
				show(size[0], size[1])
			}
			answers(t, h, "second")
			if after := heap(); after > before+heapBound {
				t.Errorf("%d MiB are in use", (after-before)>>20)
			}
			key := session.KeyEvent{Code: 'c', Mods: session.ModCtrl}
			in := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Key: &key}}
			if err := a.Send(client.Up{Input: &in}); err != nil {
				t.Fatal(err)
			}
			picture(t, downs, "caught")
		})
	}
}

// A program that never reads is told of, and takes no more memory than its
// queue; everything else goes on.
func TestAProgramThatNeverReadsHoldsNothingUp(t *testing.T) {
	h := host(t, `stty raw -echo; printf ready; exec sleep 1000`)
	h.until("ready", func() bool { return strings.Contains(screenText(h), "ready") })
	before := heap()
	a, downs := h.follow()
	text := strings.Repeat("pasted text ", 20_000)
	in := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Paste: &text}}
	for range 40 { // 9.6 MB
		if err := a.Send(client.Up{Input: &in}); err != nil {
			t.Fatal(err)
		}
	}
	// What is asked for now is answered when all of it was taken: a paste that
	// came later would release what is asked meanwhile.
	if err := a.Send(client.Up{History: &client.HistoryRequest{Pane: session.PaneAgent}}); err != nil {
		t.Fatal(err)
	}
	told := false
	for d := receive(t, downs); d.History == nil; d = receive(t, downs) {
		told = told || d.Notice != nil && strings.Contains(d.Notice.Text, "reads no input")
	}
	if !told {
		t.Error("the person was not told that the program reads no input")
	}
	answers(t, h, "meanwhile")
	if after := heap(); after > before+heapBound {
		t.Errorf("%d MiB are in use", (after-before)>>20)
	}
}

// A screen is not flooded with what programs tell the person.
func TestAFloodOfNotificationsIsCutShort(t *testing.T) {
	began := time.Now()
	h := host(t, `stty -echo; read x; i=0; while [ $i -lt 4000 ]; do printf '\033]9;note %d\a' $i; i=$((i+1)); done; echo end; exec cat`)
	a, downs := h.follow()
	if err := a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 60, Rows: 10}}); err != nil {
		t.Fatal(err)
	}
	raw := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Raw: []byte("\r")}}
	if err := a.Send(client.Up{Input: &raw}); err != nil {
		t.Fatal(err)
	}
	notices, seen := 0, false
	for !seen {
		d := receive(t, downs)
		if d.Notice != nil {
			notices++
		}
		if d.Frame != nil {
			for _, c := range d.Frame.Changed {
				seen = seen || strings.Contains(c.Row.Text(), "end")
			}
		}
	}
	seconds := int(time.Since(began).Seconds()) + 2
	if notices == 0 || notices > 20*seconds {
		t.Errorf("%d notices in %d seconds", notices, seconds)
	}
}

// Nor is the database, which other threads want too; the last state counts.
func TestAFloodOfStatesIsCutShortAndEndsInTheLast(t *testing.T) {
	began := time.Now()
	h := host(t, `stty -echo; read x; i=0; while [ $i -lt 2000 ]; do printf '\033]7501;state=idle\a'; printf '\033]7501;state=working\a'; i=$((i+1)); done
		printf '\033]7501;state=blocked\a'; exec cat`)
	a, downs := h.follow()
	raw := client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Raw: []byte("\r")}}
	if err := a.Send(client.Up{Input: &raw}); err != nil {
		t.Fatal(err)
	}
	states := 0
	for d := receive(t, downs); d.Status == nil || d.Status.State != session.StateNeedsYou; d = receive(t, downs) {
		if d.Status != nil {
			states++
		}
	}
	seconds := int(time.Since(began).Seconds()) + 2
	if states > 10*seconds {
		t.Errorf("%d states in %d seconds", states, seconds)
	}
	h.until("it needs you", func() bool { return h.thread().NeedsYou })
}
