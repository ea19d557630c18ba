package tui

import (
	"time"

	"aside/session"

	tea "charm.land/bubbletea/v2"
)

// tickMsg wakes the screen; one that was asked for before a sooner one does
// not start a second series.
type tickMsg struct{ due time.Time }

// tick asks to be woken when something on the screen changes by time alone;
// when nothing does, there is no tick.
func (m *Model) tick() tea.Cmd {
	due := m.due()
	now := m.o.Now()
	if due.IsZero() || !m.tickAt.IsZero() && !due.Before(m.tickAt) && m.tickAt.After(now) {
		return nil
	}
	m.tickAt = due
	return m.o.Tick(max(due.Sub(now), time.Millisecond), func(time.Time) tea.Msg { return tickMsg{due} })
}

// due returns when that is next, or zero.
func (m *Model) due() time.Time {
	var due time.Time
	sooner := func(t time.Time) {
		if !t.IsZero() && (due.IsZero() || t.Before(due)) {
			due = t
		}
	}
	now := m.o.Now()
	sooner(m.notice.until)
	sooner(m.bar.said.until)
	sooner(m.selecting.pullAt)
	d, _ := m.decision()
	c, _ := m.card()
	for _, deadline := range []time.Time{d.Deadline, c.Deadline} {
		if deadline.IsZero() {
			continue
		}
		if near := deadline.Add(-deadlineShown); now.Before(near) {
			sooner(near)
		} else if now.Before(deadline) && !m.o.ReducedMotion {
			sooner(now.Add(time.Second))
		}
	}
	sooner(m.nextAge())
	for _, w := range m.waitings() {
		sooner(w.due(now))
	}
	if t, ok := m.thread(m.current); ok && t.State == session.StateWorking && !m.away && !m.o.ReducedMotion {
		sooner(now.Add(time.Second))
	}
	return due
}

// expire forgets what has been shown long enough, and does what is due.
func (m *Model) expire(t tickMsg) {
	if t.due.Equal(m.tickAt) {
		m.tickAt = time.Time{}
	}
	now := m.o.Now()
	if at := m.selecting.pullAt; !at.IsZero() && !now.Before(at) {
		m.pull(m.layout())
	}
	if !m.notice.until.IsZero() && !now.Before(m.notice.until) {
		m.notice = flash{}
	}
	if !m.bar.said.until.IsZero() && !now.Before(m.bar.said.until) {
		m.bar.said = flash{}
		m.barEmptied()
	}
}
