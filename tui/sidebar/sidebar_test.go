package sidebar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

func draw(t *testing.T, l List, w, h int) ([]string, []Target) {
	t.Helper()
	lines, targets := l.Draw(theme.New(true, theme.Colors16), w, h)
	if len(lines) != h || len(targets) != h {
		t.Fatalf("%d lines and %d targets, want %d", len(lines), len(targets), h)
	}
	for i := range lines {
		if got := cells.Width(lines[i]); got != w {
			t.Errorf("line %d has %d columns, want %d", i, got, w)
		}
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return lines, targets
}

func list(n int) List {
	l := List{Foot: "ctrl+space: keys", Offers: 3}
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
	lines, targets := draw(t, l, 18, 9)
	want := []string{
		" threads", " ● ! Thread 0 wit…", "▌● Thread 1 with …", "", " ◆ 3 offers", "", "", "", " ctrl+space: keys",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got:\n%s", got)
	}
	if targets[1].Thread != "t0" || targets[2].Thread != "t1" || !targets[4].Offers || !targets[8].Keys || targets[3] != (Target{}) {
		t.Errorf("targets = %+v", targets)
	}
}

func TestChosenThreadIsAlwaysSeen(t *testing.T) {
	l := list(100)
	l.Focused = true
	all := l.Rows
	for _, at := range []session.ThreadID{"t0", "t50", "t99"} {
		l.Chosen = at
		place := slices.IndexFunc(all, func(r Row) bool { return r.Thread == at })
		from, to := Window(len(all), place, 12)
		l.Rows, l.Hidden = all[from:to], len(all)-(to-from)
		_, targets := draw(t, l, 20, 12)
		found := false
		for _, tg := range targets {
			found = found || tg.Thread == at
		}
		if !found {
			t.Errorf("%s is not seen", at)
		}
	}
	for h := 1; h < 8; h++ {
		from, to := Window(len(all), 99, h)
		l.Rows = all[from:to]
		draw(t, l, 10, h)
	}
}
