package markdown

import (
	"strings"

	"aside/tui/cells"
	"aside/tui/theme"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inline returns the text of a block's children in a style. A line break that
// was written stays one.
func (d *drawing) inline(parent ast.Node, under theme.Style) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if !d.leaf(&b, n, under) {
			d.container(&b, n, under)
		}
	}
	return b.String()
}

// leaf adds a node that holds text of its own, and says whether it is one.
func (d *drawing) leaf(b *strings.Builder, n ast.Node, under theme.Style) bool {
	switch n := n.(type) {
	case *ast.Text:
		d.words(b, string(n.Segment.Value(d.src)), under)
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte('\n')
		}
	case *ast.String:
		d.words(b, string(n.Value), under)
	case *ast.CodeSpan:
		d.words(b, d.plain(n), d.styles.code.On(under))
	case *ast.AutoLink:
		d.words(b, string(n.URL(d.src)), d.styles.link.On(under))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			d.words(b, string(segment.Value(d.src)), under)
		}
	default:
		return false
	}
	return true
}

// container adds a node that styles what is in it.
func (d *drawing) container(b *strings.Builder, n ast.Node, under theme.Style) {
	switch n := n.(type) {
	case *ast.Emphasis:
		style := d.styles.emph
		if n.Level > 1 {
			style = d.styles.strong
		}
		b.WriteString(d.inline(n, style.On(under)))
	case *extast.Strikethrough:
		b.WriteString(d.inline(n, d.styles.strike.On(under)))
	case *ast.Link:
		d.link(b, d.inline(n, under), string(n.Destination), under)
	case *ast.Image:
		d.link(b, "image: "+d.inline(n, under), string(n.Destination), under)
	case *extast.TaskCheckBox:
		box := "[ ] "
		if n.IsChecked {
			box = "[x] "
		}
		b.WriteString(box)
	default:
		b.WriteString(d.inline(n, under))
	}
}

// words adds text in a style, character references and escapes resolved. A
// reference can spell a control character, which goes here.
func (d *drawing) words(b *strings.Builder, s string, style theme.Style) {
	raw := util.ResolveNumericReferences(util.ResolveEntityNames(util.UnescapePunctuations([]byte(s))))
	b.WriteString(style.Paint(cells.Clean(string(raw))))
}

// link adds a link's text, and its target where the text does not say it.
func (d *drawing) link(b *strings.Builder, label, target string, under theme.Style) {
	b.WriteString(label)
	if target == "" || strings.TrimSpace(label) == target {
		return
	}
	b.WriteByte(' ')
	d.words(b, "("+target+")", d.styles.link.On(under))
}

// plain returns the text below a node without any style.
func (d *drawing) plain(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(d.src))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		default:
			b.WriteString(d.plain(n))
		}
	}
	return b.String()
}

// table draws a table with columns as wide as they need. One that does not
// fit is drawn row by row, each cell headed by its column.
func (d *drawing) table(n *extast.Table, w int) {
	var rows [][]string
	var widths []int
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cols []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text := strings.ReplaceAll(d.inline(cell, ""), "\n", " ")
			if len(widths) == len(cols) {
				widths = append(widths, 0)
			}
			widths[len(cols)] = max(widths[len(cols)], cells.Width(text))
			cols = append(cols, text)
		}
		rows = append(rows, cols)
	}
	total := 0
	for _, c := range widths {
		total += c + 2
	}
	if len(rows) == 0 {
		return
	}
	if total-2 > w {
		d.tall(rows, w)
		return
	}
	for i, cols := range rows {
		var b strings.Builder
		for j, c := range cols {
			if i == 0 {
				c = d.styles.strong.Paint(c)
			}
			b.WriteString(c)
			if j < len(cols)-1 {
				b.WriteString(strings.Repeat(" ", widths[j]-cells.Width(c)+2))
			}
		}
		d.rows = append(d.rows, b.String())
		if i == 0 {
			d.rows = append(d.rows, d.styles.dim.Paint(strings.Repeat("─", max(total-2, 1))))
		}
	}
}

func (d *drawing) tall(rows [][]string, w int) {
	head := rows[0]
	for i, cols := range rows[1:] {
		if i > 0 {
			d.rows = append(d.rows, "")
		}
		for j, c := range cols {
			label := ""
			if j < len(head) {
				label = d.styles.strong.Paint(head[j]) + ": "
			}
			d.wrap(label+c, w)
		}
	}
}
