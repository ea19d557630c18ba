package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/palette"

	tea "charm.land/bubbletea/v2"
)

// namedFiles is how many files are offered at once for what was typed.
const namedFiles = 8

// naming is the list of files over a field in which one is being named by an
// @. It never has the focus: keys that it does not know are typed on.
type naming struct {
	field  *composer.Field
	typed  string
	asking waiting  // files are being looked for
	of     string   // what found was looked for with
	found  []string // the best first
	asked  bool     // found is there, maybe empty
	chosen int
	left   bool // the person wants none of them
}

// open says that there is a list to choose from.
func (n *naming) open() bool { return !n.left && len(n.found) > 0 }

// slow says that files have been looked for so long that the person is told.
func (n *naming) slow(now time.Time) bool { return !n.left && n.asking.shown(now) }

// takesFile says that a key's intent is meant for the list, or for stopping to
// look for files. A list for which there is no room takes none.
func (m *Model) takesFile(do intent.Intent) bool {
	n := &m.naming
	switch {
	case do == intent.Nothing || !n.open() && !n.slow(m.o.Now()):
		return false
	case !n.open():
		return do == intent.Back
	}
	return m.filesAt(m.layout()).h > 1
}

// named returns the field in which a file can be named now, and the thread
// whose files those are: "" for the project's.
func (m *Model) named() (*composer.Field, session.ThreadID) {
	switch m.top() {
	case intent.ScopeComposer:
		return m.field(), m.current
	case intent.ScopeNew:
		return m.field(), ""
	case intent.ScopeComment:
		if m.reviewing != nil {
			return m.field(), m.reviewing.thread
		}
	case intent.ScopeEdit:
		if f := m.startForm(); f != nil && f.row == rowPrompt {
			return m.field(), m.props[f.proposal].Thread
		}
	}
	return nil, ""
}

// nameFile follows what is written: it looks for files while one is being
// named, one look at a time, and puts the list away when that has ended.
func (m *Model) nameFile() tea.Cmd {
	n := &m.naming
	field, thread := m.named()
	typed, ok := "", false
	if field != nil {
		typed, ok = field.Mention()
	}
	if !ok || field != n.field {
		n.asking.end()
		*n = naming{field: field}
	}
	if n.typed = typed; !ok || n.left || n.asking.cancel != nil || n.asked && n.of == typed {
		return nil
	}
	ctx, b := m.begins(&n.asking), m.b
	return func() tea.Msg {
		came := filesCame{field: field, typed: typed}
		came.found, came.err = b.Files(ctx, thread, typed, namedFiles)
		came.err = stopped(ctx, came.err)
		return came
	}
}

type filesCame struct {
	field *composer.Field
	typed string
	found []string
	err   error
}

func (f filesCame) arrive(m *Model) tea.Cmd {
	n := &m.naming
	if f.field != n.field || n.asking.cancel == nil || errors.Is(f.err, context.Canceled) {
		return nil // what it was for has ended
	}
	n.asking.end()
	n.of, n.chosen, n.asked = f.typed, 0, true
	n.found = slices.DeleteFunc(f.found, func(path string) bool {
		// It cannot be written so that an agent reads it.
		return session.MarkLine(path) != path || strings.Contains(path, `"`)
	})
	if f.err != nil {
		n.left = true
		m.fail(f.err)
	}
	return nil
}

// onFiles acts on the list of files.
func (m *Model) onFiles(do intent.Intent) tea.Cmd {
	n := &m.naming
	switch do {
	case intent.Up:
		n.chosen = (n.chosen + len(n.found) - 1) % len(n.found)
	case intent.Down:
		n.chosen = (n.chosen + 1) % len(n.found)
	case intent.Back:
		n.asking.end()
		n.left = true
	case intent.Send:
		if n.of != n.typed {
			return nil // these are not yet the files for what is typed
		}
		n.field.Complete(n.found[n.chosen])
		if m.top() == intent.ScopeComposer {
			return m.saveDraft(m.pageFor(m.current))
		}
	}
	return nil
}

// filesAt is where the list is drawn: above the composer and the comment, below
// the field of a form.
func (m *Model) filesAt(l layout) rect {
	r, n := l.body, len(m.naming.found)+1
	bottom := r.y + r.h
	switch m.top() {
	case intent.ScopeComposer:
		r, bottom = l.chat, l.rule.y
	case intent.ScopeComment:
		bottom -= m.commentRows(r)
	default:
		if c := m.cursor(l); c != nil {
			return rect{r.x, c.Y + 1, r.w, min(n, bottom-c.Y-1)}
		}
	}
	n = min(n, bottom-r.y)
	return rect{r.x, bottom - n, r.w, n}
}

// overFiles draws the list over the lines of the body, or of the transcript in
// it.
func (m *Model) overFiles(lines []string, l layout) {
	n := &m.naming
	slow := n.slow(m.o.Now())
	if !n.open() && !slow {
		return
	}
	at := m.filesAt(l)
	if at.h < 2 && n.open() || at.h < 1 {
		return
	}
	say := m.th.Strong.Paint("files") + "  " + m.th.Hint("tab", "name it") + "  " + m.th.Hint("esc", "leave it")
	if slow {
		say = m.th.Dim.Paint("reading the files…") + "  " + m.th.Hint("esc", "leave it")
	}
	list := palette.List{Chosen: n.chosen}
	for _, path := range n.found {
		_, marks, _ := palette.Match(n.of, path)
		list.Rows = append(list.Rows, palette.Row{Title: path, Marks: marks})
	}
	rows, _ := list.Draw(m.th, at.w, at.h-1)
	say = m.th.Rule(1) + " " + cells.Cut(say, max(0, at.w-4)) + " "
	rows = slices.Insert(rows, 0, say+m.th.Rule(at.w-cells.Width(say)))
	copy(lines[at.y-l.body.y:], m.settle(rows))
}

// clickFiles takes a click on the list.
func (m *Model) clickFiles(ms tea.Mouse, l layout) (cmd tea.Cmd, hit bool) {
	n := &m.naming
	if !n.open() {
		return nil, false
	}
	at := m.filesAt(l)
	if !at.has(ms.X, ms.Y) {
		return nil, false
	}
	list := palette.List{Rows: make([]palette.Row, len(n.found)), Chosen: n.chosen}
	_, rows := list.Draw(m.th, at.w, at.h-1)
	if y := ms.Y - at.y - 1; y >= 0 && y < len(rows) {
		n.chosen = rows[y]
		return m.onFiles(intent.Send), true
	}
	return nil, true
}
