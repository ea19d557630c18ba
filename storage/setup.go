package storage

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"aside/session"
)

// Agreement returns the person's answer to a text that a project wants to
// run; known is false when there is none for that exact text
// (contracts/proposed-threads.md, Checkout policy).
func (db *DB) Agreement(ctx context.Context, project, text string) (agreed, known bool, err error) {
	err = db.view(ctx, "read agreement", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT agreed FROM agreements WHERE project = ? AND text = ?`, project, text).Scan(&agreed)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		known = err == nil
		return err
	})
	return agreed, known, err
}

// SetAgreement records the person's answer; the last one counts.
func (db *DB) SetAgreement(ctx context.Context, project, text string, agreed bool, at time.Time) error {
	return db.update(ctx, "record agreement", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO agreements (project, text, agreed, at) VALUES (?, ?, ?, ?)`,
			project, text, agreed, nanos(at))
		return err
	})
}

// IsSetUp says that the thread's worktree was set up.
func (db *DB) IsSetUp(ctx context.Context, id session.ThreadID) (done bool, err error) {
	err = db.view(ctx, "read thread", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT set_up_at <> 0 FROM threads WHERE id = ?`, id).Scan(&done)
		if errors.Is(err, sql.ErrNoRows) {
			return notFound("thread", string(id))
		}
		return err
	})
	return done, err
}

// SetUp records that the thread's worktree was set up.
func (db *DB) SetUp(ctx context.Context, id session.ThreadID, at time.Time) error {
	return db.setThread(ctx, "record setup", id, `set_up_at = ?`, nanos(at))
}
