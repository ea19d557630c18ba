package screen

import (
	"strings"
	"time"

	"aside/session"
)

// syncLimit is how long a program may hold its picture back (mode 2026).
const syncLimit = 150 * time.Millisecond

// view is what a viewer sees beside the rows.
type view struct {
	cursor  session.Cursor
	modes   session.Modes
	title   string
	history int // rows that have gone into it
	oldest  int
	fg, bg  session.Color
}

// picture is all a viewer sees, at one version.
type picture struct {
	view
	rows    []*row
	changed []uint64
	version uint64
	fullAt  uint64
}

func (s *Screen) view() view {
	return view{
		cursor: session.Cursor{
			X: s.x, Y: s.y, Pending: s.pending,
			Hidden: !s.modes.has(modeCursorVisible),
			Shape:  s.cursorShape(), Blink: s.cursorBlinks(),
			Color: s.colors.dynamic[colorCursor],
		},
		modes: session.Modes{
			Mouse:     s.mouse.frameMode(),
			AltScreen: s.buf == &s.alt,
			Paste:     s.modes.has(modePaste),
			Focus:     s.modes.has(modeFocus),
			Keyboard:  s.buf.keyboard.flags(),
		},
		title:   s.title,
		history: s.history.gone + s.history.n,
		oldest:  s.history.gone,
		fg:      s.colors.dynamic[colorFg],
		bg:      s.colors.dynamic[colorBg],
	}
}

// look notes a change of what is not in the rows.
func (s *Screen) look() {
	if v := s.view(); v != s.seen {
		s.seen = v
		s.dirty = true
	}
}

// settle gives the changes so far a version.
func (s *Screen) settle() {
	if s.dirty {
		s.version = s.next
		s.next++
		s.dirty = false
	}
}

// presented returns what viewers see now. Its rows are the screen's own.
func (s *Screen) presented() picture {
	s.expire()
	if s.holding {
		return s.held
	}
	s.settle()
	return picture{view: s.seen, rows: s.buf.rows, changed: s.changed, version: s.version, fullAt: s.fullAt}
}

// hold keeps the present picture for the viewers while the program draws
// another (mode 2026 set).
func (s *Screen) hold() {
	if s.holding {
		return
	}
	s.look()
	s.settle()
	s.held.view = s.seen
	s.held.rows = append(s.held.rows[:0], s.buf.rows...)
	s.held.changed = append(s.held.changed[:0], s.changed...)
	s.held.version, s.held.fullAt = s.version, s.fullAt
	for _, r := range s.held.rows {
		r.shared = true
	}
	s.holding = true
	s.holdEnd = s.opts.Now().Add(syncLimit)
}

// release lets the viewers see what was drawn meanwhile.
func (s *Screen) release() {
	if !s.holding {
		return
	}
	s.holding = false
	s.modes.set(modeSync, false)
	for _, rows := range [][]*row{s.main.rows, s.alt.rows} {
		for _, r := range rows {
			r.shared = false
		}
	}
	for i, r := range s.held.rows {
		if r.shared && len(r.cells) == s.cols {
			r.shared = false
			s.recycle(r)
		}
		s.held.rows[i] = nil
	}
	s.held.rows = s.held.rows[:0]
}

// recycle keeps a row that no grid holds any more.
func (s *Screen) recycle(r *row) {
	if len(s.free) < s.rows {
		s.free = append(s.free, r)
	}
}

func (s *Screen) expire() {
	if s.holding && !s.opts.Now().Before(s.holdEnd) {
		s.release()
	}
}

// SyncPending returns when a picture held back by synchronized output has to
// be presented at the latest, and whether one is held back.
func (s *Screen) SyncPending() (time.Time, bool) {
	s.expire()
	return s.holdEnd, s.holding
}

// Version returns the version of what is presented now. It rises with every
// visible change and at no other time.
func (s *Screen) Version() uint64 { return s.presented().version }

// Frame returns what is new since a version that Version returned; 0 or a
// version that never was gives a full frame. While the program holds its
// picture back (mode 2026) this is the picture before it, for at most 150 ms.
// Pane is left empty.
func (s *Screen) Frame(since uint64) session.Frame {
	p := s.presented()
	f := session.Frame{
		Cols: s.cols, Rows: s.rows,
		Full:   since == 0 || since < p.fullAt || since > p.version,
		Cursor: p.cursor, Modes: p.modes, Title: p.title, History: p.history, Oldest: p.oldest,
		Fg: p.fg, Bg: p.bg,
	}
	for y, r := range p.rows {
		if !f.Full && p.changed[y] <= since {
			continue
		}
		out := s.render(r.cells, r.wrapped)
		if f.Full && len(out.Spans) == 0 && !out.Wrapped {
			continue
		}
		f.Changed = append(f.Changed, session.RowChange{Y: y, Row: out})
	}
	return f
}

// History returns up to n rows of the scrollback, starting with the number
// from, as Frame.History counts them. One that has gone is blank.
func (s *Screen) History(from, n int) []session.Row {
	h := &s.history
	from = max(from, 0)
	n = min(n, h.gone+h.n-from)
	if n <= 0 {
		return nil
	}
	rows := make([]session.Row, n)
	for i := max(h.gone-from, 0); i < n; i++ {
		r := h.at(from - h.gone + i)
		rows[i] = s.render(r.cells, r.wrapped)
	}
	return rows
}

// Text returns what is presented now as text, a line for each row; blanks at
// the ends of lines and blank rows at the end are cut off.
func (s *Screen) Text() string {
	p := s.presented()
	lines := make([]string, len(p.rows))
	for y, r := range p.rows {
		lines[y] = strings.TrimRight(s.render(r.cells, false).Text(), " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// render turns cells into spans of one style. All spans share one string. A
// row that goes on in the next one keeps its blank end, which is part of the
// text, but for the column that a wide character left free.
func (s *Screen) render(cells []cell, wrapped bool) session.Row {
	out := session.Row{Wrapped: wrapped}
	reverse := s.modes.has(modeReverseScreen)
	switch {
	case reverse:
	case wrapped:
		cells = appendLine(nil, cells, true, s.cols)
	default:
		cells = cells[:used(cells)]
	}
	var buf [512]byte
	text := buf[:0]
	var ends []int
	for x := 0; x < len(cells); {
		from := x
		for x < len(cells) && cells[x].st == cells[from].st {
			switch c := cells[x]; {
			case c.ch&chTail != 0:
			case c.ch == 0 || c.ch == chFiller:
				text = append(text, ' ')
			default:
				text = s.appendGlyph(text, c.ch)
			}
			x++
		}
		p := s.pools.pens.values[cells[from].st]
		style := s.colors.resolve(p.Style)
		if reverse {
			style.Attrs ^= session.AttrReverse
		}
		out.Spans = append(out.Spans, session.Span{Width: x - from, Style: style, Link: s.pools.links.values[p.link]})
		ends = append(ends, len(text))
	}
	all, from := string(text), 0
	for i, end := range ends {
		out.Spans[i].Text = all[from:end]
		from = end
	}
	return out
}
