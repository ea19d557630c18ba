package screen

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// logical returns the lines of the history and the screen with wrapped rows
// joined.
func logical(s *Screen) string {
	var b strings.Builder
	f := s.Frame(0)
	for _, r := range append(past(s), grid(f)...) {
		b.WriteString(r.Text())
		if !r.Wrapped {
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func TestReflowKeepsEveryLine(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"word", "世界", "longer-word", "❤️", "e\u0301", "👩‍👩‍👧", "x"}
	for range 200 {
		s := New(Options{Cols: 20, Rows: 8, HistoryLines: 10_000})
		for range 30 {
			var line []string
			for range random.IntN(12) {
				line = append(line, words[random.IntN(len(words))])
			}
			write(s, strings.Join(line, " ")+"\r\n")
		}
		write(s, "$ ")
		want := logical(s)
		for range 6 {
			s.Resize(2+random.IntN(60), 1+random.IntN(20))
			verify(t, s)
			if got := logical(s); got != want {
				t.Fatalf("%dx%d: lines are\n%s\nwere\n%s", s.cols, s.rows, got, want)
			}
		}
	}
}

func TestReflowMovesTheCursorWithItsText(t *testing.T) {
	s, _ := newTest(t, 20, 6)
	write(s, "first\r\nabcdefghijklmnopqrstuvwxyz\x1b[3D")
	s.Resize(10, 6)
	write(s, "!")
	if got := s.Text(); got != "first\nabcdefghij\nklmnopqrst\nuvw!yz" {
		t.Errorf("narrower:\n%s", got)
	}
	s.Resize(30, 6)
	write(s, "?")
	if got := s.Text(); got != "first\nabcdefghijklmnopqrstuvw!?z" {
		t.Errorf("wider:\n%s", got)
	}
}

func TestReflowKeepsAPendingWrap(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	write(s, strings.Repeat("a", 20))
	s.Resize(10, 4)
	if c := s.Frame(0).Cursor; !c.Pending || c.X != 9 || c.Y != 1 {
		t.Fatalf("cursor %+v", c)
	}
	write(s, "b")
	s.Resize(40, 4)
	if got := s.Text(); got != strings.Repeat("a", 20)+"b" {
		t.Errorf("text %q", got)
	}
}

func TestCursorInTheBlankStaysInItsRow(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	write(s, "ab\x1b[1;18H")
	s.Resize(10, 4)
	if c := s.Frame(0).Cursor; c.Pending || c.X != 9 || c.Y != 0 {
		t.Errorf("cursor %+v", c)
	}
}

func TestHigherScreenShowsHistoryAgain(t *testing.T) {
	s, _ := newTest(t, 20, 3)
	write(s, "1\r\n2\r\n3\r\n4\r\n5")
	s.Resize(20, 4)
	if got := s.Text(); got != "2\n3\n4\n5" || s.Frame(0).History != 1 || s.y != 3 {
		t.Errorf("text %q, history %d, cursor row %d", got, s.Frame(0).History, s.y)
	}
	s.Resize(20, 9)
	if got := s.Text(); got != "1\n2\n3\n4\n5" || s.Frame(0).History != 0 {
		t.Errorf("text %q, history %d", got, s.Frame(0).History)
	}
}

func TestClearedScreenShowsNoHistoryAgain(t *testing.T) {
	s, _ := newTest(t, 20, 3)
	write(s, "1\r\n2\r\n3\r\n4\r\n5\x1b[H\x1b[2J$")
	s.Resize(20, 6)
	if got := s.Text(); got != "$" {
		t.Errorf("higher: %q", got)
	}
	s.Resize(10, 6)
	if got := s.Text(); got != "$" {
		t.Errorf("narrower: %q", got)
	}
}

func TestLowerScreenKeepsTheCursorVisible(t *testing.T) {
	s, _ := newTest(t, 20, 6)
	write(s, "1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[2;1H")
	s.Resize(20, 3)
	write(s, "X")
	if got := s.Text(); got != "X\n3\n4" {
		t.Errorf("text %q", got)
	}
}

func TestMainScreenReflowsBehindTheAlternate(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	write(s, "abcdefghijklmnopqrst\x1b[?1049h\x1b[HALT")
	s.Resize(10, 4)
	write(s, "\x1b[?1049l!")
	if got := s.Text(); got != "abcdefghij\nklmnopqrst\n!" {
		t.Errorf("main screen:\n%s", got)
	}
}

func TestResizeClampsAndResetsMargins(t *testing.T) {
	s, _ := newTest(t, 20, 6)
	write(s, "\x1b[2;4r\x1b[?69h\x1b[3;9s")
	s.Resize(0, -5)
	verify(t, s)
	s.Resize(1<<30, 1<<30)
	if f := s.Frame(0); f.Cols != 1000 || f.Rows != 1000 {
		t.Errorf("%dx%d", f.Cols, f.Rows)
	}
	verify(t, s)
	s.Resize(20, 6)
	write(s, "\x1b[6;1Hlast\r\n")
	if s.top != 0 || s.bottom != 5 || s.right != 19 {
		t.Errorf("margins %d-%d %d-%d", s.top, s.bottom, s.left, s.right)
	}
}

func TestResizeIsReportedInBand(t *testing.T) {
	s, _ := newTest(t, 20, 6)
	write(s, "\x1b[?2048h")
	s.Resize(30, 7)
	if r := string(s.Replies()); r != "\x1b[48;6;20;96;160t\x1b[48;7;30;112;240t" {
		t.Errorf("reply %q", r)
	}
}

func TestErasedLineEndDoesNotGoOn(t *testing.T) {
	for _, erase := range []string{"\x1b[1;5H\x1b[K", "\x1b[1;5H\x1b[30P", "\x1b[1;5H\x1b[99X", "\x1b[1;1H\x1b[2K", "\x1b[2;1H\x1b[L"} {
		s, _ := newTest(t, 10, 6)
		write(s, "abcdefghijklm"+erase)
		before := s.Text()
		s.Resize(20, 6)
		if got := s.Text(); got != before {
			t.Errorf("%q: %q became %q", erase, before, got)
		}
	}
}

func TestLineChangedDuringSyncStillGoesOn(t *testing.T) {
	s, _ := newTest(t, 10, 6)
	write(s, "abcdefghijklm\x1b[?2026h\x1b[HX\x1b[?2026l")
	s.Resize(20, 6)
	if got := s.Text(); got != "Xbcdefghijklm" {
		t.Errorf("text %q", got)
	}
}
