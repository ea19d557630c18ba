package threads

import (
	"context"
	"errors"
	"sync"

	"aside/session"
	"aside/session/client"
)

// Event is something a follower learnt: a line from a thread's helper, or,
// without one, that the store may have changed.
type Event struct {
	Thread session.ThreadID
	Down   client.Down
	Store  bool
}

// Follower keeps who looks on attached to every helper of a project, or of all
// of them. Its methods return at once, but for those with a context.
type Follower struct {
	service *Service
	project string
	events  chan Event

	mu    sync.Mutex
	links map[session.ThreadID]*link
	// joining holds the threads that are being attached to: a helper that
	// does not answer keeps nobody from the others. The value says that the
	// store has changed since.
	joining map[session.ThreadID]bool
	views   map[session.ThreadID]map[session.PaneID]client.View
}

// link is the attachment to one helper. Lines for the helper wait in order
// until its own goroutine has written them.
type link struct {
	attachment *client.Attachment

	mu      sync.Mutex
	queue   []client.Up
	wake    chan struct{}
	ended   chan struct{} // closed when the helper says no more
	history map[int]chan client.History
	asked   int
}

// Follow attaches to the helpers of a project's threads ("" for all) now, and
// to others as changed tells that the store has changed, until ctx ends. The
// first event of the store is its next change: what is in it now, its reader
// reads.
func (s *Service) Follow(ctx context.Context, project string, changed <-chan struct{}) *Follower {
	f := &Follower{
		service: s, project: project, events: make(chan Event),
		links: map[session.ThreadID]*link{}, joining: map[session.ThreadID]bool{}, views: map[session.ThreadID]map[session.PaneID]client.View{},
	}
	go f.run(ctx, changed)
	return f
}

// Events delivers what was learnt, in order for each thread. A frame is
// followed by the next one of its thread only after it has been received
// here, so that a slow reader gets fewer of them.
func (f *Follower) Events() <-chan Event { return f.events }

func (f *Follower) run(ctx context.Context, changed <-chan struct{}) {
	f.attachAll(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-changed:
			if !ok {
				changed = nil // nothing will tell; what is attached goes on
				continue
			}
		}
		f.attachAll(ctx)
		f.emit(ctx, Event{Store: true})
	}
}

func (f *Follower) emit(ctx context.Context, e Event) bool {
	select {
	case f.events <- e:
		return true
	case <-ctx.Done():
		return false
	}
}

// attachAll attaches to the helpers that are not attached yet. A store that
// cannot be read shows elsewhere: whoever draws the list reads it too.
func (f *Follower) attachAll(ctx context.Context) {
	all, err := f.service.o.Store.LiveThreads(ctx, f.project)
	if err != nil || f.service.check(ctx, all, f.attached) != nil {
		return
	}
	for _, t := range all {
		if t.Live {
			f.attach(ctx, t.ID)
		}
	}
}

// Threads returns the project's threads that are not archived, the newest
// first. Like ScreenThreads it costs no look at the helpers that the follower is
// attached to.
func (f *Follower) Threads(ctx context.Context) ([]session.Thread, error) {
	all, err := f.service.o.Store.ProjectThreads(ctx, f.project, false)
	if err != nil {
		return nil, err
	}
	return all, f.service.check(ctx, all, f.attached)
}

// ScreenThreads returns the threads that the screen of a project has, the
// newest first: the project's, archived ones too, those of other projects that
// are live or need the person, and the one that is shown wherever it is.
func (f *Follower) ScreenThreads(ctx context.Context, project string, shown session.ThreadID) ([]session.Thread, error) {
	all, err := f.service.o.Store.ScreenThreads(ctx, project, shown)
	if err != nil {
		return nil, err
	}
	return all, f.service.check(ctx, all, f.attached)
}

func (f *Follower) attached(id session.ThreadID) bool { return f.link(id) != nil }

// attach attaches to a helper in a goroutine of its own.
func (f *Follower) attach(ctx context.Context, id session.ThreadID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.links[id] != nil {
		return
	}
	if _, busy := f.joining[id]; busy {
		f.joining[id] = true
		return
	}
	f.joining[id] = false
	go f.join(ctx, id)
}

// join attaches to a helper and hands on what it says, again and again until
// it refuses: then it is starting or ending, and the store changes again when
// it has.
func (f *Follower) join(ctx context.Context, id session.ThreadID) {
	for {
		a, err := f.service.Attach(ctx, id)
		if err == nil {
			f.follow(ctx, id, a)
		}
		f.mu.Lock()
		again := ctx.Err() == nil && (err == nil || f.joining[id])
		if again {
			f.joining[id] = false
		} else {
			delete(f.joining, id)
		}
		f.mu.Unlock()
		if !again {
			return
		}
	}
}

