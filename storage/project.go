package storage

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"aside/session"
)

// OpenProject records that the person opened the folder.
func (db *DB) OpenProject(ctx context.Context, path string, at time.Time) error {
	return db.update(ctx, "open project", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO projects (path, opened_at) VALUES (?, ?)
			ON CONFLICT (path) DO UPDATE SET opened_at = excluded.opened_at`, path, nanos(at))
		return err
	})
}

// Remembered returns how the screen of the project was left, with the views of
// all threads: any of them may be shown on it.
func (db *DB) Remembered(ctx context.Context, project string) (r session.Remembered, err error) {
	type view struct {
		thread session.ThreadID
		view   string
	}
	err = db.view(ctx, "read how the screen was left", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT last_thread, list_hidden FROM projects WHERE path = ?`, project).Scan(&r.Thread, &r.ListHidden)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT id, view FROM threads WHERE view <> ''`)
		views, err := collect(rows, err, func(rows *sql.Rows) (v view, err error) {
			err = rows.Scan(&v.thread, &v.view)
			return v, err
		})
		r.Views = make(map[session.ThreadID]string, len(views))
		for _, v := range views {
			r.Views[v.thread] = v.view
		}
		return err
	})
	return r, err
}

// RememberScreen records which thread the screen of the project shows, and
// whether the list of threads is hidden.
func (db *DB) RememberScreen(ctx context.Context, project string, shown session.ThreadID, listHidden bool) error {
	return db.update(ctx, "remember the screen", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE projects SET last_thread = ?, list_hidden = ? WHERE path = ?`, shown, listHidden, project)
		return oneChanged(res, err, "project", project)
	})
}

// RememberView records what is shown of the thread, in the screen's own words.
func (db *DB) RememberView(ctx context.Context, id session.ThreadID, view string) error {
	return db.setThread(ctx, "remember the view", id, `view = ?`, view)
}

// noteProject records the folder of a thread that was made without opening
// the screen on it.
func noteProject(ctx context.Context, tx *sql.Tx, path string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO projects (path, opened_at) VALUES (?, ?)
		ON CONFLICT (path) DO NOTHING`, path, nanos(at))
	return err
}
