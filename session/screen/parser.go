package screen

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The parser follows the state machine of the DEC VT500 series (Paul
// Williams), with UTF-8 outside it: only ESC introduces a control function,
// never a byte between 0x80 and 0x9F, since such a byte is part of a character.

// state is where in a control function the parser is.
type state uint8

const (
	stateGround state = iota
	stateEscape
	stateEscapeInter // after an intermediate byte, as in ESC ( 0
	stateCSI
	stateCSIIgnore // a malformed CSI, to be skipped to its end
	stateString    // OSC, DCS, APC, PM or SOS
	stateStringEsc // ESC in a string: it ends, whatever follows
)

const (
	maxParams = 64
	maxParam  = 65535
	maxString = 1 << 20 // bytes of one string; a longer one is skipped whole
	keepBuf   = 1 << 14 // a string buffer above this is given back after use
)

// params are the parameters of a control sequence. A missing one is 0.
type params struct {
	v      [maxParams]uint16
	n      int
	sub    uint64 // bit i: v[i] follows a colon
	over   bool   // more than fit in; the rest is skipped
	prefix byte   // one of < = > ?, or 0
	inter  byte   // the last intermediate byte, or 0
	inters int
}

// get returns parameter i, 0 when it is missing.
func (p *params) get(i int) int {
	if i < p.n {
		return int(p.v[i])
	}
	return 0
}

// count returns parameter i as a count or position: at least 1.
func (p *params) count(i int) int { return max(p.get(i), 1) }

// or returns parameter i, or what stands for 0.
func (p *params) or(i, zero int) int {
	if v := p.get(i); v != 0 {
		return v
	}
	return zero
}

func (p *params) reset() {
	p.n, p.sub, p.over, p.prefix, p.inter, p.inters = 0, 0, false, 0, 0, 0
}

// take adds a byte of a control sequence and says whether it may stand there.
func (p *params) take(b byte) bool {
	switch {
	case b <= 0x2f:
		p.inter = b
		p.inters++
	case p.inters > 0:
		return false
	case b <= '9':
		p.digit(b)
	case b <= ';':
		p.separator(b)
	case p.n > 0 || p.prefix != 0:
		return false
	default:
		p.prefix = b
	}
	return true
}

func (p *params) digit(b byte) {
	if p.n == 0 {
		p.n, p.v[0] = 1, 0
	}
	if p.over {
		return
	}
	v := &p.v[p.n-1]
	*v = uint16(min(int(*v)*10+int(b-'0'), maxParam))
}

func (p *params) separator(b byte) {
	if p.n == 0 {
		p.n, p.v[0] = 1, 0
	}
	if p.n == maxParams {
		p.over = true
		return
	}
	p.v[p.n] = 0
	if b == ':' {
		p.sub |= 1 << p.n
	}
	p.n++
}

// parser is the state between two writes.
type parser struct {
	state  state
	params params
	utf8   partialRune
	kind   byte   // of the string: the byte after ESC
	str    []byte // what of the string is kept
	long   bool   // the string is longer than maxString
}

// partialRune is an encoded code point of which bytes are missing.
type partialRune struct {
	cp     rune
	need   int
	lo, hi byte // range of the next byte
}

const (
	esc = 0x1b
	bel = 0x07
	can = 0x18
	sub = 0x1a
	del = 0x7f
)

func (s *Screen) feed(p []byte) {
	for len(p) > 0 {
		p = p[s.step(p):]
	}
}

// step handles the start of p and returns how much of it. It takes at least
// one byte, or goes to a state that does.
func (s *Screen) step(p []byte) int {
	switch s.state {
	case stateGround:
		return s.ground(p)
	case stateString:
		return s.inString(p)
	case stateStringEsc:
		return s.afterString(p[0])
	}
	b := p[0]
	if b < 0x20 || b >= del {
		return s.interrupt(b)
	}
	switch s.state {
	case stateEscape:
		s.escape(b)
	case stateEscapeInter:
		s.escapeInter(b)
	case stateCSI:
		return s.csi(p)
	case stateCSIIgnore:
		if b >= 0x40 {
			s.state = stateGround
		}
	}
	return 1
}

// interrupt takes a byte that cannot be part of a control function: a control
// character is carried out in the middle of it, a byte of a multi-byte
// character ends it and is text.
func (s *Screen) interrupt(b byte) int {
	switch {
	case b == esc:
		s.startEscape()
	case b == can || b == sub:
		s.state = stateGround
	case b < 0x20:
		s.execute(b)
	case b > del:
		s.state = stateGround
		return 0
	}
	return 1
}

func (s *Screen) startEscape() {
	s.state = stateEscape
	s.params.reset()
}

// afterString takes the byte after an ESC in a string. Only with a backslash
// the string is complete; otherwise it is dropped and the ESC starts anew.
func (s *Screen) afterString(b byte) int {
	if b == '\\' {
		s.state = stateGround
		s.stringEnd(false)
		return 1
	}
	s.dropString()
	s.startEscape()
	return 0
}

func (s *Screen) ground(p []byte) int {
	if s.utf8.need > 0 {
		return s.resumeRune(p[0])
	}
	b := p[0]
	switch {
	case b >= 0x80:
		return s.printRunes(p)
	case b == del:
		return 1
	case b >= 0x20:
		n := printable(p)
		s.printASCII(p[:n])
		return n
	case b == esc:
		s.startEscape()
		return 1
	}
	s.execute(b)
	return 1
}

// printable returns the length of the run of printable ASCII that p starts
// with, looking at eight bytes at a time.
func printable(p []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(p); i += 8 {
		v := binary.LittleEndian.Uint64(p[i:])
		// A borrow or carry goes upwards, so the lowest marked byte is right.
		if m := ((v - 0x20*ones) | (v + ones) | v) & high; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(p) && p[i] >= 0x20 && p[i] < del; i++ {
	}
	return i
}

// printRunes prints the run of multi-byte code points that p starts with.
func (s *Screen) printRunes(p []byte) int {
	i := 0
	for i < len(p) && p[i] >= 0x80 {
		r, n := utf8.DecodeRune(p[i:])
		if n == 1 {
			s.startRune(p[i])
			return i + 1
		}
		s.printRune(r)
		i += n
	}
	return i
}

// startRune takes the first byte of a code point that is broken or goes on in
// the next write.
func (s *Screen) startRune(b byte) {
	u := partialRune{lo: 0x80, hi: 0xbf}
	switch {
	case b >= 0xc2 && b <= 0xdf:
		u.cp, u.need = rune(b&0x1f), 1
	case b >= 0xe0 && b <= 0xef:
		u.cp, u.need = rune(b&0x0f), 2
	case b >= 0xf0 && b <= 0xf4:
		u.cp, u.need = rune(b&0x07), 3
	default:
		s.printRune(utf8.RuneError)
		return
	}
	switch b {
	case 0xe0:
		u.lo = 0xa0
	case 0xed:
		u.hi = 0x9f
	case 0xf0:
		u.lo = 0x90
	case 0xf4:
		u.hi = 0x8f
	}
	s.utf8 = u
}

// resumeRune takes the next byte of a code point, or puts U+FFFD in its place
// and takes nothing: one for each maximal part of an encoding, as the Unicode
// standard recommends.
func (s *Screen) resumeRune(b byte) int {
	u := &s.utf8
	if b < u.lo || b > u.hi {
		u.need = 0
		s.printRune(utf8.RuneError)
		return 0
	}
	u.cp = u.cp<<6 | rune(b&0x3f)
	u.lo, u.hi = 0x80, 0xbf
	u.need--
	if u.need == 0 {
		s.printRune(u.cp)
	}
	return 1
}

// csi takes bytes of a control sequence up to its end, or up to one that is
// for step, which the first is not.
func (s *Screen) csi(p []byte) int {
	for i, b := range p {
		switch {
		case b < 0x20 || b >= del:
			return i
		case b >= 0x40:
			s.state = stateGround
			s.dispatchCSI(b)
			return i + 1
		case !s.params.take(b):
			s.state = stateCSIIgnore
			return i + 1
		}
	}
	return len(p)
}

// inString collects a string up to its end. OSC may end in BEL; all of them
// end in ESC, and in CAN and SUB, which drop them.
func (s *Screen) inString(p []byte) int {
	end := 0
	for end < len(p) && p[end] != esc && p[end] != bel && p[end] != can && p[end] != sub {
		end++
	}
	s.collect(p[:end])
	if end == len(p) {
		return end
	}
	switch p[end] {
	case esc:
		s.state = stateStringEsc
	case bel:
		if s.kind == ']' {
			s.state = stateGround
			s.stringEnd(true)
		} else {
			s.collect(p[end : end+1])
		}
	default:
		s.state = stateGround
		s.dropString()
	}
	return end + 1
}

// collect keeps a part of a string that somebody reads.
func (s *Screen) collect(p []byte) {
	if s.kind != ']' && s.kind != 'P' || s.long {
		return
	}
	if len(s.str)+len(p) > maxString {
		s.long = true
		return
	}
	s.str = append(s.str, p...)
}

func (s *Screen) stringStart(kind byte) {
	s.state = stateString
	s.kind = kind
	s.str = s.str[:0]
	s.long = false
}

// stringEnd acts on a complete string; viaBEL says how it ended, since an
// answer ends likewise.
func (s *Screen) stringEnd(viaBEL bool) {
	if !s.long {
		switch s.kind {
		case ']':
			s.osc(s.str, viaBEL)
		case 'P':
			s.dcs(s.str)
		}
	}
	s.dropString()
}

func (s *Screen) dropString() {
	s.str = s.str[:0]
	if cap(s.str) > keepBuf {
		s.str = nil
	}
	s.long = false
}
