package cli

import "testing"

func TestLinesAreBrokenBetweenWords(t *testing.T) {
	for in, want := range map[string]string{
		"one two three\n":       "one two\nthree\n",
		"one two\n":             "one two\n",
		"averylongword it is\n": "averylongword\nit is\n",
		"  in  dent\n":          "  in \ndent\n",
		"日本 日本\n":               "日本\n日本\n",
		"":                      "",
	} {
		if got := wrap(in, 8); got != want {
			t.Errorf("wrap(%q) = %q, want %q", in, got, want)
		}
	}
}
