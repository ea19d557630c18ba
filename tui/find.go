package tui

import (
	"context"
	"fmt"

	"aside/session"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/terminal"

	tea "charm.land/bubbletea/v2"
)

// found is what was looked for in a terminal, and where it is.
type found struct {
	words string
	rows  []terminal.Found
	at    int // the one that is shown
}

func (f found) String() string {
	if len(f.rows) == 0 {
		return "not found: " + f.words
	}
	return fmt.Sprintf("%d of %d: %s", len(f.rows)-f.at, len(f.rows), f.words)
}

// onHistory acts while the terminal is scrolled back.
func (m *Model) onHistory(do intent.Intent) tea.Cmd {
	p := m.pane()
	switch do {
	case intent.Filter, intent.Next, intent.Previous:
		m.seekFound(do)
		return nil
	case intent.Select:
		m.startSelect()
		return nil
	case intent.Help:
		return m.common(do)
	case intent.Back:
		m.without(intent.ScopeHistory)
		p.term.Follow()
		return nil
	}
	p.term.Scroll(-scrollBy(do, m.layout().paneRect(p.id).h-1))
	return nil
}

// historyHints are the footer's while the terminal is scrolled back.
func (m *Model) historyHints() []hint {
	hints := []hint{
		{"pgup", "back", intent.PageUp},
		{"/", "find", intent.Filter},
	}
	if m.pane().found.words != "" {
		hints = append(hints, hint{"n", "next", intent.Next})
	}
	return append(hints,
		hint{"v", "select", intent.Select},
		hint{"?", "keys", intent.Help},
		hint{"esc", "leave", intent.Back})
}

// leaveHistory ends scrolling back in a program that has begun to scroll
// itself, and the searches in terminals that are not scrolled back any more.
func (m *Model) leaveHistory() {
	if m.current == "" {
		return
	}
	if m.pane().term.Modes().AltScreen {
		m.without(intent.ScopeHistory)
	}
	for _, p := range m.pageFor(m.current).panes {
		in := p == m.pane() && (m.has(intent.ScopeHistory) || m.has(intent.ScopeSelect))
		if p.found.words != "" && p.term.Back() == 0 && !in {
			p.forget()
		}
	}
}

// seekFound asks for words to look for, or goes on to another of their places.
func (m *Model) seekFound(do intent.Intent) {
	p := m.pane()
	switch do {
	case intent.Filter:
		m.finder = composer.New("words", 1)
		m.finder.SetText(p.found.words)
		m.finder.Focus()
		m.push(intent.ScopeFind)
	case intent.Next:
		m.showFound(p.found.at - 1)
	case intent.Previous:
		m.showFound(p.found.at + 1)
	}
}

// forget ends the search.
func (p *pane) forget() {
	p.found = found{}
	p.term.Mark("")
}

// onFind takes the words to look for.
func (m *Model) onFind(do intent.Intent) tea.Cmd {
	words := ""
	if m.finder != nil {
		words = session.CleanLine(m.finder.Text())
	}
	m.finder = nil
	m.without(intent.ScopeFind)
	if do != intent.Send || words == "" {
		return nil
	}
	return m.lookFor(words)
}

// historyPage is how many rows of the scrollback are read at once.
const historyPage = 1000

// lookFor reads the whole scrollback for the words.
func (m *Model) lookFor(words string) tea.Cmd {
	p := m.pane()
	rows, first, oldest := p.term.Rows()
	b, id, of := m.b, m.current, p.id
	return m.works("looking through all that was shown", true, func(ctx context.Context) tea.Msg {
		came := foundCame{thread: id, pane: of, words: words}
		s := terminal.NewSearch(words)
		for from := oldest; from < first; from += historyPage {
			page, err := b.History(ctx, id, of, from, min(historyPage, first-from))
			if err != nil {
				came.err = err
				return came
			}
			if len(page) == 0 {
				break
			}
			s.Add(from, page)
		}
		s.Add(first, rows)
		came.rows = s.Found()
		return came
	})
}

type foundCame struct {
	thread session.ThreadID
	pane   session.PaneID
	words  string
	rows   []terminal.Found
	err    error
}

// arrive shows the newest place.
func (f foundCame) arrive(m *Model) tea.Cmd {
	if f.err != nil {
		m.fail(f.err)
		return nil
	}
	p := m.pageFor(f.thread).pane(f.pane)
	p.found = found{words: f.words, rows: f.rows}
	p.term.Mark(f.words)
	if f.thread == m.current && p == m.pane() {
		m.showFound(len(f.rows) - 1)
	}
	return nil
}

// showFound scrolls to a place of what was found.
func (m *Model) showFound(at int) {
	p := m.pane()
	if at < 0 || at >= len(p.found.rows) {
		return
	}
	p.found.at = at
	h := m.layout().paneRect(p.id).h
	p.term.Show(p.found.rows[at].Row, h)
	if m.choosing == p {
		p.term.CaretTo(p.found.rows[at], h)
	}
}
