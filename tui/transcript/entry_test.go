package transcript

import (
	"strings"
	"testing"

	record "aside/session/transcript"
	"aside/tui/cells"
	"aside/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

func lines(t *testing.T, e record.Entry, w int) string {
	t.Helper()
	l := Looks{Theme: theme.New(true, theme.Colors16)}
	got := l.Draw(e, w, e.Output != "")
	for i, s := range got {
		if n := cells.Width(s); n != w {
			t.Errorf("line %d has %d columns, want %d: %q", i, n, w, s)
		}
		if wc := ansi.StringWidthWc(s); wc != w {
			t.Errorf("line %d has %d columns where code points are added up: %q", i, wc, s)
		}
		got[i] = strings.TrimRight(ansi.Strip(s), " ")
	}
	return strings.Join(got, "\n")
}

func TestWhatIsNotShownOfAToolIsTold(t *testing.T) {
	long := strings.Repeat("line\n", insideLines+100)
	got := lines(t, record.Entry{Kind: record.KindTool, Tool: "Write", Input: "a.txt\n" + long, Output: long}, 40)
	for _, want := range []string{"… 101 more lines", "… 100 more lines"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

func TestEntries(t *testing.T) {
	for name, tt := range map[string]struct {
		e    record.Entry
		want string
	}{
		"prompt": {record.Entry{Kind: record.KindPrompt, Text: "Fix the parser"}, "\n › Fix the parser"},
		"tool": {
			record.Entry{Kind: record.KindTool, Tool: "Bash", Input: "go test\n\n— All of it"}, " • Bash  go test",
		},
		"failed": {
			record.Entry{Kind: record.KindTool, Tool: "Bash", Input: "false", Failed: true, Depth: 1},
			"   ✗ Bash  false               failed",
		},
		"open": {
			record.Entry{Kind: record.KindTool, Tool: "Edit", Input: "a.go\n-old\n+new", Output: "ok\x1b[2J"},
			" ▾ Edit  a.go\n   │ -old\n   │ +new\n   │ ok⟨U+001B⟩[2J",
		},
		"open, with more in the first line than fits": {
			record.Entry{Kind: record.KindTool, Tool: "Bash", Input: "echo a b c d e f g h i j k l m n o p\n\n— Says it", Output: "a b"},
			" ▾ Bash  echo a b c d e f g h i j k …\n   │ echo a b c d e f g h i j k l m n\n   │ o p\n   │\n   │ — Says it\n   │ a b",
		},
		"decision": {
			record.Entry{Kind: record.KindDecision, Text: "Bash wants to run", Outcome: "once"},
			" ? Bash wants to run             once",
		},
		"notice": {record.Entry{Kind: record.KindNotice, Text: "The prompt was not delivered"}, " · The prompt was not delivered"},
		"assistant": {
			record.Entry{Kind: record.KindAssistant, Text: "Two **bold** words.\n\n- one\n- two ❤️"},
			"\n Two bold words.\n\n • one\n • two ❤",
		},
	} {
		if got := lines(t, tt.e, 38); got != tt.want {
			t.Errorf("%s:\n%q\n%q", name, got, tt.want)
		}
	}
}

func TestAssistantTextCannotReachTheTerminal(t *testing.T) {
	for _, text := range []string{
		"a\x1b[2Jb\x1b]0;title\x07c\x1bPq\x1b\\d", "&#27;[2J &#x1b;]0;t&#7; &#155;2J", "`&#27;[2J`",
		"[x](http://a/\x1b[2J) <b>\x1b_G\x1b\\</b>", "```\n\x1b[2J\n```", "| a | &#27;[2J |\n|---|---|\n| b | c |",
	} {
		l := Looks{Theme: theme.New(true, theme.Colors16)}
		for _, s := range l.Draw(record.Entry{Kind: record.KindAssistant, Text: text}, 60, false) {
			if rest := ansi.Strip(s); strings.ContainsFunc(rest, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
				t.Errorf("%q leaves a control: %q", text, s)
			}
			for _, bad := range []string{"\x1b[2J", "\x1b]", "\x1bP", "\x1b_"} {
				if strings.Contains(s, bad) {
					t.Errorf("%q leaves %q", text, bad)
				}
			}
		}
	}
}

func TestLongTextIsShownWhole(t *testing.T) {
	text := strings.Repeat("word ", 20_000) + "END"
	if got := lines(t, record.Entry{Kind: record.KindAssistant, Text: text}, 80); !strings.HasSuffix(got, "END") {
		t.Error("the end is missing")
	}
}

// A diff that a tool has brought back looks like one, and its code too.
func TestWhatAToolBroughtBackIsDrawnAsWhatItIs(t *testing.T) {
	l := Looks{Theme: theme.New(true, theme.Colors256)}
	code := l.Theme.Code
	for name, tc := range map[string]struct {
		entry record.Entry
		want  string
	}{
		"a command":   {record.Entry{Tool: "Bash", Input: "make 'a b'"}, code.Name.Paint("make") + " " + code.String.Paint("'a b'")},
		"a diff":      {record.Entry{Tool: "Bash", Input: "git diff", Output: "+++ b/a.go\n@@ -1 +1 @@\n+func"}, l.Theme.Good.Paint("+") + code.Keyword.Paint("func")},
		"an edit":     {record.Entry{Tool: "Edit", Input: "a.py", Output: "-pass"}, l.Theme.Bad.Paint("-") + code.Keyword.Paint("pass")},
		"a file":      {record.Entry{Tool: "Read", Input: "a.rs", Output: "1\tlet x"}, code.Keyword.Paint("let")},
		"other words": {record.Entry{Tool: "Bash", Input: "ls", Output: "- if it is"}, l.Theme.Dim.Paint("- if it is")},
	} {
		tc.entry.Kind = record.KindTool
		if got := strings.Join(l.Draw(tc.entry, 60, true), "\n"); !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q is not in\n%q", name, tc.want, got)
		}
	}
}
