package screen

import (
	"strconv"
	"unicode/utf8"

	"aside/session"
)

// kittyFlags are the progressive enhancements of the kitty keyboard protocol.
type kittyFlags int

const (
	kittyDisambiguate kittyFlags = 1 << iota
	kittyEvents
	kittyAlternates
	kittyAllKeys
	kittyText
)

// encodeKitty returns what a key sends by the kitty keyboard protocol.
func (s *Screen) encodeKitty(k session.KeyEvent, flags kittyFlags) []byte {
	all := flags&kittyAllKeys != 0
	release := k.Action == session.ActionRelease
	if release && flags&kittyEvents == 0 {
		return nil
	}
	if k.Code == 0 && flags&kittyText == 0 {
		return []byte(k.Text) // of an input method, not of a key
	}
	mods := k.Mods
	if !all {
		if isModifier(k.Code) {
			return nil
		}
		mods &^= lockMods
		if out, ok := s.plainKey(k, mods, flags); ok {
			return out
		}
	}
	return appendKitty(nil, k, mods, flags)
}

// plainKey returns what a key sends that needs no escape code, and whether it
// is such a key: one that types text, enter, tab and backspace without
// modifiers, and all of them if only other flags than disambiguation are set.
func (s *Screen) plainKey(k session.KeyEvent, mods session.Mods, flags kittyFlags) ([]byte, bool) {
	release := k.Action == session.ActionRelease
	switch k.Code {
	case session.KeyEnter, session.KeyTab, session.KeyBackspace:
		if mods == 0 {
			if release {
				return nil, true
			}
			return s.encodeLegacy(k), true
		}
		if release {
			return nil, true
		}
	default:
		if k.Text != "" && mods&^shiftMods == 0 && !release {
			return []byte(k.Text), true
		}
	}
	if flags&kittyDisambiguate == 0 && k.Action == session.ActionPress {
		return s.encodeLegacy(k), true
	}
	return nil, false
}

func isModifier(c session.KeyCode) bool {
	return c >= session.KeyLeftShift && c <= session.KeyNumLock
}

// kittyFunction returns the number and final byte of a key: u with its code
// point, or what kitty gave it.
func kittyFunction(c session.KeyCode) (function, bool) {
	f, ok := functionOf(c)
	switch {
	case c == session.KeyF(3):
		return function{13, '~'}, true // CSI R would be a cursor position
	case c >= session.KeyF(13):
		return function{57376 + int(c-session.KeyF(13)), 'u'}, c <= session.KeyF(35)
	case ok:
		return f, true
	case c <= utf8.MaxRune:
		return function{int(c), 'u'}, true
	case c >= session.KeyKp0 && c <= session.KeyKp9:
		return function{57399 + int(c-session.KeyKp0), 'u'}, true
	}
	n := 0
	switch c {
	case session.KeyKpDecimal:
		n = 57409
	case session.KeyKpDivide:
		n = 57410
	case session.KeyKpMultiply:
		n = 57411
	case session.KeyKpMinus:
		n = 57412
	case session.KeyKpPlus:
		n = 57413
	case session.KeyKpEnter:
		n = 57414
	default:
		n = kittyModifier(c)
	}
	return function{n, 'u'}, n != 0
}

func kittyModifier(c session.KeyCode) int {
	switch c {
	case session.KeyCapsLock:
		return 57358
	case session.KeyNumLock:
		return 57360
	case session.KeyLeftShift, session.KeyLeftCtrl, session.KeyLeftAlt, session.KeyLeftSuper:
		return 57441 + int(c-session.KeyLeftShift)
	case session.KeyRightShift, session.KeyRightCtrl, session.KeyRightAlt, session.KeyRightSuper:
		return 57447 + int(c-session.KeyRightShift)
	}
	return 0
}

// appendKitty appends CSI number[:shifted[:base]] ; mods[:event] ; text final,
// with the parts left out that the flags do not ask for or that say nothing.
func appendKitty(out []byte, k session.KeyEvent, mods session.Mods, flags kittyFlags) []byte {
	f, ok := kittyFunction(k.Code)
	if !ok {
		return nil
	}
	event := flags.event(k.Action)
	text := k.Text
	if flags&(kittyText|kittyAllKeys) != kittyText|kittyAllKeys || event == kittyRelease {
		text = ""
	}
	modified := mods != 0 || event != kittyPress
	out = append(out, esc, '[')
	if modified || text != "" || !f.letter() {
		out = strconv.AppendInt(out, int64(f.number), 10)
	}
	if flags&kittyAlternates != 0 && k.Code <= utf8.MaxRune {
		out = appendAlternates(out, k)
	}
	if modified || text != "" {
		out = append(out, ';')
	}
	if modified {
		out = strconv.AppendInt(out, int64(modParam(mods)), 10)
	}
	if event != kittyPress {
		out = append(out, ':', byte('0'+event))
	}
	for i, r := range text {
		out = append(out, ";:"[min(i, 1)])
		out = strconv.AppendInt(out, int64(r), 10)
	}
	return append(out, f.final)
}

// The events as the protocol numbers them.
const (
	kittyPress = iota + 1
	kittyRepeat
	kittyRelease
)

// event returns the number of an action; all are presses if the program did
// not ask for more.
func (f kittyFlags) event(a session.Action) int {
	switch {
	case f&kittyEvents == 0:
		return kittyPress
	case a == session.ActionRepeat:
		return kittyRepeat
	case a == session.ActionRelease:
		return kittyRelease
	}
	return kittyPress
}

// appendAlternates appends the key with shift and the key of a US keyboard.
func appendAlternates(out []byte, k session.KeyEvent) []byte {
	shifted := k.Mods&session.ModShift != 0 && k.Shifted > 0 && k.Shifted <= utf8.MaxRune && k.Shifted != k.Code
	base := k.Base > 0 && k.Base <= utf8.MaxRune && k.Base != k.Code
	if shifted || base {
		out = append(out, ':')
	}
	if shifted {
		out = strconv.AppendInt(out, int64(k.Shifted), 10)
	}
	if base {
		out = append(out, ':')
		out = strconv.AppendInt(out, int64(k.Base), 10)
	}
	return out
}
