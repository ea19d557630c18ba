// Package theme holds the colours of the screen. They follow the terminal's
// own palette where there are 16 of them, and vanish under NO_COLOR; no
// meaning hangs on a colour alone, every style is beside a sign or a word.
package theme

import (
	"strconv"
	"strings"
)

// Style is how text looks, as the parameters of an SGR sequence; "" is the
// terminal's own look.
type Style string

// Paint returns s in the style, and the terminal's own look after it.
func (st Style) Paint(s string) string {
	if st == "" || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[m"
}

// On returns the style with another one beneath it, such as a fill.
func (st Style) On(under Style) Style {
	switch {
	case st == "":
		return under
	case under == "":
		return st
	}
	return under + ";" + st
}

// The number of colours a terminal has, as far as the theme cares.
const (
	ColorsNone = 0
	Colors16   = 16
	Colors256  = 256
	ColorsTrue = 1 << 24
)

// Theme is one set of styles. Themes are equal when they look the same.
type Theme struct {
	Accent Style // what is offered, and where the focus is
	Good   Style
	Warn   Style
	Bad    Style
	Dim    Style // what may be overlooked
	Strong Style
	Fill   Style // the ground of a standing card and of the bar
	Chosen Style // the ground of the chosen row
	Key    Style // a key in a hint
	Code   Code
	// The grounds of a line that came and of one that went, "" where there are
	// too few colours for text of all colours to be read on them; and how the
	// words look that are changed in it.
	Added, Removed           Style
	AddedWords, RemovedWords Style
	Dark                     bool
	Colors                   int
}

// Code are the looks of the parts of source code.
type Code struct {
	Comment, String, Number, Keyword, Type Style
	Name                                   Style // of a function, a command, a key, a tag
	Variable                               Style
	Mark                                   Style // what steers: an annotation, a preprocessor line, a heading
}

// New returns the theme for a dark or light ground and a number of colours.
func New(dark bool, colors int) Theme {
	t := Theme{Dark: dark, Colors: colors, Dim: "2", Strong: "1", Key: "1", Chosen: "7"}
	pick := func(d, l Style) Style {
		if dark {
			return d
		}
		return l
	}
	t.Code = code(dark, colors)
	t.AddedWords, t.RemovedWords = "4", "4"
	switch {
	case colors >= Colors256:
		t.Added, t.Removed = pick("", "48;5;194"), pick("", "48;5;224")
		if colors >= ColorsTrue {
			t.Added, t.Removed = pick("48;2;16;38;22", "48;2;230;255;236"), pick("48;2;52;20;22", "48;2;255;235;233")
			t.AddedWords, t.RemovedWords = pick("48;2;20;66;34", "48;2;171;242;188"), pick("48;2;90;28;32", "48;2;255;208;204")
		}
		t.Accent = pick("38;5;117", "38;5;26")
		t.Good = pick("38;5;114", "38;5;22")
		t.Warn = pick("38;5;179", "38;5;94")
		t.Bad = pick("38;5;210", "38;5;124")
		t.Dim = pick("38;5;248", "38;5;240")
		t.Fill = pick("48;5;236", "48;5;255")
		t.Chosen = pick("48;5;237", "48;5;254")
		t.Key = t.Accent.On("1")
	case colors >= Colors16:
		// On a light ground most of the 16 cannot be read: these can.
		t.Accent = pick("96", "34")
		t.Good = pick("92", "")
		t.Warn = pick("93", "35")
		t.Bad = pick("91", "31")
		t.Key = t.Accent.On("1")
	default:
		t.Accent = "1"
		t.Bad = "1"
	}
	return t
}

// code returns the looks of source code. Added and removed lines have the
// colours of Good and Bad, so code has others where there are 16.
func code(dark bool, colors int) Code {
	switch {
	case colors >= Colors256 && dark:
		return Code{
			Comment: "38;5;248", String: "38;5;150", Number: "38;5;180", Keyword: "38;5;176", Type: "38;5;116",
			Name: "38;5;117", Variable: "38;5;216", Mark: "38;5;180",
		}
	case colors >= Colors256:
		return Code{
			Comment: "38;5;240", String: "38;5;22", Number: "38;5;58", Keyword: "38;5;90", Type: "38;5;24",
			Name: "38;5;25", Variable: "38;5;88", Mark: "38;5;58",
		}
	case colors >= Colors16 && dark:
		return Code{Comment: "2", String: "93", Number: "36", Keyword: "95", Type: "96", Name: "1", Variable: "36", Mark: "36"}
	case colors >= Colors16:
		return Code{Comment: "2", String: "35", Number: "35", Keyword: "1;34", Type: "34", Name: "1", Mark: "35"}
	}
	return Code{Comment: "2", Keyword: "1", Name: "1"}
}

// Hint returns a key and what it does, as hints are drawn: "s start".
func (t Theme) Hint(key, does string) string {
	return t.HintOn(key, does, "")
}

// HintOn is Hint on a ground.
func (t Theme) HintOn(key, does string, ground Style) string {
	return t.Key.On(ground).Paint(key) + ground.Paint(" "+does)
}

// Changes is how many lines were added and deleted, on a ground: "+12 −3".
func (t Theme) Changes(added, deleted int, ground Style) string {
	return t.Good.On(ground).Paint("+"+strconv.Itoa(added)) + ground.Paint(" ") + t.Bad.On(ground).Paint("−"+strconv.Itoa(deleted))
}

// Rail is the sign at the left of what stands open.
const Rail = "▌"

// Rule returns a horizontal line of w columns.
func (t Theme) Rule(w int) string {
	return t.Dim.Paint(strings.Repeat("─", max(0, w)))
}
