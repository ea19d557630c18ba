// Package storetest holds what every implementation of proposals.Store must
// pass: the rules for offers and answers, and the walk of a start with a
// crash between every two of its steps
// (contracts/proposed-threads.md, States and Starting).
package storetest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
)

// Subject is a store under test with what the suite needs to look around.
type Subject interface {
	proposals.Store
	// AddThread writes a thread that offers.
	AddThread(ctx context.Context, t session.Thread) error
	// Threads returns the threads of a project.
	Threads(ctx context.Context, project string) ([]session.Thread, error)
	// RemoveThread deletes a thread with what belongs to it.
	RemoveThread(ctx context.Context, id session.ThreadID) error
	// Prompts returns the texts of a thread's prompt entries.
	Prompts(ctx context.Context, id session.ThreadID) ([]string, error)
	// Queued returns the prompt that waits to be dispatched, with its
	// author, "" for none.
	Queued(ctx context.Context, id session.ThreadID) (prompt string, author proposals.Author, err error)
	// Dispatch records that the queued turn was dispatched, as a helper does.
	Dispatch(ctx context.Context, id session.ThreadID, at time.Time) error
}

// Run runs the suite. open returns an empty store that is closed with the
// test.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	t.Run("Offers", func(t *testing.T) { offers(t, open(t)) })
	t.Run("Full", func(t *testing.T) { fullThread(t, open(t)) })
	t.Run("OffersAtOnce", func(t *testing.T) { offersAtOnce(t, open(t)) })
	t.Run("Answers", func(t *testing.T) { answers(t, open(t)) })
	t.Run("Withdraw", func(t *testing.T) { withdraw(t, open(t)) })
	t.Run("Find", func(t *testing.T) { find(t, open(t)) })
	t.Run("TakeHeld", func(t *testing.T) { takeHeld(t, open(t)) })
	t.Run("TakeAgain", func(t *testing.T) { takeAgain(t, open(t)) })
	t.Run("TakeAfterRemoval", func(t *testing.T) { takeAfterRemoval(t, open(t)) })
	t.Run("TakeComposer", func(t *testing.T) { takeComposer(t, open(t)) })
	t.Run("LostClaim", func(t *testing.T) { lostClaim(t, open(t)) })
	t.Run("Undelivered", func(t *testing.T) { undelivered(t, open(t)) })
	t.Run("StartersAtOnce", func(t *testing.T) { startersAtOnce(t, open(t)) })
	t.Run("RecoverersAtOnce", func(t *testing.T) { recoverersAtOnce(t, open(t)) })
	t.Run("Crashes", func(t *testing.T) { crashes(t, open(t)) })
}

var day = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// project returns the folder of a case, one of its own.
func project(name string) string { return filepath.Join("/home/user", name) }

// offering adds a thread that offers and returns its id.
func offering(t *testing.T, s Subject, name string) session.ThreadID {
	t.Helper()
	id := session.ThreadID(session.NewID())
	err := s.AddThread(t.Context(), session.Thread{
		ID: id, Title: "Offering " + name, Agent: "demo", State: session.StateWorking,
		Project: project("offering"), Cwd: project("offering"), CreatedAt: day,
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// proposal returns a proposal of the thread that is like no other.
func proposal(thread session.ThreadID, n int) session.Proposal {
	o := proposals.Offer{
		Title: fmt.Sprintf("Offer %d", n), Summary: "A summary.", Rationale: "A reason.",
		Prompt: fmt.Sprintf("Do the work %d.", n), Files: []string{"a.go", "b.go"},
	}
	return o.Proposal(thread, fmt.Sprintf("call-%d", n), day.Add(time.Duration(n)*time.Minute))
}

// offer offers p and fails the test unless it was added.
func offer(t *testing.T, s Subject, p session.Proposal) session.Proposal {
	t.Helper()
	result, id := tryOffer(t, s, p)
	if result != proposals.OfferAdded || id != p.ID {
		t.Fatalf("offer %q: %s, id %s", p.Title, result, id)
	}
	return p
}

func tryOffer(t *testing.T, s Subject, p session.Proposal) (proposals.OfferResult, session.ProposalID) {
	t.Helper()
	result, id, err := s.Offer(t.Context(), p, proposals.FoldKey(p.Title, p.Prompt), proposals.StandingMax)
	if err != nil {
		t.Fatalf("offer %q: %v", p.Title, err)
	}
	return result, id
}

func read(t *testing.T, s Subject, id session.ProposalID) session.Proposal {
	t.Helper()
	p, err := s.Proposal(t.Context(), id)
	if err != nil {
		t.Fatalf("read proposal: %v", err)
	}
	return p
}

func list(t *testing.T, s Subject, f proposals.Filter) []session.ProposalID {
	t.Helper()
	all, err := s.Proposals(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var ids []session.ProposalID
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return ids
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused asserts a session.Error of the code with a sentence.
func refused(t *testing.T, err error, code session.Code) {
	t.Helper()
	var fault *session.Error
	if !errors.As(err, &fault) || fault.Code != code || fault.Message == "" {
		t.Helper()
		t.Errorf("got %v, want a session.Error of code %d", err, code)
	}
}
