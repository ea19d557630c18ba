// Package actioncard draws the card of what an agent proposes to do in the
// person's terminals (contracts/terminal-actions.md, The card and the
// dispatch). Every action is drawn whole, with the place it would reach; what
// can be confirmed now is the screen's to say.
package actioncard

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/syntax"
	"aside/tui/theme"
)

// Card is what there is to draw.
type Card struct {
	Card    session.ActionCard
	Target  string // the shell that run actions would reach, "" is a new split
	Chosen  int    // the choice that the keys act on, from 1, or 0
	Focused bool
	Busy    bool // an answer is under way
	// Changed says that the card has the focus, but is not what it was when it
	// got it: it takes no answer before it has been looked at.
	Changed bool
	// Unread says that the chosen choice has not been on the screen in full.
	Unread bool
	Whole  bool   // the whole of it is what is shown
	Reach  string // the keys that give it the focus, while it does not have it
	Left   string // how much time is left until its deadline, or ""
}

// Heading says what the card is, and which shell it would reach.
func (c Card) Heading() string {
	if !c.Card.NeedsTarget() {
		return "Proposed in your terminals"
	}
	return "Proposed in your shell  ·  " + c.target()
}

func (c Card) target() string {
	if t := session.CleanLine(c.Target); t != "" {
		return t
	}
	return "a new split"
}

// Body returns every action of every choice, whole, in lines of at most w
// columns, and of each choice the line behind its last.
func (c Card) Body(th theme.Theme, ground theme.Style, w int) (lines []string, ends []int) {
	b := body{th: th, ground: ground, w: max(w, 8)}
	for i, choice := range c.Card.Choices {
		lead := fmt.Sprintf("%d  ", i+1)
		if c.Chosen == i+1 {
			lead = fmt.Sprintf("%d› ", i+1)
		}
		b.text(lead, cells.Clean(choice.Title), th.Strong)
		if choice.Rationale != "" {
			b.text(indent, cells.Clean(choice.Rationale), th.Dim)
		}
		for _, a := range choice.Actions {
			b.text(indent, a.Does(session.CleanLine(c.Target)), th.Dim)
			if a.Command != "" {
				b.command(indent+"  ", cells.Mark(a.Command))
			}
			if a.Prompt != "" {
				b.text(indent+"  ", cells.Mark(a.Prompt), "")
			}
		}
		ends = append(ends, len(b.lines))
	}
	return b.lines, ends
}

const indent = "   "

type body struct {
	th     theme.Theme
	ground theme.Style
	w      int
	lines  []string
}

func (b *body) text(lead, s string, style theme.Style) {
	rows := cells.Wrap(s, b.w-cells.Width(lead))
	for i, l := range rows {
		rows[i] = style.On(b.ground).Paint(l)
	}
	b.rows(lead, rows)
}

func (b *body) command(lead, s string) {
	rows := cells.Wrap(s, b.w-cells.Width(lead))
	syntax.PaintRows(rows, s, syntax.Shell().Text(s), b.th, b.ground)
	b.rows(lead, rows)
}

// rows adds painted rows behind a lead that stands at the first one only.
func (b *body) rows(lead string, rows []string) {
	for i, row := range rows {
		if i > 0 {
			lead = strings.Repeat(" ", cells.Width(lead))
		}
		b.lines = append(b.lines, b.ground.Paint(lead)+row)
	}
}

// Fits says that the whole card takes at most h lines of w columns.
func (c Card) Fits(th theme.Theme, w, h int) bool {
	lines, _ := c.Body(th, th.Fill, w-4)
	tail, _ := c.Answers(th, w)
	return 1+len(lines)+len(tail) <= h
}

