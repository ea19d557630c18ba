// Package composer is the field in which a person writes to an agent: several
// lines, with a real cursor. What sends it is the screen's to say.
//
// It is aside's own: the text area of Bubbles wraps and draws all that is
// written at each key, which took 40 ms with 64 KiB of pasted text in it, and
// leaves out what comes after 10,000 lines.
package composer

import (
	"strings"
	"unicode/utf8"

	"aside/tui/cells"
	"aside/tui/theme"

	tea "charm.land/bubbletea/v2"
)

// maxText is the most that is taken, in bytes; it reaches an agent in one
// message of the wire, which takes twice as much.
const maxText = 512 << 10

// maxRows is the most rows the field grows to.
const maxRows = 8

// prompt is what each row begins with.
const prompt = "› "

const promptWidth = 2

// Field is a field of text. Its zero value is of no use; see New.
type Field struct {
	placeholder string
	most        int // rows
	room        int // the rows that there is room for
	text        *text
	top         spot // the first row that is seen
	anchor      *place
	focused     bool
	keys        map[string]func(*Field)

	// drawn is what is shown, as long as nothing changes it.
	drawn []string
	drawW int
}

// New returns an empty field that grows to rows rows, at most 8.
func New(placeholder string, rows int) *Field {
	return &Field{placeholder: placeholder, most: min(max(rows, 1), maxRows), room: maxRows, text: newText("", 38), keys: keys()}
}

// changed brings what is seen into line with the text and the cursor.
func (f *Field) changed() {
	f.drawn = nil
	t, h := f.text, f.Rows()
	if f.top.line >= len(t.lines) || f.top.row >= len(t.rows(f.top.line)) {
		f.top = spot{min(f.top.line, len(t.lines)-1), 0}
	}
	at := t.spot()
	if at.before(f.top) {
		f.top = at
	}
	first := at // the row that is at the top when the cursor's is the last
	for range h - 1 {
		above, ok := t.step(first, -1)
		if !ok {
			break
		}
		first = above
	}
	if f.top.before(first) {
		f.top = first
	}
	// No row is empty as long as there is text above.
	for last, n := f.top, 1; n < h; n++ {
		below, ok := t.step(last, 1)
		if !ok {
			if above, up := t.step(f.top, -1); up {
				f.top = above
			}
			continue
		}
		last = below
	}
}

// Focus and Blur tell the field whether it has the focus.
func (f *Field) Focus() {
	f.focused = true
	f.changed()
}

// Blur takes the focus from the field.
func (f *Field) Blur() {
	f.focused, f.anchor = false, nil
	f.changed()
}

// Text returns what is written.
func (f *Field) Text() string { return f.text.String() }

// SetText replaces what is written; the cursor goes to its end. What is more
// than the field takes is left out.
func (f *Field) SetText(s string) {
	s = clean(s)
	f.text = newText(s[:fit(s, maxText)], f.text.w)
	f.anchor = nil
	f.changed()
}

// clean is text as it is written: line breaks of any kind, tabs as spaces, and
// nothing that steers a terminal.
func clean(s string) string {
	return cells.Clean(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s))
}

// fit returns how many bytes of a text are taken, of at most so many.
func fit(s string, most int) int {
	if len(s) <= most {
		return len(s)
	}
	n := max(0, most)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// Newline begins a new line at the cursor.
func (f *Field) Newline() { f.write("\n") }

// write puts text in the place of what is selected, or at the cursor; false
// when not all of it was taken.
func (f *Field) write(s string) bool {
	f.removeSelected()
	n := fit(s, maxText-f.text.size)
	if n > 0 {
		f.text.insert(s[:n])
	}
	f.changed()
	return n == len(s)
}

// Update takes a key or a paste; false when the text is longer than the field
// takes, so that some of it was left out.
func (f *Field) Update(msg tea.Msg) (whole bool) {
	if !f.focused {
		return true
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return f.write(clean(msg.Content))
	case tea.KeyPressMsg:
		if act := f.keys[msg.Keystroke()]; act != nil {
			act(f)
			f.changed()
		} else if msg.Text != "" {
			return f.write(clean(msg.Text))
		}
	}
	return true
}

// SetRoom sets how many rows there are for the field, at least one: it takes no
// more, so that the one with the cursor is seen.
func (f *Field) SetRoom(rows int) {
	if rows = max(rows, 1); f.room != rows {
		f.room = rows
		f.changed()
	}
}

// SetWidth sets the columns the field takes.
func (f *Field) SetWidth(w int) {
	// The last column is the cursor's, behind a full row.
	if w = max(w, 4) - promptWidth - 1; f.text.w != w {
		f.text.resize(w)
		f.changed()
	}
}

// Rows returns how many rows the field takes now.
func (f *Field) Rows() int { return f.text.height(min(f.most, f.room)) }

// Lines returns the field, Rows lines of w columns. They are the caller's to
// read only.
func (f *Field) Lines(w int) []string {
	if f.drawn != nil && f.drawW == w {
		return f.drawn
	}
	const dim = theme.Style("2")
	lines := make([]string, 0, f.Rows())
	from, to := f.selected()
	for s, ok := f.top, true; ok && len(lines) < f.Rows(); s, ok = f.text.step(s, 1) {
		row := f.row(s, from, to)
		if f.text.size == 0 {
			row = dim.Paint(cells.Cut(f.placeholder, w-promptWidth))
		}
		lines = append(lines, cells.Settle(cells.Fit(dim.Paint(prompt)+row, w)))
	}
	f.drawn, f.drawW = lines, w
	return lines
}

// row is a row of the text, with what is selected of it marked.
func (f *Field) row(s spot, from, to place) string {
	a, b := f.text.span(s.line, s.row)
	line := f.text.lines[s.line]
	within := func(p place) int {
		switch {
		case p.before(place{s.line, a}):
			return a
		case p.line == s.line && p.col <= b:
			return p.col
		}
		return b
	}
	x, y := within(from), within(to)
	return line[a:x] + theme.Style("7").Paint(line[x:y]) + line[y:b]
}

// AtTop and AtBottom say that the cursor is on the first or the last row of
// what is written, so that there is none above or below to go to.
func (f *Field) AtTop() bool {
	_, ok := f.text.step(f.text.spot(), -1)
	return !ok
}

// AtBottom is the counterpart of AtTop.
func (f *Field) AtBottom() bool {
	_, ok := f.text.step(f.text.spot(), 1)
	return !ok
}

// Cursor returns the cursor within the lines, or nil without the focus.
func (f *Field) Cursor() *tea.Cursor {
	if !f.focused {
		return nil
	}
	y := 0
	for s, at := f.top, f.text.spot(); s != at && y < f.Rows()-1; y++ {
		s, _ = f.text.step(s, 1)
	}
	c := tea.NewCursor(promptWidth+f.text.column(f.text.at), y)
	c.Shape, c.Blink = tea.CursorBar, false
	return c
}
