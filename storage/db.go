package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// busyTimeout is how long a writer waits for another process to finish its
// transaction.
const busyTimeout = 10 * time.Second

// DB is the open store. It may be used by any number of goroutines.
type DB struct {
	path string
	log  *slog.Logger
	// indexes says that this program keeps the full-text index.
	indexes bool

	// One writer per process: goroutines queue for it in Go instead of in
	// SQLite's busy handler, which sleeps and is not fair.
	write *sql.DB
	read  *sql.DB

	watchers sync.WaitGroup
	closing  sync.Once
	closed   chan struct{}
}

// Open opens the store in the file at path, making folder (0700) and file
// (0600) where they are missing and bringing the schema up to date. Any
// number of processes may do so at once. What is found wrong in single rows
// is reported to log, which may be nil.
//
// A store that cannot be opened is a *session.Error with a hint. One that a
// newer aside wrote is refused and left as it is.
func Open(path string, log *slog.Logger) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if err := prepareFile(path); err != nil {
		return nil, fileFault(path, err)
	}
	db := &DB{path: path, log: log, closed: make(chan struct{})}
	if db.write, err = sql.Open("sqlite3", dsn(path, "_txlock=immediate&_synchronous=FULL&_stmt_cache_size=64")); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	db.write.SetMaxOpenConns(1)
	if db.read, err = sql.Open("sqlite3", dsn(path, "_query_only=on&_stmt_cache_size=32")); err != nil {
		return nil, errors.Join(fmt.Errorf("open store: %w", err), db.write.Close())
	}
	db.read.SetMaxIdleConns(4)
	if err := db.setUp(context.Background()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Close ends the watchers and closes the file.
func (db *DB) Close() error {
	var err error
	db.closing.Do(func() {
		close(db.closed)
		db.watchers.Wait()
		err = errors.Join(db.read.Close(), db.write.Close())
	})
	return err
}

// dsn returns the data source name for the file: a URI, so that a path may
// hold any character.
func dsn(path, query string) string {
	u := url.URL{Scheme: "file", Path: path}
	return fmt.Sprintf("%s?_busy_timeout=%d&_foreign_keys=on&%s", u.String(), busyTimeout.Milliseconds(), query)
}

// prepareFile makes the folder and an empty file with the right modes before
// SQLite would make the file readable by others. SQLite gives the files it
// puts beside it the mode of this one.
func prepareFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	return errors.Join(err, f.Close())
}

// setUp brings schema and journal mode up to date. The version is looked at
// first, so that a store from a newer aside is left as it is.
func (db *DB) setUp(ctx context.Context) error {
	pending, err := db.pendingMigrations(ctx)
	if err != nil {
		return err
	}
	if err := db.useWAL(ctx); err != nil {
		return db.fault("open the store", err)
	}
	if pending {
		if err := db.migrate(ctx); err != nil {
			return err
		}
	}
	return db.openIndex(ctx)
}

// useWAL puts the file into WAL mode, which it then stays in. SQLite does
// not wait for other processes there but says busy, so the waiting is ours.
func (db *DB) useWAL(ctx context.Context) error {
	var mode string
	if err := db.write.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	for deadline := time.Now().Add(busyTimeout); mode != "wal"; {
		err := db.write.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode)
		var fault sqlite3.Error
		switch {
		case err == nil && mode != "wal":
			return errNoWAL
		case err == nil:
		case errors.As(err, &fault) && fault.Code == sqlite3.ErrBusy && time.Now().Before(deadline):
			time.Sleep(5 * time.Millisecond)
		default:
			return err
		}
	}
	return nil
}

// update runs fn in a transaction that holds the store's only write lock
// from its beginning, so that what fn reads cannot change before it writes.
// What it changed in transcripts is in the full-text index with it.
func (db *DB) update(ctx context.Context, what string, fn func(tx *sql.Tx) error) error {
	return db.transact(ctx, db.write, what, func(tx *sql.Tx) error {
		err := fn(tx)
		if err == nil && db.indexes {
			_, err = index(ctx, tx, indexBatch)
		}
		return err
	})
}

// view runs fn in a transaction that sees one state of the store.
func (db *DB) view(ctx context.Context, what string, fn func(tx *sql.Tx) error) error {
	return db.transact(ctx, db.read, what, fn)
}

func (db *DB) transact(ctx context.Context, pool *sql.DB, what string, fn func(tx *sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err == nil {
		if err = fn(tx); err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback() // the fault that led here says more
		}
	}
	var interrupted sqlite3.Error
	if ctx.Err() != nil && (errors.Is(err, sql.ErrTxDone) || errors.As(err, &interrupted) && interrupted.Code == sqlite3.ErrInterrupt) {
		err = ctx.Err() // what a cancelled transaction says of itself tells less
	}
	return db.fault(what, err)
}

// collect reads what a query found, or returns its error.
func collect[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) (all []T, _ error) {
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		all = append(all, one)
	}
	return all, errors.Join(rows.Err(), rows.Close())
}

// nanos is how a time is kept: nanoseconds since 1970, and 0 for none.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// instant is the time kept as n.
func instant(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
