package storage

import (
	"slices"
	"strings"
	"unicode"

	"aside/session/transcript"
)

// wordsLimit is how many bytes of an entry are indexed.
const wordsLimit = 128 << 10

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
	if !strings.ContainsFunc(s, func(r rune) bool { return transcript.Alone(r) || private(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case private(r):
			b.WriteByte(' ')
		case transcript.Alone(r):
			b.WriteString(" " + string(r) + " ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// match returns the query of the index for the words (SQLite, FTS5, Full-text
// Query Syntax). Each is a string, in which nothing is an operator.
func match(all []transcript.Phrase) string {
	var quoted []string
	for _, p := range all {
		for _, w := range p {
			quoted = append(quoted, `"`+w+`"`)
		}
	}
	return strings.Join(quoted, " AND ") + " *"
}

// shorter returns the phrases with the last word cut to what the index has of
// its beginnings, and whether that made it shorter.
func shorter(all []transcript.Phrase) ([]transcript.Phrase, bool) {
	last := slices.Clone(all[len(all)-1])
	word := []rune(last[len(last)-1])
	if len(word) <= prefixMost {
		return nil, false
	}
	last[len(last)-1] = string(word[:prefixMost])
	return append(slices.Clone(all[:len(all)-1]), last), true
}
