package tui

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
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
	busy    string // what is under way, or ""
	problem string
	cancel  context.CancelFunc // ends the start that is under way
	outlook Outlook
	asked   time.Time  // when the outlook was asked for
	form    *startForm // what the person makes of it before it is started
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
	if f := st.form; f != nil && p.State == session.ProposalStanding {
		// What is on the card is what would be started.
		o := f.options()
		c.Proposal.Title, c.Proposal.Prompt = cmp.Or(o.Title, p.Title), cmp.Or(o.Prompt, p.Prompt)
		c.Choice = f.choice()
		if s := f.outlook(); s != "" {
			c.Outlook, c.Blocked = s, c.Blocked && !o.Shared
		}
	}
	if c.Outlook == "" {
		// Its line is there before it is known, so that no button moves from
		// under a pointer.
		c.Outlook = "…"
	}
	if p.Starting && c.Busy == "" {
		c.Busy = starting
	}
	if c.Busy == starting {
		c.Busy = m.startStep(p.ID)
		c.Stops = st.cancel != nil
	}
	if t, ok := m.thread(p.StartedThread); ok {
		c.Linked = true
		c.Doing = m.stateOf(t)
	}
	return c
}

// starting is what a card is busy with while its thread is started.
const starting = "Starting…"

// startStep says what the start of an offer is at.
func (m *Model) startStep(id session.ProposalID) string {
	for _, t := range m.threads {
		if by := t.ProposedBy; by != nil && by.Proposal == id && m.steps[t.ID] != "" {
			return "Starting: " + m.steps[t.ID] + "…"
		}
	}
	return starting
}

// stepped takes what a start is at.
func (m *Model) stepped(msg StepMsg) tea.Cmd {
	doing := session.CleanLine(msg.Doing)
	if doing == "" {
		delete(m.steps, msg.Thread)
		return nil
	}
	m.steps[msg.Thread] = doing
	if t, ok := m.thread(msg.Thread); m.form != nil && m.form.busy && (!ok || t.ProposedBy == nil) {
		m.form.doing = doing
	}
	return nil
}

// version changes when a card must be drawn again.
func (m *Model) version(c card.Card) uint64 {
	var h maphash.Hash
	h.SetSeed(m.seed)
	p := c.Proposal
	for _, s := range []string{
		string(p.State), string(p.CheckoutMode), string(p.StartedThread), c.Outlook, c.Busy, c.Problem, c.Doing, c.From, p.Title, c.Choice,
	} {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	if c.Choice != "" {
		_, _ = h.WriteString(p.Prompt)
	}
	for _, b := range []bool{c.Open, c.Focused, c.Blocked, c.Linked, c.Stops, p.Withdrawn} {
		if b {
			_ = h.WriteByte(1)
		}
		_ = h.WriteByte(0)
	}
	return h.Sum64() + m.rev
}

// entryItem is an entry in the transcript's list.
type entryItem struct {
	m    *Model
	e    *entry
	next record.Kind // of the entry after it, or ""
}

func (i entryItem) Key() string { return i.e.key }

func (i entryItem) Version() uint64 {
	if i.e.Kind != record.KindProposal {
		v := i.m.rev<<32 + i.e.rev<<1
		if i.open() {
			v++
		}
		return v
	}
	v := i.m.version(i.card())
	if i.spaced() {
		v++
	}
	return v
}

// open says that the use of a tool shows what is inside: as all do, or the
// other way round.
func (i entryItem) open() bool {
	pg := i.m.pages[i.e.Thread]
	return i.e.Kind == record.KindTool && pg != nil && i.e.turned != pg.details
}

// spaced says that the entry after an open card brings no space of its own.
func (i entryItem) spaced() bool {
	switch i.next {
	case record.KindPrompt, record.KindAssistant, record.KindProposal, "":
		return false
	}
	return true
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
		return transcript.Block{Lines: widen(i.m.looks.Draw(i.e.Entry, cw, i.open()), w)}
	}
	c := i.card()
	lines, zones := c.Draw(i.m.th, cw)
	if len(lines) > 2 {
		blank := strings.Repeat(" ", cw)
		lines, zones = append([]string{blank}, lines...), lower(zones, 1)
		if i.spaced() {
			lines = append(lines, blank)
		}
	}
	return transcript.Block{Lines: widen(i.m.settle(lines), w), Zones: zones}
}

// markItem is a quiet line in the transcript's list.
type markItem struct {
	m     *Model
	of    string // what it stands by
	text  string
	apart bool // a blank line is above it
}

func (i markItem) Key() string     { return i.of + " " + i.text }
func (i markItem) Version() uint64 { return i.m.rev }

func (i markItem) Draw(w int) transcript.Block {
	lines := []string{i.m.looks.Mark(i.text, w)}
	if i.apart {
		lines = append([]string{strings.Repeat(" ", w)}, lines...)
	}
	return transcript.Block{Lines: lines}
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
	i := slices.Index(ids, id)
	if i < 0 {
		return
	}
	p.card, p.cursor = id, p.shown[at[i]].ID
	if !m.has(intent.ScopeTranscript) {
		m.goTranscript(intent.ScopeTranscript)
	}
	m.without(intent.ScopeCard)
	m.push(intent.ScopeCard)
	l := m.layout()
	r := m.listRect(l)
	p.list.SetSize(r.w, r.h)
	p.list.Reveal(at[i])
}

