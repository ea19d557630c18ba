// Package decisionbar draws the bar of a decision that an agent is held on
// (contracts/decisions.md, The bar). It keeps nothing: which decision it
// shows, and whether it has the focus, is the screen's to say.
package decisionbar

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"
)

// Bar is what there is to draw.
type Bar struct {
	Decision session.Decision
	Steps    session.Steps // where it asks several questions, one after another
	Count    int           // how many wait in this pane, this one included
	Thread   string        // its title, or the name of the shell pane that it is asked in
	Focused  bool
	// Leader is the key that has to be pressed before the others, or "".
	Leader string
	Whole  bool // the whole of it is shown already
	// Changed says that the bar has the focus, but for another decision than
	// this one: it takes no answer before it is chosen.
	Changed bool
	Busy    bool   // an answer is under way
	Left    string // how much time is left until its deadline, or ""
	Note    string // the painted input for a note, or ""
	Onward  bool   // what is written or picked goes to no agent yet: the next question comes
	// Picking says that several choices are being picked; Picked are those
	// that are, by their place among the decision's choices.
	Picking bool
	Picked  []bool
	Said    string // what became of the last answer, or why one was let go
}

// How many lines of the body the bar shows: of a question enough to see what
// the choices mean.
const (
	previewLines  = 3
	questionLines = 9
)

// Draw returns at most h lines, each of w columns, and what can be clicked.
func (b Bar) Draw(th theme.Theme, w, h int) ([]string, []intent.Zone) {
	d := drawing{th: th, w: max(w, 8)}
	if b.Decision.ID == "" {
		if b.Said != "" {
			d.line(th.Dim.On(th.Fill).Paint(session.CleanLine(b.Said)))
		}
		return d.lines, d.zones
	}
	d.heading(b)
	tail := b.tail(th, d.w)
	d.preview(b, b.previewed(h, len(tail.lines)))
	d.append(tail)
	if len(d.lines) > max(h, 2) && b.Note == "" {
		d.cut(b, max(h, 2))
	}
	for y := range d.lines {
		d.zones = append(d.zones, intent.Zone{X: 0, Y: y, W: d.w, Do: intent.Bar})
	}
	return d.lines, d.zones
}

// cut leaves h lines, the last of which says that there are more answers, and
// how they are seen.
func (d *drawing) cut(b Bar, h int) {
	d.lines = d.lines[:h-1]
	d.zones = slices.DeleteFunc(d.zones, func(z intent.Zone) bool { return z.Y >= h-1 })
	key := "d"
	if b.Leader != "" {
		key = b.Leader + " d d"
	}
	d.keys("more answers: ", part{key, "whole", intent.Whole})
}

// previewed is how many lines of the body are shown, where the bar may have h
// lines and the answers take some of them: together half of them, or more where
// the answers need that, but one at least, since nothing is answered unseen.
// What is answered in words or by numbers is read while that is typed, when
// nothing else can be done to see more of it.
func (b Bar) previewed(h, answers int) int {
	room := max(3, h/2) - 1 - answers
	switch {
	case b.Decision.Kind != session.KindQuestion:
		room = min(previewLines, room)
	case b.Note != "", b.Picking:
		room = h - 1 - answers
	default:
		room = min(questionLines, room)
	}
	return max(1, room)
}

// tail are the lines that must be seen: the answers, and what is under way.
func (b Bar) tail(th theme.Theme, w int) drawing {
	d := drawing{th: th, w: w}
	switch {
	case b.Busy:
		d.line(th.Dim.On(th.Fill).Paint("the answer is under way…"))
	case b.Note != "":
		d.line(th.Fill.Paint("note: ") + b.Note)
		d.keys("", b.enter(), part{"esc", "back", intent.Back})
	case b.Picking:
		d.choices(b)
	case !b.Decision.Answerable:
		d.line(th.Fill.Paint("answer it in the terminal"))
		d.flow(b.Leader, b.others())
	case len(b.Decision.Questions) > 0:
		d.step(b)
	default:
		d.flow(b.Leader, append(b.options(), b.others()...))
	}
	if b.Said != "" {
		d.line(th.Dim.On(th.Fill).Paint(session.CleanLine(b.Said)))
	}
	if b.Changed {
		d.keys("this is another request: ", part{"tab", "answer it", intent.Bar}, part{"esc", "leave it", intent.Back})
	}
	return d
}

