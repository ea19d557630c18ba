package session

import (
	"strconv"
	"strings"
)

// SGR returns the escape sequence that sets the style on a terminal in its
// default style; "" for the default style. Colours beyond the palette are
// written as 38;2 and 48;2, which every terminal takes.
func (s Style) SGR() string {
	if s == (Style{}) {
		return ""
	}
	b := make([]byte, 0, 32)
	b = append(b, "\x1b["...)
	for _, a := range [...]struct {
		bit  Attrs
		code string
	}{
		{AttrBold, "1;"},
		{AttrFaint, "2;"},
		{AttrItalic, "3;"},
		{AttrBlink, "5;"},
		{AttrReverse, "7;"},
		{AttrConceal, "8;"},
		{AttrStrike, "9;"},
		{AttrOverline, "53;"},
	} {
		if s.Attrs&a.bit != 0 {
			b = append(b, a.code...)
		}
	}
	switch {
	case s.Underline == UnderlineSingle:
		b = append(b, "4;"...)
	case s.Underline != UnderlineNone:
		b = append(b, "4:"...)
		b = append(strconv.AppendUint(b, uint64(s.Underline), 10), ';')
	}
	b = appendColor(b, s.Fg, 30, 38)
	b = appendColor(b, s.Bg, 40, 48)
	if s.Underline != UnderlineNone {
		b = appendColor(b, s.UnderlineColor, -1, 58)
	}
	if b[len(b)-1] != ';' { // nothing that shows, such as an underline's colour alone
		return ""
	}
	b[len(b)-1] = 'm'
	return string(b)
}

// appendColor appends a colour's parameters. basic is the code of palette
// entry 0 in the short form, -1 when there is none; extended is the long one.
func appendColor(b []byte, c Color, basic, extended int) []byte {
	if n, ok := c.Index(); ok {
		switch {
		case basic >= 0 && n < 8:
			return append(strconv.AppendInt(b, int64(basic+int(n)), 10), ';')
		case basic >= 0 && n < 16:
			return append(strconv.AppendInt(b, int64(basic+60+int(n)-8), 10), ';')
		}
		b = strconv.AppendInt(b, int64(extended), 10)
		b = append(b, ";5;"...)
		return append(strconv.AppendUint(b, uint64(n), 10), ';')
	}
	if r, g, bl, ok := c.RGB(); ok {
		b = strconv.AppendInt(b, int64(extended), 10)
		b = append(b, ";2;"...)
		for _, v := range [...]uint8{r, g, bl} {
			b = append(strconv.AppendUint(b, uint64(v), 10), ';')
		}
	}
	return b
}

// ANSI returns the row as text with escape sequences, ending in the default
// style.
func (r Row) ANSI() string {
	var b strings.Builder
	for _, s := range r.Spans {
		sgr := s.Style.SGR()
		b.WriteString(sgr)
		b.WriteString(s.Text)
		if sgr != "" {
			b.WriteString("\x1b[m")
		}
	}
	return b.String()
}
