package helper

import (
	"sync"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/client"
)

// frameGap is the least time between two frames of a pane: 120 a second. After
// a frame with most of the rows it is pictureGap, since that costs a screen
// many times as much to draw, and nobody reads so fast. What changes later is
// sent at once, so that a key shows without delay.
const (
	frameGap   = time.Second / 120
	pictureGap = time.Second / 30
)

// maxQueued is how many lines may wait for a client that does not read
// before it is let go; it can attach again and lose nothing.
const maxQueued = 10_000

// viewer is one attached client.
type viewer struct {
	host *Host
	conn *wire.Conn

	mu       sync.Mutex
	queue    []client.Down
	views    map[session.PaneID]*view
	inFlight bool
	deciding bool // it shows decisions and can answer them
	overflow bool
	panes    bool // the panes are other than it was told

	wake chan struct{} // holds one token when there may be something to do
	done chan struct{}
}

type view struct {
	version uint64 // what the client has
	fresh   bool   // it has nothing yet
	seen    bool   // it got a picture after the program's end

	resting bool // it gets nothing before due, and is looked at then
	due     time.Time
}

func newViewer(h *Host, c *wire.Conn) *viewer {
	return &viewer{
		host: h, conn: c, views: map[session.PaneID]*view{},
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// poke says that there may be something to do. It never blocks.
func (v *viewer) poke() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// changed says that a pane may have changed. It wakes nobody who sees none,
// or who looks again anyway: at the client's word, or when a gap is over.
func (v *viewer) changed() {
	v.mu.Lock()
	waits := false
	for _, w := range v.views {
		waits = waits || !v.inFlight && !w.resting
	}
	v.mu.Unlock()
	if waits {
		v.poke()
	}
}

// tell queues a line that must arrive. It never blocks.
func (v *viewer) tell(d client.Down) {
	v.mu.Lock()
	if len(v.queue) < maxQueued {
		v.queue = append(v.queue, d)
	} else {
		v.overflow = true
	}
	v.mu.Unlock()
	v.poke()
}

// read handles what the client says until it ends.
func (v *viewer) read() {
	defer close(v.done)
	for {
		var up client.Up
		if err := v.conn.ReadLine(&up); err != nil {
			return
		}
		switch {
		case up.View != nil:
			v.show(*up.View)
		case up.Hide != nil:
			v.mu.Lock()
			delete(v.views, *up.Hide)
			v.mu.Unlock()
		case up.Input != nil:
			if err := v.host.Input(up.Input.Pane, up.Input.Event); err != nil {
				v.tell(client.Down{Notice: &client.Notice{At: v.host.now(), Text: err.Error()}})
			}
		case up.Ack:
			v.mu.Lock()
			v.inFlight = false
			v.mu.Unlock()
			v.poke()
		case up.History != nil:
			v.history(*up.History)
		case up.Arrange != nil:
			v.host.arrange(*up.Arrange)
		case up.Colors != nil:
			v.host.setColors(*up.Colors)
		case up.Deciding:
			v.mu.Lock()
			v.deciding = true
			v.mu.Unlock()
		}
	}
}

func (v *viewer) show(w client.View) {
	p := v.host.pane(w.Pane)
	if p == nil {
		return
	}
	p.resize(w.Cols, w.Rows)
	v.mu.Lock()
	if v.views[w.Pane] == nil {
		v.views[w.Pane] = &view{fresh: true}
	}
	v.mu.Unlock()
	v.host.changed() // every client sees the new size
}

func (v *viewer) history(r client.HistoryRequest) {
	h := client.History{ID: r.ID, Rows: []session.Row{}}
	if p := v.host.pane(r.Pane); p != nil {
		h.Rows = append(h.Rows, p.history(r.From, r.N)...)
	}
	v.tell(client.Down{History: &h})
}

// write sends lines and frames until the client or the helper ends.
func (v *viewer) write(stop <-chan struct{}) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		lines, ok := v.take()
		for _, d := range lines {
			if v.conn.WriteLine(d) != nil {
				return
			}
		}
		if !ok {
			return
		}
		wait := time.Hour
		next, err := v.sendFrame()
		if err != nil {
			return
		}
		if !next.IsZero() {
			wait = max(time.Until(next), time.Millisecond)
		}
		timer.Reset(wait)
		select {
		case <-v.wake:
		case <-timer.C:
		case <-v.done:
			return
		case <-stop:
			v.rest()
			return
		}
	}
}

