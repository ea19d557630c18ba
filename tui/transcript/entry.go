package transcript

import (
	"strings"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/cells"
	"aside/tui/theme"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
)

// maxMarkdown is the longest text that is read as Markdown; longer ones are
// shown as they are, since reading them would be felt.
const maxMarkdown = 64 << 10

// Looks draws entries. All text in them comes from a model or a program and
// is cleaned first.
type Looks struct {
	Theme theme.Theme
	// Clusters says that the terminal measures grapheme clusters.
	Clusters bool

	markdown map[int]*glamour.TermRenderer
}

// Draw returns the lines of an entry, each of w columns. Proposals are drawn
// as cards, and not here.
func (l *Looks) Draw(e record.Entry, w int) []string {
	inner := max(w-2-2*e.Depth, 8)
	var lines []string
	switch e.Kind {
	case record.KindPrompt:
		lines = l.prompt(e, inner)
	case record.KindAssistant:
		lines = append([]string{""}, l.assistant(e.Text, inner)...)
	case record.KindTool:
		lines = []string{l.tool(e, inner)}
	case record.KindDecision:
		lines = []string{l.decision(e, inner)}
	default:
		for i, t := range cells.Wrap(cells.Clean(e.Text), inner-2) {
			lines = append(lines, l.Theme.Dim.Paint(lead("· ", i)+t))
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
	text = cells.Clean(text)
	if len(text) > maxMarkdown {
		return cells.Wrap(text, w)
	}
	r := l.renderer(w)
	if r == nil {
		return cells.Wrap(text, w)
	}
	out, err := r.Render(text)
	if err != nil {
		return cells.Wrap(text, w)
	}
	// Character references can spell control characters that Clean has not
	// seen.
	return strings.Split(strings.Trim(cells.Styled(out), "\n"), "\n")
}

func (l *Looks) renderer(w int) *glamour.TermRenderer {
	if r, ok := l.markdown[w]; ok {
		return r
	}
	r, err := glamour.NewTermRenderer(glamour.WithStyles(markdownStyle(l.Theme)), glamour.WithWordWrap(w), glamour.WithPreservedNewLines())
	if err != nil {
		return nil
	}
	if l.markdown == nil || len(l.markdown) > 8 {
		l.markdown = map[int]*glamour.TermRenderer{}
	}
	l.markdown[w] = r
	return r
}

// tool is one line: what was called with what, and whether it failed.
func (l *Looks) tool(e record.Entry, w int) string {
	sign := l.Theme.Dim.Paint("• ")
	end := ""
	if e.Failed {
		sign = l.Theme.Bad.Paint("✗ ")
		end = l.Theme.Bad.Paint("failed")
	}
	in := session.CleanLine(e.Input[:min(len(e.Input), 4*w)])
	return cells.Spread(sign+session.CleanLine(e.Tool)+"  "+l.Theme.Dim.Paint(in), end, w)
}

func (l *Looks) decision(e record.Entry, w int) string {
	return cells.Spread(l.Theme.Dim.Paint("? ")+session.CleanLine(e.Text), l.Theme.Dim.Paint(session.CleanLine(e.Outcome)), w)
}

// markdownStyle is quiet: the terminal's own colours, weight and signs, and
// an accent where a link or code would be lost.
func markdownStyle(th theme.Theme) ansi.StyleConfig {
	yes := true
	zero, one, two := uint(0), uint(1), uint(2)
	bar := "│ "
	var code, link *string
	if th.Colors > theme.ColorsNone {
		c, k := "6", "4"
		if th.Dark {
			c, k = "14", "12"
		}
		code, link = &c, &k
	}
	heading := ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Bold: &yes, BlockSuffix: "\n"}}
	level := func(prefix string) ansi.StyleBlock {
		return ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: prefix}}
	}
	return ansi.StyleConfig{
		Document:      ansi.StyleBlock{Margin: &zero},
		BlockQuote:    ansi.StyleBlock{Indent: &one, IndentToken: &bar, StylePrimitive: ansi.StylePrimitive{Faint: &yes}},
		List:          ansi.StyleList{LevelIndent: 2},
		Heading:       heading,
		H1:            level("# "),
		H2:            level("## "),
		H3:            level("### "),
		H4:            level("#### "),
		H5:            level("##### "),
		H6:            level("###### "),
		Strikethrough: ansi.StylePrimitive{CrossedOut: &yes},
		Emph:          ansi.StylePrimitive{Italic: &yes},
		Strong:        ansi.StylePrimitive{Bold: &yes},
		HorizontalRule: ansi.StylePrimitive{
			Faint: &yes, Format: "\n────────\n",
		},
		Item:        ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
		Task:        ansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:        ansi.StylePrimitive{Color: link, Underline: &yes},
		LinkText:    ansi.StylePrimitive{Bold: &yes},
		ImageText:   ansi.StylePrimitive{Format: "image: {{.text}} →"},
		Code:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: code}},
		CodeBlock: ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{Color: code}, Margin: &two,
		}},
	}
}
