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
	ended     bool
	exit      int // its program's exit status, once it has ended
	closing   bool
	title     string
	cwd       string
	place     session.Place
	direction session.Direction
	beside    session.PaneID
}

// openShell starts a shell in a pane of its own, which becomes the active one.
func (h *Host) openShell(o client.OpenPane) (session.PaneInfo, error) {
	dir, err := h.shellFolder(o.Cwd)
	if err != nil {
		return session.PaneInfo{}, err
	}
	s := &shell{name: paneName(o.Name), cwd: dir, place: session.PlaceTab}
	if o.Place == session.PlaceSplit {
		s.place, s.direction, s.beside = o.Place, session.DirectionRight, o.Beside
		if o.Direction == session.DirectionDown {
			s.direction = o.Direction
		}
	}
	if err := h.startShell(s, nil, dir, o.Cols, o.Rows); err != nil {
		return session.PaneInfo{}, err
	}
	return h.shells.info(s), nil
}

// restartPane starts a shell anew in a pane whose shell has ended, in the
// folder that it was in.
func (h *Host) restartPane(id session.PaneID) error {
	old, err := h.shells.find(id)
	if err != nil {
		return err
	}
	info := h.shells.info(old)
	if !info.Ended {
		return &session.Error{Code: session.CodeSettled, Message: "the shell in this pane runs"}
	}
	dir, err := h.shellFolder(info.Cwd)
	if err != nil {
		dir = h.thread.Cwd
	}
	s := &shell{name: info.Name, cwd: dir, place: info.Place, direction: info.Direction, beside: info.Beside}
	return h.startShell(s, old, dir, info.Cols, info.Rows)
}

// startShell starts a shell in a folder, in the place of one that has ended if
// there is one.
func (h *Host) startShell(s, old *shell, dir string, cols, rows int) error {
	s.ready = newReadiness()
	if err := h.enterShell(s, old, dir, cols, rows); err != nil {
		return err
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
	return nil
}

func (h *Host) enterShell(s, old *shell, dir string, cols, rows int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped != "" {
		return &session.Error{Code: session.CodeSettled, Message: "the thread is being stopped"}
	}
	id, err := h.shells.reserve(old)
	if err != nil {
		return err
	}
	s.pane, err = h.startPane(id, pty.Options{
		Path: shellProgram(os.Getenv("SHELL")), Dir: dir, Env: pty.Environment(os.Environ(), h.endpoint(id)),
	})
	if err != nil {
		return err
	}
	if cols > 0 && rows > 0 {
		s.pane.resize(cols, rows)
	}
	h.panes[id] = s.pane
	delete(h.ended, id)
	h.running.Add(1)
	h.shells.add(s, old)
	for v := range h.viewers {
		v.anew(id)
	}
	return nil
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
		h.panesChangedSoon()
	case screen.EventCwd:
		if dir := session.CleanLine(e.Text); filepath.IsAbs(dir) {
			h.shells.change(s, func() { s.cwd = dir })
			h.panesChangedSoon()
		}
	case screen.EventBell, screen.EventNotification, screen.EventClipboard:
		h.terminalEvent(s.pane.id, e)
	}
}

// shellGone is told that the program of a shell pane has ended. The pane stays
// and shows that, unless it is being closed.
func (h *Host) shellGone(s *shell, code int) {
	defer h.running.Done()
	id := s.pane.id
	s.ready.close()
	h.bridge.PaneClosed(id)
	h.questions.over(id)
	h.mu.Lock()
	h.ended[id] = true
	h.mu.Unlock()
	h.actions.paneClosed(id) // while it is still the card's target
	if h.shells.end(s, code) {
		h.removeShell(s)
	}
	h.panesChanged()
	h.changed()
	h.leave()
}

// removeShell takes a pane away whose program has ended.
func (h *Host) removeShell(s *shell) {
	h.mu.Lock()
	if id := s.pane.id; h.panes[id] == s.pane { // else another shell runs in it by now
		delete(h.panes, id)
		delete(h.ended, id)
	}
	h.mu.Unlock()
	h.shells.remove(s)
}

