package paint

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// palette brings colours down to those a terminal has. The zero value is a
// terminal with all of them.
type palette struct {
	profile colorprofile.Profile
	known   map[string]string // SGR sequences brought down
}

// maxKnown bounds known: an agent may use any number of colours.
const maxKnown = 2048

// all says that the terminal has every colour.
func (p *palette) all() bool {
	return p.profile == colorprofile.Unknown || p.profile == colorprofile.TrueColor
}

// hex returns a colour as OSC 12 takes it, "" for the terminal's own, which is
// also what one without colours keeps.
func (p *palette) hex(c color.Color) string {
	if c == nil || !p.all() && p.profile < colorprofile.ANSI {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// append appends text with its colours brought down.
func (p *palette) append(b []byte, s string) []byte {
	if p.all() {
		return append(b, s...)
	}
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return append(b, s...)
		}
		b = append(b, s[:i]...)
		s = s[i:]
		n := 2
		for n < len(s) && (s[n] < 0x40 || s[n] > 0x7e) {
			n++
		}
		if n == len(s) {
			return b // a sequence without an end would take what follows it
		}
		n++
		if s[n-1] == 'm' {
			b = append(b, p.sgr(s[:n])...)
		} else {
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
}

// sgr returns an SGR sequence with its colours brought down. It is "" when
// nothing is left of it: an empty one would reset everything.
func (p *palette) sgr(seq string) string {
	if p.profile <= colorprofile.NoTTY {
		return ""
	}
	if out, ok := p.known[seq]; ok {
		return out
	}
	body := seq[2 : len(seq)-1]
	var kept []string
	for params := strings.Split(body, ";"); len(params) > 0; {
		out, n := p.param(params)
		if out != "" || params[0] == "" {
			kept = append(kept, out)
		}
		params = params[n:]
	}
	out := ""
	if len(kept) > 0 {
		out = "\x1b[" + strings.Join(kept, ";") + "m"
	}
	if p.known == nil || len(p.known) >= maxKnown {
		p.known = map[string]string{}
	}
	p.known[seq] = out
	return out
}

// param brings the first parameter down; n is how many belong to it.
func (p *palette) param(params []string) (out string, n int) {
	first, n := params[0], 1
	kind, sub, colon := strings.Cut(first, ":")
	switch kind {
	case "38", "48", "58":
		parts := params[1:]
		if colon {
			parts = strings.Split(sub, ":")
			if len(parts) == 5 && parts[0] == "2" {
				parts = append(parts[:1:1], parts[2:]...) // the colour space, which nobody heeds
			}
		}
		c, used := extended(parts)
		if !colon {
			n += used
		}
		if c == nil {
			return "", n
		}
		return p.code(kind, p.profile.Convert(c)), n
	}
	if code, err := strconv.Atoi(first); err == nil && basic(code) && p.profile < colorprofile.ANSI {
		return "", 1
	}
	return first, 1
}

// basic says that an SGR code is one of the 16 colours.
func basic(code int) bool {
	return code >= 30 && code <= 37 || code >= 40 && code <= 47 || code >= 90 && code <= 97 || code >= 100 && code <= 107
}

// extended reads what follows 38, 48 or 58; used is how many parameters.
func extended(parts []string) (c color.Color, used int) {
	number := func(i int) uint8 {
		n, _ := strconv.ParseUint(parts[i], 10, 8) // what is no number is 0
		return uint8(n)
	}
	switch {
	case len(parts) >= 2 && parts[0] == "5":
		if n := number(1); n >= 16 {
			return ansi.IndexedColor(n), 2
		}
		return ansi.BasicColor(number(1)), 2
	case len(parts) >= 4 && parts[0] == "2":
		return color.RGBA{number(1), number(2), number(3), 0xff}, 4
	}
	return nil, len(parts)
}

// code writes a colour that the terminal has; kind is 38, 48 or 58.
func (p *palette) code(kind string, c color.Color) string {
	var n int
	switch c := c.(type) {
	case ansi.BasicColor:
		n = int(c)
	case ansi.IndexedColor:
		n = int(c)
	default:
		return ""
	}
	switch {
	case kind == "58" || n >= 16:
		return kind + ";5;" + strconv.Itoa(n)
	case n >= 8:
		n += 60 - 8
	}
	base := 30
	if kind == "48" {
		base = 40
	}
	return strconv.Itoa(base + n)
}
