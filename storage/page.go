package storage

import (
	"context"
	"database/sql"
	"fmt"

	"aside/session"
	"aside/session/transcript"
)

// EntriesAfter returns the first limit entries of the thread behind an entry,
// or with 0 from its beginning, in their order; a limit of 0 is none.
func (db *DB) EntriesAfter(ctx context.Context, id session.ThreadID, after int64, limit int) (all []transcript.Entry, err error) {
	err = db.view(ctx, "read transcript", func(tx *sql.Tx) error {
		if after == 0 {
			all, err = db.selectEntries(ctx, tx, `e.thread = ? ORDER BY e.at, e.id LIMIT ?`, id, atMost(limit))
			return err
		}
		all, err = db.entriesFrom(ctx, tx, id, ">", after, limit)
		return err
	})
	return all, err
}

// entriesFrom returns the entries on one side of an entry, for > or >=.
func (db *DB) entriesFrom(ctx context.Context, tx *sql.Tx, id session.ThreadID, side string, from int64, limit int) ([]transcript.Entry, error) {
	return db.selectEntries(ctx, tx, `e.thread = ? AND (e.at, e.id) `+side+` (SELECT at, id FROM entries WHERE id = ?)
		ORDER BY e.at, e.id LIMIT ?`, id, from, atMost(limit))
}

// EntriesAround returns an entry of the thread with at most so many of those
// before it and of those behind it. CodeNotFound when the thread has no such
// entry.
func (db *DB) EntriesAround(ctx context.Context, id session.ThreadID, entry int64, before, behind int) (all []transcript.Entry, err error) {
	err = db.view(ctx, "read transcript", func(tx *sql.Tx) error {
		var there bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM entries WHERE id = ? AND thread = ?)`, entry, id).Scan(&there)
		if err != nil {
			return err
		}
		if !there {
			return notFound("entry", fmt.Sprintf("%d in thread %s", entry, id))
		}
		if before > 0 {
			if all, err = db.entries(ctx, tx, id, entry, before); err != nil {
				return err
			}
		}
		rest, err := db.entriesFrom(ctx, tx, id, ">=", entry, max(0, behind)+1)
		all = append(all, rest...)
		return err
	})
	return all, err
}

// Seek returns the entries that are asked for.
func (db *DB) Seek(ctx context.Context, q transcript.Seek) (found []transcript.Entry, err error) {
	where, args := `e.thread = ? AND e.kind = ?`, []any{q.Thread, q.Kind}
	if q.Failed {
		where += ` AND e.failed`
	}
	if q.Proposal != "" {
		where, args = where+` AND e.proposal = ?`, append(args, q.Proposal)
	}
	side, order := ">", ` ORDER BY e.at, e.id LIMIT ?`
	if q.Back {
		side, order = "<", ` ORDER BY e.at DESC, e.id DESC LIMIT ?`
	}
	if q.From != 0 {
		where, args = where+` AND (e.at, e.id) `+side+` (SELECT at, id FROM entries WHERE id = ?)`, append(args, q.From)
	}
	err = db.view(ctx, "seek in transcript", func(tx *sql.Tx) error {
		found, err = db.selectEntries(ctx, tx, where+order, append(args, atMost(q.Limit))...)
		return err
	})
	return found, err
}

// CountEntries returns how many entries the thread has, and how many of them
// are before an entry; 0 is the end.
func (db *DB) CountEntries(ctx context.Context, id session.ThreadID, before int64) (all, earlier int, err error) {
	err = db.view(ctx, "count entries", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM entries WHERE thread = ?`, id).Scan(&all)
		if err != nil || before == 0 {
			earlier = all
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM entries
			WHERE thread = ? AND (at, id) < (SELECT at, id FROM entries WHERE id = ?)`, id, before).Scan(&earlier)
	})
	return all, earlier, err
}

// Revision returns the revision of the store's transcripts: a number that
// rises with every change to any entry. Read it before what is to be kept
// current with Since.
func (db *DB) Revision(ctx context.Context) (revision int64, err error) {
	err = db.view(ctx, "read revision", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT last FROM revisions`).Scan(&revision)
	})
	return revision, err
}

// Since returns the entries of the thread that are new or show something else
// since a revision, in the order of their last change, at most limit of them;
// 0 is no limit. Go on with the revision that is returned until none come. An
// entry may be one that the reader has seen already.
func (db *DB) Since(ctx context.Context, id session.ThreadID, revision int64, limit int) (changed []transcript.Entry, now int64, err error) {
	err = db.view(ctx, "read changes", func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT last FROM revisions`).Scan(&now); err != nil || now == revision {
			return err
		}
		// By the thread's own index all of it would be looked at.
		changed, err = db.selectEntries(ctx, tx, `e.id IN (SELECT id FROM entries INDEXED BY entries_by_revision
			WHERE revision > ? AND thread = ? ORDER BY revision LIMIT ?) ORDER BY e.revision`, revision, id, atMost(limit))
		if err != nil || limit <= 0 || len(changed) < limit {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT revision FROM entries WHERE id = ?`, changed[limit-1].ID).Scan(&now)
	})
	return changed, now, err
}
