package helper

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"aside/session"
	"aside/session/pty"
	"aside/session/screen"
)

// The size of a pane that nobody has looked at yet.
const (
	firstCols = 120
	firstRows = 40
)

// historyLines and historyBytes limit a pane's scrollback.
const (
	historyLines = 10_000
	historyBytes = 16 << 20
)

// pane is one terminal: a child on a PTY and the emulator that reads it.
type pane struct {
	id    session.PaneID
	child *pty.Child

	mu   sync.Mutex // guards scr and what follows; never held across a PTY write
	scr  *screen.Screen
	cols int
	rows int

	// order keeps input in the order it came: encoding and queueing are one.
	order sync.Mutex
}

// paneHooks are what a pane tells its host; none may block.
type paneHooks struct {
	changed func()
	event   func(screen.Event)
	ended   func(code int)
}

func (h *Host) startPane(id session.PaneID, o pty.Options) (*pane, error) {
	o.Cols, o.Rows = firstCols, firstRows
	child, err := pty.Start(o)
	if err != nil {
		return nil, err
	}
	colors := h.colors.Load()
	return &pane{
		id: id, child: child, cols: o.Cols, rows: o.Rows,
		scr: screen.New(screen.Options{
			Cols: o.Cols, Rows: o.Rows, HistoryLines: historyLines, HistoryBytes: historyBytes,
			Name: "aside " + h.o.Version, Now: h.now,
			Fg: colors.Fg, Bg: colors.Bg,
		}),
	}, nil
}

// run reads the child until it has ended, then closes the terminal.
func (p *pane) run(h paneHooks) {
	buf := make([]byte, 64<<10)
	for {
		n, err := p.child.Read(buf)
		if n > 0 {
			p.feed(buf[:n], h)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.child.Stop(stopped())
			}
			break
		}
	}
	<-p.child.Exited()
	_ = p.child.Close()
	h.ended(p.child.ExitCode())
}

// stopped returns a context that has ended: no grace.
func stopped() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// slice is how many bytes the emulator takes at a time. A program may write
// nothing but the costliest sequences: whoever else wants the pane waits for
// one slice of them.
const slice = 4 << 10

func (p *pane) feed(b []byte, h paneHooks) {
	for len(b) > 0 {
		n := min(len(b), slice)
		p.mu.Lock()
		_, _ = p.scr.Write(b[:n]) // it never fails
		replies := p.scr.Replies()
		p.mu.Unlock()
		if len(replies) > 0 {
			// A program that asks and does not read loses the answers, not aside.
			_ = p.child.Send(replies)
		}
		b = b[n:]
	}
	p.mu.Lock()
	events := p.scr.Events()
	p.mu.Unlock()
	for _, e := range events {
		h.event(e)
	}
	h.changed()
}

// send encodes an event under the modes in force and queues its bytes.
func (p *pane) send(in session.Input) error {
	p.order.Lock()
	defer p.order.Unlock()
	p.mu.Lock()
	b := p.scr.Encode(in)
	p.mu.Unlock()
	if len(b) == 0 || p.child.Send(b) {
		return nil
	}
	return &session.Error{
		Code: session.CodeFailed, Message: "the program in this terminal reads no input",
		Hint: "it may be busy or stopped; aside stop ends it",
	}
}

// resize gives the pane the size; it reports whether that changed anything.
func (p *pane) resize(cols, rows int) bool {
	cols, rows = min(max(cols, 1), maxSize), min(max(rows, 1), maxSize)
	p.mu.Lock()
	same := cols == p.cols && rows == p.rows
	if !same {
		p.cols, p.rows = cols, rows
		p.scr.Resize(cols, rows)
	}
	p.mu.Unlock()
	if !same {
		_ = p.child.Resize(cols, rows) // it fails only when the program has ended
	}
	return !same
}

// setColors tells the panes the colours of the terminal that the person looks
// at: programs ask for them, and some want to be told of others.
func (h *Host) setColors(c session.Colors) {
	h.colors.Store(&c)
	h.mu.Lock()
	panes := slices.Collect(maps.Values(h.panes))
	h.mu.Unlock()
	for _, p := range panes {
		p.mu.Lock()
		p.scr.SetColors(c.Fg, c.Bg)
		replies := p.scr.Replies()
		p.mu.Unlock()
		if len(replies) > 0 {
			_ = p.child.Send(replies)
		}
	}
}

// maxSize is the largest number of columns or rows of a pane.
const maxSize = 1000

// frame returns what changed since a version, and the version it is now at.
// A program in the middle of a synchronized update shows its old picture;
// then wait is when there is something new at the latest.
func (p *pane) frame(since uint64) (f session.Frame, version uint64, wait time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	version = p.scr.Version()
	if t, pending := p.scr.SyncPending(); pending {
		wait = t
	}
	if version == since {
		return f, version, wait
	}
	f = p.scr.Frame(since)
	f.Pane = p.id
	return f, version, wait
}

// whole returns every row.
func (p *pane) whole() session.Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.scr.Frame(0)
	f.Pane = p.id
	return f
}

// title is what the program calls its terminal.
func (p *pane) title() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.scr.Frame(p.scr.Version()).Title
}

func (p *pane) history(from, n int) []session.Row {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.scr.History(from, min(n, maxHistoryRows))
}

// maxHistoryRows is how many rows of scrollback one answer holds.
const maxHistoryRows = 1000
