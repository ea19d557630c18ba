package screen

import (
	"strings"
	"unicode/utf8"

	"aside/session"
)

const (
	lockMods  = session.ModCapsLock | session.ModNumLock
	shiftMods = session.ModShift | lockMods
)

// encodeKey returns what a key sends: by the kitty keyboard protocol if its
// flags say so, by modifyOtherKeys, or as terminals always did.
func (s *Screen) encodeKey(k session.KeyEvent) []byte {
	if k.Code < 0 {
		return nil
	}
	if !utf8.ValidString(k.Text) || strings.ContainsFunc(k.Text, isControl) {
		k.Text = ""
	}
	if flags := s.buf.keyboard.flags(); flags != 0 {
		return s.encodeKitty(k, kittyFlags(flags))
	}
	if k.Action == session.ActionRelease {
		return nil
	}
	if s.otherKeys > 0 {
		if out := s.encodeOther(k); out != nil {
			return out
		}
	}
	return s.encodeLegacy(k)
}

func isControl(r rune) bool { return r < 0x20 || r >= del && r < 0xa0 }

// modParam returns the modifiers as the parameter of a sequence.
func modParam(m session.Mods) int { return int(m) + 1 }

// encodeLegacy returns what xterm sends, with Alt as an escape prefix.
func (s *Screen) encodeLegacy(k session.KeyEvent) []byte {
	mods := k.Mods &^ lockMods
	if f, ok := functionOf(k.Code); ok {
		return s.encodeFunction(f, mods)
	}
	if kp, ok := keypadOf(k.Code); ok {
		return s.encodeKeypad(k, kp)
	}
	if k.Code > utf8.MaxRune {
		return nil // a modifier key
	}
	var out []byte
	if mods&(session.ModAlt|session.ModMeta) != 0 && s.modes.has(modeMetaEscape) {
		out = append(out, esc)
	}
	switch k.Code {
	case session.KeyEnter:
		out = append(out, '\r')
		if s.modes.has(modeNewline) {
			out = append(out, '\n')
		}
		return out
	case session.KeyTab:
		if mods&session.ModShift != 0 {
			return append(out, "\x1b[Z"...)
		}
		return append(out, '\t')
	case session.KeyEscape:
		return append(out, esc)
	case session.KeyBackspace:
		if (mods&session.ModCtrl != 0) != s.modes.has(modeBackspace) {
			return append(out, '\b')
		}
		return append(out, del)
	}
	text := legacyText(k)
	if text == "" {
		return nil
	}
	return append(out, text...)
}

// legacyText returns what a key with a code point types, with the control
// character that ctrl makes of it.
func legacyText(k session.KeyEvent) string {
	if k.Mods&session.ModCtrl != 0 {
		if c, ok := controlOf(k); ok {
			return string(rune(c))
		}
	}
	switch {
	case k.Text != "":
		return k.Text
	case k.Mods&(session.ModSuper|session.ModHyper) != 0 || isControl(rune(k.Code)):
		return ""
	case k.Mods&session.ModShift != 0 && k.Shifted != 0:
		return string(rune(k.Shifted))
	}
	return string(rune(k.Code))
}

// controlOf returns the control character of a key pressed with ctrl. On a
// layout without Latin letters the key of a US keyboard counts.
func controlOf(k session.KeyEvent) (byte, bool) {
	c := k.Code
	if k.Mods&session.ModShift != 0 && k.Shifted != 0 {
		c = k.Shifted
	}
	if c >= utf8.RuneSelf && k.Base != 0 {
		c = k.Base
	}
	switch {
	case c >= 'a' && c <= 'z' || c >= '@' && c <= '_':
		return byte(c) & 0x1f, true
	case c >= '3' && c <= '7':
		return byte(c-'3') + esc, true
	}
	switch c {
	case ' ', '2', '`':
		return 0, true
	case '8', '?':
		return del, true
	case '/':
		return 0x1f, true
	case '~':
		return 0x1e, true
	}
	return 0, false
}

// function is how a key without a code point is told: CSI number ; mods final.
type function struct {
	number int
	final  byte
}

