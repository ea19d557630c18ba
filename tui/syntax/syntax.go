// Package syntax says what the parts of source code are, so that they can be
// drawn in the theme's colours: comments, strings, numbers, keywords, types
// and names. It is no parser: it reads line by line, carries over what a line
// leaves open, and takes any text without failing. What it takes for something
// else is drawn otherwise, and nothing is left out.
//
// The libraries that do this build their tables when a program starts, or
// match expressions that go back and forth on a model's text; this one builds
// what a language needs when it is first read, and looks at each byte once or
// twice.
package syntax

import (
	"strings"
	"unicode/utf8"

	"aside/tui/cells"
	"aside/tui/theme"
)

// Class is what a byte of code belongs to.
type Class uint8

// The classes. The last three come in addition to one of the others: Words is
// what has changed within a line that was added or removed.
const (
	Plain Class = iota
	Comment
	String
	Number
	Keyword
	Type
	Name
	Variable
	Mark
	Sign // the + or - of a changed line, and its line number

	Words   Class = 1 << 5
	Added   Class = 1 << 6
	Removed Class = 1 << 7
)

// Style returns how a class looks. Of a changed line the sign has the colour
// of what was added or removed, and where there are few colours all of it.
func (c Class) Style(th theme.Theme) theme.Style {
	changed, ground, words := th.Good, th.Added, th.AddedWords
	switch {
	case c&Removed != 0:
		changed, ground, words = th.Bad, th.Removed, th.RemovedWords
	case c&Added == 0:
		return c.look(th)
	}
	if c&Words != 0 {
		ground = words.On(ground)
	}
	if c &^= Added | Removed | Words; c == Sign || th.Colors < theme.Colors256 {
		return changed.On(ground)
	}
	return c.look(th).On(ground)
}

func (c Class) look(th theme.Theme) theme.Style {
	code := th.Code
	return [...]theme.Style{
		Comment: code.Comment, String: code.String, Number: code.Number, Keyword: code.Keyword, Type: code.Type,
		Name: code.Name, Variable: code.Variable, Mark: code.Mark, Sign: th.Dim,
	}[c]
}

// maxLine is how many bytes of a line are read; what follows is plain. Lines
// that are longer were written by programs, and reading them would be felt.
const maxLine = 1 << 10

// State is what the lines before leave open. The zero State is the beginning
// of a text.
type State struct {
	open
	guest  *Language // the one that is read within, such as in a fence
	within open
}

// open is what one language has left open.
type open struct {
	kind  uint8  // of the language's own, 0 is nothing
	depth uint8  // how often, where it nests
	end   string // what ends it, where the text itself says so
}

// Line notes the classes of a line, which has no line feed, and returns what
// it leaves open. classes is as long as the line. A nil Language leaves all
// plain.
func (l *Language) Line(line string, classes []Class, s State) State {
	clear(classes)
	if l == nil {
		return s
	}
	if len(line) > maxLine {
		line = line[:maxLine]
	}
	r := reader{l: l, s: line, out: classes[:len(line)], st: s}
	r.line()
	return r.st
}

// Text returns the class of every byte of a text.
func (l *Language) Text(text string) []Class { return l.text(text, State{}) }

func (l *Language) text(text string, s State) []Class {
	out := make([]Class, len(text))
	if l == nil {
		return out
	}
	at := 0
	for line := range strings.Lines(text) {
		n := len(strings.TrimRight(line, "\r\n"))
		s = l.Line(line[:n], out[at:at+n], s)
		at += len(line)
	}
	return out
}

// Diff returns the class of every byte of a diff. With a path it is one of that
// file only, without a head.
func Diff(text, path string) []Class {
	s := State{guest: ByPath(path, "")}
	if path != "" {
		s.kind = diffBare
	}
	return languages().names["diff"].text(text, s)
}

// Paint returns a text of one line with its classes painted on a ground; nil is
// plain.
func Paint(s string, classes []Class, th theme.Theme, ground theme.Style) string {
	if classes == nil {
		return ground.Paint(s)
	}
	var b strings.Builder
	from := 0
	for i := 1; i <= len(s); i++ {
		if i == len(s) || classes[i] != classes[from] && boundary(s, i) {
			b.WriteString(classes[from].Style(th).On(ground).Paint(s[from:i]))
			from = i
		}
	}
	return b.String()
}

// boundary says that a cluster ends before a place: one that is torn apart
// would take other columns.
func boundary(s string, i int) bool {
	if s[i] < utf8.RuneSelf && s[i-1] < utf8.RuneSelf {
		return true
	}
	_, n := utf8.DecodeLastRuneInString(s[:i])
	cluster, _ := cells.Cluster(s[i-n:])
	return utf8.RuneStart(s[i]) && len(cluster) <= n
}

// PaintRows paints the rows that a text was wrapped into; wrapping has left
// out nothing but white space.
func PaintRows(rows []string, text string, classes []Class, th theme.Theme, ground theme.Style) {
	var of []Class
	at := 0
	for i, row := range rows {
		if classes == nil {
			rows[i] = ground.Paint(row)
			continue
		}
		of = of[:0]
		for j := range len(row) {
			for at < len(text) && text[at] != row[j] && (text[at] == ' ' || text[at] == '\n') {
				at++
			}
			c := Plain
			if at < len(text) && text[at] == row[j] {
				c = classes[at]
				at++
			}
			of = append(of, c)
		}
		rows[i] = Paint(row, of, th, ground)
	}
}
