package composer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"aside/tui/cells"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// field returns one with the focus; | in the text is the cursor.
func field(w int, written string) *Field {
	f := New("", 8)
	f.SetWidth(w)
	f.Focus()
	before, after, _ := strings.Cut(written, "|")
	f.SetText(before + after)
	lines := strings.Split(before, "\n")
	f.text.at = place{len(lines) - 1, len(lines[len(lines)-1])}
	f.changed()
	return f
}

// shown is the text with its cursor, and what is selected in brackets.
func shown(f *Field) string {
	from, to := f.selected()
	if from == to {
		return f.text.between(place{}, f.text.at) + "|" + f.text.between(f.text.at, f.text.end())
	}
	return f.text.between(place{}, from) + "[" + f.text.between(from, to) + "]" + f.text.between(to, f.text.end())
}

func press(f *Field, keys ...string) {
	for _, k := range keys {
		f.Update(tea.KeyPressMsg(tuitest.Key(k)))
	}
}

func TestKeysMoveAndChange(t *testing.T) {
	for _, tc := range []struct{ before, keys, after string }{
		{"ab|", "left", "a|b"},
		{"a\n|b", "left", "a|\nb"},
		{"a|\nb", "right", "a\n|b"},
		{"a👩‍👧|", "left", "a|👩‍👧"},
		{"e\u0301|x", "backspace", "|x"},
		{"one two|", "alt+left", "one |two"},
		{"one |two", "ctrl+left", "|one two"},
		{"|one two", "alt+f", "one| two"},
		{"one| two", "alt+d", "one|"},
		{"one two|", "ctrl+w", "one |"},
		{"a\n|b", "backspace", "a|b"},
		{"a|\nb", "delete", "a|b"},
		{"one tw|o", "ctrl+u", "|o"},
		{"a\n|b", "ctrl+u", "a|b"},
		{"on|e\ntwo", "ctrl+k", "on|\ntwo"},
		{"one|\ntwo", "ctrl+k", "one|two"},
		{"one\ntw|o", "home", "one\n|two"},
		{"one\nt|wo", "end", "one\ntwo|"},
		{"one\nt|wo", "ctrl+home", "|one\ntwo"},
		{"|one\ntwo", "alt+>", "one\ntwo|"},
		{"abc\nx\ndef|", "up up", "abc|\nx\ndef"},
		{"ab|c\nx\ndef", "down", "abc\nx|\ndef"},
		{"|a", "up", "|a"},
		{"ab|c", "ctrl+t", "acb|"},
		{"|one two", "alt+u alt+c", "ONE Two|"},
		{"on|e", "shift+left x", "ox|e"},
		{"one|", "ctrl+shift+left", "[one]"},
		{"one|", "shift+left shift+left backspace", "o|"},
		{"one|", "shift+left left right", "on|e"},
		{"a\nb|", "shift+up", "a[\nb]"},
		{"|", "backspace delete ctrl+k ctrl+u ctrl+w left up ctrl+t", "|"},
	} {
		f := field(40, tc.before)
		press(f, strings.Fields(tc.keys)...)
		if got := shown(f); got != tc.after {
			t.Errorf("%q, %s: got %q, want %q", tc.before, tc.keys, got, tc.after)
		}
	}
}

