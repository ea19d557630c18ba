package screen

import (
	"strings"
	"testing"
	"time"

	"aside/session"
)

// answer writes text to a fresh screen and returns the reply.
func answer(text string) string {
	s := New(Options{
		Cols: 80, Rows: 24, Name: "aside 1.0", Fg: session.RGB(1, 2, 3), Bg: session.RGB(250, 251, 252),
	})
	write(s, text)
	return string(s.Replies())
}

func TestAnswers(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[>q":                     "\x1bP>|aside 1.0\x1b\\",
		"\x1b[5n":                     "\x1b[0n",
		"\x1b[?6n":                    "\x1b[?1;1;1R",
		"\x1b[14t":                    "\x1b[4;384;640t",
		"\x1b[16t":                    "\x1b[6;16;8t",
		"\x1b[18t":                    "\x1b[8;24;80t",
		"\x1b[21t\x1b]52;c;?\a":       "", // title and clipboard are not read
		"\x1b]7501;?\x1b\\\x1b[c":     "\x1b]7501;?\x1b\\\x1b[?64;6;21;22;28;52c",
		"\x1b]7501;?\a":               "\x1b]7501;?\a",
		"\x1b[?996n":                  "\x1b[?997;2n",
		"\x1b]10;?;?\a":               "\x1b]10;rgb:0101/0202/0303\a\x1b]11;rgb:fafa/fbfb/fcfc\a",
		"\x1b]12;?\x1b\\":             "\x1b]12;rgb:0101/0202/0303\x1b\\",
		"\x1b]17;?\a":                 "\x1b]17;rgb:fafa/fbfb/fcfc\a",
		"\x1b]4;196;?;232;?\a":        "\x1b]4;196;rgb:ffff/0000/0000\a\x1b]4;232;rgb:0808/0808/0808\a",
		"\x1b]4;1;#123\a\x1b]4;1;?\a": "\x1b]4;1;rgb:1010/2020/3030\a",
		"\x1b[?2027$p\x1b[?3$p":       "\x1b[?2027;3$y\x1b[?3;2$y",
		"\x1b[?31337$p\x1b[4$p":       "\x1b[?31337;0$y\x1b[4;2$y",
		"\x1b[?1049h\x1b[?1049$p":     "\x1b[?1049;1$y",
		"\x1bP$qr\x1b\\":              "\x1bP1$r1;24r\x1b\\",
		"\x1bP$qz\x1b\\":              "\x1bP0$r\x1b\\",
		"\x1bP+q544e;4d73\x1b\\":      "\x1bP1+r544e=787465726D2D323536636F6C6F72\x1b\\\x1bP1+r4d73=1B5D35323B25703125733B25703225731B5C\x1b\\",
		"\x1bP+q5a5a;evil\x1b\\":      "\x1bP0+r5a5a\x1b\\\x1bP0+r\x1b\\",
		"\x1b[1;4:3;38;5;9;48:2::1:2:3;58;5;4m\x1bP$qm\x1b\\": "\x1bP1$r0;1;4:3;91;48:2::1:2:3;58:5:4m\x1b\\",
		"\x1b[=5u\x1b[?u\x1b[>1u\x1b[<9u\x1b[?u":              "\x1b[?5u\x1b[?0u",
	} {
		if got := answer(text); got != want {
			t.Errorf("%q was answered %q, want %q", text, got, want)
		}
	}
}

func TestUnfetchedAnswersAreBounded(t *testing.T) {
	s, _ := newTest(t, 80, 24)
	for range 100_000 {
		write(s, "\x1b[c")
	}
	r := string(s.Replies())
	if len(r) > maxReplies || !strings.HasSuffix(r, "c") || strings.Trim(strings.ReplaceAll(r, "\x1b[?64;6;21;22;28;52c", ""), " ") != "" {
		t.Errorf("%d bytes, not all whole", len(r))
	}
	write(s, "\x1b[5n")
	if r := string(s.Replies()); r != "\x1b[0n" {
		t.Errorf("after fetching: %q", r)
	}
}

func TestKeyboardStackIsBounded(t *testing.T) {
	s, _ := newTest(t, 80, 24)
	for range 1000 {
		write(s, "\x1b[>1u")
	}
	write(s, "\x1b[>5u\x1b[?u\x1b[<15u\x1b[?u\x1b[<1u\x1b[?u\x1b[<1u\x1b[?u")
	if r := string(s.Replies()); r != "\x1b[?5u\x1b[?1u\x1b[?0u\x1b[?0u" {
		t.Errorf("reply %q", r)
	}
}

func TestSchemeChangeIsReported(t *testing.T) {
	s, _ := newTest(t, 80, 24)
	light, dark := session.RGB(255, 255, 255), session.RGB(0, 0, 0)
	s.SetColors(dark, light)
	if r := s.Replies(); len(r) != 0 {
		t.Errorf("told %q without being asked", r)
	}
	write(s, "\x1b[?2031h")
	s.SetColors(light, dark)
	s.SetColors(light, dark)
	write(s, "\x1b]11;?\a")
	if r := string(s.Replies()); r != "\x1b[?997;1n\x1b]11;rgb:0000/0000/0000\a" {
		t.Errorf("told %q", r)
	}
}

// Work is bounded whatever the numbers are.
func TestHugeNumbers(t *testing.T) {
	s, _ := newTest(t, 80, 24)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for final := byte('@'); final < del; final++ {
			for _, lead := range []string{"", "?", ">", "=", "<"} {
				for _, inter := range []string{"", " ", "$", "'", "!", "\""} {
					write(s, "\x1b["+lead+"99999999999999999999;65535;4294967295"+inter+string(final)+"世x")
				}
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(60 * time.Second):
		t.Fatal("still at work")
	}
	verify(t, s)
}
