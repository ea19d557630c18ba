package screen

// tabStops has a bit for every column a grid may have, so that stops survive
// a resize.
type tabStops [maxCols/64 + 1]uint64

func newTabStops() (t tabStops) {
	for x := 8; x < maxCols; x += 8 {
		t.set(x)
	}
	return t
}

func (t *tabStops) set(x int)      { t[x/64] |= 1 << (x % 64) }
func (t *tabStops) unset(x int)    { t[x/64] &^= 1 << (x % 64) }
func (t *tabStops) has(x int) bool { return t[x/64]>>(x%64)&1 != 0 }

// tab moves n stops forward; the last column, or the right margin, is one.
func (s *Screen) tab(n int) {
	if s.pending && s.modes.has(modeTabWraps) {
		s.wrap()
	}
	stop := s.cols - 1
	if s.x <= s.right {
		stop = s.right
	}
	for ; n > 0 && s.x < stop; n-- {
		s.x++
		for s.x < stop && !s.tabs.has(s.x) {
			s.x++
		}
	}
}

func (s *Screen) tabForward(q *params) { s.tab(q.count(0)) }

func (s *Screen) tabBack(q *params) {
	stop, _ := s.origin()
	if s.x < stop {
		stop = 0
	}
	for n := q.count(0); n > 0 && s.x > stop; n-- {
		s.x--
		for s.x > stop && !s.tabs.has(s.x) {
			s.x--
		}
	}
	s.pending = false
}

func (s *Screen) clearTabs(q *params) {
	switch q.get(0) {
	case 0:
		s.tabs.unset(s.x)
	case 3:
		s.tabs = tabStops{}
	}
}
