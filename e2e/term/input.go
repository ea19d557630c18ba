package term

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"aside/session"
)

// Send encodes events for the modes that the program has set, as the terminal
// of a person would, and sends them.
func (t *Terminal) Send(events ...session.Input) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b []byte
	for _, e := range events {
		b = append(b, t.screen.Encode(e)...)
	}
	if len(b) > 0 && !t.child.Send(b) {
		return fmt.Errorf("send %d bytes: the program does not read", len(b))
	}
	return nil
}

// Type presses one key per character; a newline is the enter key.
func (t *Terminal) Type(text string) error {
	var events []session.Input
	for _, r := range text {
		key := typed(r)
		events = append(events, session.Input{Key: &key})
	}
	return t.Send(events...)
}

// typed returns the key press that types a character.
func typed(r rune) session.KeyEvent {
	if r == '\n' {
		return session.KeyEvent{Code: session.KeyEnter}
	}
	key := session.KeyEvent{Code: session.KeyCode(r), Text: string(r)}
	if unicode.IsUpper(r) {
		key.Code, key.Shifted, key.Mods = session.KeyCode(unicode.ToLower(r)), session.KeyCode(r), session.ModShift
	}
	return key
}

// Key presses keys by name, such as "enter", "ctrl+space", "shift+tab", "f5"
// or "x".
func (t *Terminal) Key(names ...string) error {
	var events []session.Input
	for _, name := range names {
		key, err := parseKey(name)
		if err != nil {
			return err
		}
		events = append(events, session.Input{Key: &key})
	}
	return t.Send(events...)
}

// Paste pastes a text.
func (t *Terminal) Paste(text string) error { return t.Send(session.Input{Paste: &text}) }

// Click presses and releases the left button at a cell, counted from 0.
func (t *Terminal) Click(x, y int) error {
	press := session.MouseEvent{Button: session.ButtonLeft, Action: session.ActionPress, X: x, Y: y}
	release := press
	release.Action = session.ActionRelease
	return t.Send(session.Input{Mouse: &press}, session.Input{Mouse: &release})
}

// ClickOn clicks in the middle of a text that is on the screen.
func (t *Terminal) ClickOn(text string) error {
	x, y, found := t.find(text)
	if !found {
		return fmt.Errorf("click on %q: it is not on the screen:\n%s", text, t.Text())
	}
	return t.Click(x, y)
}

// Wheel turns the wheel at a cell, up for a negative number of notches.
func (t *Terminal) Wheel(x, y, notches int) error {
	button := session.ButtonWheelDown
	if notches < 0 {
		button, notches = session.ButtonWheelUp, -notches
	}
	var events []session.Input
	for range notches {
		events = append(events, session.Input{Mouse: &session.MouseEvent{Button: button, X: x, Y: y}})
	}
	return t.Send(events...)
}

// parseKey reads the name of a key with its modifiers.
func parseKey(name string) (session.KeyEvent, error) {
	var key session.KeyEvent
	rest := name
	for {
		mod, after, found := strings.Cut(rest, "+")
		bit := modifier(mod)
		if !found || bit == 0 || after == "" {
			break
		}
		key.Mods |= bit
		rest = after
	}
	code, ok := keyCode(rest)
	if !ok {
		return key, fmt.Errorf("press key %q: there is no such key", name)
	}
	if key.Mods == 0 && printable(code) {
		return typed(rune(code)), nil
	}
	key.Code = code
	return key, nil
}

// printable says that a key types its own character.
func printable(code session.KeyCode) bool {
	return code <= unicode.MaxRune && unicode.IsPrint(rune(code))
}

func modifier(name string) session.Mods {
	switch name {
	case "shift":
		return session.ModShift
	case "alt":
		return session.ModAlt
	case "ctrl":
		return session.ModCtrl
	case "super":
		return session.ModSuper
	}
	return 0
}

func keyCode(name string) (session.KeyCode, bool) {
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && r != utf8.RuneError {
		return session.KeyCode(r), true
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "f")); err == nil && n >= 1 && n <= 35 {
		return session.KeyF(n), true
	}
	code, ok := map[string]session.KeyCode{
		"enter": session.KeyEnter, "esc": session.KeyEscape, "tab": session.KeyTab,
		"backspace": session.KeyBackspace, "delete": session.KeyDelete, "insert": session.KeyInsert, "space": ' ',
		"up": session.KeyUp, "down": session.KeyDown, "left": session.KeyLeft, "right": session.KeyRight,
		"home": session.KeyHome, "end": session.KeyEnd, "pgup": session.KeyPageUp, "pgdown": session.KeyPageDown,
	}[name]
	return code, ok
}