// Draw returns at most h lines, each of w columns, and what can be clicked.
func (c Card) Draw(th theme.Theme, w, h int) ([]string, []intent.Zone) {
	d := drawing{th: th, w: max(w, 8)}
	style := th.Strong
	if c.Focused {
		style = th.Accent.On(th.Strong)
	}
	end := c.Left
	head := cells.Cut(c.Heading(), d.w-5-cells.Width(end))
	gap := strings.Repeat(" ", max(1, d.w-4-cells.Width(head)-cells.Width(end)))
	d.line(style.On(th.Fill).Paint(head) + th.Fill.Paint(gap) + th.Dim.On(th.Fill).Paint(end))
	lines, ends := c.Body(th, th.Fill, d.w-4)
	tail, zones := c.Answers(th, d.w)
	room := max(0, h-1-len(tail))
	more := len(lines) - room
	if more > 0 {
		lines = lines[:max(0, room-1)]
	}
	for y, l := range lines {
		for i, end := range ends {
			if y < end {
				d.zones = append(d.zones, intent.Zone{X: 0, Y: len(d.lines), W: d.w, Do: intent.OptionN(i)})
				break
			}
		}
		d.line(l)
	}
	if more > 0 {
		d.zones = append(d.zones, intent.Zone{X: 0, Y: len(d.lines), W: d.w, Do: intent.Whole})
		d.line(d.th.Warn.On(d.th.Fill).Paint(fmt.Sprintf("… %d more lines, to be read before it can be confirmed", more+1)))
	}
	for _, z := range zones {
		z.Y += len(d.lines)
		d.zones = append(d.zones, z)
	}
	d.lines = append(d.lines, tail...)
	for y := range d.lines {
		d.zones = append(d.zones, intent.Zone{X: 0, Y: y, W: d.w, Do: intent.Card})
	}
	return d.lines[:min(len(d.lines), max(h, 1))], d.zones
}

// Answers are what can be done with the card now, in lines of w columns.
func (c Card) Answers(th theme.Theme, w int) ([]string, []intent.Zone) {
	d := drawing{th: th, w: max(w, 8)}
	switch {
	case c.Busy:
		d.line(th.Dim.On(th.Fill).Paint("under way…"))
	case c.Changed:
		d.flow("this is not what it was: ", []part{{"tab", "look at it", intent.Next}})
	case c.Focused && c.Chosen == 0:
		d.flow("choose first: ", []part{{"↑↓", "choose", intent.Down}, {"esc", "cancel", intent.Cancel}})
	default:
		d.flow("", c.parts())
	}
	return d.lines, d.zones
}

func (c Card) parts() []part {
	if !c.Focused {
		return []part{{c.Reach, "answer", intent.Card}, {"", "nothing is done before that", intent.Card}}
	}
	var parts []part
	choice := c.Card.Choices[c.Chosen-1]
	switch {
	case c.Unread && c.Whole:
		parts = append(parts, part{"pgdown", "read on", intent.PageDown})
	case c.Unread:
		parts = append(parts, part{"d", "read it whole", intent.Whole})
	default:
		label := "go on"
		for _, a := range choice.Actions {
			if a.Type.Runs() {
				label = "run"
			}
		}
		parts = append(parts, part{"r", label, intent.Run})
		if choice.Insertable() {
			parts = append(parts, part{"i", "insert", intent.Insert})
		}
	}
	if len(c.Card.Choices) > 1 {
		parts = append(parts, part{"↑↓", "choose", intent.Down})
	}
	return append(parts, part{"esc", "cancel", intent.Cancel})
}

type part struct {
	key, label string
	do         intent.Intent
}

type drawing struct {
	th    theme.Theme
	w     int
	lines []string
	zones []intent.Zone
}

// line adds a line behind the rail; s is painted already.
func (d *drawing) line(s string) {
	room := d.w - 3
	s = cells.Cut(s, room)
	d.lines = append(d.lines, d.th.Fill.Paint(" ")+d.th.Accent.On(d.th.Fill).Paint(theme.Rail)+
		d.th.Fill.Paint(" ")+s+d.th.Fill.Paint(strings.Repeat(" ", room-cells.Width(s))))
}

// flow puts parts behind a sentence, in as many lines as it takes.
func (d *drawing) flow(say string, parts []part) {
	var line strings.Builder
	line.WriteString(d.th.Warn.On(d.th.Fill).Paint(say))
	x, gap := cells.Width(say), ""
	for _, p := range parts {
		label := strings.TrimPrefix(p.key+" "+p.label, " ")
		w := cells.Width(label)
		if x > 0 && x+w > d.w-4 {
			d.line(line.String())
			line.Reset()
			x, gap = 0, ""
		}
		line.WriteString(d.th.Fill.Paint(gap))
		d.zones = append(d.zones, intent.Zone{X: 3 + x, Y: len(d.lines), W: w, Do: p.do})
		if p.key == "" {
			line.WriteString(d.th.Dim.On(d.th.Fill).Paint(label))
		} else {
			line.WriteString(d.th.HintOn(p.key, p.label, d.th.Fill))
		}
		x, gap = x+w+3, "   "
	}
	d.line(line.String())
}
