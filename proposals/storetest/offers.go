package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"aside/proposals"
	"aside/session"
)

func offers(t *testing.T, s Subject) {
	thread, other := offering(t, s, "a"), offering(t, s, "b")
	p := offer(t, s, proposal(thread, 1))

	got := read(t, s, p.ID)
	if !got.OfferedAt.Equal(p.OfferedAt) {
		t.Errorf("offered at %v, want %v", got.OfferedAt, p.OfferedAt)
	}
	got.OfferedAt = p.OfferedAt
	if !reflect.DeepEqual(got, p) {
		t.Errorf("stored and read:\n%+v\nwant\n%+v", got, p)
	}

	folded := func(what string, q session.Proposal) {
		t.Helper()
		if result, id := tryOffer(t, s, q); result != proposals.OfferFolded || id != p.ID {
			t.Errorf("%s: %s with id %s, want it folded into %s", what, result, id, p.ID)
		}
	}
	folded("the same call", p)
	q := proposal(thread, 2)
	q.Title, q.Prompt = strings.ToUpper(p.Title)+"  ", strings.ReplaceAll(p.Prompt, " ", "\n\t")
	folded("the same offer by another call", q)
	ok(t, s.Dismiss(t.Context(), p.ID, day))
	folded("the same offer after it was dismissed", q)

	offer(t, s, proposal(other, 1)) // the other thread has not offered it
	offer(t, s, proposal(thread, 3))
	if ids := list(t, s, proposals.Filter{Thread: thread, All: true}); len(ids) != 2 {
		t.Errorf("the thread has %d cards, want 2", len(ids))
	}
	_, _, err := s.Offer(t.Context(), proposal("nosuchthre", 1), "key", proposals.StandingMax)
	refused(t, err, session.CodeNotFound)
}

func fullThread(t *testing.T, s Subject) {
	thread := offering(t, s, "a")
	var all []session.Proposal
	for n := range proposals.StandingMax {
		all = append(all, offer(t, s, proposal(thread, n)))
	}
	full := func() {
		t.Helper()
		if result, id := tryOffer(t, s, proposal(thread, 100)); result != proposals.OfferFull || id != "" {
			t.Fatalf("one too many: %s, %q", result, id)
		}
	}
	full()
	if result, _ := tryOffer(t, s, all[0]); result != proposals.OfferFolded {
		t.Errorf("the same again in a full thread: %s", result)
	}
	ok(t, s.Dismiss(t.Context(), all[0].ID, day))
	offer(t, s, proposal(thread, 101))
	full()
	if _, err := s.Withdraw(t.Context(), thread, all[1].ID, day); err != nil {
		t.Fatal(err)
	}
	offer(t, s, proposal(thread, 102))
	full()
	offer(t, s, proposal(offering(t, s, "b"), 100))
}

func offersAtOnce(t *testing.T, s Subject) {
	thread := offering(t, s, "a")
	same := proposal(thread, 0)
	var wg sync.WaitGroup
	var mu sync.Mutex
	results := map[proposals.OfferResult]int{}
	for n := range 2 * proposals.StandingMax {
		wg.Go(func() {
			p := proposal(thread, n)
			if n%2 == 0 {
				p.Title, p.Prompt = same.Title, same.Prompt
			}
			result, _, err := s.Offer(t.Context(), p, proposals.FoldKey(p.Title, p.Prompt), 11)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("offer %d: %v", n, err)
			}
			results[result]++
		})
	}
	wg.Wait()
	if got := len(list(t, s, proposals.Filter{Thread: thread})); got != 11 || results[proposals.OfferAdded] != 11 {
		t.Errorf("%d cards stand, of %v, want 11", got, results)
	}
	titles := map[string]int{}
	all, err := s.Proposals(t.Context(), proposals.Filter{Thread: thread})
	ok(t, err)
	for _, p := range all {
		if titles[p.Title]++; titles[p.Title] > 1 {
			t.Errorf("%q has a second card", p.Title)
		}
	}
}

