// Package paint writes the screen to the terminal. It is a room of its own
// because it alone knows what the terminal has been told: which lines it
// shows, which modes are set and must be undone. It stands where Bubble Tea's
// renderer would; that one parses the whole picture into cells at every
// change, which cost more than all else that aside does.
//
// A Painter turns frames into bytes and does nothing else. A Screen owns the
// terminal, runs the model and decides when a frame is due.
package paint

import (
	"fmt"
	"strings"

	"aside/tui/cells"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Painter turns frames into the bytes that make a terminal show them, given
// what it has been told before. It belongs to one goroutine. A new one takes
// the terminal to have 24-bit colours, and neither synchronized output (mode
// 2026) nor a mode for clusters (2027).
type Painter struct {
	w, h     int
	colors   palette
	sync     bool // it has synchronized output
	clusters bool // it has a mode for clusters that must be set
	told     told
	content  string // of the frame before
	lines    []string
	before   []string // the lines before, used again
	body     []byte
	out      []byte
}

// told is what the terminal was told and must be told back.
type told struct {
	entered  bool
	drawn    bool // the lines are on it
	clusters bool
	focus    bool
	mouse    tea.MouseMode
	keys     int // kitty flags; 0 is none yet
	title    string
	shown    bool // the cursor
	x, y     int  // where it was put last, or -1
	shape    int  // as DECSCUSR numbers them; 0 is none yet
	color    string
}

// Resize tells how large the terminal is; the next frame is painted whole,
// since a terminal may move what it shows when its size changes.
func (p *Painter) Resize(w, h int) {
	p.w, p.h = w, h
	p.Forget()
}

// Forget has the next frame painted whole, whatever the terminal shows.
func (p *Painter) Forget() { p.told.drawn = false }

// SetProfile tells which colours the terminal has.
func (p *Painter) SetProfile(c colorprofile.Profile) {
	if p.colors.profile != c {
		p.colors = palette{profile: c}
		p.Forget()
	}
}

// Report takes the terminal's word on a mode (DECRPM).
func (p *Painter) Report(r tea.ModeReportMsg) {
	switch r.Mode {
	case ansi.ModeSynchronizedOutput:
		p.sync = r.Value == ansi.ModeReset
	case ansi.ModeUnicodeCore:
		p.clusters = r.Value == ansi.ModeReset
	}
}

// Paint returns the bytes that bring the terminal from the frame before to
// this one; none when it shows it already, or has no size yet. They are good
// until the next call. Of a frame it heeds Content, whose lines are as wide
// as the terminal or shorter and begin in its own look, Cursor, WindowTitle,
// ReportFocus, MouseMode and KeyboardEnhancements. It always takes the
// alternate screen, bracketed paste and the word on light and dark (mode 2031).
func (p *Painter) Paint(v tea.View) []byte {
	if p.w <= 0 || p.h <= 0 {
		return nil
	}
	p.out = p.out[:0]
	p.enter()
	p.modes(v)
	p.rows(v.Content)
	p.finish(v.Cursor)
	return p.out
}

// Leave returns the bytes that give the terminal back as it was, none when
// that is so already. The frame after it takes the terminal again.
func (p *Painter) Leave() []byte {
	t := p.told
	if !t.entered {
		return nil
	}
	p.told = told{}
	b := append([]byte(ansi.ResetStyle), ansi.PopKittyKeyboard(1)+ansi.ResetModifyOtherKeys+ansi.ResetModeBracketedPaste+ansi.ResetModeLightDark...)
	if t.focus {
		b = append(b, ansi.ResetModeFocusEvent...)
	}
	if t.mouse != tea.MouseModeNone {
		b = append(b, noMouse...)
	}
	if t.clusters {
		b = append(b, ansi.ResetModeUnicodeCore...)
	}
	if t.shape != 0 {
		b = append(b, ansi.SetCursorStyle(0)...)
	}
	if t.color != "" {
		b = append(b, ansi.ResetCursorColor...)
	}
	if t.title != "" {
		b = append(b, ansi.SetWindowTitle("")...)
	}
	// One without an alternate screen goes on below what it shows.
	b = append(b, ansi.CursorPosition(1, p.h)...)
	return append(b, ansi.SetModeAutoWrap+ansi.SetModeTextCursorEnable+ansi.ResetModeAltScreenSaveCursor...)
}

const noMouse = ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr

// enter takes the terminal. Without autowrap a line that a terminal takes for
// wider than it is stays in its row. modifyOtherKeys is for those that do not
// know the kitty keyboard; each ignores what it does not know.
func (p *Painter) enter() {
	if !p.told.entered {
		p.told = told{entered: true, x: -1}
		p.add(ansi.SetModeAltScreenSaveCursor, ansi.ResetModeTextCursorEnable, ansi.ResetModeAutoWrap, ansi.ResetStyle, ansi.EraseEntireScreen,
			ansi.SetModeBracketedPaste, ansi.SetModifyOtherKeys2, ansi.SetModeLightDark)
	}
	if p.clusters && !p.told.clusters {
		p.told.clusters = true
		p.add(ansi.SetModeUnicodeCore)
	}
}

func (p *Painter) add(parts ...string) {
	for _, s := range parts {
		p.out = append(p.out, s...)
	}
}

func (p *Painter) modes(v tea.View) {
	t := &p.told
	if keys := keyboard(v.KeyboardEnhancements); keys != t.keys {
		if t.keys == 0 {
			p.add(ansi.PushKittyKeyboard(keys))
		} else {
			p.add(ansi.KittyKeyboard(keys, 1))
		}
		t.keys = keys
	}
	if v.ReportFocus != t.focus {
		if t.focus = v.ReportFocus; t.focus {
			p.add(ansi.SetModeFocusEvent)
		} else {
			p.add(ansi.ResetModeFocusEvent)
		}
	}
	if v.MouseMode != t.mouse {
		if t.mouse != tea.MouseModeNone {
			p.add(noMouse)
		}
		switch t.mouse = v.MouseMode; t.mouse {
		case tea.MouseModeCellMotion:
			p.add(ansi.SetModeMouseButtonEvent, ansi.SetModeMouseExtSgr)
		case tea.MouseModeAllMotion:
			p.add(ansi.SetModeMouseAnyEvent, ansi.SetModeMouseExtSgr)
		}
	}
	if v.WindowTitle != t.title {
		t.title = v.WindowTitle
		p.add(ansi.SetWindowTitle(t.title))
	}
}

// keyboard returns the kitty flags; keys are always told apart.
func keyboard(k tea.KeyboardEnhancements) int {
	flags := ansi.KittyDisambiguateEscapeCodes
	for _, f := range [...]struct {
		on   bool
		flag int
	}{
		{k.ReportEventTypes, ansi.KittyReportEventTypes},
		{k.ReportAlternateKeys, ansi.KittyReportAlternateKeys},
		{k.ReportAllKeysAsEscapeCodes, ansi.KittyReportAllKeysAsEscapeCodes},
		{k.ReportAssociatedText, ansi.KittyReportAssociatedKeys},
	} {
		if f.on {
			flags |= f.flag
		}
	}
	return flags
}

// rows puts what differs from the lines before into body.
func (p *Painter) rows(content string) {
	p.body = p.body[:0]
	if p.told.drawn && content == p.content {
		return
	}
	p.content = content
	p.before, p.lines = p.lines, p.before[:0]
	for range p.h {
		line, rest, _ := strings.Cut(content, "\n")
		p.lines = append(p.lines, line)
		content = rest
	}
	for y, line := range p.lines {
		switch {
		case !p.told.drawn:
			p.body = p.place(p.body, 0, y)
			p.body = p.text(p.body, line)
			p.body = p.blank(p.body, line)
		case line != p.before[y]:
			p.change(y, p.before[y], line)
		}
	}
	p.told.drawn = true
}

func (p *Painter) place(b []byte, x, y int) []byte {
	return fmt.Appendf(b, "\x1b[%d;%dH", y+1, x+1)
}

// text appends text that begins in the terminal's own look and ends in it.
func (p *Painter) text(b []byte, s string) []byte {
	b = append(b, ansi.ResetStyle...)
	return p.colors.append(b, s)
}

// blank erases what is right of a line. At the end of a full line the cursor
// stays on its last column, which must not be erased.
func (p *Painter) blank(b []byte, line string) []byte {
	if cells.Width(line) >= p.w {
		return b
	}
	return append(b, ansi.ResetStyle+ansi.EraseLineRight...)
}

// finish puts the cursor in its place and the body between what keeps a
// person from seeing it half painted.
func (p *Painter) finish(c *tea.Cursor) {
	t := &p.told
	if len(p.body) > 0 {
		if p.sync {
			p.add(ansi.SetModeSynchronizedOutput)
		}
		if t.shown && (!p.sync || c == nil) {
			t.shown = false
			p.add(ansi.ResetModeTextCursorEnable)
		}
		p.out = append(p.out, p.body...)
		t.x = -1
	}
	p.cursor(c)
	if len(p.body) > 0 && p.sync {
		p.add(ansi.ResetModeSynchronizedOutput)
	}
}

func (p *Painter) cursor(c *tea.Cursor) {
	t := &p.told
	if c == nil {
		if t.shown {
			t.shown = false
			p.add(ansi.ResetModeTextCursorEnable)
		}
		return
	}
	if shape := shapeOf(c); shape != t.shape {
		t.shape = shape
		p.add(ansi.SetCursorStyle(shape))
	}
	if col := p.colors.hex(c.Color); col != t.color {
		if t.color = col; col == "" {
			p.add(ansi.ResetCursorColor)
		} else {
			p.add(ansi.SetCursorColor(col))
		}
	}
	if c.X != t.x || c.Y != t.y {
		t.x, t.y = c.X, c.Y
		p.out = p.place(p.out, c.X, c.Y)
	}
	if !t.shown {
		t.shown = true
		p.add(ansi.SetModeTextCursorEnable)
	}
}

// shapeOf numbers a cursor's shape as DECSCUSR does.
func shapeOf(c *tea.Cursor) int {
	n := int(c.Shape)*2 + 1
	if !c.Blink {
		n++
	}
	return n
}
