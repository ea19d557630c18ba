// Package panes places the panes of a thread: what a layout of tabs and splits
// becomes when one is opened, closed, moved to or resized, and which part of
// the screen each pane gets. It is pure; a layout is a value, and every change
// returns another one.
package panes

import (
	"slices"

	"aside/session"
)

// Rect is a part of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Has says that a cell is in the rect.
func (r Rect) Has(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// The least room of a pane in a split, without its title.
const (
	LeastCols = 20
	LeastRows = 3
)

// half is the share of a split that has just been made.
const half = 500

// leaf is a node with a pane.
func leaf(id session.PaneID) *session.PaneNode { return &session.PaneNode{Pane: id} }

// Single returns the layout of a thread with no panes but the agent's.
func Single() session.Layout {
	return session.Layout{Tabs: []session.PaneTab{{Root: leaf(session.PaneAgent), Focus: session.PaneAgent}}}
}

// Panes returns the panes under a node, from left to right and from the top
// down.
func Panes(n *session.PaneNode) []session.PaneID {
	switch {
	case n == nil:
		return nil
	case n.Pane != "":
		return []session.PaneID{n.Pane}
	}
	return append(Panes(n.First), Panes(n.Second)...)
}

// TabOf returns the tab that a pane is in, or -1.
func TabOf(l session.Layout, id session.PaneID) int {
	return slices.IndexFunc(l.Tabs, func(t session.PaneTab) bool { return slices.Contains(Panes(t.Root), id) })
}

// Focused returns the pane that has the focus.
func Focused(l session.Layout) session.PaneID {
	if l.Shown < 0 || l.Shown >= len(l.Tabs) {
		return session.PaneAgent
	}
	return l.Tabs[l.Shown].Focus
}

// changed returns the layout with a tab replaced.
func changed(l session.Layout, i int, t session.PaneTab) session.Layout {
	l.Tabs = slices.Clone(l.Tabs)
	l.Tabs[i] = t
	return l
}

// Focus returns the layout with the focus on a pane, in whichever tab it is.
// One that a zoomed pane hides is seen again.
func Focus(l session.Layout, id session.PaneID) session.Layout {
	i := TabOf(l, id)
	if i < 0 {
		return l
	}
	t := l.Tabs[i]
	t.Zoomed = t.Zoomed && t.Focus == id
	t.Focus = id
	l = changed(l, i, t)
	l.Shown = i
	return l
}

// Show returns the layout with a pane in sight. The focus stays where it is
// unless that would be out of sight: then it goes along.
func Show(l session.Layout, id session.PaneID) session.Layout {
	i := TabOf(l, id)
	if i < 0 {
		return l
	}
	if i != l.Shown {
		return Focus(l, id)
	}
	t := l.Tabs[i]
	t.Zoomed = t.Zoomed && t.Focus == id
	return changed(l, i, t)
}

// ShowTab returns the layout with another tab shown; what is no tab changes
// nothing.
func ShowTab(l session.Layout, i int) session.Layout {
	if i >= 0 && i < len(l.Tabs) {
		l.Shown = i
	}
	return l
}

// Zoom lets the focused pane fill its tab, or puts it back.
func Zoom(l session.Layout) session.Layout {
	t := l.Tabs[l.Shown]
	t.Zoomed = !t.Zoomed && t.Root.Pane == ""
	return changed(l, l.Shown, t)
}

// OpenTab returns the layout with a pane in a new tab, the last one. The focus
// stays.
func OpenTab(l session.Layout, id session.PaneID) session.Layout {
	l.Tabs = append(slices.Clone(l.Tabs), session.PaneTab{Root: leaf(id), Focus: id})
	return l
}

// OpenSplit returns the layout with a pane beside another one, at its right or
// below it. The focus stays; a zoom in that tab ends.
func OpenSplit(l session.Layout, id, beside session.PaneID, d session.Direction) session.Layout {
	i := TabOf(l, beside)
	if i < 0 {
		return OpenTab(l, id)
	}
	t := l.Tabs[i]
	t.Zoomed = false
	t.Root = replace(t.Root, beside, &session.PaneNode{Direction: d, Share: half, First: leaf(beside), Second: leaf(id)})
	return changed(l, i, t)
}

// replace returns the tree with another node in the place of a pane; nil takes
// the pane out, and what it was split from gets its room.
func replace(n *session.PaneNode, id session.PaneID, by *session.PaneNode) *session.PaneNode {
	if n.Pane != "" {
		if n.Pane == id {
			return by
		}
		return n
	}
	first, second := replace(n.First, id, by), replace(n.Second, id, by)
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	case first == n.First && second == n.Second:
		return n
	}
	c := *n
	c.First, c.Second = first, second
	return &c
}

// Close returns the layout without a pane. The focus goes to what gets its
// room.
func Close(l session.Layout, id session.PaneID) session.Layout {
	i := TabOf(l, id)
	if i < 0 {
		return l
	}
	t := l.Tabs[i]
	at := slices.Index(Panes(t.Root), id)
	t.Root = replace(t.Root, id, nil)
	if t.Root == nil {
		l.Tabs = slices.Delete(slices.Clone(l.Tabs), i, i+1)
		if l.Shown > i || l.Shown >= len(l.Tabs) {
			l.Shown = max(0, l.Shown-1)
		}
		return l
	}
	if t.Focus == id {
		t.Focus = Panes(t.Root)[max(0, at-1)]
		t.Zoomed = false
	}
	t.Zoomed = t.Zoomed && t.Root.Pane == ""
	return changed(l, i, t)
}

// Arrange brings a layout into line with the panes that there are: those that
// are gone are taken out, and new ones placed as they were asked for, as far
// as there is room in the area. Where none is gone or new it is as before.
func Arrange(l session.Layout, all []session.PaneInfo, area Rect) session.Layout {
	known := map[session.PaneID]bool{session.PaneAgent: true}
	for _, p := range all {
		known[p.ID] = true
	}
	for _, t := range l.Tabs { // as they were, whatever is closed
		for _, id := range Panes(t.Root) {
			if !known[id] {
				l = Close(l, id)
			}
		}
	}
	if TabOf(l, session.PaneAgent) < 0 {
		l.Tabs = append(Single().Tabs, l.Tabs...)
		l.Shown = min(l.Shown+1, len(l.Tabs)-1)
	}
	for _, p := range all {
		if TabOf(l, p.ID) < 0 {
			l = place(l, p, area)
		}
	}
	return settle(l)
}

// settle mends what a layout from outside says of its focus.
func settle(l session.Layout) session.Layout {
	l.Shown = min(max(l.Shown, 0), len(l.Tabs)-1)
	for i, t := range l.Tabs {
		if in := Panes(t.Root); !slices.Contains(in, t.Focus) {
			t.Focus = in[0]
			l = changed(l, i, t)
		}
	}
	return l
}

// place opens a pane where it was asked for: a split that does not fit is
// opened on the other side, and else as a tab.
func place(l session.Layout, p session.PaneInfo, area Rect) session.Layout {
	if p.Place != session.PlaceSplit {
		return OpenTab(l, p.ID)
	}
	beside := p.Beside
	if TabOf(l, beside) < 0 {
		beside = session.PaneAgent
	}
	other := session.DirectionDown
	if p.Direction == session.DirectionDown {
		other = session.DirectionRight
	}
	for _, d := range []session.Direction{p.Direction, other} {
		if n := OpenSplit(l, p.ID, beside, d); Fits(n, TabOf(n, p.ID), area) {
			return n
		}
	}
	return OpenTab(l, p.ID)
}