// closePane ends the programs of a shell pane and takes it away; it returns
// when they have ended. Where one runs beside the shell and nobody said force,
// it only says which.
func (h *Host) closePane(r client.PaneRequest) (client.Closed, error) {
	s, err := h.shells.find(r.Pane)
	if err != nil {
		return client.Closed{}, err
	}
	if name := s.pane.child.Running(); name != "" && !r.Force {
		return client.Closed{Running: session.CleanLine(name)}, nil
	}
	h.actions.paneClosed(r.Pane) // before anything else can confirm for it
	if h.shells.close(s) {
		h.removeShell(s)
		h.panesChanged()
		h.leave()
		return client.Closed{}, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	s.pane.child.Stop(ctx)
	return client.Closed{}, nil
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

// titleGap is the least time between two lists of the panes that are told for
// what their programs say of themselves: some change their title many times a
// second, and nobody may be looking.
const titleGap = 500 * time.Millisecond

// panesChangedSoon is panesChanged, at the end of the gap since the last time.
func (h *Host) panesChangedSoon() {
	h.mu.Lock()
	wait := titleGap - h.now().Sub(h.titled)
	now := !h.titling && wait <= 0
	switch {
	case h.titling: // it is told anyway
	case now:
		h.titled = h.now()
	default:
		h.titling = true
		time.AfterFunc(wait, h.panesChangedLate)
	}
	h.mu.Unlock()
	if now {
		h.panesChanged()
	}
}

func (h *Host) panesChangedLate() {
	h.mu.Lock()
	h.titling, h.titled = false, h.now()
	h.mu.Unlock()
	h.panesChanged()
}

// paneList returns the thread's panes, the agent's first.
func (h *Host) paneList() []session.PaneInfo {
	list := []session.PaneInfo{}
	if p := h.pane(session.PaneAgent); p != nil {
		cols, rows := p.size()
		h.mu.Lock()
		ended, exit := h.ended[session.PaneAgent], h.exit
		h.mu.Unlock()
		if !ended {
			exit = 0 // of the run before
		}
		list = append(list, session.PaneInfo{
			ID: session.PaneAgent, Cwd: h.thread.Cwd, Cols: cols, Rows: rows, Ended: ended, Exit: exit,
		})
	}
	return append(list, h.shells.list()...)
}

func (p *pane) size() (cols, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cols, p.rows
}

// reserve returns the id of the next shell pane, or of the one that is started
// again.
func (b *shellBook) reserve(old *shell) (session.PaneID, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old != nil {
		if !slices.Contains(b.shells, old) {
			return "", &session.Error{Code: session.CodeNotFound, Message: "the pane was closed"}
		}
		return old.pane.id, nil
	}
	if len(b.shells) >= maxShells {
		return "", &session.Error{
			Code: session.CodeFailed, Message: fmt.Sprintf("the thread has %d shell panes already", maxShells), Hint: "close one of them",
		}
	}
	b.opened++
	return session.PaneID(fmt.Sprintf("shell%d", b.opened)), nil
}

// add puts a shell in the place of another one, or behind the others. It
// becomes the active one.
func (b *shellBook) add(s, old *shell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.shells, old); i >= 0 {
		b.shells[i] = s
	} else {
		b.shells = append(b.shells, s)
	}
	b.recent = append(b.recent, s.pane.id)
}

// end notes a shell's end; it reports whether its pane is being closed.
func (b *shellBook) end(s *shell, code int) (closing bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.ended, s.exit = true, code
	b.recent = slices.DeleteFunc(b.recent, func(id session.PaneID) bool { return id == s.pane.id })
	return s.closing
}

// close notes that a pane is being closed; it reports whether its shell has
// ended before.
func (b *shellBook) close(s *shell) (ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.closing = true
	return s.ended
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
		Ended: s.ended, Exit: s.exit,
		Place: s.place, Direction: s.direction, Beside: s.beside,
	}
}
