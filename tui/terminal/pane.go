// Package terminal draws a pane: rows of a child's terminal in, lines for the
// screen out. It holds what the frames have told so far and paints a row
// again only when that row has changed.
package terminal

import (
	"slices"
	"strings"

	"aside/session"
)

// Frames come over a socket; what they claim is limited.
const (
	maxCols = 4096
	maxRows = 2048
	maxBack = 4096 // painted rows of the scrollback kept
)

// picture is what the frames have told.
type picture struct {
	rows    []line
	cols    int
	cursor  session.Cursor
	modes   session.Modes
	title   string
	history int // rows that have gone into the scrollback
	oldest  int // the first of them that is still there
	live    bool
}

// Pane is one terminal as it is to be drawn.
type Pane struct {
	picture          // what is shown
	newest  *picture // what came since, while it is held; else nil

	width    int  // columns the painted rows have
	clusters bool // whether the outer terminal measures clusters
	blank    string

	back int           // rows scrolled back; 0 follows the terminal
	old  map[int]*line // rows of the scrollback by their place
	sgr  styles

	selected selection
	caret    place  // of a selection by keys
	anchor   place  // where it marks from
	words    string // marked wherever they are
	gone     int    // the row that was gone to among those
	labelled []Link
}

type line struct {
	row     session.Row
	painted string // "" when it must be painted
}

// New returns a pane that has not had a frame.
func New() *Pane { return &Pane{} }

// Live says that the pane has had a frame.
func (p *Pane) Live() bool { return p.now().live }

// Modes returns the modes in force.
func (p *Pane) Modes() session.Modes { return p.now().modes }

// Title returns the title that the program has set.
func (p *Pane) Title() string { return p.now().title }

func (p *Pane) now() *picture {
	if p.newest != nil {
		return p.newest
	}
	return &p.picture
}

// Back returns how many rows the pane is scrolled back.
func (p *Pane) Back() int { return p.back }

// hold keeps what is shown as it is until Release.
func (p *Pane) hold() {
	newest := p.picture
	newest.rows = slices.Clone(p.rows)
	p.newest = &newest
}

// Held says that what is shown is kept as it is, while text is selected; a
// frame of another size ends that.
func (p *Pane) Held() bool { return p.newest != nil }

// Release shows what came since it was held. What is selected stays if it reads
// as it did.
func (p *Pane) Release() {
	if p.newest == nil {
		return
	}
	kept, alt := p.selectedRows(), p.modes.AltScreen
	was := p.history
	p.picture, p.newest = *p.newest, nil
	p.follow(was)
	for i := range p.rows { // they may have been painted for another width
		p.rows[i].painted = ""
	}
	if p.modes.AltScreen != alt {
		p.Unselect()
	}
	p.stillSelected(kept)
}

// Apply takes a frame. What is held is not changed by it, but ended by another
// size.
func (p *Pane) Apply(f session.Frame) {
	if p.newest != nil {
		p.newest.take(f)
		if p.newest.cols == p.cols && len(p.newest.rows) == len(p.rows) {
			return
		}
		p.StopCaret()
		return
	}
	kept, alt := p.selectedRows(), p.modes.AltScreen
	was := p.history
	p.take(f)
	p.follow(was)
	if p.modes.AltScreen != alt {
		p.Unselect()
	}
	p.stillSelected(kept)
}

// take takes a frame. Rows beyond the frame's size are ignored.
func (p *picture) take(f session.Frame) {
	rows := min(max(f.Rows, 0), maxRows)
	p.cols = min(max(f.Cols, 0), maxCols)
	if f.Full {
		p.rows = make([]line, rows)
	} else if rows != len(p.rows) {
		p.rows = append(p.rows[:min(rows, len(p.rows))], make([]line, max(0, rows-len(p.rows)))...)
	}
	for _, c := range f.Changed {
		if c.Y >= 0 && c.Y < rows {
			p.rows[c.Y] = line{row: c.Row}
		}
	}
	p.cursor, p.modes, p.title, p.live = f.Cursor, f.Modes, f.Title, true
	p.history = max(f.History, 0)
	p.oldest = min(max(f.Oldest, 0), p.history)
}

