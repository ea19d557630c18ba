package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/review"
	"aside/worktree"

	tea "charm.land/bubbletea/v2"
)

// reviewing is the review of one thread: what it has changed, the comment
// that is being written, and how it is being finished.
type reviewing struct {
	thread  session.ThreadID
	view    *review.View // nil until the changes have been read
	reading bool
	cancel  context.CancelFunc // ends the reading
	problem string

	field   *composer.Field // the comment, or nil before one was begun
	path    string          // what it is about
	lines   []worktree.Line
	sending bool
	// failed says that the comment was not delivered: it is still about the
	// lines that it was written for.
	failed bool

	finish finishing
	form   *finishForm // nil before it was finished
}

// reviewHead is how many lines are above the changes.
const reviewHead = 1

// openReview shows what the current thread has changed. A review of the same
// thread goes on where it was left, with the changes read anew.
func (m *Model) openReview() tea.Cmd {
	if m.current == "" {
		return nil
	}
	if r := m.reviewing; r == nil || r.thread != m.current {
		if r != nil && r.cancel != nil {
			r.cancel()
		}
		m.reviewing = &reviewing{thread: m.current}
	}
	if m.covered() {
		m.goMain()
	}
	m.push(intent.ScopeReview)
	return m.readChanges()
}

// readChanges reads what the reviewed thread has changed.
func (m *Model) readChanges() tea.Cmd {
	r := m.reviewing
	if r.reading {
		return nil
	}
	ctx, cancel := context.WithCancel(m.o.Context)
	r.reading, r.cancel, r.problem = true, cancel, ""
	b := m.b
	return func() tea.Msg {
		defer cancel()
		d, err := b.Review(ctx, r.thread)
		return changesCame{review: r, diff: d, stopped: ctx.Err() != nil, err: err}
	}
}

type changesCame struct {
	review  *reviewing
	diff    worktree.Diff
	stopped bool
	err     error
}

func (c changesCame) arrive(m *Model) tea.Cmd {
	r := c.review
	r.reading, r.cancel = false, nil
	switch {
	case c.err == nil:
		was := r.view
		r.view = review.New(c.diff)
		r.view.Resume(was)
		m.noteTally(r.thread, c.diff)
	case !c.stopped:
		r.problem = explained(c.err)
	}
	return nil
}

// onReview acts on the changes.
func (m *Model) onReview(do intent.Intent) tea.Cmd {
	r := m.reviewing
	switch {
	case r == nil:
		m.without(intent.ScopeReview)
		return nil
	case do == intent.Again:
		return m.readChanges()
	case do == intent.Finish:
		return m.openFinish()
	case do == intent.Help:
		return m.common(do)
	case do == intent.Comment:
		m.beginComment()
		return nil
	case r.view != nil && r.view.Act(do):
		return nil
	case do == intent.Back:
		if r.cancel != nil {
			r.cancel()
		}
		m.without(intent.ScopeReview)
	}
	return nil
}

// beginComment opens the field for a comment on the chosen lines.
func (m *Model) beginComment() {
	r := m.reviewing
	if r.view == nil {
		return
	}
	if r.sending {
		m.say("the comment before is still being sent", "")
		return
	}
	if !r.failed {
		path, lines := r.view.Chosen()
		if path == "" {
			return
		}
		r.path, r.lines = path, lines
	}
	if r.field == nil {
		r.field = composer.New("What should the agent know, or change?", 8)
	}
	r.field.Focus()
	m.push(intent.ScopeComment)
}

// onComment acts on the comment.
func (m *Model) onComment(do intent.Intent) tea.Cmd {
	r := m.reviewing
	if r == nil || r.field == nil {
		m.without(intent.ScopeComment)
		return nil
	}
	switch do {
	case intent.Newline:
		r.field.Newline()
	case intent.Back:
		r.failed = false
		m.leaveComment(r)
	case intent.Send:
		text := strings.TrimSpace(r.field.Text())
		if text == "" {
			return nil
		}
		// Meanwhile the person goes on reviewing: an agent at work may take a
		// while to take it.
		m.leaveComment(r)
		r.sending, r.failed = true, false
		b, ctx := m.b, m.o.Context
		c := Comment{Path: r.path, Lines: r.lines, Text: text}
		return func() tea.Msg {
			receipt, err := b.Comment(ctx, r.thread, c)
			return commented{review: r, receipt: receipt, err: err}
		}
	}
	return nil
}

func (m *Model) leaveComment(r *reviewing) {
	r.field.Blur()
	m.without(intent.ScopeComment)
}

// commented is what became of a comment. What is written leaves the field
// only when it is known to be delivered.
type commented struct {
	review  *reviewing
	receipt string
	err     error
}

