package decisionbar

import (
	"strings"
	"testing"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/syntax"
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

func TestCommandsAreHighlighted(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	got := painted(syntax.WrittenShell, "rm 'a b'\n\n— make it # so", th, "", 80)
	if want := th.Code.Name.Paint("rm") + " " + th.Code.String.Paint("'a b'"); got[0] != want {
		t.Errorf("the command is %q, want %q", got[0], want)
	}
	if got[2] != "— make it # so" {
		t.Errorf("what is told about the command is read as one: %q", got[2])
	}
	got = painted(syntax.WrittenShell, "rm a\n\nrm b\n\n— remove it\n\n— Asked by the sub-agent helper.", th, "", 80)
	if want := th.Code.Name.Paint("rm") + " b"; got[2] != want || got[4] != "— remove it" || got[6] != "— Asked by the sub-agent helper." {
		t.Errorf("what is told about the command twice is read as one: %q", got)
	}
}

func TestDiffsAreColoured(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	got := painted(syntax.WrittenChange, "a.go\n\n keep\n-if old\n+new", th, "", 80)
	want := th.Bad.Paint("-") + th.Code.Keyword.Paint("if") + " old"
	if got[0] != th.Code.Name.Paint("a.go") || got[3] != want || got[4] != th.Good.Paint("+")+"new" || got[2] != " keep" {
		t.Errorf("got %q, want the fourth to be %q", got, want)
	}
	th = theme.New(true, theme.Colors16)
	if got := painted(syntax.WrittenChange, "a.go\n\n-if old\n+new", th, "", 80); strings.ReplaceAll(got[2], "\x1b[m"+"\x1b["+string(th.Bad)+"m", "") != th.Bad.Paint("-if old") {
		t.Errorf("with 16 colours got %q", got)
	}
}

// TestHighlightingLosesNothing holds that what is painted is what was there,
// wrapped, whatever that is.
func TestHighlightingLosesNothing(t *testing.T) {
	th := theme.New(true, theme.Colors256)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab -+@$'\"\\#|&;<>(){}=\n\t\u202e\x1b[é日👩‍👧—"))).Draw(t, "text")
		w := rapid.IntRange(1, 40).Draw(t, "w")
		for _, k := range []syntax.Written{syntax.WrittenPlain, syntax.WrittenShell, syntax.WrittenChange} {
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
