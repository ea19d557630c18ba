package tui

import (
	"aside/session"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// modeClusters is the mode in which a terminal measures grapheme clusters.
const modeClusters = ansi.ModeUnicodeCore

// The kitty keyboard flags.
const (
	kittyEvents     = 2
	kittyAlternates = 4
	kittyAllKeys    = 8
	kittyText       = 16
)

// reports says that a program has asked for key releases.
func reports(m session.Modes) bool { return m.Keyboard&kittyEvents != 0 }

// enhancements asks the outer terminal for what the focused program has asked
// its own for.
func enhancements(m session.Modes) tea.KeyboardEnhancements {
	return tea.KeyboardEnhancements{
		ReportEventTypes:           m.Keyboard&kittyEvents != 0,
		ReportAlternateKeys:        m.Keyboard&kittyAlternates != 0,
		ReportAllKeysAsEscapeCodes: m.Keyboard&kittyAllKeys != 0,
		ReportAssociatedText:       m.Keyboard&kittyText != 0,
	}
}

// keyEvent returns a key in aside's words; ok is false for one that has none.
func keyEvent(k tea.Key, a session.Action) (e session.KeyEvent, ok bool) {
	e = session.KeyEvent{Action: a, Mods: mods(k.Mod), Text: k.Text, Shifted: session.KeyCode(k.ShiftedCode), Base: session.KeyCode(k.BaseCode)}
	switch {
	case k.Code == tea.KeyExtended:
		// Several code points at once; only their text is known.
		return e, k.Text != ""
	case k.Code < tea.KeyExtended:
		e.Code = session.KeyCode(k.Code)
		return e, k.Code > 0
	case k.Code >= tea.KeyF1 && k.Code <= tea.KeyF35:
		e.Code = session.KeyF(int(k.Code-tea.KeyF1) + 1)
		return e, true
	case k.Code >= tea.KeyKp0 && k.Code <= tea.KeyKp9:
		e.Code = session.KeyKp0 + session.KeyCode(k.Code-tea.KeyKp0)
		return e, true
	}
	if e.Code, ok = editing(k.Code); !ok {
		if e.Code, ok = keypad(k.Code); !ok {
			e.Code, ok = modifierKey(k.Code)
		}
	}
	return e, ok
}

func editing(code rune) (session.KeyCode, bool) {
	switch code {
	case tea.KeyUp:
		return session.KeyUp, true
	case tea.KeyDown:
		return session.KeyDown, true
	case tea.KeyLeft:
		return session.KeyLeft, true
	case tea.KeyRight:
		return session.KeyRight, true
	case tea.KeyHome, tea.KeyFind:
		return session.KeyHome, true
	case tea.KeyEnd, tea.KeySelect:
		return session.KeyEnd, true
	case tea.KeyPgUp:
		return session.KeyPageUp, true
	case tea.KeyPgDown:
		return session.KeyPageDown, true
	case tea.KeyInsert:
		return session.KeyInsert, true
	case tea.KeyDelete:
		return session.KeyDelete, true
	}
	return 0, false
}

func keypad(code rune) (session.KeyCode, bool) {
	switch code {
	case tea.KeyKpEnter:
		return session.KeyKpEnter, true
	case tea.KeyKpPlus:
		return session.KeyKpPlus, true
	case tea.KeyKpMinus:
		return session.KeyKpMinus, true
	case tea.KeyKpMultiply:
		return session.KeyKpMultiply, true
	case tea.KeyKpDivide:
		return session.KeyKpDivide, true
	case tea.KeyKpDecimal:
		return session.KeyKpDecimal, true
	case tea.KeyKpEqual:
		return '=', true
	case tea.KeyKpComma, tea.KeyKpSep:
		return ',', true
	}
	return keypadArrow(code)
}

// keypadArrow are the keypad's keys with the number lock off.
func keypadArrow(code rune) (session.KeyCode, bool) {
	switch code {
	case tea.KeyKpUp:
		return session.KeyUp, true
	case tea.KeyKpDown:
		return session.KeyDown, true
	case tea.KeyKpLeft:
		return session.KeyLeft, true
	case tea.KeyKpRight:
		return session.KeyRight, true
	case tea.KeyKpHome:
		return session.KeyHome, true
	case tea.KeyKpEnd:
		return session.KeyEnd, true
	case tea.KeyKpPgUp:
		return session.KeyPageUp, true
	case tea.KeyKpPgDown:
		return session.KeyPageDown, true
	case tea.KeyKpInsert:
		return session.KeyInsert, true
	case tea.KeyKpDelete:
		return session.KeyDelete, true
	}
	return 0, false
}

func modifierKey(code rune) (session.KeyCode, bool) {
	switch code {
	case tea.KeyLeftShift:
		return session.KeyLeftShift, true
	case tea.KeyLeftCtrl:
		return session.KeyLeftCtrl, true
	case tea.KeyLeftAlt:
		return session.KeyLeftAlt, true
	case tea.KeyLeftSuper:
		return session.KeyLeftSuper, true
	case tea.KeyRightShift:
		return session.KeyRightShift, true
	case tea.KeyRightCtrl:
		return session.KeyRightCtrl, true
	case tea.KeyRightAlt:
		return session.KeyRightAlt, true
	case tea.KeyRightSuper:
		return session.KeyRightSuper, true
	case tea.KeyCapsLock:
		return session.KeyCapsLock, true
	case tea.KeyNumLock:
		return session.KeyNumLock, true
	}
	return 0, false
}

// modifier says that a key is a modifier by itself.
func modifier(code rune) bool {
	_, ok := modifierKey(code)
	return ok
}

func mods(m tea.KeyMod) session.Mods {
	var out session.Mods
	for _, p := range [...]struct {
		in  tea.KeyMod
		out session.Mods
	}{
		{tea.ModShift, session.ModShift},
		{tea.ModAlt, session.ModAlt},
		{tea.ModCtrl, session.ModCtrl},
		{tea.ModSuper, session.ModSuper},
		{tea.ModHyper, session.ModHyper},
		{tea.ModMeta, session.ModMeta},
		{tea.ModCapsLock, session.ModCapsLock},
		{tea.ModNumLock, session.ModNumLock},
	} {
		if m.Contains(p.in) {
			out |= p.out
		}
	}
	return out
}

// mouseEvent returns an event of the mouse at a cell of the pane; ok is false
// for a button that has no word.
func mouseEvent(msg tea.MouseMsg, x, y int) (e session.MouseEvent, ok bool) {
	ms := msg.Mouse()
	e = session.MouseEvent{X: x, Y: y, Mods: mods(ms.Mod)}
	switch msg.(type) {
	case tea.MouseReleaseMsg:
		e.Action = session.ActionRelease
	case tea.MouseMotionMsg:
		e.Action = session.ActionMove
	}
	for _, b := range [...]struct {
		in  tea.MouseButton
		out session.MouseButton
	}{
		{tea.MouseNone, session.ButtonNone},
		{tea.MouseLeft, session.ButtonLeft},
		{tea.MouseMiddle, session.ButtonMiddle},
		{tea.MouseRight, session.ButtonRight},
		{tea.MouseWheelUp, session.ButtonWheelUp},
		{tea.MouseWheelDown, session.ButtonWheelDown},
		{tea.MouseWheelLeft, session.ButtonWheelLeft},
		{tea.MouseWheelRight, session.ButtonWheelRight},
		{tea.MouseBackward, session.ButtonBackward},
		{tea.MouseForward, session.ButtonForward},
	} {
		if b.in == ms.Button {
			e.Button = b.out
			return e, true
		}
	}
	return e, false
}
