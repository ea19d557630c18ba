package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	"aside/session"
	record "aside/session/transcript"

	tea "charm.land/bubbletea/v2"
)

// What is read around an entry that is gone to.
const (
	aroundBefore = 100
	aroundBehind = 200
)

// spot is a place in a thread; the zero value is its end.
type spot struct {
	start bool
	entry int64
	// seek, if it is there, names the entry: the first that is found, from the
	// thread's other end when there is none on.
	seek *record.Seek
}

// reading is one reading of a thread, and what the page was when it was asked
// for.
type reading struct {
	thread   session.ThreadID
	turn     int // page.readings
	revision int64
	missed   int
	open     []session.TurnID
}

func (p *page) reading() reading {
	return reading{thread: p.thread, turn: p.readings, revision: p.revision, missed: p.missed, open: p.open()}
}

// news are what has changed in a thread since the page was read; of a page that
// has not been read, or of which too much has changed, a part anew.
type news struct {
	reading
	part
	whole bool
	err   error
}

// fetch reads what is new, or else the thread around a spot.
func (r reading) fetch(ctx context.Context, b Backend, at spot) news {
	n := news{reading: r}
	if r.revision != 0 {
		n.entries, n.part.revision, n.err = b.EntriesSince(ctx, r.thread, r.revision, keptEntries)
		if n.err == nil && len(n.entries) < keptEntries {
			n.err = n.addTurns(ctx, b, r.thread, r.open)
		}
		if n.err != nil || len(n.entries) < keptEntries {
			return n
		}
	}
	n.whole = true
	n.part, _, n.err = readPart(ctx, b, r.thread, at)
	return n
}

// addTurns reads the turns of a part's entries, and further ones.
func (p *part) addTurns(ctx context.Context, b Backend, id session.ThreadID, more []session.TurnID) (err error) {
	ids, seen := slices.Clone(more), map[session.TurnID]bool{"": true}
	for _, id := range more {
		seen[id] = true
	}
	for _, e := range p.entries {
		if !seen[e.Turn] {
			seen[e.Turn] = true
			ids = append(ids, e.Turn)
		}
	}
	if len(ids) > 0 {
		p.turns, err = b.Turns(ctx, id, ids)
	}
	return err
}

// errNotFound says that there is no entry of the kind that was sought.
var errNotFound = errors.New("not found")

// readPart reads a part of a thread, and returns the id of the entry that it is
// around.
func readPart(ctx context.Context, b Backend, id session.ThreadID, at spot) (p part, entry int64, err error) {
	if p.revision, err = b.Revision(ctx); err != nil {
		return p, 0, err
	}
	if at.seek != nil {
		if at.entry, err = seek(ctx, b, *at.seek); err != nil {
			return p, 0, err
		}
	}
	switch {
	case at.entry != 0:
		p.entries, err = b.EntriesAround(ctx, id, at.entry, aroundBefore, aroundBehind)
		for i, e := range p.entries {
			if e.ID == at.entry {
				p.earlier, p.later = i == aroundBefore, len(p.entries)-i-1 == aroundBehind
			}
		}
	case at.start:
		p.entries, err = b.EntriesAfter(ctx, id, 0, pageLimit)
		p.later = len(p.entries) == pageLimit
	default:
		p.entries, err = b.Entries(ctx, id, 0, pageLimit)
		p.earlier = len(p.entries) == pageLimit
	}
	if err == nil {
		err = p.addTurns(ctx, b, id, nil)
	}
	return p, at.entry, err
}

// seek returns the id of the entry that is sought.
func seek(ctx context.Context, b Backend, q record.Seek) (int64, error) {
	for {
		found, err := b.Seek(ctx, q)
		switch {
		case err != nil:
			return 0, err
		case len(found) > 0:
			return found[0].ID, nil
		case q.From == 0:
			return 0, errNotFound
		}
		q.From = 0
	}
}

// catchUp reads what is new in a thread.
func (m *Model) catchUp(p *page) tea.Cmd {
	b, ctx, r, at := m.b, m.o.Context, p.reading(), p.seen()
	return func() tea.Msg { return r.fetch(ctx, b, at) }
}

// seen is the spot that the page shows.
func (p *page) seen() spot {
	if from, to := p.list.Visible(); !p.list.Following() {
		for i := from; i < to && i < len(p.shown); i++ {
			if e := p.shown[i]; e != nil {
				return spot{entry: e.ID}
			}
		}
	}
	return spot{}
}

// holds says that a spot that a page has seen is in the part.
func (p part) holds(at spot) bool {
	if at.entry == 0 {
		return !p.later
	}
	return slices.ContainsFunc(p.entries, func(e record.Entry) bool { return e.ID == at.entry })
}

func (n news) arrive(m *Model) tea.Cmd {
	p := m.pageFor(n.thread)
	switch {
	case n.err != nil:
		m.fail(n.err)
		return nil
	case n.turn != p.readings:
		return nil // another part is being read in its place, or has been
	case n.part.revision < p.revision:
		return nil // it is older than what the page has
	case n.whole && !n.holds(p.seen()):
		return m.catchUp(p) // the person has gone elsewhere since it was asked for
	case n.whole:
		p.replace(n.part)
	default:
		p.change(n.part, p.seen())
		p.recall.renew(n.entries)
	}
	p.stuck = false
	p.items(m)
	return nil
}

