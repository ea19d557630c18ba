package decisionbar

import (
	"strings"
	"testing"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestHeadings(t *testing.T) {
	for want, d := range map[string]session.Decision{
		"Bash wants to run":             {Kind: session.KindPermission, Agent: "claude", Tool: "Bash"},
		"Edit wants to change":          {Kind: session.KindPermission, Agent: "claude", Tool: "Edit"},
		"Claude wants to use WebFetch":  {Kind: session.KindPermission, Agent: "claude", Tool: "WebFetch"},
		"Codex wants to go on":          {Kind: session.KindPermission, Agent: "codex"},
		"Claude asks":                   {Kind: session.KindQuestion, Agent: "claude", Tool: "AskUserQuestion"},
		"The agent asks":                {Kind: session.KindQuestion},
		"Plan":                          {Kind: session.KindPlan, Agent: "claude", Tool: "ExitPlanMode"},
		"Claude wants to use mcp__a__b": {Kind: session.KindPermission, Agent: "claude", Tool: "mcp__a__b\x1b[2J"},
	} {
		if got := Heading(d); got != want {
			t.Errorf("Heading = %q, want %q", got, want)
		}
	}
}

func TestNoLineIsSaidTwice(t *testing.T) {
	for _, d := range []session.Decision{
		{Title: "rm -rf build", Detail: "rm -rf build"},
		{Title: "make a⏎make b", Detail: "make a\nmake b\n\n— Build both"},
		{Title: strings.Repeat("x", 199) + "…", Detail: strings.Repeat("x", 400)},
		{Title: "Migrate it", Detail: "# Migrate it\n\n1. Copy", Kind: session.KindPlan},
	} {
		if got := body(d); got != d.Detail {
			t.Errorf("body = %q, want the detail alone", got)
		}
	}
	if got := body(session.Decision{Title: "a.go", Detail: "replace: all"}); got != "a.go\n\nreplace: all" {
		t.Errorf("body = %q", got)
	}
	if got := body(session.Decision{Title: "a.go"}); got != "a.go" {
		t.Errorf("body = %q", got)
	}
}

// spans are the parts of a painted text with their looks.
func spans(th theme.Theme, line string) string {
	for lk := lookCommand; lk <= lookRemoved; lk++ {
		if st := lk.style(th); st != "" {
			line = strings.ReplaceAll(line, "\x1b["+string(st)+"m", "<"+map[look]string{
				lookCommand: "cmd", lookString: "str", lookOperator: "op", lookVariable: "var", lookComment: "rem", lookAdded: "add", lookRemoved: "del",
			}[lk]+":")
		}
	}
	return strings.ReplaceAll(line, "\x1b[m", ">")
}

func TestCommandsAreHighlighted(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	th.Good = "1;1" // not the same as another
	for in, want := range map[string]string{
		"rm -rf build/ && make dist": "<cmd:rm> -rf build/ <op:&&> <cmd:make> dist",
		`A=1 env "x y" 'z' # note`:   "<var:A=1> <cmd:env> <str:\"x y\"> <str:'z'> <rem:# note>",
		"echo $HOME ${A:-b} a#b >f":  "<cmd:echo> <var:$HOME> <var:${A:-b}> a#b <op:>>f",
		"echo 'open":                 "<cmd:echo> <str:'open>",
		"a | b; c\nd":                "<cmd:a> <op:|> <cmd:b><op:;> <cmd:c>/<cmd:d>",
		"x $":                        "<cmd:x> <var:$>",
	} {
		lines := painted(shell, in, th, "", 80)
		for i, l := range lines {
			lines[i] = spans(th, l)
		}
		if got := strings.Join(lines, "/"); got != want {
			t.Errorf("%q:\n got %s\nwant %s", in, got, want)
		}
	}
	// What is told about the command is not read as one.
	if got := spans(th, strings.Join(painted(shell, "make\n\n— Build all", th, "", 80), "/")); got != "<cmd:make>//— Build all" {
		t.Errorf("got %s", got)
	}
}

func TestDiffsAreColoured(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	got := painted(diff, "a.go\n\n keep\n-old\n+new", th, "", 80)
	if got[3] != th.Bad.Paint("-old") || got[4] != th.Good.Paint("+new") || got[2] != " keep" {
		t.Errorf("got %q", got)
	}
}

// TestHighlightingLosesNothing holds that what is painted is what was there,
// wrapped, whatever that is.
func TestHighlightingLosesNothing(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab -+@$'\"\\#|&;<>(){}=\n\t\u202e\x1b[é日👩‍👧—"))).Draw(t, "text")
		w := rapid.IntRange(1, 40).Draw(t, "w")
		for _, k := range []kind{plain, shell, diff} {
			got := painted(k, text, th, th.Fill, w)
			want := cells.Wrap(cells.Mark(text), w)
			for i, l := range got {
				if s := ansi.Strip(l); s != want[i] {
					t.Fatalf("line %d is %q, want %q", i, s, want[i])
				}
			}
		}
	})
}

func BenchmarkWholeMegabyte(b *testing.B) {
	d := decision()
	d.Detail = strings.Repeat("echo \"a line of it\" && make $TARGET # go on\n", 1<<20/44)
	th := theme.New(true, theme.Colors256)
	for b.Loop() {
		Body(d, th, "", 100)
	}
}
