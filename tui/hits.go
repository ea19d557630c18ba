package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/cells"

	tea "charm.land/bubbletea/v2"
)

// hitsMost is how many places of the words in a transcript are gone through.
const hitsMost = 1000

// hits are the words that were looked for in a transcript, and where they are:
// the entries, the newest first.
type hits struct {
	words   string
	seek    record.Seeker
	entries []int64
	more    bool // there are more than hitsMost
	entry   int64
}

func (h hits) String() string {
	i := slices.Index(h.entries, h.entry)
	if i < 0 {
		return h.words
	}
	of := fmt.Sprint(len(h.entries))
	if h.more {
		of += "+"
	}
	return fmt.Sprintf("%d of %s: %s", i+1, of, h.words)
}

// marks are where the words are on a drawn line.
func (h hits) marks(line string) []cells.Span {
	if h.words == "" {
		return nil
	}
	var spans []cells.Span
	for _, s := range h.seek.Marks(cells.Text(line)) {
		spans = append(spans, cells.Span(s))
	}
	return spans
}

// lookThrough marks the words in a transcript, and finds all places of them to
// go on from an entry.
func (m *Model) lookThrough(p *page, words string, entry int64) tea.Cmd {
	p.hits = hits{words: words, seek: record.NewSeeker(record.Phrases(words)), entry: entry}
	b, id := m.b, p.thread
	return m.works("looking for all places of the words", true, func(ctx context.Context) tea.Msg {
		found, err := b.Search(ctx, record.Query{Text: words, Thread: id, Limit: hitsMost})
		return hitsCame{thread: id, words: words, found: found, err: err}
	})
}

type hitsCame struct {
	thread session.ThreadID
	words  string
	found  record.Found
	err    error
}

func (c hitsCame) arrive(m *Model) tea.Cmd {
	p := m.pageFor(c.thread)
	switch {
	case c.words != p.hits.words:
		return nil // others are looked for by now
	case c.err != nil:
		m.fail(c.err)
		return nil
	}
	slices.SortFunc(c.found.Hits, func(a, b record.Hit) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Entry, a.Entry))
	})
	p.hits.entries, p.hits.more = nil, c.found.More
	for _, h := range c.found.Hits {
		p.hits.entries = append(p.hits.entries, h.Entry)
	}
	return nil
}

// stepHit goes to the place of the words by places further back.
func (m *Model) stepHit(p *page, by int) tea.Cmd {
	h := &p.hits
	i := slices.Index(h.entries, h.entry) + by
	switch {
	case h.words == "":
		m.say("no words are looked for", "/ looks for some")
		return nil
	case i < 0, i >= len(h.entries):
		m.say("there are no more places of these words", "")
		return nil
	}
	h.entry = h.entries[i]
	return m.readTo(p, spot{entry: h.entry}, func(id int64) { m.showEntry(p, id) })
}

// showEntry shows an entry that was found at the top, below what lies over it,
// and unfolded: where the words are on a line of it that would be out of sight,
// that line.
func (m *Model) showEntry(p *page, id int64) {
	e := p.item(p.index(id))
	if e == nil {
		return
	}
	if e.Kind == record.KindTool {
		e.turned = !p.details
	}
	l := m.layout()
	p.list.SetSize(l.chat.w, l.chat.h)
	i := p.index(id)
	p.goTo(i)
	over := 0
	if p.thread == m.current && l.term.w == 0 {
		over = m.overBottom(l) - l.chat.y
	}
	line := slices.IndexFunc(p.list.Block(i).Lines, func(s string) bool { return len(p.hits.marks(s)) > 0 })
	if room := l.chat.h - over; line >= room-1 {
		over -= line - room/3
	}
	p.list.Scroll(over)
}

// unmark forgets the words that were looked for, and reports whether there were
// any.
func (p *page) unmark() bool {
	had := p.hits.words != ""
	p.hits = hits{}
	return had
}
