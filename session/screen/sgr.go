package screen

import "aside/session"

// setPen makes p the pen of what is printed and erased from now on.
func (s *Screen) setPen(p pen) {
	s.pen = p
	s.st = s.styleID(p)
	if p.Bg == session.ColorDefault {
		s.blank = cell{}
	} else {
		s.blank = cell{st: s.styleID(pen{Style: session.Style{Bg: p.Bg}})}
	}
}

// sgr is SGR. Unknown parameters are skipped.
func (s *Screen) sgr(q *params) {
	p := s.pen
	if q.n == 0 {
		p.Style = session.Style{}
	}
	for i := 0; i < q.n; {
		// A parameter takes its sub-parameters with it.
		end := i + 1
		for end < q.n && q.sub>>end&1 != 0 {
			end++
		}
		i += p.apply(q, i, end)
	}
	if p != s.pen {
		s.setPen(p)
	}
}

// apply applies the parameter at i, whose sub-parameters go up to end, and
// returns how many it took.
func (p *pen) apply(q *params, i, end int) int {
	switch n := q.get(i); {
	case n == 0:
		p.Style = session.Style{}
	case n == 38 || n == 48 || n == 58:
		c, taken, ok := color(q, i, end)
		if ok {
			p.setColor(n, c)
		}
		return taken
	case n == 4 && end > i+1:
		if kind := q.get(i + 1); kind <= int(session.UnderlineDashed) {
			p.Underline = session.Underline(kind)
		}
	case n < 30:
		p.attribute(n)
	case n < 50:
		p.plainColor(n)
	case n == 53:
		p.Attrs |= session.AttrOverline
	case n == 55:
		p.Attrs &^= session.AttrOverline
	case n == 59:
		p.UnderlineColor = session.ColorDefault
	default:
		p.bright(n)
	}
	return end - i
}

// plainColor applies the parameters from 30 to 49 that stand alone.
func (p *pen) plainColor(n int) {
	switch {
	case n <= 37:
		p.Fg = session.Indexed(uint8(n - 30))
	case n == 39:
		p.Fg = session.ColorDefault
	case n <= 47:
		p.Bg = session.Indexed(uint8(n - 40))
	default:
		p.Bg = session.ColorDefault
	}
}

// bright applies the aixterm colours.
func (p *pen) bright(n int) {
	switch {
	case n >= 90 && n <= 97:
		p.Fg = session.Indexed(uint8(n - 90 + 8))
	case n >= 100 && n <= 107:
		p.Bg = session.Indexed(uint8(n - 100 + 8))
	}
}

func (p *pen) setColor(n int, c session.Color) {
	switch n {
	case 38:
		p.Fg = c
	case 48:
		p.Bg = c
	case 58:
		p.UnderlineColor = c
	}
}

// attribute applies the parameters from 1 to 29.
func (p *pen) attribute(n int) {
	switch n {
	case 4:
		p.Underline = session.UnderlineSingle
	case 21:
		p.Underline = session.UnderlineDouble
	case 24:
		p.Underline = session.UnderlineNone
	case 22:
		p.Attrs &^= session.AttrBold | session.AttrFaint
	case 26: // proportional spacing
	default:
		if n < 20 {
			p.Attrs |= attrOf(n)
		} else {
			p.Attrs &^= attrOf(n - 20)
		}
	}
}

// attrOf returns the attribute that SGR n sets and SGR n+20 takes away.
func attrOf(n int) session.Attrs {
	switch n {
	case 1:
		return session.AttrBold
	case 2:
		return session.AttrFaint
	case 3:
		return session.AttrItalic
	case 5, 6:
		return session.AttrBlink
	case 7:
		return session.AttrReverse
	case 8:
		return session.AttrConceal
	case 9:
		return session.AttrStrike
	}
	return 0
}

// color reads a colour after 38, 48 or 58 at i: with sub-parameters
// (38:2::r:g:b, 38:2:r:g:b, 38:5:n) or as parameters of their own (38;2;r;g;b
// and 38;5;n). It returns how many parameters it took.
func color(q *params, i, end int) (c session.Color, taken int, ok bool) {
	subs := end > i+1
	last := q.n
	if subs {
		last = end
	}
	at, need := i+2, 1
	switch q.get(i + 1) {
	case 5:
	case 2:
		need = 3
		if subs && end-at > 3 {
			at++ // the colour space
		}
	default:
		return 0, max(end-i, 1), false
	}
	taken = end - i
	if !subs {
		taken = min(2+need, q.n-i)
	}
	if at+need > last {
		return 0, taken, false
	}
	for k := at; k < at+need; k++ {
		if q.get(k) > 255 {
			return 0, taken, false
		}
	}
	if need == 1 {
		return session.Indexed(uint8(q.get(at))), taken, true
	}
	return session.RGB(uint8(q.get(at)), uint8(q.get(at+1)), uint8(q.get(at+2))), taken, true
}
