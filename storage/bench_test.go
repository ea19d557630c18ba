package storage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/transcript"
)

func BenchmarkOpen(b *testing.B) {
	path := newPath(b)
	open(b, path)
	for b.Loop() {
		db, err := Open(path, nil)
		ok(b, err)
		_, err = db.ProjectThreads(ctx, "/p", false)
		ok(b, err)
		ok(b, db.Close())
	}
}

func BenchmarkThousandThreads(b *testing.B) {
	db := open(b, newPath(b))
	tx, err := db.write.Begin()
	ok(b, err)
	for i := range 1000 {
		th := newThread(session.NewID())
		th.CreatedAt = epoch.Add(time.Duration(i) * time.Second)
		ok(b, addThread(ctx, tx, th))
		for j := range 5 {
			turn := Turn{ID: session.TurnID(session.NewID()), Thread: th.ID, Origin: session.OriginHuman, Prompt: "p"}
			ok(b, queueTurn(ctx, tx, turn, epoch))
			if j < 4 {
				ok(b, markDelivered(ctx, tx, turn.ID, epoch))
			}
		}
	}
	ok(b, tx.Commit())
	for b.Loop() {
		all, err := db.ProjectThreads(ctx, "/p", false)
		ok(b, err)
		if len(all) != 1000 || all[0].Turn == nil {
			b.Fatalf("%d threads, %+v", len(all), all[0])
		}
	}
}

// longThread has 100,000 entries of 500 bytes; every 1,000th is a proposal.
func longThread(b *testing.B) *DB {
	b.Helper()
	db := open(b, newPath(b))
	addThreads(b, db, "aaa", "bbb")
	tx, err := db.write.Begin()
	ok(b, err)
	text := strings.Repeat("words of the agent ", 25)
	for i := range 100_000 {
		at := epoch.Add(time.Duration(i) * time.Second)
		if i%1000 == 0 {
			p := offered("aaa", fmt.Sprint("call", i), fmt.Sprint("Work ", i))
			p.OfferedAt = at
			_, _, err := offer(ctx, tx, p, proposals.FoldKey(p.Title, p.Prompt), 1000)
			ok(b, err)
			continue
		}
		ok(b, appendEntry(ctx, tx, "aaa", transcript.Entry{At: at, Kind: transcript.KindAssistant, Key: fmt.Sprint(i), Text: text}))
	}
	ok(b, tx.Commit())
	return db
}

func BenchmarkPageOf100k(b *testing.B) {
	db := longThread(b)
	last, err := db.Entries(ctx, "aaa", 0, 1)
	ok(b, err)
	for _, c := range []struct {
		name   string
		before int64
	}{{"last", 0}, {"middle", last[0].ID / 2}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				page, err := db.Entries(ctx, "aaa", c.before, 200)
				ok(b, err)
				if len(page) != 200 {
					b.Fatal(len(page))
				}
			}
		})
	}
}

// BenchmarkFollow100k shows what a reader of a long transcript pays for one new
// entry, beside a jump into its middle and the count of its entries.
func BenchmarkFollow100k(b *testing.B) {
	db := longThread(b)
	revision, err := db.Revision(ctx)
	ok(b, err)
	last, err := db.Entries(ctx, "aaa", 0, 1)
	ok(b, err)
	middle := last[0].ID / 2
	b.Run("one-new", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			ok(b, db.Append(ctx, "bbb", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "of another thread"}))
			ok(b, db.Append(ctx, "aaa", transcript.Entry{At: last[0].At, Kind: transcript.KindNotice, Text: "new"}))
			b.StartTimer()
			changed, now, err := db.Since(ctx, "aaa", revision, 1000)
			ok(b, err)
			if len(changed) != 1 {
				b.Fatal(len(changed))
			}
			revision = now
		}
	})
	b.Run("none-new", func(b *testing.B) {
		for b.Loop() {
			_, _, err := db.Since(ctx, "aaa", revision, 1000)
			ok(b, err)
		}
	})
	b.Run("jump", func(b *testing.B) {
		for b.Loop() {
			page, err := db.EntriesAround(ctx, "aaa", middle, 100, 100)
			ok(b, err)
			if len(page) != 201 {
				b.Fatal(len(page))
			}
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			_, _, err := db.CountEntries(ctx, "aaa", middle)
			ok(b, err)
		}
	})
}

func BenchmarkProposals(b *testing.B) {
	db := longThread(b)
	for b.Loop() {
		all, err := db.Proposals(ctx, proposals.Filter{})
		ok(b, err)
		if len(all) != 100 {
			b.Fatal(len(all))
		}
	}
}

func BenchmarkCommit(b *testing.B) {
	db := open(b, newPath(b))
	addThreads(b, db, "aaa")
	for b.Loop() {
		ok(b, db.SetDraft(ctx, "aaa", "draft"))
	}
}
