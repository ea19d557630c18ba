package screen

// rect is a rectangle of cells; right and bottom are excluded.
type rect struct{ top, left, bottom, right int }

// rect reads Pt;Pl;Pb;Pr from parameter i on, relative to the origin, and
// says whether there is such a rectangle.
func (s *Screen) rect(q *params, i int) (rect, bool) {
	x, y := s.origin()
	lowest, rightmost := s.rows, s.cols
	if s.modes.has(modeOrigin) {
		lowest, rightmost = s.bottom+1, s.right+1
	}
	r := rect{
		top:    y + q.count(i) - 1,
		left:   x + q.count(i+1) - 1,
		bottom: min(y+q.or(i+2, s.rows), lowest),
		right:  min(x+q.or(i+3, s.cols), rightmost),
	}
	return r, r.top < r.bottom && r.left < r.right
}

// fillRect is DECFRA.
func (s *Screen) fillRect(q *params) {
	c := q.get(0)
	r, ok := s.rect(q, 1)
	if !ok || c < 0x20 || c > 0x7e && c < 0xa0 || c > 0xff {
		return
	}
	for y := r.top; y < r.bottom; y++ {
		s.edit(y).fill(r.left, r.right, cell{uint32(c), s.st})
	}
}

// eraseRect is DECERA.
func (s *Screen) eraseRect(q *params) {
	if r, ok := s.rect(q, 0); ok {
		for y := r.top; y < r.bottom; y++ {
			s.wipe(y, r.left, r.right)
		}
	}
}

// eraseRectSelective is DECSERA.
func (s *Screen) eraseRectSelective(q *params) {
	if r, ok := s.rect(q, 0); ok {
		for y := r.top; y < r.bottom; y++ {
			s.erase(y, r.left, r.right, true)
		}
	}
}

// copyRect is DECCRA.
func (s *Screen) copyRect(q *params) {
	from, ok := s.rect(q, 0)
	if !ok {
		return
	}
	x, y := s.origin()
	x, y = x+q.count(6)-1, y+q.count(5)-1
	width := min(from.right-from.left, s.cols-x)
	height := min(from.bottom-from.top, s.rows-y)
	if width <= 0 || height <= 0 {
		return
	}
	line := make([]cell, width)
	for i := range height {
		if y > from.top { // a row is read before it is written
			i = height - 1 - i
		}
		src := s.edit(from.top + i)
		src.split(from.left)
		src.split(from.left + width)
		copy(line, src.cells[from.left:])
		dst := s.edit(y + i)
		dst.split(x)
		dst.split(x + width)
		copy(dst.cells[x:x+width], line)
	}
}
