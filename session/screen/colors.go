package screen

import (
	"bytes"
	"strconv"
	"strings"

	"aside/session"
)

// The special colours that OSC 10 to 19 set, counted from OSC 10.
const (
	colorFg      = 0
	colorBg      = 1
	colorCursor  = 2
	colorMouseBg = 4
	colorTekBg   = 6
	colorMarkBg  = 7
	specials     = 10
)

// colors are the colours the program has set, for its own pane alone;
// ColorDefault where it has not.
type colors struct {
	special [specials]session.Color
	palette map[uint8]session.Color
}

// resolve puts in the colours of the palette that the program changed.
func (c *colors) resolve(st session.Style) session.Style {
	if len(c.palette) == 0 {
		return st
	}
	for _, p := range []*session.Color{&st.Fg, &st.Bg, &st.UnderlineColor} {
		if n, ok := p.Index(); ok {
			if to, ok := c.palette[n]; ok {
				*p = to
			}
		}
	}
	return st
}

// oscColor is one of the commands about colours.
func (s *Screen) oscColor(n int, rest []byte, end string) {
	switch {
	case n == 4:
		s.oscPalette(rest, end)
	case n >= 10 && n < 10+specials:
		s.oscSpecial(n, rest, end)
	case n == 104:
		s.resetPalette(rest)
	case n >= 110 && n < 110+specials:
		s.colors.special[n-110] = session.ColorDefault
	}
}

// oscPalette is OSC 4 with pairs of index and colour or question mark.
func (s *Screen) oscPalette(rest []byte, end string) {
	parts := bytes.Split(rest, []byte{';'})
	for ; len(parts) >= 2; parts = parts[2:] {
		n, err := strconv.ParseUint(string(parts[0]), 10, 8)
		if err != nil {
			continue
		}
		i := uint8(n)
		if string(parts[1]) == "?" {
			c, ok := s.colors.palette[i]
			if !ok {
				c = paletteColor(i)
			}
			s.replyf("\x1b]4;%d;%s%s", i, colorSpec(c), end)
			continue
		}
		if c, ok := parseColor(string(parts[1])); ok {
			if s.colors.palette == nil {
				s.colors.palette = map[uint8]session.Color{}
			}
			s.colors.palette[i] = c
			s.changedAll()
		}
	}
}

func (s *Screen) resetPalette(rest []byte) {
	if len(s.colors.palette) == 0 {
		return
	}
	s.changedAll()
	if len(rest) == 0 {
		s.colors.palette = nil
		return
	}
	for part := range bytes.SplitSeq(rest, []byte{';'}) {
		if n, err := strconv.ParseUint(string(part), 10, 8); err == nil {
			delete(s.colors.palette, uint8(n))
		}
	}
}

// oscSpecial is OSC 10 to 19; each further parameter is about the next
// number.
func (s *Screen) oscSpecial(n int, rest []byte, end string) {
	for part := range bytes.SplitSeq(rest, []byte{';'}) {
		if n >= 10+specials {
			return
		}
		if string(part) == "?" {
			s.replyf("\x1b]%d;%s%s", n, colorSpec(s.specialColor(n-10)), end)
		} else if c, ok := parseColor(string(part)); ok {
			s.colors.special[n-10] = c
		}
		n++
	}
}

func (s *Screen) specialColor(i int) session.Color {
	if c := s.colors.special[i]; c != session.ColorDefault {
		return c
	}
	switch i {
	case colorFg:
		return s.opts.Fg
	case colorBg:
		return s.opts.Bg
	case colorMouseBg, colorTekBg, colorMarkBg:
		return s.specialColor(colorBg)
	}
	return s.specialColor(colorFg)
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
