package screen

import (
	"strings"
	"testing"

	"aside/session"
)

func TestFrameHoldsOnlyChangedRows(t *testing.T) {
	s, _ := newTest(t, 20, 5)
	v := viewer{}
	write(s, "one\r\ntwo\r\nthree")
	if f := v.update(s); !f.Full || len(f.Changed) != 3 {
		t.Fatalf("first frame: full %v, %d rows", f.Full, len(f.Changed))
	}
	write(s, "\x1b[2;1Hzwo")
	if f := v.update(s); f.Full || len(f.Changed) != 1 || f.Changed[0].Y != 1 || f.Changed[0].Row.Text() != "zwo" {
		t.Fatalf("second frame: %+v", f)
	}
	write(s, "\x1b[2;1H\x1b[K")
	if f := v.update(s); len(f.Changed) != 1 || len(f.Changed[0].Row.Spans) != 0 {
		t.Fatalf("a row that became blank: %+v", f)
	}
}

func TestVersionRisesOnlyWithTheVisible(t *testing.T) {
	s, _ := newTest(t, 20, 5)
	silent := []string{
		"\x1b[c", "\x1b]7501;?\x1b\\", "\x1b[31m", "\x1b7", "\x1b]52;c;QQ==\a", "\x1b]9;done\a", "\a", "\x1b_Ga=q\x1b\\", "\x1b[?2031h",
	}
	visible := []string{
		"x", "\x1b[5;5H", "\x1b[?25l", "\x1b]2;title\a", "\x1b[4 q", "\x1b[?1000h", "\x1b[?2004h", "\x1b[>1u",
		"\x1b[?1049h", "\x1b]11;#102030\a", "\x1b[?5h", "\x1b]4;1;#fff\a",
	}
	for _, text := range silent {
		before := s.Version()
		write(s, text)
		if s.Version() != before {
			t.Errorf("%q changed the version", text)
		}
	}
	for _, text := range visible {
		before := s.Version()
		write(s, text)
		if s.Version() <= before {
			t.Errorf("%q did not raise the version", text)
		}
	}
}

func TestFrameWithUnknownVersionIsFull(t *testing.T) {
	s, _ := newTest(t, 20, 5)
	write(s, "text")
	v := s.Version()
	if !s.Frame(v + 10).Full {
		t.Error("a version from the future gives no full frame")
	}
	s.Resize(21, 5)
	if !s.Frame(v).Full {
		t.Error("a version from before a resize gives no full frame")
	}
}

func TestFrameModes(t *testing.T) {
	s, _ := newTest(t, 20, 5)
	write(s, "\x1b[?1049h\x1b[?1003;1006;1004;2004h\x1b[>5u\x1b[5 q\x1b[?25l")
	f := s.Frame(0)
	want := session.Modes{Mouse: session.MouseMotion, AltScreen: true, Paste: true, Focus: true, Keyboard: 5}
	if f.Modes != want {
		t.Errorf("modes %+v, want %+v", f.Modes, want)
	}
	if c := f.Cursor; !c.Hidden || c.Shape != session.CursorBar || !c.Blink {
		t.Errorf("cursor %+v", c)
	}
	write(s, "\x1b[?1049l\x1b[?1002h")
	if m := s.Frame(0).Modes; m.AltScreen || m.Keyboard != 0 || m.Mouse != session.MouseDrag {
		t.Errorf("modes %+v after leaving", m)
	}
}

func TestSpansJoinCellsOfOneStyle(t *testing.T) {
	s, _ := newTest(t, 20, 2)
	write(s, "ab\x1b[1;4:3;58:2::1:2:3mc世\x1b[0md\x1b[44m  \x1b[0m  ")
	row := grid(s.Frame(0))[0]
	if len(row.Spans) != 4 {
		t.Fatalf("%d spans: %+v", len(row.Spans), row)
	}
	styled := row.Spans[1]
	want := session.Style{
		Attrs: session.AttrBold, Underline: session.UnderlineCurly, UnderlineColor: session.RGB(1, 2, 3),
	}
	if styled.Text != "c世" || styled.Width != 3 || styled.Style != want {
		t.Errorf("styled span %+v", styled)
	}
	if last := row.Spans[3]; last.Text != "  " || last.Style.Bg != session.Indexed(4) {
		t.Errorf("blanks with a background: %+v", last)
	}
}

func TestReverseScreenTurnsBlankCellsToo(t *testing.T) {
	s, _ := newTest(t, 4, 2)
	write(s, "a\x1b[7mb\x1b[?5h")
	rows := grid(s.Frame(0))
	for x, want := range []session.Attrs{session.AttrReverse, 0, session.AttrReverse, session.AttrReverse} {
		if got := spanAt(rows[0], x).Style.Attrs; got != want {
			t.Errorf("column %d has attributes %v, want %v", x, got, want)
		}
	}
	if spanAt(rows[1], 3).Style.Attrs != session.AttrReverse {
		t.Error("a blank row is not reversed")
	}
}

func TestTextOfTheScreen(t *testing.T) {
	s, _ := newTest(t, 20, 6)
	write(s, "one  \r\n\r\n\x1b[44mtwo   \x1b[0m")
	if got := s.Text(); got != "one\n\ntwo" {
		t.Errorf("text %q", got)
	}
	if strings.Contains(s.Text(), "\x1b") {
		t.Error("text holds escape sequences")
	}
}

func TestProgramsColoursStayInThePane(t *testing.T) {
	s, _ := newTest(t, 20, 2)
	write(s, "\x1b]10;#010203\a\x1b]11;rgb:11/22/33\a\x1b]12;#445566\a\x1b]4;1;rgb:aa/bb/cc\a\x1b[31mx")
	f := s.Frame(0)
	if f.Fg != session.RGB(1, 2, 3) || f.Bg != session.RGB(0x11, 0x22, 0x33) {
		t.Errorf("default colours %x %x", f.Fg, f.Bg)
	}
	if fg := spanAt(grid(f)[0], 0).Style.Fg; fg != session.RGB(0xaa, 0xbb, 0xcc) {
		t.Errorf("palette colour 1 is %x", fg)
	}
	if c := s.Frame(0).Cursor.Color; c != session.RGB(0x44, 0x55, 0x66) {
		t.Errorf("the cursor is %#x", c)
	}
	write(s, "\x1b]110\a\x1b]111\a\x1b]112\a\x1b]104\a")
	if c := s.Frame(0).Cursor.Color; c != session.ColorDefault {
		t.Errorf("the cursor stays %#x", c)
	}
	f = s.Frame(0)
	if f.Fg != 0 || f.Bg != 0 || spanAt(grid(f)[0], 0).Style.Fg != session.Indexed(1) {
		t.Errorf("after the reset: %x %x %x", f.Fg, f.Bg, spanAt(grid(f)[0], 0).Style.Fg)
	}
}
