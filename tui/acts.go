package tui

import (
	"context"

	"aside/session"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// open shows a thread and goes to it.
func (m *Model) open(id session.ThreadID) tea.Cmd {
	if _, ok := m.thread(id); !ok {
		return nil
	}
	cmd := m.show(id)
	m.goMain()
	return cmd
}

// stepThread opens the thread by places further down the list.
func (m *Model) stepThread(by int) tea.Cmd {
	rows := m.threadList.rows
	at := m.rowOf(m.current)
	for i := range rows {
		if r := rows[((at+by*(i+1))%len(rows)+len(rows))%len(rows)]; !r.gone {
			return m.open(r.thread)
		}
	}
	return nil
}

// onTranscript acts on the transcript.
func (m *Model) onTranscript(do intent.Intent) tea.Cmd {
	if m.current == "" {
		return m.common(do)
	}
	p := m.pageFor(m.current)
	pageful := max(1, m.listRect(m.layout()).h-2)
	switch do {
	case intent.Up:
		p.scroll(1)
	case intent.Down:
		p.scroll(-1)
	case intent.PageUp:
		p.scroll(pageful)
	case intent.PageDown:
		p.scroll(-pageful)
	case intent.Top:
		return m.first(p)
	case intent.Bottom:
		return m.follow(p)
	case intent.Next:
		return m.stepCard(1)
	case intent.Previous:
		return m.stepCard(-1)
	case intent.Filter:
		return m.openSearch(m.current)
	case intent.Back:
		m.leaveTranscript(p)
	default:
		if cmd, known := m.jump(p, do); known {
			return cmd
		}
		return m.common(do)
	}
	return nil
}

// leaveTranscript ends what is under way in the transcript, one thing after the
// other, and then leaves it.
func (m *Model) leaveTranscript(p *page) {
	switch {
	case p.waits(m.o.Now()):
		p.stopReading()
	case !p.unmark():
		m.comeBack()
	}
}

// onFocusedCard acts on the card that has the focus in the transcript.
func (m *Model) onFocusedCard(do intent.Intent) tea.Cmd {
	switch do {
	case intent.Next:
		return m.stepCard(1)
	case intent.Previous:
		return m.stepCard(-1)
	case intent.Back:
		m.pop(intent.ScopeCard)
	default:
		return m.onCard(m.pageFor(m.current).card, do)
	}
	return nil
}

// scrollBack begins scrolling back in the terminal.
func (m *Model) scrollBack() {
	if m.current == "" || m.layout().term.w == 0 {
		return
	}
	m.base(intent.ScopeTerminal)
	p := m.pane()
	if p.term.Modes().AltScreen {
		m.say("this program scrolls itself, with its own keys", "")
		return
	}
	m.push(intent.ScopeHistory)
	p.term.Scroll(max(1, m.layout().paneRect(p.id).h/2))
}

// onPager scrolls what covers the body.
func (m *Model) onPager(scope intent.Scope, do intent.Intent) tea.Cmd {
	if do == intent.Back {
		m.without(scope)
		return nil
	}
	m.scrollReader(scrollBy(do, m.readerRoom()-1))
	return nil
}

// scrollBy is how many lines on an intent scrolls where a page has so many.
func scrollBy(do intent.Intent, page int) int {
	page = max(page, 1)
	const end = 1 << 30
	switch do {
	case intent.Up:
		return -1
	case intent.Down:
		return 1
	case intent.PageUp:
		return -page
	case intent.PageDown:
		return page
	case intent.Top:
		return -end
	case intent.Bottom:
		return end
	}
	return 0
}

// resume starts a thread's agent again.
func (m *Model) resume(id session.ThreadID) tea.Cmd {
	if t, ok := m.thread(id); ok && agentRuns(t) {
		m.say("its agent is running", "")
		return nil
	}
	b := m.b
	return m.call("starting the agent again", true, func(ctx context.Context) error { return b.Resume(ctx, id) })
}

// quit closes the screen once the draft is kept and no half of a file is left.
// The agents go on.
func (m *Model) quit() tea.Cmd {
	if m.exporting.cancel != nil {
		m.exporting.closes = true
		m.exporting.halt()
		return nil
	}
	if p := m.pages[m.current]; p != nil {
		if text := p.unsent(); text != p.saved {
			b := m.b
			return m.works("keeping what you have written", false, func(ctx context.Context) tea.Msg {
				if err := b.SetDraft(ctx, p.thread, text); err != nil {
					return called{err: err}
				}
				return closing{}
			})
		}
	}
	return m.close()
}
