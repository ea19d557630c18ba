package storage

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
	"aside/session/transcript"
)

func TestACorruptFileIsSaidToBeDamaged(t *testing.T) {
	t.Run("no database at all", func(t *testing.T) {
		path := newPath(t)
		ok(t, os.MkdirAll(filepath.Dir(path), 0o700))
		ok(t, os.WriteFile(path, []byte(strings.Repeat("not a database ", 1000)), 0o600))
		_, err := Open(path, nil)
		wantFault(t, err, session.CodeFailed, path, "damaged", "move it away")
	})
	t.Run("pages overwritten", func(t *testing.T) {
		path := newPath(t)
		db := open(t, path)
		addThreads(t, db, "aaa")
		ok(t, db.Close())
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		ok(t, err)
		info, err := f.Stat()
		ok(t, err)
		_, err = f.WriteAt([]byte(strings.Repeat("x", int(info.Size())-4096)), 4096)
		ok(t, err)
		ok(t, f.Close())
		db, err = Open(path, nil)
		if err == nil {
			_, err = db.ProjectThreads(ctx, "", false)
			ok(t, db.Close())
		}
		wantFault(t, err, session.CodeFailed, "damaged")
	})
}

func TestAFolderThatIsAFileIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(filepath.Join(file, "aside.db"), nil)
	wantFault(t, err, session.CodeFailed, "cannot be opened", file, "ASIDE_HOME")
}

func nobodyChild(path string, _ *bufio.Scanner) error {
	_, err := Open(path, nil)
	var fault *session.Error
	if !errors.As(err, &fault) {
		return fmt.Errorf("not a session.Error: %w", err)
	}
	fmt.Println(fault.Code, fault.Message, "|", fault.Hint)
	return nil
}

// wantUnwritable lets a process without rights try to open the store.
func wantUnwritable(t *testing.T, path string) {
	t.Helper()
	c := startChild(t, "nobody", path, asNobody(t))
	if got := c.hear(); !strings.HasPrefix(got, "1 ") || !strings.Contains(got, "cannot be") || !strings.Contains(got, "ASIDE_HOME") {
		t.Errorf("got %q", got)
	}
}

func TestAFolderThatMayNotBeWrittenIsSaid(t *testing.T) {
	path := newPath(t)
	ok(t, os.MkdirAll(filepath.Dir(path), 0o700))
	reachable(t, filepath.Dir(path))
	wantUnwritable(t, path)
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 0 {
		t.Errorf("something was left: %v, %v", entries, err)
	}
}

func TestAFileThatMayNotBeWrittenIsSaid(t *testing.T) {
	path := newPath(t)
	ok(t, open(t, path).Close())
	ok(t, os.Chmod(path, 0o444))
	reachable(t, filepath.Dir(path))
	wantUnwritable(t, path)
}

// reachable lets everybody look into the folder, and nobody write there.
func reachable(t *testing.T, dir string) {
	t.Helper()
	ok(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	for d := filepath.Dir(dir); d != filepath.Clean(os.TempDir()) && d != "/"; d = filepath.Dir(d) {
		ok(t, os.Chmod(d, 0o755))
	}
}

func bigEntries(n int) []transcript.Entry {
	all := make([]transcript.Entry, n)
	for i := range all {
		all[i] = transcript.Entry{At: epoch, Kind: transcript.KindAssistant, Text: strings.Repeat("x", 10_000)}
	}
	return all
}

// wantFull writes more than there is room for and checks that all of it
// failed and that what was there can be used on.
func wantFull(db *DB, makeRoom func() error) error {
	if err := db.AddThread(ctx, newThread("aaa")); err != nil {
		return err
	}
	err := db.Ingest(ctx, "aaa", "source", 7, bigEntries(400), nil)
	var fault *session.Error
	if !errors.As(err, &fault) || !strings.Contains(fault.Message, "no room left") || fault.Hint == "" {
		return fmt.Errorf("a full disk is told as %w", err)
	}
	entries, err := db.Entries(ctx, "aaa", 0, 0)
	if err != nil || len(entries) > 0 {
		return fmt.Errorf("%d entries were left, %w", len(entries), err)
	}
	if offset, err := db.Offset(ctx, "aaa", "source"); err != nil || offset != 0 {
		return fmt.Errorf("the offset is %d, %w", offset, err)
	}
	if err := makeRoom(); err != nil {
		return err
	}
	return db.Ingest(ctx, "aaa", "source", 7, bigEntries(400), nil)
}

func TestAFullStoreChangesNothing(t *testing.T) {
	db := open(t, newPath(t))
	exec1(t, db.write, "PRAGMA max_page_count = 100")
	ok(t, wantFull(db, func() error {
		_, err := db.write.Exec("PRAGMA max_page_count = 1000000")
		return err
	}))
}
