package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	sqlite3 "github.com/mattn/go-sqlite3"

	"aside/session"
)

// fault turns what went wrong into what its reader can use: a sentence and a
// hint where the person can do something about it, else the error with what
// was being done.
func (db *DB) fault(what string, err error) error {
	var edge *session.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &edge), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errNewer):
		return db.failure("was written by a newer aside", "update aside, or set ASIDE_HOME to another folder", nil)
	case errors.Is(err, errForeign):
		return db.failure("is not a store of aside", "move that file away; aside then makes one of its own", nil)
	case errors.Is(err, errNoWAL):
		return db.failure("lies on a file system that it cannot be shared on",
			"set ASIDE_HOME to a folder on a local disk", nil)
	}
	if fault, ok := db.sqliteFault(err); ok {
		return fault
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (db *DB) sqliteFault(err error) (error, bool) {
	var fault sqlite3.Error
	if !errors.As(err, &fault) {
		return nil, false
	}
	if fault.SystemErrno == syscall.ENOSPC || fault.SystemErrno == syscall.EDQUOT {
		fault.Code = sqlite3.ErrFull
	}
	switch fault.Code {
	case sqlite3.ErrFull:
		return db.failure("has no room left on its disk; nothing was changed",
			"free some space on that disk and try again", err), true
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return db.failure("is damaged",
			"put back a copy of that file, or move it away: aside then begins with an empty one", err), true
	case sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return db.failure("cannot be written",
			"check who owns "+filepath.Dir(db.path)+" and that you may write there, or set ASIDE_HOME to another folder", err), true
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return db.failure("is held by another process; nothing was changed",
			"try again; if it stays so, look for a program that holds that file open", err), true
	case sqlite3.ErrIoErr:
		return db.failure("cannot be reached: its disk reports a fault; nothing was changed",
			"check the disk that holds it", err), true
	}
	return nil, false
}

func (db *DB) failure(is, hint string, cause error) error {
	return &session.Error{
		Code:    session.CodeFailed,
		Message: "the store " + db.path + " " + is,
		Hint:    hint,
		Cause:   cause,
	}
}

// fileFault is fault for what the file system said before SQLite was asked.
func fileFault(path string, err error) error {
	db := &DB{path: path}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return db.failure("has no room left on its disk", "free some space on that disk and try again", err)
	}
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err // the path is in the sentence
	}
	return db.failure("cannot be opened",
		"check who owns "+filepath.Dir(path)+" and that you may write there, or set ASIDE_HOME to another folder", err)
}

// notFound says that there is no such thing.
func notFound(noun, id string) error {
	return &session.Error{Code: session.CodeNotFound, Message: "there is no " + noun + " " + session.MarkLine(id)}
}
