package panes

import (
	"aside/session"
)

// Placed is a pane with its part of the screen. In a split it has a title in
// the row above.
type Placed struct {
	Pane session.PaneID
	Rect
	Titled bool
}

// Title returns the row of the pane's title; without one it has no height.
func (p Placed) Title() Rect {
	r := Rect{p.X, p.Y - 1, p.W, 1}
	if !p.Titled {
		r.H = 0
	}
	return r
}

// Border is what divides a split: a column, or the row of the titles below.
type Border struct {
	Rect
	Direction session.Direction
	// Path leads to the split from the root of its tab: a step is 1 or 2, for
	// the first or the second part.
	Path string
	Area Rect // of the whole split
}

// Plan is what a tab looks like.
type Plan struct {
	Panes   []Placed
	Borders []Border // the inner ones after the outer
}

// Of returns where a pane is; ok is false when it is not in sight.
func (p Plan) Of(id session.PaneID) (Placed, bool) {
	for _, at := range p.Panes {
		if at.Pane == id {
			return at, true
		}
	}
	return Placed{}, false
}

// Draw returns the plan of the tab that is shown. Where its splits do not fit
// in the area, the focused pane alone fills it.
func Draw(l session.Layout, area Rect) Plan {
	t := l.Tabs[l.Shown]
	if t.Zoomed || t.Root.Pane != "" || !fits(t.Root, area, 1, 1) {
		return Plan{Panes: []Placed{{Pane: t.Focus, Rect: area}}}
	}
	var p Plan
	p.add(t.Root, area, "")
	return p
}

func (p *Plan) add(n *session.PaneNode, area Rect, path string) {
	if n.Pane != "" {
		p.Panes = append(p.Panes, Placed{Pane: n.Pane, Rect: Rect{area.X, area.Y + 1, area.W, area.H - 1}, Titled: true})
		return
	}
	first, border, second := parts(n, area)
	p.Borders = append(p.Borders, Border{Rect: border, Direction: n.Direction, Path: path, Area: area})
	p.add(n.First, first, path+"1")
	p.add(n.Second, second, path+"2")
}

// parts divides the area of a split. What divides two parts one above the
// other is the row of the titles of the second.
func parts(n *session.PaneNode, area Rect) (first, border, second Rect) {
	first, border, second = area, area, area
	if n.Direction == session.DirectionDown {
		first.H = (area.H*n.Share + 500) / 1000
		second.Y += first.H
		second.H -= first.H
		border.Y, border.H = second.Y, 1
		return first, border, second
	}
	first.W = ((area.W-1)*n.Share + 500) / 1000
	border.X, border.W = area.X+first.W, 1
	second.X = border.X + 1
	second.W = area.W - first.W - 1
	return first, border, second
}

// least returns the room that a node needs when every pane in it has at least
// cols by rows cells.
func least(n *session.PaneNode, cols, rows int) (w, h int) {
	if n.Pane != "" {
		return cols, rows + 1
	}
	w1, h1 := least(n.First, cols, rows)
	w2, h2 := least(n.Second, cols, rows)
	if n.Direction == session.DirectionDown {
		return max(w1, w2), h1 + h2
	}
	return w1 + 1 + w2, max(h1, h2)
}

// fits says that every pane of a node gets at least cols by rows cells of the
// area.
func fits(n *session.PaneNode, area Rect, cols, rows int) bool {
	if n.Pane != "" {
		return area.W >= cols && area.H >= rows+1
	}
	first, _, second := parts(n, area)
	return fits(n.First, first, cols, rows) && fits(n.Second, second, cols, rows)
}

// Fits says that every pane of a tab gets the least room that a split leaves.
func Fits(l session.Layout, tab int, area Rect) bool {
	if l.Tabs[tab].Root.Pane != "" {
		return true
	}
	return fits(l.Tabs[tab].Root, area, LeastCols, LeastRows)
}

// Side is where something is as seen from a pane.
type Side int

// The sides.
const (
	Left Side = iota
	Right
	Above
	Below
)

