package storage

import (
	"bufio"
	"context"
	"fmt"
	"testing"
	"time"

	"aside/session/transcript"
)

// patience is how long a test waits for what must come.
const patience = 60 * time.Second

func commitChild(path string, in *bufio.Scanner) error {
	db, err := Open(path, nil)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for in.Scan() {
		if err := db.SetTitle(ctx, "aaa", in.Text()); err != nil {
			return err
		}
		fmt.Println("done")
	}
	return db.Close()
}

func wantSignal(t *testing.T, signals <-chan struct{}) {
	t.Helper()
	select {
	case _, open := <-signals:
		if !open {
			t.Fatal("the watch ended")
		}
	case <-time.After(patience):
		t.Fatal("no signal came")
	}
}

func watchStore(t *testing.T, db *DB) <-chan struct{} {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	t.Cleanup(cancel)
	signals, err := db.Watch(ctx)
	ok(t, err)
	return signals
}

func TestWatchTellsOfEveryCommit(t *testing.T) {
	path := newPath(t)
	db := open(t, path)
	addThreads(t, db, "aaa")
	other := startChild(t, "commit", path)
	other.hear()
	signals := watchStore(t, db)
	t.Run("of another process", func(t *testing.T) {
		for i := range 50 {
			title := fmt.Sprint("title ", i)
			other.say(title)
			for {
				wantSignal(t, signals)
				th, err := db.Thread(ctx, "aaa")
				ok(t, err)
				if th.Title == title {
					break
				}
			}
			other.hear()
		}
	})
	t.Run("of this one", func(t *testing.T) {
		ok(t, db.SetTitle(ctx, "aaa", "mine"))
		wantSignal(t, signals)
	})
}

func TestWatchIsQuietWhileNothingIsCommitted(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	w, err := db.newWatch(ctx)
	ok(t, err)
	defer func() { ok(t, w.conn.Close()) }()
	for what, do := range map[string]func(){
		"nothing": func() {},
		"reading": func() {
			_, err := db.ProjectThreads(ctx, "", false)
			ok(t, err)
		},
		"a checkpoint": func() { exec1(t, db.write, "PRAGMA wal_checkpoint(PASSIVE)") },
		"a transaction that was taken back": func() {
			err := db.Ingest(ctx, "aaa", "x", 1, []transcript.Entry{{Kind: transcript.KindNotice}, {Kind: transcript.KindProposal}}, nil)
			if err == nil {
				t.Fatal("a plain entry was a proposal")
			}
		},
	} {
		do()
		ok(t, w.look(ctx))
		select {
		case <-w.out:
			t.Errorf("%s is told as a commit", what)
		default:
		}
	}
	ok(t, db.SetTitle(ctx, "aaa", "changed"))
	ok(t, w.look(ctx))
	if len(w.out) != 1 {
		t.Error("a commit was not told")
	}
}

func TestWatchEndsWithItsContextAndWithTheStore(t *testing.T) {
	db := open(t, newPath(t))
	wctx, cancel := context.WithCancel(ctx)
	first, err := db.Watch(wctx)
	ok(t, err)
	second, err := db.Watch(ctx)
	ok(t, err)
	cancel()
	drain(t, first)
	ok(t, db.Close())
	drain(t, second)
}

func drain(t *testing.T, signals <-chan struct{}) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case _, open := <-signals:
			if !open {
				return
			}
		case <-deadline:
			t.Fatal("the watch did not end")
		}
	}
}
