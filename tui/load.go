package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/transcript"

	tea "charm.land/bubbletea/v2"
)

// reload asks for all that may have changed: one request at a time, and one
// more when something changed meanwhile.
func (m *Model) reload() tea.Cmd {
	if m.loading {
		m.stale = true
		return nil
	}
	m.loading = true
	b, ctx, first, l := m.b, m.o.Context, !m.loaded, loaded{shown: m.current, drafts: m.drafts}
	r, at := reading{}, spot{}
	if m.current != "" {
		p := m.pageFor(m.current)
		r, at = p.reading(), p.seen()
	}
	return func() tea.Msg {
		if first {
			if l.left, l.err = b.Remembered(ctx); l.err != nil {
				return l
			}
		}
		if l.threads, l.err = b.Threads(ctx, l.shown); l.err != nil {
			return l
		}
		if r.thread == "" {
			r.thread = opening(l.threads, b.Project(), l.left.Thread)
		}
		l.proposals, l.err = b.Proposals(ctx)
		if l.err == nil && r.thread != "" {
			l.news = r.fetch(ctx, b, at)
		}
		if session.CodeOf(l.news.err) == session.CodeNotFound {
			l.news = news{} // the thread has been removed; the list says so
		}
		return l
	}
}

type loaded struct {
	left      session.Remembered // at the first time
	shown     session.ThreadID   // Model.current when it was asked for
	threads   []session.Thread
	proposals []session.Proposal
	news      news // of the current thread
	drafts    int  // Model.drafts when it was asked for
	err       error
}

func (l loaded) arrive(m *Model) tea.Cmd {
	m.loading = false
	var cmd tea.Cmd
	if l.err != nil {
		m.fail(l.err)
	} else {
		cmd = m.take(l)
	}
	if m.stale {
		m.stale = false
		return tea.Batch(cmd, m.reload())
	}
	return cmd
}

func (m *Model) take(l loaded) (cmd tea.Cmd) {
	first := !m.loaded
	m.loaded = true
	if first {
		m.takeLeft(l.left)
	}
	m.threads = l.threads
	m.places = make(map[session.ThreadID]int, len(m.threads))
	for i := range m.threads {
		m.places[m.threads[i].ID] = i
	}
	m.takeProposals(l.proposals)
	if l.news.thread != "" {
		cmd = l.news.arrive(m)
	}
	for id, panes := range m.panes {
		if t, ok := m.thread(id); len(panes) > 0 && (!ok || !t.Live) {
			m.panesCame(PanesMsg{Thread: id}) // they have gone with their helper
		}
	}
	for i := range m.threads {
		// A draft read while one was being saved may be an older one.
		if t := &m.threads[i]; l.drafts == m.drafts && (m.pages[t.ID] != nil || t.Draft != "") {
			m.pageFor(t.ID).takeDraft(t.Draft)
		}
	}
	lost := false
	// One that has come to be shown since then may not have been read yet.
	if _, ok := m.thread(m.current); !ok && m.current == l.shown {
		lost = true
		if m.current = m.beside(m.current); m.current == "" {
			m.current = opening(m.threads, m.b.Project(), l.left.Thread)
		}
	}
	m.tallies.wanted = true
	m.settleFocus(first, lost)
	return cmd
}

// takeLeft takes how the screen was left the last time, where the person has
// not chosen otherwise before it was read.
func (m *Model) takeLeft(left session.Remembered) {
	for id, v := range left.Views {
		switch v := view(v); v {
		case viewTerminal, viewTranscript, viewSplit:
			m.views[id] = v
		}
	}
	for id, p := range m.pages {
		p.view = cmp.Or(p.view, m.views[id])
	}
	m.noSidebar = m.noSidebar || left.ListHidden
	m.kept = keeping{thread: left.Thread, hidden: left.ListHidden}
}

// hasOwn says that the project has a thread that is not archived.
func (m *Model) hasOwn() bool {
	for i := range m.threads {
		if t := &m.threads[i]; t.Project == m.b.Project() && !t.Archived {
			return true
		}
	}
	return false
}

// settleFocus moves a focus that has lost what it was on, or had nothing to be
// on before the first reading; one that the person has moved elsewhere stays.
func (m *Model) settleFocus(first, lost bool) {
	if m.form != nil && m.form.first && m.hasOwn() {
		m.form.first = false // a thread was made elsewhere; what is written here stays
		if m.form.field.Text() == "" {
			m.form = nil
			m.goMain()
			return
		}
	}
	switch m.focus[0] {
	case intent.ScopeNew, intent.ScopeOffers:
	case intent.ScopeSidebar:
		if first {
			m.goMain()
		}
	default:
		if lost {
			m.goMain()
		}
	}
	if m.current == "" && m.form == nil {
		m.openForm()
	}
}

