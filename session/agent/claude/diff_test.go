package claude

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestChanged(t *testing.T) {
	ten := func(change map[int]string) string {
		var lines []string
		for i := range 20 {
			l, ok := change[i]
			if !ok {
				l = fmt.Sprint(i)
			}
			lines = append(lines, l)
		}
		return strings.Join(lines, "\n")
	}
	for name, tt := range map[string]struct{ before, after, want string }{
		"a line":        {"a\nb\nc", "a\nB\nc", " a\n-b\n+B\n c"},
		"nothing":       {"a", "a", " a"},
		"all new":       {"", "a\nb\n", "+a\n+b"},
		"all gone":      {"a\nb\n", "", "-a\n-b"},
		"the end alone": {"a", "a\n", " a\n(only the line break at the end changes)"},
		"two places, far apart": {
			ten(nil), ten(map[int]string{4: "four", 15: "fifteen"}),
			" 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n…\n 12\n 13\n 14\n-15\n+fifteen\n 16\n 17\n 18",
		},
		"two places, near": {
			ten(nil), ten(map[int]string{4: "four", 11: "eleven"}),
			" 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n 8\n 9\n 10\n-11\n+eleven\n 12\n 13\n 14",
		},
	} {
		if got := changed(tt.before, tt.after); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// Every line that goes or comes is shown, and in its order.
func TestChangedShowsEveryChange(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "d"}), 0, 30)
		a, b := text.Draw(r, "a"), text.Draw(r, "b")
		gone, come := 0, 0
		var minus, plus []string
		for _, l := range middle(a, b) {
			switch {
			case strings.HasPrefix(l, "-"):
				gone++
				minus = append(minus, l[1:])
			case strings.HasPrefix(l, "+"):
				come++
				plus = append(plus, l[1:])
			}
		}
		if len(a)-gone != len(b)-come {
			r.Fatalf("%d of %d go, %d of %d come", gone, len(a), come, len(b))
		}
		if !within(minus, a) || !within(plus, b) {
			r.Fatalf("%q to %q shown as -%q +%q", a, b, minus, plus)
		}
	})
}

func within(some, all []string) bool {
	for _, l := range all {
		if len(some) > 0 && some[0] == l {
			some = some[1:]
		}
	}
	return len(some) == 0
}
