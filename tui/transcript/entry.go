package transcript

import (
	"strconv"
	"strings"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/cells"
	"aside/tui/markdown"
	"aside/tui/syntax"
	"aside/tui/theme"
)

// Looks draws entries. All text in them comes from a model or a program and
// is cleaned first.
type Looks struct {
	Theme theme.Theme
	// Clusters says that the terminal measures grapheme clusters.
	Clusters bool

	markdown *markdown.Renderer
}

// Draw returns the lines of an entry, each of w columns; the use of a tool
// shows what went in and came out when it is open. Proposals are drawn as
// cards, and not here.
func (l *Looks) Draw(e record.Entry, w int, open bool) []string {
	inner := max(w-2-2*e.Depth, 8)
	var lines []string
	switch e.Kind {
	case record.KindPrompt:
		lines = l.prompt(e, inner)
	case record.KindAssistant:
		lines = append([]string{""}, l.assistant(e.Text, inner)...)
	case record.KindTool:
		lines = l.tool(e, inner, open)
	case record.KindDecision:
		lines = []string{l.settled("? ", e, inner)}
	case record.KindAction:
		lines = []string{l.settled("$ ", e, inner)}
	default:
		sign, style := l.Theme.Dim.Paint("· "), l.Theme.Dim
		if e.Failed {
			sign, style = l.Theme.Warn.Paint("✗ "), l.Theme.Warn
		}
		for i, t := range cells.Wrap(cells.Clean(e.Text), inner-2) {
			lines = append(lines, lead(sign, i)+style.Paint(t))
		}
	}
	indent := strings.Repeat(" ", 1+2*e.Depth)
	for i, s := range lines {
		if !l.Clusters {
			s = cells.Settle(s)
		}
		lines[i] = cells.Fit(indent+s, w)
	}
	return lines
}

func lead(sign string, i int) string {
	if i > 0 {
		return "  "
	}
	return sign
}

func (l *Looks) prompt(e record.Entry, w int) []string {
	lines := []string{""}
	sign := "› "
	if e.Origin == session.OriginAgent {
		sign = "» "
	}
	for i, t := range cells.Wrap(cells.Mark(e.Text), w-2) {
		lines = append(lines, l.Theme.Accent.Paint(lead(sign, i))+l.Theme.Strong.Paint(t))
	}
	return lines
}

func (l *Looks) assistant(text string, w int) []string {
	if l.markdown == nil {
		l.markdown = markdown.New(l.Theme)
	}
	return l.markdown.Render(text, w)
}

// tool is one line: what was called with what, and whether it failed; and when
// it is open, what went in and came out.
func (l *Looks) tool(e record.Entry, w int, open bool) []string {
	sign := l.Theme.Dim.Paint("• ")
	end := ""
	if e.Failed {
		sign = l.Theme.Bad.Paint("✗ ")
		end = l.Theme.Bad.Paint("failed")
	}
	name := session.CleanLine(e.Tool) + "  "
	used, _, _ := strings.Cut(strings.TrimLeft(e.Input, "\n"), "\n")
	used = cells.Mark(strings.ToValidUTF8(used[:min(len(used), 4*w)], ""))
	first := l.Theme.Dim.Paint(used)
	var inside []string
	if open {
		sign = l.Theme.Dim.Paint("▾ ")
		of := syntax.OfTool(e.Tool)
		in := l.part(e.Input, w, of.Read)
		if len(in) > 0 && cells.Width(name+used)+len("• failed ") <= w {
			first, in = in[0], in[1:] // it is all in the first line
			for len(in) > 0 && strings.TrimSpace(cells.Text(in[0])) == "" {
				in = in[1:]
			}
		}
		out := l.part(e.Output, w, func(text string) []syntax.Class { return of.Output(used, text) })
		inside = append(in, out...)
	}
	lines := []string{cells.Spread(sign+name+first, end, w)}
	for _, s := range inside {
		lines = append(lines, l.Theme.Dim.Paint("  │ ")+s)
	}
	return lines
}

// settled is one line: what was asked or proposed, and what became of it.
func (l *Looks) settled(sign string, e record.Entry, w int) string {
	return cells.Spread(l.Theme.Dim.Paint(sign)+session.CleanLine(e.Text), l.Theme.Dim.Paint(session.CleanLine(e.Outcome)), w)
}

// insideLines is how many lines of what went into a tool are shown, and of what
// came out.
const insideLines = 200

// part is what went into a tool or came out, as far as it is shown, and a row
// that says how many lines are not.
func (l *Looks) part(s string, w int, read func(string) []syntax.Class) (rows []string) {
	text := strings.Trim(cells.Mark(s), "\n")
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	more := len(lines) - insideLines
	if more > 0 {
		text = strings.TrimSuffix(strings.Join(lines[:insideLines], ""), "\n")
	}
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, cells.Wrap(line, max(w-4, 1))...)
	}
	if classes := read(text); classes != nil {
		syntax.PaintRows(rows, text, classes, l.Theme, "")
	} else {
		for i, row := range rows {
			rows[i] = l.Theme.Dim.Paint(row)
		}
	}
	if more > 0 {
		rows = append(rows, l.Theme.Dim.Paint("… "+strconv.Itoa(more)+" more lines"))
	}
	return rows
}