func (c commented) arrive(m *Model) tea.Cmd {
	r := c.review
	r.sending = false
	if c.err != nil {
		r.failed = true
		m.fail(c.err)
		return nil
	}
	m.say(c.receipt+": comment on "+r.about(), "")
	r.field.SetText("")
	return m.reload()
}

// about names what a comment is about: the lines by their numbers, and the
// file.
func (r *reviewing) about() string {
	path := session.MarkLine(r.path)
	if len(r.lines) == 0 {
		return path
	}
	number := func(l worktree.Line) int {
		if l.New == 0 {
			return l.Old
		}
		return l.New
	}
	if len(r.lines) == 1 {
		return fmt.Sprintf("line %d of %s", number(r.lines[0]), path)
	}
	return fmt.Sprintf("lines %d to %d of %s", number(r.lines[0]), number(r.lines[len(r.lines)-1]), path)
}

// commentRows is how many rows the comment takes, its rule included.
func (m *Model) commentRows(r rect) int {
	if !m.has(intent.ScopeComment) || m.reviewing == nil || m.reviewing.field == nil {
		return 0
	}
	return min(m.reviewing.field.Rows()+1, commentRoom(r.h))
}

// commentRoom is the most rows of a comment, its rule included.
func commentRoom(rows int) int { return max(2, rows/2) }

// sizeReview tells the review what room it has.
func (m *Model) sizeReview(body rect) {
	r := m.reviewing
	if r == nil || !m.has(intent.ScopeReview) {
		return
	}
	if r.field != nil {
		r.field.SetWidth(body.w)
		r.field.SetRoom(commentRoom(body.h) - 1)
	}
	if r.view != nil {
		r.view.SetSize(body.w, max(0, body.h-reviewHead-m.commentRows(body)))
	}
}

// reviewLines are the changes with what can be done about them.
func (m *Model) reviewLines(body rect) ([]string, []intent.Zone) {
	r := m.reviewing
	if r == nil {
		return nil, nil
	}
	if m.has(intent.ScopeFinish) {
		return m.finishLines(body)
	}
	th := m.th
	title := " " + th.Strong.Paint("Review") + "  "
	if r.reading && r.view == nil {
		line, zones := m.hintRow(title+th.Dim.Paint("reading what has changed…")+"   ", "", []hint{{"esc", "stop", intent.Back}})
		return []string{line}, zones
	}
	if r.view != nil && r.problem == "" {
		title += m.reviewTitle(r, body.w)
	}
	hints := []hint{{"?", "keys", intent.Help}, {"esc", "back", intent.Back}}
	if body.w >= 80 {
		hints = append([]hint{{"c", "comment", intent.Comment}, {"v", "range", intent.Mark}, {"f", "finish", intent.Finish}}, hints...)
	}
	head, zones := m.heading(title, "", hints, body.w-1)
	lines := []string{head}
	again := func(label string) ([]string, []intent.Zone) {
		line, at := m.hintRow("  ", "", []hint{{"r", label, intent.Again}})
		lines = append(lines, "", line)
		return lines, append(zones, below(len(lines)-1, at)...)
	}
	switch {
	case r.problem != "":
		lines = append(lines, "", "  "+th.Bad.Paint("! ")+session.CleanLine(r.problem))
		return again("look again")
	case r.view == nil:
		return again("read what has changed")
	case r.view.Files() == 0:
		return append(lines, "", "  "+th.Dim.Paint(r.view.Nothing())), zones
	}
	lines = append(lines, r.view.Lines(th)...)
	if n := m.commentRows(body); n > 0 {
		rule, send := m.commentRule(body.w)
		zones = below(len(lines), send) // what is above is not acted on now
		field := r.field.Lines(body.w)
		lines = append(append(lines, rule), field[:min(len(field), n-1)]...)
	}
	return lines, zones
}

// commentRule is the line above a comment, and what can be clicked in it.
func (m *Model) commentRule(w int) (string, []intent.Zone) {
	th := m.th
	hints := []hint{{"enter", "send", intent.Send}, {"esc", "leave", intent.Back}}
	right, zones := m.hintRow(" ", "  ", hints)
	right += " " + th.Rule(1)
	say := cells.Cut("comment on "+m.reviewing.about(), max(0, w-cells.Width(right)-4))
	say = th.Rule(1) + " " + th.Strong.Paint(say) + " "
	say += th.Rule(w - cells.Width(say) - cells.Width(right))
	for i := range zones {
		zones[i].X += cells.Width(say)
	}
	return say + right, zones
}

// reviewTitle says how much has changed, and what is under way.
func (m *Model) reviewTitle(r *reviewing, w int) string {
	title := r.view.Summary(m.th)
	switch {
	case r.reading:
		title += "  " + m.th.Dim.Paint("reading…")
	case r.sending:
		title += "  " + m.th.Dim.Paint("sending the comment…")
	case r.failed && !m.has(intent.ScopeComment):
		title += "  " + m.th.Warn.Paint("! comment not sent: c")
	}
	if r.view.Files() > 0 && w >= 120 {
		title += "  " + m.th.Dim.Paint(r.view.Where())
	}
	return title
}

