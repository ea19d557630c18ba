package screen

import (
	"fmt"

	"aside/session"
)

// maxReplies bounds the bytes of unfetched answers; an answer that does not
// fit is dropped whole.
const maxReplies = 1 << 16

// The size of a cell that pixel reports assume; the viewer's is not known.
const (
	cellWidth  = 8
	cellHeight = 16
)

func (s *Screen) reply(answer string) {
	if len(s.replies)+len(answer) <= maxReplies {
		s.replies = append(s.replies, answer...)
	}
}

func (s *Screen) replyf(format string, args ...any) { s.reply(fmt.Sprintf(format, args...)) }

// Replies returns what is to be sent to the program and forgets it: answers
// to its queries, in the order asked. Unfetched answers beyond 64 KiB are
// lost.
func (s *Screen) Replies() []byte {
	r := s.replies
	s.replies = nil
	return r
}

// deviceAttributes is the answer to DA1: a VT420 with selective erase (6),
// horizontal scrolling (21), colour (22), rectangles (28) and OSC 52.
func (s *Screen) deviceAttributes() { s.reply("\x1b[?64;6;21;22;28;52c") }

func (s *Screen) primaryAttributes(q *params) {
	if q.get(0) == 0 {
		s.deviceAttributes()
	}
}

// secondaryAttributes is the answer to DA2: a VT420 that does what xterm 379
// does. By that number Vim chooses how it asks for the mouse.
func (s *Screen) secondaryAttributes(q *params) {
	if q.get(0) == 0 {
		s.reply("\x1b[>41;379;0c")
	}
}

func (s *Screen) tertiaryAttributes(q *params) {
	if q.get(0) == 0 {
		s.reply("\x1bP!|00000000\x1b\\")
	}
}

// versionReport is XTVERSION.
func (s *Screen) versionReport(q *params) {
	if q.get(0) == 0 {
		s.replyf("\x1bP>|%s\x1b\\", s.opts.Name)
	}
}

func (s *Screen) statusReport(q *params) {
	switch q.get(0) {
	case 5:
		s.reply("\x1b[0n")
	case 6:
		x, y := s.origin()
		s.replyf("\x1b[%d;%dR", s.y-y+1, s.x-x+1)
	}
}

func (s *Screen) privateStatusReport(q *params) {
	switch q.get(0) {
	case 6:
		x, y := s.origin()
		s.replyf("\x1b[?%d;%d;1R", s.y-y+1, s.x-x+1)
	case 15: // printer: none
		s.reply("\x1b[?13n")
	case 25: // user defined keys: locked
		s.reply("\x1b[?21n")
	case 26: // keyboard: North American
		s.reply("\x1b[?27;1;0;0n")
	case 53, 55: // locator: none
		s.reply("\x1b[?50n")
	case 56: // and of no kind
		s.reply("\x1b[?57;0n")
	case 62: // space for macros
		s.reply("\x1b[0*{")
	case 63: // checksum of the macros
		s.replyf("\x1bP%d!~0000\x1b\\", q.get(1))
	case 75: // data integrity
		s.reply("\x1b[?70n")
	case 85: // sessions on this line: one
		s.reply("\x1b[?83n")
	case 996:
		s.replyScheme()
	}
}

// replyScheme tells whether the viewer's colours are dark or light.
func (s *Screen) replyScheme() {
	if s.light() {
		s.reply("\x1b[?997;2n")
	} else {
		s.reply("\x1b[?997;1n")
	}
}

func (s *Screen) light() bool { return luminance(s.opts.Bg) > 127 }

func luminance(c session.Color) int {
	r, g, b, _ := c.RGB()
	return (299*int(r) + 587*int(g) + 114*int(b)) / 1000
}

func (s *Screen) reportMode(q *params) {
	n := q.get(0)
	state := modeUnknown
	switch m, ok := ansiMode(n); {
	case ok:
		state = onOff(s.modes.has(m))
	case n >= 1 && n <= 19 && n != 8 && n != 9: // the rest of ECMA-48
		state = modeOffForEver
	}
	s.replyf("\x1b[%d;%d$y", n, state)
}

func (s *Screen) reportPrivateMode(q *params) {
	s.replyf("\x1b[?%d;%d$y", q.get(0), s.privateModeState(q.get(0)))
}

// terminalParameters is DECREQTPARM.
func (s *Screen) terminalParameters(q *params) {
	if n := q.get(0); n <= 1 {
		s.replyf("\x1b[%d;1;1;128;128;1;0x", n+2)
	}
}

// windowReport is XTWINOPS: the questions about sizes and the title stack.
// What would move, resize or read the window's title is not done.
func (s *Screen) windowReport(q *params) {
	switch q.get(0) {
	case 14:
		s.replyf("\x1b[4;%d;%dt", s.rows*cellHeight, s.cols*cellWidth)
	case 15:
		s.replyf("\x1b[5;%d;%dt", s.rows*cellHeight, s.cols*cellWidth)
	case 16:
		s.replyf("\x1b[6;%d;%dt", cellHeight, cellWidth)
	case 18:
		s.replyf("\x1b[8;%d;%dt", s.rows, s.cols)
	case 19:
		s.replyf("\x1b[9;%d;%dt", s.rows, s.cols)
	case 22:
		s.pushTitle(q.get(1))
	case 23:
		s.popTitle(q.get(1))
	}
}

// replySize is the report of mode 2048.
func (s *Screen) replySize() {
	s.replyf("\x1b[48;%d;%d;%d;%dt", s.rows, s.cols, s.rows*cellHeight, s.cols*cellWidth)
}
