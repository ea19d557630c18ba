package demo

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// The styles, as parameters of SGR.
const (
	bold   = "1"
	dim    = "2"
	accent = "36"
	strong = "1;36"
	green  = "32"
	yellow = "33"
)

// render returns the item's lines at a width. Each but a tool's output is
// followed by a blank one above it.
func (i item) render(cols int) []line {
	if i.kind == kindPicture {
		return append([]line{nil}, i.lines...)
	}
	first, rest, style := piece{}, "  ", ""
	switch i.kind {
	case kindPrompt:
		first, style = piece{strong, "❯ "}, bold
	case kindSay:
		first = piece{accent, "● "}
	case kindTool:
		first, style = piece{green, "● "}, bold
	case kindOutput:
		first, rest, style = piece{dim, "  └ "}, "    ", dim
	case kindNotice:
		first, style = piece{dim, "  "}, dim
	}
	var out []line
	if i.kind != kindOutput {
		out = append(out, nil)
	}
	for n, text := range wrap(i.text, cols-len(rest)) {
		lead := first
		if n > 0 {
			lead = piece{"", rest}
		}
		out = append(out, line{lead, {style, text}})
	}
	return out
}

// foot returns what lies below the conversation: the agent's own prompt or
// the box to write in, and a line of help; and where the cursor is in it.
func (v *view) foot() (lines []line, x, y int) {
	if v.menu != nil {
		return v.menu.render(v.cols)
	}
	status := line{{dim, "  enter sends · help lists what it does · exit leaves"}}
	switch {
	case v.hint != "":
		status = line{{dim, "  " + v.hint}}
	case v.working && v.waiting > 0:
		status = line{{yellow, "  working"}, {dim, fmt.Sprintf(" · %d waiting · esc interrupts", v.waiting)}}
	case v.working:
		status = line{{yellow, "  working"}, {dim, " · esc interrupts"}}
	}
	inner := max(1, v.cols-6)
	text := fold(string(v.input.text)+" ", inner) // the cursor may be behind the last character
	before := fold(string(v.input.text[:v.input.at])+" ", inner)
	y = len(before)
	x = 4 + displaywidth.String(before[len(before)-1]) - 1
	lines = append(lines, nil, line{{accent, "╭" + strings.Repeat("─", max(0, v.cols-2)) + "╮"}})
	for i, t := range text {
		lead := "  "
		if i == 0 {
			lead = "❯ "
		}
		pad := strings.Repeat(" ", max(0, inner-displaywidth.String(t)))
		lines = append(lines, line{{accent, "│ " + lead}, {"", t + pad}, {accent, " │"}})
	}
	lines = append(lines, line{{accent, "╰" + strings.Repeat("─", max(0, v.cols-2)) + "╯"}}, status)
	return lines, min(x, v.cols-1), y + 1
}

func (m *menu) render(cols int) (lines []line, x, y int) {
	lines = append(lines, nil, line{{yellow, strings.Repeat("─", cols)}})
	for _, t := range wrap(m.title, cols-2) {
		lines = append(lines, line{{bold, " " + t}})
	}
	lines = append(lines, nil)
	for _, about := range m.about {
		for _, t := range wrap(about, cols-4) {
			lines = append(lines, line{{"", "   " + t}})
		}
	}
	lines = append(lines, nil)
	for i, o := range m.options {
		lead, style := "   ", ""
		if i == m.at {
			lead, style = " ❯ ", strong
			y = len(lines)
		}
		lines = append(lines, line{{style, fmt.Sprintf("%s%d. %s", lead, i+1, o)}})
	}
	lines = append(lines, line{{dim, " ↑↓ and enter, or a number · it can be answered in aside as well"}})
	return lines, 1, y
}

// wrap breaks text into lines of at most width columns, between words where
// it can. A line break in the text stays one.
func wrap(text string, width int) []string { return breakLines(text, width, true) }

// fold is wrap wherever the line is full: what is before a place in the text
// does not depend on what is behind it.
func fold(text string, width int) []string { return breakLines(text, width, false) }

func breakLines(text string, width int, words bool) []string {
	var out []string
	for para := range strings.SplitSeq(text, "\n") {
		para = strings.ReplaceAll(para, "\t", "    ")
		start, pos, used := 0, 0, 0
		g := displaywidth.StringGraphemes(para)
		for g.Next() {
			next := pos + len(g.Value())
			if used+g.Width() > max(1, width) && pos > start {
				cut, resume := pos, pos
				if words && g.Value() == " " {
					resume = next // the break stands for the space
				} else if n := strings.LastIndexByte(para[start:pos], ' '); words && n > 0 {
					cut, resume = start+n, start+n+1
				}
				out = append(out, para[start:cut])
				start = resume
				used = displaywidth.String(para[start:max(start, pos)])
			}
			if next > start {
				used += g.Width()
			}
			pos = next
		}
		out = append(out, para[start:])
	}
	return out
}
