package session

// Place is where a pane is opened.
type Place string

// The places of a pane.
const (
	PlaceTab   Place = "tab"
	PlaceSplit Place = "split"
)

// Direction is the side on which a split is opened.
type Direction string

// The directions of a split.
const (
	DirectionRight Direction = "right"
	DirectionDown  Direction = "down"
)

// PaneInfo is what a thread's helper tells of one of its panes. The screen
// places panes (see Layout); of one that no layout has yet, the helper says
// where it was asked for.
type PaneInfo struct {
	ID    PaneID `json:"id"`
	Shell bool   `json:"shell,omitempty"` // else it is the agent's
	Name  string `json:"name,omitempty"`  // given by the person or the card, or ""
	Title string `json:"title,omitempty"` // as its program set it
	Cwd   string `json:"cwd,omitempty"`   // as its program last reported it, else where it was started
	Cols  int    `json:"cols"`
	Rows  int    `json:"rows"`
	// Active marks the shell pane that a card would reach.
	Active    bool      `json:"active,omitempty"`
	Place     Place     `json:"place,omitempty"`
	Direction Direction `json:"direction,omitempty"`
	Beside    PaneID    `json:"beside,omitempty"` // the pane that was split
	Ended     bool      `json:"ended,omitempty"`
	Exit      int       `json:"exit,omitempty"` // its program's exit status, once that has ended
}

// Label is the pane's name for a person.
func (p PaneInfo) Label() string {
	switch {
	case p.Name != "":
		return p.Name
	case p.Title != "":
		return p.Title
	}
	return string(p.ID)
}