// NoteRow is the row of the input for a note among the n lines of the bar: the
// keys are below it, and what was said last.
func (b Bar) NoteRow(n int) int {
	below := 1
	if b.Said != "" {
		below++
	}
	return max(0, n-1-below)
}

type drawing struct {
	th    theme.Theme
	w     int
	lines []string
	zones []intent.Zone
}

func (d *drawing) append(o drawing) {
	for _, z := range o.zones {
		z.Y += len(d.lines)
		d.zones = append(d.zones, z)
	}
	d.lines = append(d.lines, o.lines...)
}

// line adds a line behind the rail; s is painted already.
func (d *drawing) line(s string) {
	room := d.w - 3
	s = cells.Cut(s, room)
	d.lines = append(d.lines, d.th.Fill.Paint(" ")+d.th.Accent.On(d.th.Fill).Paint(theme.Rail)+
		d.th.Fill.Paint(" ")+s+d.th.Fill.Paint(strings.Repeat(" ", room-cells.Width(s))))
}

// keys is a line of what some keys do, after a few words.
func (d *drawing) keys(words string, parts ...part) {
	s, x := d.th.Warn.On(d.th.Fill).Paint(words), cells.Width(words)
	for i, p := range parts {
		if i > 0 {
			s += d.th.Fill.Paint("  ")
			x += 2
		}
		w := len(p.key) + 1 + cells.Width(p.label)
		d.zones = append(d.zones, intent.Zone{X: 3 + x, Y: len(d.lines), W: w, Do: p.do})
		s += d.th.HintOn(p.key, p.label, d.th.Fill)
		x += w
	}
	d.line(s)
}

func (d *drawing) heading(b Bar) {
	var right []string
	if b.Left != "" {
		right = append(right, b.Left)
	}
	if b.Count > 1 {
		right = append(right, fmt.Sprintf("1 of %d", b.Count))
	}
	if t := session.CleanLine(b.Thread); t != "" {
		right = append(right, cells.Cut(t, d.w/3))
	}
	end := strings.Join(right, " · ")
	room := d.w - 4
	title := cells.Cut(Heading(b.Decision)+b.place(), room-cells.Width(end)-1)
	gap := max(1, room-cells.Width(title)-cells.Width(end))
	style := d.th.Strong
	if b.Focused {
		style = d.th.Accent.On(d.th.Strong)
	}
	d.line(style.On(d.th.Fill).Paint(title) + d.th.Fill.Paint(strings.Repeat(" ", gap)) +
		d.th.Dim.On(d.th.Fill).Paint(end))
}

// preview shows the beginning of the body, and that there is more. It has no
// room for blank lines.
func (d *drawing) preview(b Bar, room int) {
	if b.listed() {
		return
	}
	text := body(b.Decision.Asks(b.Steps))
	// Wrapping a megabyte to show three lines would be felt.
	cut := text[:min(len(text), (room+1)*d.w*4)]
	more := len(cut) < len(text)
	var lines []string
	for _, l := range painted(written(b.Decision), strings.ToValidUTF8(cut, ""), d.th, d.th.Fill, d.w-4) {
		if cells.Width(l) == 0 {
			continue
		}
		if len(lines) == room {
			more = true
			break
		}
		lines = append(lines, l)
	}
	for i, l := range lines {
		if more && i == len(lines)-1 {
			l = cells.Cut(l+d.th.Fill.Paint(" …"), d.w-4)
		}
		d.line(l)
	}
}

// Answers are the ways to answer, as the bar shows them, in lines of w columns.
func (b Bar) Answers(th theme.Theme, w int) ([]string, []intent.Zone) {
	d := b.tail(th, max(w, 8))
	return d.lines, d.zones
}

// options are the answers with their keys. The first numbers are those of the
// answers that are listed above them.
func (b Bar) options() []part {
	options, first := b.Decision.Asks(b.Steps).Options, 0
	if b.listed() {
		first = len(b.Decision.Questions)
	}
	letters := Letters(options)
	var parts []part
	for i, o := range options {
		key := number(first + i)
		if (b.Focused && !b.Whole || key == "") && letters[i] != 0 {
			key = strings.TrimPrefix(key+"/"+string(letters[i]), "/")
		}
		label := session.CleanLine(o.Label)
		if o.Note {
			label += "…"
		}
		parts = append(parts, part{key, label, intent.OptionN(first + i)})
	}
	return parts
}

