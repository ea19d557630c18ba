package bench

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/e2e/term"
	"aside/session"
	"aside/session/client"
)

// watcher tells when bytes come that it waits for.
type watcher struct {
	mu   sync.Mutex
	want []byte
	seen chan time.Time
}

func newWatcher() *watcher { return &watcher{seen: make(chan time.Time, 1)} }

func (w *watcher) tap(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.want) > 0 && bytes.Contains(p, w.want) {
		w.want = nil
		w.seen <- time.Now()
	}
}

// press types a character and returns how long it took to show. Characters
// that need two bytes occur in no escape sequence.
func (w *watcher) press(b *testing.B, t *term.Terminal, char rune) time.Duration {
	b.Helper()
	w.wait(string(char))
	begun := time.Now()
	check(b, t.Type(string(char)))
	return w.next(b, t).Sub(begun)
}

// wait begins to wait for a text.
func (w *watcher) wait(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.want = []byte(text)
}

// next returns when the text has come.
func (w *watcher) next(b *testing.B, t *term.Terminal) time.Time {
	b.Helper()
	select {
	case at := <-w.seen:
		return at
	case <-time.After(patience):
		b.Fatalf("%q did not show:\n%s", w.want, t.Text())
	}
	return time.Time{}
}

// BenchmarkEcho measures from a key to its echo on the outer terminal, in a
// window of 300x80, through aside and through tmux in turn. The keys come at
// any time with regard to the frames.
func BenchmarkEcho(b *testing.B) {
	s := newStage(b)
	s.start(b, "generic", "idle")
	w := newWatcher()
	t := s.open(b, 300, 80, w.tap)
	see(b, t, working)
	wide(b, t)
	var m *tmux
	mw := newWatcher()
	if tmuxThere(b) {
		m = openTmux(b, 300, 80, mw.tap, "idle")
	}
	window(time.Second)
	random := rand.New(rand.NewPCG(1, 2))
	const first, presses = 'Ā', 250
	var ours, theirs []time.Duration
	for b.Loop() {
		for i := range rune(presses) {
			ours = append(ours, w.press(b, t, first+i))
			if m != nil {
				window(pause(random))
				theirs = append(theirs, mw.press(b, m.client, first+i))
			}
			window(pause(random))
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ours), "ms-median")
	b.ReportMetric(p95(ours), "ms-p95")
	if m == nil {
		return
	}
	b.ReportMetric(median(theirs), "ms-tmux-median")
	b.ReportMetric(p95(theirs), "ms-tmux-p95")
	b.ReportMetric(median(ours)-median(theirs), "ms-more-median")
	b.ReportMetric(p95(ours)-p95(theirs), "ms-more-p95")
}

// pause is the time to the next key.
func pause(r *rand.Rand) time.Duration {
	return 10*time.Millisecond + time.Duration(r.IntN(25_000))*time.Microsecond
}

// BenchmarkEchoInHelper is the part of it up to the client: from a key sent
// to the helper until the frame with its echo has come back.
func BenchmarkEchoInHelper(b *testing.B) {
	s := newStage(b)
	thread, _ := s.start(b, "generic", "idle")
	a, err := client.Attach(b.Context(), s.paths.Socket(thread), thread)
	check(b, err)
	defer func() { _ = a.Close() }()
	check(b, a.Send(client.Up{View: &client.View{Pane: session.PaneAgent, Cols: 300, Rows: 78}}))
	frame := func() session.Frame {
		for {
			d, err := a.Next()
			check(b, err)
			if d.Frame != nil {
				check(b, a.Send(client.Up{Ack: true}))
				return *d.Frame
			}
		}
	}
	for !shows(frame(), "ready") { // before, it may drop what is typed
	}
	random := rand.New(rand.NewPCG(1, 2))
	const presses = 250
	var took []time.Duration
	for b.Loop() {
		for i := range rune(presses) {
			key := session.KeyEvent{Code: session.KeyCode('Ā' + i), Text: string('Ā' + i)}
			begun := time.Now()
			check(b, a.Send(client.Up{Input: &client.PaneInput{Pane: session.PaneAgent, Event: session.Input{Key: &key}}}))
			for !shows(frame(), key.Text) {
			}
			took = append(took, time.Since(begun))
			window(pause(random))
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took), "ms-median")
	b.ReportMetric(p95(took), "ms-p95")
}

func shows(f session.Frame, text string) bool {
	return slices.ContainsFunc(f.Changed, func(c session.RowChange) bool { return strings.Contains(c.Row.Text(), text) })
}
