package demo

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"aside/session"
)

// key is what a person did: a named key, or text.
type key struct {
	name string // "text" for text, "paste" for a paste
	text string
}

// decoder turns the terminal's bytes into keys.
type decoder struct {
	rest    []byte
	pasting bool
}

var pasteEnd = []byte("\x1b[201~")

// feed returns the keys that a chunk completes.
func (d *decoder) feed(chunk []byte) []key {
	d.rest = append(d.rest, chunk...)
	var keys []key
	for len(d.rest) > 0 {
		if d.pasting {
			text, after, found := bytes.Cut(d.rest, pasteEnd)
			if !found {
				return keys // until the end of the paste has come
			}
			keys = append(keys, key{"paste", string(text)})
			d.rest, d.pasting = after, false
			continue
		}
		k, n := next(d.rest)
		if n == 0 {
			return keys
		}
		d.rest = d.rest[n:]
		if k.name == "paste begins" {
			d.pasting = true
		} else if k.name != "" {
			keys = append(keys, k)
		}
	}
	return keys
}

// waiting says that what came may be the beginning of a sequence.
func (d *decoder) waiting() bool { return !d.pasting && len(d.rest) > 0 && d.rest[0] == 0x1b }

// flush takes what waits for what it is by itself.
func (d *decoder) flush() []key {
	if !d.waiting() {
		return nil
	}
	d.rest = nil
	return []key{{name: "escape"}}
}

// next returns the key that b begins with and its length, 0 when b is only
// the beginning of one. A key without a name is none that is used.
func next(b []byte) (key, int) {
	switch c := b[0]; {
	case c == 0x1b:
		return sequence(b)
	case c < 0x20 || c == 0x7f:
		return key{name: controls[c]}, 1
	}
	n := 0
	for n < len(b) && b[n] >= 0x20 && b[n] != 0x7f {
		if !utf8.FullRune(b[n:]) {
			break
		}
		_, size := utf8.DecodeRune(b[n:])
		n += size
	}
	return key{name: "text", text: string(b[:n])}, n
}

var controls = map[byte]string{
	0x01: "home", 0x03: "interrupt", 0x04: "end of input", 0x05: "end", 0x0a: "enter", 0x0d: "enter",
	0x15: "clear", 0x17: "erase word", 0x08: "erase", 0x7f: "erase",
}

var sequences = map[string]string{
	"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
	"3~": "delete", "5~": "page up", "6~": "page down", "200~": "paste begins",
}

// sequence decodes CSI and SS3.
func sequence(b []byte) (key, int) {
	if len(b) == 1 {
		return key{}, 0
	}
	if b[1] != '[' && b[1] != 'O' {
		return key{name: "escape"}, 1
	}
	for n := 2; n < len(b); n++ {
		if b[n] >= 0x40 && b[n] <= 0x7e {
			return key{name: sequences[string(b[2:n+1])]}, n + 1
		}
	}
	return key{}, 0
}

// keys acts on what a person did.
func (a *app) keys(ctx context.Context, keys []key) {
	for _, k := range keys {
		switch {
		case k.name == "page up":
			a.view.scroll(+1)
		case k.name == "page down":
			a.view.scroll(-1)
		case a.view.menu != nil && a.choose(k):
		case k.name == "escape" || k.name == "interrupt":
			a.interrupt()
		case k.name == "end of input":
			if a.view.input.empty() {
				a.leave()
			}
		case k.name == "enter":
			if text := strings.TrimSpace(a.view.input.take()); text != "" {
				a.prompt(ctx, text)
			}
		default:
			a.view.input.key(k)
		}
	}
}

// choose gives a key to the agent's own prompt, and says whether it was for
// it.
func (a *app) choose(k key) bool {
	m := a.view.menu
	switch k.name {
	case "up":
		m.at = (m.at + len(m.options) - 1) % len(m.options)
	case "down":
		m.at = (m.at + 1) % len(m.options)
	case "enter":
		a.chosen(m.at)
	case "escape", "interrupt":
		a.chosen(len(m.options) - 1)
	case "text":
		switch i := int(k.text[0] - '1'); {
		case k.text == "y":
			a.chosen(0)
		case k.text == "n":
			a.chosen(len(m.options) - 1)
		case len(k.text) == 1 && i >= 0 && i < len(m.options):
			a.chosen(i)
		}
	default:
		return k.name == "paste"
	}
	return true
}

func (a *app) chosen(i int) {
	m := a.view.menu
	a.view.menu = nil
	m.chosen <- i // has room for the one answer that is ever given
}

// interrupt ends the turn; without one it clears the input, and then says
// how to leave.
func (a *app) interrupt() {
	switch {
	case a.stopTurn != nil:
		a.queue, a.view.waiting = nil, 0
		a.stopTurn()
	case !a.view.input.empty():
		a.view.input.take()
	default:
		a.view.hint = "ctrl+d or exit leaves"
	}
}

// input is the text being written, with the cursor between two of its
// characters.
type input struct {
	text []rune
	at   int
}

func (in *input) empty() bool { return len(in.text) == 0 }

func (in *input) take() string {
	s := string(in.text)
	*in = input{}
	return s
}

func (in *input) insert(s string) {
	r := []rune(s)
	in.text = append(in.text[:in.at:in.at], append(r, in.text[in.at:]...)...)
	in.at += len(r)
}

func (in *input) erase(from, to int) {
	in.text = append(in.text[:from], in.text[to:]...)
	in.at = from
}

func (in *input) key(k key) {
	switch k.name {
	case "text", "paste":
		in.insert(session.Clean(k.text))
	case "clear":
		in.take()
	case "erase":
		in.erase(max(0, in.at-1), in.at)
	case "delete":
		in.erase(in.at, min(len(in.text), in.at+1))
	case "erase word":
		in.erase(in.wordStart(), in.at)
	default:
		in.move(k.name)
	}
}

func (in *input) move(name string) {
	switch name {
	case "left":
		in.at = max(0, in.at-1)
	case "right":
		in.at = min(len(in.text), in.at+1)
	case "home":
		in.at = 0
	case "end":
		in.at = len(in.text)
	}
}

// wordStart returns where the word before the cursor begins.
func (in *input) wordStart() int {
	at := in.at
	for at > 0 && in.text[at-1] == ' ' {
		at--
	}
	for at > 0 && in.text[at-1] != ' ' {
		at--
	}
	return at
}
