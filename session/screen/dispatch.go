package screen

// execute runs a C0 control character.
func (s *Screen) execute(b byte) {
	switch b {
	case bel:
		s.event(Event{Kind: EventBell})
		return
	case 0x0e:
		s.charsets.gl = 1
		return
	case 0x0f:
		s.charsets.gl = 0
		return
	case 0x00, 0x05:
		return
	}
	s.grows = false
	switch b {
	case '\b':
		s.backspace()
	case '\t':
		s.tab(1)
	case '\n', 0x0b, 0x0c:
		s.lineFeed()
	case '\r':
		s.carriageReturn()
	}
}

// escape runs the byte after ESC.
func (s *Screen) escape(b byte) {
	switch {
	case b == '[':
		s.state = stateCSI
	case b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X':
		s.stringStart(b)
	case b <= 0x2f:
		s.params.inter = b
		s.params.inters++
		s.state = stateEscapeInter
	default:
		s.state = stateGround
		s.grows = false
		if b < 'A' {
			s.escapePrivate(b)
		} else {
			s.escapeFinal(b)
		}
	}
}

func (s *Screen) escapeFinal(b byte) {
	switch b {
	case 'D':
		s.index()
	case 'E':
		s.index()
		s.carriageReturn()
	case 'H':
		s.tabs.set(s.x)
	case 'M':
		s.reverseIndex()
	case 'V':
		s.startGuarded()
	case 'W':
		s.endGuarded()
	case 'N', 'O':
		s.charsets.single = int(b - 'N' + 2)
	case 'Z':
		s.deviceAttributes()
	case 'c':
		s.reset()
	case 'n', 'o':
		s.charsets.gl = int(b - 'n' + 2)
	}
}

// escapePrivate runs ESC with a byte below A: the private ones of DEC.
func (s *Screen) escapePrivate(b byte) {
	switch b {
	case '6':
		s.backIndex()
	case '7':
		s.saveCursor()
	case '8':
		s.restoreCursor()
	case '9':
		s.forwardIndex()
	case '=':
		s.modes.set(modeKeypad, true)
	case '>':
		s.modes.set(modeKeypad, false)
	}
}

// escapeInter runs the end of an ESC sequence with intermediates.
func (s *Screen) escapeInter(b byte) {
	if b < 0x30 {
		s.params.inters++
		return
	}
	s.state = stateGround
	if s.params.inters != 1 {
		return
	}
	switch i := s.params.inter; {
	case i == '#' && b == '8':
		s.alignmentTest()
	case i >= '(' && i <= '+':
		s.charsets.designate(int(i-'('), b)
	}
}

type csiFunc func(*Screen, *params)

// The control sequences without prefix and intermediate, by final byte.
// SGR and REP, for which it matters what was before, come apart.
var csiPlain = [del]csiFunc{
	'@': (*Screen).insertChars,
	'A': (*Screen).cursorUp,
	'B': (*Screen).cursorDown,
	'C': (*Screen).cursorForward,
	'D': (*Screen).cursorBack,
	'E': (*Screen).cursorNextLine,
	'F': (*Screen).cursorPreviousLine,
	'G': (*Screen).cursorColumn,
	'H': (*Screen).cursorPosition,
	'I': (*Screen).tabForward,
	'J': (*Screen).eraseDisplay,
	'K': (*Screen).eraseLine,
	'L': (*Screen).insertLines,
	'M': (*Screen).deleteLines,
	'P': (*Screen).deleteChars,
	'S': (*Screen).scrollUpBy,
	'T': (*Screen).scrollDownBy,
	'X': (*Screen).eraseChars,
	'Z': (*Screen).tabBack,
	'`': (*Screen).cursorColumn,
	'a': (*Screen).cursorForwardFree,
	'c': (*Screen).primaryAttributes,
	'd': (*Screen).cursorRow,
	'e': (*Screen).cursorDownFree,
	'f': (*Screen).cursorPosition,
	'g': (*Screen).clearTabs,
	'h': (*Screen).setModes,
	'l': (*Screen).resetModes,
	'n': (*Screen).statusReport,
	'r': (*Screen).setMargins,
	's': (*Screen).setSideMargins,
	't': (*Screen).windowReport,
	'u': (*Screen).restoreCursorCSI,
	'x': (*Screen).terminalParameters,
}

