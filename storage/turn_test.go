package storage

import (
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/transcript"
)

func turnOf(t *testing.T, db *DB, id session.ThreadID) session.Turn {
	t.Helper()
	th, err := db.Thread(ctx, id)
	ok(t, err)
	if th.Turn == nil {
		return session.Turn{}
	}
	return *th.Turn
}

func wantTurn(t *testing.T, db *DB, id session.TurnID, started time.Time) {
	t.Helper()
	if got := turnOf(t, db, "aaa"); got.ID != id || !got.StartedAt.Equal(started) {
		t.Errorf("the thread's turn is %+v, want %s started at %v", got, id, started)
	}
}

func wantDraft(t *testing.T, db *DB, draft, problem string) {
	t.Helper()
	th, err := db.Thread(ctx, "aaa")
	ok(t, err)
	if th.Draft != draft || th.Problem != problem {
		t.Errorf("draft %q and problem %q, want %q and %q", th.Draft, th.Problem, draft, problem)
	}
}

func queue(t *testing.T, db *DB, id session.TurnID, prompt string) {
	t.Helper()
	turn := Turn{ID: id, Thread: "aaa", Origin: session.OriginHuman, Prompt: prompt, Author: proposals.AuthorModel}
	ok(t, db.QueueTurn(ctx, turn, epoch))
}

func TestAPromptGoesFromTheQueueToTheEndOfItsTurn(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	if q, err := db.QueuedTurn(ctx, "aaa"); q != nil || err != nil {
		t.Fatal(q, err)
	}
	queue(t, db, "t1", "first")
	queue(t, db, "t1", "first") // the same turn
	queue(t, db, "t2", "second")
	q, err := db.QueuedTurn(ctx, "aaa")
	ok(t, err)
	if want := (Turn{"t1", "aaa", session.OriginHuman, "first", proposals.AuthorModel}); *q != want {
		t.Fatalf("got %+v, want %+v", *q, want)
	}
	wantTurn(t, db, "t1", time.Time{})

	ok(t, db.MarkTurnDispatched(ctx, "t1", epoch.Add(1)))
	wantFault(t, db.MarkTurnDispatched(ctx, "t1", epoch.Add(1)), session.CodeSettled)
	wantTurn(t, db, "t1", epoch.Add(1))
	q, err = db.QueuedTurn(ctx, "aaa")
	ok(t, err)
	if q.ID != "t2" {
		t.Errorf("%s is queued", q.ID)
	}
	ok(t, db.MarkDelivered(ctx, "t1", epoch.Add(2)))
	wantTurn(t, db, "t1", epoch.Add(2))

	// The next prompt ends what ran; being told again changes nothing.
	ok(t, db.MarkTurnDispatched(ctx, "t2", epoch.Add(3)))
	ok(t, db.MarkDelivered(ctx, "t2", epoch.Add(4)))
	ok(t, db.MarkDelivered(ctx, "t1", epoch.Add(5)))
	ok(t, db.MarkUndelivered(ctx, "t2", "too late to say", epoch.Add(5)))
	wantTurn(t, db, "t2", epoch.Add(4))
	wantDraft(t, db, "", "")
	ok(t, db.EndTurn(ctx, "t2", epoch.Add(6)))
	wantTurn(t, db, "", time.Time{})

	entries, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	if len(entries) != 2 {
		t.Fatalf("%d entries", len(entries))
	}
	if e := entries[0]; e.Kind != transcript.KindPrompt || e.Text != "first" || e.Turn != "t1" || e.Origin != session.OriginHuman || !e.At.Equal(epoch) {
		t.Errorf("%+v", e)
	}
}

func TestAPromptThatWasNotDeliveredBecomesTheDraft(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	queue(t, db, "t1", "do it")
	ok(t, db.MarkTurnDispatched(ctx, "t1", epoch))
	ok(t, db.MarkUndelivered(ctx, "t1", "not taken up", epoch))
	wantDraft(t, db, "do it", "not taken up")
	wantTurn(t, db, "", time.Time{})
	if q, err := db.QueuedTurn(ctx, "aaa"); q != nil || err != nil {
		t.Error("it is still queued", err)
	}

	// A confirmation that comes late takes that back.
	ok(t, db.MarkDelivered(ctx, "t1", epoch.Add(1)))
	wantDraft(t, db, "", "")
	wantTurn(t, db, "t1", epoch.Add(1))
}

func TestADraftInHandIsNotLost(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	queue(t, db, "t1", "do it")
	ok(t, db.SetDraft(ctx, "aaa", "and then"))
	ok(t, db.MarkUndelivered(ctx, "t1", "not taken up", epoch))
	wantDraft(t, db, "do it\n\nand then", "not taken up")
	ok(t, db.MarkDelivered(ctx, "t1", epoch))
	wantDraft(t, db, "do it\n\nand then", "")
}

func TestAPromptTypedInTheAgentsOwnUIOpensATurn(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	first, err := db.OpenTurn(ctx, "aaa", session.OriginHuman, "one", epoch)
	ok(t, err)
	wantTurn(t, db, first, epoch)
	second, err := db.OpenTurn(ctx, "aaa", session.OriginAgent, "two", epoch.Add(1))
	ok(t, err)
	wantTurn(t, db, second, epoch.Add(1))
	ok(t, db.EndTurn(ctx, second, epoch.Add(2)))
	wantTurn(t, db, "", time.Time{}) // the first ended with the second's prompt
	_, err = db.OpenTurn(ctx, "zzz", session.OriginHuman, "x", epoch)
	wantFault(t, err, session.CodeNotFound)
	wantFault(t, db.EndTurn(ctx, "zzz", epoch), session.CodeNotFound)
}

func TestAHelperThatVanishedLeavesATruthfulThread(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	queue(t, db, "t0", "running")
	ok(t, db.MarkDelivered(ctx, "t0", epoch))
	queue(t, db, "t1", "on its way")
	ok(t, db.MarkTurnDispatched(ctx, "t1", epoch))
	queue(t, db, "t2", "waiting")

	ok(t, db.EndedUnseen(ctx, "aaa", "not live, so nothing ended", epoch))
	wantDraft(t, db, "", "")
	ok(t, db.SetLive(ctx, "aaa", true))
	ok(t, db.SetStatus(ctx, "aaa", session.Status{State: session.StateWorking, Source: session.SourceAgent, At: epoch}, true))
	ok(t, db.EndedUnseen(ctx, "aaa", "the helper is gone", epoch.Add(1)))
	wantDraft(t, db, "on its way", "the helper is gone")
	th, err := db.Thread(ctx, "aaa")
	ok(t, err)
	if th.Live || th.NeedsYou || th.State != session.StateFailed || !th.StateAt.Equal(epoch.Add(1)) {
		t.Errorf("%+v", th)
	}
	wantTurn(t, db, "t2", time.Time{})
}
