package session

// Input is one event for a pane; exactly one field is set. The helper's
// emulator turns it into bytes, since only it knows the modes in force.
type Input struct {
	Key   *KeyEvent   `json:"key,omitempty"`
	Mouse *MouseEvent `json:"mouse,omitempty"`
	Paste *string     `json:"paste,omitempty"`
	Focus *bool       `json:"focus,omitempty"` // gained or lost
	Raw   []byte      `json:"raw,omitempty"`   // bytes as typed, from aside attach
}

// Real says that the event is a user's own act on the pane: a key, a paste,
// a mouse press or raw bytes. Focus reports, wheel and motion are not
// (contracts/decisions.md, Who wins).
func (in Input) Real() bool {
	switch {
	case in.Key != nil:
		return in.Key.Action != ActionRelease && !in.Key.Code.modifier()
	case in.Mouse != nil:
		return in.Mouse.Action == ActionPress && !in.Mouse.Button.wheel()
	case in.Paste != nil:
		return *in.Paste != ""
	}
	return len(in.Raw) > 0
}

// Mods are the modifiers held, as bits in the order of the kitty keyboard
// protocol.
type Mods uint8

// The modifiers.
const (
	ModShift Mods = 1 << iota
	ModAlt
	ModCtrl
	ModSuper
	ModHyper
	ModMeta
	ModCapsLock
	ModNumLock
)

// Action is what happened to a key or button.
type Action string

// The actions; the zero value is a press.
const (
	ActionPress   Action = ""
	ActionRepeat  Action = "repeat"
	ActionRelease Action = "release"
	ActionMove    Action = "move" // mouse only; with a button it is a drag
)

// KeyCode is a key without modifiers: a Unicode code point, or one of the
// constants below, which lie beyond Unicode.
type KeyCode rune

// The keys that have no code point.
const (
	KeyUp KeyCode = 0x110000 + iota
	KeyDown
	KeyLeft
	KeyRight
	KeyHome
	KeyEnd
	KeyPageUp
	KeyPageDown
	KeyInsert
	KeyDelete
	KeyKp0
	KeyKp1
	KeyKp2
	KeyKp3
	KeyKp4
	KeyKp5
	KeyKp6
	KeyKp7
	KeyKp8
	KeyKp9
	KeyKpEnter
	KeyKpPlus
	KeyKpMinus
	KeyKpMultiply
	KeyKpDivide
	KeyKpDecimal
	KeyLeftShift
	KeyLeftCtrl
	KeyLeftAlt
	KeyLeftSuper
	KeyRightShift
	KeyRightCtrl
	KeyRightAlt
	KeyRightSuper
	KeyCapsLock
	KeyNumLock
	KeyF1
)

// The keys that have a control character.
const (
	KeyTab       KeyCode = '\t'
	KeyEnter     KeyCode = '\r'
	KeyEscape    KeyCode = 0x1b
	KeyBackspace KeyCode = 0x7f
)

// KeyF returns the function key n, from 1 to 35.
func KeyF(n int) KeyCode { return KeyF1 + KeyCode(n-1) }

func (c KeyCode) modifier() bool { return c >= KeyLeftShift && c <= KeyNumLock }

// KeyEvent is one event of the keyboard.
type KeyEvent struct {
	Code    KeyCode `json:"code"`
	Mods    Mods    `json:"mods,omitempty"`
	Action  Action  `json:"action,omitempty"`
	Text    string  `json:"text,omitempty"`    // what it types, if anything
	Shifted KeyCode `json:"shifted,omitempty"` // code point with shift, when shift is held
	Base    KeyCode `json:"base,omitempty"`    // code point on a US keyboard, when another
}

// MouseButton is a button of the mouse.
type MouseButton uint8

// The buttons.
const (
	ButtonNone MouseButton = iota
	ButtonLeft
	ButtonMiddle
	ButtonRight
	ButtonWheelUp
	ButtonWheelDown
	ButtonWheelLeft
	ButtonWheelRight
	ButtonBackward
	ButtonForward
)

func (b MouseButton) wheel() bool { return b >= ButtonWheelUp && b <= ButtonWheelRight }

// MouseEvent is one event of the mouse, at a cell counted from 0.
type MouseEvent struct {
	Button MouseButton `json:"button,omitempty"`
	Action Action      `json:"action,omitempty"` // press, release or move
	X      int         `json:"x"`
	Y      int         `json:"y"`
	Mods   Mods        `json:"mods,omitempty"`
}