// stepCard goes to the next card, or to the one before; without a focused
// one, to the newest that stands, or the newest of all.
func (m *Model) stepCard(by int) tea.Cmd {
	if m.current == "" {
		return nil
	}
	p := m.pageFor(m.current)
	ids, at := p.proposals()
	focused := -1
	if m.has(intent.ScopeCard) {
		focused = slices.Index(ids, p.card)
	}
	to := focused + by
	switch {
	case focused < 0 && len(ids) > 0:
		to = len(ids) - 1
		for i, id := range ids {
			if m.props[id].State == session.ProposalStanding {
				to = i
			}
		}
	case to >= 0 && to < len(ids):
	case p.whole() && len(ids) > 0:
		to = (to + len(ids)) % len(ids)
	default:
		q := record.Seek{Thread: p.thread, Kind: record.KindProposal, Back: by < 0 || focused < 0, Limit: 1}
		if focused >= 0 {
			q.From = p.shown[at[focused]].ID
		}
		return m.readToCard(p, q)
	}
	m.selectCard(ids[to])
	return nil
}

// readToCard goes to the card that is sought, unless the person has gone
// elsewhere when it has been read.
func (m *Model) readToCard(p *page, q record.Seek) tea.Cmd {
	scope := m.top()
	return m.readTo(p, spot{seek: &q}, func(id int64) {
		if i := p.index(id); i >= 0 && p.thread == m.current && m.top() == scope {
			m.selectCard(p.shown[i].Proposal.ID)
		}
	})
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
		o := StartOptions{}
		if st.form != nil {
			o = st.form.options()
		}
		return m.start(p, o)
	case intent.Edit:
		return m.openStart(p, rowTitle)
	case intent.Choose:
		return m.openStart(p, rowCheckout)
	case intent.Cancel:
		if st.cancel != nil {
			st.cancel()
		}
	case intent.NotNow:
		b := m.b
		return m.settleCard(p, session.ProposalStanding, session.ProposalDismissed, b.Dismiss)
	case intent.BringBack:
		b := m.b
		return m.settleCard(p, session.ProposalDismissed, session.ProposalStanding, b.Restore)
	case intent.Prompt:
		st.open = !st.open
		m.revealCard(id)
	case intent.Copy:
		m.say("the prompt is copied", "")
		return clip(m.cardView(p, false, "").Proposal.Prompt)
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
	st.busy, st.problem = starting, ""
	// A start that is cancelled ends truthfully at every step: until the
	// prompt is written down the offer stands again, after that the prompt is
	// the thread's draft.
	ctx, cancel := context.WithCancel(m.o.Context)
	st.cancel = cancel
	b, id := m.b, p.ID
	return func() tea.Msg {
		defer cancel()
		thread, err := b.Start(ctx, id, o)
		return startedCame{id: id, thread: thread, options: o, err: err}
	}
}

type startedCame struct {
	id      session.ProposalID
	thread  session.ThreadID
	options StartOptions
	err     error
}

func (s startedCame) arrive(m *Model) tea.Cmd {
	st := m.cardFor(s.id)
	st.busy, st.cancel = "", nil
	delete(m.steps, s.thread)
	if s.err == nil {
		st.open, st.form = false, nil
		return m.reload()
	}
	st.problem = explained(s.err)
	if session.CodeOf(s.err) == session.CodeBlocked && !s.options.Shared {
		why, _ := explain(s.err)
		m.offerShared(s.id, s.options, why)
	}
	m.revealCard(s.id)
	return m.reload()
}

// offerShared asks whether the project's own work tree will do, where a
// checkout of its own is not possible. It comes seconds after the key, so it
// waits to be gone to.
func (m *Model) offerShared(id session.ProposalID, o StartOptions, why string) {
	p, ok := m.props[id]
	if !ok {
		return
	}
	m.asked(AskMsg{Ask: Ask{
		Title: "Start “" + p.Title + "” in the project's own work tree?", Lines: []string{why},
		Yes: "start it there", No: "leave it",
	}})
	last := &m.asks[len(m.asks)-1]
	o.Shared, o.Base, o.Carry = true, "", false
	last.act = func() tea.Cmd { return m.start(m.props[id], o) }
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
	m.revealCard(s.id)
	return m.reload()
}

// revealCard shows the focused card whole after it has changed its size.
func (m *Model) revealCard(id session.ProposalID) {
	switch {
	case m.has(intent.ScopeOffers) && m.offer == id:
		m.revealOffer()
	case m.has(intent.ScopeCard) && m.current != "" && m.pageFor(m.current).card == id:
		p := m.pageFor(m.current)
		ids, at := p.proposals()
		if i := slices.Index(ids, id); i >= 0 {
			p.list.Reveal(at[i])
		}
	}
}

// outlookTime is how long a card's outlook is believed: what is committed and
// what is not changes under it.
const outlookTime = 20 * time.Second

// fetchOutlooks asks for the checkout that the visible standing cards would
// get.
func (m *Model) fetchOutlooks() tea.Cmd {
	var cmds []tea.Cmd
	now := m.o.Now()
	want := func(id session.ProposalID) {
		p, ok := m.props[id]
		st := m.cardFor(id)
		if !ok || p.State != session.ProposalStanding || !st.asked.IsZero() && now.Sub(st.asked) < outlookTime {
			return
		}
		st.asked = now
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
	first, _ := slices.BinarySearch(at, from)
	for i := first; i < len(ids) && at[i] < to; i++ {
		want(ids[i])
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
	unit := ageUnit(d)
	n := strconv.Itoa(int(d / unit))
	switch {
	case d < time.Minute:
		return "now"
	case unit == time.Minute:
		return n + "m"
	case unit == time.Hour:
		return n + "h"
	}
	return n + "d"
}

// ageUnit is the unit in which an age is told; until it has grown by one, it
// is told the same.
func ageUnit(d time.Duration) time.Duration {
	switch {
	case d < time.Hour:
		return time.Minute
	case d < 24*time.Hour:
		return time.Hour
	}
	return 24 * time.Hour
}
