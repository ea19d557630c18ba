package tui

import (
	"fmt"
	"image/color"
	"path/filepath"
	"strings"
	"time"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// The least that the screen is drawn on.
const (
	leastCols = 20
	leastRows = 4
)

// View draws the screen: lines of text side by side, put together once.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, ReportFocus: true, MouseMode: tea.MouseModeCellMotion}
	if m.w <= 0 || m.h <= 0 || m.unlit {
		return v
	}
	if m.w < leastCols || m.h < leastRows {
		v.Content = cells.Fit("too small", m.w) + strings.Repeat("\n", m.h-1)
		return v
	}
	l := m.layout()
	v.Content = m.content(l)
	if c := m.cursor(l); c != nil && (rect{w: m.w, h: m.h}).has(c.X, c.Y) {
		c.Blink = c.Blink && !m.o.ReducedMotion
		v.Cursor = c
	}
	v.WindowTitle = "aside"
	if t, ok := m.thread(m.current); ok {
		v.WindowTitle = "aside · " + session.CleanLine(t.Title)
	}
	if m.top() == intent.ScopeTerminal && m.current != "" {
		modes := m.pane().term.Modes()
		v.KeyboardEnhancements = enhancements(modes)
		if modes.Mouse == session.MouseMotion {
			v.MouseMode = tea.MouseModeAllMotion
		}
	}
	return v
}

func (m *Model) content(l layout) string {
	main := m.mainLines(m.rows[:0], l)
	m.rows = main
	var b strings.Builder
	b.Grow(m.h * (m.w + 48))
	var side []string
	sep := ""
	if l.side.w > 0 {
		side, _ = m.sidebarLines()
		sep = m.th.Dim.Paint("│")
	}
	for y := range m.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		if side != nil {
			b.WriteString(side[y])
			b.WriteString(sep)
		}
		if y < len(main) {
			b.WriteString(main[y])
		}
	}
	return b.String()
}

// settle makes lines as wide as they say on a terminal that does not measure
// clusters.
func (m *Model) settle(lines []string) []string {
	if m.clusters {
		return lines
	}
	for i, s := range lines {
		lines[i] = cells.Settle(s)
	}
	return lines
}

// sign is a state as one column; the word is in the header.
func (m *Model) sign(s session.State) string {
	switch s {
	case session.StateStarting:
		return m.th.Dim.Paint("◌")
	case session.StateWorking:
		return m.th.Accent.Paint("●")
	case session.StateNeedsYou:
		return m.th.Warn.Paint("◐")
	case session.StateDone:
		return m.th.Good.Paint("✓")
	case session.StateFailed:
		return m.th.Bad.Paint("✗")
	case session.StateIdle:
		return "○"
	}
	return m.th.Dim.Paint("·")
}

// mainLines are the header, the body and the footer.
func (m *Model) mainLines(dst []string, l layout) []string {
	dst = append(dst, m.settle([]string{m.header(l.main.w)})...)
	from := len(dst)
	switch {
	case m.covered():
		dst = append(dst, m.coverLines(l.body)...)
	default:
		dst = m.bodyLines(dst, l)
	}
	if y, ask, _ := m.askPlace(l); len(ask) > 0 {
		copy(dst[from+y-l.body.y:], m.settle(ask))
	}
	if above := m.noticeAbove(l); len(above) > 0 {
		copy(dst[len(dst)-len(above):], m.settle(above))
	}
	return append(dst, m.settle([]string{m.footer(l.main.w)})...)
}

// header names the thread and says how it is doing.
func (m *Model) header(w int) string {
	t, ok := m.thread(m.current)
	if !ok || m.has(intent.ScopeNew) || m.has(intent.ScopeOffers) {
		return cells.Fit(" "+m.th.Strong.Paint("aside")+" "+m.th.Dim.Paint(session.CleanLine(m.b.Shown(m.b.Project()))), w)
	}
	if label, f := m.headField(); f != nil {
		f.SetWidth(max(8, w-12))
		return cells.Fit(label+f.Lines(max(8, w-12))[0], w)
	}
	title, right := m.heads(t, w)
	if m.opensFirst(w) {
		return cells.Fit(" "+cells.Spread(title, right, w-2-len(opener))+m.th.Accent.Paint(opener), w)
	}
	return cells.Fit(" "+cells.Spread(title, right, w-2), w)
}

// heads are what the header says at the left and at the right.
func (m *Model) heads(t session.Thread, w int) (title, right string) {
	title = m.th.Strong.Paint(session.CleanLine(t.Title))
	if from := m.lineage(t); from != "" {
		title += "  " + m.th.Dim.Paint(from)
	}
	if t.Problem != "" && m.view() == viewTerminal {
		return title, m.th.Bad.Paint("! ") + cells.Cut(session.CleanLine(t.Problem), w/2) + " · " + m.o.Leader + " c"
	}
	if f := m.pageFor(t.ID).focused().found; f.words != "" {
		return title, cells.Cut(session.CleanLine(f.String()), w/2)
	}
	right = strings.Join(m.about(t, max(12, w/4)), " · ")
	if w-3-cells.Width(right) < min(leastTitle, cells.Width(title)) {
		right = strings.Join(m.about(t, 0), " · ")
	}
	return title, right
}

