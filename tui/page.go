package tui

import (
	"strconv"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/composer"
	"aside/tui/terminal"
	"aside/tui/transcript"
)

// view is what is shown of a thread.
type view int

const (
	viewDefault view = iota
	viewTerminal
	viewTranscript
	viewSplit
)

// page is what the screen keeps of one thread.
type page struct {
	thread  session.ThreadID
	view    view
	pane    *terminal.Pane
	list    *transcript.List
	entries []*entry
	shown   []*entry // those in the list
	// sought is the item that was jumped to last, and soughtTop what was at
	// the top then.
	sought, soughtTop int
	more              bool // older entries may be had
	paging            bool // and have been asked for
	fetching          bool // rows of the scrollback have been asked for
	field             *composer.Field
	recall            recall
	saved             string // the draft as the store has it
	saving            bool   // and is being told
	sending           bool
	details           bool               // the uses of tools are open
	found             found              // what was looked for in the terminal
	card              session.ProposalID // the focused one
	goal              session.ProposalID // the one to focus when it has been read
	seek              bool               // the card before the first is wanted, and being read
	ids               []session.ProposalID
	at                []int // the place of each of ids in the list
}

// entry is an entry and how often it has changed.
type entry struct {
	record.Entry
	key    string
	rev    uint64
	turned bool // a tool's use is shown the other way than all are
}

func (m *Model) pageFor(id session.ThreadID) *page {
	p := m.pages[id]
	if p == nil {
		p = &page{
			thread: id, pane: terminal.New(), list: transcript.NewList(),
			field: composer.New("Write to the agent", 8), more: true,
		}
		m.pages[id] = p
	}
	return p
}

// pageLimit is how many entries are asked for at once.
const pageLimit = 200

// merge takes the newest entries of the thread as they are now. What is older
// stays; what is the same stays drawn.
func (p *page) merge(news []record.Entry) {
	at := len(p.entries)
	if len(news) > 0 {
		for at = len(p.entries); at > 0; at-- {
			if p.entries[at-1].ID == news[0].ID {
				at--
				break
			}
		}
		if at == 0 && len(p.entries) > 0 && p.entries[0].ID != news[0].ID {
			p.more = true // they do not join: begin again
		}
	}
	old := make(map[int64]*entry, len(p.entries)-at)
	for _, e := range p.entries[at:] {
		old[e.ID] = e
	}
	entries := p.entries[:at:at]
	for _, n := range news {
		entries = append(entries, keep(old[n.ID], n))
	}
	p.entries = entries
	if len(news) < pageLimit && at == 0 {
		p.more = false
	}
}

// older takes entries from before the first.
func (p *page) older(olds []record.Entry) {
	p.paging = false
	p.more = len(olds) >= pageLimit
	entries := make([]*entry, 0, len(olds)+len(p.entries))
	for _, o := range olds {
		entries = append(entries, keep(nil, o))
	}
	p.entries = append(entries, p.entries...)
}

func keep(e *entry, n record.Entry) *entry {
	if e == nil {
		return &entry{Entry: n, key: strconv.FormatInt(n.ID, 36)}
	}
	if e.Text != n.Text || e.Output != n.Output || e.Input != n.Input || e.Failed != n.Failed || e.Outcome != n.Outcome {
		e.rev++
	}
	e.Entry = n
	return e
}

// items gives the list its items, and notes where its cards are.
func (p *page) items(m *Model) {
	items := make([]transcript.Item, 0, len(p.entries))
	p.shown = p.shown[:0]
	p.ids, p.at = p.ids[:0], p.at[:0]
	for i, e := range p.entries {
		if e.Kind == record.KindProposal {
			if e.Proposal == nil {
				continue
			}
			p.ids, p.at = append(p.ids, e.Proposal.ID), append(p.at, len(items))
		}
		it := entryItem{m: m, e: e}
		if i+1 < len(p.entries) {
			it.next = p.entries[i+1].Kind
		}
		items = append(items, it)
		p.shown = append(p.shown, e)
	}
	p.list.SetItems(items)
}

// proposals returns the ids of the page's cards, in their order, with the
// place of each in the list.
func (p *page) proposals() (ids []session.ProposalID, at []int) { return p.ids, p.at }

// view returns what is shown of the current thread.
func (m *Model) view() view {
	if m.current == "" {
		return viewTranscript
	}
	v := m.pageFor(m.current).view
	w := m.w - m.sideWidth()
	switch {
	case v == viewDefault && m.w >= splitDefault:
		return viewSplit
	case v == viewDefault:
		// A terminal that has been shown stays, so that its end can be read.
		if t, ok := m.thread(m.current); ok && !t.Live && !m.pageFor(m.current).pane.Live() {
			return viewTranscript
		}
		return viewTerminal
	case v == viewSplit && w < splitLeast:
		return viewTerminal
	}
	return v
}

// cycleView goes to the next view. It is kept for the thread.
func (m *Model) cycleView() {
	if m.current == "" {
		return
	}
	p := m.pageFor(m.current)
	switch m.view() {
	case viewTerminal:
		p.view = viewTranscript
	case viewTranscript:
		p.view = viewSplit
		if m.w-m.sideWidth() < splitLeast {
			p.view = viewTerminal
		}
	default:
		p.view = viewTerminal
	}
	m.goMain()
}
