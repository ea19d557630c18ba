package tui

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"aside/session"
	record "aside/session/transcript"
)

const (
	// pageLimit is how many entries are read at once.
	pageLimit = 200
	// keptEntries is how many entries of a thread are kept, whatever its
	// length; it is more than a screen and a page at each of its ends.
	keptEntries = 1000
)

// stretch is the part of a thread's transcript that the screen has: without
// gaps, in the order of the thread.
type stretch struct {
	entries  []*entry
	earlier  bool  // the thread goes on before it
	later    bool  // and behind it
	revision int64 // what has changed since is not in it; 0: nothing has been read
	missed   int   // rises with every change beyond its ends
	// turns are those of the entries that have ended.
	turns map[session.TurnID]session.Turn
	looks uint64 // rises with every entry that looks new
}

// entry is an entry, and when its looks changed last.
type entry struct {
	record.Entry
	key    string
	rev    uint64
	turned bool // a tool's use is shown the other way than all are
}

// part is what was read of a thread: entries in their order, or what has
// changed.
type part struct {
	entries        []record.Entry
	turns          []session.Turn
	earlier, later bool
	revision       int64
}

// take makes a part of the thread the stretch. What is the same stays drawn.
func (s *stretch) take(p part) {
	old := make(map[int64]*entry, len(s.entries))
	for _, e := range s.entries {
		old[e.ID] = e
	}
	s.entries = make([]*entry, 0, len(p.entries))
	for _, n := range p.entries {
		s.entries = append(s.entries, s.keep(old[n.ID], n))
	}
	s.earlier, s.later, s.revision = p.earlier, p.later, p.revision
	s.know(p.turns)
}

// change takes entries that are new or show something else. What lies beyond an
// end of the stretch that is not the thread's is read when it is gone to. Of a
// stretch that has become too long, what is farthest from the spot goes.
func (s *stretch) change(p part, at spot) {
	for _, n := range p.entries {
		i, has := s.place(n)
		switch {
		case has:
			s.keep(s.entries[i], n)
		case i == 0 && s.earlier, i == len(s.entries) && s.later:
			s.missed++
		default:
			s.entries = slices.Insert(s.entries, i, s.keep(nil, n))
		}
	}
	s.revision = p.revision
	s.know(p.turns)
	if len(s.entries) <= keptEntries+pageLimit {
		return
	}
	if i := slices.IndexFunc(s.entries, func(e *entry) bool { return e.ID == at.entry }); i >= 0 && i < len(s.entries)/2 {
		s.trimBehind()
	} else {
		s.trimBefore()
	}
}

// before takes entries from before the first, and behind those behind the last.
// What is farthest from them goes.
func (s *stretch) before(p part) {
	s.entries = append(s.fresh(p.entries, len(s.entries)), s.entries...)
	s.earlier = p.earlier
	s.know(p.turns)
	s.trimBehind()
}

func (s *stretch) behind(p part) {
	s.entries = append(s.entries, s.fresh(p.entries, 0)...)
	s.later = p.later
	s.know(p.turns)
	s.trimBefore()
}

func (s *stretch) trimBefore() {
	if over := len(s.entries) - keptEntries; over > 0 {
		s.entries, s.earlier = slices.Clone(s.entries[over:]), true
	}
}

func (s *stretch) trimBehind() {
	if len(s.entries) > keptEntries {
		clear(s.entries[keptEntries:])
		s.entries, s.later = s.entries[:keptEntries], true
	}
}

func (s *stretch) fresh(news []record.Entry, more int) []*entry {
	out := make([]*entry, 0, len(news)+more)
	for _, n := range news {
		out = append(out, s.keep(nil, n))
	}
	return out
}

// keep is an entry as it is now.
func (s *stretch) keep(e *entry, n record.Entry) *entry {
	if e == nil {
		s.looks++
		return &entry{Entry: n, key: strconv.FormatInt(n.ID, 36), rev: s.looks}
	}
	if e.Text != n.Text || e.Output != n.Output || e.Input != n.Input || e.Failed != n.Failed || e.Outcome != n.Outcome {
		s.looks++
		e.rev = s.looks
	}
	e.Entry = n
	return e
}

// place returns where an entry is or belongs.
func (s *stretch) place(n record.Entry) (i int, has bool) {
	return slices.BinarySearchFunc(s.entries, n, func(e *entry, n record.Entry) int {
		return cmp.Or(e.At.Compare(n.At), cmp.Compare(e.ID, n.ID))
	})
}

// whole says that it is all of the thread.
func (s *stretch) whole() bool { return s.revision != 0 && !s.earlier && !s.later }

// know notes the turns that have ended, and forgets those of entries that went.
func (s *stretch) know(turns []session.Turn) {
	if s.turns == nil {
		s.turns = map[session.TurnID]session.Turn{}
	}
	for _, t := range turns {
		if !t.EndedAt.IsZero() {
			s.turns[t.ID] = t
		}
	}
	if len(s.turns) > 2*keptEntries {
		there := map[session.TurnID]bool{}
		for _, e := range s.entries {
			there[e.Turn] = true
		}
		maps.DeleteFunc(s.turns, func(id session.TurnID, _ session.Turn) bool { return !there[id] })
	}
}

// open are the turns of the entries that have not ended as far as is known.
func (s *stretch) open() []session.TurnID {
	var ids []session.TurnID
	for _, e := range s.entries {
		if _, ended := s.turns[e.Turn]; !ended && e.Turn != "" && !slices.Contains(ids, e.Turn) {
			ids = append(ids, e.Turn)
		}
	}
	return ids
}
