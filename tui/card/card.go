// Package card draws the card of a proposed thread in each of its states
// (contracts/proposed-threads.md, States). It keeps nothing: the screen says
// what is unfolded, focused or under way.
package card

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"
)

// shownFiles is how many files the card names before it counts the rest.
const shownFiles = 4

// labelWidth is the column of a settled card's title, after its label.
const labelWidth = 14

// Card is what there is to draw.
type Card struct {
	Proposal session.Proposal

	Outlook string // the chip of the checkout it would get; "" while not known
	Blocked bool   // Outlook says why there can be none
	Open    bool   // unfolded: the prompt of a standing card, the card of a dismissed one
	Focused bool
	Choice  string // what the person changed of it before its start, or ""
	Busy    string // what is under way, such as "Starting…", or ""
	Stops   bool   // and can be ended
	Problem string // why the last try failed, or ""

	Linked bool   // the started thread is still there
	Doing  string // how it is doing
	From   string // the offering thread's title, where cards of several are listed
}

// Draw returns the card's lines, each of w columns, and what can be clicked.
func (c Card) Draw(th theme.Theme, w int) ([]string, []intent.Zone) {
	d := drawing{th: th, w: max(w, 8), rail: th.Accent, ground: th.Fill}
	switch p := c.Proposal; {
	case p.State == session.ProposalStarted:
		d.settled(c, th.Good.Paint("✓"), startedLabel(p), c.link(th), intent.OpenCard)
	case p.State == session.ProposalDismissed && c.Open:
		d.rail, d.ground = th.Dim, ""
		d.open(c)
	case p.State == session.ProposalDismissed:
		d.settled(c, th.Dim.Paint("✕"), "Not now", c.fold(th), intent.Prompt)
	case p.Withdrawn:
		d.settled(c, th.Dim.Paint("·"), "Taken back", "", intent.Nothing)
	default:
		d.open(c)
	}
	return d.lines, d.zones
}

func startedLabel(p session.Proposal) string {
	if p.CheckoutMode == session.CheckoutShared {
		return "Started in the shared checkout"
	}
	return "Thread started"
}

// link is the right end of a started card; without its thread there is none.
func (c Card) link(th theme.Theme) string {
	if !c.Linked {
		return ""
	}
	s := th.Hint("o", "")
	s = "Open thread " + strings.TrimRight(s, " ")
	if c.Doing != "" {
		s = th.Dim.Paint(c.Doing+" · ") + s
	}
	return s
}

func (c Card) fold(th theme.Theme) string {
	if c.Focused {
		return th.Hint("b", "bring it back") + "  " + th.Hint("p", "▸")
	}
	return "▸"
}

type drawing struct {
	th     theme.Theme
	w      int
	rail   theme.Style
	ground theme.Style
	lines  []string
	zones  []intent.Zone
}

// titleLeast is how much of a title is worth seeing beside what became of it.
const titleLeast = 12

// settled draws one quiet line, or two where it is too narrow for the title.
func (d *drawing) settled(c Card, sign, label, right string, do intent.Intent) {
	title := session.CleanLine(c.Proposal.Title)
	if c.From != "" {
		title += d.th.Dim.Paint("  " + session.CleanLine(c.From))
	}
	lead := " "
	if c.Focused {
		lead = d.th.Accent.Paint("›")
		title = d.th.Strong.Paint(session.CleanLine(c.Proposal.Title))
	}
	left := lead + sign + " " + cells.Fit(label, max(labelWidth, cells.Width(label))) + "   "
	if room := d.w - cells.Width(left) - cells.Width(right) - 1; room < min(titleLeast, cells.Width(title)) {
		d.lines = append(d.lines, cells.Spread(lead+sign+" "+label, right, d.w), cells.Fit("   "+title, d.w))
	} else {
		d.lines = append(d.lines, cells.Spread(left+title, right, d.w))
	}
	if do != intent.Nothing && right != "" {
		rw := cells.Width(right)
		d.zones = append(d.zones, intent.Zone{X: d.w - rw, W: rw, Do: do})
	}
	if c.Problem != "" {
		d.lines = append(d.lines, cells.Fit("   "+d.th.Bad.Paint("! ")+session.CleanLine(c.Problem), d.w))
	}
	d.whole()
}

// whole makes every place of the card that does nothing else focus it.
func (d *drawing) whole() {
	for y := range d.lines {
		d.zones = append(d.zones, intent.Zone{X: 0, Y: y, W: d.w, Do: intent.Focus})
	}
}

// open draws the card as it stands.
func (d *drawing) open(c Card) {
	p := c.Proposal
	d.heading(c)
	d.line(d.th.Strong.On(d.ground).Paint(cells.Cut(session.CleanLine(p.Title), d.w-4)))
	d.line("")
	d.text(cells.Clean(p.Summary), "")
	if p.Rationale != "" {
		d.text("Why apart: "+cells.Clean(p.Rationale), "")
	}
	d.line("")
	d.chips(c)
	d.prompt(c)
	if c.Problem != "" {
		d.text("! "+cells.Clean(c.Problem), d.th.Bad)
	}
	d.line("")
	d.buttons(c)
	d.whole()
}

