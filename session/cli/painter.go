package cli

import (
	"fmt"
	"io"
	"strings"

	"aside/session"
)

// painter draws a pane's frames on the terminal, from its top left corner.
type painter struct {
	out        io.Writer
	cols, rows int // of the terminal

	last  session.Frame
	drawn []session.Row
}

// The modes that are on while a pane is drawn: the alternate screen, and no
// wrapping, since a row is never longer than it is meant to be.
const (
	enterScreen = "\x1b[?1049h\x1b[?7l\x1b[2J"
	leaveScreen = "\x1b[0 q\x1b[m\x1b[?7h\x1b[?25h\x1b[?1049l"
)

func (p *painter) write(s string) error {
	_, err := io.WriteString(p.out, s)
	return err
}

func (p *painter) enter() error { return p.write(enterScreen) }

// leave restores what enter and the frames have changed.
func (p *painter) leave() error {
	return p.write(modes(p.last.Modes, session.Modes{}) + leaveScreen)
}

// frame draws what is new.
func (p *painter) frame(f session.Frame) error {
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l")
	if f.Full {
		p.drawn = nil
		b.WriteString("\x1b[m\x1b[2J")
	}
	for _, c := range f.Changed {
		for len(p.drawn) <= c.Y {
			p.drawn = append(p.drawn, session.Row{})
		}
		p.drawn[c.Y] = c.Row
		p.row(&b, c.Y)
	}
	b.WriteString(modes(p.last.Modes, f.Modes))
	p.last = f
	p.cursor(&b)
	b.WriteString("\x1b[?2026l")
	return p.write(b.String())
}

// resized draws everything again on a terminal of another size.
func (p *painter) resized(cols, rows int) error {
	p.cols, p.rows = cols, rows
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l\x1b[m\x1b[2J")
	for y := range p.drawn {
		p.row(&b, y)
	}
	p.cursor(&b)
	b.WriteString("\x1b[?2026l")
	return p.write(b.String())
}

func (p *painter) row(b *strings.Builder, y int) {
	if y < p.rows {
		fmt.Fprintf(b, "\x1b[%d;1H\x1b[m\x1b[2K%s", y+1, p.drawn[y].ANSI())
	}
}

func (p *painter) cursor(b *strings.Builder) {
	c := p.last.Cursor
	if c.Hidden || c.X >= p.cols || c.Y >= p.rows {
		return // it is hidden already
	}
	shape := 2 + 2*int(c.Shape) // steady block, underline, bar
	if c.Blink {
		shape--
	}
	fmt.Fprintf(b, "\x1b[%d q\x1b[%d;%dH\x1b[?25h", shape, c.Y+1, c.X+1)
}

// modes returns what brings a terminal from the modes of one frame to those of
// another, so that it reports what the program asked for. Of the kitty
// keyboard it takes the flag that tells keys apart; with it every program
// that asked for more can do.
func modes(from, to session.Modes) string {
	var on, off strings.Builder // off first: one mode of the mouse ends another
	set := func(was, is bool, n string) {
		switch {
		case is && !was:
			on.WriteString("\x1b[?" + n + "h")
		case was && !is:
			off.WriteString("\x1b[?" + n + "l")
		}
	}
	set(from.Mouse == session.MousePress, to.Mouse == session.MousePress, "1000")
	set(from.Mouse == session.MouseDrag, to.Mouse == session.MouseDrag, "1002")
	set(from.Mouse == session.MouseMotion, to.Mouse == session.MouseMotion, "1003")
	set(from.Mouse != session.MouseNone, to.Mouse != session.MouseNone, "1006")
	set(from.Paste, to.Paste, "2004")
	set(from.Focus, to.Focus, "1004")
	if was, is := from.Keyboard&1, to.Keyboard&1; was != is {
		fmt.Fprintf(&on, "\x1b[=%d;1u", is)
	}
	return off.String() + on.String()
}
