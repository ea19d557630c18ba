package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"aside/session"
)

// leaderKey is the leader as a terminal sends it.
type leaderKey struct {
	bytes string // of a press, before the kitty keyboard protocol
	code  int    // in that protocol
	mods  int    // in that protocol, as bits
}

// The modifiers of the kitty keyboard protocol that a leader can have.
const (
	kittyAlt  = 2
	kittyCtrl = 4
)

// leaderNamed returns the leader with the name that the configuration has.
func leaderNamed(name string) (leaderKey, error) {
	mod, key, _ := strings.Cut(name, "+")
	if key == "space" {
		key = " "
	}
	if len(key) == 1 {
		c := key[0]
		switch {
		case mod == "ctrl" && c == ' ':
			return leaderKey{"\x00", ' ', kittyCtrl}, nil
		case mod == "ctrl" && strings.ContainsRune(`@abcdefghijklmnopqrstuvwxyz\]^_`, rune(c)):
			return leaderKey{string(rune(c & 0x1f)), int(c), kittyCtrl}, nil
		case mod == "alt" && c > ' ' && c <= '~' && c != '[' && c != 'O':
			return leaderKey{"\x1b" + key, int(c), kittyAlt}, nil
		}
	}
	return leaderKey{}, &session.Error{
		Code: session.CodeUsage, Message: fmt.Sprintf("the leader %s cannot be told from other keys here", session.MarkLine(name)),
		Hint: "set leader in the configuration file to a key such as ctrl+space, ctrl+b or alt+a",
	}
}

// keyboard reads what a terminal sends. All but the leader's keys is for the
// pane: bytes as they are, but reports of focus and mouse and the cursor keys
// as what they mean, since a pane can have other modes in force than this
// terminal, and since they are no act of typing.
type keyboard struct {
	leader  leaderKey
	rest    string // the beginning of a sequence
	armed   bool   // the leader was pressed
	pasting bool
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// take reads bytes. detach says that the leader and d were pressed; what
// came after them is dropped.
func (k *keyboard) take(b []byte) (in []session.Input, detach bool) {
	var raw strings.Builder
	flush := func() {
		if raw.Len() > 0 {
			in = append(in, session.Input{Raw: []byte(raw.String())})
			raw.Reset()
		}
	}
	text := k.rest + string(b)
	for k.rest = ""; text != ""; {
		n := unit(text)
		if n == 0 {
			k.rest = text
			break
		}
		u := text[:n]
		text = text[n:]
		switch {
		case u == pasteBegin, u == pasteEnd, k.pasting:
			k.pasting = u == pasteBegin || k.pasting && u != pasteEnd
			raw.WriteString(u)
			continue
		}
		if mine, out := k.command(u); mine {
			if out {
				flush()
				return in, true
			}
			continue
		}
		if e, ok := meant(u); ok {
			flush()
			in = append(in, e)
			continue
		}
		raw.WriteString(u)
	}
	flush()
	return in, false
}

// command handles the leader and the key after it; mine says that the unit
// was one of them and goes no further.
func (k *keyboard) command(u string) (mine, detach bool) {
	if focusReport(u) || strings.HasPrefix(u, mouseBegin) {
		return false, false
	}
	code, mods, released, coded := kittyKey(u)
	isLeader := u == k.leader.bytes || coded && code == k.leader.code && mods == k.leader.mods
	switch {
	case released:
		return isLeader || k.armed, false
	case !k.armed:
		k.armed = isLeader
		return isLeader, false
	}
	k.armed = false
	if isLeader {
		return false, false // pressed twice it goes through
	}
	return true, u == "d" || coded && code == 'd' && mods == 0
}

// unit returns the length of the key, report or character that text begins
// with, 0 when more has to come. An escape alone is the key.
func unit(text string) int {
	if text[0] != 0x1b {
		_, n := utf8.DecodeRuneInString(text)
		return n
	}
	if len(text) <= 2 {
		return len(text)
	}
	switch text[1] {
	case 'O':
		return 3
	case '[':
		for i := 2; i < len(text); i++ {
			switch c := text[i]; {
			case c >= 0x40 && c <= 0x7e:
				return i + 1
			case c < 0x20 || c > 0x3f || i > maxSequence:
				return i
			}
		}
		return 0
	}
	_, n := utf8.DecodeRuneInString(text[1:])
	return 1 + n
}

// maxSequence is longer than any sequence that a terminal sends for a key.
const maxSequence = 64

// kittyKey reads a key of the kitty keyboard protocol: CSI code ; mods u.
func kittyKey(u string) (code, mods int, released, ok bool) {
	body, ok := strings.CutPrefix(u, "\x1b[")
	if !ok {
		return 0, 0, false, false
	}
	body, ok = strings.CutSuffix(body, "u")
	if !ok {
		return 0, 0, false, false
	}
	fields := strings.Split(body, ";")
	first, _, _ := strings.Cut(fields[0], ":")
	code, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false, false
	}
	if len(fields) > 1 {
		held, event, _ := strings.Cut(fields[1], ":")
		if n, err := strconv.Atoi(held); err == nil {
			mods = (n - 1) & 0x3f // without the locks
		}
		released = event == "3"
	}
	return code, mods, released, true
}

const mouseBegin = "\x1b[<"

func focusReport(u string) bool { return u == "\x1b[I" || u == "\x1b[O" }

// meant returns what a report or a cursor key means; ok is false for all else.
func meant(u string) (in session.Input, ok bool) {
	if focusReport(u) {
		gained := u == "\x1b[I"
		return session.Input{Focus: &gained}, true
	}
	if len(u) == 3 && (u[1] == '[' || u[1] == 'O') {
		if code, ok := cursorKeys[u[2]]; ok {
			return session.Input{Key: &session.KeyEvent{Code: code}}, true
		}
	}
	if body, ok := strings.CutPrefix(u, mouseBegin); ok {
		return mouseReport(body)
	}
	return in, false
}

var cursorKeys = map[byte]session.KeyCode{
	'A': session.KeyUp, 'B': session.KeyDown, 'C': session.KeyRight, 'D': session.KeyLeft,
	'H': session.KeyHome, 'F': session.KeyEnd,
}

// mouseReport reads a report of the mouse in SGR form, after its introducer.
func mouseReport(body string) (session.Input, bool) {
	var b, x, y int
	var end byte
	if n, err := fmt.Sscanf(body, "%d;%d;%d%c", &b, &x, &y, &end); n != 4 || err != nil || end != 'M' && end != 'm' {
		return session.Input{}, false
	}
	m := session.MouseEvent{X: x - 1, Y: y - 1}
	for bit, mod := range map[int]session.Mods{4: session.ModShift, 8: session.ModAlt, 16: session.ModCtrl} {
		if b&bit != 0 {
			m.Mods |= mod
		}
	}
	low := session.MouseButton(b & 3)
	switch {
	case b&128 != 0:
		m.Button = session.ButtonBackward + low
	case b&64 != 0:
		m.Button = session.ButtonWheelUp + low
	case low < 3:
		m.Button = session.ButtonLeft + low
	}
	switch {
	case b&32 != 0:
		m.Action = session.ActionMove
	case end == 'm':
		m.Action = session.ActionRelease
	}
	return session.Input{Mouse: &m}, true
}
