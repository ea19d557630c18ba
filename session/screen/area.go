package screen

import "aside/session"

// The functions that change how the cells of an area look, not what is in
// them: DECCARA and DECRARA, with DECSACE.

// areaAttributes are the attributes that can be changed, as SGR numbers: bold,
// underline, blinking and reverse.
var areaAttributes = [...]int{1, 4, 5, 7}

// setAreaShape is DECSACE: an area is the text from its first cell to its last
// (0 and 1), or the rectangle between them (2).
func (s *Screen) setAreaShape(q *params) {
	if n := q.get(0); n <= 2 {
		s.areaShape = n
	}
}

// changeAttributes is DECCARA: Pt;Pl;Pb;Pr, then parameters as of SGR.
func (s *Screen) changeAttributes(q *params) {
	s.restyle(q, func(p *pen, n int) {
		for _, a := range areaAttributes {
			switch {
			case n == a:
				p.turn(a, true)
			case n == 0, n == a+20, n == 22 && a == 1:
				p.turn(a, false)
			}
		}
	})
}

// reverseAttributes is DECRARA: takes away what is set, and sets what is not.
func (s *Screen) reverseAttributes(q *params) {
	s.restyle(q, func(p *pen, n int) {
		for _, a := range areaAttributes {
			if n == 0 || n == a {
				p.turn(a, !p.has(a))
			}
		}
	})
}

// has says that the attribute of SGR n is set.
func (p *pen) has(n int) bool {
	if n == 4 {
		return p.Underline != session.UnderlineNone
	}
	return p.Attrs&attrOf(n) != 0
}

func (p *pen) turn(n int, on bool) {
	switch {
	case n == 4 && on:
		p.Underline = session.UnderlineSingle
	case n == 4:
		p.Underline = session.UnderlineNone
	case on:
		p.Attrs |= attrOf(n)
	default:
		p.Attrs &^= attrOf(n)
	}
}

// restyle changes the pens of the cells in the area that q begins with, by
// each of the parameters that follow; none is 0.
func (s *Screen) restyle(q *params, change func(p *pen, n int)) {
	r, ok := s.rect(q, 0)
	asText := s.areaShape < 2 && r.bottom > r.top+1
	if asText {
		ok = r.left < s.cols
	}
	if !ok {
		return
	}
	// Each style is looked up once, or a large grid would take long. Its number
	// cannot come to stand for another while cells to be changed have it.
	known := make([]uint32, len(s.pools.pens.values)) // and one more, 0: not yet
	for y := r.top; y < r.bottom; y++ {
		from, end := r.left, r.right
		if asText && y > r.top {
			from = 0
		}
		if asText && y < r.bottom-1 {
			end = s.cols
		}
		cells := s.edit(y).cells[from:end]
		for i := range cells {
			c := &cells[i]
			if known[c.st] == 0 {
				p := s.pools.pens.values[c.st]
				change(&p, q.get(4))
				for n := 5; n < q.n; n++ {
					change(&p, q.get(n))
				}
				known[c.st] = s.styleID(p) + 1
			}
			c.st = known[c.st] - 1
		}
	}
}
