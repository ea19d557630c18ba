package tui

import (
	"context"
	"hash/maphash"
	"strconv"
	"strings"
	"time"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/card"
	"aside/tui/intent"
	"aside/tui/transcript"

	tea "charm.land/bubbletea/v2"
)

// cardState is what the screen keeps of a proposal's card.
type cardState struct {
	open    bool
	busy    string
	problem string
	outlook Outlook
	known   bool // the outlook has been asked for
}

func (m *Model) cardFor(id session.ProposalID) *cardState {
	c := m.cards[id]
	if c == nil {
		c = &cardState{}
		m.cards[id] = c
	}
	return c
}

// proposal returns a proposal as it is now: the store's word before what the
// transcript had when it was read.
func (m *Model) proposal(p session.Proposal) session.Proposal {
	if now, ok := m.props[p.ID]; ok {
		return now
	}
	return p
}

// cardView is a card as it is to be drawn.
func (m *Model) cardView(p session.Proposal, focused bool, from string) card.Card {
	st := m.cardFor(p.ID)
	c := card.Card{
		Proposal: p, Outlook: st.outlook.Text, Blocked: st.outlook.Blocked, Open: st.open,
		Focused: focused, Busy: st.busy, Problem: st.problem, From: from,
	}
	if p.Starting && c.Busy == "" {
		c.Busy = "Starting…"
	}
	if t, ok := m.thread(p.StartedThread); ok {
		c.Linked = true
		c.Doing = stateWord(t.State)
	}
	return c
}

