package cells

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestTabsAreSpaces(t *testing.T) {
	if got := Clean("a\tb\x1b[31m\tc\n"); got != "a    b    c\n" {
		t.Errorf("Clean = %q", got)
	}
	if got := Mark("a\tb\x1b"); strings.ContainsAny(got, "\t\x1b") || !strings.HasPrefix(got, "a    b") {
		t.Errorf("Mark = %q", got)
	}
}

func TestSettleAgreesUnderBothMeasures(t *testing.T) {
	for _, s := range []string{
		"ascii", "日本語", "a❤️b", "👨‍👩‍👧‍👦 family", "स्ते x", "é e\u0301", "🇩🇪 flag", "1️⃣ key", "\x1b[31m❤️\x1b[m end",
	} {
		got := Settle(s)
		if w, wc := ansi.StringWidth(got), ansi.StringWidthWc(got); w != wc || wc != Width(s) {
			t.Errorf("Settle(%q) = %q: %d and %d columns, want %d", s, got, w, wc, Width(s))
		}
	}
}

func TestCutFitSpread(t *testing.T) {
	if got := Cut("abcdef", 4); got != "abc…" {
		t.Errorf("Cut = %q", got)
	}
	if got := Cut("*\ufe0faaaaaa日a", 10); Width(got) > 10 {
		t.Errorf("Cut = %q, %d columns", got, Width(got))
	}
	if got := Fit("日本", 5); got != "日本 " {
		t.Errorf("Fit = %q", got)
	}
	if got := Fit("日本語", 4); Width(got) != 4 {
		t.Errorf("Fit = %q, %d columns", got, Width(got))
	}
	if got := Spread("left side", "right", 10); got != "lef… right" {
		t.Errorf("Spread = %q", got)
	}
	for w := range 12 {
		if got := Spread("left side", "right", w); Width(got) != w {
			t.Errorf("Spread to %d = %q", w, got)
		}
	}
}

func TestWrapKeepsEveryWord(t *testing.T) {
	text := "The loader swallows malformed YAML\nand averyveryverylongwordthatdoesnotfit falls back"
	lines := Wrap(text, 20)
	for _, l := range lines {
		if Width(l) > 20 {
			t.Errorf("line %q is too wide", l)
		}
	}
	joined := strings.ReplaceAll(strings.Join(lines, ""), " ", "")
	want := strings.ReplaceAll(strings.ReplaceAll(text, "\n", ""), " ", "")
	if joined != want {
		t.Errorf("Wrap lost text: %q", lines)
	}
}

func TestWrapNeverExceedsTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Mark(rapid.StringOf(rapid.RuneFrom([]rune("ab -\n\u00e9日👩‍👧❤️x"))).Draw(t, "text"))
		w := rapid.IntRange(2, 30).Draw(t, "w")
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		lines := Wrap(text, w)
		for _, l := range lines {
			if Width(l) > w {
				t.Fatalf("line %q takes %d columns of %d", l, Width(l), w)
			}
		}
		if got := bare(strings.Join(lines, "\n")); got != bare(text) {
			t.Fatalf("Wrap(%q) lost something: %q", text, lines)
		}
	})
}
