package storage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"aside/session"
	"aside/session/transcript"
)

const (
	wordsLimit    = 128 << 10 // bytes of an entry that are indexed
	termsLimit    = 16        // words of a query
	snippetBefore = 40        // bytes of a snippet before its first word
	snippetLength = 200       // bytes of a snippet, about
)

// A text is cut into words as SQLite's unicode61 tokenizer does: runs of
// letters and digits, without case and accents. A writing without spaces is
// indexed by character, so that a part of a sentence can be found.

// placeMark is a private character; those are letters for SQLite, and here for
// nobody else.
const placeMark = "\uf8ff"

func private(r rune) bool { return unicode.Is(unicode.Co, r) }

// indexable returns a text as the index gets it: its beginning, without
// private characters and with spaces around each that is a word of its own.
func indexable(s string) string {
	if len(s) > wordsLimit {
		s = strings.ToValidUTF8(s[:wordsLimit], "")
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return alone(r) || private(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case private(r):
			b.WriteByte(' ')
		case alone(r):
			b.WriteString(" " + string(r) + " ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alone says that a character is a word of its own.
func alone(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mn, r)
}

// phrase is what a person typed between two spaces: words that follow each
// other, such as foo and bar of foo_bar.
type phrase []string

// phrases returns what to look for. The last word of the last phrase may be
// the beginning of one.
func phrases(text string) []phrase {
	var all []phrase
	for field := range strings.FieldsSeq(text) {
		var p phrase
		for at, end := nextWord(field, 0); at < end; at, end = nextWord(field, end) {
			p = append(p, fold(field[at:end]))
		}
		if len(p) > 0 && len(all) < termsLimit {
			all = append(all, p)
		}
	}
	return all
}

// match returns the query of the index for the words (SQLite, FTS5, Full-text
// Query Syntax). Each is a string, in which nothing is an operator.
func match(all []phrase) string {
	var quoted []string
	for _, p := range all {
		for _, w := range p {
			quoted = append(quoted, `"`+w+`"`)
		}
	}
	return strings.Join(quoted, " AND ") + " *"
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
		if !inWord(r) || end > at && alone(r) {
			break
		}
		end += n
		if alone(r) {
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

// seeker finds the words of a query in a text.
type seeker struct {
	phrases []phrase
	words   map[string]bool
	prefix  string // the last word
}

func newSeeker(all []phrase) seeker {
	s := seeker{phrases: all, words: map[string]bool{}}
	for _, p := range all {
		for _, w := range p {
			s.words[w] = true
			s.prefix = w
		}
	}
	return s
}

// next returns the next word of the query in a text from a place on.
func (s seeker) next(text string, from int) (transcript.Span, bool) {
	for at, end := nextWord(text, from); at < end; at, end = nextWord(text, end) {
		if w := fold(text[at:end]); s.words[w] || strings.HasPrefix(w, s.prefix) {
			return transcript.Span{From: at, To: end}, true
		}
	}
	return transcript.Span{}, false
}

// holds says whether the phrases of more than one word are in a text. That
// the words are is known.
func (s seeker) holds(text string) bool {
	for i, p := range s.phrases {
		if len(p) > 1 && !p.in(text, i == len(s.phrases)-1) {
			return false
		}
	}
	return true
}

// holdsAll is holds where not even the last word is known to be there.
func (s seeker) holdsAll(text string) bool {
	return s.phrases[len(s.phrases)-1].in(text, true) && s.holds(text)
}

// shorter returns the phrases with the last word cut to what the index has of
// its beginnings, and whether that made it shorter.
func shorter(all []phrase) ([]phrase, bool) {
	last := slices.Clone(all[len(all)-1])
	word := []rune(last[len(last)-1])
	if len(word) <= prefixMost {
		return nil, false
	}
	last[len(last)-1] = string(word[:prefixMost])
	return append(slices.Clone(all[:len(all)-1]), last), true
}

// in says whether the words of the phrase follow each other in a text; with
// open, the last one may go on.
func (p phrase) in(text string, open bool) bool {
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

// snippet returns the part of a text around the first word of the query, and
// where in it the words are.
func (s seeker) snippet(text string) (string, []transcript.Span) {
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
	var marks []transcript.Span
	for m, ok := s.next(part, 0); ok; m, ok = s.next(part, m.To) {
		marks = append(marks, m)
	}
	return part, marks
}