// rest sends what must still arrive when the helper ends, to a client that
// takes it at once.
func (v *viewer) rest() {
	_ = v.conn.SetWriteDeadline(time.Now().Add(restTime))
	lines, _ := v.take()
	for _, d := range lines {
		if v.conn.WriteLine(d) != nil {
			return
		}
	}
}

// restTime is how long a client may take for the last lines.
const restTime = 500 * time.Millisecond

func (v *viewer) take() ([]client.Down, bool) {
	v.mu.Lock()
	lines, panes, whole := v.queue, v.panes, !v.overflow
	v.queue, v.panes = nil, false
	v.mu.Unlock()
	if panes { // without the lock: the host's is never taken under it
		layout := v.host.placed() // before the panes, so that it holds none that is not among them
		lines = append(lines, client.Down{Panes: v.host.paneList(), Layout: layout})
	}
	return lines, whole
}

// panesChanged says that the panes are other than before. It never blocks.
func (v *viewer) panesChanged() {
	v.mu.Lock()
	v.panes = true
	v.mu.Unlock()
	v.poke()
}

// sendFrame sends one pane's newest frame if the client can take one. Without
// one, next is when to look again though nothing changes.
func (v *viewer) sendFrame() (next time.Time, err error) {
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, id := range v.visible() {
		w, since, later := v.awaiting(id)
		if w == nil {
			sooner(later)
			continue
		}
		p := v.host.pane(id) // after the view, which is a new one when the pane's program is
		if p == nil {
			continue
		}
		ended := v.host.paneEnded(id)
		f, version, wait := p.frame(since)
		if version == since && !w.fresh {
			sooner(wait)
			v.saw(w, id, ended)
			continue
		}
		v.mu.Lock()
		w.version, w.fresh, v.inFlight = version, false, true
		w.resting, w.due = true, time.Now().Add(gapAfter(f))
		v.mu.Unlock()
		v.saw(w, id, ended)
		return time.Time{}, v.conn.WriteLine(client.Down{Frame: &f})
	}
	return next, nil
}

// awaiting returns a pane's view if it can take a frame now, and the version
// that it has. Without one, later is when it can if nothing else hinders it.
func (v *viewer) awaiting(id session.PaneID) (w *view, since uint64, later time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w = v.views[id]
	if w == nil || v.inFlight {
		return nil, 0, later
	}
	if w.resting && time.Now().Before(w.due) {
		return nil, 0, w.due
	}
	w.resting = false // before the look: what changes after it wakes
	if w.fresh {
		return w, 0, later
	}
	return w, w.version, later
}

func gapAfter(f session.Frame) time.Duration {
	if 2*len(f.Changed) > f.Rows {
		return pictureGap
	}
	return frameGap
}

func (v *viewer) saw(w *view, id session.PaneID, ended bool) {
	if ended && !w.seen {
		w.seen = true
		v.host.sawEnd(id)
	}
}

// anew says that another program runs in a pane: what the client has of it is
// of no use any more.
func (v *viewer) anew(id session.PaneID) {
	v.mu.Lock()
	if v.views[id] != nil {
		v.views[id] = &view{fresh: true}
	}
	v.mu.Unlock()
	v.poke()
}

func (v *viewer) visible() []session.PaneID {
	v.mu.Lock()
	defer v.mu.Unlock()
	ids := make([]session.PaneID, 0, len(v.views))
	for id := range v.views {
		ids = append(ids, id)
	}
	return ids
}
