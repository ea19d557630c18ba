package storage

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/proposals"
	"aside/proposals/storetest"
	"aside/session"
	"aside/session/transcript"
)

// subject lets the suite that every proposals.Store must pass look around.
type subject struct{ *DB }

func (s subject) Threads(ctx context.Context, project string) ([]session.Thread, error) {
	return s.ProjectThreads(ctx, project, true)
}

func (s subject) RemoveThread(ctx context.Context, id session.ThreadID) error {
	return s.DeleteThread(ctx, id)
}

func (s subject) Prompts(ctx context.Context, id session.ThreadID) ([]string, error) {
	entries, err := s.Entries(ctx, id, 0, 0)
	var all []string
	for _, e := range entries {
		if e.Kind == transcript.KindPrompt {
			all = append(all, e.Text)
		}
	}
	return all, err
}

func (s subject) Queued(ctx context.Context, id session.ThreadID) (string, proposals.Author, error) {
	q, err := s.QueuedTurn(ctx, id)
	if q == nil {
		return "", "", err
	}
	return q.Prompt, q.Author, nil
}

func (s subject) Dispatch(ctx context.Context, id session.ThreadID, at time.Time) error {
	q, err := s.QueuedTurn(ctx, id)
	if err != nil {
		return err
	}
	return s.MarkTurnDispatched(ctx, q.ID, at)
}

func TestTheStoreKeepsTheRulesOfProposals(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Subject { return subject{open(t, newPath(t))} })
}

func TestACardCarriesItsAnswerAsItIsNow(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	turn, err := db.OpenTurn(ctx, "aaa", session.OriginHuman, "go", epoch)
	ok(t, err)
	id := mustOffer(t, db, offered("aaa", "call", "Work"))
	card := func() transcript.Entry {
		t.Helper()
		entries, err := db.Entries(ctx, "aaa", 0, 1)
		ok(t, err)
		if entries[0].Proposal == nil {
			t.Fatalf("no card: %+v", entries[0])
		}
		return entries[0]
	}
	if e := card(); e.Kind != transcript.KindProposal || e.Turn != turn || e.Input != "" || e.Proposal.State != session.ProposalStanding || e.Proposal.ID != id {
		t.Errorf("%+v", e)
	}
	ok(t, db.Dismiss(ctx, id, epoch.Add(1)))
	if p := card().Proposal; p.State != session.ProposalDismissed || !p.DecidedAt.Equal(epoch.Add(1)) {
		t.Errorf("%+v", p)
	}
	ok(t, db.Restore(ctx, id, epoch))
	_, err = db.Take(ctx, proposals.Order{Proposal: id}, "new", proposals.Taker{Nonce: "n"}, epoch, nobodyDied)
	ok(t, err)
	if p := card().Proposal; p.State != session.ProposalStanding || !p.Starting {
		t.Errorf("%+v", p)
	}
}

