package sidebar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui/theme"
	"aside/tui/tuitest"
)

func draw(t *testing.T, l List, w, h int) ([]string, []Target) {
	t.Helper()
	lines, targets := l.Draw(theme.New(true, theme.Colors16), w, h)
	if len(lines) != h || len(targets) != h {
		t.Fatalf("%d lines and %d targets, want %d", len(lines), len(targets), h)
	}
	return tuitest.Plain(t, lines, w), targets
}

func list(n int) List {
	l := List{Name: "threads", Foot: "ctrl+space: keys", Offers: 3}
	for i := range n {
		id := session.ThreadID(fmt.Sprintf("t%d", i))
		l.Rows = append(l.Rows, Row{Thread: id, Sign: "●", Title: fmt.Sprintf("Thread %d with a long title", i)})
	}
	return l
}

func TestListShowsThreadsOffersAndKeys(t *testing.T) {
	l := list(2)
	l.Current = "t1"
	l.Rows[0].Loud = true
	l.Waiting = 1
	lines, targets := draw(t, l, 18, 9)
	want := []string{
		" threads      ! 1", " ● ! Thread 0 wit…", "▌● Thread 1 with …", "", " ◆ 3 offers", "", "", "", " ctrl+space: keys",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got:\n%s", got)
	}
	if !targets[0].Waiting || targets[1].Thread != "t0" || targets[2].Thread != "t1" || !targets[4].Offers || !targets[8].Keys || targets[3] != (Target{}) {
		t.Errorf("targets = %+v", targets)
	}
}

func TestRowsSayWhatThereIsRoomFor(t *testing.T) {
	l := List{Name: "threads", Focused: true, Chosen: "a", Rows: []Row{
		{Thread: "a", Sign: "●", Title: "Fix the parser", Age: "42m", Offers: 2, Tall: true, Place: "fix-parser", Added: 12, Deleted: 3},
		{Heading: "other"},
		{Thread: "b", Sign: "·", Title: "A title that is longer than the list is wide", Age: "3d"},
	}}
	for w, want := range map[int][]string{
		18: {" threads", " ● Fix the parser", "   fix-pa… +12 −3", " other", " · A title that i…", "", ""},
		24: {" threads", " ● Fix the pars… ◆2 42m", "   fix-parser    +12 −3", " other", " · A title that is … 3d", "", ""},
		34: {" threads", " ● Fix the parser          ◆2 42m", "   fix-parser              +12 −3", " other", " · A title that is longer tha… 3d", "", ""},
	} {
		lines, targets := draw(t, l, w, 7)
		if !slices.Equal(lines, want) {
			t.Errorf("%d columns:\n%s", w, strings.Join(lines, "\n"))
		}
		if targets[2].Thread != "a" || targets[3] != (Target{}) || targets[4].Thread != "b" {
			t.Errorf("targets = %+v", targets)
		}
	}
}

func TestChosenThreadIsAlwaysSeen(t *testing.T) {
	heights := make([]int, 100)
	for i := range heights {
		heights[i] = 1 + i%2
	}
	top := 0
	for _, room := range []int{1, 2, 3, 10, 200} {
		for _, at := range []int{0, 1, 50, 51, 49, 99, 98, 0} {
			from, to := Window(heights, top, at, room)
			if (at < from || at >= to) && room >= heights[at] {
				t.Errorf("%d of %d lines: %d is not among %d to %d", at, room, at, from, to)
			}
			if used := sum(heights[from:to]); used > room {
				t.Errorf("%d lines in a room of %d", used, room)
			}
			top = from
		}
	}
	// A step within what is seen does not scroll, and the end leaves no gap.
	if from, to := Window(heights, 20, 24, 12); from != 20 || to != 28 {
		t.Errorf("it scrolled to %d, %d", from, to)
	}
	if from, to := Window(heights, 99, -1, 12); to != 100 || sum(heights[from:to]) < 11 {
		t.Errorf("the end is at %d to %d", from, to)
	}
	if from, to := Window(nil, 3, 5, 10); from != 0 || to != 0 {
		t.Errorf("no rows are %d to %d", from, to)
	}
}
