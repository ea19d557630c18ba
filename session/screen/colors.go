package screen

import (
	"bytes"
	"strconv"
	"strings"

	"aside/session"
)

// The dynamic colours, which OSC 10 to 19 set, counted from OSC 10.
const (
	colorFg      = 0
	colorBg      = 1
	colorCursor  = 2
	colorMouseBg = 4
	colorTekBg   = 6
	colorMarkBg  = 7
	dynamics     = 10
)

// colors are the colours the program has set, for its own pane alone;
// ColorDefault where it has not.
type colors struct {
	dynamic [dynamics]session.Color
	palette map[int]session.Color // with the special colours
}

// resolve puts in the colours of the palette that the program changed.
func (c *colors) resolve(st session.Style) session.Style {
	if len(c.palette) == 0 {
		return st
	}
	for _, p := range []*session.Color{&st.Fg, &st.Bg, &st.UnderlineColor} {
		if n, ok := p.Index(); ok {
			if to, ok := c.palette[int(n)]; ok {
				*p = to
			}
		}
	}
	return st
}

// oscColor is one of the commands about colours.
func (s *Screen) oscColor(n int, rest []byte, end string) {
	switch {
	case n == 4 || n == 5:
		s.oscPalette(n, rest, end)
	case n >= 10 && n < 10+dynamics:
		s.oscDynamic(n, rest, end)
	case n == 104 || n == 105:
		s.resetPalette(n-100, rest)
	case n >= 110 && n < 110+dynamics:
		s.colors.dynamic[n-110] = session.ColorDefault
	}
}

// The special colours are those of attributes: bold, underline, blinking,
// reverse and italic. OSC 5 numbers them from 0, OSC 4 from 256. As in xterm
// at its start they are kept for the program that asks, and colour nothing.
const (
	special  = 256
	specials = 5
)

// paletteIndex reads a number of OSC 4 or 5, and says whether it has a colour.
func paletteIndex(osc int, number []byte) (int, bool) {
	i, err := strconv.ParseUint(string(number), 10, 16)
	if osc == 5 {
		i += special
	}
	return int(i), err == nil && i < special+specials
}

// oscPalette is OSC 4 and 5 with pairs of index and colour or question mark.
func (s *Screen) oscPalette(osc int, rest []byte, end string) {
	parts := bytes.Split(rest, []byte{';'})
	for ; len(parts) >= 2; parts = parts[2:] {
		i, ok := paletteIndex(osc, parts[0])
		if !ok {
			continue
		}
		if string(parts[1]) == "?" {
			number := i
			if osc == 5 {
				number -= special
			}
			s.replyf("\x1b]%d;%d;%s%s", osc, number, colorSpec(s.paletteColor(i)), end)
			continue
		}
		if c, ok := parseColor(string(parts[1])); ok {
			if s.colors.palette == nil {
				s.colors.palette = map[int]session.Color{}
			}
			s.colors.palette[i] = c
			s.changedAll()
		}
	}
}

// resetPalette is OSC 104 and 105: without an index all that 4 or 5 set.
func (s *Screen) resetPalette(osc int, rest []byte) {
	if len(s.colors.palette) == 0 {
		return
	}
	s.changedAll()
	if len(rest) == 0 {
		for i := range s.colors.palette {
			if (i >= special) == (osc == 5) {
				delete(s.colors.palette, i)
			}
		}
		return
	}
	for part := range bytes.SplitSeq(rest, []byte{';'}) {
		if i, ok := paletteIndex(osc, part); ok {
			delete(s.colors.palette, i)
		}
	}
}

func (s *Screen) paletteColor(i int) session.Color {
	if c, ok := s.colors.palette[i]; ok {
		return c
	}
	if i >= special {
		return s.dynamicColor(colorFg)
	}
	return paletteColor(uint8(i))
}

// oscDynamic is OSC 10 to 19; each further parameter is about the next
// number.
func (s *Screen) oscDynamic(n int, rest []byte, end string) {
	for part := range bytes.SplitSeq(rest, []byte{';'}) {
		if n >= 10+dynamics {
			return
		}
		if string(part) == "?" {
			s.replyf("\x1b]%d;%s%s", n, colorSpec(s.dynamicColor(n-10)), end)
		} else if c, ok := parseColor(string(part)); ok {
			s.colors.dynamic[n-10] = c
		}
		n++
	}
}

func (s *Screen) dynamicColor(i int) session.Color {
	if c := s.colors.dynamic[i]; c != session.ColorDefault {
		return c
	}
	switch i {
	case colorFg:
		return s.opts.Fg
	case colorBg:
		return s.opts.Bg
	case colorMouseBg, colorTekBg, colorMarkBg:
		return s.dynamicColor(colorBg)
	}
	return s.dynamicColor(colorFg)
}

// colorSpec writes a colour as X11 does.
func colorSpec(c session.Color) string {
	r, g, b, _ := c.RGB()
	const digits = "0123456789abcdef"
	spec := []byte("rgb:")
	for i, v := range [3]uint8{r, g, b} {
		if i > 0 {
			spec = append(spec, '/')
		}
		hi, lo := digits[v>>4], digits[v&15]
		spec = append(spec, hi, lo, hi, lo)
	}
	return string(spec)
}

// parseColor reads rgb:r/g/b and #rgb with one to four digits for each part.
func parseColor(spec string) (session.Color, bool) {
	var parts []string
	scaled := true
	if rest, ok := strings.CutPrefix(spec, "rgb:"); ok {
		parts = strings.Split(rest, "/")
	} else if rest, ok := strings.CutPrefix(spec, "#"); ok && len(rest)%3 == 0 {
		n := len(rest) / 3
		parts = []string{rest[:n], rest[n : 2*n], rest[2*n:]}
		scaled = false
	}
	if len(parts) != 3 {
		return 0, false
	}
	var rgb [3]uint8
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return 0, false
		}
		bits := 4 * len(p)
		switch {
		case scaled: // f is ff
			rgb[i] = uint8(v * 255 / (1<<bits - 1))
		case bits == 4: // f is f0
			rgb[i] = uint8(v << 4)
		default:
			rgb[i] = uint8(v >> (bits - 8))
		}
	}
	return session.RGB(rgb[0], rgb[1], rgb[2]), true
}

// paletteColor returns the colour that xterm has at n.
func paletteColor(n uint8) session.Color {
	switch {
	case n < 16:
		c := [16]uint32{
			0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
			0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
		}[n]
		return session.RGB(uint8(c>>16), uint8(c>>8), uint8(c))
	case n < 232:
		level := func(v uint8) uint8 {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return session.RGB(level(n/36), level(n/6%6), level(n%6))
	}
	v := 8 + 10*(n-232)
	return session.RGB(v, v, v)
}
