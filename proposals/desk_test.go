package proposals_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
)

// office is a desk over a store in memory with one thread that offers.
type office struct {
	*testing.T
	proposals.Desk
	store  *memory
	thread session.ThreadID
}

func newOffice(t *testing.T) *office {
	t.Helper()
	m, now := newMemory(), day
	o := &office{T: t, store: m, thread: "offering22", Desk: proposals.Desk{Store: m, Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}}}
	if err := m.AddThread(t.Context(), session.Thread{ID: o.thread}); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *office) propose(callID, arguments string) proposals.Reply {
	o.Helper()
	r, err := o.Propose(o.Context(), o.thread, callID, json.RawMessage(arguments))
	if err != nil {
		o.Fatal(err)
	}
	return r
}

func (o *office) all() []session.Proposal {
	o.Helper()
	all, err := o.store.Proposals(o.Context(), proposals.Filter{All: true})
	if err != nil {
		o.Fatal(err)
	}
	return all
}

func arguments(n int) string {
	return fmt.Sprintf(`{"title":"Offer %d","summary":"S","prompt":"Prompt %d"}`, n, n)
}

func TestPropose(t *testing.T) {
	o := newOffice(t)
	r := o.propose("toolu_1", whole)
	all := o.all()
	if len(all) != 1 || r.IsError || !r.Changed {
		t.Fatalf("%+v, cards %+v", r, all)
	}
	p := all[0]
	if p.CallID != "toolu_1" || p.ID != session.NewProposalID(o.thread, "toolu_1") || p.Prompt != "Write tests." || p.OfferedAt.IsZero() {
		t.Errorf("the card is %+v", p)
	}
	if !strings.Contains(r.Text, "“Cover the loader”") || !strings.Contains(r.Text, string(p.ID)) {
		t.Errorf("the agent reads %q", r.Text)
	}
	if wire, err := json.Marshal(r); err != nil || strings.Contains(string(wire), "hanged") {
		t.Errorf("on the wire %s, %v", wire, err)
	}
}

