package screen

import "aside/session"

// mode is a mode that is on or off, as a bit of a modeSet. The mouse modes
// exclude each other and are kept in mouseState.
type mode uint8

const (
	modeInsert  mode = iota // ANSI 4
	modeNewline             // ANSI 20

	modeCursorKeys    // DEC 1
	modeReverseScreen // 5
	modeOrigin        // 6
	modeAutowrap      // 7
	modeAutorepeat    // 8
	modeBlink         // 12
	modeCursorVisible // 25
	modeReverseWrap   // 45
	modeKeypad        // 66, ESC = and ESC >
	modeBackspace     // 67
	modeSideMargins   // 69
	modeFocus         // 1004
	modeWheelKeys     // 1007
	modeNumLock       // 1035
	modeMetaEscape    // 1036
	modeAltEscape     // 1039
	modePaste         // 2004
	modeSync          // 2026
	modeSchemeReports // 2031
	modeSizeReports   // 2048
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

// privateMode returns the mode with a DEC private number.
func privateMode(n int) (mode, bool) {
	if n >= 1000 {
		return xtermMode(n)
	}
	switch n {
	case 1:
		return modeCursorKeys, true
	case 5:
		return modeReverseScreen, true
	case 6:
		return modeOrigin, true
	case 7:
		return modeAutowrap, true
	case 8:
		return modeAutorepeat, true
	case 12:
		return modeBlink, true
	case 25:
		return modeCursorVisible, true
	case 45:
		return modeReverseWrap, true
	case 66:
		return modeKeypad, true
	case 67:
		return modeBackspace, true
	case 69:
		return modeSideMargins, true
	}
	return 0, false
}

func xtermMode(n int) (mode, bool) {
	switch n {
	case 1004:
		return modeFocus, true
	case 1007:
		return modeWheelKeys, true
	case 1035:
		return modeNumLock, true
	case 1036:
		return modeMetaEscape, true
	case 1039:
		return modeAltEscape, true
	case 2004:
		return modePaste, true
	case 2026:
		return modeSync, true
	case 2031:
		return modeSchemeReports, true
	case 2048:
		return modeSizeReports, true
	}
	return 0, false
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
	m, ok := privateMode(n)
	if !ok {
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
	case modeSideMargins:
		s.left, s.right = 0, s.cols-1
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
			s.eraseRows(0, s.rows, false)
		}
	default:
		if n == 1047 && s.buf == &s.alt {
			s.eraseRows(0, s.rows, false)
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
		if m, ok := privateMode(q.get(i)); ok {
			s.savedMask.set(m, true)
			s.savedModes.set(m, s.modes.has(m))
		}
	}
}

// restoreModes is XTRESTORE; a mode that was not saved stays as it is.
func (s *Screen) restoreModes(q *params) {
	for i := range q.n {
		if m, ok := privateMode(q.get(i)); ok && s.savedMask.has(m) {
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
	if m, ok := privateMode(n); ok {
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
	case 3, 4, 95, 1001: // 132 columns, smooth scroll, what goes with 3, highlighting
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
