package storage

import (
	"context"
	"database/sql"
	"time"
)

// Project is a folder the person opened.
type Project struct {
	Path     string // absolute
	OpenedAt time.Time
	// Worktrees is false where the project says never to checkouts of their
	// own (contracts/proposed-threads.md, Checkout policy).
	Worktrees bool
}

// OpenProject records that the person opened the folder.
func (db *DB) OpenProject(ctx context.Context, path string, at time.Time) error {
	return db.update(ctx, "open project", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO projects (path, opened_at) VALUES (?, ?)
			ON CONFLICT (path) DO UPDATE SET opened_at = excluded.opened_at`, path, nanos(at))
		return err
	})
}

// Projects returns the projects, the one opened last first.
func (db *DB) Projects(ctx context.Context) (all []Project, err error) {
	err = db.view(ctx, "list projects", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT path, opened_at, worktrees FROM projects ORDER BY opened_at DESC, path`)
		all, err = collect(rows, err, func(rows *sql.Rows) (p Project, err error) {
			var opened int64
			err = rows.Scan(&p.Path, &opened, &p.Worktrees)
			p.OpenedAt = instant(opened)
			return p, err
		})
		return err
	})
	return all, err
}

// SetWorktrees records whether threads of the project may get checkouts of
// their own without being asked for.
func (db *DB) SetWorktrees(ctx context.Context, path string, worktrees bool) error {
	return db.update(ctx, "set project's checkouts", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE projects SET worktrees = ? WHERE path = ?`, worktrees, path)
		return oneChanged(res, err, "project", path)
	})
}

// noteProject records the folder of a thread that was made without opening
// the screen on it.
func noteProject(ctx context.Context, tx *sql.Tx, path string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO projects (path, opened_at) VALUES (?, ?)
		ON CONFLICT (path) DO NOTHING`, path, nanos(at))
	return err
}
