package storage

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
)

// pagedThread has entries 0 to n-1 in their order, recorded out of it, and
// returns their ids. Another thread has the same.
func pagedThread(t *testing.T, db *DB, n int) []int64 {
	t.Helper()
	addThreads(t, db, "aaa", "bbb")
	for i := range n {
		i = (i*7 + 3) % n
		e := transcript.Entry{At: epoch.Add(time.Duration(i/2) * time.Second), Kind: transcript.KindNotice, Text: fmt.Sprint(i), Key: fmt.Sprint(i)}
		ok(t, db.Append(ctx, "aaa", e))
		ok(t, db.Append(ctx, "bbb", e))
	}
	all, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	ids := make([]int64, n)
	for i, e := range all {
		ids[i] = e.ID
	}
	return ids
}

func wantTexts(t *testing.T, got []transcript.Entry, err error, all []transcript.Entry) {
	t.Helper()
	if err != nil || !slices.Equal(texts(got), texts(all)) {
		t.Errorf("got %v, %v; want %v", texts(got), err, texts(all))
	}
}

func TestEntriesArePagedAroundAnEntry(t *testing.T) {
	db := open(t, newPath(t))
	ids := pagedThread(t, db, 10)
	all, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)

	page, err := db.EntriesAfter(ctx, "aaa", ids[3], 2)
	wantTexts(t, page, err, all[4:6])
	page, err = db.EntriesAfter(ctx, "aaa", ids[7], 0)
	wantTexts(t, page, err, all[8:])
	page, err = db.EntriesAfter(ctx, "aaa", 0, 2)
	wantTexts(t, page, err, all[:2])
	page, err = db.EntriesAfter(ctx, "aaa", ids[9], 2)
	wantTexts(t, page, err, nil)

	page, err = db.EntriesAround(ctx, "aaa", ids[5], 2, 3)
	wantTexts(t, page, err, all[3:9])
	page, err = db.EntriesAround(ctx, "aaa", ids[0], 2, 0)
	wantTexts(t, page, err, all[:1])
	page, err = db.EntriesAround(ctx, "aaa", ids[9], 0, 5)
	wantTexts(t, page, err, all[9:])
	_, err = db.EntriesAround(ctx, "bbb", ids[5], 1, 1) // of the other thread
	wantFault(t, err, session.CodeNotFound)

	for before, want := range map[int64]int{0: 10, ids[0]: 0, ids[4]: 4, ids[9]: 9} {
		n, earlier, err := db.CountEntries(ctx, "aaa", before)
		if err != nil || n != 10 || earlier != want {
			t.Errorf("before %d: %d of %d, %v; want %d", before, earlier, n, err, want)
		}
	}
}

// since returns the texts of what changed and goes on from there.
func since(t *testing.T, db *DB, revision *int64) []string {
	t.Helper()
	changed, now, err := db.Since(ctx, "aaa", *revision, 0)
	ok(t, err)
	*revision = now
	var got []string
	for _, e := range changed {
		switch {
		case e.Proposal != nil:
			got = append(got, fmt.Sprintf("%s %s %t", e.Proposal.State, e.Proposal.Title, e.Proposal.Withdrawn))
		default:
			got = append(got, e.Text+e.Output)
		}
	}
	return got
}

func TestAReaderGetsOnlyWhatHasChanged(t *testing.T) {
	db := open(t, newPath(t))
	pagedThread(t, db, 4)
	revision, err := db.Revision(ctx)
	ok(t, err)
	want := func(texts ...string) {
		t.Helper()
		if got := since(t, db, &revision); !slices.Equal(got, texts) {
			t.Errorf("got %q, want %q", got, texts)
		}
	}
	want()
	note := func(id session.ThreadID, key string) transcript.Entry {
		return transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: key, Key: key}
	}
	ok(t, db.Append(ctx, "bbb", note("bbb", "other")))
	want()
	ok(t, db.Append(ctx, "aaa", note("aaa", "new"), note("aaa", "newer")))
	want("new", "newer")
	ok(t, db.Append(ctx, "aaa", note("aaa", "new"))) // it is there already
	want()
	ok(t, db.Ingest(ctx, "aaa", "late", 1, nil, []Update{{Key: "2", Output: " done"}}))
	want("2 done")

	// A proposal's entry changes with its answer.
	id := mustOffer(t, db, offered("aaa", "call", "Work"))
	want("standing Work false")
	ok(t, db.Dismiss(ctx, id, epoch))
	want("dismissed Work false")
	ok(t, db.Restore(ctx, id, epoch))
	want("standing Work false")
	_, err = db.Withdraw(ctx, "aaa", id, epoch)
	ok(t, err)
	want("standing Work true")

	// A thread that went takes none of its revisions back.
	ok(t, db.DeleteThread(ctx, "bbb"))
	want()
	ok(t, db.Append(ctx, "aaa", note("aaa", "after")))
	want("after")
}