func TestRowsThatAreNotUnderstoodAreLoggedAndReadAsNothing(t *testing.T) {
	path := newPath(t)
	var log bytes.Buffer
	db, err := Open(path, slog.New(slog.NewTextHandler(&log, nil)))
	ok(t, err)
	defer func() { ok(t, db.Close()) }()
	addThreads(t, db, "aaa")
	id := mustOffer(t, db, offered("aaa", "call", "Work"))
	other := raw(t, path)
	exec1(t, other, `INSERT INTO answers (thread, proposal, status, started_thread, decided_at) VALUES ('aaa', ?, 'snoozed', 'x', 5)`, id)

	p, err := db.Proposal(ctx, id)
	ok(t, err)
	if p.State != session.ProposalStanding || p.StartedThread != "" || !p.DecidedAt.IsZero() {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(log.String(), "snoozed") || !strings.Contains(log.String(), string(id)) {
		t.Errorf("the log says %q", log.String())
	}
	if all, err := db.Proposals(ctx, proposals.Filter{}); err != nil || len(all) != 1 {
		t.Errorf("%d proposals stand, %v", len(all), err)
	}

	// From before the mode was recorded, and of a mode of tomorrow.
	for _, mode := range []any{nil, "container"} {
		exec1(t, other, `UPDATE answers SET status = 'started', checkout_mode = ?`, mode)
		p, err := db.Proposal(ctx, id)
		ok(t, err)
		if p.State != session.ProposalStarted || p.CheckoutMode != session.CheckoutUnknown || p.StartedThread != "x" {
			t.Errorf("%+v", p)
		}
	}

	// Arguments that the decoder refuses are no card.
	exec1(t, other, `UPDATE entries SET input = '{"title": 7}'`)
	log.Reset()
	entries, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	if len(entries) != 1 || entries[0].Proposal != nil || !strings.Contains(log.String(), "not valid") {
		t.Errorf("%+v, log %q", entries, log.String())
	}
	_, err = db.Proposal(ctx, id)
	wantFault(t, err, session.CodeNotFound)
}

func TestDeletingTheStartedThreadNeverPutsTheQuestionBack(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	id := mustOffer(t, db, offered("aaa", "call", "Work"))
	by := proposals.Taker{PID: 1, Stamp: "s", Nonce: "n"}
	order := proposals.Order{Proposal: id, ProposedIn: "aaa", Project: "/p", Title: "Work", Prompt: "Do Work", Author: proposals.AuthorModel, Agent: "demo"}
	s, err := db.Take(ctx, order, "new", by, epoch, nobodyDied)
	ok(t, err)
	ok(t, db.CreateThread(ctx, s, epoch))
	ok(t, db.RecordGrant(ctx, s, session.Checkout{Mode: session.CheckoutShared, Path: "/p"}, "/p", epoch))
	ok(t, db.RecordPrompt(ctx, s, "turn", epoch))
	ok(t, db.RecordStarted(ctx, s, epoch.Add(1)))
	ok(t, db.MarkDispatched(ctx, s, epoch))

	ok(t, db.DeleteThread(ctx, "new"))
	p, err := db.Proposal(ctx, id)
	ok(t, err)
	if p.State != session.ProposalStarted || p.StartedThread != "new" || p.CheckoutMode != session.CheckoutShared || !p.DecidedAt.Equal(epoch.Add(1)) {
		t.Errorf("%+v", p)
	}
	_, err = db.Take(ctx, order, "newer", by, epoch, nobodyDied)
	wantFault(t, err, session.CodeSettled)
}

func TestAStepOutOfTurnChangesNothing(t *testing.T) {
	db := open(t, newPath(t))
	by := proposals.Taker{PID: 1, Stamp: "s", Nonce: "n"}
	s, err := db.Take(ctx, proposals.Order{Title: "T", Prompt: "P", Project: "/p"}, "new", by, epoch, nobodyDied)
	ok(t, err)
	if err := db.RecordPrompt(ctx, s, "turn", epoch); err == nil {
		t.Error("a prompt was recorded before its thread")
	}
	if err := db.MarkDispatched(ctx, s, epoch); err == nil {
		t.Error("a start was dispatched before its prompt")
	}
	got, err := db.StartOf(ctx, "new")
	ok(t, err)
	if got.Step != proposals.StepTaken {
		t.Errorf("it is at %s", got.Step)
	}
	if _, err := db.Take(ctx, proposals.Order{}, "x", proposals.Taker{PID: 1}, epoch, nobodyDied); err == nil {
		t.Error("a taker without a nonce took a start")
	}
	wantFault(t, func() error { _, err := db.StartOf(ctx, "zzz"); return err }(), session.CodeNotFound)
}

func TestTheStoreIsSharedByAbsolutePath(t *testing.T) {
	t.Chdir(t.TempDir())
	db, err := Open("aside.db", nil)
	ok(t, err)
	defer func() { ok(t, db.Close()) }()
	if !filepath.IsAbs(db.path) {
		t.Error("the path depends on the working folder")
	}
}