func (f *Follower) follow(ctx context.Context, id session.ThreadID, a *client.Attachment) {
	l := &link{
		attachment: a, wake: make(chan struct{}, 1), ended: make(chan struct{}), history: map[int]chan client.History{},
	}
	l.send(client.Up{Deciding: true})
	f.mu.Lock()
	if c := f.service.colors.Load(); c != nil {
		l.send(client.Up{Colors: c})
	}
	f.links[id] = l
	for _, v := range f.views[id] {
		l.send(client.Up{View: &v})
	}
	f.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go l.write(ctx)
	f.read(ctx, id, l)
	f.mu.Lock()
	delete(f.links, id)
	f.mu.Unlock()
	close(l.ended)
	f.emit(ctx, Event{Store: true})
}

// read hands on what the helper says until it ends.
func (f *Follower) read(ctx context.Context, id session.ThreadID, l *link) {
	defer context.AfterFunc(ctx, func() { _ = l.attachment.Close() })()
	defer func() { _ = l.attachment.Close() }()
	for {
		d, err := l.attachment.Next()
		if err != nil {
			return
		}
		if d.History != nil {
			l.answer(*d.History)
			continue
		}
		if !f.emit(ctx, Event{Thread: id, Down: d}) {
			return
		}
		if d.Frame != nil {
			l.send(client.Up{Ack: true})
		}
	}
}

func (l *link) send(u client.Up) {
	l.mu.Lock()
	l.queue = append(l.queue, u)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *link) write(ctx context.Context) {
	for {
		l.mu.Lock()
		lines := l.queue
		l.queue = nil
		l.mu.Unlock()
		for _, u := range lines {
			if err := l.attachment.Send(u); err != nil {
				_ = l.attachment.Close() // ends read, which cleans up
				return
			}
		}
		select {
		case <-l.wake:
		case <-ctx.Done():
			return
		}
	}
}

func (l *link) answer(h client.History) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.history[h.ID]; c != nil {
		c <- h // it has room for one
		delete(l.history, h.ID)
	}
}

func (f *Follower) link(id session.ThreadID) *link {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.links[id]
}

// View makes a pane visible at a size; frames of it come until Hide.
func (f *Follower) View(id session.ThreadID, pane session.PaneID, cols, rows int) {
	v := client.View{Pane: pane, Cols: cols, Rows: rows}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.views[id] == nil {
		f.views[id] = map[session.PaneID]client.View{}
	}
	f.views[id][pane] = v
	if l := f.links[id]; l != nil {
		l.send(client.Up{View: &v})
	}
}

// SetColors tells the colours of the terminal that the person looks at, to the
// helpers there are and to those that will be started.
func (f *Follower) SetColors(c session.Colors) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.service.colors.Store(&c)
	for _, l := range f.links {
		l.send(client.Up{Colors: &c})
	}
}

// Hide ends the frames of a pane.
func (f *Follower) Hide(id session.ThreadID, pane session.PaneID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.views[id], pane)
	if l := f.links[id]; l != nil {
		l.send(client.Up{Hide: &pane})
	}
}

// Arrange keeps how a thread's panes are placed with its helper. Calls keep
// their order; without a helper there is nobody to keep it.
func (f *Follower) Arrange(id session.ThreadID, layout session.Layout) {
	if l := f.link(id); l != nil {
		l.send(client.Up{Arrange: &layout})
	}
}

// Input sends an event to a pane, in the order of the calls. Without a
// helper it goes nowhere.
func (f *Follower) Input(id session.ThreadID, pane session.PaneID, in session.Input) {
	if l := f.link(id); l != nil {
		l.send(client.Up{Input: &client.PaneInput{Pane: pane, Event: in}})
	}
}

// History returns n rows of a pane's scrollback from a row, the oldest
// being 0.
func (f *Follower) History(ctx context.Context, id session.ThreadID, pane session.PaneID, from, n int) ([]session.Row, error) {
	l := f.link(id)
	if l == nil {
		return nil, client.ErrNoHelper
	}
	c := make(chan client.History, 1)
	l.mu.Lock()
	l.asked++
	r := client.HistoryRequest{ID: l.asked, Pane: pane, From: from, N: n}
	l.history[r.ID] = c
	l.mu.Unlock()
	l.send(client.Up{History: &r})
	select {
	case h := <-c:
		return h.Rows, nil
	case <-l.ended:
		return nil, client.ErrEnded
	case <-ctx.Done():
		l.mu.Lock()
		delete(l.history, r.ID)
		l.mu.Unlock()
		return nil, errors.Join(errors.New("read scrollback"), ctx.Err())
	}
}
