package screen

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"aside/session"
)

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "line %d\r\n", i)
	}
	return b.String()
}

func TestHistoryIsBoundedByLines(t *testing.T) {
	s, _ := newTest(t, 20, 4) // 100 rows of history
	write(s, lines(0, 5000))
	rows := past(s)
	if len(rows) != 100 || rows[0].Text() != "line 4897" || rows[99].Text() != "line 4996" {
		t.Fatalf("%d rows from %q to %q", len(rows), rows[0].Text(), rows[len(rows)-1].Text())
	}
	verify(t, s)
}

// A viewer that has scrolled back must find the same row under the same number
// while others come and go.
func TestARowOfTheHistoryKeepsItsNumber(t *testing.T) {
	s, _ := newTest(t, 20, 4) // 100 rows of history
	write(s, lines(0, 50))
	if got := s.History(20, 1)[0].Text(); got != "line 20" {
		t.Fatalf("row 20 is %q", got)
	}
	write(s, lines(50, 500))
	if f := s.Frame(0); f.History != 497 || f.Oldest != 397 {
		t.Fatalf("the rows from %d to %d are there", f.Oldest, f.History)
	}
	if part := s.History(495, 10); len(part) != 2 || part[0].Text() != "line 495" {
		t.Fatalf("the last two are %v", part)
	}
	if part := s.History(396, 2); len(part) != 2 || part[0].Text() != "" || part[1].Text() != "line 397" {
		t.Fatalf("one that has gone and the oldest are %v", part)
	}
	if part := s.History(20, 2); len(part) != 2 || part[0].Text() != "" {
		t.Fatalf("two that have gone are %v", part)
	}
	for _, none := range [][2]int{{497, 1}, {0, 0}, {0, -1}, {1 << 40, 3}} {
		if rows := s.History(none[0], none[1]); rows != nil {
			t.Errorf("history from %d, %d rows: %v", none[0], none[1], rows)
		}
	}
	write(s, "\x1b[3J"+lines(500, 510))
	if f := s.Frame(0); f.History != 507 || f.Oldest != 497 || s.History(506, 1)[0].Text() != "line 506" {
		t.Fatalf("after the history was cleared the rows from %d to %d are there, the last %v", f.Oldest, f.History, s.History(506, 1))
	}
	s.Resize(30, 4)
	if f := s.Frame(0); f.History != 507 || f.Oldest != 497 || s.History(497, 1)[0].Text() != "line 497" {
		t.Fatalf("at another width the rows from %d to %d are there, the first %v", f.Oldest, f.History, s.History(497, 1))
	}
}

func TestHistoryIsBoundedByBytes(t *testing.T) {
	s := New(Options{Cols: 100, Rows: 4, HistoryLines: 100_000, HistoryBytes: 50_000})
	for range 1000 {
		write(s, strings.Repeat("x", 100)+"\r\n")
	}
	if n := len(past(s)); n < 40 || n > 50_000/800 {
		t.Fatalf("%d rows of 800 bytes", n)
	}
	verify(t, s)
}

func TestNoHistory(t *testing.T) {
	s := New(Options{Cols: 20, Rows: 3})
	write(s, lines(0, 10))
	s.Resize(30, 2)
	if n := len(past(s)); n != 0 {
		t.Fatalf("%d rows", n)
	}
}

func TestHistoryKeepsStylesAndLinks(t *testing.T) {
	s, _ := newTest(t, 20, 2)
	write(s, "\x1b[1;31m\x1b]8;;http://a.b/\x1b\\red\x1b]8;;\x1b\\\x1b[0m plain\r\n\r\n")
	r := s.History(0, 1)[0]
	if len(r.Spans) != 2 || r.Spans[0].Link != "http://a.b/" || r.Spans[0].Style.Fg != session.Indexed(1) {
		t.Fatalf("row %+v", r)
	}
}

// A program that never repeats a colour, cluster or link must not fill the
// memory.
func TestInternedValuesAreReclaimed(t *testing.T) {
	s, _ := newTest(t, 40, 4)
	for i := range 20_000 {
		write(s, fmt.Sprintf("\x1b[38;2;%d;%d;%dm\x1b]8;;http://h/%d\ae%c\x1b]8;;\a\r\n", i>>16, i>>8&255, i&255, i, rune(0x300+i%100)))
	}
	for name, n := range map[string]int{
		"pens": len(s.pools.pens.values), "links": len(s.pools.links.values),
	} {
		if n > 2*sweepFrom {
			t.Errorf("%d %s are kept", n, name)
		}
	}
	s.sweep()
	for i := range 500 {
		write(s, fmt.Sprintf("\x1b[H\x1b[48;2;9;%d;%dm\x1b]8;;http://other/%d\ae%c\x1b]8;;\a", i>>8, i&255, i, rune(0x400+i)))
	}
	for i, r := range past(s) {
		n := 19_897 + i
		if link, fg := r.Spans[0].Link, r.Spans[0].Style.Fg; link != fmt.Sprint("http://h/", n) || fg != session.RGB(0, uint8(n>>8), uint8(n)) {
			t.Fatalf("row %d of the history has link %q and colour %x", i, link, fg)
		}
	}
	verify(t, s)
}

func TestClustersAreReclaimed(t *testing.T) {
	s, _ := newTest(t, 40, 4)
	for i := range 20_000 {
		write(s, fmt.Sprintf("e%c%c%c\r\n", rune(0x300+i%100), rune(0x300+i/100%100), rune(0x300+i/10000)))
	}
	if n := len(s.pools.clusters.values); n > 2*sweepFrom {
		t.Errorf("%d clusters are kept", n)
	}
	i := 19_996 // the rows below are on the screen
	want := fmt.Sprintf("e%c%c%c", rune(0x300+i%100), rune(0x300+i/100%100), rune(0x300+i/10000))
	if got := past(s)[99].Text(); got != want {
		t.Errorf("newest row of the history is %q, want %q", got, want)
	}
}

// Ten thousand full rows of 120 columns take no more than 15 MiB.
func TestHistoryMemory(t *testing.T) {
	row := strings.Repeat("0123456789", 12) + "\r\n"
	text := []byte(strings.Repeat(row, 100))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := New(Options{Cols: 120, Rows: 40, HistoryLines: 10_000})
	for range 300 {
		_, _ = s.Write(text)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if mib := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20); mib > 15 {
		t.Errorf("%.1f MiB for %d rows", mib, s.history.n)
	}
	runtime.KeepAlive(s)
}

// Colours that are all still in use may not pile up either: the oldest history
// goes for them.
func TestHistoryGivesWayToColours(t *testing.T) {
	s := New(Options{Cols: 100, Rows: 4, HistoryLines: 10_000})
	for i := range 300_000 {
		write(s, fmt.Sprintf("\x1b[38;2;%d;%d;%dmx", i>>16, i>>8&255, i&255))
	}
	if n := len(s.pools.pens.values); n > 3*keepAtMost {
		t.Errorf("%d pens are kept", n)
	}
	if n := len(past(s)); n < 100 {
		t.Errorf("%d rows of history are left", n)
	}
	verify(t, s)
}