func (s *Screen) dispatchCSI(final byte) {
	q := &s.params
	if q.inters > 1 {
		return
	}
	if q.prefix == 0 && q.inter == 0 {
		switch final {
		case 'm':
			s.sgr(q)
			return
		case 'b':
			s.repeat(q)
			return
		}
		s.grows = false
		if f := csiPlain[final]; f != nil {
			f(s, q)
		}
		return
	}
	if f := csiSpecial(q.prefix, q.inter, final); f != nil && s.level >= levelOf(q.inter, final) {
		s.grows = false
		f(s, q)
	}
}

// csiSpecial returns the control sequence with a prefix or an intermediate
// byte, nil when there is no such.
func csiSpecial(prefix, inter, final byte) csiFunc {
	switch [2]byte{prefix, inter} {
	case [2]byte{'?', 0}:
		return csiQuestion(final)
	case [2]byte{'>', 0}:
		return csiGreater(final)
	case [2]byte{'=', 0}:
		return csiEqual(final)
	case [2]byte{'<', 0}:
		if final == 'u' {
			return (*Screen).keyboardPop
		}
	case [2]byte{'?', '$'}:
		if final == 'p' {
			return (*Screen).reportPrivateMode
		}
	case [2]byte{0, inter}:
		return csiInter(inter, final)
	}
	return nil
}

func csiEqual(final byte) csiFunc {
	switch final {
	case 'c':
		return (*Screen).tertiaryAttributes
	case 'u':
		return (*Screen).keyboardSet
	}
	return nil
}

func csiQuestion(final byte) csiFunc {
	switch final {
	case 'J':
		return (*Screen).eraseDisplaySelective
	case 'K':
		return (*Screen).eraseLineSelective
	case 'h':
		return (*Screen).setPrivateModes
	case 'l':
		return (*Screen).resetPrivateModes
	case 'm':
		return (*Screen).reportOtherKeys
	case 'n':
		return (*Screen).privateStatusReport
	case 'r':
		return (*Screen).restoreModes
	case 's':
		return (*Screen).saveModes
	case 'u':
		return (*Screen).keyboardReport
	}
	return nil
}

func csiGreater(final byte) csiFunc {
	switch final {
	case 'c':
		return (*Screen).secondaryAttributes
	case 'm':
		return (*Screen).setOtherKeys
	case 'n':
		return (*Screen).unsetOtherKeys
	case 'q':
		return (*Screen).versionReport
	case 'u':
		return (*Screen).keyboardPush
	}
	return nil
}

func csiInter(inter, final byte) csiFunc {
	switch string([]byte{inter, final}) {
	case " @":
		return (*Screen).scrollLeftBy
	case " A":
		return (*Screen).scrollRightBy
	case " q":
		return (*Screen).setCursorShape
	case "!p":
		return (*Screen).softReset
	case "\"p":
		return (*Screen).setLevel
	case "\"q":
		return (*Screen).setProtection
	case "$p":
		return (*Screen).reportMode
	case "'}":
		return (*Screen).insertColumns
	case "'~":
		return (*Screen).deleteColumns
	}
	return csiArea(inter, final)
}

// csiArea returns the control sequences about areas of cells.
func csiArea(inter, final byte) csiFunc {
	switch string([]byte{inter, final}) {
	case "*x":
		return (*Screen).setAreaShape
	case "$r":
		return (*Screen).changeAttributes
	case "$t":
		return (*Screen).reverseAttributes
	case "$v":
		return (*Screen).copyRect
	case "$x":
		return (*Screen).fillRect
	case "$z":
		return (*Screen).eraseRect
	case "${":
		return (*Screen).eraseRectSelective
	}
	return nil
}
