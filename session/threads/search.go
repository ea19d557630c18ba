package threads

import (
	"context"

	"aside/session"
	"aside/session/transcript"
)

// Reading is how transcripts are read, in pages and by what has changed;
// package storage implements it.
type Reading interface {
	Entries(ctx context.Context, thread session.ThreadID, before int64, limit int) ([]transcript.Entry, error)
	EntriesAfter(ctx context.Context, thread session.ThreadID, after int64, limit int) ([]transcript.Entry, error)
	EntriesAround(ctx context.Context, thread session.ThreadID, entry int64, before, behind int) ([]transcript.Entry, error)
	CountEntries(ctx context.Context, thread session.ThreadID, before int64) (all, earlier int, err error)
	Revision(ctx context.Context) (int64, error)
	Since(ctx context.Context, thread session.ThreadID, revision int64, limit int) ([]transcript.Entry, int64, error)
	Seek(ctx context.Context, q transcript.Seek) ([]transcript.Entry, error)
	Turns(ctx context.Context, thread session.ThreadID, ids []session.TurnID) ([]session.Turn, error)
	Search(ctx context.Context, q transcript.Query) (transcript.Found, error)
}

// Entries returns the newest limit entries of a thread in the order they are
// shown; with before not 0, the newest of those before that entry.
func (s *Service) Entries(ctx context.Context, id session.ThreadID, before int64, limit int) ([]transcript.Entry, error) {
	return s.o.Store.Entries(ctx, id, before, limit)
}

// EntriesAfter returns the first limit entries behind an entry, or with 0 from
// the beginning.
func (s *Service) EntriesAfter(ctx context.Context, id session.ThreadID, after int64, limit int) ([]transcript.Entry, error) {
	return s.o.Store.EntriesAfter(ctx, id, after, limit)
}

// EntriesAround returns an entry with what is before and behind it, such as
// what a search has found.
func (s *Service) EntriesAround(ctx context.Context, id session.ThreadID, entry int64, before, behind int) ([]transcript.Entry, error) {
	return s.o.Store.EntriesAround(ctx, id, entry, before, behind)
}

// CountEntries returns how many entries a thread has, and how many are before
// an entry; 0 is the end.
func (s *Service) CountEntries(ctx context.Context, id session.ThreadID, before int64) (all, earlier int, err error) {
	return s.o.Store.CountEntries(ctx, id, before)
}

// Revision is where to go on from with EntriesSince; take it before the
// entries themselves are read.
func (s *Service) Revision(ctx context.Context) (int64, error) { return s.o.Store.Revision(ctx) }

// EntriesSince returns the entries of a thread that are new or show something
// else since a revision, at most limit of them, and the revision to go on
// from. An entry that the reader has is to be replaced, by its id.
func (s *Service) EntriesSince(ctx context.Context, id session.ThreadID, revision int64, limit int) ([]transcript.Entry, int64, error) {
	return s.o.Store.Since(ctx, id, revision, limit)
}

// Turns returns those of a thread's turns with these ids that have reached the
// agent.
func (s *Service) Turns(ctx context.Context, id session.ThreadID, ids []session.TurnID) ([]session.Turn, error) {
	return s.o.Store.Turns(ctx, id, ids)
}

// Seek returns the entries of a kind on one side of an entry.
func (s *Service) Seek(ctx context.Context, q transcript.Seek) ([]transcript.Entry, error) {
	return s.o.Store.Seek(ctx, q)
}

// Search finds entries by their words.
func (s *Service) Search(ctx context.Context, q transcript.Query) (transcript.Found, error) {
	return s.o.Store.Search(ctx, q)
}
