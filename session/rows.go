package session

// Color is a terminal colour: the default, a palette entry, or RGB.
type Color uint32

// ColorDefault is the terminal's own foreground or background.
const ColorDefault Color = 0

const (
	colorIndexed Color = 1 << 24
	colorRGB     Color = 2 << 24
)

// Indexed returns the palette colour n.
func Indexed(n uint8) Color { return colorIndexed | Color(n) }

// RGB returns a direct colour.
func RGB(r, g, b uint8) Color {
	return colorRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// Index returns the palette index, and whether the colour is one.
func (c Color) Index() (uint8, bool) { return uint8(c), c&^0xffffff == colorIndexed }

// RGB returns the parts of a direct colour, and whether the colour is one.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&^0xffffff == colorRGB
}

// Attrs are the attributes of a cell, as bits.
type Attrs uint16

// The attributes. The underline's kind is in Style.Underline.
const (
	AttrBold Attrs = 1 << iota
	AttrFaint
	AttrItalic
	AttrBlink
	AttrReverse
	AttrConceal
	AttrStrike
	AttrOverline
)

// Underline is the kind of an underline.
type Underline uint8

// The kinds of underline, numbered as in SGR 4:n.
const (
	UnderlineNone Underline = iota
	UnderlineSingle
	UnderlineDouble
	UnderlineCurly
	UnderlineDotted
	UnderlineDashed
)

// Style is how a cell looks.
type Style struct {
	Fg             Color     `json:"f,omitempty"`
	Bg             Color     `json:"b,omitempty"`
	UnderlineColor Color     `json:"uc,omitempty"`
	Attrs          Attrs     `json:"a,omitempty"`
	Underline      Underline `json:"u,omitempty"`
}

// Span is a run of cells of one style and link. Text holds each wide
// character or grapheme cluster once.
type Span struct {
	Text  string `json:"t"`
	Width int    `json:"w"` // columns it takes
	Style Style  `json:"s,omitzero"`
	Link  string `json:"l,omitempty"` // OSC 8 target
}

// Row is one row of a terminal. Blank cells in default style at its end are
// left out, unless it goes on in the next row.
type Row struct {
	Spans   []Span `json:"s,omitempty"`
	Wrapped bool   `json:"w,omitempty"` // it goes on in the next row
}

// Text returns the row's text.
func (r Row) Text() string {
	if len(r.Spans) == 1 {
		return r.Spans[0].Text
	}
	n := 0
	for _, s := range r.Spans {
		n += len(s.Text)
	}
	b := make([]byte, 0, n)
	for _, s := range r.Spans {
		b = append(b, s.Text...)
	}
	return string(b)
}

// CursorShape is the cursor's shape.
type CursorShape uint8

// The cursor shapes.
const (
	CursorBlock CursorShape = iota
	CursorUnderline
	CursorBar
)

// Cursor is the cursor of a terminal; columns and rows count from 0.
type Cursor struct {
	X       int         `json:"x"`
	Y       int         `json:"y"`
	Hidden  bool        `json:"hidden,omitempty"`
	Shape   CursorShape `json:"shape,omitempty"`
	Blink   bool        `json:"blink,omitempty"`
	Pending bool        `json:"pending,omitempty"` // a wrap is pending
	// Color is what the program set for it (OSC 12), or ColorDefault.
	Color Color `json:"color,omitempty"`
}

// MouseMode says which mouse events the program asked for.
type MouseMode uint8

// The mouse modes: none, presses (9, 1000), with drags (1002), all (1003).
const (
	MouseNone MouseMode = iota
	MousePress
	MouseDrag
	MouseMotion
)

// Modes are the modes of a terminal that its viewer has to know.
type Modes struct {
	Mouse     MouseMode `json:"mouse,omitempty"`
	AltScreen bool      `json:"alt,omitempty"`
	Paste     bool      `json:"paste,omitempty"` // bracketed paste is on
	Focus     bool      `json:"focus,omitempty"` // it asked for focus events
	// Keyboard are the kitty keyboard flags in force.
	Keyboard int `json:"kbd,omitempty"`
}

// RowChange is a row at its place.
type RowChange struct {
	Y   int `json:"y"`
	Row Row `json:"r"`
}

// Frame is what is new on a terminal since an earlier frame.
type Frame struct {
	Pane   PaneID `json:"pane"`
	Cols   int    `json:"cols"`
	Rows   int    `json:"rows"`
	Full   bool   `json:"full,omitempty"` // Changed holds every row that is not blank; forget the rest
	Cursor Cursor `json:"cursor"`
	Modes  Modes  `json:"modes"`
	Title  string `json:"title,omitempty"`
	// History is how many rows have gone into the scrollback, and Oldest how
	// many of them have left it again: a row keeps its number, counted from
	// 0, while others come and go.
	History int `json:"history,omitempty"`
	Oldest  int `json:"oldest,omitempty"`
	// Fg and Bg are the default colours that the program set for its pane
	// (OSC 10 and 11), or ColorDefault.
	Fg      Color       `json:"fg,omitempty"`
	Bg      Color       `json:"bg,omitempty"`
	Changed []RowChange `json:"changed,omitempty"`
}
