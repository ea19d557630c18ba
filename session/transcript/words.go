package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"aside/session"
)

// TermsLimit is how many phrases of a query are looked for.
const TermsLimit = 16

const (
	snippetBefore = 40  // bytes of a snippet before its first word
	snippetLength = 200 // bytes of a snippet, about
)

// A text is cut into words as SQLite's unicode61 tokenizer does: runs of
// letters and digits, without case and accents. A writing without spaces is
// cut into characters, so that a part of a sentence can be found.

// Alone says that a character is a word of its own.
func Alone(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mn, r)
}

// Phrase is what a person typed between two spaces: words that follow each
// other, such as foo and bar of foo_bar.
type Phrase []string

// Phrases returns what to look for. The last word of the last phrase may be
// the beginning of one.
func Phrases(text string) []Phrase {
	var all []Phrase
	for field := range strings.FieldsSeq(text) {
		var p Phrase
		for at, end := nextWord(field, 0); at < end; at, end = nextWord(field, end) {
			p = append(p, fold(field[at:end]))
		}
		if len(p) > 0 && len(all) < TermsLimit {
			all = append(all, p)
		}
	}
	return all
}

// nextWord returns where the next word from a place on is; both are the
// length of s when there is none.
func nextWord(s string, from int) (at, end int) {
	at = from
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if inWord(r) {
			break
		}
		at += n
	}
	for end = at; end < len(s); {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !inWord(r) || end > at && Alone(r) {
			break
		}
		end += n
		if Alone(r) {
			break
		}
	}
	return at, end
}

// latin are the letters from U+00C0 to U+017F without case and accents; a
// space stands for one that has none to lose.
const latin = "aaaaaa ceeeeiiii nooooo  uuuuy  aaaaaa ceeeeiiii nooooo  uuuuy y" +
	"aaaaaaccccccccdd  eeeeeeeeeegggggggghh  iiiiiiiii   jjkk llllll    nnnnnn   oooooo  rrrrrrssssssss" +
	"tttt  uuuuuuuuuuuuwwyyyzzzzzz "

// fold returns a word without case and accents.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return unicode.ToLower(r)
		case unicode.Is(unicode.Mn, r):
			return -1
		case r >= 0xc0 && r <= 0x17f && latin[r-0xc0] != ' ':
			return rune(latin[r-0xc0])
		}
		return unicode.ToLower(r)
	}, word)
}

// Seeker finds the words of a query in a text.
type Seeker struct {
	phrases []Phrase
	words   map[string]bool
	prefix  string // the last word
}

// NewSeeker returns one for the phrases of a query.
func NewSeeker(all []Phrase) Seeker {
	s := Seeker{phrases: all, words: map[string]bool{}}
	for _, p := range all {
		for _, w := range p {
			s.words[w] = true
			s.prefix = w
		}
	}
	return s
}

// next returns the next word of the query in a text from a place on.
func (s Seeker) next(text string, from int) (Span, bool) {
	for at, end := nextWord(text, from); at < end; at, end = nextWord(text, end) {
		if w := fold(text[at:end]); s.words[w] || strings.HasPrefix(w, s.prefix) {
			return Span{From: at, To: end}, true
		}
	}
	return Span{}, false
}

// Holds says whether the phrases of more than one word are in a text. That
// the words are is known.
func (s Seeker) Holds(text string) bool {
	for i, p := range s.phrases {
		if len(p) > 1 && !p.in(text, i == len(s.phrases)-1) {
			return false
		}
	}
	return true
}

// HoldsAll is Holds where not even the last word is known to be there.
func (s Seeker) HoldsAll(text string) bool {
	return s.phrases[len(s.phrases)-1].in(text, true) && s.Holds(text)
}

// in says whether the words of the phrase follow each other in a text; with
// open, the last one may go on.
func (p Phrase) in(text string, open bool) bool {
	var ends []int // how many words of the phrase those before here were
	for at, end := nextWord(text, 0); at < end; at, end = nextWord(text, end) {
		w := fold(text[at:end])
		var now []int
		for _, n := range append(ends, 0) {
			last := n == len(p)-1
			switch fits := w == p[n] || last && open && strings.HasPrefix(w, p[n]); {
			case fits && last:
				return true
			case fits:
				now = append(now, n+1)
			}
		}
		ends = now
	}
	return false
}

// Snippet returns the part of a text around the first word of the query, and
// where in it the words are.
func (s Seeker) Snippet(text string) (string, []Span) {
	first, _ := s.next(text, 0)
	from, to := max(0, first.From-snippetBefore), len(text)
	if to-from > snippetLength {
		to = from + snippetLength
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	part := session.CleanLine(text[from:to])
	if from > 0 {
		part = "…" + part
	}
	if to < len(text) {
		part += "…"
	}
	return part, s.Marks(part)
}

// Marks returns where in a text the words of the query are.
func (s Seeker) Marks(text string) []Span {
	if len(s.words) == 0 {
		return nil
	}
	var marks []Span
	for m, ok := s.next(text, 0); ok; m, ok = s.next(text, m.To) {
		marks = append(marks, m)
	}
	return marks
}
