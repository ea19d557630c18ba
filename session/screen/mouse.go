package screen

import (
	"unicode/utf8"

	"aside/session"
)

// mouseState are the mouse modes. As in xterm the modes exclude each other,
// and so do the encodings: the last one set is in force.
type mouseState struct {
	tracking int // 9, 1000, 1002, 1003, or 0
	encoding int // 1005, 1006, 1015, 1016, or 0 for X10's
	at       point
	reported bool // at is the last cell reported
}

// change sets or resets a mouse mode and says whether n is one.
func (m *mouseState) change(n int, on bool) bool {
	field := &m.tracking
	switch n {
	case 9, 1000, 1002, 1003:
	case 1005, 1006, 1015, 1016:
		field = &m.encoding
	default:
		return false
	}
	m.reported = false
	if on {
		*field = n
	} else if *field == n || field == &m.tracking {
		*field = 0
	}
	return true
}

// state says whether mode n is on, and whether it is a mouse mode.
func (m *mouseState) state(n int) (on, ok bool) {
	switch n {
	case 9, 1000, 1002, 1003:
		return m.tracking == n, true
	case 1005, 1006, 1015, 1016:
		return m.encoding == n, true
	}
	return false, false
}

func (m *mouseState) frameMode() session.MouseMode {
	switch m.tracking {
	case 9, 1000:
		return session.MousePress
	case 1002:
		return session.MouseDrag
	case 1003:
		return session.MouseMotion
	}
	return session.MouseNone
}

// wants says that the program asked for the event.
func (m *mouseState) wants(e session.MouseEvent) bool {
	switch m.tracking {
	case 0:
		return false
	case 9:
		return e.Action == session.ActionPress && e.Button <= session.ButtonRight
	}
	switch e.Action {
	case session.ActionMove:
		return m.tracking == 1003 || m.tracking == 1002 && e.Button != session.ButtonNone
	case session.ActionRelease:
		return !wheel(e.Button)
	}
	return true
}

func wheel(b session.MouseButton) bool {
	return b >= session.ButtonWheelUp && b <= session.ButtonWheelRight
}

// wheelLines is how many lines a step of the wheel moves by cursor keys.
const wheelLines = 3

// encodeMouse returns the report of a mouse event, or cursor keys for the
// wheel on the alternate screen (mode 1007).
func (s *Screen) encodeMouse(e session.MouseEvent) []byte {
	e.X, e.Y = min(max(e.X, 0), s.cols-1), min(max(e.Y, 0), s.rows-1)
	if s.mouse.tracking == 0 {
		return s.wheelKeys(e)
	}
	if !s.mouse.wants(e) {
		return nil
	}
	at := point{e.X, e.Y}
	if e.Action == session.ActionMove && s.mouse.reported && s.mouse.at == at {
		return nil
	}
	s.mouse.at, s.mouse.reported = at, true
	return s.mouse.encode(e)
}

func (s *Screen) wheelKeys(e session.MouseEvent) []byte {
	if s.buf != &s.alt || !s.modes.has(modeWheelKeys) || e.Action != session.ActionPress {
		return nil
	}
	key := session.KeyUp
	switch e.Button {
	case session.ButtonWheelUp:
	case session.ButtonWheelDown:
		key = session.KeyDown
	default:
		return nil
	}
	var out []byte
	for range wheelLines {
		out = append(out, s.encodeKey(session.KeyEvent{Code: key})...)
	}
	return out
}

// code returns xterm's number of a button with modifiers and motion.
func (m *mouseState) code(e session.MouseEvent) int {
	code := 3 // no button
	switch b := e.Button; {
	case b == session.ButtonNone:
	case b <= session.ButtonRight:
		code = int(b - session.ButtonLeft)
	case b <= session.ButtonWheelRight:
		code = 64 + int(b-session.ButtonWheelUp)
	default:
		code = 128 + int(b-session.ButtonBackward)
	}
	if m.tracking == 9 {
		return code
	}
	if e.Action == session.ActionMove {
		code += 32
	}
	for i, mod := range []session.Mods{session.ModShift, session.ModAlt, session.ModCtrl} {
		if e.Mods&mod != 0 {
			code += 4 << i
		}
	}
	return code
}

func (m *mouseState) encode(e session.MouseEvent) []byte {
	code, x, y := m.code(e), e.X+1, e.Y+1
	release := e.Action == session.ActionRelease
	switch m.encoding {
	case 1006, 1016:
		if m.encoding == 1016 {
			x, y = e.X*cellWidth+cellWidth/2, e.Y*cellHeight+cellHeight/2
		}
		final := byte('M')
		if release {
			final = 'm'
		}
		return append(appendNumbers([]byte("\x1b[<"), code, x, y), final)
	}
	if release {
		code = code&^3 | 3
	}
	if m.encoding == 1015 {
		return append(appendNumbers([]byte("\x1b["), code+32, x, y), 'M')
	}
	out := []byte("\x1b[M")
	for _, v := range []int{code, x, y} {
		switch v += 32; {
		case m.encoding == 1005 && v < 2048:
			out = utf8.AppendRune(out, rune(v))
		case m.encoding == 0 && v < 256:
			out = append(out, byte(v))
		default:
			return nil // the cell is too far out for this encoding
		}
	}
	return out
}