func answers(t *testing.T, s Subject) {
	ctx, thread := t.Context(), offering(t, s, "a")
	p := offer(t, s, proposal(thread, 1))

	refused(t, s.Restore(ctx, p.ID, day), session.CodeSettled)
	ok(t, s.Dismiss(ctx, p.ID, day))
	if got := read(t, s, p.ID); got.State != session.ProposalDismissed || !got.DecidedAt.Equal(day) {
		t.Errorf("dismissed: %s at %v", got.State, got.DecidedAt)
	}
	refused(t, s.Dismiss(ctx, p.ID, day), session.CodeSettled)
	if ids := list(t, s, proposals.Filter{}); len(ids) != 0 {
		t.Errorf("still listed: %v", ids)
	}
	if ids := list(t, s, proposals.Filter{All: true}); !slices.Equal(ids, []session.ProposalID{p.ID}) {
		t.Errorf("of all: %v", ids)
	}

	ok(t, s.Restore(ctx, p.ID, day))
	if got := read(t, s, p.ID); got.State != session.ProposalStanding || !got.DecidedAt.IsZero() {
		t.Errorf("restored: %s at %v", got.State, got.DecidedAt)
	}
	for name, err := range map[string]error{
		"dismiss": s.Dismiss(ctx, "nosuchoffe", day), "restore": s.Restore(ctx, "nosuchoffe", day),
	} {
		if session.CodeOf(err) != session.CodeNotFound {
			t.Errorf("%s of no such offer: %v", name, err)
		}
	}

	old, young := offer(t, s, proposal(thread, 2)), offer(t, s, proposal(thread, 3))
	ok(t, s.Dismiss(ctx, young.ID, day))
	want := []session.ProposalID{old.ID, p.ID, young.ID}
	if ids := list(t, s, proposals.Filter{All: true}); !slices.Equal(ids, want) {
		t.Errorf("order is %v, want what stands first, then the newest: %v", ids, want)
	}
}

func withdraw(t *testing.T, s Subject) {
	ctx, thread := t.Context(), offering(t, s, "a")
	p, dismissed := offer(t, s, proposal(thread, 1)), offer(t, s, proposal(thread, 2))
	ok(t, s.Dismiss(ctx, dismissed.ID, day))

	if done, err := s.Withdraw(ctx, thread, dismissed.ID, day); done || err != nil {
		t.Errorf("withdraw what was dismissed: %v, %v", done, err)
	}
	if got := read(t, s, dismissed.ID); got.Withdrawn || got.State != session.ProposalDismissed {
		t.Errorf("it is %+v", got)
	}
	if _, err := s.Withdraw(ctx, offering(t, s, "b"), p.ID, day); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("withdraw another thread's offer: %v", err)
	}
	if done, err := s.Withdraw(ctx, thread, p.ID, day); !done || err != nil {
		t.Fatalf("withdraw: %v, %v", done, err)
	}
	if done, err := s.Withdraw(ctx, thread, p.ID, day); done || err != nil {
		t.Errorf("withdraw again: %v, %v", done, err)
	}
	if !read(t, s, p.ID).Withdrawn || len(list(t, s, proposals.Filter{})) != 0 {
		t.Error("it still stands")
	}
	refused(t, s.Dismiss(ctx, p.ID, day), session.CodeSettled)
	refused(t, s.Restore(ctx, p.ID, day), session.CodeSettled)
	_, err := s.Take(ctx, order(p), "fresh22222", taker(1), day, none)
	refused(t, err, session.CodeSettled)

	again := proposal(thread, 3)
	again.Title, again.Prompt = p.Title, p.Prompt
	offer(t, s, again)
}

func find(t *testing.T, s Subject) {
	ctx, thread := t.Context(), offering(t, s, "a")
	byFirst := map[byte][]session.ProposalID{}
	for n := 0; n < 40; n++ { // 33 would be enough for two with the same first letter
		p := offer(t, s, proposal(thread, n))
		byFirst[p.ID[0]] = append(byFirst[p.ID[0]], p.ID)
		ok(t, s.Dismiss(ctx, p.ID, day))
		if got, err := s.FindProposal(ctx, string(p.ID)); err != nil || got.ID != p.ID {
			t.Fatalf("find %s: %v, %v", p.ID, got.ID, err)
		}
	}
	for first, ids := range byFirst {
		got, err := s.FindProposal(ctx, string(first))
		switch {
		case len(ids) == 1 && (err != nil || got.ID != ids[0]):
			t.Errorf("find %q: %v, %v", first, got.ID, err)
		case len(ids) > 1 && session.CodeOf(err) != session.CodeUsage:
			t.Errorf("find %q: %v, want it ambiguous", first, err)
		case len(ids) > 1 && !names(err, ids):
			t.Errorf("find %q does not name the candidates %v: %v", first, ids, err)
		}
	}
	for _, prefix := range []string{"", "1", "%", "_"} {
		if _, err := s.FindProposal(ctx, prefix); err == nil {
			t.Errorf("found something for %q", prefix)
		}
	}
}

// names says that an error's sentence or hint holds every id.
func names(err error, ids []session.ProposalID) bool {
	var fault *session.Error
	if !errors.As(err, &fault) {
		return false
	}
	for _, id := range ids {
		if !strings.Contains(fmt.Sprint(fault.Message, fault.Hint), string(id)) {
			return false
		}
	}
	return true
}
