package screen

import (
	"slices"

	"aside/session"
)

// mode is a mode that is on or off, as a bit of a modeSet. The mouse modes
// exclude each other and are kept in mouseState.
type mode uint8

const (
	modeInsert  mode = iota // ANSI 4
	modeNewline             // ANSI 20

	modeCursorKeys
	modeColumns
	modeReverseScreen
	modeOrigin
	modeAutowrap
	modeAutorepeat
	modeBlink
	modeCursorVisible
	modeAllowColumns
	modeTabWraps
	modeReverseWrap
	modeKeypad // and ESC =, ESC >
	modeBackspace
	modeSideMargins
	modeKeepColumns
	modeFocus
	modeWheelKeys
	modeNumLock
	modeMetaEscape
	modeAltEscape
	modePaste
	modeSync
	modeSchemeReports
	modeSizeReports
)

type modeSet uint64

const startModes modeSet = 1<<modeAutowrap | 1<<modeAutorepeat | 1<<modeCursorVisible |
	1<<modeWheelKeys | 1<<modeNumLock | 1<<modeMetaEscape | 1<<modeAltEscape

func (m modeSet) has(x mode) bool { return m>>x&1 != 0 }

func (m *modeSet) set(x mode, on bool) {
	if on {
		*m |= 1 << x
	} else {
		*m &^= 1 << x
	}
}

// decNumbers are the DEC private numbers of the modes that have one.
var decNumbers = [...]int{
	modeCursorKeys:    1,
	modeColumns:       3,
	modeReverseScreen: 5,
	modeOrigin:        6,
	modeAutowrap:      7,
	modeAutorepeat:    8,
	modeBlink:         12,
	modeCursorVisible: 25,
	modeAllowColumns:  40,
	modeTabWraps:      41,
	modeReverseWrap:   45,
	modeKeypad:        66,
	modeBackspace:     67,
	modeSideMargins:   69,
	modeKeepColumns:   95,
	modeFocus:         1004,
	modeWheelKeys:     1007,
	modeNumLock:       1035,
	modeMetaEscape:    1036,
	modeAltEscape:     1039,
	modePaste:         2004,
	modeSync:          2026,
	modeSchemeReports: 2031,
	modeSizeReports:   2048,
}

// privateMode returns the mode with a DEC private number, if the program's
// terminal has it.
func (s *Screen) privateMode(n int) (mode, bool) {
	m, ok := decMode(n)
	return m, ok && s.level >= levelOfMode(m)
}

func decMode(n int) (mode, bool) {
	i := slices.Index(decNumbers[:], n)
	return mode(max(i, 0)), i >= 0 && n > 0
}

func ansiMode(n int) (mode, bool) {
	switch n {
	case 4:
		return modeInsert, true
	case 20:
		return modeNewline, true
	}
	return 0, false
}

func (s *Screen) setModes(q *params)   { s.changeModes(q, true) }
func (s *Screen) resetModes(q *params) { s.changeModes(q, false) }

func (s *Screen) changeModes(q *params, on bool) {
	for i := range q.n {
		if m, ok := ansiMode(q.get(i)); ok {
			s.modes.set(m, on)
		}
	}
}

func (s *Screen) setPrivateModes(q *params)   { s.changePrivateModes(q, true) }
func (s *Screen) resetPrivateModes(q *params) { s.changePrivateModes(q, false) }

func (s *Screen) changePrivateModes(q *params, on bool) {
	for i := range q.n {
		s.changePrivateMode(q.get(i), on)
	}
}

func (s *Screen) changePrivateMode(n int, on bool) {
	switch n {
	case 47, 1047, 1048, 1049:
		s.changeBuffer(n, on)
		return
	}
	if s.mouse.change(n, on) {
		return
	}
	m, ok := s.privateMode(n)
	if !ok || m == modeColumns && !s.modes.has(modeAllowColumns) {
		return
	}
	s.modes.set(m, on)
	s.modeChanged(m, on)
}