// The reply to the same offer again is the same to the letter, whatever the
// person answered meanwhile.
func TestTheSameOfferAgain(t *testing.T) {
	o := newOffice(t)
	first := o.propose("toolu_1", whole)
	id := o.all()[0].ID
	ask := func(when string) {
		t.Helper()
		for _, call := range []string{"toolu_1", "toolu_2"} {
			if r := o.propose(call, strings.ReplaceAll(whole, "Write tests", "write\\n TESTS")); r.Text != first.Text || r.IsError || r.Changed {
				t.Errorf("%s, call %s: %+v, want %q", when, call, r, first.Text)
			}
		}
	}
	ask("standing")
	if err := o.store.Dismiss(t.Context(), id, day); err != nil {
		t.Fatal(err)
	}
	ask("dismissed")
	if err := o.store.Restore(t.Context(), id, day); err != nil {
		t.Fatal(err)
	}
	order := proposals.Order{Proposal: id, Title: "Cover the loader", Prompt: "Write tests.", Wish: worktree.WishWorktree}
	if _, err := newHouse(t, o.store).Start(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	ask("started")
	if n := len(o.all()); n != 1 {
		t.Errorf("%d cards", n)
	}
}

func TestProposeInvalid(t *testing.T) {
	o := newOffice(t)
	for _, bad := range []string{``, `[]`, `{"title":1}`, `{"title":"a","summary":"b"}`} {
		r := o.propose("toolu_1", bad)
		if !r.IsError || r.Changed || !strings.HasPrefix(r.Text, "Nothing was shown") {
			t.Errorf("%s: %+v", bad, r)
		}
	}
	if r := o.propose("toolu_1", `{"title":"a","summary":"b"}`); !strings.Contains(r.Text, "prompt is missing") {
		t.Errorf("it does not say what is wrong: %s", r.Text)
	}
	if len(o.all()) != 0 {
		t.Error("there is a card")
	}
}

func TestProposeToAFullThread(t *testing.T) {
	o := newOffice(t)
	for n := range 20 {
		if r := o.propose("", arguments(n)); r.IsError || !r.Changed {
			t.Fatalf("offer %d: %+v", n, r)
		}
	}
	if r := o.propose("", arguments(20)); !r.IsError || r.Changed || !strings.Contains(r.Text, "20 open offers") {
		t.Errorf("one too many: %+v", r)
	}
	if n := len(o.all()); n != 20 {
		t.Errorf("%d cards", n)
	}
}

// Calls without an id, or with one that cannot be kept, are calls of their
// own.
func TestCallsWithoutID(t *testing.T) {
	o := newOffice(t)
	for n, id := range []string{"", "", "a\x1b[1mb", "\xff", strings.Repeat("x", 1000), strings.Repeat("x", 1000)} {
		if r := o.propose(id, arguments(n)); !r.Changed {
			t.Errorf("id %.20q: %+v", id, r)
		}
	}
	for _, p := range o.all() {
		if !strings.HasPrefix(p.CallID, "aside-") {
			t.Errorf("call id %.20q was kept", p.CallID)
		}
	}
}

func TestWithdrawAndList(t *testing.T) {
	o := newOffice(t)
	o.propose("a", arguments(1))
	o.propose("b", arguments(2))
	open, put := session.NewProposalID(o.thread, "a"), session.NewProposalID(o.thread, "b")
	if err := o.store.Dismiss(t.Context(), put, day); err != nil {
		t.Fatal(err)
	}
	list := func() string {
		t.Helper()
		r, err := o.List(t.Context(), o.thread)
		if err != nil || r.IsError {
			t.Fatal(r, err)
		}
		return r.Text
	}
	before := list()
	if !strings.HasSuffix(before, fmt.Sprintf("\n%s  Offer 1\n%s  Offer 2", open, put)) {
		t.Errorf("the list is %q", before)
	}

	withdraw := func(arguments string) proposals.Reply {
		t.Helper()
		r, err := o.Withdraw(t.Context(), o.thread, json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := withdraw(fmt.Sprintf(`{"id":%q}`, open)), withdraw(fmt.Sprintf(`{"id":" %s "}`, put))
	again := withdraw(fmt.Sprintf(`{"id":%q}`, open))
	if strings.ReplaceAll(a.Text, string(open), "ID") != strings.ReplaceAll(b.Text, string(put), "ID") || again.Text != a.Text || a.IsError || b.IsError {
		t.Errorf("the replies tell what stood:\n%+v\n%+v\n%+v", a, b, again)
	}
	if !a.Changed || b.Changed || again.Changed {
		t.Errorf("changed: %v, %v, %v", a.Changed, b.Changed, again.Changed)
	}
	if after := list(); after != before {
		t.Errorf("the list tells what stood:\n%s\nbefore:\n%s", after, before)
	}
	for _, bad := range []string{`{}`, `{"id":1}`, `{"id":"nosuchoffe"}`, `x`, fmt.Sprintf(`{"id":%q}`, open[:4])} {
		if r := withdraw(bad); !r.IsError || r.Changed || !strings.HasPrefix(r.Text, "Nothing was taken back") {
			t.Errorf("%s: %+v", bad, r)
		}
	}
}

// fullDisk is a store that cannot write.
type fullDisk struct{ *memory }

var errDisk = errors.New("disk full")

func (fullDisk) Offer(context.Context, session.Proposal, string, int) (proposals.OfferResult, session.ProposalID, error) {
	return "", "", errDisk
}

func (fullDisk) Withdraw(context.Context, session.ThreadID, session.ProposalID, time.Time) (bool, error) {
	return false, errDisk
}

func TestDeskWithoutAStore(t *testing.T) {
	o := newOffice(t)
	o.Store = fullDisk{o.store}
	r, err := o.Propose(t.Context(), o.thread, "a", json.RawMessage(whole))
	if !errors.Is(err, errDisk) || !r.IsError || r.Changed || !strings.HasPrefix(r.Text, "Nothing was shown") || strings.Contains(r.Text, "disk") {
		t.Errorf("propose: %+v, %v", r, err)
	}
	r, err = o.Withdraw(t.Context(), o.thread, json.RawMessage(`{"id":"a"}`))
	if !errors.Is(err, errDisk) || !r.IsError || r.Changed {
		t.Errorf("withdraw: %+v, %v", r, err)
	}
}
