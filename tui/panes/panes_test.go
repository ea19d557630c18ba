package panes_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"aside/session"
	"aside/tui/panes"

	"pgregory.net/rapid"
)

var area = panes.Rect{X: 19, Y: 2, W: 95, H: 37}

// split returns a layout of the agent's pane with shells at its right, the
// second below the first.
func split() session.Layout {
	l := panes.OpenSplit(panes.Single(), "a", session.PaneAgent, session.DirectionRight)
	return panes.OpenSplit(l, "b", "a", session.DirectionDown)
}

func shell(id session.PaneID, place session.Place, d session.Direction, beside session.PaneID) session.PaneInfo {
	return session.PaneInfo{ID: id, Shell: true, Place: place, Direction: d, Beside: beside}
}

func drawn(l session.Layout) string {
	s := ""
	for _, p := range panes.Draw(l, area).Panes {
		s += fmt.Sprintf("%s %d,%d %dx%d; ", p.Pane, p.X-area.X, p.Y-area.Y, p.W, p.H)
	}
	return s
}

func TestSplitsShareTheAreaAndGiveItBack(t *testing.T) {
	for _, tt := range []struct {
		name string
		l    session.Layout
		want string
	}{
		{"alone", panes.Single(), "agent 0,0 95x37; "},
		{"three", split(), "agent 0,1 47x36; a 48,1 47x18; b 48,20 47x17; "},
		{"closed", panes.Close(split(), "a"), "agent 0,1 47x36; b 48,1 47x36; "},
		{"all closed", panes.Close(panes.Close(split(), "b"), "a"), "agent 0,0 95x37; "},
		{"zoomed", panes.Zoom(panes.Focus(split(), "b")), "b 0,0 95x37; "},
		{"the focus ends a zoom", panes.Focus(panes.Zoom(panes.Focus(split(), "b")), "a"), drawn(split())},
		{"another tab", panes.Focus(panes.OpenTab(split(), "c"), "c"), "c 0,0 95x37; "},
	} {
		if got := drawn(tt.l); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestNeighbours(t *testing.T) {
	plan := panes.Draw(split(), area)
	for _, tt := range []struct {
		from session.PaneID
		side panes.Side
		want session.PaneID
	}{
		{session.PaneAgent, panes.Right, "a"},
		{session.PaneAgent, panes.Left, ""},
		{session.PaneAgent, panes.Above, ""},
		{"b", panes.Left, session.PaneAgent},
		{"b", panes.Above, "a"},
		{"a", panes.Below, "b"},
		{"b", panes.Below, ""},
	} {
		if got, _ := panes.Neighbour(plan, tt.from, tt.side); got != tt.want {
			t.Errorf("from %s on side %d is %q, want %q", tt.from, tt.side, got, tt.want)
		}
	}
}

func TestBordersMoveAsFarAsThePanesLeaveRoom(t *testing.T) {
	width := func(l session.Layout) int {
		at, _ := panes.Draw(l, area).Of(session.PaneAgent)
		return at.W
	}
	l, ok := panes.Resize(split(), session.PaneAgent, panes.Right, 3, area)
	if !ok || width(l) != 50 {
		t.Errorf("the agent is %d wide", width(l))
	}
	if l, _ = panes.Resize(l, "b", panes.Left, 5, area); width(l) != 45 {
		t.Errorf("from the other side: the agent is %d wide", width(l))
	}
	if l, _ = panes.Resize(l, "a", panes.Right, 500, area); width(l) != 95-1-panes.LeastCols {
		t.Errorf("the agent is %d wide", width(l))
	}
	if l, _ = panes.Resize(l, "a", panes.Left, 500, area); width(l) != panes.LeastCols {
		t.Errorf("the agent is %d wide", width(l))
	}
	if _, ok := panes.Resize(l, session.PaneAgent, panes.Below, 1, area); ok {
		t.Error("a border moves that is not there")
	}
	if _, ok := panes.Resize(panes.Zoom(l), session.PaneAgent, panes.Right, 1, area); ok {
		t.Error("a border moves that is not in sight")
	}
}

func TestPanesAreArrangedAsTheyWereAskedFor(t *testing.T) {
	agent := session.PaneInfo{ID: session.PaneAgent}
	all := []session.PaneInfo{
		agent, shell("a", session.PlaceSplit, session.DirectionRight, session.PaneAgent),
		shell("b", session.PlaceSplit, session.DirectionDown, "a"), shell("c", session.PlaceTab, "", ""),
	}
	l := panes.Arrange(session.Layout{}, all, area)
	if len(l.Tabs) != 2 || drawn(l) != drawn(split()) || panes.Focused(l) != session.PaneAgent {
		t.Errorf("got %+v: %s", l, drawn(l))
	}
	l = panes.Focus(l, "c")
	if again := panes.Arrange(l, all, area); !reflect.DeepEqual(again, l) || panes.Focused(again) != "c" {
		t.Errorf("arranged again: %+v", again)
	}
	l = panes.Arrange(l, slices.Delete(all, 3, 4), area)
	if len(l.Tabs) != 1 || panes.TabOf(l, "c") >= 0 {
		t.Errorf("after the tab's end: %+v", l)
	}
	narrow := panes.Rect{W: 40, H: 30}
	l = panes.Arrange(panes.Single(), all[:2], narrow)
	if root := l.Tabs[0].Root; root.Direction != session.DirectionDown {
		t.Errorf("where two do not fit side by side: %+v", root)
	}
	l = panes.Arrange(panes.Single(), all[:2], panes.Rect{W: 40, H: 6})
	if len(l.Tabs) != 2 {
		t.Errorf("where no split fits: %+v", l)
	}
	l = panes.Arrange(panes.Single(), []session.PaneInfo{agent, shell("a", session.PlaceSplit, "", "gone")}, area)
	if panes.TabOf(l, "a") != 0 {
		t.Errorf("beside what is gone: %+v", l)
	}
}

// TestAnyChangesKeepTheLayoutWhole makes any changes in any order: every pane
// stays placed once, what is in sight fills the area and does not overlap, and
// the focus is in sight.
func TestAnyChangesKeepTheLayoutWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := panes.Single()
		all := []session.PaneInfo{{ID: session.PaneAgent}}
		for n := range rapid.IntRange(1, 40).Draw(t, "steps") {
			id := rapid.SampledFrom(all).Draw(t, "pane").ID
			r := panes.Rect{W: rapid.IntRange(1, 250).Draw(t, "w"), H: rapid.IntRange(1, 70).Draw(t, "h")}
			switch rapid.IntRange(0, 8).Draw(t, "step") {
			case 0, 1:
				place := rapid.SampledFrom([]session.Place{session.PlaceTab, session.PlaceSplit}).Draw(t, "place")
				d := rapid.SampledFrom([]session.Direction{session.DirectionRight, session.DirectionDown}).Draw(t, "direction")
				all = append(all, shell(session.PaneID(fmt.Sprintf("s%d", n)), place, d, id))
			case 2:
				all = slices.DeleteFunc(all, func(p session.PaneInfo) bool { return p.ID == id && p.Shell })
			case 3:
				l = panes.Focus(l, id)
			case 4:
				l = panes.Zoom(l)
			case 5:
				l, _ = panes.Resize(l, panes.Focused(l), panes.Side(rapid.IntRange(0, 3).Draw(t, "side")), 2, r)
			case 6:
				if b := panes.Draw(l, r).Borders; len(b) > 0 {
					l, _ = panes.Move(l, b[0], rapid.IntRange(-5, 255).Draw(t, "x"), rapid.IntRange(-5, 75).Draw(t, "y"))
				}
			case 7:
				l = panes.ShowTab(l, rapid.IntRange(-1, 5).Draw(t, "tab"))
			case 8:
				l = panes.Show(l, id)
			}
			l = panes.Arrange(l, all, r)
			whole(t, l, all, r)
		}
	})
}

