package screen

// moveTo puts the cursor on a cell, clamped to the grid.
func (s *Screen) moveTo(x, y int) {
	s.x = min(max(x, 0), s.cols-1)
	s.y = min(max(y, 0), s.rows-1)
	s.pending = false
}

// origin returns the upper left corner that positions count from.
func (s *Screen) origin() (x, y int) {
	if s.modes.has(modeOrigin) {
		return s.left, s.top
	}
	return 0, 0
}

// place puts the cursor on a position as programs give it, inside the margins
// in origin mode.
func (s *Screen) place(x, y int) {
	if !s.modes.has(modeOrigin) {
		s.moveTo(x, y)
		return
	}
	s.moveTo(min(s.left+x, s.right), min(s.top+y, s.bottom))
}

func (s *Screen) cursorPosition(q *params) { s.place(q.count(1)-1, q.count(0)-1) }

func (s *Screen) cursorColumn(q *params) {
	_, top := s.origin()
	s.place(q.count(0)-1, s.y-top)
}

func (s *Screen) cursorRow(q *params) {
	left, _ := s.origin()
	s.place(s.x-left, q.count(0)-1)
}

func (s *Screen) cursorForwardFree(q *params) {
	left, top := s.origin()
	s.place(s.x-left+q.count(0), s.y-top)
}

func (s *Screen) cursorDownFree(q *params) {
	left, top := s.origin()
	s.place(s.x-left, s.y-top+q.count(0))
}

// cursorUp and its kin stop at a margin that the cursor has not passed.
func (s *Screen) cursorUp(q *params) { s.up(q.count(0)) }

func (s *Screen) up(n int) {
	stop := 0
	if s.y >= s.top {
		stop = s.top
	}
	s.moveTo(s.x, max(s.y-n, stop))
}

func (s *Screen) cursorDown(q *params) { s.down(q.count(0)) }

func (s *Screen) down(n int) {
	stop := s.rows - 1
	if s.y <= s.bottom {
		stop = s.bottom
	}
	s.moveTo(s.x, min(s.y+n, stop))
}

func (s *Screen) cursorForward(q *params) {
	stop := s.cols - 1
	if s.x <= s.right {
		stop = s.right
	}
	s.moveTo(min(s.x+q.count(0), stop), s.y)
}

func (s *Screen) cursorBack(q *params) { s.back(q.count(0)) }

func (s *Screen) cursorNextLine(q *params) {
	s.down(q.count(0))
	s.carriageReturn()
}

func (s *Screen) cursorPreviousLine(q *params) {
	s.up(q.count(0))
	s.carriageReturn()
}

func (s *Screen) carriageReturn() {
	if s.x >= s.left {
		s.x = s.left
	} else {
		s.x = 0
	}
	s.pending = false
}

func (s *Screen) backspace() { s.back(1) }

// back moves left. With reverse wrap (mode 45) it goes on at the right margin
// of the line above, and from the top margin at the bottom.
func (s *Screen) back(n int) {
	const needed = 1<<modeReverseWrap | 1<<modeAutowrap
	wraps := s.modes&needed == needed
	if wraps && s.pending {
		n-- // the cursor is, in fact, beyond the last column
	}
	s.pending = false
	for n > 0 {
		stop := 0
		if s.x >= s.left {
			stop = s.left
		}
		step := min(n, s.x-stop)
		s.x -= step
		n -= step
		if n == 0 || !wraps {
			return
		}
		switch s.y {
		case s.top:
			s.y = s.bottom
		case 0:
			s.y = s.rows - 1
		default:
			s.y--
		}
		s.x = s.right
		n--
	}
}

func (s *Screen) lineFeed() {
	s.index()
	if s.modes.has(modeNewline) {
		s.carriageReturn()
	}
}

// index moves down a line and scrolls at the bottom margin.
func (s *Screen) index() {
	s.pending = false
	switch {
	case s.y != s.bottom:
		s.y = min(s.y+1, s.rows-1)
	case s.x >= s.left && s.x <= s.right:
		s.scrollUp(s.top, s.bottom, 1, true)
	}
}

// reverseIndex moves up a line and scrolls at the top margin.
func (s *Screen) reverseIndex() {
	s.pending = false
	switch {
	case s.y != s.top:
		s.y = max(s.y-1, 0)
	case s.x >= s.left && s.x <= s.right:
		s.scrollDown(s.top, s.bottom, 1)
	}
}

// savedCursor is what DECSC saves.
type savedCursor struct {
	at       point
	pending  bool
	pen      pen
	origin   bool
	charsets charsets
}

func (s *Screen) saveCursor() {
	s.buf.saved = savedCursor{
		at: point{s.x, s.y}, pending: s.pending, pen: s.pen,
		origin: s.modes.has(modeOrigin), charsets: s.charsets,
	}
}

func (s *Screen) restoreCursor() {
	c := s.buf.saved
	s.modes.set(modeOrigin, c.origin)
	s.moveTo(c.at.x, c.at.y)
	s.pending = c.pending && s.x == s.cols-1
	s.charsets = c.charsets
	s.setPen(c.pen)
}

func (s *Screen) restoreCursorCSI(*params) { s.restoreCursor() }

// setCursorShape is DECSCUSR.
func (s *Screen) setCursorShape(q *params) {
	if n := q.get(0); n <= 6 {
		s.shape = n
	}
}