func TestRowsBreakBetweenWords(t *testing.T) {
	for text, want := range map[string][]string{
		"one two three": {"one two ", "three"},
		"abcdefghijkl":  {"abcdefghi", "jkl"},
		"a 漢字漢字漢字":      {"a ", "漢字漢字", "漢字"},
		"one\n\ntwo":    {"one", "", "two"},
	} {
		f := field(12, text+"|")
		var got []string
		for _, l := range f.Lines(12) {
			got = append(got, strings.TrimRight(strings.TrimPrefix(ansi.Strip(l), prompt), " "))
		}
		for i := range want {
			want[i] = strings.TrimRight(want[i], " ")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: rows are %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsMoreThanTheFieldTakesIsTold(t *testing.T) {
	f := field(40, "|")
	if !f.Update(tea.PasteMsg{Content: strings.Repeat("ä\r\n", maxText/3)}) || len(f.Text()) != maxText/3*3 {
		t.Errorf("%d bytes of a paste that fits are left", len(f.Text()))
	}
	if f.Update(tea.PasteMsg{Content: "äää"}) || !utf8.ValidString(f.Text()) || len(f.Text()) > maxText {
		t.Error("what does not fit was taken, or not told of")
	}
}

// TestAnyKeysKeepTheField holds what must be so whatever is typed: the text is
// what was typed, rows are wrapped as if anew, the cursor is seen.
func TestAnyKeysKeepTheField(t *testing.T) {
	names := slices.Sorted(maps.Keys(keys()))
	rapid.Check(t, func(t *rapid.T) {
		f := field(rapid.IntRange(6, 30).Draw(t, "w"), "|")
		w := f.text.w + promptWidth + 1
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			before := f.Text()
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				from, to := f.selected()
				want := f.text.between(place{}, from)
				s := rapid.StringOfN(rapid.RuneFrom([]rune("ab  \n漢é\u0301👩\ufe0f*")), 0, 40, -1).Draw(t, "paste")
				want += clean(s) + f.text.between(to, f.text.end())
				f.Update(tea.PasteMsg{Content: s})
				if f.Text() != want {
					t.Fatalf("pasting %q into %q made %q, want %q", s, before, f.Text(), want)
				}
			case 1:
				w = rapid.IntRange(6, 30).Draw(t, "width")
				f.SetWidth(w)
			default:
				name := rapid.SampledFrom(names).Draw(t, "key")
				f.keys[name](f)
				f.changed()
				if len(f.Text()) > len(before) && name != "alt+u" {
					t.Fatalf("%s made %q of %q", name, f.Text(), before)
				}
			}
			keeps(t, f, w)
		}
	})
}

func keeps(t *rapid.T, f *Field, w int) {
	if len(f.Text()) != f.text.size {
		t.Fatalf("size is %d of %q", f.text.size, f.Text())
	}
	for i, line := range f.text.lines {
		if got, want := f.text.rows(i), f.text.wrap(line, []int{0}); !slices.Equal(got, want) {
			t.Fatalf("%q is wrapped at %v, want %v", line, got, want)
		}
	}
	lines := f.Lines(w)
	if len(lines) != f.Rows() || f.Rows() > 8 {
		t.Fatalf("%d lines for %d rows", len(lines), f.Rows())
	}
	for _, l := range lines {
		if cells.Width(l) != w {
			t.Fatalf("%q has %d columns, want %d", ansi.Strip(l), cells.Width(l), w)
		}
	}
	if c := f.Cursor(); c.Y < 0 || c.Y >= len(lines) || c.X < promptWidth || c.X >= w {
		t.Fatalf("the cursor is at %d, %d of %d lines of %d columns", c.X, c.Y, len(lines), w)
	}
}

// BenchmarkKey types into texts of several sizes, of short lines and of one.
func BenchmarkKey(b *testing.B) {
	for _, size := range []int{100, 4 << 10, 500 << 10} {
		for kind, end := range map[string]string{"lines": "\n", "one line": " "} {
			b.Run(fmt.Sprintf("%d bytes, %s", size, kind), func(b *testing.B) {
				f := field(90, strings.Repeat("a line of some text that is long enough to be one"+end, size/50)+"|")
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					k := tea.KeyPressMsg{Code: 'x', Text: "x"}
					if i%2 > 0 {
						k = tea.KeyPressMsg{Code: tea.KeyBackspace}
					}
					f.Update(k)
					f.Lines(90)
					f.Cursor()
					f.Mention()
				}
			})
		}
	}
}