// modeChanged does what comes with a mode.
func (s *Screen) modeChanged(m mode, on bool) {
	switch m {
	case modeReverseScreen:
		s.changedAll()
	case modeOrigin:
		s.place(0, 0)
	case modeAutowrap:
		s.pending = s.pending && on
	case modeColumns:
		s.changeColumns()
	case modeSideMargins:
		if !on {
			s.left, s.right = 0, s.cols-1
		}
	case modeSync:
		if on {
			s.hold()
		} else {
			s.release()
		}
	case modeSizeReports:
		if on {
			s.replySize()
		}
	}
}

// changeColumns is what is seen of DECCOLM, between 80 and 132 columns: the
// pane's size is the viewer's.
func (s *Screen) changeColumns() {
	s.modes.set(modeSideMargins, false)
	s.resetMargins()
	if !s.modes.has(modeKeepColumns) {
		s.wipeRows(0, s.rows)
	}
	s.place(0, 0)
}

// changeBuffer changes between the main and the alternate screen, and saves
// and restores the cursor as each of the modes wants it.
func (s *Screen) changeBuffer(n int, on bool) {
	switch {
	case n == 1048 && on:
		s.saveCursor()
	case n == 1048:
		s.restoreCursor()
	case on:
		if n == 1049 {
			s.saveCursor()
		}
		s.useBuffer(&s.alt)
		if n == 1049 {
			s.wipeRows(0, s.rows)
		}
	default:
		if n == 1047 && s.buf == &s.alt {
			s.wipeRows(0, s.rows)
		}
		s.useBuffer(&s.main)
		if n == 1049 {
			s.restoreCursor()
		}
	}
}

func (s *Screen) useBuffer(b *buffer) {
	if s.buf == b {
		return
	}
	s.buf.away = point{s.x, s.y}
	s.buf = b
	s.changedAll()
}

// saveModes is XTSAVE.
func (s *Screen) saveModes(q *params) {
	for i := range q.n {
		if m, ok := s.privateMode(q.get(i)); ok {
			s.savedMask.set(m, true)
			s.savedModes.set(m, s.modes.has(m))
		}
	}
}

// restoreModes is XTRESTORE; a mode that was not saved stays as it is.
func (s *Screen) restoreModes(q *params) {
	for i := range q.n {
		if m, ok := s.privateMode(q.get(i)); ok && s.savedMask.has(m) {
			s.changePrivateMode(q.get(i), s.savedModes.has(m))
		}
	}
}

// The answers of DECRPM.
const (
	modeUnknown    = 0
	modeOn         = 1
	modeOff        = 2
	modeAlwaysOn   = 3
	modeOffForEver = 4
)

func onOff(on bool) int {
	if on {
		return modeOn
	}
	return modeOff
}

func (s *Screen) privateModeState(n int) int {
	if m, ok := s.privateMode(n); ok {
		return onOff(s.modes.has(m))
	}
	if on, ok := s.mouse.state(n); ok {
		return onOff(on)
	}
	switch n {
	case 47, 1047, 1049:
		return onOff(s.buf == &s.alt)
	case 1048:
		return modeOn
	case 2027: // grapheme clusters
		return modeAlwaysOn
	case 4, 60, 1001: // smooth scroll, horizontal coupling, highlighting
		return modeOffForEver
	}
	return modeUnknown
}

// softReset is DECSTR.
func (s *Screen) softReset(*params) {
	for _, m := range []mode{modeInsert, modeOrigin, modeCursorKeys, modeKeypad, modeReverseWrap, modeSideMargins} {
		s.modes.set(m, false)
	}
	s.modes.set(modeCursorVisible, true)
	s.modes.set(modeAutowrap, true)
	s.resetMargins()
	s.charsets = charsets{}
	s.guard, s.areaShape = guardSelective, 0
	s.setPen(pen{})
	s.buf.saved = savedCursor{}
	s.otherKeys = 0
	s.buf.keyboard = keyboardStack{}
}

func (s *Screen) cursorShape() session.CursorShape {
	switch s.shape {
	case 3, 4:
		return session.CursorUnderline
	case 5, 6:
		return session.CursorBar
	}
	return session.CursorBlock
}

// cursorBlinks follows DECSCUSR, where 0 leaves it to mode 12.
func (s *Screen) cursorBlinks() bool {
	if s.shape == 0 {
		return s.modes.has(modeBlink)
	}
	return s.shape%2 == 1
}
