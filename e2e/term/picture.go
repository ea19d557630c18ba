package term

import (
	"fmt"
	"html"
	"strings"

	"aside/session"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Theme is the set of colours that a terminal shows and answers with.
type Theme int

// The themes.
const (
	Dark Theme = iota
	Light
)

func (t Theme) fg() session.Color {
	if t == Light {
		return session.RGB(0x2b, 0x2d, 0x31)
	}
	return session.RGB(0xd6, 0xd9, 0xe0)
}

func (t Theme) bg() session.Color {
	if t == Light {
		return session.RGB(0xfb, 0xfb, 0xf8)
	}
	return session.RGB(0x16, 0x18, 0x1d)
}

// basic returns the 16 colours that a theme chooses itself.
func (t Theme) basic() [16]string {
	if t == Light {
		return [16]string{
			"#2b2d31", "#b3261e", "#2f7d32", "#8a6100", "#1f5fbf", "#8433a8", "#0b7a80", "#b8bac0",
			"#6c7078", "#d0342c", "#3a9440", "#a87900", "#2f76dd", "#9c4dc0", "#139199", "#e4e5e8",
		}
	}
	return [16]string{
		"#23262d", "#e0685f", "#7fb86a", "#d9a94e", "#6ea3e8", "#b98ae0", "#5fb8bd", "#c3c7cf",
		"#6b7180", "#f08a82", "#9bd186", "#ecc574", "#8fbcf5", "#cfa8ee", "#83d0d4", "#f2f4f8",
	}
}

// hex returns a colour as #rrggbb, the given one for the default.
func (t Theme) hex(c, otherwise session.Color) string {
	if c == session.ColorDefault {
		c = otherwise
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	n, _ := c.Index()
	switch {
	case n < 16:
		return t.basic()[n]
	case n < 232:
		n -= 16
		level := func(v uint8) uint8 {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}

// The measures of a picture, in pixels. A cell is as wide and high as one of
// DejaVu Sans Mono, so that its lines and blocks join.
const (
	fontSize   = 14.0
	cellWidth  = fontSize * 1233 / 2048
	cellHeight = fontSize * 2384 / 2048
	baseline   = fontSize * 1901 / 2048
	margin     = 10.0
)

// SVG returns a picture of the screen.
func (t *Terminal) SVG() string {
	t.mu.Lock()
	frame, cols, rows := t.screen.Frame(0), t.size[0], t.size[1]
	p := painter{theme: t.theme}
	t.mu.Unlock()
	width, height := float64(cols)*cellWidth+2*margin, float64(rows)*cellHeight+2*margin
	fmt.Fprintf(&p.out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.2f %.2f" `+
		`font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%g">`+"\n",
		width, height, width, height, fontSize)
	fmt.Fprintf(&p.out, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", p.theme.hex(p.theme.bg(), 0))
	for _, c := range frame.Changed {
		p.row(c.Y, c.Row)
	}
	if !frame.Cursor.Hidden {
		p.cursor(frame.Cursor)
	}
	p.out.WriteString("</svg>\n")
	return p.out.String()
}

type painter struct {
	theme Theme
	out   strings.Builder
}

func (p *painter) row(y int, row session.Row) {
	x := 0
	for _, span := range row.Spans {
		p.span(x, y, span)
		x += span.Width
	}
}

func (p *painter) span(x, y int, span session.Span) {
	s := span.Style
	fg, bg := p.theme.hex(s.Fg, p.theme.fg()), p.theme.hex(s.Bg, p.theme.bg())
	filled := s.Bg != session.ColorDefault
	if s.Attrs&session.AttrReverse != 0 {
		fg, bg, filled = bg, fg, true
	}
	left, top := margin+float64(x)*cellWidth, margin+float64(y)*cellHeight
	width := float64(span.Width) * cellWidth
	if filled {
		// A hair wider and higher: neighbours must not show a seam.
		fmt.Fprintf(&p.out, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"/>`+"\n",
			left, top, width+0.3, cellHeight+0.3, bg)
	}
	if s.Attrs&session.AttrConceal != 0 {
		return
	}
	p.text(x, y, span.Text, glyphs(s, fg))
	p.lines(left, top, width, s, fg)
}

// glyphs returns the attributes that draw text in a style.
func glyphs(s session.Style, fg string) string {
	attrs := fmt.Sprintf(`fill="%s"`, fg)
	if s.Attrs&session.AttrBold != 0 {
		attrs += ` font-weight="bold"`
	}
	if s.Attrs&session.AttrItalic != 0 {
		attrs += ` font-style="italic"`
	}
	if s.Attrs&session.AttrFaint != 0 {
		attrs += ` fill-opacity="0.6"`
	}
	return attrs
}

// text draws each run of ASCII at once and every other character at its own
// cell, where a font that is a little off cannot shift what follows.
func (p *painter) text(x, y int, text, attrs string) {
	run, start := "", x
	flush := func() {
		if strings.TrimSpace(run) != "" {
			p.put(start, y, run, len(run), attrs)
		}
		run = ""
	}
	for clusters := graphemes.FromString(text); clusters.Next(); {
		cluster := clusters.Value()
		width := displaywidth.String(cluster)
		if len(cluster) == 1 {
			if run == "" {
				start = x
			}
			run += cluster
		} else {
			flush()
			p.put(x, y, cluster, width, attrs)
		}
		x += width
	}
	flush()
}

func (p *painter) put(x, y int, text string, cells int, attrs string) {
	fmt.Fprintf(&p.out, `<text x="%.2f" y="%.2f" textLength="%.2f" lengthAdjust="spacingAndGlyphs" xml:space="preserve" %s>%s</text>`+"\n",
		margin+float64(x)*cellWidth, margin+float64(y)*cellHeight+baseline, float64(cells)*cellWidth, attrs, html.EscapeString(text))
}

// lines draws what lies under, through and over the text.
func (p *painter) lines(left, top, width float64, s session.Style, fg string) {
	line := func(at float64, color, dash string) {
		fmt.Fprintf(&p.out, `<path d="M%.2f %.2fh%.2f" stroke="%s"%s/>`+"\n", left, top+at, width, color, dash)
	}
	color := fg
	if s.UnderlineColor != session.ColorDefault {
		color = p.theme.hex(s.UnderlineColor, 0)
	}
	switch s.Underline {
	case session.UnderlineNone:
	case session.UnderlineDouble:
		line(baseline+1.5, color, "")
		line(baseline+3, color, "")
	case session.UnderlineCurly:
		line(baseline+2, color, ` stroke-dasharray="3 1" stroke-width="2"`)
	case session.UnderlineDotted:
		line(baseline+2, color, ` stroke-dasharray="1 1.5"`)
	case session.UnderlineDashed:
		line(baseline+2, color, ` stroke-dasharray="4 2"`)
	default:
		line(baseline+2, color, "")
	}
	if s.Attrs&session.AttrStrike != 0 {
		line(cellHeight*0.55, fg, "")
	}
	if s.Attrs&session.AttrOverline != 0 {
		line(0.5, fg, "")
	}
}

func (p *painter) cursor(c session.Cursor) {
	left, top := margin+float64(c.X)*cellWidth, margin+float64(c.Y)*cellHeight
	width, height := cellWidth, cellHeight
	opacity := 1.0
	switch c.Shape {
	case session.CursorBar:
		width = 2
	case session.CursorUnderline:
		top, height = top+cellHeight-2, 2
	default:
		opacity = 0.6
	}
	fmt.Fprintf(&p.out, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s" fill-opacity="%g"/>`+"\n",
		left, top, width, height, p.theme.hex(p.theme.fg(), 0), opacity)
}
