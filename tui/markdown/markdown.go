// Package markdown draws Markdown on rows of cells. The text is a model's:
// what it spells, character references included, never reaches the screen as
// an escape sequence.
package markdown

import (
	"strconv"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/syntax"
	"aside/tui/theme"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// maxText is the longest text that is read as Markdown, in bytes; a longer
// one is shown as it is, since reading it would be felt.
const maxText = 64 << 10

// minWidth is the narrowest block: what is nested deeper stays as wide.
const minWidth = 8

// Renderer draws Markdown in one theme. It belongs to one goroutine.
type Renderer struct {
	parser goldmark.Markdown
	theme  theme.Theme
	styles styles
}

// styles are the SGR parameters of what Markdown can say.
type styles struct {
	heading, strong, emph, strike, code, link, dim theme.Style
}

// New returns a renderer. It is quiet: the terminal's own colours, weight and
// signs, and an accent where a link or code would be lost.
func New(th theme.Theme) *Renderer {
	s := styles{heading: "1", strong: "1", emph: "3", strike: "9", link: "4", dim: th.Dim}
	switch {
	case th.Colors == theme.ColorsNone:
	case th.Dark:
		s.code, s.link = "96", "4;94"
	default:
		s.code, s.link = "36", "4;34"
	}
	return &Renderer{
		parser: goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify)),
		theme:  th,
		styles: s,
	}
}

// Render returns the text as rows of at most w cells.
func (r *Renderer) Render(source string, w int) []string {
	source = session.Clean(source)
	if len(source) > maxText {
		return cells.Wrap(cells.Clean(source), w)
	}
	src := []byte(source)
	d := drawing{src: src, theme: r.theme, styles: r.styles}
	d.blocks(r.parser.Parser().Parse(text.NewReader(src)), max(w, 1))
	return d.rows
}

// drawing collects the rows of one text.
type drawing struct {
	src    []byte
	theme  theme.Theme
	styles styles
	rows   []string
}

// blocks draws the children of a container, a blank row between them unless
// they are the items of a tight list.
func (d *drawing) blocks(parent ast.Node, w int) {
	tight := false
	switch p := parent.(type) {
	case *ast.List:
		tight = p.IsTight
	case *ast.ListItem:
		if l, ok := p.Parent().(*ast.List); ok {
			tight = l.IsTight
		}
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		before := len(d.rows)
		d.block(n, w)
		if n.NextSibling() != nil && !tight && len(d.rows) > before {
			d.rows = append(d.rows, "")
		}
	}
}

func (d *drawing) block(n ast.Node, w int) {
	switch n := n.(type) {
	case *ast.Heading:
		d.wrap(d.styles.heading.Paint(strings.Repeat("#", n.Level)+" ")+d.inline(n, d.styles.heading), w)
	case *ast.Paragraph, *ast.TextBlock:
		d.wrap(d.inline(n, ""), w)
	case *ast.Blockquote:
		d.nested(n, w, d.styles.dim.Paint("│ "), d.styles.dim.Paint("│ "), 2)
	case *ast.List:
		d.list(n, w)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		d.code(n, w)
	case *ast.ThematicBreak:
		d.rows = append(d.rows, d.styles.dim.Paint(strings.Repeat("─", min(8, w))))
	case *ast.HTMLBlock:
		d.wrap(cells.Clean(d.lines(n)), w)
	case *extast.Table:
		d.table(n, w)
	default:
		d.blocks(n, w)
	}
}

// wrap adds text as rows of w cells.
func (d *drawing) wrap(s string, w int) {
	open := ""
	for _, line := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		for _, row := range cells.Wrap(line, w) {
			row, open = closed(open + row)
			d.rows = append(d.rows, row)
		}
	}
}

// closed ends the style that a row leaves open, and returns it for the next.
func closed(row string) (whole, open string) {
	i := strings.LastIndex(row, "\x1b[")
	if i < 0 || strings.HasPrefix(row[i:], "\x1b[m") {
		return row, ""
	}
	end := strings.IndexByte(row[i:], 'm')
	return row + "\x1b[m", row[i : i+end+1]
}

// nested draws a container's blocks beside a sign that takes some cells; the
// first row has a sign of its own.
func (d *drawing) nested(n ast.Node, w int, first, rest string, taken int) {
	inner := drawing{src: d.src, theme: d.theme, styles: d.styles}
	inner.blocks(n, max(w-taken, minWidth))
	if len(inner.rows) == 0 {
		inner.rows = []string{""}
	}
	for i, row := range inner.rows {
		if i == 0 {
			d.rows = append(d.rows, first+row)
		} else {
			d.rows = append(d.rows, rest+row)
		}
	}
}

func (d *drawing) list(n *ast.List, w int) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		sign := "• "
		if n.IsOrdered() {
			sign = strconv.Itoa(number) + ". "
			number++
		}
		width := cells.Width(sign)
		d.nested(item, w, sign, strings.Repeat(" ", width), width)
		if item.NextSibling() != nil && !n.IsTight {
			d.rows = append(d.rows, "")
		}
	}
}

// code draws a block of code as it is, two cells in, in the colours of its
// language where that is said; a row that is too long
// goes on in the next, since none of it may be lost.
func (d *drawing) code(n ast.Node, w int) {
	inner := max(w-2, 1)
	var lang *syntax.Language
	if fence, ok := n.(*ast.FencedCodeBlock); ok {
		lang = syntax.ByName(string(fence.Language(d.src)))
	}
	text := cells.Clean(strings.TrimRight(d.lines(n), "\n"))
	classes := lang.Text(text)
	for line := range strings.SplitSeq(text, "\n") {
		for {
			part := line
			if cells.Width(line) > inner {
				part = hard(line, inner)
			}
			row := d.styles.code.Paint(part)
			if lang != nil {
				row = syntax.Paint(part, classes, d.theme, "")
			}
			d.rows = append(d.rows, "  "+row)
			line, classes = line[len(part):], classes[len(part):]
			if line == "" {
				break
			}
		}
		classes = classes[min(1, len(classes)):] // the line feed
	}
}

// hard returns the longest beginning of s that takes at most w cells, at
// least one cluster of it.
func hard(s string, w int) string {
	n, used := 0, 0
	for n < len(s) {
		cluster, width := cells.Cluster(s[n:])
		if n > 0 && used+width > w {
			break
		}
		n += len(cluster)
		used += width
	}
	return s[:n]
}

func (d *drawing) lines(n ast.Node) string {
	var b strings.Builder
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		b.Write(segment.Value(d.src))
	}
	return b.String()
}
