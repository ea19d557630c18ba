package screen

import (
	"bytes"
	"unicode/utf8"
)

// edge returns the column after the last one that text may reach: the right
// margin counts only for a cursor that is not beyond it.
func (s *Screen) edge() int {
	if s.x <= s.right {
		return s.right + 1
	}
	return s.cols
}

// printASCII prints a run of printable ASCII.
func (s *Screen) printASCII(p []byte) {
	if s.breaks.last == classPrepend && s.grows || !s.charsets.plain() {
		for _, b := range p {
			s.printRune(s.charsets.translate(b))
		}
		return
	}
	for len(p) > 0 {
		if s.pending {
			s.wrap()
		}
		limit := s.edge()
		n := min(len(p), limit-s.x)
		if s.modes.has(modeInsert) {
			s.openGap(n, limit)
		}
		r := s.edit(s.y)
		r.split(s.x)
		r.split(s.x + n)
		dst := r.cells[s.x : s.x+n]
		for i := range dst {
			dst[i] = cell{uint32(p[i]), s.st}
		}
		if n < len(p) && !s.modes.has(modeAutowrap) {
			// The rest goes to the last column, one over the other.
			dst[n-1].ch = uint32(p[len(p)-1])
			n = len(p)
		}
		p = p[n:]
		s.lastAt = point{min(s.x+n, limit) - 1, s.y}
		s.advance(n, limit)
	}
	s.grows = true
	s.breaks = breaker{}
}

// advance moves the cursor over what was printed; at the edge it stays on the
// last column with a wrap pending.
func (s *Screen) advance(n, limit int) {
	s.x += n
	if s.x >= limit {
		s.x = limit - 1
		s.pending = s.modes.has(modeAutowrap)
	}
}

// wrap goes to the next line because the last one is full.
func (s *Screen) wrap() {
	s.pending = false
	if !s.modes.has(modeAutowrap) {
		return
	}
	if s.x == s.cols-1 {
		s.edit(s.y).wrapped = true
	}
	left := s.left
	if s.x > s.right {
		left = 0
	}
	s.index()
	s.x = left
}

// printRune prints a code point, or lets the last cluster grow by it.
func (s *Screen) printRune(r rune) {
	class, width := props(r)
	if (class != classOther || s.breaks.last == classPrepend) && s.grows && s.breaks.joins(class) {
		s.grow(r)
		s.breaks = s.breaks.next(class, true)
		return
	}
	if class == classPrepend {
		width = max(width, 1)
	}
	if class == classControl || width == 0 {
		return
	}
	if s.put(uint32(r), width) {
		s.breaks = breaker{}.next(class, false)
	}
}

// put prints a glyph at the cursor and says whether there was room for it.
func (s *Screen) put(glyph uint32, width int) bool {
	if s.pending {
		s.wrap()
	}
	limit := s.edge()
	if width == 2 && s.x+1 >= limit {
		if !s.makeRoom(limit) {
			return false
		}
		limit = s.edge()
	}
	if s.modes.has(modeInsert) {
		s.openGap(width, limit)
	}
	s.set(glyph, width)
	s.advance(width, limit)
	return true
}

// set puts a glyph under the cursor.
func (s *Screen) set(glyph uint32, width int) {
	r := s.edit(s.y)
	r.split(s.x)
	r.split(s.x + width)
	r.cells[s.x] = cell{glyph, s.st}
	if width == 2 {
		r.cells[s.x].ch |= chWide
		r.cells[s.x+1] = cell{chTail, s.st}
	}
	s.lastAt = point{s.x, s.y}
	s.grows = true
}

// makeRoom moves the cursor from the last column to where a wide character
// fits, and says whether there is such a place.
func (s *Screen) makeRoom(limit int) bool {
	left := s.left
	if s.x > s.right {
		left = 0
	}
	if limit-left < 2 {
		return false
	}
	if !s.modes.has(modeAutowrap) {
		s.x = limit - 2
		return true
	}
	s.edit(s.y).fill(s.x, s.x+1, cell{chFiller, s.st})
	s.wrap()
	return true
}

// openGap moves the rest of the line n columns to the right (IRM).
func (s *Screen) openGap(n, limit int) {
	s.shiftRight(s.y, s.x, limit, n)
}

// grow appends a code point to the last cluster, which may make it wide.
func (s *Screen) grow(r rune) {
	at := s.lastAt
	row := s.edit(at.y)
	c := &row.cells[at.x]
	var buf [maxCluster + utf8.UTFMax]byte
	text := s.appendGlyph(buf[:0], c.ch)
	base, _ := utf8.DecodeRune(text)
	if len(text)+utf8.RuneLen(r) > maxCluster {
		return
	}
	text = utf8.AppendRune(text, r)
	c.ch = c.ch&^chGlyph | chCluster | s.clusterID(text)
	if r == emojiPresentation && c.ch&chWide == 0 && hasEmojiForm(base) {
		s.widen()
	}
}

// emojiPresentation is variation selector 16.
const emojiPresentation = 0xfe0f

// hasEmojiForm says that the selector makes the character a wide one: a
// pictograph or the base of a keycap.
func hasEmojiForm(r rune) bool {
	class, _ := props(r)
	return class == classPictographic || r == '#' || r == '*' || r >= '0' && r <= '9'
}

// widen gives the last cluster a second column, on the next line if there is
// none left on its own.
func (s *Screen) widen() {
	at := s.lastAt
	c := s.buf.rows[at.y].cells[at.x]
	if s.pending {
		// It stands in the last column.
		limit := s.x + 1
		if s.left > limit-2 {
			return
		}
		s.buf.rows[at.y].cells[at.x] = cell{chFiller, c.st}
		s.wrap()
		s.setWide(c)
		s.advance(2, s.edge())
		return
	}
	if at.x+1 != s.x || at.y != s.y {
		return // autowrap is off and it stands in the last column
	}
	limit := s.edge()
	if s.modes.has(modeInsert) {
		s.openGap(1, limit)
	}
	s.x = at.x
	s.setWide(c)
	s.advance(2, limit)
}

// setWide puts a cell under the cursor that takes two columns.
func (s *Screen) setWide(c cell) {
	r := s.edit(s.y)
	r.split(s.x)
	r.split(s.x + 2)
	r.cells[s.x] = cell{c.ch | chWide, c.st}
	r.cells[s.x+1] = cell{chTail, c.st}
	s.lastAt = point{s.x, s.y}
}

// repeat is REP: the last character again, if nothing but styles came after
// it.
func (s *Screen) repeat(q *params) {
	if !s.grows {
		return
	}
	c := s.buf.rows[s.lastAt.y].cells[s.lastAt.x]
	width := 1
	if c.ch&chWide != 0 {
		width = 2
	}
	n := min(q.count(0), s.cols*s.rows)
	if c.ch < utf8.RuneSelf && s.charsets.plain() {
		s.printASCII(bytes.Repeat([]byte{byte(c.ch)}, n))
	} else {
		for range n {
			s.put(c.ch&^chWide, width)
		}
	}
	s.grows = false
}
