package screen

// wipe blanks the columns from x up to end of row y.
func (s *Screen) wipe(y, x, end int) {
	if r := s.toBlank(y, x, end); r != nil {
		r.fill(x, min(end, s.cols), s.blank)
	}
}

// toBlank returns row y for columns of it to be blanked, nil if there are
// none from x up to end.
func (s *Screen) toBlank(y, x, end int) *row {
	if x >= min(end, s.cols) {
		return nil
	}
	r := s.edit(y)
	if end >= s.cols {
		r.wrapped = false
	}
	return r
}

func (s *Screen) wipeRows(from, end int) {
	for y := from; y < end; y++ {
		s.wipe(y, 0, s.cols)
	}
}

// erase blanks the columns from x up to end of row y but for those that are
// protected from this way of erasing.
func (s *Screen) erase(y, x, end int, selective bool) {
	if !s.guard.stops(selective) {
		s.wipe(y, x, end)
		return
	}
	r := s.toBlank(y, x, end)
	if r == nil {
		return
	}
	end = min(end, s.cols)
	r.split(x)
	r.split(end)
	for i := x; i < end; i++ {
		if !s.pools.pens.values[r.cells[i].st].protected {
			r.cells[i] = s.blank
		}
	}
}

func (s *Screen) eraseDisplay(q *params)          { s.eraseScreen(q.get(0), false) }
func (s *Screen) eraseDisplaySelective(q *params) { s.eraseScreen(q.get(0), true) }

func (s *Screen) eraseScreen(what int, selective bool) {
	s.pending = false
	switch what {
	case 0:
		s.erase(s.y, s.x, s.cols, selective)
		s.eraseRows(s.y+1, s.rows, selective)
	case 1:
		s.eraseRows(0, s.y, selective)
		s.erase(s.y, 0, s.x+1, selective)
	case 2:
		s.eraseRows(0, s.rows, selective)
	case 3:
		s.history.erase()
	}
}

func (s *Screen) eraseRows(from, end int, selective bool) {
	for y := from; y < end; y++ {
		s.erase(y, 0, s.cols, selective)
	}
}

func (s *Screen) eraseLine(q *params)          { s.eraseInLine(q.get(0), false) }
func (s *Screen) eraseLineSelective(q *params) { s.eraseInLine(q.get(0), true) }

func (s *Screen) eraseInLine(what int, selective bool) {
	s.pending = false
	switch what {
	case 0:
		s.erase(s.y, s.x, s.cols, selective)
	case 1:
		s.erase(s.y, 0, s.x+1, selective)
	case 2:
		s.erase(s.y, 0, s.cols, selective)
	}
}

func (s *Screen) eraseChars(q *params) {
	s.pending = false
	s.erase(s.y, s.x, s.x+q.count(0), false)
}

// insideMargins says that the cursor is where lines and characters can be
// inserted and deleted.
func (s *Screen) insideMargins() bool {
	return s.x >= s.left && s.x <= s.right && s.y >= s.top && s.y <= s.bottom
}

// shiftRight moves the columns from x on n to the right, those beyond end are
// lost.
func (s *Screen) shiftRight(y, x, end, n int) {
	n = min(n, end-x)
	r := s.edit(y)
	r.split(x)
	r.split(end - n)
	r.split(end)
	copy(r.cells[x+n:end], r.cells[x:end-n])
	fillCells(r.cells[x:x+n], s.blank)
}

// shiftLeft takes n columns out at x and fills up with blanks before end.
func (s *Screen) shiftLeft(y, x, end, n int) {
	n = min(n, end-x)
	r := s.edit(y)
	r.split(x)
	r.split(x + n)
	r.split(end)
	copy(r.cells[x:end-n], r.cells[x+n:end])
	fillCells(r.cells[end-n:end], s.blank)
	if end == s.cols {
		r.wrapped = false
	}
}

func (s *Screen) insertChars(q *params) {
	if s.x >= s.left && s.x <= s.right {
		s.pending = false
		s.shiftRight(s.y, s.x, s.right+1, q.count(0))
	}
}

func (s *Screen) deleteChars(q *params) {
	if s.x >= s.left && s.x <= s.right {
		s.pending = false
		s.shiftLeft(s.y, s.x, s.right+1, q.count(0))
	}
}

func (s *Screen) insertLines(q *params) {
	if s.insideMargins() {
		s.scrollDown(s.y, s.bottom, q.count(0))
		s.x, s.pending = s.left, false
	}
}

func (s *Screen) deleteLines(q *params) {
	if s.insideMargins() {
		s.scrollUp(s.y, s.bottom, q.count(0), false)
		s.x, s.pending = s.left, false
	}
}

func (s *Screen) insertColumns(q *params) {
	if s.insideMargins() {
		for y := s.top; y <= s.bottom; y++ {
			s.shiftRight(y, s.x, s.right+1, q.count(0))
		}
	}
}

func (s *Screen) deleteColumns(q *params) {
	if s.insideMargins() {
		for y := s.top; y <= s.bottom; y++ {
			s.shiftLeft(y, s.x, s.right+1, q.count(0))
		}
	}
}

// alignmentTest is DECALN.
func (s *Screen) alignmentTest() {
	s.resetMargins()
	s.modes.set(modeOrigin, false)
	s.moveTo(0, 0)
	for y := range s.rows {
		r := s.edit(y)
		r.wrapped = false
		fillCells(r.cells, cell{ch: 'E'})
	}
}
