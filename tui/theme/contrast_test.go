package theme

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// legible is the contrast that text needs (WCAG 2.2, 1.4.3 AA).
const legible = 4.5

// rgb is a colour in sRGB, each part from 0 to 255.
type rgb [3]uint8

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// luminance is the relative luminance of WCAG 2.2.
func (c rgb) luminance() float64 {
	part := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c[0]) + 0.7152*part(c[1]) + 0.0722*part(c[2])
}

func contrast(a, b rgb) float64 {
	la, lb := a.luminance(), b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// terminal is what a terminal draws with: its ground, its text and its own 16
// colours.
type terminal struct {
	name       string
	dark       bool
	ground, fg rgb
	basic      [16]rgb
}

func hex(s string) rgb {
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		panic(err)
	}
	return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v)}
}

func basic(s string) (out [16]rgb) {
	for i, f := range strings.Fields(s) {
		out[i] = hex(f)
	}
	return out
}

// terminals are grounds that many people have.
func terminals() []terminal {
	xterm := basic("000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff")
	vga := basic("000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff")
	return []terminal{
		{"xterm", true, hex("000000"), hex("e5e5e5"), xterm},
		{"VGA", true, hex("000000"), hex("aaaaaa"), vga},
		{"VS Code dark", true, hex("1e1e1e"), hex("cccccc"), basic("000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db e5e5e5")},
		{"Tango dark", true, hex("300a24"), hex("eeeeec"), [16]rgb{}},
		{"One Dark", true, hex("282c34"), hex("abb2bf"), [16]rgb{}},
		{"Solarized dark", true, hex("002b36"), hex("93a1a1"), [16]rgb{}},
		{"xterm white", false, hex("ffffff"), hex("000000"), xterm},
		{"VGA white", false, hex("ffffff"), hex("000000"), vga},
		{"VS Code light", false, hex("ffffff"), hex("333333"), basic("000000 cd3131 00bc00 949800 0451a5 bc05bc 0598bc 555555 666666 cd3131 14ce14 b5ba00 0451a5 bc05bc 0598bc a5a5a5")},
		{"Solarized light", false, hex("fdf6e3"), hex("586e75"), [16]rgb{}},
		{"paper", false, hex("fbfbf8"), hex("2b2d31"), [16]rgb{}},
	}
}

// color returns the colour that a style sets as its foreground (38, 3n, 9n) or
// its ground (48).
func (tm terminal) color(st Style, ground bool) (rgb, bool) {
	p := strings.Split(string(st), ";")
	number := func(i int) int { n, _ := strconv.Atoi(p[i]); return n }
	extended := "38"
	if ground {
		extended = "48"
	}
	for i := 0; i < len(p); i++ {
		switch n := number(i); {
		case (p[i] == "38" || p[i] == "48") && p[i+1] == "5":
			if p[i] == extended {
				return tm.indexed(number(i + 2)), true
			}
			i += 2
		case (p[i] == "38" || p[i] == "48") && p[i+1] == "2":
			if p[i] == extended {
				return rgb{uint8(number(i + 2)), uint8(number(i + 3)), uint8(number(i + 4))}, true
			}
			i += 4
		case n >= 30 && n <= 37 && !ground:
			return tm.basic[n-30], true
		case n >= 90 && n <= 97 && !ground:
			return tm.basic[n-90+8], true
		}
	}
	return rgb{}, false
}

func (tm terminal) indexed(n int) rgb {
	switch {
	case n < 16:
		return tm.basic[n]
	case n < 232:
		n -= 16
		level := func(v int) uint8 {
			if v == 0 {
				return 0
			}
			return uint8(55 + 40*v)
		}
		return rgb{level(n / 36), level(n / 6 % 6), level(n % 6)}
	}
	grey := uint8(8 + 10*(n-232))
	return rgb{grey, grey, grey}
}

// styles are all styles of a theme by their names.
func styles(v reflect.Value, name string, out map[string]Style) map[string]Style {
	for i := range v.NumField() {
		f, n := v.Field(i), v.Type().Field(i).Name
		switch {
		case f.Type() == reflect.TypeFor[Style]():
			out[name+n] = Style(f.String())
		case f.Kind() == reflect.Struct:
			styles(f, name+n+".", out)
		}
	}
	return out
}

// TestTextIsLegible computes the contrast of every colour of text against the
// grounds that it can lie on.
func TestTextIsLegible(t *testing.T) {
	for _, tm := range terminals() {
		for _, colors := range []int{Colors16, Colors256, ColorsTrue} {
			if colors == Colors16 && tm.basic == ([16]rgb{}) {
				continue // it leaves these colours to the person
			}
			th := New(tm.dark, colors)
			all := styles(reflect.ValueOf(th), "", map[string]Style{})
			grounds := map[string]rgb{"the ground": tm.ground}
			for name, st := range all {
				if g, ok := tm.color(st, true); ok {
					grounds[name] = g
				}
			}
			for name, st := range all {
				fg, ok := tm.color(st, false)
				if !ok {
					continue
				}
				for on, g := range grounds {
					code, changed := strings.HasPrefix(name, "Code."), strings.HasPrefix(on, "Added") || strings.HasPrefix(on, "Removed")
					if changed && !code {
						continue // nothing but code lies on it
					}
					if c := contrast(fg, g); c < legible {
						t.Errorf("%s, %d colours: %s %s on %s %v has %.1f:1", tm.name, colors, name, fg, on, g, c)
					}
				}
			}
			for on, g := range grounds {
				// A ground must not take more from plain text than a little.
				if c := contrast(tm.fg, g); c < min(legible, 0.7*contrast(tm.fg, tm.ground)) {
					t.Errorf("%s, %d colours: plain text on %s %v has %.1f:1", tm.name, colors, on, g, c)
				}
			}
		}
	}
}