// takeProposals takes those of the threads that the screen has. The list of
// offers is the project's.
func (m *Model) takeProposals(ps []session.Proposal) {
	m.offers = m.offers[:0]
	clear(m.props)
	clear(m.offered)
	for _, p := range ps {
		t, ok := m.thread(p.Thread)
		if !ok {
			continue
		}
		m.props[p.ID] = p
		if p.State == session.ProposalStanding {
			m.offered[t.ID]++
		}
		if t.Project == m.b.Project() {
			m.offers = append(m.offers, p)
		}
	}
	slices.SortStableFunc(m.offers, func(a, b session.Proposal) int {
		if a, b := a.State == session.ProposalStanding, b.State == session.ProposalStanding; a != b {
			if a {
				return -1
			}
			return 1
		}
		return cmp.Compare(since(b), since(a))
	})
	m.listOffers()
}

// since is what the offers are ordered by: when it was decided or offered.
func since(p session.Proposal) int64 {
	if p.DecidedAt.IsZero() {
		return p.OfferedAt.UnixNano()
	}
	return p.DecidedAt.UnixNano()
}

// standing returns the standing offers, the newest first.
func (m *Model) standing() []session.Proposal {
	n := 0
	for n < len(m.offers) && m.offers[n].State == session.ProposalStanding {
		n++
	}
	return m.offers[:n]
}

// show makes a thread the current one. What is new in it is asked for.
func (m *Model) show(id session.ThreadID) tea.Cmd {
	if id == "" || id == m.current && m.loaded && len(m.pageFor(id).entries) > 0 {
		return nil
	}
	m.current = id
	m.forgetOld(id)
	return m.catchUp(m.pageFor(id))
}

// keptPages is how many threads' transcripts are kept.
const keptPages = 8

// forgetOld notes that a thread is shown, and forgets the transcript of the one
// that has not been for the longest time; it is read again when it is.
func (m *Model) forgetOld(shown session.ThreadID) {
	m.visited = append(slices.DeleteFunc(m.visited, func(id session.ThreadID) bool { return id == shown }), shown)
	if len(m.visited) <= keptPages {
		return
	}
	p := m.pageFor(m.visited[0])
	m.visited = m.visited[1:]
	p.jumping.end()
	p.paging.end()
	p.readings++
	p.stretch, p.list = stretch{looks: p.looks}, transcript.NewList()
	p.items(m)
}

// fetchHistory asks for the rows of the scrollback that are to be seen.
func (m *Model) fetchHistory() tea.Cmd {
	if m.current == "" {
		return nil
	}
	var cmds []tea.Cmd
	for _, at := range m.layout().panes.Panes {
		p := m.pageFor(m.current).pane(at.Pane)
		if p.term.Back() == 0 || p.fetching {
			continue
		}
		from, n := p.term.Missing(at.H)
		if n == 0 {
			continue
		}
		p.fetching = true
		b, id := m.b, m.current
		cmds = append(cmds, m.works("reading what was shown before", true, func(ctx context.Context) tea.Msg {
			rows, err := b.History(ctx, id, at.Pane, from, n)
			return historyCame{thread: id, pane: at.Pane, from: from, rows: rows, err: err}
		}))
	}
	return tea.Batch(cmds...)
}

type historyCame struct {
	thread session.ThreadID
	pane   session.PaneID
	from   int
	rows   []session.Row
	err    error
}

func (h historyCame) arrive(m *Model) tea.Cmd {
	p := m.pageFor(h.thread).pane(h.pane)
	p.fetching = false
	if h.err != nil || len(h.rows) == 0 {
		p.term.Follow() // asking again for what cannot be had would never end
		if h.err != nil {
			m.fail(h.err)
		}
		return nil
	}
	p.term.SetHistory(h.from, h.rows)
	return nil
}

// noticeTime is how long a sentence is shown.
const noticeTime = 6 * time.Second

// say shows a sentence for a moment.
func (m *Model) say(text, hint string) {
	text = session.CleanLine(text)
	if hint = session.CleanLine(hint); hint != "" {
		text += " · " + hint
	}
	m.notice = flash{text: text, until: m.o.Now().Add(noticeTime)}
}

// titleInNotice is how many columns the title of a thread takes at most before
// what it says.
const titleInNotice = 32

// saidBy shows a notice with the thread it comes from: what a program tells must
// be told from what the screen says.
func (m *Model) saidBy(n NoticeMsg) {
	text := n.Text
	if t, ok := m.thread(n.Thread); ok {
		text = cells.Cut(session.CleanLine(t.Title), titleInNotice) + ": " + text
	}
	m.say(text, n.Hint)
}

// fail shows what went wrong.
func (m *Model) fail(err error) {
	if m.o.Context.Err() != nil {
		return // the screen is closing
	}
	text, hint := explain(err)
	m.say("! "+text, hint)
}

// explain returns the sentence of an error, and its hint.
func explain(err error) (text, hint string) {
	var e *session.Error
	if errors.As(err, &e) {
		return e.Message, e.Hint
	}
	return err.Error(), ""
}

// explained is an error's sentence with its hint behind it.
func explained(err error) string {
	text, hint := explain(err)
	if hint == "" {
		return text
	}
	return text + " · " + hint
}
