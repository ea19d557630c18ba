package screen

import (
	"strings"
	"testing"
	"time"
)

func TestSyncHoldsThePictureUntilItsEnd(t *testing.T) {
	s, _ := newTest(t, 20, 4)
	v := viewer{}
	write(s, "old\r\nstays")
	v.update(s)
	write(s, "\x1b[?2026h\x1b[Hnew\x1b[2J\x1b[Hdrawn\x1b[3;5H")
	if f := v.update(s); len(f.Changed) != 0 || v.text() != "old\nstays\n\n" || f.Cursor.X != 5 {
		t.Fatalf("while held: %d rows changed, cursor %+v, %q", len(f.Changed), f.Cursor, v.text())
	}
	if late := s.Frame(0); !strings.HasPrefix(grid(late)[0].Text(), "old") {
		t.Fatalf("a new viewer gets %q", grid(late)[0].Text())
	}
	if s.Text() != "old\nstays" {
		t.Fatalf("text while held is %q", s.Text())
	}
	write(s, "\x1b[?2026l")
	if f := v.update(s); v.text() != "drawn\n\n\n" || f.Cursor.X != 4 || f.Cursor.Y != 2 {
		t.Fatalf("after it: cursor %+v, %q", f.Cursor, v.text())
	}
	if _, held := s.SyncPending(); held {
		t.Fatal("still held")
	}
}

func TestSyncEndsByItself(t *testing.T) {
	s, now := newTest(t, 20, 4)
	v := viewer{}
	write(s, "old")
	v.update(s)
	write(s, "\x1b[?2026h\rnew")
	at, held := s.SyncPending()
	if !held || !at.Equal(now.Add(150*time.Millisecond)) {
		t.Fatalf("pending until %v, %v", at, held)
	}
	write(s, "\x1b[?2026h") // asking again gains no time
	*now = at
	if v.update(s); v.text() != "new\n\n\n" {
		t.Fatalf("after 150 ms the viewer has %q", v.text())
	}
	write(s, "\x1b[?2026$p")
	if r := string(s.Replies()); r != "\x1b[?2026;2$y" {
		t.Fatalf("mode 2026 after it ended by itself: %q", r)
	}
}

func TestSyncKeepsRowsThatScrollAway(t *testing.T) {
	s, _ := newTest(t, 20, 3)
	write(s, "a\r\nb\r\nc\x1b[?2026h")
	for range 10 {
		write(s, "\r\nmore")
	}
	write(s, "\x1b[?1049hALT")
	if s.Text() != "a\nb\nc" {
		t.Fatalf("held picture is %q", s.Text())
	}
	write(s, "\x1b[?2026l")
	if !strings.HasSuffix(s.Text(), "ALT") {
		t.Fatalf("picture is %q", s.Text())
	}
	write(s, "\x1b[?1049l")
	if s.Text() != "more\nmore\nmore" {
		t.Fatalf("main screen is %q", s.Text())
	}
	verify(t, s)
}

func TestResizeAndResetEndSync(t *testing.T) {
	for _, end := range []func(*Screen){
		func(s *Screen) { s.Resize(30, 5) },
		func(s *Screen) { write(s, "\x1bcnew") },
	} {
		s, _ := newTest(t, 20, 4)
		write(s, "old\x1b[?2026h\rnew")
		end(s)
		if s.Text() != "new" {
			t.Errorf("picture is %q", s.Text())
		}
		verify(t, s)
	}
}