// leastTitle is how many columns of the title are worth more than its agent and
// checkout.
const leastTitle = 8

// opensFirst says that a header of w columns ends in the sign that opens a
// tab: the agent's pane is alone, so that there is no row of tabs to have it,
// and nothing has to be cut for it.
func (m *Model) opensFirst(w int) bool {
	t, ok := m.thread(m.current)
	_, field := m.headField()
	if !ok || field != nil || m.covered() || m.layout().term.w == 0 || several(m.pageFor(t.ID).layout) {
		return false
	}
	title, right := m.heads(t, w)
	return 1+cells.Width(title)+2+cells.Width(right)+len(opener) < w
}

// headField is the field that the header is while one writes in it, with what
// stands before it; nil for none.
func (m *Model) headField() (label string, f *composer.Field) {
	switch {
	case m.rename != nil:
		return " title ", m.rename
	case m.top() == intent.ScopeFind:
		return " find ", m.finder
	case m.top() == intent.ScopePaneName:
		return " name ", m.paneField
	}
	return "", nil
}

// about is what the header says of a thread, with at most w columns for its
// checkout; without its agent and checkout when w is 0.
func (m *Model) about(t session.Thread, w int) []string {
	var parts []string
	if t.Project != m.b.Project() {
		parts = append(parts, "in "+session.CleanLine(m.threadList.labels[t.Project]))
	}
	if t.Archived {
		parts = append(parts, "archived")
	}
	if a := session.CleanLine(t.Agent); a != "" && w > 0 {
		parts = append(parts, a)
	}
	if c := place(t.Checkout); c != "" && w > 0 {
		parts = append(parts, cells.Cut(c, w))
	}
	switch n := m.tallies.of[t.ID]; {
	case n.Added+n.Deleted > 0:
		parts = append(parts, m.th.Changes(n.Added, n.Deleted, ""))
	case n.Files > 0: // without lines, such as a binary one
		parts = append(parts, counted(n.Files, "file")+" changed")
	}
	parts = append(parts, m.doing(t))
	if n := m.offered[t.ID]; n > 0 {
		parts = append(parts, fmt.Sprintf("◆ %d", n))
	}
	if p := m.pages[t.ID]; p != nil && p.focused().term.Back() > 0 {
		parts = append(parts, counted(p.focused().term.Back(), "line")+" back")
	}
	return parts
}

func place(c session.Checkout) string {
	switch {
	case c.Mode == session.CheckoutShared && c.Branch != "":
		return session.CleanLine(c.Branch) + ", shared"
	case c.Branch != "":
		return session.CleanLine(c.Branch)
	case c.Mode == session.CheckoutShared:
		return "shared checkout"
	case c.Path != "":
		return session.CleanLine(filepath.Base(c.Path))
	}
	return ""
}

// stateIs is a thread's state, with what waits for the person before what its
// agent says.
func (m *Model) stateIs(t session.Thread) session.State {
	if m.needs(t) {
		return session.StateNeedsYou
	}
	return t.State
}

// stateOf is that in words.
func (m *Model) stateOf(t session.Thread) string {
	t.State = m.stateIs(t)
	return t.Words()
}

// doing is the state in words, with the time a turn has taken.
func (m *Model) doing(t session.Thread) string {
	word := m.stateOf(t)
	if m.stateIs(t) == session.StateWorking && !m.o.ReducedMotion {
		from := t.StateAt
		if t.Turn != nil && !t.Turn.StartedAt.IsZero() {
			from = t.Turn.StartedAt
		}
		if d := m.o.Now().Sub(from); !from.IsZero() && d >= 0 {
			word += fmt.Sprintf(" %d:%02d", int(d/time.Minute), int(d/time.Second)%60)
		}
	}
	return word
}

// footer names the newest standing offer, always; a sentence lies over it for
// a moment, and the leader's next keys while it is down.
func (m *Model) footer(w int) string {
	th := m.th
	if _, hints := m.footerHints(); len(hints) > 0 {
		line, _ := m.hintLine(hints)
		return cells.Fit(line, w)
	}
	switch work := m.workLine(); {
	case work != "":
		return cells.Fit(cells.Spread(" "+m.notice.text, work, w-1), w)
	case m.notice.text != "":
		lines := m.noticeLines(m.layout())
		return cells.Fit(" "+lines[len(lines)-1], w)
	}
	if m.top() == intent.ScopeLinks {
		return cells.Fit(" "+th.Dim.Paint("the number or letter on a link chooses it · esc leaves"), w)
	}
	st := m.standing()
	if len(st) == 0 {
		return strings.Repeat(" ", w)
	}
	left := " " + th.Accent.Paint("◆") + " Proposed: " + session.CleanLine(st[0].Title)
	return cells.Fit(cells.Spread(left, th.Hint(m.o.Leader+" o", "look"), w-1), w)
}

// noticeMost is the most lines of a sentence that lies over the footer.
const noticeMost = 4

