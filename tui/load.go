package tui

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"aside/session"
	"aside/tui/intent"

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
	b, ctx, l := m.b, m.o.Context, loaded{drafts: m.drafts}
	r, at := reading{}, spot{}
	if m.current != "" {
		p := m.pageFor(m.current)
		r, at = p.reading(), p.seen()
	}
	return func() tea.Msg {
		if l.threads, l.err = b.Threads(ctx); l.err != nil {
			return l
		}
		if r.thread == "" && len(l.threads) > 0 {
			r.thread = l.threads[0].ID
		}
		l.proposals, l.err = b.Proposals(ctx, true)
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
		return tea.Batch(cmd, m.reload(), m.countChanges())
	}
	return tea.Batch(cmd, m.countChanges())
}

func (m *Model) take(l loaded) (cmd tea.Cmd) {
	first := !m.loaded
	m.loaded = true
	m.threads = l.threads
	m.takeProposals(l.proposals)
	if l.news.thread != "" {
		cmd = l.news.arrive(m)
	}
	for _, t := range m.threads {
		// A draft read while one was being saved may be an older one.
		if l.drafts == m.drafts && (m.pages[t.ID] != nil || t.Draft != "") {
			m.pageFor(t.ID).takeDraft(t.Draft)
		}
	}
	lost := false
	if _, ok := m.thread(m.current); !ok {
		lost = true
		m.current = ""
		if len(m.threads) > 0 {
			m.current = m.threads[0].ID
		}
	}
	m.settleFocus(first, lost)
	return cmd
}

// settleFocus moves a focus that has lost what it was on, or had nothing to be
// on before the first reading; one that the person has moved elsewhere stays.
func (m *Model) settleFocus(first, lost bool) {
	if m.form != nil && m.form.first && len(m.threads) > 0 {
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
	if len(m.threads) == 0 && m.form == nil {
		m.openForm()
	}
}

func (m *Model) takeProposals(ps []session.Proposal) {
	m.offers = m.offers[:0]
	clear(m.props)
	for _, p := range ps {
		m.props[p.ID] = p
		m.offers = append(m.offers, p)
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
	return m.catchUp(m.pageFor(id))
}

// fetchHistory asks for the rows of the scrollback that are to be seen.
func (m *Model) fetchHistory() tea.Cmd {
	if m.current == "" {
		return nil
	}
	p := m.pageFor(m.current)
	term := m.layout().term
	if p.pane.Back() == 0 || p.fetching || term.w == 0 {
		return nil
	}
	from, n := p.pane.Missing(term.h)
	if n == 0 {
		return nil
	}
	p.fetching = true
	b, ctx, id := m.b, m.o.Context, m.current
	return func() tea.Msg {
		rows, err := b.History(ctx, id, session.PaneAgent, from, n)
		return historyCame{thread: id, from: from, rows: rows, err: err}
	}
}

type historyCame struct {
	thread session.ThreadID
	from   int
	rows   []session.Row
	err    error
}

func (h historyCame) arrive(m *Model) tea.Cmd {
	p := m.pageFor(h.thread)
	p.fetching = false
	if h.err != nil || len(h.rows) == 0 {
		p.pane.Follow() // asking again for what cannot be had would never end
		if h.err != nil {
			m.fail(h.err)
		}
		return nil
	}
	p.pane.SetHistory(h.from, h.rows)
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
