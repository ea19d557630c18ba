package screen

// guard says from what the protected cells are safe. As in xterm it is that
// of the newest control function about protection, for all cells alike.
type guard uint8

const (
	guardSelective guard = iota // DECSCA: from selective erasing
	guardPlain                  // SPA: from the other kind, ED, EL and ECH
)

// stops says that a way of erasing spares protected cells.
func (g guard) stops(selective bool) bool { return selective == (g == guardSelective) }

// setProtection is DECSCA.
func (s *Screen) setProtection(q *params) { s.protect(guardSelective, q.get(0) == 1) }

// startGuarded is SPA, endGuarded is EPA.
func (s *Screen) startGuarded() { s.protect(guardPlain, true) }
func (s *Screen) endGuarded()   { s.protect(guardPlain, false) }

func (s *Screen) protect(g guard, on bool) {
	s.guard = g
	p := s.pen
	p.protected = on
	s.setPen(p)
}