// version changes when a card must be drawn again.
func (m *Model) version(c card.Card) uint64 {
	var h maphash.Hash
	h.SetSeed(m.seed)
	p := c.Proposal
	for _, s := range []string{
		string(p.State), string(p.CheckoutMode), string(p.StartedThread), c.Outlook, c.Busy, c.Problem, c.Doing, c.From, p.Title,
	} {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	for _, b := range []bool{c.Open, c.Focused, c.Blocked, c.Linked, p.Withdrawn} {
		if b {
			_ = h.WriteByte(1)
		}
		_ = h.WriteByte(0)
	}
	return h.Sum64() + m.rev
}

// entryItem is an entry in the transcript's list.
type entryItem struct {
	m *Model
	e *entry
}

func (i entryItem) Key() string { return i.e.key }

func (i entryItem) Version() uint64 {
	if i.e.Kind != record.KindProposal {
		return i.m.rev<<32 + i.e.rev
	}
	return i.m.version(i.card())
}

func (i entryItem) card() card.Card {
	p := i.m.proposal(*i.e.Proposal)
	pg := i.m.pages[i.e.Thread]
	focused := i.m.has(intent.ScopeCard) && pg != nil && pg.card == p.ID
	return i.m.cardView(p, focused, "")
}

func (i entryItem) Draw(w int) transcript.Block {
	cw := min(w, readable)
	if i.e.Kind != record.KindProposal {
		return transcript.Block{Lines: widen(i.m.looks.Draw(i.e.Entry, cw), w)}
	}
	c := i.card()
	lines, zones := c.Draw(i.m.th, cw)
	if len(lines) > 2 {
		lines, zones = append([]string{strings.Repeat(" ", cw)}, lines...), lower(zones, 1)
	}
	return transcript.Block{Lines: widen(i.m.settle(lines), w), Zones: zones}
}

// readable is the widest that text is drawn.
const readable = 100

// widen fills lines up to w columns.
func widen(lines []string, w int) []string {
	if w > readable {
		pad := strings.Repeat(" ", w-readable)
		for i := range lines {
			lines[i] += pad
		}
	}
	return lines
}

// lower moves zones down by n lines.
func lower(zones []intent.Zone, n int) []intent.Zone {
	for i := range zones {
		zones[i].Y += n
	}
	return zones
}

// selectCard gives a card of the current thread the focus.
func (m *Model) selectCard(id session.ProposalID) {
	p := m.pageFor(m.current)
	ids, at := p.proposals()
	for i := range ids {
		if ids[i] == id {
			p.card = id
			if !m.has(intent.ScopeTranscript) {
				m.goTranscript(intent.ScopeTranscript)
			}
			m.without(intent.ScopeCard)
			m.push(intent.ScopeCard)
			p.list.SetSize(m.layout().chat.w, m.layout().chat.h)
			p.list.Reveal(at[i])
			return
		}
	}
}

// stepCard goes to the next card, or to the one before; without a focused
// one, to the newest that stands, or the newest of all.
func (m *Model) stepCard(by int) {
	if m.current == "" {
		return
	}
	p := m.pageFor(m.current)
	ids, _ := p.proposals()
	if len(ids) == 0 {
		m.say("there is no card in this transcript", "")
		return
	}
	if m.has(intent.ScopeCard) {
		for i := range ids {
			if ids[i] == p.card {
				m.selectCard(ids[(i+by+len(ids))%len(ids)])
				return
			}
		}
	}
	pick := ids[len(ids)-1]
	for i := len(ids) - 1; i >= 0; i-- {
		if m.props[ids[i]].State == session.ProposalStanding {
			pick = ids[i]
			break
		}
	}
	m.selectCard(pick)
}

// onCard acts on a proposal's card.
func (m *Model) onCard(id session.ProposalID, do intent.Intent) tea.Cmd {
	p, ok := m.props[id]
	if !ok {
		return nil
	}
	st := m.cardFor(id)
	switch do {
	case intent.Start:
		if p.State == session.ProposalStarted {
			return m.openStarted(p)
		}
		return m.start(p, StartOptions{})
	case intent.NotNow:
		b := m.b
		return m.settleCard(p, session.ProposalStanding, session.ProposalDismissed, b.Dismiss)
	case intent.BringBack:
		b := m.b
		return m.settleCard(p, session.ProposalDismissed, session.ProposalStanding, b.Restore)
	case intent.Prompt:
		st.open = !st.open
	case intent.Copy:
		m.say("the prompt is copied", "")
		return tea.SetClipboard(p.Prompt)
	case intent.OpenCard:
		return m.openStarted(p)
	}
	return nil
}

func (m *Model) openStarted(p session.Proposal) tea.Cmd {
	if _, ok := m.thread(p.StartedThread); !ok {
		return nil
	}
	cmd := m.show(p.StartedThread)
	m.goMain()
	return cmd
}

func (m *Model) start(p session.Proposal, o StartOptions) tea.Cmd {
	st := m.cardFor(p.ID)
	if p.State != session.ProposalStanding || st.busy != "" || p.Starting {
		return nil
	}
	st.busy, st.problem = "Starting…", ""
	b, ctx, id := m.b, m.o.Context, p.ID
	return func() tea.Msg {
		thread, err := b.Start(ctx, id, o)
		return startedCame{id: id, thread: thread, shared: o.Shared, err: err}
	}
}

type startedCame struct {
	id     session.ProposalID
	thread session.ThreadID
	shared bool
	err    error
}

func (s startedCame) arrive(m *Model) tea.Cmd {
	st := m.cardFor(s.id)
	st.busy = ""
	if s.err == nil {
		st.open = false
		return m.reload()
	}
	text, hint := explain(s.err)
	st.problem = text
	if hint != "" {
		st.problem += " · " + hint
	}
	if session.CodeOf(s.err) == session.CodeBlocked && !s.shared {
		m.offerShared(s.id, text)
	}
	return m.reload()
}

// offerShared asks whether the project's own work tree will do, where a
// checkout of its own is not possible. It comes seconds after the key, so it
// waits to be gone to.
func (m *Model) offerShared(id session.ProposalID, why string) {
	p, ok := m.props[id]
	if !ok {
		return
	}
	m.asked(AskMsg{Ask: Ask{
		Title: "Start “" + p.Title + "” in the project's own work tree?", Lines: []string{why},
		Yes: "start it there", No: "leave it",
	}})
	last := &m.asks[len(m.asks)-1]
	last.act = func() tea.Cmd { return m.start(m.props[id], StartOptions{Shared: true}) }
}

// settleCard gives or takes back the answer "not now".
func (m *Model) settleCard(p session.Proposal, from, to session.ProposalState, do func(context.Context, session.ProposalID) error) tea.Cmd {
	st := m.cardFor(p.ID)
	if p.State != from || st.busy != "" {
		return nil
	}
	st.busy, st.problem = "…", ""
	ctx := m.o.Context
	return func() tea.Msg {
		return settledCame{id: p.ID, to: to, err: do(ctx, p.ID)}
	}
}

type settledCame struct {
	id  session.ProposalID
	to  session.ProposalState
	err error
}

func (s settledCame) arrive(m *Model) tea.Cmd {
	st := m.cardFor(s.id)
	st.busy = ""
	if s.err != nil {
		text, _ := explain(s.err)
		st.problem = text
		return m.reload()
	}
	st.open = false
	if p, ok := m.props[s.id]; ok {
		// The store is read again, but the card must not look unanswered
		// until it has been.
		p.State = s.to
		m.props[s.id] = p
		for i := range m.offers {
			if m.offers[i].ID == s.id {
				m.offers[i].State = s.to
			}
		}
	}
	return m.reload()
}

// fetchOutlooks asks for the checkout that the visible standing cards would
// get.
func (m *Model) fetchOutlooks() tea.Cmd {
	var cmds []tea.Cmd
	want := func(id session.ProposalID) {
		p, ok := m.props[id]
		if !ok || p.State != session.ProposalStanding || m.cardFor(id).known {
			return
		}
		m.cardFor(id).known = true
		b, ctx := m.b, m.o.Context
		cmds = append(cmds, func() tea.Msg {
			o, err := b.Outlook(ctx, id)
			return outlookCame{id: id, outlook: o, err: err}
		})
	}
	if m.has(intent.ScopeOffers) {
		want(m.offer)
		return tea.Batch(cmds...)
	}
	if m.current == "" || m.layout().chat.w == 0 {
		return nil
	}
	p := m.pageFor(m.current)
	from, to := p.list.Visible()
	ids, at := p.proposals()
	for i := range ids {
		if at[i] >= from && at[i] < to {
			want(ids[i])
		}
	}
	return tea.Batch(cmds...)
}

type outlookCame struct {
	id      session.ProposalID
	outlook Outlook
	err     error
}

func (o outlookCame) arrive(m *Model) tea.Cmd {
	if o.err == nil {
		m.cardFor(o.id).outlook = o.outlook // without it the card lacks a chip, no more
	}
	return nil
}

// ago is an age in its largest unit.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + "d"
}
