package syntax_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"aside/tui/syntax"
	"aside/tui/theme"
)

// spelt writes a text with its classes: «k func» is a keyword.
func spelt(text string, classes []syntax.Class) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && classes[j] == classes[i] {
			j++
		}
		sign := ""
		if c := classes[i] &^ (syntax.Added | syntax.Removed); c != syntax.Plain {
			sign = []string{"", "c", "s", "n", "k", "t", "f", "v", "m", "±"}[c]
		}
		switch {
		case classes[i]&syntax.Added != 0:
			sign += "+"
		case classes[i]&syntax.Removed != 0:
			sign += "-"
		}
		if sign == "" {
			b.WriteString(text[i:j])
		} else {
			b.WriteString("«" + sign + " " + text[i:j] + "»")
		}
		i = j
	}
	return b.String()
}

func TestLanguages(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"go", "func (f *T) add(n int) string { // sum\n\treturn `a\nb` + \"\\\"\" + 'x', 0x1f, nil", "«k func» (f *T) «f add»(n «t int») «t string» { «c // sum»\n\t«k return» «s `a»\n«s b`» + «s \"\\\"\"» + «s 'x'», «n 0x1f», «n nil»"},
		{"go", "x /* a\nb */ y.type", "x «c /* a»\n«c b */» y.type"},
		{"python", "@app.get(1)\ndef f(x: int) -> None:\n  \"\"\"Says\n  it.\"\"\"\n  return f'{x}' # c", "«m @app».«f get»(«n 1»)\n«k def» «f f»(x: «t int») -> «n None»:\n  «s \"\"\"Says»\n«s   it.\"\"\"»\n  «k return» «s f'{x}'» «c # c»"},
		{"ts", "const a: string = `x ${b}` // c\nreturn /a[/]b/g.test(a) && <Foo bar=\"b\"/>", "«k const» a: «t string» = «s `x »«v ${b}»«s `» «c // c»\n«k return» «s /a[/]b/g».«f test»(a) && <«f Foo» bar=«s \"b\"»/>"},
		{"js", "a / b / c; `x\ny`", "a / b / c; «s `x»\n«s y`»"},
		{"rust", "#[derive(Debug)]\nfn f<'a>(s: &'a str) -> Vec { println!(r#\"a\"b\"#); 'x' }", "«m #[derive(Debug)]»\n«k fn» f<«v 'a»>(s: &«v 'a» «t str») -> «t Vec» { «f println!»(«s r#\"a\"b\"#»); «s 'x'» }"},
		{"rust", "/* a /* b */\nc */ let x", "«c /* a /* b */»\n«c c */» «k let» x"},
		{"c", "#include <stdio.h>\nint main(void) { return 1.5e-3; }", "«m #include» «s <stdio.h>»\n«t int» «f main»(«t void») { «k return» «n 1.5e-3»; }"},
		{"cpp", "auto s = R\"x(a\n)\" b)x\";", "«k auto» s = «s R\"x(a»\n«s )\" b)x\"»;"},
		{"java", "@Override public String get() { return \"\"\"\n a\"\"\"; }", "«m @Override» «k public» «t String» «f get»() { «k return» «s \"\"\"»\n«s  a\"\"\"»; }"},
		{"kotlin", "val s = \"a ${b.c()} d\"", "«k val» s = «s \"a »«v ${b.c()}»«s  d\"»"},
		{"cs", "var s = @\"a\"\"\nb\"; // c", "«k var» s = «s @\"a\"\"»\n«s b\"»; «c // c»"},
		{"ruby", "x = <<~SQL\n  select\nSQL\n:sym if @a =~ /x/", "x = «m <<~SQL»\n«s   select»\n«m SQL»\n«s :sym» «k if» «v @a» =~ «s /x/»"},
		{"php", "<?php $a = \"x ${b}\"; # c\necho <<<END\nt\nEND;", "«m <?php» «v $a» = «s \"x »«v ${b}»«s \"»; «c # c»\n«k echo» «m <<<END»\n«s t»\n«m END;»"},
		{"swift", "@State var x: Int? = nil", "«m @State» «k var» x: «t Int»? = «n nil»"},
		{"lua", "--[==[ a\n]==] local s = [[b]] -- c", "«c --[==[ a»\n«c ]==]» «k local» s = «s [[b]]» «c -- c»"},
		{"sql", "SELECT count(*) FROM t WHERE a = 'it''s' -- c", "«k SELECT» «f count»(*) «k FROM» t «k WHERE» a = «s 'it''s'» «c -- c»"},
		{"json", "{\"a\": [1, true, \"b\"]}", "{«f \"a\"»: [«n 1», «n true», «s \"b\"»]}"},
		{"yaml", "a: &x true # c\nb: |\n  text: no\nc: \"d\"\n- e: 1", "«f a»: «v &x» «n true» «c # c»\n«f b»: «m |»\n«s   text: no»\n«f c»: «s \"d\"»\n«m -» «f e»: «n 1»"},
		{"toml", "[a.b]\nc = 1 # d\ne = \"\"\"x\ny\"\"\"", "«m [a.b]»\n«f c »= «n 1» «c # d»\n«f e »= «s \"\"\"x»\n«s y\"\"\"»"},
		{"html", "<a href=\"x\ny\">&amp;</a><!-- c\nd --><script>let x</script>", "«f <a» «t href»=«s \"x»\n«s y\"»«f >»«n &amp;»«f </a>»«c <!-- c»\n«c d -->»«f <script>»«k let» x«f </script>»"},
		{"css", ".a:hover { color: #fff; margin: -1px var(--b); }", "«t .a»:hover { «f color»: «n #fff»; «f margin»: -1px «f var»(«v --b»); }"},
		{"md", "# T\n- `a` **b** [c](d)\n```go\nfunc\n```\nfunc", "«m # T»\n«k -» «s `a`» «k **b**» «f [c]»«s (d)»\n«m ```go»\n«k func»\n«m ```»\nfunc"},
		{"dockerfile", "FROM go AS x\nRUN make \\\n  all && ls", "«k FROM» go AS x\n«k RUN» «f make» «m \\»\n  all «m &&» «f ls»"},
		{"makefile", "X := 1\nall: a b # c\n\t@go test $X\n", "«v X» := 1\n«f all»: a b «c # c»\n\t«m @»«f go» test «v $X»\n"},
		{"sh", "A=1 make -j2 'a b' \"c $D ${E}\" | tee x # c\nfor i in *; do echo $i; done", "«v A=1» «f make» -j2 «s 'a b'» «s \"c »«v $D»«s  »«v ${E}»«s \"» «m |» «f tee» x «c # c»\n«k for» i in *«m ;» «k do» «f echo» «v $i»«m ;» «k done»"},
		{"sh", "cat <<'EOF' > \"$f\"\na $b\nEOF\nls \\\n -l\necho 'x\ny' && sudo rm", "«f cat» «m <<'EOF'» «m >» «s \"»«v $f»«s \"»\n«s a $b»\n«m EOF»\n«f ls» «m \\»\n -l\n«f echo» «s 'x»\n«s y'» «m &&» «f sudo» «f rm»"},
		{"sh", "echo $'\\'' ' # '; rm -rf x\n: $((1<<x)) \"$'a\" #c", "«f echo» «s $'\\''» «s ' # '»«m ;» «f rm» -rf x\n«f :» «v $»«m ((»«f 1»«m <<»x«m ))» «s \"»«v $»«s 'a\"» «c #c»"},
		{"console", "$ go test\nok", "«m $» «f go» test\nok"},
		{"diff", "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n func\n-var /*\n+go", "«m --- a/x.go»\n«m +++ b/x.go»\n«m @@ -1 +1 @@»\n «k func»\n«±- -»«k- var»«-  »«c- /*»\n«±+ +»«k+ go»"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := spelt(tc.text, syntax.ByName(tc.name).Text(tc.text)); got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

func TestADiffOfOneFileHasNoHead(t *testing.T) {
	text := "--- a comment\n+return"
	want := "«±- -»«c- -- a comment»\n«±+ +»«k+ return»"
	if got := spelt(text, syntax.Diff(text, "x.lua")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestALanguageIsFound(t *testing.T) {
	for _, tc := range []struct {
		what string
		got  *syntax.Language
		want string
	}{
		{"a fence with more", syntax.ByName("Python title=\"x\""), "py"},
		{"a fence in braces", syntax.ByName("{.rust}"), "rs"},
		{"a fence with an ending", syntax.ByName("tsx"), "ts"},
		{"an ending", syntax.ByPath("a/b/C.TSX", ""), "ts"},
		{"a whole name", syntax.ByPath("a/Dockerfile", ""), "docker"},
		{"a name with more", syntax.ByPath("Dockerfile.dev", ""), "docker"},
		{"go.mod", syntax.ByPath("go.mod", ""), "gomod"},
		{"an interpreter", syntax.ByPath("bin/x", "#!/usr/bin/env -S python3.12 -u"), "py"},
		{"a shell", syntax.ByPath("bin/x", "#!/bin/bash"), "sh"},
	} {
		if tc.got == nil || tc.got != syntax.ByName(tc.want) {
			t.Errorf("%s is not found as %s", tc.what, tc.want)
		}
	}
	for _, l := range []*syntax.Language{syntax.ByName(""), syntax.ByName("klingon"), syntax.ByPath("x", "text"), syntax.ByPath("", "#!"), syntax.ByPath(".go.txt", "")} {
		if l != nil {
			t.Errorf("%+v is found for nothing", l)
		}
	}
}

func TestALongLineIsReadAtItsBeginningOnly(t *testing.T) {
	line := strings.Repeat("if ", 10_000)
	classes := syntax.ByName("go").Text(line)
	if classes[0] != syntax.Keyword || classes[len(line)-3] != syntax.Plain {
		t.Error("the beginning is plain, or the end is not")
	}
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestPaintedRowsHaveTheirText(t *testing.T) {
	text := "if x {\n  return \"a b\"\n}"
	rows := []string{"if x {", "return", "\"a b\"", "}"} // as it may be wrapped
	syntax.PaintRows(rows, text, syntax.ByName("go").Text(text), theme.New(true, theme.Colors256), "")
	joined := strings.Join(rows, "\n")
	if got := sgr.ReplaceAllString(joined, ""); got != "if x {\nreturn\n\"a b\"\n}" {
		t.Errorf("rows are %q", got)
	}
	for _, want := range []string{"\x1b[38;5;176mif\x1b[m", "\x1b[38;5;176mreturn\x1b[m", "\x1b[38;5;150m\"a b\"\x1b[m"} {
		if !strings.Contains(joined, want) {
			t.Errorf("%q is not in %q", want, joined)
		}
	}
}

func TestNoClusterIsTornApart(t *testing.T) {
	s := "\"a\"\ufe0f*\ufe0f1"
	got := syntax.Paint(s, syntax.ByName("go").Text(s), theme.New(true, theme.Colors256), "")
	if !strings.Contains(got, "\"\ufe0f") || !strings.Contains(got, "*\ufe0f") {
		t.Errorf("painted %q", got)
	}
}

// A changed line must be seen as such with any number of colours.
func TestChangedLinesLookChanged(t *testing.T) {
	for _, dark := range []bool{true, false} {
		for _, colors := range []int{theme.ColorsTrue, theme.Colors256, theme.Colors16} {
			th := theme.New(dark, colors)
			if a, r := (syntax.Sign | syntax.Added).Style(th), (syntax.Sign | syntax.Removed).Style(th); a == r || r == "" {
				t.Errorf("dark %v, %d colours: signs are %q and %q", dark, colors, a, r)
			}
			if colors == theme.Colors16 && (syntax.Keyword|syntax.Added).Style(th) != th.Good {
				t.Error("with 16 colours an added line is not in one colour")
			}
		}
	}
}

func FuzzReadingTakesAnyText(f *testing.F) {
	for _, s := range []string{"/*\n\"\\", "'''\n", "<<EOF\nEOF", "<a b='", "```go\n`", "R\"(\n", "--[==[", "${{", "'", "#[", "+++ x.go\n+`", "<<", "a \\\n", "|\n  x", "=begin\n=end"} {
		f.Add(s)
	}
	names := strings.Fields("go gomod rust c swift zig proto java kotlin cs scala dart python js ts ruby php lua perl elixir sql sh console json yaml toml hcl graphql nix html css md dockerfile makefile diff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range names {
			l := syntax.ByName(n)
			if l == nil {
				t.Fatalf("%s is not known", n)
			}
			if got := len(l.Text(s)); got != len(s) {
				t.Fatalf("%s: %d classes for %d bytes", n, got, len(s))
			}
		}
		classes := syntax.Diff(s, "x.md")
		syntax.Paint(s, classes, theme.New(true, theme.Colors16), "")
	})
}

// BenchmarkThousandLines reads a thousand lines of this package's own source.
func BenchmarkThousandLines(b *testing.B) {
	src, err := os.ReadFile("reader.go")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.SplitAfter(string(src), "\n")
	for len(lines) < 1000 {
		lines = append(lines, lines...)
	}
	text := strings.Join(lines[:1000], "")
	for _, name := range []string{"go", "md", "sh", "diff"} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			l := syntax.ByName(name)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				l.Text(text)
			}
		})
	}
}