// functionOf returns the sequence of a cursor, editing or function key.
func functionOf(c session.KeyCode) (function, bool) {
	switch c {
	case session.KeyUp:
		return function{1, 'A'}, true
	case session.KeyDown:
		return function{1, 'B'}, true
	case session.KeyRight:
		return function{1, 'C'}, true
	case session.KeyLeft:
		return function{1, 'D'}, true
	case session.KeyHome:
		return function{1, 'H'}, true
	case session.KeyEnd:
		return function{1, 'F'}, true
	case session.KeyInsert:
		return function{2, '~'}, true
	case session.KeyDelete:
		return function{3, '~'}, true
	case session.KeyPageUp:
		return function{5, '~'}, true
	case session.KeyPageDown:
		return function{6, '~'}, true
	}
	n := int(c-session.KeyF1) + 1
	numbers := [...]int{5: 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34}
	switch {
	case n >= 1 && n <= 4:
		return function{1, "PQRS"[n-1]}, true
	case n >= 5 && n < len(numbers):
		return function{numbers[n], '~'}, true
	}
	return function{}, false
}

// letter says that the final byte alone names the key.
func (f function) letter() bool { return f.final != '~' && f.final != 'u' }

func (f function) append(out []byte, mods session.Mods) []byte {
	out = append(out, esc, '[')
	switch {
	case mods != 0:
		out = appendNumbers(out, f.number, modParam(mods))
	case !f.letter():
		out = appendNumbers(out, f.number)
	}
	return append(out, f.final)
}

func (s *Screen) encodeFunction(f function, mods session.Mods) []byte {
	if mods == 0 {
		switch f.final {
		case 'P', 'Q', 'R', 'S':
			return []byte{esc, 'O', f.final}
		case '~':
		default:
			if s.modes.has(modeCursorKeys) {
				return []byte{esc, 'O', f.final}
			}
		}
	}
	return f.append(nil, mods)
}

// keypad is a key of the numeric keypad: what it types, and its final byte in
// application mode.
type keypad struct{ text, final byte }

func keypadOf(c session.KeyCode) (keypad, bool) {
	if c >= session.KeyKp0 && c <= session.KeyKp9 {
		n := byte(c - session.KeyKp0)
		return keypad{'0' + n, 'p' + n}, true
	}
	switch c {
	case session.KeyKpEnter:
		return keypad{'\r', 'M'}, true
	case session.KeyKpPlus:
		return keypad{'+', 'k'}, true
	case session.KeyKpMinus:
		return keypad{'-', 'm'}, true
	case session.KeyKpMultiply:
		return keypad{'*', 'j'}, true
	case session.KeyKpDivide:
		return keypad{'/', 'o'}, true
	case session.KeyKpDecimal:
		return keypad{'.', 'n'}, true
	}
	return keypad{}, false
}

// encodeKeypad sends sequences in application mode (DECKPAM). With mode 1035,
// which is on from the start, a key that types text types it all the same,
// since then Num Lock is on.
func (s *Screen) encodeKeypad(k session.KeyEvent, kp keypad) []byte {
	mods := k.Mods &^ lockMods
	if s.modes.has(modeKeypad) && (k.Text == "" || !s.modes.has(modeNumLock)) {
		if mods == 0 {
			return []byte{esc, 'O', kp.final}
		}
		return append(appendNumbers([]byte("\x1bO"), modParam(mods)), kp.final)
	}
	var out []byte
	if mods&session.ModAlt != 0 {
		out = append(out, esc)
	}
	if k.Text != "" {
		return append(out, k.Text...)
	}
	return append(out, kp.text)
}

// encodeOther returns the sequence of modifyOtherKeys, or nil for a key that
// it leaves alone: at level 1 those that have a meaning with their modifiers
// anyway, at level 2 only those without modifiers but shift.
func (s *Screen) encodeOther(k session.KeyEvent) []byte {
	mods := k.Mods &^ lockMods
	if mods == 0 || k.Code > utf8.MaxRune {
		return nil
	}
	code := k.Code
	switch code {
	case session.KeyTab:
		if mods == session.ModShift {
			return nil
		}
	case session.KeyEnter:
	case session.KeyBackspace, session.KeyEscape:
		if s.otherKeys == 1 {
			return nil
		}
	default:
		if mods == session.ModShift {
			return nil
		}
		if s.otherKeys == 1 {
			if _, ok := controlOf(k); ok || mods&session.ModCtrl == 0 {
				return nil
			}
		}
		if mods&session.ModShift != 0 && k.Shifted != 0 {
			code = k.Shifted
		}
	}
	return append(appendNumbers([]byte("\x1b[27;"), modParam(mods), int(code)), '~')
}
