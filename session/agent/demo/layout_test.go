package demo

import (
	"reflect"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one two three", 80, []string{"one two three"}},
		{"abcdefgh ij", 4, []string{"abcd", "efgh", "ij"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"a\n\nb", 5, []string{"a", "", "b"}},
		{"", 5, []string{""}},
		{"漢", 1, []string{"漢"}},
	} {
		if got := wrap(tt.text, tt.width); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func TestLinesFitAndLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]string{"a", "b", "漢", "👍🏽", "e\u0301", " "})
		text := strings.Join(rapid.SliceOfN(letter, 0, 40).Draw(t, "letters"), "")
		width := rapid.IntRange(2, 12).Draw(t, "width")
		folded := fold(text, width)
		if strings.Join(folded, "") != text {
			t.Fatalf("fold(%q, %d) = %q", text, width, folded)
		}
		wrapped := wrap(text, width)
		bare := strings.NewReplacer(" ", "")
		if bare.Replace(strings.Join(wrapped, "")) != bare.Replace(text) {
			t.Fatalf("wrap(%q, %d) = %q", text, width, wrapped)
		}
		for _, l := range append(folded, wrapped...) {
			if displaywidth.String(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
	})
}