// others are the keys that answer nothing.
func (b Bar) others() []part {
	if b.Leader != "" {
		// These are the keys that work: all others are the terminal's.
		return []part{{"d", "more", intent.Bar}, {"d t", "terminal", intent.Terminal}}
	}
	var parts []part
	if !b.Whole {
		parts = append(parts, part{"d", "whole", intent.Whole})
		if b.Count > 1 {
			parts = append(parts, part{"tab", "next", intent.Next})
		}
	}
	return append(parts, part{"t", "terminal", intent.Terminal})
}

// numbered is how many options have a number; the others have a letter, and
// can be clicked.
const numbered = 9

// number is the key of option n, from 0; "" where it has none.
func number(n int) string {
	if n >= numbered {
		return ""
	}
	return string(rune('1' + n))
}

// choices are the choices of a question with what is picked of them.
func (d *drawing) choices(b Bar) {
	var parts []part
	for i, o := range b.Decision.Asks(b.Steps).Choices() {
		sign := "[ ]"
		if i < len(b.Picked) && b.Picked[i] {
			sign = "[x]"
		}
		key := strings.TrimSuffix(sign+" "+number(i), " ")
		parts = append(parts, part{key, session.CleanLine(o.Label), intent.OptionN(i)})
	}
	d.flow("", append(parts, b.enter(), part{"esc", "back", intent.Back}))
}

type part struct {
	key, label string
	do         intent.Intent
}

// flow are parts one after another; they wrap, since none may be hidden. The
// leader, where one has to be pressed before their keys, stands at the beginning
// of each line.
func (d *drawing) flow(leader string, parts []part) {
	var line strings.Builder
	x := 0
	room := d.w - 4
	for _, p := range parts {
		if w := len(p.key) + 1 + cells.Width(p.label); x > 0 && x+w > room {
			d.line(line.String())
			line.Reset()
			x = 0
		}
		indent, gap := len(p.key)+2, "   "
		if x == 0 {
			gap = " "
			if leader != "" && p.key != "" {
				p.key = leader + " " + p.key
			}
		}
		w := len(p.key) + 1 + cells.Width(p.label)
		labels := []string{p.label}
		if w > room {
			// What an answer would allow is read whole, or not given.
			labels = cells.Wrap(p.label, max(4, room-len(p.key)-1))
			if rest, ok := strings.CutPrefix(p.label, labels[0]); ok && len(labels) > 1 {
				labels = append(labels[:1], cells.Wrap(strings.TrimLeft(rest, " "), max(4, room+1-indent))...)
			}
			w = room
		}
		for i, label := range labels {
			d.zones = append(d.zones, intent.Zone{X: 4 + x, Y: len(d.lines), W: w, Do: p.do})
			if i > 0 {
				line.WriteString(d.th.Fill.Paint(strings.Repeat(" ", indent) + label))
			} else {
				line.WriteString(d.th.Fill.Paint(gap) + d.th.HintOn(p.key, label, d.th.Fill))
			}
			if i < len(labels)-1 {
				d.line(line.String())
				line.Reset()
			}
		}
		x += w + 3
	}
	d.line(line.String())
}

// taken are the keys that mean something else while the bar has the focus.
const taken = "dt"

// own are the letters of the options that mean the same whatever is asked: no
// label takes them, so that who is used to one never gives another answer.
var own = map[string]rune{session.OptionDeny: 'n', session.OptionOther: 'o', session.OptionSeveral: 's'}

// Letters returns the letter of each option: its own, or the first of its label
// that no other one has; 0 where none is left.
func Letters(options []session.Option) []rune {
	used := map[rune]bool{}
	for _, r := range taken {
		used[r] = true
	}
	out := make([]rune, len(options))
	for i, o := range options {
		if r := own[o.ID]; r != 0 {
			out[i] = r
			used[r] = true
		}
	}
	for i, o := range options {
		if out[i] != 0 {
			continue
		}
		for _, r := range strings.ToLower(o.Label) {
			if r < unicode.MaxASCII && unicode.IsLetter(r) && !used[r] {
				out[i] = r
				used[r] = true
				break
			}
		}
	}
	return out
}
