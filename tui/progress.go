package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
)

// waiting is something that is under way; what is not has no cancel.
type waiting struct {
	since  time.Time
	cancel context.CancelFunc
}

// slow is how long something may take before it is shown to be under way.
const slow = 500 * time.Millisecond

// begins notes that something is under way.
func (m *Model) begins(w *waiting) context.Context {
	ctx, cancel := context.WithCancel(m.o.Context)
	*w = waiting{since: m.o.Now(), cancel: cancel}
	return ctx
}

// end ends it, or notes its end.
func (w *waiting) end() {
	if w.cancel != nil {
		w.cancel()
	}
	*w = waiting{}
}

// shown says that it has taken so long that the person is told.
func (w waiting) shown(now time.Time) bool { return w.cancel != nil && now.Sub(w.since) >= slow }

// due is when that will be so, or zero.
func (w waiting) due(now time.Time) time.Time {
	if w.cancel == nil || w.shown(now) {
		return time.Time{}
	}
	return w.since.Add(slow)
}

// stopped is an error that came from stopping what went wrong, or the error.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// work is a request that is under way and has no place of its own on the
// screen to say so: the footer does when it takes long.
type work struct {
	waiting
	doing   string // such as "stopping the agent"
	stops   bool   // whether it can be stopped half-way
	stopped bool
}

// works begins a request: do makes it, outside of Update, and returns what it
// has brought back.
func (m *Model) works(doing string, stops bool, do func(context.Context) tea.Msg) tea.Cmd {
	w := &work{doing: doing, stops: stops}
	ctx := m.begins(&w.waiting)
	m.working = append(m.working, w)
	return func() tea.Msg { return worked{work: w, came: do(ctx)} }
}

// worked is a request that has come back.
type worked struct {
	work *work
	came tea.Msg
}

func (w worked) arrive(m *Model) tea.Cmd {
	w.work.end()
	m.working = slices.DeleteFunc(m.working, func(o *work) bool { return o == w.work })
	came, ok := w.came.(result)
	if !ok {
		return func() tea.Msg { return w.came } // it is Bubble Tea's
	}
	cmd := came.arrive(m)
	if w.work.stopped {
		m.say("stopped", "")
	}
	return cmd
}

// stop stops a request.
func (w *work) stop() {
	w.stopped = true
	w.cancel()
}

// slowWork is the newest request that has taken long, or nil; with stops, of
// those that can be stopped.
func (m *Model) slowWork(stops bool) *work {
	now := m.o.Now()
	for _, w := range slices.Backward(m.working) {
		if w.shown(now) && (w.stops || !stops) {
			return w
		}
	}
	return nil
}

// workLine says what takes long, and how it is stopped.
func (m *Model) workLine() string {
	w := m.slowWork(false)
	if w == nil {
		return ""
	}
	line := m.th.Dim.Paint(w.doing + "…")
	if w.stops {
		line += "  " + m.th.Hint(m.o.Leader+" ctrl+x", "stop")
	}
	return line
}

// stopWork stops what takes long.
func (m *Model) stopWork() {
	w := m.slowWork(true)
	if w == nil {
		m.say("nothing is under way that can be stopped here", "")
		return
	}
	w.stop()
}

// waitings are all that is under way and is told of when it takes long.
func (m *Model) waitings() []waiting {
	all := []waiting{m.exporting.waiting, m.naming.asking}
	for _, w := range m.working {
		all = append(all, w.waiting)
	}
	if r := m.reviewing; r != nil && r.form != nil {
		all = append(all, r.form.reading)
	}
	if p := m.pages[m.current]; p != nil {
		all = append(all, p.jumping, p.paging)
	}
	return all
}

// call runs one request; what goes wrong is shown, and what changed is read.
func (m *Model) call(doing string, stops bool, do func(context.Context) error) tea.Cmd {
	return m.works(doing, stops, func(ctx context.Context) tea.Msg { return called{err: do(ctx)} })
}

// called is a request that has come back.
type called struct {
	note string
	err  error
}

func (c called) arrive(m *Model) tea.Cmd {
	switch {
	case c.err != nil:
		m.fail(c.err)
	case c.note != "":
		m.say(c.note, "")
	}
	return m.reload()
}