// written is the field of a scope of the review, or nil.
func (r *reviewing) written(s intent.Scope) *composer.Field {
	switch {
	case r == nil:
		return nil
	case s == intent.ScopeComment:
		return r.field
	case r.form == nil:
		return nil
	}
	return r.form.field()
}

// reviewCursor is the cursor in the comment, or in how a thread is finished.
func (m *Model) reviewCursor(body rect) *tea.Cursor {
	if m.top() == intent.ScopeFinishEdit {
		return m.finishCursor(body)
	}
	n := m.commentRows(body)
	if n == 0 {
		return nil
	}
	return at(m.reviewing.field.Cursor(), body.x, body.y+body.h-n+1)
}

// scrollReview moves what is seen of the review, down when by is positive.
func (m *Model) scrollReview(by int) {
	r := m.reviewing
	switch {
	case r == nil:
	case m.has(intent.ScopeFinish):
		m.scrollFinish(by)
	case r.view != nil:
		r.view.Scroll(by)
	}
}

// clickReview takes a click on the review; extend, the pointer moved with the
// button down.
func (m *Model) clickReview(ms tea.Mouse, l layout, extend bool) tea.Cmd {
	r := m.reviewing
	x, y := ms.X-l.body.x, ms.Y-l.body.y
	switch {
	case r == nil:
	case m.top() == intent.ScopeReview && r.view != nil:
		if y >= reviewHead || extend {
			r.view.Click(x, y-reviewHead, extend)
		}
	}
	return nil
}

// tallies are the counted changes of the threads that were shown, and of those
// in the list that were in sight.
type tallies struct {
	of       map[session.ThreadID]worktree.Tally
	at       map[session.ThreadID]time.Time // when it was tried last
	wanted   bool                           // that of the current thread
	counting bool
}

// countAgain is how old the count of a thread at work may be in the list.
const countAgain = 10 * time.Second

// countNext counts what a thread has changed, one at a time: the current one
// whenever something has changed, the others in the list when they are in
// sight and their state has changed since, or they are at work.
func (m *Model) countNext() tea.Cmd {
	if m.tallies.counting {
		return nil
	}
	id := m.current
	if !m.tallies.wanted || id == "" {
		if id = m.uncounted(); id == "" {
			return nil
		}
	}
	if m.tallies.at == nil {
		m.tallies.at = map[session.ThreadID]time.Time{}
	}
	m.tallies.at[id] = m.o.Now()
	m.tallies.counting = true
	m.tallies.wanted = m.tallies.wanted && id != m.current
	b, ctx := m.b, m.o.Context
	return func() tea.Msg {
		t, err := b.ChangesOf(ctx, id)
		return tallied{thread: id, tally: t, err: err}
	}
}

// countAnew has all in sight counted anew: the person was where much can be
// done to branches that the screen hears nothing of.
func (m *Model) countAnew() {
	m.tallies.wanted = true
	clear(m.tallies.at)
}

// uncounted is a thread in sight whose count in the list is missing or old.
func (m *Model) uncounted() session.ThreadID {
	if m.sideWidth() == 0 || !m.threadList.wide {
		return ""
	}
	now := m.o.Now()
	for _, r := range m.seenRows() {
		t, _ := m.thread(r.thread)
		at := m.tallies.at[t.ID]
		if m.tall(r, t) && (at.IsZero() || at.Before(t.StateAt) || t.State == session.StateWorking && now.Sub(at) >= countAgain) {
			return t.ID
		}
	}
	return ""
}

// noteTally notes the count that a review has shown.
func (m *Model) noteTally(id session.ThreadID, d worktree.Diff) {
	t := worktree.Tally{Files: len(d.Files)}
	for _, f := range d.Files {
		t.Added, t.Deleted = t.Added+f.Added, t.Deleted+f.Deleted
	}
	m.tallies.note(id, t)
}

func (l *tallies) note(id session.ThreadID, t worktree.Tally) {
	if l.of == nil {
		l.of = map[session.ThreadID]worktree.Tally{}
	}
	l.of[id] = t
}

type tallied struct {
	thread session.ThreadID
	tally  worktree.Tally
	err    error
}

// arrive notes a count. Where none can be had, such as outside of a
// repository, none is shown: the review says why.
func (c tallied) arrive(m *Model) tea.Cmd {
	m.tallies.counting = false
	if c.err != nil {
		delete(m.tallies.of, c.thread)
		return nil
	}
	m.tallies.note(c.thread, c.tally)
	return nil
}