func TestManyChangesComeInParts(t *testing.T) {
	db := open(t, newPath(t))
	pagedThread(t, db, 10)
	var got []string
	var revision int64
	for {
		changed, now, err := db.Since(ctx, "aaa", revision, 3)
		ok(t, err)
		if len(changed) > 3 {
			t.Fatalf("%d at once", len(changed))
		}
		if len(changed) == 0 {
			break
		}
		got, revision = append(got, texts(changed)...), now
	}
	if want := []string{"3", "0", "7", "4", "1", "8", "5", "2", "9", "6"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestAStoreFromBeforeRevisionsHasThem(t *testing.T) {
	path := newPath(t)
	old := raw(t, path)
	for _, name := range []string{"0001_store.sql", "0002_setup.sql"} {
		text, err := migrationFiles.ReadFile("migrations/" + name)
		ok(t, err)
		exec1(t, old, string(text))
	}
	exec1(t, old, `PRAGMA user_version = 2;
		INSERT INTO threads (id, title, agent, state, project, created_at) VALUES ('aaa', 'Old', 'demo', 'idle', '/p', 1);
		INSERT INTO entries (thread, at, kind, text) VALUES ('aaa', 1, 'notice', 'first'), ('aaa', 2, 'notice', 'second')`)
	ok(t, old.Close())
	db := open(t, path)
	wantHits(t, db, "first", "[first]")
	revision, err := db.Revision(ctx)
	ok(t, err)
	ok(t, db.Append(ctx, "aaa", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "third"}))
	if got := since(t, db, &revision); !slices.Equal(got, []string{"third"}) {
		t.Errorf("got %q", got)
	}
}

func TestEntriesAreSoughtByWhatTheyAre(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa", "bbb")
	add := func(id session.ThreadID, kind transcript.Kind, text string, failed bool) {
		ok(t, db.Append(ctx, id, transcript.Entry{At: epoch, Kind: kind, Text: text, Failed: failed}))
	}
	for _, id := range []session.ThreadID{"bbb", "aaa"} {
		add(id, transcript.KindPrompt, "p1", false)
		add(id, transcript.KindTool, "t1", false)
		add(id, transcript.KindTool, "t2", true)
		add(id, transcript.KindPrompt, "p2", false)
		add(id, transcript.KindTool, "t3", true)
	}
	first := mustOffer(t, db, offered("aaa", "call1", "One"))
	second := mustOffer(t, db, offered("aaa", "call2", "Two"))
	all, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	place := map[string]int64{}
	for _, e := range all {
		place[e.Text] = e.ID
	}
	place[""] = 0 // where a card's text is
	for name, tt := range map[string]struct {
		q    transcript.Seek
		from string
		want []string
	}{
		"next":       {transcript.Seek{Kind: transcript.KindPrompt, Limit: 1}, "p1", []string{"p2"}},
		"before":     {transcript.Seek{Kind: transcript.KindPrompt, Back: true, Limit: 1}, "p2", []string{"p1"}},
		"newest":     {transcript.Seek{Kind: transcript.KindTool, Back: true}, "", []string{"t3", "t2", "t1"}},
		"oldest":     {transcript.Seek{Kind: transcript.KindTool}, "", []string{"t1", "t2", "t3"}},
		"failed":     {transcript.Seek{Kind: transcript.KindTool, Failed: true}, "t1", []string{"t2", "t3"}},
		"none":       {transcript.Seek{Kind: transcript.KindPrompt}, "p2", nil},
		"none of it": {transcript.Seek{Kind: transcript.KindNotice}, "", nil},
	} {
		tt.q.Thread, tt.q.From = "aaa", place[tt.from]
		got, err := db.Seek(ctx, tt.q)
		if err != nil || !slices.Equal(texts(got), tt.want) {
			t.Errorf("%s: %q, %v; want %q", name, texts(got), err, tt.want)
		}
	}
	for _, id := range []session.ProposalID{first, second} {
		got, err := db.Seek(ctx, transcript.Seek{Thread: "aaa", Kind: transcript.KindProposal, Proposal: id})
		if err != nil || len(got) != 1 || got[0].Proposal.ID != id {
			t.Errorf("card %s: %v, %v", id, got, err)
		}
	}
}

func TestTurnsTellWhenTheyBeganAndEnded(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa", "bbb")
	at := func(s int) time.Time { return epoch.Add(time.Duration(s) * time.Second) }
	first, err := db.OpenTurn(ctx, "aaa", session.OriginHuman, "one", at(1))
	ok(t, err)
	ok(t, db.EndTurn(ctx, first, at(5)))
	second, err := db.OpenTurn(ctx, "aaa", session.OriginAgent, "two", at(7))
	ok(t, err)
	other, err := db.OpenTurn(ctx, "bbb", session.OriginHuman, "other", at(7))
	ok(t, err)
	ok(t, db.QueueTurn(ctx, Turn{ID: "queued", Thread: "aaa", Origin: session.OriginHuman, Prompt: "three"}, at(8)))
	got, err := db.Turns(ctx, "aaa", []session.TurnID{first, second, other, "queued", "none"})
	ok(t, err)
	want := []session.Turn{
		{ID: first, Origin: session.OriginHuman, StartedAt: at(1), EndedAt: at(5)},
		{ID: second, Origin: session.OriginAgent, StartedAt: at(7)},
	}
	slices.SortFunc(got, func(a, b session.Turn) int { return a.StartedAt.Compare(b.StartedAt) })
	if len(got) != 2 || !same(got[0], want[0]) || !same(got[1], want[1]) {
		t.Errorf("got %+v", got)
	}
	none, err := db.Turns(ctx, "aaa", nil)
	if err != nil || len(none) != 0 {
		t.Errorf("got %v, %v", none, err)
	}
}

func same(a, b session.Turn) bool {
	return a.ID == b.ID && a.Origin == b.Origin && a.StartedAt.Equal(b.StartedAt) && a.EndedAt.Equal(b.EndedAt)
}
