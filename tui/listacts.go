package tui

import (
	"context"

	"aside/session"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// goSidebar puts the focus on the list of threads, and shows it.
func (m *Model) goSidebar() {
	m.noSidebar = false
	m.chosen = m.current
	m.base(intent.ScopeSidebar)
	if _, ok := m.threadList.index[m.chosen]; !ok {
		m.chosen = m.nearest(0, 1)
	}
}

// onSidebar acts on the list of threads.
func (m *Model) onSidebar(do intent.Intent) tea.Cmd {
	l := &m.threadList
	_, there := l.index[m.chosen]
	pageful := max(1, len(m.seenRows())-1)
	switch do {
	case intent.Up:
		m.chooseFrom(-1)
	case intent.Down:
		m.chooseFrom(1)
	case intent.PageUp:
		m.chooseFrom(-pageful)
	case intent.PageDown:
		m.chooseFrom(pageful)
	case intent.Top:
		m.chosen = m.nearest(0, 1)
	case intent.Bottom:
		m.chosen = m.nearest(len(l.rows)-1, -1)
	case intent.Filter:
		l.field = composer.New("words", 1)
		l.field.SetText(l.words)
		l.field.Focus()
		m.push(intent.ScopeNarrow)
	case intent.Archived:
		m.showArchived()
	case intent.Back:
		if l.words == "" {
			m.goMain()
		}
		m.narrow("")
	case intent.Open, intent.Rename, intent.Stop, intent.Resume, intent.Remove, intent.Archive:
		if !there {
			return nil // what the key was meant for is not in the list any more
		}
		return m.onThread(m.chosen, do)
	default:
		return m.common(do)
	}
	return nil
}

// chooseFrom chooses the row by places further down from the chosen one, or
// from where that was.
func (m *Model) chooseFrom(by int) {
	l := &m.threadList
	step := 1
	if by < 0 {
		step = -1
	}
	at := m.rowOf(m.chosen)
	for n := 0; n != by; n += step {
		next := at + step
		for next >= 0 && next < len(l.rows) && l.rows[next].gone {
			next += step
		}
		if next < 0 || next >= len(l.rows) {
			break
		}
		at = next
	}
	m.chosen = m.nearest(at, step)
}

// rowOf is the place of a thread among the rows, or -1.
func (m *Model) rowOf(id session.ThreadID) int {
	for i, r := range m.threadList.rows {
		if r.thread == id {
			return i
		}
	}
	return -1
}

// nearest is the thread of the row at a place, or of the next one there is in a
// direction from it, or else in the other one; "" is none.
func (m *Model) nearest(at, step int) session.ThreadID {
	rows := m.threadList.rows
	for _, by := range []int{step, -step} {
		for i := at; i >= 0 && i < len(rows); i += by {
			if !rows[i].gone {
				return rows[i].thread
			}
		}
	}
	return ""
}

// beside is the thread of the same group that takes the place of one that
// leaves the list: the one below, or else the one above; "" is none.
func (m *Model) beside(id session.ThreadID) session.ThreadID {
	rows := m.threadList.rows
	at := m.rowOf(id)
	for _, by := range []int{1, -1} {
		for i := at + by; at >= 0 && i >= 0 && i < len(rows) && rows[i].group == rows[at].group; i += by {
			if _, ok := m.thread(rows[i].thread); ok && !rows[i].gone {
				return rows[i].thread
			}
		}
	}
	return ""
}

// narrow sets the filter of the list, and chooses the first thread found.
func (m *Model) narrow(words string) {
	l := &m.threadList
	if words == l.words {
		return
	}
	l.words, l.stale, l.anew = words, true, true
	m.arrange()
	if _, ok := l.index[m.chosen]; !ok || words != "" {
		m.chosen = m.nearest(0, 1)
	}
}

// onNarrow acts on the filter of the list while it is written.
func (m *Model) onNarrow(do intent.Intent) tea.Cmd {
	m.threadList.field = nil
	m.pop(intent.ScopeNarrow)
	if do == intent.Back {
		m.narrow("")
	}
	return nil
}

// showArchived shows the archived threads in the list, or hides them again.
func (m *Model) showArchived() {
	l := &m.threadList
	l.archived, l.stale, l.anew = !l.archived, true, true
	m.arrange()
	if _, ok := l.index[m.chosen]; !ok {
		m.chosen = m.nearest(0, 1)
	}
	for _, r := range l.rows {
		if t, _ := m.thread(r.thread); t.Archived {
			return
		}
	}
	if l.archived {
		l.archived = false
		m.say("no thread is archived", "")
	}
}

// archive takes a thread off the list, or brings it back.
func (m *Model) archive(id session.ThreadID) tea.Cmd {
	t, ok := m.thread(id)
	if !ok {
		return nil
	}
	b, archived := m.b, !t.Archived
	return m.works("archiving the thread", false, func(ctx context.Context) tea.Msg {
		return archivedOne{thread: id, archived: archived, err: b.Archive(ctx, id, archived)}
	})
}

type archivedOne struct {
	thread   session.ThreadID
	archived bool
	err      error
}

func (a archivedOne) arrive(m *Model) tea.Cmd {
	if a.err != nil {
		m.fail(a.err)
		return nil
	}
	if i, ok := m.places[a.thread]; ok {
		m.threads[i].Archived = a.archived
	}
	// The person has asked for it to be elsewhere in the list.
	m.threadList.anew = !a.archived || m.threadList.archived
	if !a.archived {
		m.say("“"+m.title(a.thread)+"” is back in the list", "")
		return m.reload()
	}
	m.say("“"+m.title(a.thread)+"” is archived", ". in the list of threads shows it")
	return tea.Batch(m.leave(a.thread), m.reload())
}

// leave goes on from a thread that leaves the list, where it is shown or
// chosen, to the one beside it.
func (m *Model) leave(id session.ThreadID) tea.Cmd {
	if m.threadList.archived {
		return nil
	}
	next := m.beside(id)
	if m.chosen == id {
		m.chosen = next
	}
	if m.current != id {
		return nil
	}
	m.current = ""
	cmd := m.show(next)
	if next == "" && !m.has(intent.ScopeSidebar) {
		m.goMain()
	}
	return cmd
}

// keeping is how the screen was left, as far as the store knows.
type keeping struct {
	thread session.ThreadID
	hidden bool // the list of threads
	busy   bool // it is being told
}

// remember keeps how the screen is left: what is shown of the current thread,
// which thread that is, and whether the list is shown.
func (m *Model) remember() tea.Cmd {
	k := &m.kept
	if !m.loaded || k.busy {
		return nil
	}
	b, ctx := m.b, m.o.Context
	t, ok := m.thread(m.current)
	if p := m.pages[m.current]; ok && p != nil && p.view != m.views[t.ID] {
		v := p.view
		m.views[t.ID] = v
		k.busy = true
		return func() tea.Msg { return remembered{err: b.RememberView(ctx, t.ID, string(v))} }
	}
	shown := k.thread
	if ok && t.Project == m.b.Project() {
		shown = t.ID
	}
	if shown == k.thread && m.noSidebar == k.hidden {
		return nil
	}
	*k = keeping{thread: shown, hidden: m.noSidebar, busy: true}
	hidden := m.noSidebar
	return func() tea.Msg { return remembered{err: b.RememberScreen(ctx, shown, hidden)} }
}

type remembered struct{ err error }

func (r remembered) arrive(m *Model) tea.Cmd {
	m.kept.busy = false
	if r.err != nil && session.CodeOf(r.err) != session.CodeNotFound {
		m.fail(r.err)
	}
	if m.leaving {
		return m.close()
	}
	return nil
}