// noticeLines are that sentence, in as many lines as it takes to read all of it
// where there is room for them.
func (m *Model) noticeLines(l layout) []string {
	w := max(l.main.w-2, 1)
	lines := cells.Wrap(m.notice.text, w)
	if most := max(1, min(noticeMost, l.body.h)); len(lines) > most {
		lines = append(lines[:most-1], cells.Cut(strings.Join(lines[most-1:], " "), w))
	}
	return lines
}

// noticeAbove are its lines above the footer, over the last rows of the body,
// where one is too little for it.
func (m *Model) noticeAbove(l layout) []string {
	if m.notice.text == "" || m.leader.armed || m.workLine() != "" {
		return nil
	}
	lines := m.noticeLines(l)
	if len(lines) < 2 {
		return nil
	}
	above := []string{m.th.Rule(l.main.w)}
	for _, s := range lines[:len(lines)-1] {
		above = append(above, cells.Fit(" "+s, l.main.w))
	}
	return above
}

// bodyLines are the terminal, the transcript, or both.
func (m *Model) bodyLines(dst []string, l layout) []string {
	if l.chat.w == 0 {
		return m.paneLines(dst, l)
	}
	chat := m.chatLines(l)
	if l.term.w == 0 {
		for _, o := range m.overs(l) {
			copy(chat[o.y-l.body.y:], o.lines)
		}
		return append(dst, chat...)
	}
	from := len(dst)
	dst = m.paneLines(dst, l)
	sep := m.th.Dim.Paint("│")
	for i := range dst[from:] {
		dst[from+i] += sep + chat[i]
	}
	return dst
}

// barLines is the decision bar, over what is shown now.
func (m *Model) barLines(l layout) ([]string, []intent.Zone) {
	r := m.barRect(l)
	if r.w == 0 || m.covered() {
		return nil, nil
	}
	b, ok := m.barView(r.w)
	if !ok {
		return nil, nil
	}
	lines, zones := b.Draw(m.th, r.w, r.h)
	return m.settle(lines), zones
}

// cursor is the terminal's cursor, where the focus is.
func (m *Model) cursor(l layout) *tea.Cursor {
	switch m.top() {
	case intent.ScopePalette, intent.ScopeSearch:
		if f := m.pickField(); f != nil {
			return at(f.Cursor(), l.body.x+pickIndent, l.body.y)
		}
	case intent.ScopeTerminal:
		return m.paneCursor(l)
	case intent.ScopeSelect, intent.ScopeRename, intent.ScopeFind, intent.ScopePaneName:
		return m.otherCursor(l)
	case intent.ScopeComposer:
		if m.current == "" {
			return nil
		}
		return at(m.pageFor(m.current).field.Cursor(), l.input.x, l.input.y)
	case intent.ScopeNew:
		if m.form != nil {
			return at(m.form.field.Cursor(), l.body.x+formIndent, l.body.y+len(m.formHead(l.body.w)))
		}
	case intent.ScopeEdit:
		return m.startCursor(l)
	case intent.ScopeNarrow, intent.ScopeFilter:
		return m.filterCursor(l)
	case intent.ScopeComment, intent.ScopeFinishEdit:
		return m.reviewCursor(l.body)
	case intent.ScopeNote:
		r := m.barRect(l)
		if b, ok := m.barView(r.w); ok && m.bar.note != nil {
			lines, _ := m.barLines(l)
			return at(m.bar.note.Cursor(), r.x+9, r.y+b.NoteRow(len(lines)))
		}
	}
	return nil
}

// otherCursor is the cursor of a selection by keys, or of a field in the
// header.
func (m *Model) otherCursor(l layout) *tea.Cursor {
	if m.top() == intent.ScopeSelect {
		return m.caret(l)
	}
	if label, f := m.headField(); f != nil {
		return at(f.Cursor(), l.main.x+cells.Width(label), l.header)
	}
	return nil
}

// filterCursor is the cursor of the filter of threads, or of offers.
func (m *Model) filterCursor(l layout) *tea.Cursor {
	switch f := m.threadList.field; {
	case m.top() == intent.ScopeNarrow && f != nil && l.side.w > 0:
		return at(f.Cursor(), l.side.x+1, l.side.y)
	case m.top() == intent.ScopeFilter && m.filter != nil:
		return at(m.filter.Cursor(), l.body.x+filterIndent, l.body.y)
	}
	return nil
}

func at(c *tea.Cursor, x, y int) *tea.Cursor {
	if c != nil {
		c.X += x
		c.Y += y
	}
	return c
}

func (m *Model) paneCursor(l layout) *tea.Cursor {
	if m.current == "" || l.term.w == 0 || m.covered() {
		return nil
	}
	p := m.pane()
	c, ok := p.term.Cursor()
	r := l.paneRect(p.id)
	if !ok || m.paneAt(l, r.x+c.X, r.y+c.Y) != p.id {
		return nil
	}
	out := tea.NewCursor(r.x+c.X, r.y+c.Y)
	out.Shape = tea.CursorShape(c.Shape)
	out.Blink = c.Blink
	if r, g, b, ok := c.Color.RGB(); ok {
		out.Color = color.RGBA{r, g, b, 0xff}
	}
	return out
}
