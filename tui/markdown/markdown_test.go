package markdown_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"aside/tui/cells"
	"aside/tui/markdown"
	"aside/tui/theme"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func render(source string, w int) string {
	rows := markdown.New(theme.New(true, theme.Colors256)).Render(source, w)
	return sgr.ReplaceAllString(strings.Join(rows, "\n"), "")
}

func TestBlocks(t *testing.T) {
	for name, tc := range map[string]struct {
		source string
		w      int
		want   string
	}{
		"paragraphs":   {"one two\n\nthree", 20, "one two\n\nthree"},
		"wrapped":      {"one two three", 8, "one two\nthree"},
		"line breaks":  {"one\ntwo", 20, "one\ntwo"},
		"heading":      {"## A *title*\ntext", 20, "## A title\n\ntext"},
		"tight list":   {"- one\n- two\n  - inner", 20, "• one\n• two\n  • inner"},
		"loose list":   {"1. one\n\n2. two", 20, "1. one\n\n2. two"},
		"hanging list": {"- one two three", 10, "• one two\n  three"},
		"tasks":        {"- [x] done\n- [ ] open", 20, "• [x] done\n• [ ] open"},
		"quote":        {"> said\n> more", 20, "│ said\n│ more"},
		"code":         {"```go\nif x {\n\treturn\n}\n```", 30, "  if x {\n      return\n  }"},
		"long code":    {"```\nabcdefghij\n```", 6, "  abcd\n  efgh\n  ij"},
		"code span":    {"run `a  b`", 20, "run a  b"},
		"link":         {"see [the docs](https://x.org/a)", 40, "see the docs (https://x.org/a)"},
		"bare link":    {"see https://x.org/a", 40, "see https://x.org/a"},
		"rule":         {"a\n\n---\n\nb", 20, "a\n\n────────\n\nb"},
		"html":         {"a <b>c</b>", 20, "a <b>c</b>"},
		"table":        {"| a | bb |\n|---|---|\n| 1 | 2 |", 20, "a  bb\n─────\n1  2"},
		"narrow table": {"| name | what |\n|---|---|\n| one | long words |", 12, "name: one\nwhat: long\nwords"},
		"references":   {"a &amp; b &#97; \\* c", 20, "a & b a * c"},
		"wide":         {"漢字漢字", 4, "漢字\n漢字"},
		"empty":        {"", 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := render(tc.source, tc.w); got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

func TestAStyleEndsWithItsRowAndGoesOnInTheNext(t *testing.T) {
	rows := markdown.New(theme.New(true, theme.Colors256)).Render("**one two three**", 8)
	if len(rows) != 2 || rows[0] != "\x1b[1mone two\x1b[m" || rows[1] != "\x1b[1mthree\x1b[m" {
		t.Errorf("rows are %q", rows)
	}
}

func TestWithoutColoursThereAreNone(t *testing.T) {
	rows := markdown.New(theme.New(true, theme.ColorsNone)).Render("`code` and [a](https://b.org)", 60)
	for _, seq := range sgr.FindAllString(strings.Join(rows, "\n"), -1) {
		if regexp.MustCompile(`[;\[](3|9|4)[0-7]`).MatchString(seq) {
			t.Errorf("a colour: %q", seq)
		}
	}
}

// What a fence says it holds is drawn in its colours, across lines and in the
// rows that a long line is cut into; what it does not say is drawn as before.
func TestCodeIsDrawnInTheColoursOfItsLanguage(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	rows := markdown.New(th).Render("```go\nreturn `a\nfunc`\n```\n\n```\nreturn\n```", 8)
	want := []string{
		"  " + th.Code.Keyword.Paint("return"), "   " + th.Code.String.Paint("`a"), "  " + th.Code.String.Paint("func`"),
		"", "  \x1b[96mreturn\x1b[m",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows are %q, want %q", rows, want)
	}
}

func FuzzRenderIsSafeAndFits(f *testing.F) {
	for _, s := range []string{
		"# a\n\n- b\n  > c\n\n```\nd\n```", "&#27;[31m", "a\x1b[31mb", "| a |\n|---|\n| &#x1b;]0;x&#7; |",
		"[a](&#27;[2J)", "**a\n**b", "<&#27;>", "1. a\n2. b\n\n   c", "\u202eabc", "```go\nfunc \x1b[2J\n```", "```md\n~~~js\n`\n",
	} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = 20 + w%60
		if w < 20 {
			w = 20
		}
		for _, row := range markdown.New(theme.New(true, theme.Colors256)).Render(s, w) {
			plain := sgr.ReplaceAllString(row, "")
			if strings.ContainsAny(plain, "\x1b\x07\n\u202e\u009b") {
				t.Errorf("%q reached the screen from %q", row, s)
			}
			if n := cells.Width(plain); n > 1000 {
				t.Errorf("a row of %d cells for a width of %d", n, w)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	source := strings.Repeat("Some *words* with `code` and a [link](https://x.org).\n\n- one\n- two\n\n```go\nfunc main() {}\n```\n\n", 20)
	r := markdown.New(theme.New(true, theme.Colors256))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		r.Render(source, 80)
	}
}
