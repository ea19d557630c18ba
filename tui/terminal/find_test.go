package terminal

import (
	"slices"
	"strings"
	"testing"

	"aside/session"
)

func TestWordsAreFoundWhereALineWraps(t *testing.T) {
	rows := []session.Row{
		textRow("error: no such file", false), textRow("no", false), textRow("such", false),
		textRow("panic: no su", true), textRow("ch file, and", true), textRow(" no such day", false),
		textRow("日本 no such no such", false),
	}
	s := NewSearch("no such")
	s.Add(10, rows[:4])
	s.Add(14, rows[4:])
	want := []Found{{Row: 10, Col: 7}, {Row: 13, Col: 7}, {Row: 15, Col: 1}, {Row: 16, Col: 5}}
	if got := s.Found(); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	s = NewSearch("no such")
	s.Add(10, rows[3:4])
	s.Add(20, rows[4:6]) // the rows between are not known
	if got := s.Found(); !slices.Equal(got, []Found{{Row: 21, Col: 1}}) {
		t.Errorf("found %v over rows that are not known", got)
	}
}

func TestWordsAreMarkedWhereALineWraps(t *testing.T) {
	p := paneOf(textRow("panic: no su", true), textRow("ch", true), textRow(" no suet", false))
	marked := func(words string) string {
		p.Mark(words)
		var out []string
		for _, l := range p.Lines(nil, 12, 3, true) {
			out = append(out, strings.TrimRight(strings.NewReplacer("\x1b[0;7m", "<", "\x1b[0;4m", "<_", "\x1b[m", ">").Replace(l), " "))
		}
		return strings.Join(out, "|")
	}
	for words, want := range map[string]string{
		"no such": "panic: <no su>|<ch>| no suet",
		"such no": "panic: no <su>|<ch>|< no> suet",
		"no su":   "panic: <no su>|ch| <_no su>et", // those in the last row have not been gone to
		"":        "panic: no su|ch| no suet",
	} {
		if got := marked(words); got != want {
			t.Errorf("with %q marked: %s, want %s", words, got, want)
		}
	}
}
