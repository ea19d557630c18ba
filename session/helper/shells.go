package helper

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"aside/session"
	"aside/session/client"
	"aside/session/pty"
	"aside/session/screen"
)

// maxShells is how many shell panes a thread may have.
const maxShells = 16

// maxPaneName is how much of a pane's name is kept, in characters.
const maxPaneName = 200

// shellBook is what the helper knows of the thread's shell panes beside their
// terminals. The screen places them; what it asked for is kept for the next
// one.
type shellBook struct {
	mu     sync.Mutex // never held while another lock of the helper is taken
	opened int        // ever, for their ids
	shells []*shell   // in the order they were opened
	recent []session.PaneID
}

// shell is one shell pane.
type shell struct {
	pane  *pane
	ready *readiness

	// What follows is guarded by the book.
	name      string
	title     string
	cwd       string
	place     session.Place
	direction session.Direction
	beside    session.PaneID
}

// openShell starts a shell in a pane of its own, which becomes the active one.
func (h *Host) openShell(o client.OpenPane) (session.PaneInfo, error) {
	s, err := h.newShell(o)
	if err != nil {
		return session.PaneInfo{}, err
	}
	go s.pane.run(paneHooks{
		changed: func() {
			s.ready.look(s.pane)
			h.changed()
		},
		event: func(e screen.Event) { h.shellEvent(s, e) },
		ended: func(code int) { h.shellGone(s, code) },
	})
	h.panesChanged()
	return h.shells.info(s), nil
}

func (h *Host) newShell(o client.OpenPane) (*shell, error) {
	dir, err := h.shellFolder(o.Cwd)
	if err != nil {
		return nil, err
	}
	s := &shell{
		name: paneName(o.Name), cwd: dir, place: session.PlaceTab, ready: newReadiness(),
	}
	if o.Place == session.PlaceSplit {
		s.place, s.direction, s.beside = o.Place, session.DirectionRight, o.Beside
		if o.Direction == session.DirectionDown {
			s.direction = o.Direction
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return nil, &session.Error{Code: session.CodeSettled, Message: "the thread is being stopped"}
	}
	id, err := h.shells.reserve()
	if err != nil {
		return nil, err
	}
	s.pane, err = startPane(id, pty.Options{
		Path: shellProgram(os.Getenv("SHELL")), Dir: dir, Env: pty.Environment(os.Environ(), h.endpoint(id)),
	}, h.now)
	if err != nil {
		return nil, err
	}
	if o.Cols > 0 && o.Rows > 0 {
		s.pane.resize(o.Cols, o.Rows)
	}
	h.panes[id] = s.pane
	h.running.Add(1)
	h.shells.add(s)
	return s, nil
}

// shellFolder is the folder that a shell is started in.
func (h *Host) shellFolder(cwd string) (string, error) {
	if cwd == "" {
		return h.thread.Cwd, nil
	}
	if !filepath.IsAbs(cwd) {
		cwd = filepath.Join(h.thread.Cwd, cwd)
	}
	if st, err := os.Stat(cwd); err != nil || !st.IsDir() {
		return "", &session.Error{Code: session.CodeUsage, Message: "there is no folder " + session.MarkLine(cwd)}
	}
	return cwd, nil
}

// shellProgram is the person's own shell, or the system's where that is no
// program.
func shellProgram(own string) string {
	if st, err := os.Stat(own); filepath.IsAbs(own) && err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
		return own
	}
	return "sh"
}

func paneName(name string) string {
	name = session.CleanLine(name)
	if r := []rune(name); len(r) > maxPaneName {
		return string(r[:maxPaneName]) + "…"
	}
	return name
}

// shellEvent takes what the program in a shell pane told its terminal. It is
// nothing about the agent.
func (h *Host) shellEvent(s *shell, e screen.Event) {
	switch e.Kind {
	case screen.EventTitle:
		h.shells.change(s, func() { s.title = paneName(e.Text) })
		h.panesChanged()
	case screen.EventCwd:
		if dir := session.CleanLine(e.Text); filepath.IsAbs(dir) {
			h.shells.change(s, func() { s.cwd = dir })
			h.panesChanged()
		}
	case screen.EventBell, screen.EventNotification, screen.EventClipboard:
		h.terminalEvent(e)
	}
}

// shellGone is told that the program of a shell pane has ended; the pane goes
// with it.
func (h *Host) shellGone(s *shell, code int) {
	defer h.running.Done()
	id := s.pane.id
	s.ready.close()
	h.bridge.PaneClosed(id)
	h.mu.Lock()
	delete(h.panes, id)
	h.mu.Unlock()
	h.actions.paneClosed(id) // while it is still the card's target
	h.shells.remove(s)
	if code != 0 && h.now().Sub(s.ready.began) < quickShell {
		h.tell(client.Down{Notice: &client.Notice{
			At: h.now(), Text: fmt.Sprintf("the shell in %s ended at once with status %d", id, code),
		}})
	}
	h.panesChanged()
	h.changed()
	h.leave()
}

