package session

import "fmt"

// Colors are a terminal's own foreground and background, each an RGB colour,
// or ColorDefault where it is not known.
type Colors struct {
	Fg Color `json:"fg,omitempty"`
	Bg Color `json:"bg,omitempty"`
}

// String returns the colours as ParseColors reads them.
func (c Colors) String() string { return fmt.Sprintf("%d,%d", c.Fg, c.Bg) }

// ParseColors reads what String wrote; what it cannot read is not known.
func ParseColors(text string) Colors {
	var c Colors
	if _, err := fmt.Sscanf(text, "%d,%d", &c.Fg, &c.Bg); err != nil {
		return Colors{}
	}
	return c
}
