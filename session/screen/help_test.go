package screen

import (
	"testing"
	"time"

	"aside/session"
)

// newTest returns a screen with history whose clock stands still until it is
// moved.
func newTest(t *testing.T, cols, rows int) (*Screen, *time.Time) {
	t.Helper()
	now := time.Unix(1_800_000_000, 0)
	s := New(Options{
		Cols: cols, Rows: rows, HistoryLines: 100, Name: "aside 1.0",
		Now: func() time.Time { return now },
	})
	return s, &now
}

// past returns the scrollback.
func past(s *Screen) []session.Row {
	f := s.Frame(0)
	return s.History(f.Oldest, f.History-f.Oldest)
}

func write(s *Screen, text string) { _, _ = s.Write([]byte(text)) }

// grid returns the rows of a full frame.
func grid(f session.Frame) []session.Row {
	rows := make([]session.Row, f.Rows)
	for _, c := range f.Changed {
		rows[c.Y] = c.Row
	}
	return rows
}

// spanAt returns the span that column x of a row lies in.
func spanAt(r session.Row, x int) session.Span {
	for _, sp := range r.Spans {
		if x < sp.Width {
			return sp
		}
		x -= sp.Width
	}
	return session.Span{}
}

// viewer applies frames like a client does.
type viewer struct {
	version uint64
	rows    []session.Row
	frame   session.Frame
}

func (v *viewer) update(s *Screen) session.Frame {
	f := s.Frame(v.version)
	v.version = s.Version()
	if f.Full {
		v.rows = make([]session.Row, f.Rows)
	}
	for _, c := range f.Changed {
		v.rows[c.Y] = c.Row
	}
	v.frame = f
	return f
}

func (v *viewer) text() (out string) {
	for y, r := range v.rows {
		if y > 0 {
			out += "\n"
		}
		out += r.Text()
	}
	return out
}
