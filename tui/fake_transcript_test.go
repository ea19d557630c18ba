package tui_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
)

// reading takes the lock to read a transcript.
func (f *fake) reading() {
	if f.reads != nil {
		f.reads()
	}
	f.mu.Lock()
}

// held is the next answer to a reading of a kind. It comes back when it is let,
// as it was when it was read: also to one that has stopped waiting for it.
type held struct {
	kind       string // since, end, before, after, around or seek
	read, back chan struct{}
}

func (f *fake) hold(kind string) *held {
	h := &held{kind: kind, read: make(chan struct{}), back: make(chan struct{})}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holds = append(f.holds, h)
	return h
}

// come lets the answer come back.
func (h *held) come() { close(h.back) }

// answer waits until an answer of a kind that has been read may come back.
func (f *fake) answer(kind string) {
	f.mu.Lock()
	i := slices.IndexFunc(f.holds, func(h *held) bool { return h.kind == kind })
	if i < 0 {
		f.mu.Unlock()
		return
	}
	h := f.holds[i]
	f.holds = slices.Delete(f.holds, i, i+1)
	f.mu.Unlock()
	close(h.read)
	<-h.back
}

// stamp gives every entry that a test has changed since a revision.
func (f *fake) stamp() int64 {
	if f.stamped == nil {
		f.stamped, f.revision = map[int64]stamped{}, 1
	}
	for id, es := range f.entries {
		for i, e := range es {
			e.Thread = id
			if had, ok := f.stamped[e.ID]; !ok || !reflect.DeepEqual(had.entry, e) {
				f.revision++
				f.stamped[e.ID] = stamped{entry: e, revision: f.revision}
			}
			f.entries[id][i].Thread = id
		}
	}
	return f.revision
}

// has returns a thread's entries as they are now.
func (f *fake) has(id session.ThreadID) []transcript.Entry {
	f.reading()
	defer f.mu.Unlock()
	return slices.Clone(f.entries[id])
}

// stamped is an entry as it was when it got its revision.
type stamped struct {
	entry    transcript.Entry
	revision int64
}

func (f *fake) Revision(context.Context) (int64, error) {
	f.reading()
	defer f.mu.Unlock()
	return f.stamp(), f.fails["revision"]
}

func (f *fake) EntriesSince(_ context.Context, id session.ThreadID, revision int64, limit int) ([]transcript.Entry, int64, error) {
	defer f.answer("since")
	f.reading()
	defer f.mu.Unlock()
	now := f.stamp()
	var changed []transcript.Entry
	for _, e := range f.entries[id] {
		if f.stamped[e.ID].revision > revision && len(changed) < limit {
			changed = append(changed, e)
		}
	}
	f.read += len(changed)
	return changed, now, f.fails["since"]
}

// Seek implements tui.Backend.
func (f *fake) Seek(ctx context.Context, q transcript.Seek) ([]transcript.Entry, error) {
	if f.waits {
		<-ctx.Done()
		return nil, errors.New("interrupted")
	}
	defer f.answer("seek")
	es := f.has(q.Thread)
	if q.Back {
		slices.Reverse(es)
	}
	if i := slices.IndexFunc(es, func(e transcript.Entry) bool { return e.ID == q.From }); i >= 0 {
		es = es[i+1:]
	}
	es = slices.DeleteFunc(es, func(e transcript.Entry) bool {
		return e.Kind != q.Kind || q.Failed && !e.Failed || q.Proposal != "" && (e.Proposal == nil || e.Proposal.ID != q.Proposal)
	})
	if q.Limit > 0 {
		es = es[:min(len(es), q.Limit)]
	}
	return es, f.fails["seek"]
}

func (f *fake) Turns(_ context.Context, _ session.ThreadID, ids []session.TurnID) ([]session.Turn, error) {
	f.reading()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.turns), func(t session.Turn) bool { return !slices.Contains(ids, t.ID) }), nil
}

func (f *fake) Entries(ctx context.Context, id session.ThreadID, before int64, limit int) ([]transcript.Entry, error) {
	if f.waits && before != 0 {
		<-ctx.Done()
		return nil, errors.New("interrupted")
	}
	kind := "before"
	if before == 0 {
		kind = "end"
	}
	defer f.answer(kind)
	f.reading()
	defer f.mu.Unlock()
	f.stamp()
	es := f.entries[id]
	for i := range es {
		if before != 0 && es[i].ID >= before {
			es = es[:i]
			break
		}
	}
	es = es[max(0, len(es)-limit):]
	f.read += len(es)
	return slices.Clone(es), f.fails["entries"]
}

func (f *fake) EntriesAround(_ context.Context, id session.ThreadID, entry int64, before, behind int) ([]transcript.Entry, error) {
	err := f.did("around %s %d", id, entry)
	defer f.answer("around")
	es := f.has(id)
	i := slices.IndexFunc(es, func(e transcript.Entry) bool { return e.ID == entry })
	if i < 0 {
		return nil, &session.Error{Code: session.CodeNotFound, Message: "no such entry"}
	}
	return slices.Clone(es[max(0, i-before):min(len(es), i+behind+1)]), err
}

func (f *fake) EntriesAfter(_ context.Context, id session.ThreadID, after int64, limit int) ([]transcript.Entry, error) {
	es := f.has(id)
	f.answer("after")
	i := slices.IndexFunc(es, func(e transcript.Entry) bool { return e.ID == after }) + 1
	return slices.Clone(es[i:min(len(es), i+limit)]), nil
}

// Search finds the words as they are, and marks them.
func (f *fake) Search(ctx context.Context, q transcript.Query) (transcript.Found, error) {
	err := f.did("search %q", q.Text)
	if f.looks != nil {
		err = f.looks(ctx, q)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var found transcript.Found
	for _, t := range f.threads {
		for _, e := range f.entries[t.ID] {
			if at := strings.Index(e.Text, q.Text); at >= 0 && err == nil && (q.Thread == "" || q.Thread == t.ID) {
				when := noon.Add(-3 * time.Hour)
				if !e.At.IsZero() {
					when = e.At
				}
				found.Hits = append(found.Hits, transcript.Hit{
					Thread: t.ID, Title: t.Title, Entry: e.ID, At: when, Kind: e.Kind,
					Snippet: e.Text, Marks: []transcript.Span{{From: at, To: at + len(q.Text)}},
				})
			}
		}
	}
	return found, err
}

// Export writes ten entries at a time, each when it is let; nil lets all.
func (f *fake) Export(_ context.Context, id session.ThreadID) (tui.Export, error) {
	if err := f.did("export %s", id); err != nil {
		return nil, err
	}
	return &export{of: f, all: len(f.entries[id])}, nil
}

type export struct {
	of           *fake
	written, all int
}

func (e *export) Path() string        { return "/exports/transcript.md" }
func (e *export) Written() (int, int) { return e.written, e.all }
func (e *export) Abandon() error      { return e.of.did("abandon") }

func (e *export) Step(ctx context.Context) (bool, error) {
	if e.of.steps != nil {
		select {
		case <-e.of.steps:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return false, errors.Join(ctx.Err(), e.Abandon())
	}
	e.written = min(e.all, e.written+10)
	return e.written == e.all, e.of.did("write %d", e.written)
}