// follow keeps what is scrolled to in its place while rows go into the
// scrollback, which had ended at row was, as long as it is there.
func (p *Pane) follow(was int) {
	switch {
	case p.modes.AltScreen || p.history < was:
		p.Follow()
	case p.back > 0:
		p.Scroll(p.history - was)
	}
}

// Scroll moves back by n rows, or on when n is negative.
func (p *Pane) Scroll(n int) {
	if p.modes.AltScreen {
		return
	}
	p.back = min(max(p.back+n, 0), p.history-p.oldest)
	if p.back == 0 {
		p.Follow()
	}
}

// Follow goes to the newest row and stays there.
func (p *Pane) Follow() {
	p.back = 0
	p.old = nil
}

// Missing returns the rows of the scrollback that are needed to draw h lines
// and have not been given yet; n is 0 when none is.
func (p *Pane) Missing(h int) (from, n int) {
	first := p.history - p.back
	last := min(first+h, p.history)
	for first < last && p.has(first) {
		first++
	}
	for first < last && p.has(last-1) {
		last--
	}
	if first >= last {
		return 0, 0
	}
	// A page more in the direction of scrolling saves a fetch per line.
	from = max(p.oldest, first-h)
	for from < first && p.has(from) {
		from++
	}
	return from, last - from
}

func (p *Pane) has(y int) bool {
	_, ok := p.old[y]
	return ok
}

// SetHistory takes rows of the scrollback from the row from on.
func (p *Pane) SetHistory(from int, rows []session.Row) {
	if p.back == 0 {
		return
	}
	if p.old == nil || len(p.old)+len(rows) > maxBack {
		p.old = make(map[int]*line, len(rows))
	}
	for i, r := range rows {
		p.old[from+i] = &line{row: r}
	}
}

// Cursor returns where the cursor is in the pane; ok is false when it is not
// to be seen.
func (p *Pane) Cursor() (c session.Cursor, ok bool) {
	ok = p.live && p.back == 0 && !p.cursor.Hidden &&
		p.cursor.X >= 0 && p.cursor.X < p.width && p.cursor.Y >= 0
	return p.cursor, ok
}

// Lines appends h lines of w columns to dst. With clusters, the outer
// terminal measures grapheme clusters; without, the lines hold text that is
// as wide under either way of measuring.
func (p *Pane) Lines(dst []string, w, h int, clusters bool) []string {
	if w != p.width || clusters != p.clusters {
		p.width, p.clusters = w, clusters
		p.blank = strings.Repeat(" ", max(0, w))
		p.old = nil
		for i := range p.rows {
			p.rows[i].painted = ""
		}
	}
	first := -p.back
	for y := first; y < first+h; y++ {
		dst = append(dst, p.line(y))
	}
	return dst
}

// line returns the line of row y; the scrollback has the negative ones.
func (p *Pane) line(y int) string {
	l := p.at(y)
	if l == nil {
		return p.blank
	}
	if from, to, ok := p.selected.in(p.history + y); ok {
		return p.paintSelected(l.row, from, to)
	}
	if at := p.labels(p.history + y); at != nil {
		return p.paint(withLabels(p.marked(p.history+y, l.row), at))
	}
	if p.words != "" { // what is marked depends on the rows beside it
		return p.paint(p.marked(p.history+y, l.row))
	}
	if l.painted == "" {
		l.painted = p.paint(l.row)
	}
	return l.painted
}

// at returns what is known of row y, or nil.
func (p *Pane) at(y int) *line {
	switch {
	case y < 0:
		return p.old[p.history+y]
	case y < len(p.rows):
		return &p.rows[y]
	}
	return nil
}
