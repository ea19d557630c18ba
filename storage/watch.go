package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A commit shows in the file system before it shows in the store: the pages
// are written, then synchronised, then published in shared memory, which
// nobody is told about. So a sign of writing is followed by looks at the
// store's version, soon at first and then ever later, until a commit would
// have been published even on a slow disk.
const (
	firstLook = 2 * time.Millisecond
	lastLook  = 10 * time.Second
)

// Watch returns a channel that holds a signal after any process, this one
// included, has committed something since the last signal was taken. Signals
// are folded: one may stand for many commits. While nothing is written
// nothing runs. The channel is closed when ctx ends or the store is closed.
func (db *DB) Watch(ctx context.Context) (<-chan struct{}, error) {
	w, err := db.newWatch(ctx)
	if err != nil {
		return nil, db.fault("watch the store", err)
	}
	if w.files, err = fsnotify.NewWatcher(); err == nil {
		if err = w.files.Add(filepath.Dir(db.path)); err != nil {
			_ = w.files.Close()
		}
	}
	if err != nil {
		_ = w.conn.Close()
		return nil, fmt.Errorf("watch the store: %w", err)
	}
	db.watchers.Add(1)
	go w.run(ctx)
	return w.out, nil
}

// newWatch opens the connection that looks at the version. The version moves
// with the commits of all other connections, so this one does nothing else.
// Looking also opens the log, which then exists for as long as it is watched.
func (db *DB) newWatch(ctx context.Context) (*watch, error) {
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &watch{
		db: db, conn: conn, out: make(chan struct{}, 1),
		names: map[string]bool{db.path: true, db.path + "-wal": true},
	}
	if w.version, err = w.dataVersion(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return w, nil
}

type watch struct {
	db      *DB
	conn    *sql.Conn
	files   *fsnotify.Watcher
	version int64
	names   map[string]bool
	out     chan struct{}
}

func (w *watch) run(ctx context.Context) {
	defer w.db.watchers.Done()
	defer close(w.out)
	defer w.close()
	// What was committed between the first look and the watch left no sign.
	delay := firstLook
	timer := time.NewTimer(delay)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.db.closed:
			return
		case event, ok := <-w.files.Events:
			if !ok {
				return
			}
			if w.names[event.Name] && delay != firstLook {
				delay = firstLook
				timer.Reset(delay)
			}
		case _, ok := <-w.files.Errors: // signs were lost: look as if there had been one
			if !ok {
				return
			}
			delay = firstLook
			timer.Reset(delay)
		case <-timer.C:
			if err := w.look(ctx); err != nil && ctx.Err() == nil {
				w.db.log.Warn("look at the store's version", "error", err)
			}
			if delay *= 2; delay <= lastLook {
				timer.Reset(delay)
			}
		}
	}
}

func (w *watch) close() {
	if err := errors.Join(w.files.Close(), w.conn.Close()); err != nil {
		w.db.log.Warn("end watch", "error", err)
	}
}

// look signals when the version has moved.
func (w *watch) look(ctx context.Context) error {
	version, err := w.dataVersion(ctx)
	if err != nil || version == w.version {
		return err
	}
	w.version = version
	select {
	case w.out <- struct{}{}:
	default: // an earlier signal has not been taken yet and stands for this too
	}
	return nil
}

func (w *watch) dataVersion(ctx context.Context) (version int64, err error) {
	err = w.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version)
	return version, err
}