func whole(t *rapid.T, l session.Layout, all []session.PaneInfo, r panes.Rect) {
	t.Helper()
	if !l.Whole() {
		t.Fatalf("not whole: %+v", l)
	}
	n := 0
	for _, tab := range l.Tabs {
		n += len(panes.Panes(tab.Root))
	}
	for _, p := range all {
		if panes.TabOf(l, p.ID) < 0 {
			t.Fatalf("%s is not placed: %+v", p.ID, l)
		}
	}
	if n != len(all) || panes.TabOf(l, session.PaneAgent) != 0 {
		t.Fatalf("%d panes are placed of %d, the agent in tab %d", n, len(all), panes.TabOf(l, session.PaneAgent))
	}
	plan := panes.Draw(l, r)
	if _, ok := plan.Of(panes.Focused(l)); !ok {
		t.Fatalf("the focus is out of sight: %+v", l)
	}
	cells := 0
	for i, p := range plan.Panes {
		title := p.Title()
		cells += p.W * (p.H + title.H)
		if p.W < 1 || p.H < 1 || !r.Has(p.X, p.Y) || !r.Has(p.X+p.W-1, p.Y+p.H-1) {
			t.Fatalf("%s is at %+v in %+v", p.Pane, p.Rect, r)
		}
		for _, o := range plan.Panes[:i] {
			if p.X < o.X+o.W && o.X < p.X+p.W && p.Y < o.Y+o.H && o.Y < p.Y+p.H {
				t.Fatalf("%s overlaps %s", p.Pane, o.Pane)
			}
		}
	}
	for _, b := range plan.Borders {
		if b.Direction == session.DirectionRight {
			cells += b.H
		}
	}
	if cells != r.W*r.H {
		t.Fatalf("%d cells of %d are used: %+v", cells, r.W*r.H, plan)
	}
}
