package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

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

// marks are where the words are on lines of an entry as drawn, from one of them
// to another. A word that is broken is on all lines that it is drawn on.
func (h hits) marks(e *entry, drawn []string, from, to int) [][]cells.Span {
	if h.words == "" {
		return make([][]cells.Span, to-from)
	}
	first := from // what a word on these lines began with may be above
	for first > 0 && goesOn(drawn[first-1], drawn[first]) {
		first--
	}
	var spans [][]cells.Span
	for i := first; i < to; i = first + len(spans) {
		end := i + 1 // and go on below
		for end < len(drawn) && goesOn(drawn[end-1], drawn[end]) {
			end++
		}
		spans = append(spans, h.markRun(e, drawn[i:end])...)
	}
	return spans[from-first : to-first]
}

// markRun marks lines that may go on in each other.
func (h hits) markRun(e *entry, lines []string) [][]cells.Span {
	spans := make([][]cells.Span, len(lines))
	var whole strings.Builder
	starts := make([]int, len(lines)) // where each line's text is in the whole
	skips := make([]int, len(lines))  // and how much of the line is before it
	for i, line := range lines {
		text := cells.Text(line)
		for _, s := range h.seek.Marks(text) {
			spans[i] = append(spans[i], cells.Span(s))
		}
		inner := content(text)
		starts[i], skips[i] = whole.Len(), strings.Index(text, inner)
		whole.WriteString(inner)
	}
	if len(lines) == 1 {
		return spans
	}
	text := whole.String()
	for _, s := range h.seek.Marks(text) {
		i := sort.SearchInts(starts, s.From+1) - 1
		if i+1 == len(starts) || s.To <= starts[i+1] || !e.holds(text[s.From:s.To]) {
			continue // on one line, or two words with a line's end between them
		}
		for at := s.From; at < s.To; i++ {
			end := s.To
			if i+1 < len(starts) {
				end = min(end, starts[i+1])
			}
			spans[i] = joined(spans[i], cells.Span{From: at - starts[i] + skips[i], To: end - starts[i] + skips[i]})
			at = end
		}
	}
	return spans
}

// joined adds a span at the beginning or the end of others.
func joined(spans []cells.Span, s cells.Span) []cells.Span {
	spans = slices.DeleteFunc(spans, func(o cells.Span) bool { return o.From < s.To && s.From < o.To })
	spans = append(spans, s)
	slices.SortFunc(spans, func(a, b cells.Span) int { return a.From - b.From })
	return spans
}

// content is the text of a line without what is drawn around it.
func content(text string) string { return strings.Trim(text, " │▌") }

// goesOn says that a word may be broken between two lines: the first one is
// full, up to a column at the edge and one that is too narrow for a wide
// character, and no space is beside the break.
func goesOn(line, next string) bool {
	text, rest := cells.Text(line), content(cells.Text(next))
	end := strings.TrimRight(text, " ")
	last, _ := utf8.DecodeLastRuneInString(end)
	first, _ := utf8.DecodeRuneInString(rest)
	return len(text)-len(end) <= 2 && inWord(last) && inWord(first)
}

func inWord(r rune) bool { return unicode.In(r, unicode.Letter, unicode.Number, unicode.Mn) }

// holds says that a word is in an entry as it was said.
func (e *entry) holds(word string) bool {
	return e != nil && (strings.Contains(e.Text, word) || strings.Contains(e.Input, word) || strings.Contains(e.Output, word))
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
	drawn := p.list.Block(i).Lines
	line := slices.IndexFunc(p.hits.marks(e, drawn, 0, len(drawn)), func(on []cells.Span) bool { return len(on) > 0 })
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
