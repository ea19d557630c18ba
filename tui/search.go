package tui

import (
	"context"
	"fmt"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/intent"
	"aside/tui/palette"

	tea "charm.land/bubbletea/v2"
)

// searching is the search across threads, or within one.
type searching struct {
	picking
	in     session.ThreadID // "" is all threads
	words  string           // that found is of
	found  record.Found
	fault  string
	cancel context.CancelFunc // of the search that runs, or nil
	again  bool               // it has been overtaken
}

// openSearch shows the field, with what was looked for last in that thread, or
// in all of them.
func (m *Model) openSearch(in session.ThreadID) tea.Cmd {
	m.without(intent.ScopePalette)
	if m.search == nil || m.search.in != in {
		where := "Words in any thread"
		if in != "" {
			where = "Words in this transcript"
		}
		if m.search != nil && m.search.cancel != nil {
			m.search.cancel()
		}
		m.search = &searching{picking: newPicking(where), in: in}
	}
	m.push(intent.ScopeSearch)
	return m.lookUp()
}

// onSearch acts on what was found.
func (m *Model) onSearch(do intent.Intent) tea.Cmd {
	s := m.search
	if s == nil {
		m.without(intent.ScopeSearch)
		return nil
	}
	hits := s.found.Hits
	switch {
	case s.move(do, len(hits), max(1, (m.layout().body.h-pickHead)/2-1)):
	case do == intent.Back:
		if s.cancel != nil {
			s.cancel()
		}
		m.without(intent.ScopeSearch)
	case do == intent.Send && s.chosen < len(hits) && s.words == s.text():
		return m.openHit(hits[s.chosen])
	}
	return nil
}

// lookUp looks for what is in the field: one search at a time. One that is
// overtaken by the field is ended, and the next begins when it has.
func (m *Model) lookUp() tea.Cmd {
	s := m.search
	words := s.text()
	switch {
	case s.cancel != nil:
		s.again = true
		s.cancel()
		return nil
	case words == "":
		s.words, s.found, s.fault, s.chosen = "", record.Found{}, "", 0
		return nil
	}
	b := m.b
	ctx, cancel := context.WithCancel(m.o.Context)
	s.cancel = cancel
	return func() tea.Msg {
		found, err := b.Search(ctx, record.Query{Text: words, Thread: s.in})
		return searched{of: s, words: words, found: found, err: err}
	}
}

type searched struct {
	of    *searching
	words string
	found record.Found
	err   error
}

func (f searched) arrive(m *Model) tea.Cmd {
	s := f.of
	s.cancel()
	s.cancel = nil
	if s != m.search {
		return nil // another has taken its place
	}
	again := s.again
	s.again = false
	switch {
	case !m.has(intent.ScopeSearch):
		return nil // it is looked for anew when the search is opened
	case again:
		return m.lookUp()
	}
	s.fault = ""
	if f.err != nil {
		s.fault = explained(f.err)
	}
	if s.words != f.words {
		s.chosen = 0 // the same words looked for again: stay
	}
	s.words, s.found = f.words, f.found
	s.chosen = max(0, min(s.chosen, len(s.found.Hits)-1))
	return nil
}

// searchLines are the field and what was found, and the hit of each line.
func (m *Model) searchLines(r rect) ([]string, []int, []intent.Zone) {
	s, th := m.search, m.th
	if s == nil {
		return nil, nil, nil
	}
	say, can := "", []hint{{"enter", "go there", intent.Send}}
	switch n := len(s.found.Hits); {
	case s.cancel != nil:
		say, can = "looking…", nil
	case s.found.More:
		say = fmt.Sprintf("the newest %d", n)
	case s.words != "":
		say = fmt.Sprintf("%d found", n)
	}
	lines, hints := m.pickHead(&s.picking, r.w, th.Dim.Paint(say), can...)
	switch {
	case s.fault != "":
		return append(lines, "  "+th.Bad.Paint("! ")+session.CleanLine(s.fault)), nil, hints
	case len(s.found.Hits) == 0 && s.words != "" && s.cancel == nil:
		return append(lines, "  "+th.Dim.Paint(s.nowhere())), nil, hints
	}
	l := palette.List{Chosen: s.chosen, Tall: true}
	for _, h := range s.found.Hits {
		row := palette.Row{
			Title: session.CleanLine(h.Title), Below: h.Snippet,
			Right: session.CleanLine(string(h.Kind)) + " · " + ago(m.o.Now().Sub(h.At)),
		}
		for _, k := range h.Marks {
			row.Under = append(row.Under, palette.Span(k))
		}
		if row.Below = session.CleanLine(h.Snippet); row.Below != h.Snippet {
			row.Under = nil // they are places in another text
		}
		l.Rows = append(l.Rows, row)
	}
	rows, targets := l.Draw(th, r.w, r.h-pickHead)
	return append(lines, rows...), targets, hints
}

func (s *searching) nowhere() string {
	if s.in != "" {
		return "not in this transcript"
	}
	return "in no thread of this project"
}

// openHit shows a hit at the top of its transcript.
func (m *Model) openHit(h record.Hit) tea.Cmd {
	if _, ok := m.thread(h.Thread); !ok {
		m.say("this thread is not in the list any more", "")
		return nil
	}
	m.without(intent.ScopeSearch)
	cmd := m.show(h.Thread)
	m.goTranscript(intent.ScopeTranscript)
	p := m.pageFor(h.Thread)
	look := m.lookThrough(p, m.search.words, h.Entry)
	return tea.Batch(cmd, look, m.readTo(p, spot{entry: h.Entry}, func(id int64) { m.showEntry(p, id) }))
}
