// Package palette draws rows of which one is chosen, and finds them by a few
// letters of what they say: the screen's commands, and what a search has found.
package palette

import (
	"slices"
	"strings"
	"unicode"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/theme"
)

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Row is one thing to choose. Its texts are on one line and clean.
type Row struct {
	Title string
	Marks []Span // of the title, in their order
	Right string // at the row's end
	Below string // on a second line, if the list is Tall
	Under []Span // the marks of Below
}

// List is what there is to draw.
type List struct {
	Rows   []Row
	Chosen int
	Tall   bool // rows have a second line
}

// PerRow returns how many lines a row takes.
func (l List) PerRow() int {
	if l.Tall {
		return 2
	}
	return 1
}

// Draw returns at most h lines of w columns, and the row that each stands for.
// The chosen row is among them.
func (l List) Draw(th theme.Theme, w, h int) (lines []string, rows []int) {
	room := max(0, h/l.PerRow())
	from := min(max(0, l.Chosen-room/2), max(0, len(l.Rows)-room))
	for i := from; i < min(len(l.Rows), from+room); i++ {
		r := l.Rows[i]
		lead, style := "  ", theme.Style("")
		if i == l.Chosen {
			lead, style = th.Accent.Paint(theme.Rail)+" ", th.Strong
		}
		title := lead + painted(r.Title, r.Marks, style, th.Accent.On("4"))
		lines, rows = append(lines, cells.Spread(title, th.Dim.Paint(cells.Cut(r.Right, w/2)), w-1)+" "), append(rows, i)
		if l.Tall {
			lines, rows = append(lines, cells.Fit(lead+"  "+painted(r.Below, r.Under, th.Dim, th.Accent.On("4")), w)), append(rows, i)
		}
	}
	return lines, rows
}

// painted is a text in one style, and its marks in another.
func painted(s string, marks []Span, plain, marked theme.Style) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		if m.From < at || m.To > len(s) || m.To <= m.From {
			continue // not a part of this text
		}
		b.WriteString(plain.Paint(s[at:m.From]))
		b.WriteString(marked.Paint(s[m.From:m.To]))
		at = m.To
	}
	b.WriteString(plain.Paint(s[at:]))
	return b.String()
}

// How well a word is found in a text.
const (
	asLetters = 1 // its letters, in their order
	asPart    = 4 // whole
	asStart   = 8 // at the beginning of a word
)

// Match finds every word of a query in a text, at the beginning of a word
// rather than within one, and else by its letters in their order; case does
// not count. The better match has the higher score. An empty query is in every
// text.
func Match(query, text string) (score int, marks []Span, ok bool) {
	runes := []rune(text)
	places := make([]int, len(runes)+1) // of each rune, in bytes
	for i, r := range runes {
		places[i+1] = places[i] + len(string(r))
		runes[i] = unicode.ToLower(r)
	}
	if places[len(runes)] != len(text) {
		return Match(query, session.CleanLine(text)) // it was not valid UTF-8
	}
	hit := make([]bool, len(runes))
	for word := range strings.FieldsSeq(query) {
		w := []rune(strings.ToLower(word))
		s, at := find(w, runes)
		if s == 0 {
			return 0, nil, false
		}
		score += s
		for _, i := range at {
			hit[i] = true
		}
	}
	for i := 0; i < len(hit); i++ {
		if !hit[i] {
			continue
		}
		end := i
		for end < len(hit) && hit[end] {
			end++
		}
		marks = append(marks, Span{places[i], places[end]})
		i = end
	}
	return score, marks, true
}

// find returns how well a word is found, 0 is not at all, and where its runes
// are.
func find(word, text []rune) (score int, at []int) {
	for i := 0; i+len(word) <= len(text); i++ {
		if !slices.Equal(text[i:i+len(word)], word) {
			continue
		}
		s := asPart
		if i == 0 || !unicode.IsLetter(text[i-1]) && !unicode.IsDigit(text[i-1]) {
			s = asStart
		}
		if s > score {
			score, at = s, at[:0]
			for j := range word {
				at = append(at, i+j)
			}
		}
	}
	if score > 0 {
		return score, at
	}
	for i := range text {
		l := letters(word, text[i:], i)
		if l != nil && (at == nil || l[len(l)-1]-l[0] < at[len(at)-1]-at[0]) {
			score, at = asLetters, l // those that are closest
		}
	}
	return score, at
}

// apart is how many times as long as a word its letters may lie apart: further,
// almost every word is in almost every sentence.
const apart = 3

// letters returns where the letters of a word are, from the beginning of a text
// on, whose own place is from; nil where they are not.
func letters(word, text []rune, from int) (at []int) {
	for i, r := range text[:min(len(text), apart*len(word))] {
		if len(at) < len(word) && r == word[len(at)] {
			at = append(at, from+i)
		} else if i == 0 {
			return nil
		}
	}
	if len(at) < len(word) {
		return nil
	}
	return at
}
