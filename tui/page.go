package tui

import (
	"slices"
	"time"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/composer"
	"aside/tui/panes"
	"aside/tui/transcript"
)

// view is what is shown of a thread, as it is remembered.
type view string

const (
	viewDefault    view = "" // by the width of the window
	viewTerminal   view = "terminal"
	viewTranscript view = "transcript"
	viewSplit      view = "split"
)

// page is what the screen keeps of one thread.
type page struct {
	thread session.ThreadID
	view   view
	panes  map[session.PaneID]*pane
	layout session.Layout // of the panes
	// unplaced says that the panes may be others than those in the layout;
	// wanted gets the focus once it is in it, revealed are to be seen then.
	unplaced bool
	wanted   session.PaneID
	revealed []session.PaneID

	visited bool // the transcript is shown only because it was gone to
	usual   view // what was shown before that

	list *transcript.List
	stretch
	shown    []*entry // those in the list; nil is a line between them
	cursor   int64    // the entry that was gone to last
	hits     hits     // what was looked for in it
	readings int      // of parts that take the place of what there is
	jumping  waiting  // for such a part
	paging   waiting  // for what is before or behind it
	stuck    bool     // more of it cannot be had for now
	field    *composer.Field
	recall   recall
	saved    string             // the draft as the store has it
	saving   bool               // and is being told
	resave   bool               // what was written since is to be kept too
	sending  string             // the prompt that is under way, "" when none is
	details  bool               // the uses of tools are open
	card     session.ProposalID // the focused one
	ids      []session.ProposalID
	at       []int // the place of each of ids in the list
}

func (m *Model) pageFor(id session.ThreadID) *page {
	p := m.pages[id]
	if p == nil {
		p = &page{
			thread: id, view: m.views[id], panes: map[session.PaneID]*pane{}, layout: panes.Single(), list: transcript.NewList(),
			field: composer.New("Write to the agent", 8),
		}
		p.placeAnew(m.layouts[id])
		m.pages[id] = p
	}
	return p
}

// items gives the list its items, and notes where its cards are.
func (p *page) items(m *Model) {
	items := make([]transcript.Item, 0, len(p.entries)+len(p.turns))
	p.shown, p.ids, p.at = p.shown[:0], p.ids[:0], p.at[:0]
	add := func(it transcript.Item, e *entry) {
		items, p.shown = append(items, it), append(p.shown, e)
	}
	ends := p.turnEnds()
	now := m.o.Now()
	for i, e := range p.entries {
		if passed := p.passed(i, now); passed != "" {
			add(markItem{m: m, of: "before " + e.key, text: passed, apart: true}, nil)
		}
		it := entryItem{m: m, e: e}
		if i+1 < len(p.entries) {
			it.next = p.entries[i+1].Kind
		}
		took, ended := ends[i]
		if ended {
			it.next = record.KindNotice // the mark brings no space of its own either
		}
		switch {
		case e.Kind != record.KindProposal:
			add(it, e)
		case e.Proposal != nil:
			p.ids, p.at = append(p.ids, e.Proposal.ID), append(p.at, len(items))
			add(it, e)
		}
		if ended {
			add(markItem{m: m, of: "end " + string(e.Turn), text: took}, nil)
		}
	}
	p.list.SetItems(items, !p.later)
}

// passed is the time that is said before an entry.
func (p *page) passed(i int, now time.Time) string {
	var before time.Time
	switch {
	case i > 0:
		before = p.entries[i-1].At
	case p.earlier:
		return "" // what is before it is not there yet
	}
	return transcript.Passed(before, p.entries[i].At, now)
}

// turnEnds says behind which entries a turn has ended, and how long it took.
func (p *page) turnEnds() map[int]string {
	last := make(map[session.TurnID]int, len(p.turns))
	for i, e := range p.entries {
		if _, ended := p.turns[e.Turn]; ended {
			last[e.Turn] = i
		}
	}
	ends := make(map[int]string, len(last))
	for id, i := range last {
		if i < len(p.entries)-1 || !p.later { // else more of it may follow
			ends[i] = transcript.Took(p.turns[id].EndedAt.Sub(p.turns[id].StartedAt))
		}
	}
	return ends
}

// index returns the place of an entry in the list, or -1.
func (p *page) index(id int64) int {
	return slices.IndexFunc(p.shown, func(e *entry) bool { return e != nil && e.ID == id })
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
		if t, ok := m.thread(m.current); ok && !t.Live && !m.pageFor(m.current).pane(session.PaneAgent).term.Live() {
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
	p.visited = false
	switch m.view() {
	case viewTerminal:
		p.view = viewTranscript
	case viewTranscript:
		p.view = viewSplit
		if m.w < splitLeast {
			p.view = viewTerminal
		}
	default:
		p.view = viewTerminal
	}
	m.goMain()
}
