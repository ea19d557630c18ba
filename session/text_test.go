package session_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"aside/session"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain text stays", "Fix the parser\n\tand test it", "Fix the parser\n\tand test it"},
		{"colour", "\x1b[1;31mred\x1b[0m text", "red text"},
		{"cursor movement", "a\x1b[2Jb\x1b[10;20Hc", "abc"},
		{"title change", "a\x1b]0;evil\x07b", "ab"},
		{"title change with ST", "a\x1b]0;evil\x1b\\b", "ab"},
		{"link", "\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"device control", "a\x1bP$q m\x1b\\b", "ab"},
		{"eight-bit CSI", "a\u009b31mb", "ab"},
		{"eight-bit OSC", "a\u009d0;evil\u009cb", "ab"},
		{"a string that does not end swallows no text", "a\x1b]0;all of this stays", "a0;all of this stays"},
		{"nor one that runs into a line end", "a\x1b]0;x\ny\x07z", "a0;x\nyz"},
		{"a control sequence that does not end", "a\x1b[31", "a31"},
		{"lone escape", "a\x1b", "a"},
		{"charset", "a\x1b(0b", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"controls", "a\x00b\x08c\x7fd\u0081e", "abcde"},
		{"bidi", "a\u202eb\u2066c\u2069d\u200fe\u061cf", "abcdef"},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg"},
		{"tags", "a\U000e0041\U000e0042b", "ab"},
		{"variation selectors as a hiding place", "a\ufe0f\U000e0101b", "ab"},
		{"fillers", "a\u3164b\u115fc", "abc"},
		{"no UTF-8", "a\xffb\xc3", "ab"},
		{"line breaks", "a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne"},
		{"emoji stay whole", "👩‍💻 ❤️ 👩🏽‍🚀 🏳️‍🌈 1️⃣", "👩‍💻 ❤️ 👩🏽‍🚀 🏳️‍🌈 1️⃣"},
		{"combining marks and wide characters stay", "e\u0301 漢字 한글", "e\u0301 漢字 한글"},
		{"a replacement character that was written stays", "a\ufffdb", "a\ufffdb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := session.Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCleanLine(t *testing.T) {
	if got, want := session.CleanLine("  one\r\ntwo\t\x1b[31m three\u2028four \n"), "one two three four"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMark(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain text stays", "rm -rf build/\n\tmake", "rm -rf build/\n\tmake"},
		{"escape", "\x1b[31mred", "⟨U+001B⟩[31mred"},
		{"bidi", "abc\u202edef", "abc⟨U+202E⟩def"},
		{"zero width", "a\u200bb\u200dc", "a⟨U+200B⟩b⟨U+200D⟩c"},
		{"tag", "a\U000e0041", "a⟨U+E0041⟩"},
		{"no UTF-8", "a\xffb", "a⟨0xFF⟩b"},
		{"CR alone overwrites a line in a terminal", "good\rbad", "good⟨U+000D⟩bad"},
		{"CR LF", "a\r\nb", "a\nb"},
		{"emoji stay whole", "👩‍💻 ❤️", "👩‍💻 ❤️"},
		{"line separator", "a\u2028b", "a⟨U+2028⟩b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := session.Mark(tt.in); got != tt.want {
				t.Errorf("Mark(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestMarkLine(t *testing.T) {
	if got, want := session.MarkLine("a\r\nb\tc\u200b"), "a⏎b c⟨U+200B⟩"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever is in the text, what comes out can be written to a terminal, and
// going through it again changes nothing.
func TestTextIsSafeToShow(t *testing.T) {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			"\x1b", "[", "]", "\x07", "\x1b\\", "\u200d", "\ufe0f", "👩", "💻", "\r", "\n", "\xff", "31m", "\u009b", "\u202e",
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		for name, show := range map[string]func(string) string{
			"Clean": session.Clean, "CleanLine": session.CleanLine, "Mark": session.Mark, "MarkLine": session.MarkLine,
		} {
			got := show(s)
			if !utf8.ValidString(got) {
				t.Fatalf("%s(%q) = %q is no UTF-8", name, s, got)
			}
			for _, r := range got {
				if (unicode.IsControl(r) && r != '\n' && r != '\t') || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune("\u200b\u200c\u2060\ufeff\u00ad", r) {
					t.Fatalf("%s(%q) = %q holds %U", name, s, got, r)
				}
			}
			if again := show(got); again != got {
				t.Fatalf("%s is not settled: %q, then %q", name, got, again)
			}
		}
	})
}
