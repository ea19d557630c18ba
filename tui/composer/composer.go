// Package composer is the field in which a person writes to an agent: several
// lines, with a real cursor. What sends it is the screen's to say.
package composer

import (
	"strings"

	"aside/tui/cells"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// maxText is the most that is taken, as for a proposal's prompt
// (contracts/proposed-threads.md).
const maxText = 64 << 10

// maxRows is the most rows the field grows to.
const maxRows = 8

// Field is a field of text. Its zero value is of no use; see New.
type Field struct {
	area textarea.Model
	// drawn is what is shown, as long as nothing changes it: the area draws
	// itself anew each time it is asked.
	drawn []string
	drawW int
	// mention is what Mention returns, once it has looked.
	mention          string
	mentions, looked bool
}

// changed forgets what was reckoned from the text and the cursor.
func (f *Field) changed() { f.drawn, f.looked = nil, false }

// New returns an empty field that grows to rows rows, at most 8.
func New(placeholder string, rows int) *Field {
	a := textarea.New()
	a.Placeholder = placeholder
	a.Prompt = "› "
	a.ShowLineNumbers = false
	a.EndOfBufferCharacter = ' '
	a.CharLimit = maxText
	a.DynamicHeight = true
	a.MinHeight = 1
	a.MaxHeight = min(max(rows, 1), maxRows)
	a.MaxContentHeight = maxText
	a.SetVirtualCursor(false)
	// These would start a program; the terminal's own paste arrives anyway.
	a.KeyMap.Paste.SetEnabled(false)
	a.KeyMap.CopySelection.SetEnabled(false)
	// A new line is an intent of the key table.
	a.KeyMap.InsertNewline = key.NewBinding()
	a.SetStyles(plain())
	a.SetWidth(40) // its width was reckoned with another prompt, and line numbers
	return &Field{area: a}
}

// plain keeps the text in the terminal's own colours.
func plain() textarea.Styles {
	dim := lipgloss.NewStyle().Faint(true)
	own := lipgloss.NewStyle()
	state := textarea.StyleState{
		Base: own, Text: own, CursorLine: own, EndOfBuffer: own, LineNumber: own, CursorLineNumber: own,
		Placeholder: dim, Prompt: dim, Selection: lipgloss.NewStyle().Reverse(true),
	}
	st := textarea.Styles{Focused: state, Blurred: state}
	st.Cursor.Shape = tea.CursorBar
	return st
}

// Focus and Blur tell the field whether it has the focus.
func (f *Field) Focus() {
	f.area.Focus()
	f.changed()
}

// Blur takes the focus from the field.
func (f *Field) Blur() {
	f.area.Blur()
	f.changed()
}

// Text returns what is written.
func (f *Field) Text() string { return f.area.Value() }

// SetText replaces what is written; the cursor goes to its end.
func (f *Field) SetText(s string) {
	f.area.SetValue(cells.Clean(s))
	f.area.MoveToEnd()
	f.changed()
}

// Newline begins a new line at the cursor.
func (f *Field) Newline() {
	f.area.InsertString("\n")
	f.changed()
}

// Update takes a key or a paste.
func (f *Field) Update(msg tea.Msg) {
	f.area, _ = f.area.Update(msg) // its only commands blink a cursor that is not drawn
	f.changed()
}

// SetWidth sets the columns the field takes.
func (f *Field) SetWidth(w int) {
	if w = max(w, 4); f.area.Width() != w-2 {
		f.area.SetWidth(w)
		f.changed()
	}
}

// Rows returns how many rows the field takes now.
func (f *Field) Rows() int { return f.area.Height() }

// Lines returns the field, Rows lines of w columns. They are the caller's to
// read only.
func (f *Field) Lines(w int) []string {
	if f.drawn != nil && f.drawW == w {
		return f.drawn
	}
	lines := strings.Split(f.area.View(), "\n")
	for i, l := range lines {
		lines[i] = cells.Settle(cells.Fit(l, w))
	}
	f.drawn, f.drawW = lines, w
	return lines
}

// AtTop and AtBottom say that the cursor is on the first or the last row of
// what is written, so that there is none above or below to go to.
func (f *Field) AtTop() bool {
	return f.area.Line() == 0 && f.area.LineInfo().RowOffset == 0
}

// AtBottom is the counterpart of AtTop.
func (f *Field) AtBottom() bool {
	at := f.area.LineInfo()
	return f.area.Line() == f.area.LineCount()-1 && at.RowOffset >= at.Height-1
}

// Cursor returns the cursor within the lines, or nil without the focus.
func (f *Field) Cursor() *tea.Cursor { return f.area.Cursor() }