// quickShell is the time within which a shell's end is an end at once.
const quickShell = 2 * time.Second

// closePane ends the programs of a shell pane; it returns when they have
// ended.
func (h *Host) closePane(id session.PaneID) error {
	s, err := h.shells.find(id)
	if err != nil {
		return err
	}
	h.actions.paneClosed(id) // before anything else can confirm for it
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	s.pane.child.Stop(ctx)
	return nil
}

func (h *Host) renamePane(r client.PaneRequest) error {
	s, err := h.shells.find(r.Pane)
	if err != nil {
		return err
	}
	h.shells.change(s, func() { s.name = paneName(r.Name) })
	h.panesChanged()
	return nil
}

// activatePane makes a shell pane the one that a card would reach.
func (h *Host) activatePane(id session.PaneID) error {
	if _, err := h.shells.find(id); err != nil {
		return err
	}
	h.shells.activate(id)
	h.panesChanged()
	return nil
}

// panesChanged tells every client of the panes as they are now, and the card
// which of them it would reach.
func (h *Host) panesChanged() {
	h.actions.retarget()
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.viewers {
		v.panesChanged()
	}
}

// paneList returns the thread's panes, the agent's first.
func (h *Host) paneList() []session.PaneInfo {
	list := []session.PaneInfo{}
	if p := h.pane(session.PaneAgent); p != nil {
		cols, rows := p.size()
		list = append(list, session.PaneInfo{
			ID: session.PaneAgent, Cwd: h.thread.Cwd, Cols: cols, Rows: rows, Ended: h.paneEnded(session.PaneAgent),
		})
	}
	return append(list, h.shells.list()...)
}

func (p *pane) size() (cols, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cols, p.rows
}

// reserve returns the id of the next shell pane.
func (b *shellBook) reserve() (session.PaneID, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.shells) >= maxShells {
		return "", &session.Error{
			Code: session.CodeFailed, Message: fmt.Sprintf("the thread has %d shell panes already", maxShells), Hint: "close one of them",
		}
	}
	b.opened++
	return session.PaneID(fmt.Sprintf("shell%d", b.opened)), nil
}

func (b *shellBook) add(s *shell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shells = append(b.shells, s)
	b.recent = append(b.recent, s.pane.id)
}

func (b *shellBook) remove(s *shell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shells = slices.DeleteFunc(b.shells, func(o *shell) bool { return o == s })
	b.recent = slices.DeleteFunc(b.recent, func(id session.PaneID) bool { return id == s.pane.id })
}

func (b *shellBook) activate(id session.PaneID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.recent)
	b.recent = slices.DeleteFunc(b.recent, func(o session.PaneID) bool { return o == id })
	if len(b.recent) < n { // it is still there
		b.recent = append(b.recent, id)
	}
}

// active returns the active shell pane, "" when there is none.
func (b *shellBook) active() session.PaneID {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.recent) == 0 {
		return ""
	}
	return b.recent[len(b.recent)-1]
}

func (b *shellBook) change(_ *shell, do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do()
}

func (b *shellBook) find(id session.PaneID) (*shell, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var known []string
	for _, s := range b.shells {
		if s.pane.id == id {
			return s, nil
		}
		known = append(known, string(s.pane.id))
	}
	e := &session.Error{Code: session.CodeNotFound, Message: fmt.Sprintf("no shell pane %q in this thread", session.MarkLine(string(id)))}
	if len(known) > 0 {
		e.Hint = "its shell panes are: " + strings.Join(known, ", ")
	}
	return nil, e
}

func (b *shellBook) list() []session.PaneInfo {
	b.mu.Lock()
	shells := slices.Clone(b.shells)
	b.mu.Unlock()
	list := make([]session.PaneInfo, len(shells))
	for i, s := range shells {
		list[i] = b.info(s)
	}
	return list
}

func (b *shellBook) info(s *shell) session.PaneInfo {
	cols, rows := s.pane.size()
	active := b.active()
	b.mu.Lock()
	defer b.mu.Unlock()
	return session.PaneInfo{
		ID: s.pane.id, Shell: true, Name: s.name, Title: s.title, Cwd: s.cwd, Cols: cols, Rows: rows, Active: s.pane.id == active,
		Place: s.place, Direction: s.direction, Beside: s.beside,
	}
}
