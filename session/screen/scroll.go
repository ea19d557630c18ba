package screen

func (s *Screen) resetMargins() {
	s.top, s.bottom = 0, s.rows-1
	s.left, s.right = 0, s.cols-1
}

// setMargins is DECSTBM.
func (s *Screen) setMargins(q *params) {
	top := q.count(0) - 1
	bottom := min(q.or(1, s.rows), s.rows) - 1
	if top >= bottom {
		return
	}
	s.top, s.bottom = top, bottom
	s.place(0, 0)
}

// setSideMargins is DECSLRM in mode 69, and SCOSC otherwise.
func (s *Screen) setSideMargins(q *params) {
	if !s.modes.has(modeSideMargins) {
		s.saveCursor()
		return
	}
	left := q.count(0) - 1
	right := min(q.or(1, s.cols), s.cols) - 1
	if left >= right {
		return
	}
	s.left, s.right = left, right
	s.place(0, 0)
}

func (s *Screen) wholeWidth() bool { return s.left == 0 && s.right == s.cols-1 }

// scrollUp moves the rows from top to bottom n up, inside the side margins.
// What leaves the top of the main screen goes to the history if remember is
// set.
func (s *Screen) scrollUp(top, bottom, n int, remember bool) {
	n = min(n, bottom-top+1)
	if !s.wholeWidth() {
		for y := top; y <= bottom-n; y++ {
			s.moveCells(y, y+n)
		}
		s.blankBetween(bottom-n+1, bottom)
		return
	}
	rows := s.buf.rows
	remember = remember && top == 0 && s.buf == &s.main
	for i := top; i < top+n; i++ {
		if remember {
			s.history.push(rows[i].cells, rows[i].wrapped)
		}
	}
	var few [4]*row
	gone := append(few[:0], rows[top:top+n]...)
	copy(rows[top:], rows[top+n:bottom+1])
	for i, r := range gone {
		rows[bottom-n+1+i] = s.blankRow(r)
	}
	if top > 0 {
		s.breakLine(top - 1)
	}
	s.changedRows(top, bottom)
}

// scrollDown moves the rows from top to bottom n down, inside the side
// margins.
func (s *Screen) scrollDown(top, bottom, n int) {
	n = min(n, bottom-top+1)
	if !s.wholeWidth() {
		for y := bottom; y >= top+n; y-- {
			s.moveCells(y, y-n)
		}
		s.blankBetween(top, top+n-1)
		return
	}
	rows := s.buf.rows
	var few [4]*row
	gone := append(few[:0], rows[bottom-n+1:bottom+1]...)
	copy(rows[top+n:bottom+1], rows[top:])
	for i, r := range gone {
		rows[top+i] = s.blankRow(r)
	}
	if top > 0 {
		s.breakLine(top - 1)
	}
	s.changedRows(top, bottom)
	s.breakLine(bottom)
}

// breakLine notes that row y no longer goes on in the next one.
func (s *Screen) breakLine(y int) {
	if s.buf.rows[y].wrapped {
		s.edit(y).wrapped = false
	}
}

// blankRow returns a blank row, r itself unless a held picture needs it.
func (s *Screen) blankRow(r *row) *row {
	if r.shared {
		r = s.newRow()
	}
	fillCells(r.cells, s.blank)
	r.wrapped = false
	return r
}

// moveCells copies what is inside the side margins from one row to another.
func (s *Screen) moveCells(to, from int) {
	dst, src := s.edit(to), s.edit(from)
	for _, r := range []*row{dst, src} {
		r.split(s.left)
		r.split(s.right + 1)
	}
	copy(dst.cells[s.left:s.right+1], src.cells[s.left:s.right+1])
	dst.wrapped = dst.wrapped && s.right < s.cols-1
}

func (s *Screen) blankBetween(top, bottom int) {
	for y := top; y <= bottom; y++ {
		s.wipe(y, s.left, s.right+1)
	}
}

func (s *Screen) scrollUpBy(q *params) { s.scrollUp(s.top, s.bottom, q.count(0), true) }

// scrollDownBy is SD. With five parameters it is mouse highlighting, which no
// program uses.
func (s *Screen) scrollDownBy(q *params) {
	if q.n <= 1 {
		s.scrollDown(s.top, s.bottom, q.count(0))
	}
}

// scrollLeftBy is SL.
func (s *Screen) scrollLeftBy(q *params) {
	if s.insideMargins() {
		for y := s.top; y <= s.bottom; y++ {
			s.shiftLeft(y, s.left, s.right+1, q.count(0))
		}
	}
}

// scrollRightBy is SR.
func (s *Screen) scrollRightBy(q *params) {
	if s.insideMargins() {
		for y := s.top; y <= s.bottom; y++ {
			s.shiftRight(y, s.left, s.right+1, q.count(0))
		}
	}
}

// forwardIndex is DECFI: right, or the margins' contents to the left.
func (s *Screen) forwardIndex() {
	switch {
	case s.x != s.right:
		s.moveTo(s.x+1, s.y)
	case s.y >= s.top && s.y <= s.bottom:
		for y := s.top; y <= s.bottom; y++ {
			s.shiftLeft(y, s.left, s.right+1, 1)
		}
	}
}

// backIndex is DECBI.
func (s *Screen) backIndex() {
	s.pending = false
	switch {
	case s.x != s.left:
		s.x = max(s.x-1, 0)
	case s.y >= s.top && s.y <= s.bottom:
		for y := s.top; y <= s.bottom; y++ {
			s.shiftRight(y, s.left, s.right+1, 1)
		}
	}
}
