package tui

import (
	"context"
	"slices"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"

	tea "charm.land/bubbletea/v2"
)

// ask is a question to the person, asked in place.
type ask struct {
	lines   []string // cleaned, each on one line
	yes, no string
	// act is what yes does; reply tells a waiting asker either answer.
	act   func() tea.Cmd
	reply func(bool)
	// remove is the thread that yes would remove; act is set when it is known
	// what that does.
	remove session.ThreadID
	// copy is what can be copied instead, "" for nothing.
	copy string
	// copies says that it is about the clipboard.
	copies bool
}

// asked takes a question that comes unbidden: it gets no key before the
// person has gone to it.
func (m *Model) asked(msg AskMsg) {
	a := ask{yes: msg.Ask.Yes, no: msg.Ask.No, reply: msg.Reply}
	if msg.Ask.Title != "" {
		a.lines = append(a.lines, session.CleanLine(msg.Ask.Title))
	}
	for _, l := range msg.Ask.Lines {
		a.lines = append(a.lines, session.CleanLine(l))
	}
	m.asks = append(m.asks, a)
}

// confirm asks before an act that the person has just asked for, so the
// question gets the focus.
func (m *Model) confirm(a ask) {
	for i, l := range a.lines {
		a.lines[i] = session.CleanLine(l)
	}
	m.asks = append([]ask{a}, m.asks...)
	m.push(intent.ScopeConfirm)
}

func (m *Model) focusAsk() { m.push(intent.ScopeConfirm) }

// onAsk answers the question that is shown.
func (m *Model) onAsk(do intent.Intent) tea.Cmd {
	if len(m.asks) == 0 {
		m.without(intent.ScopeConfirm)
		return nil
	}
	a := m.asks[0]
	switch {
	case do == intent.Back && a.reply != nil:
		m.pop(intent.ScopeConfirm) // it stays, and waits
		return nil
	case do == intent.Copy && a.copy != "":
		m.asks = m.asks[1:]
		m.without(intent.ScopeConfirm)
		return m.copied(a.copy)
	case do != intent.Yes && do != intent.No && do != intent.Back:
		return nil
	case do == intent.Yes && a.reply == nil && a.act == nil:
		return nil
	}
	m.asks = m.asks[1:]
	m.without(intent.ScopeConfirm)
	switch {
	case a.reply != nil:
		return func() tea.Msg {
			a.reply(do == intent.Yes)
			return nil
		}
	case do == intent.Yes:
		return a.act()
	}
	return nil
}

// askIndent is what the sign before a question's lines takes, in columns.
const askIndent = 4

// askLines draws the question, and what can be clicked.
func (m *Model) askLines(w int) ([]string, []intent.Zone) {
	if len(m.asks) == 0 {
		return nil, nil
	}
	a := m.asks[0]
	th := m.th
	var lines []string
	add := func(s string) {
		lines = append(lines, " "+th.Warn.Paint(theme.Rail)+" "+cells.Fit(s, w-3))
	}
	for _, l := range a.lines {
		for _, s := range cells.Wrap(l, w-askIndent) {
			add(s)
		}
	}
	yes, no := th.Hint("y", a.yes), th.Hint("n", a.no)
	s := yes + "   " + no
	yw := cells.Width(yes)
	zones := []intent.Zone{
		{X: 3, Y: len(lines), W: yw, Do: intent.Yes},
		{X: 3 + yw + 3, Y: len(lines), W: cells.Width(no), Do: intent.No},
	}
	if a.copy != "" {
		c := th.Hint("c", "copy it")
		zones = append(zones, intent.Zone{X: 3 + cells.Width(s) + 3, Y: len(lines), W: cells.Width(c), Do: intent.Copy})
		s += "   " + c
	}
	if m.top() != intent.ScopeConfirm {
		s += "   " + th.Dim.Paint(m.o.Leader+" a: answer")
	}
	add(s)
	for y := range lines {
		zones = append(zones, intent.Zone{X: 0, Y: y, W: w, Do: intent.Attention})
	}
	return lines, zones
}

// askPlace returns the question with the row it begins at: over the top rows,
// under the bar, so that neither an agent's prompt nor the composer is hidden.
func (m *Model) askPlace(l layout) (y int, lines []string, zones []intent.Zone) {
	lines, zones = m.askLines(l.body.w)
	y = m.overBottom(l)
	return y, lines[:min(len(lines), l.body.y+l.body.h-y)], zones
}

// askStop asks before a thread's agent is ended.
func (m *Model) askStop(id session.ThreadID) {
	t, ok := m.thread(id)
	if !ok || !t.Live {
		m.say("no agent runs in this thread", "")
		return
	}
	b := m.b
	lines := []string{"Stop “" + t.Title + "”?", "Its agent is ended with all it has started. The thread, its files and its transcript stay."}
	if slices.ContainsFunc(m.panes[id], func(p session.PaneInfo) bool { return p.Shell && !p.Ended }) {
		lines = append(lines, "Its shell panes are closed, and what runs in them is ended.")
	}
	m.confirm(ask{
		lines: lines, yes: "stop it", no: "leave it",
		act: func() tea.Cmd {
			return m.call("stopping the agent", false, func(ctx context.Context) error { return b.Stop(ctx, id) })
		},
	})
}

// askRemove asks before a thread is removed. What would happen is the
// backend's to say; until it has, yes does nothing.
func (m *Model) askRemove(id session.ThreadID) tea.Cmd {
	t, ok := m.thread(id)
	if !ok {
		return nil
	}
	m.confirm(ask{
		lines: []string{"Remove “" + t.Title + "”?", "…"}, yes: "remove it", no: "keep it", remove: id,
	})
	b := m.b
	return m.works("looking what removing it would do", true, func(ctx context.Context) tea.Msg {
		lines, keeps, err := b.Removal(ctx, id)
		return removalCame{thread: id, lines: lines, keeps: keeps, err: err}
	})
}

type removalCame struct {
	thread session.ThreadID
	lines  []string
	keeps  bool // its worktree
	err    error
}

func (r removalCame) arrive(m *Model) tea.Cmd {
	i := slices.IndexFunc(m.asks, func(a ask) bool { return a.remove == r.thread && a.act == nil })
	if i < 0 {
		return nil // it was answered no meanwhile
	}
	if r.err != nil {
		m.asks = slices.Delete(m.asks, i, i+1)
		m.without(intent.ScopeConfirm)
		m.fail(r.err)
		return nil
	}
	m.asks[i].lines = m.asks[i].lines[:1]
	for _, l := range r.lines {
		m.asks[i].lines = append(m.asks[i].lines, session.CleanLine(l))
	}
	if r.keeps {
		m.asks[i].yes = "remove it, keep its worktree"
	}
	b := m.b
	m.asks[i].act = func() tea.Cmd {
		return m.works("removing the thread", false, func(ctx context.Context) tea.Msg {
			note, err := b.Remove(ctx, r.thread, r.keeps)
			return removedOne{thread: r.thread, called: called{note: note, err: err}}
		})
	}
	return nil
}

type removedOne struct {
	thread session.ThreadID
	called
}

func (r removedOne) arrive(m *Model) tea.Cmd {
	if r.err == nil && m.chosen == r.thread {
		m.chosen = m.beside(r.thread)
	}
	return r.called.arrive(m)
}
