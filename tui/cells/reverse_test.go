package cells

import (
	"strings"
	"testing"
)

func TestReverseKeepsTheTextAndItsStyles(t *testing.T) {
	for _, tt := range []struct {
		line  string
		spans []Span
		want  string
	}{
		{"plain text", nil, "plain text"},
		{"plain text", []Span{{6, 10}}, "plain \x1b[7mtext\x1b[27m"},
		{"a b a", []Span{{0, 1}, {4, 5}}, "\x1b[7ma\x1b[27m b \x1b[7ma\x1b[27m"},
		{"ab", []Span{{0, 1}, {1, 2}}, "\x1b[7ma\x1b[27m\x1b[7mb\x1b[27m"},
		{"one \x1b[1mbo\x1b[mld x", []Span{{4, 8}}, "one \x1b[1m\x1b[7mbo\x1b[m\x1b[7mld\x1b[27m x"},
		{"日本 é x", []Span{{7, 9}}, "日本 \x1b[7mé\x1b[27m x"},
	} {
		got := Reverse(tt.line, tt.spans)
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.line, got, tt.want)
		}
		if Text(got) != Text(tt.line) || strings.Contains(Text(got), "\x1b") {
			t.Errorf("%q says %q", tt.line, Text(got))
		}
	}
}
