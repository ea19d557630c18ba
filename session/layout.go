package session

// Layout is how a thread's panes are placed on the screen: tabs, each a tree
// of splits. Screens make it; the thread's helper keeps the newest, so that
// the next screen finds it.
type Layout struct {
	// Rev rises with each change. Of two layouts with the same one, the later
	// to come is the newer.
	Rev   uint64    `json:"rev"`
	Tabs  []PaneTab `json:"tabs,omitempty"`
	Shown int       `json:"shown,omitempty"` // the tab that is shown, from 0
}

// PaneTab is one tab of a layout.
type PaneTab struct {
	Root   *PaneNode `json:"root"`
	Focus  PaneID    `json:"focus"`            // the pane of it that has the focus while it is shown
	Zoomed bool      `json:"zoomed,omitempty"` // that pane alone fills the tab
}

// PaneNode is a pane, or a split of two parts. Nodes are never changed once
// they are made, so that layouts can share them.
type PaneNode struct {
	Pane      PaneID    `json:"pane,omitempty"`      // of a leaf
	Direction Direction `json:"direction,omitempty"` // where Second is
	Share     int       `json:"share,omitempty"`     // of First, in thousandths
	First     *PaneNode `json:"first,omitempty"`
	Second    *PaneNode `json:"second,omitempty"`
}

// maxPaneNodes is how many nodes a layout may have, far more than there are
// panes to place.
const maxPaneNodes = 256

// Whole says that a layout, which comes from outside, can be worked with:
// every node is a pane or a split, no pane is there twice, and there are not
// too many of them.
func (l Layout) Whole() bool {
	left := maxPaneNodes
	seen := map[PaneID]bool{}
	var whole func(n *PaneNode) bool
	whole = func(n *PaneNode) bool {
		left--
		switch {
		case n == nil || left < 0:
			return false
		case n.Pane != "":
			twice := seen[n.Pane]
			seen[n.Pane] = true
			return !twice && n.First == nil && n.Second == nil
		}
		return (n.Direction == DirectionRight || n.Direction == DirectionDown) &&
			n.Share > 0 && n.Share < 1000 && whole(n.First) && whole(n.Second)
	}
	for _, t := range l.Tabs {
		if !whole(t.Root) {
			return false
		}
	}
	return true
}