func (d *drawing) heading(c Card) {
	label := "Proposed thread"
	if c.Proposal.State == session.ProposalDismissed {
		label = "Proposed thread, not now"
	}
	if c.From != "" {
		label += " · " + session.CleanLine(c.From)
	}
	right := ""
	if c.Focused {
		right = d.th.HintOn("p", "prompt", d.ground) + d.ground.Paint("  ") +
			d.th.HintOn("y", "copy it", d.ground) + d.ground.Paint("  ") + d.th.HintOn("esc", "leave", d.ground)
	}
	left := cells.Cut(label, d.w-6-cells.Width(right))
	d.line(d.spread(d.th.Dim.On(d.ground).Paint(left), right))
}

// chips are the checkout it would get, then the files. A started card never
// comes here, so no chip of an own checkout outlives the start.
func (d *drawing) chips(c Card) {
	if c.Choice != "" {
		d.text(session.CleanLine(c.Choice), d.th.Accent)
	}
	if c.Outlook != "" && c.Proposal.State != session.ProposalDismissed {
		style := d.th.Dim
		sign := ""
		if c.Blocked {
			style, sign = d.th.Warn, "! "
		}
		d.text(sign+session.CleanLine(c.Outlook), style)
	}
	if files := c.Proposal.Files; len(files) > 0 {
		d.text(session.CleanLine(names(files)), d.th.Dim)
	}
}

func names(files []string) string {
	shown := files[:min(len(files), shownFiles)]
	s := strings.Join(shown, ", ")
	if more := len(files) - len(shown); more > 0 {
		s += fmt.Sprintf(" +%d more", more)
	}
	return s
}

func (d *drawing) prompt(c Card) {
	sign := "▸"
	if c.Open {
		sign = "▾"
	}
	label := "The prompt it would start with"
	d.zones = append(d.zones, intent.Zone{X: 3, Y: len(d.lines), W: d.w - 3, Do: intent.Prompt})
	d.line(d.ground.Paint(sign + " " + label))
	if !c.Open {
		return
	}
	for _, l := range cells.Wrap(cells.Mark(c.Proposal.Prompt), d.w-6) {
		d.line(d.ground.Paint("  " + l))
	}
}

// buttons are the answers that the state allows.
func (d *drawing) buttons(c Card) {
	switch {
	case c.Busy != "" && c.Stops:
		busy := cells.Cut(c.Busy, d.w-20)
		d.zones = append(d.zones, intent.Zone{X: 3 + cells.Width(busy) + 3, Y: len(d.lines), W: 6, Do: intent.Cancel})
		d.line(d.th.Dim.On(d.ground).Paint(busy) + d.ground.Paint("   ") + d.th.HintOn("x", "stop", d.ground))
	case c.Busy != "":
		d.line(d.th.Dim.On(d.ground).Paint(c.Busy))
	case c.Proposal.State == session.ProposalDismissed:
		d.row(nil, button{"Bring it back", "b", intent.BringBack})
	default:
		d.row([]button{{"edit", "e", intent.Edit}, {"choose", "c", intent.Choose}},
			button{"Start this thread", "s", intent.Start}, button{"Not now", "n", intent.NotNow})
	}
}

type button struct {
	label, key string
	do         intent.Intent
}

// row draws buttons, and at the right end what else can be done where there is
// room for it.
func (d *drawing) row(more []button, buttons ...button) {
	var b strings.Builder
	x := 3
	for i, bt := range buttons {
		style := d.th.Strong
		if i == 0 {
			style = d.th.Accent.On(d.th.Strong)
		} else {
			b.WriteString(d.ground.Paint("    "))
			x += 4
		}
		b.WriteString(style.On(d.ground).Paint(" "+bt.label+"  ") + d.th.Key.On(d.ground).Paint(bt.key))
		w := cells.Width(bt.label) + 4
		d.zones = append(d.zones, intent.Zone{X: x, Y: len(d.lines), W: w, Do: bt.do})
		x += w
	}
	end := 0
	for _, bt := range more {
		end += len(bt.key) + 1 + len(bt.label) + 2
	}
	if gap := d.w - 1 - end - x; gap >= 2 && end > 0 {
		b.WriteString(d.ground.Paint(strings.Repeat(" ", gap)))
		x += gap
		for _, bt := range more {
			b.WriteString(d.th.HintOn(bt.key, bt.label, d.ground) + d.ground.Paint("  "))
			w := len(bt.key) + 1 + len(bt.label)
			d.zones = append(d.zones, intent.Zone{X: x, Y: len(d.lines), W: w, Do: bt.do})
			x += w + 2
		}
	}
	d.line(b.String())
}

// line adds a line between the rail and the right edge; s is painted already.
func (d *drawing) line(s string) {
	room := d.w - 3
	s = cells.Cut(s, room)
	fill := d.ground.Paint(strings.Repeat(" ", room-cells.Width(s)))
	d.lines = append(d.lines, " "+d.rail.On(d.ground).Paint(theme.Rail)+d.ground.Paint(" ")+s+fill)
}

func (d *drawing) text(s string, style theme.Style) {
	for _, l := range cells.Wrap(s, d.w-4) {
		d.line(style.On(d.ground).Paint(l))
	}
}

// spread puts two painted texts at the ends of a line.
func (d *drawing) spread(left, right string) string {
	room := d.w - 4
	gap := room - cells.Width(left) - cells.Width(right)
	if right == "" || gap < 1 {
		return left
	}
	return left + d.ground.Paint(strings.Repeat(" ", gap)) + right
}
