package storage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// The migrations in the order of their names. One that was released is never
// changed; the number of those applied is the file's user_version.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

var (
	errNewer   = errors.New("its format is newer than this program")
	errForeign = errors.New("another program made it")
	errNoWAL   = errors.New("no write-ahead log is possible there")
)

// pendingMigrations says whether the file lacks some. It only reads, and all
// it reads is of one moment.
func (db *DB) pendingMigrations(ctx context.Context) (pending bool, err error) {
	err = db.view(ctx, "open the store", func(tx *sql.Tx) error {
		all, version, err := checkVersion(ctx, tx)
		pending = version < len(all)
		return err
	})
	return pending, err
}

// migrate applies what is missing, all of it or nothing. The transaction
// keeps every other process out; what one of them has done by then is
// skipped.
func (db *DB) migrate(ctx context.Context) error {
	return db.update(ctx, "bring the store up to date", func(tx *sql.Tx) error {
		all, version, err := checkVersion(ctx, tx)
		if err != nil {
			return err
		}
		for _, file := range all[version:] {
			text, err := migrationFiles.ReadFile("migrations/" + file.Name())
			if err != nil {
				return fmt.Errorf("read migration: %w", err)
			}
			if _, err := tx.ExecContext(ctx, string(text)); err != nil {
				return fmt.Errorf("apply migration %s: %w", file.Name(), err)
			}
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(all)))
		return err
	})
}

// checkVersion returns all migrations and how many of them the file has. It
// refuses a file that is not ours to change: one from a newer aside, or a
// database of something else.
func checkVersion(ctx context.Context, tx *sql.Tx) (all []fs.DirEntry, version int, err error) {
	all, err = migrationFiles.ReadDir("migrations")
	if err != nil {
		return nil, 0, fmt.Errorf("read migrations: %w", err)
	}
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, 0, err
	}
	if version > len(all) || version < 0 {
		return nil, 0, errNewer
	}
	if version > 0 {
		return all, version, nil
	}
	var tables int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return nil, 0, err
	}
	if tables > 0 {
		return nil, 0, errForeign
	}
	return all, 0, nil
}