// replace makes a part of the thread what the page has. What was sent meanwhile
// need not be in it.
func (p *page) replace(with part) {
	p.take(with)
	p.recall.forget()
}

// readTo goes to a spot of a thread and calls then with the entry that is
// there: at once if the page has it, else when it has been read.
func (m *Model) readTo(p *page, at spot, then func(entry int64)) tea.Cmd {
	if at.seek == nil && at.entry != 0 && p.index(at.entry) >= 0 {
		then(at.entry)
		return m.stay(p)
	}
	p.readings++
	p.paging.end()
	p.jumping.end()
	ctx, b, r := m.begins(&p.jumping), m.b, p.reading()
	return func() tea.Msg {
		came := jumped{reading: r, then: then}
		came.part, came.entry, came.err = readPart(ctx, b, r.thread, at)
		came.err = stopped(ctx, came.err)
		return came
	}
}

// stay gives up a reading of another part, since the person has gone to what the
// page has. What was on its way belongs to that reading, and is asked for again.
func (m *Model) stay(p *page) tea.Cmd {
	if p.jumping.cancel == nil {
		return nil
	}
	p.readings++
	p.jumping.end() // nothing else: no page is read beside it
	return m.catchUp(p)
}

// jumped is the part of a thread around a spot that was gone to.
type jumped struct {
	reading
	part
	entry int64
	then  func(entry int64)
	err   error
}

func (j jumped) arrive(m *Model) tea.Cmd {
	p := m.pageFor(j.thread)
	if j.turn != p.readings {
		return nil // the person has gone elsewhere since
	}
	p.jumping.end()
	if j.err != nil {
		m.readFailed(j.err)
		return m.catchUp(p)
	}
	if p.index(j.entry) < 0 { // else what is there may be newer
		p.replace(j.part)
		p.items(m)
	}
	j.then(j.entry)
	return m.catchUp(p)
}

// waits says that the person is told that the page reads on.
func (p *page) waits(now time.Time) bool { return p.jumping.shown(now) || p.paging.shown(now) }

// stopReading stops it.
func (p *page) stopReading() {
	for _, w := range []waiting{p.jumping, p.paging} {
		if w.cancel != nil {
			w.cancel()
		}
	}
}

// readFailed says why what the person waits for does not come.
func (m *Model) readFailed(err error) {
	switch {
	case errors.Is(err, errNotFound):
		m.say("there is none in this transcript", "")
	case session.CodeOf(err) == session.CodeNotFound:
		m.say("the entry is not in the transcript any more", "")
	case errors.Is(err, context.Canceled):
		m.say("stopped", "")
	default:
		m.fail(err)
	}
}

// fetchMore asks for what comes before or behind the part of the transcript
// that is there, when its end is near.
func (m *Model) fetchMore() tea.Cmd {
	if m.current == "" || m.layout().chat.w == 0 {
		return nil
	}
	p := m.pageFor(m.current)
	if p.paging.cancel != nil || p.jumping.cancel != nil || p.stuck {
		return nil
	}
	from, to := p.list.Visible()
	back := p.earlier && from < nearEnd
	if !back && (!p.later || to < p.list.Len()-nearEnd) {
		return nil
	}
	ctx, b, r := m.begins(&p.paging), m.b, p.reading()
	edge := p.entries[0].ID
	if !back {
		edge = p.entries[len(p.entries)-1].ID
	}
	return func() tea.Msg {
		came := pageCame{reading: r, back: back, edge: edge}
		if back {
			came.entries, came.err = b.Entries(ctx, r.thread, edge, pageLimit)
			came.earlier = len(came.entries) == pageLimit
		} else {
			came.entries, came.err = b.EntriesAfter(ctx, r.thread, edge, pageLimit)
			came.later = len(came.entries) == pageLimit
		}
		if came.err == nil {
			came.err = came.addTurns(ctx, b, r.thread, nil)
		}
		came.err = stopped(ctx, came.err)
		return came
	}
}

// nearEnd is how many items before an end of the list the next page is read, so
// that paging does not wait for it.
const nearEnd = 30

// pageCame is a page before or behind the part of the transcript that is there.
type pageCame struct {
	reading
	part
	back bool
	edge int64
	err  error
}

func (c pageCame) arrive(m *Model) tea.Cmd {
	p := m.pageFor(c.thread)
	if c.turn != p.readings {
		return nil // another part is being read in its place, or has been
	}
	p.paging.end()
	switch {
	case c.err != nil:
		p.stuck = true // asking again at once for what cannot be had would never end
		m.readFailed(c.err)
	case c.missed != p.missed:
		// What it is may have changed since; it is asked for again.
	case c.back && p.entries[0].ID == c.edge:
		p.before(c.part)
	case !c.back && p.entries[len(p.entries)-1].ID == c.edge:
		p.behind(c.part)
	}
	p.items(m)
	return nil
}