// Neighbour returns the pane next to one on a side, the nearest to its corner;
// ok is false when there is none.
func Neighbour(p Plan, id session.PaneID, side Side) (to session.PaneID, ok bool) {
	from, found := p.Of(id)
	if !found {
		return "", false
	}
	best := 0
	for _, at := range p.Panes {
		gap, off := distance(from.Rect, at.Rect, side)
		if at.Pane == id || gap < 0 || off < 0 {
			continue
		}
		if d := gap*1000 + off; !ok || d < best {
			to, ok, best = at.Pane, true, d
		}
	}
	return to, ok
}

// distance returns how far b is from a on a side, and how far its corner is
// off; negative when it is not on that side, or not level with it.
func distance(a, b Rect, side Side) (gap, off int) {
	if side == Above || side == Below {
		a, b = turned(a), turned(b)
		side -= Above
	}
	if b.Y >= a.Y+a.H || b.Y+b.H <= a.Y {
		return -1, -1
	}
	if side == Left {
		return a.X - (b.X + b.W), max(0, b.Y-a.Y, a.Y-b.Y)
	}
	return b.X - (a.X + a.W), max(0, b.Y-a.Y, a.Y-b.Y)
}

func turned(r Rect) Rect { return Rect{r.Y, r.X, r.H, r.W} }

// Resize moves the border next to a pane towards a side by n cells: the one
// behind it in that direction of reading, else the one before it. It reports
// whether there is one that can move.
func Resize(l session.Layout, id session.PaneID, side Side, n int, area Rect) (session.Layout, bool) {
	d := session.DirectionRight
	if side == Above || side == Below {
		d = session.DirectionDown
	}
	if side == Left || side == Above {
		n = -n
	}
	tab := TabOf(l, id)
	if tab != l.Shown || l.Tabs[tab].Zoomed {
		return l, false
	}
	var first, second *Border
	for _, b := range Draw(l, area).Borders {
		node := at(l.Tabs[tab].Root, b.Path)
		if node == nil || b.Direction != d {
			continue
		}
		switch { // the innermost of each kind comes last
		case holds(node.First, id):
			first = &b
		case holds(node.Second, id):
			second = &b
		}
	}
	if first == nil {
		first = second
	}
	if first == nil {
		return l, false
	}
	return Move(l, *first, first.X+n, first.Y+n)
}

// Move moves a border of the shown tab to a column or row of the screen, as
// far as the panes on both sides keep the least room. It reports whether it
// moved.
func Move(l session.Layout, b Border, x, y int) (session.Layout, bool) {
	t := l.Tabs[l.Shown]
	n := at(t.Root, b.Path)
	if n == nil || n.Pane != "" {
		return l, false
	}
	w1, h1 := least(n.First, LeastCols, LeastRows)
	w2, h2 := least(n.Second, LeastCols, LeastRows)
	size, room, low, high := x-b.Area.X, b.Area.W-1, w1, b.Area.W-1-w2
	if n.Direction == session.DirectionDown {
		size, room, low, high = y-b.Area.Y, b.Area.H, h1, b.Area.H-h2
	}
	if low > high {
		return l, false // there is no room to divide otherwise
	}
	size = min(max(size, low), high)
	share := min(max((size*1000+room/2)/room, 1), 999)
	if share == n.Share {
		return l, false
	}
	c := *n
	c.Share = share
	t.Root = put(t.Root, b.Path, &c)
	return changed(l, l.Shown, t), true
}

// at returns the node that a path leads to, or nil.
func at(n *session.PaneNode, path string) *session.PaneNode {
	for ; n != nil && path != ""; path = path[1:] {
		if path[0] == '1' {
			n = n.First
		} else {
			n = n.Second
		}
	}
	return n
}

// put returns the tree with another node where a path leads.
func put(n *session.PaneNode, path string, by *session.PaneNode) *session.PaneNode {
	if path == "" {
		return by
	}
	c := *n
	if path[0] == '1' {
		c.First = put(n.First, path[1:], by)
	} else {
		c.Second = put(n.Second, path[1:], by)
	}
	return &c
}

func holds(n *session.PaneNode, id session.PaneID) bool {
	for _, p := range Panes(n) {
		if p == id {
			return true
		}
	}
	return false
}
