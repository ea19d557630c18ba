// Package screen is a terminal emulator without a terminal: bytes of a
// program go in, the picture it drew comes out as session.Frame, and keys,
// mouse, paste and focus become the bytes the program expects under the modes
// it has set.
//
// It draws nothing, starts nothing and calls nobody. What it has to say to
// the program (Replies) and to its owner (Events) is queued, in order and
// bounded, until it is fetched. Whatever the bytes are, Write neither fails
// nor panics, and its work is bounded by their number and the size of the
// grid.
//
// The reference for every sequence is xterm's ctlseqs; where current terminals
// agree on more (grapheme clusters, reflow, synchronized output, the kitty
// keyboard, OSC 8 and others) the screen goes with them.
package screen

import (
	"time"

	"aside/session"
)

// The largest grid; sizes beyond are clamped.
const (
	maxCols = 1000
	maxRows = 1000
)

// Options are what a Screen is made with.
type Options struct {
	Cols, Rows int // clamped to 1..1000

	HistoryLines int // rows of scrollback; 0 keeps none
	HistoryBytes int // bytes of scrollback; 0 sets no bound beside HistoryLines

	// Fg and Bg are the RGB colours of the viewer, the answers to OSC 10
	// and 11. ColorDefault means light grey on black.
	Fg, Bg session.Color

	Name string           // name and version for XTVERSION
	Now  func() time.Time // clock of synchronized output; nil is time.Now
}

// buffer is one of the two screens of a terminal.
type buffer struct {
	rows  []*row
	saved savedCursor
	// away is the cursor at the time the program left this buffer.
	away     point
	keyboard keyboardStack
}

type point struct{ x, y int }

// Screen is one emulated terminal. It is not safe for concurrent use.
type Screen struct {
	opts       Options
	cols, rows int

	parser
	main, alt buffer
	buf       *buffer // main or alt
	history   history
	pools     pools
	free      []*row // rows to use again

	x, y        int
	pending     bool // a wrap is pending: x is the last column
	top, bottom int  // scrolling region, both ends included
	left, right int
	tabs        tabStops
	modes       modeSet
	savedModes  modeSet // XTSAVE
	savedMask   modeSet
	mouse       mouseState
	otherKeys   int // modifyOtherKeys level
	shape       int // DECSCUSR
	charsets    charsets
	guard       guard
	areaShape   int // DECSACE
	level       int // DECSCL

	pen   pen
	st    uint32 // number of pen
	blank cell   // what erasing leaves: the background of pen

	lastAt point   // cell of the newest cluster, while it may grow
	grows  bool    // nothing but text and styles since it was printed
	breaks breaker // state of that cluster

	title  string
	titles []string
	colors colors

	replies []byte
	events  []Event

	version uint64
	next    uint64   // version that the running change will have
	dirty   bool     // something changed since version
	fullAt  uint64   // version before which a frame has to be full
	changed []uint64 // by row, the version of its last change
	seen    view
	held    picture
	holding bool
	holdEnd time.Time
}

// New returns a blank screen.
func New(o Options) *Screen {
	if o.Now == nil {
		o.Now = time.Now
	}
	if _, _, _, ok := o.Fg.RGB(); !ok {
		o.Fg = session.RGB(0xd8, 0xd8, 0xd8)
	}
	if _, _, _, ok := o.Bg.RGB(); !ok {
		o.Bg = session.RGB(0, 0, 0)
	}
	s := &Screen{
		opts:  o,
		cols:  min(max(o.Cols, 1), maxCols),
		rows:  min(max(o.Rows, 1), maxRows),
		pools: newPools(),
		next:  1,
	}
	s.history.maxRows, s.history.maxBytes = o.HistoryLines, o.HistoryBytes
	s.changed = make([]uint64, s.rows)
	s.main.rows = s.newRows(s.rows)
	s.alt.rows = s.newRows(s.rows)
	s.initialise()
	s.look()
	return s
}

// initialise sets everything but the pictures and the history to what a
// terminal starts with.
func (s *Screen) initialise() {
	s.buf = &s.main
	s.x, s.y, s.pending, s.grows = 0, 0, false, false
	s.breaks = breaker{}
	s.resetMargins()
	s.tabs = newTabStops()
	s.modes = startModes
	s.savedModes, s.savedMask = 0, 0
	s.mouse = mouseState{}
	s.otherKeys, s.shape = 0, 0
	s.charsets = charsets{}
	s.guard, s.areaShape, s.level = guardSelective, 0, levelVT400
	s.setPen(pen{})
	for _, b := range []*buffer{&s.main, &s.alt} {
		b.saved, b.away, b.keyboard = savedCursor{}, point{}, keyboardStack{}
	}
	s.titles = nil
	s.colors = colors{}
}

// reset is RIS.
func (s *Screen) reset() {
	s.release()
	s.initialise()
	s.clearRows(&s.main)
	s.clearRows(&s.alt)
	s.changedAll()
	s.event(Event{Kind: EventReset})
}

func (s *Screen) clearRows(b *buffer) {
	for _, r := range b.rows {
		clear(r.cells)
		r.wrapped = false
	}
}

// Write takes output of the program. It always takes all of it.
func (s *Screen) Write(p []byte) (int, error) {
	s.expire()
	s.feed(p)
	s.look()
	return len(p), nil
}

// SetColors tells the colours of the viewer, which may have changed; a
// program that asked for it (mode 2031) is told when dark became light or the
// other way round. Colours that are not RGB are ignored.
func (s *Screen) SetColors(fg, bg session.Color) {
	was := s.light()
	if _, _, _, ok := fg.RGB(); ok {
		s.opts.Fg = fg
	}
	if _, _, _, ok := bg.RGB(); ok {
		s.opts.Bg = bg
	}
	if s.modes.has(modeSchemeReports) && s.light() != was {
		s.replyScheme()
	}
}

// edit returns row y to be changed.
func (s *Screen) edit(y int) *row {
	s.changed[y] = s.next
	s.dirty = true
	r := s.buf.rows[y]
	if !r.shared {
		return r
	}
	own := s.newRow()
	copy(own.cells, r.cells)
	own.wrapped = r.wrapped
	s.buf.rows[y] = own
	return own
}

// changedAll makes every viewer forget what it has.
func (s *Screen) changedAll() {
	s.fullAt = s.next
	s.dirty = true
	s.changedRows(0, s.rows-1)
}

func (s *Screen) changedRows(top, bottom int) {
	for y := top; y <= bottom; y++ {
		s.changed[y] = s.next
	}
	s.dirty = true
}

// newRow returns a row whose cells are to be set.
func (s *Screen) newRow() *row {
	if last := len(s.free) - 1; last >= 0 {
		r := s.free[last]
		s.free = s.free[:last]
		return r
	}
	return &row{cells: make([]cell, s.cols)}
}

func (s *Screen) newRows(n int) []*row {
	rows := make([]*row, n)
	for i := range rows {
		rows[i] = &row{cells: make([]cell, s.cols)}
	}
	return rows
}
