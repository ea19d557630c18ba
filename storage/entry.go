package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"aside/session"
	"aside/session/transcript"
)

// Update is what became known of a tool's entry after it was appended.
type Update struct {
	Key    string // of the entry
	Output string
	Failed bool
}

// Append adds the entries to the thread's transcript. One whose key the
// thread has already is left out. Offers are not appended: see Offer.
func (db *DB) Append(ctx context.Context, id session.ThreadID, entries ...transcript.Entry) error {
	return db.update(ctx, "append to transcript", func(tx *sql.Tx) error {
		return appendEntries(ctx, tx, id, entries)
	})
}

func appendEntries(ctx context.Context, tx *sql.Tx, id session.ThreadID, entries []transcript.Entry) error {
	if err := threadExists(ctx, tx, id); err != nil {
		return err
	}
	for _, e := range entries {
		if err := appendEntry(ctx, tx, id, e); err != nil {
			return err
		}
	}
	return nil
}

func appendEntry(ctx context.Context, tx *sql.Tx, id session.ThreadID, e transcript.Entry) error {
	if e.Kind == transcript.KindProposal {
		return errors.New("a proposal is no plain entry")
	}
	var key any
	if e.Key != "" {
		key = e.Key
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO entries
			(thread, turn, at, kind, key, text, origin, tool, call_id, input, output, failed, decision, outcome, depth)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (thread, key) WHERE key IS NOT NULL DO NOTHING`,
		id, e.Turn, nanos(e.At), e.Kind, key, e.Text, e.Origin, e.Tool, e.CallID, e.Input, e.Output, e.Failed,
		e.Decision, e.Outcome, e.Depth)
	return err
}

// updateEntry completes the entry with the key; one that is not there is not
// missed, since not everything an agent did becomes an entry.
func updateEntry(ctx context.Context, tx *sql.Tx, id session.ThreadID, u Update) error {
	_, err := tx.ExecContext(ctx, `UPDATE entries SET output = ?, failed = ? WHERE thread = ? AND key = ?`,
		u.Output, u.Failed, id, u.Key)
	return err
}

// Ingest stores what was read from a record that an agent keeps itself
// together with how far it was read, so that a crash neither loses nor
// repeats any of it. The updates come after the entries.
func (db *DB) Ingest(ctx context.Context, id session.ThreadID, source string, offset int64, entries []transcript.Entry, updates []Update) error {
	return db.update(ctx, "ingest transcript", func(tx *sql.Tx) error {
		if err := appendEntries(ctx, tx, id, entries); err != nil {
			return err
		}
		for _, u := range updates {
			if err := updateEntry(ctx, tx, id, u); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO reads (thread, source, offset) VALUES (?, ?, ?)
			ON CONFLICT (thread, source) DO UPDATE SET offset = excluded.offset`, id, source, offset)
		return err
	})
}

// Offset returns how far the record has been read, in bytes; 0 when it has
// not been.
func (db *DB) Offset(ctx context.Context, id session.ThreadID, source string) (offset int64, err error) {
	err = db.view(ctx, "read offset", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT offset FROM reads WHERE thread = ? AND source = ?`, id, source).Scan(&offset)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return offset, err
}

// Entries returns the last limit entries of the thread in their order,
// proposals with their answer as it is now; 0 is no limit. With the id of an
// entry in before, the last ones of those before it; 0 is from the end.
func (db *DB) Entries(ctx context.Context, id session.ThreadID, before int64, limit int) (all []transcript.Entry, err error) {
	err = db.view(ctx, "read transcript", func(tx *sql.Tx) error {
		all, err = db.entries(ctx, tx, id, before, limit)
		return err
	})
	return all, err
}

func (db *DB) entries(ctx context.Context, tx *sql.Tx, id session.ThreadID, before int64, limit int) ([]transcript.Entry, error) {
	where, args := `e.thread = ?`, []any{id}
	if before != 0 {
		where, args = where+` AND (e.at, e.id) < (SELECT at, id FROM entries WHERE id = ?)`, append(args, before)
	}
	all, err := db.selectEntries(ctx, tx, where+` ORDER BY e.at DESC, e.id DESC LIMIT ?`, append(args, atMost(limit))...)
	slices.Reverse(all)
	return all, err
}

// atMost is a limit as SQLite takes it.
func atMost(limit int) int {
	if limit <= 0 {
		return -1
	}
	return limit
}

// selectEntries returns the entries for which the condition holds.
func (db *DB) selectEntries(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]transcript.Entry, error) {
	rows, err := tx.QueryContext(ctx, `SELECT e.id, e.turn, e.kind, coalesce(e.key, ''), e.text, e.origin, e.tool,
			e.output, e.failed, e.decision, e.outcome, e.depth, `+proposalColumns+`
		FROM entries e `+proposalAnswer+`WHERE `+where, args...)
	return collect(rows, err, db.scanEntry)
}

func (db *DB) scanEntry(rows *sql.Rows) (transcript.Entry, error) {
	var e transcript.Entry
	var p proposalRow
	err := rows.Scan(append([]any{
		&e.ID, &e.Turn, &e.Kind, &e.Key, &e.Text, &e.Origin, &e.Tool,
		&e.Output, &e.Failed, &e.Decision, &e.Outcome, &e.Depth,
	}, p.columns()...)...)
	if err != nil {
		return e, fmt.Errorf("read entry: %w", err)
	}
	e.Thread, e.At = p.thread, instant(p.at)
	if e.Kind != transcript.KindProposal {
		e.CallID, e.Input = p.callID, p.input
		return e, nil
	}
	if proposal, ok := db.proposal(p); ok {
		e.Proposal = &proposal
	}
	return e, nil
}
