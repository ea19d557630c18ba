package screen

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"aside/session"
)

// Encode returns the bytes that tell the program about an input event under
// the modes now in force; none if it did not ask for such.
func (s *Screen) Encode(in session.Input) []byte {
	switch {
	case in.Key != nil:
		return s.encodeKey(*in.Key)
	case in.Mouse != nil:
		return s.encodeMouse(*in.Mouse)
	case in.Paste != nil:
		return s.encodePaste(*in.Paste)
	case in.Focus != nil:
		return s.encodeFocus(*in.Focus)
	}
	return in.Raw
}

func (s *Screen) encodeFocus(gained bool) []byte {
	switch {
	case !s.modes.has(modeFocus):
		return nil
	case gained:
		return []byte("\x1b[I")
	}
	return []byte("\x1b[O")
}

// encodePaste returns pasted text, in brackets if the program asked for them
// (mode 2004). Line ends become CR, as the enter key sends; other control
// characters but tab are taken out, so that a paste can neither end its
// bracket nor press a key.
func (s *Screen) encodePaste(text string) []byte {
	if text == "" {
		return nil
	}
	text = strings.NewReplacer("\r\n", "\n", "\x1b[201~", "").Replace(text)
	var out []byte
	brackets := s.modes.has(modePaste)
	if brackets {
		out = append(out, "\x1b[200~"...)
	}
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r':
			out = append(out, '\r')
		case r == '\t' || r >= 0x20 && r < del || r >= 0xa0:
			out = utf8.AppendRune(out, r)
		}
	}
	if brackets {
		out = append(out, "\x1b[201~"...)
	}
	return out
}

// appendNumbers appends decimal numbers joined by semicolons.
func appendNumbers(b []byte, numbers ...int) []byte {
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ';')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return b
}
