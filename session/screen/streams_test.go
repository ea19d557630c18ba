package screen

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/e2e/streams"
)

// The streams are what real agents wrote to a terminal of the size in their
// name, from their start to their end, with a question, an answer in Markdown,
// a permission and a change of size between. They are recorded with
// e2e/picture. The .txt file beside each is what is on the screen at its
// marks; -update writes it anew.
var update = flag.Bool("update", false, "write the expected screens of the streams")

const streamsDir = "testdata/streams"

func recorded(t testing.TB) []*streams.Stream {
	t.Helper()
	all, err := streams.All(streamsDir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// replay feeds a stream, in pieces of the sizes that size returns, and calls
// see at each mark. A mark is long after the output before it: no synchronized
// update is under way any more.
func replay(stream *streams.Stream, size func() int, see func(s *Screen, mark string)) {
	now := time.Unix(1_800_000_000, 0)
	s := New(Options{Cols: stream.Cols, Rows: stream.Rows, HistoryLines: 1000, Name: "aside 1.0", Now: func() time.Time { return now }})
	for _, step := range stream.Steps {
		switch {
		case step.Mark != "":
			now = now.Add(time.Second)
			see(s, step.Mark)
		case step.Output != nil:
			for p := step.Output; len(p) > 0; {
				n := min(size(), len(p))
				_, _ = s.Write(p[:n])
				p = p[n:]
			}
		default:
			s.Resize(step.Resize[0], step.Resize[1])
		}
	}
}

// described is everything of a screen that a user can see or scroll to, as
// lines that can be read and compared.
func described(s *Screen, mark string) string {
	var b strings.Builder
	f := s.Frame(0)
	c := f.Cursor
	fmt.Fprintf(&b, "== %s: %dx%d, cursor %d,%d", mark, f.Cols, f.Rows, c.X, c.Y)
	if c.Hidden {
		b.WriteString(" hidden")
	}
	fmt.Fprintf(&b, ", history %d, modes %+v, title %q\n", f.History-f.Oldest, f.Modes, f.Title)
	for _, r := range past(s) {
		fmt.Fprintf(&b, "^%s\n", strings.TrimRight(r.Text(), " "))
	}
	for _, r := range grid(f) {
		fmt.Fprintf(&b, "|%s\n", strings.TrimRight(r.Text(), " "))
	}
	return b.String()
}

func whole() int { return 1 << 30 }

// pieces are the sizes in which a stream is fed.
func pieces() map[string]func() int {
	random := rand.New(rand.NewPCG(5, 6))
	return map[string]func() int{
		"byte by byte": func() int { return 1 },
		"7 bytes":      func() int { return 7 },
		"odd sizes":    func() int { return 1 + 2*random.IntN(200) },
	}
}

func TestRecordedStreamsEndInTheKnownScreens(t *testing.T) {
	for _, stream := range recorded(t) {
		t.Run(stream.Name, func(t *testing.T) {
			var b strings.Builder
			replay(stream, whole, func(s *Screen, mark string) {
				verify(t, s)
				b.WriteString(described(s, mark))
			})
			got := b.String()
			file := filepath.Join(streamsDir, stream.Name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Where the PTY cuts the output must not be seen: neither in the rows, nor in
// their styles, nor in what the program is answered.
func TestPiecesOfAStreamMakeNoDifference(t *testing.T) {
	for _, stream := range recorded(t) {
		everything := func(size func() int) string {
			var b strings.Builder
			replay(stream, size, func(s *Screen, mark string) { b.WriteString(mark + "\n" + outcome(s)) })
			return b.String()
		}
		want := everything(whole)
		for name, size := range pieces() {
			t.Run(stream.Name+"/"+name, func(t *testing.T) {
				if got := everything(size); got != want {
					t.Errorf("in pieces:\n%s\nin one:\n%s", got, want)
				}
			})
		}
	}
}
