package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
)

// order returns the order to start p as its card shows it.
func order(p session.Proposal) proposals.Order {
	return proposals.Order{
		Proposal: p.ID, ProposedIn: p.Thread, Project: project(string(p.ID)), Dir: project("offering"), Title: p.Title, Prompt: p.Prompt,
		Author: proposals.AuthorModel, Agent: "demo", Wish: worktree.WishWorktree,
	}
}

// composed returns the order for the composer's first message.
func composed(name string) proposals.Order {
	return proposals.Order{
		Project: project(name), Dir: project(name), Title: "Composed", Prompt: "Do as " + name + " says.",
		Author: proposals.AuthorPerson, Agent: "demo", Wish: worktree.WishAuto,
	}
}

// taker returns the taker of a walk of the process.
func taker(pid int) proposals.Taker {
	return proposals.Taker{PID: pid, Stamp: "boot:1", Nonce: session.NewID()}
}

func none(proposals.Taker) bool  { return false }
func every(proposals.Taker) bool { return true }

// checkout returns the own checkout of a thread.
func checkout(id session.ThreadID) session.Checkout {
	return session.Checkout{
		Mode: session.CheckoutWorktree, Path: project("worktrees/" + string(id)),
		Branch: "aside/" + string(id), Base: "0123456789012345678901234567890123456789",
	}
}

// mustTake takes the order and walks its start up to the step.
func mustTake(t *testing.T, s Subject, o proposals.Order, by proposals.Taker, dead func(proposals.Taker) bool, to proposals.Step) proposals.Start {
	t.Helper()
	ctx := t.Context()
	start, err := s.Take(ctx, o, session.ThreadID(session.NewID()), by, day, dead)
	if err != nil {
		t.Fatalf("take: %v", err)
	}
	if start.Step != proposals.StepTaken || start.Taker != by || start.Thread == "" || start.Order != o {
		t.Fatalf("taken: %+v", start)
	}
	steps := []struct {
		step proposals.Step
		do   func() error
	}{
		{proposals.StepTaken, func() error { return nil }},
		{proposals.StepCreated, func() error { return s.CreateThread(ctx, start, day) }},
		{proposals.StepGranted, func() error {
			return s.RecordGrant(ctx, start, checkout(start.Thread), checkout(start.Thread).Path, day)
		}},
		{proposals.StepPrompted, func() error { return s.RecordPrompt(ctx, start, session.TurnID(session.NewID()), day) }},
		{proposals.StepStarted, func() error { return s.RecordStarted(ctx, start, day) }},
		{proposals.StepDispatched, func() error { return s.MarkDispatched(ctx, start, day) }},
	}
	for _, st := range steps {
		if err := st.do(); err != nil {
			t.Fatalf("%s: %v", st.step, err)
		}
		if st.step == to {
			break
		}
	}
	stored, err := s.StartOf(ctx, start.Thread)
	if err != nil || stored.Step != to {
		t.Fatalf("stored at step %s, %v; want %s", stored.Step, err, to)
	}
	return stored
}

// thread returns the only thread of the project.
func thread(t *testing.T, s Subject, project string) session.Thread {
	t.Helper()
	all, err := s.Threads(t.Context(), project)
	if err != nil || len(all) != 1 {
		t.Fatalf("threads of %s: %v, %v; want one", project, all, err)
	}
	return all[0]
}

// refuses asserts that the order cannot be taken.
func refuses(t *testing.T, s Subject, o proposals.Order, dead func(proposals.Taker) bool, code session.Code) {
	t.Helper()
	_, err := s.Take(t.Context(), o, "fresh22222", taker(9), day, dead)
	refused(t, err, code)
}

// takeHeld asserts that a start under way excludes every other answer.
func takeHeld(t *testing.T, s Subject) {
	ctx, offerer := t.Context(), offering(t, s, "a")
	p := offer(t, s, proposal(offerer, 1))
	o := order(p)
	refuses(t, s, order(proposal(offerer, 99)), none, session.CodeNotFound)
	ok(t, s.Dismiss(ctx, p.ID, day))
	refuses(t, s, o, none, session.CodeSettled)
	ok(t, s.Restore(ctx, p.ID, day))

	held := mustTake(t, s, o, taker(1), none, proposals.StepTaken)
	refuses(t, s, o, none, session.CodeSettled)
	refused(t, s.Dismiss(ctx, p.ID, day), session.CodeSettled)
	refused(t, s.Restore(ctx, p.ID, day), session.CodeSettled)
	if done, err := s.Withdraw(ctx, offerer, p.ID, day); done || err != nil {
		t.Errorf("withdrawn while it is being started: %v, %v", done, err)
	}
	if got := read(t, s, p.ID); !got.Starting || got.State != session.ProposalStanding {
		t.Errorf("while it is held: %+v", got)
	}
	ok(t, s.Fail(ctx, held, "no luck", false, day))
	if got := read(t, s, p.ID); got.Starting || got.State != session.ProposalStanding {
		t.Errorf("after a failure: %+v", got)
	}

	// A start that has its prompt is as good as started, dead or not.
	mustTake(t, s, o, taker(1), none, proposals.StepPrompted)
	refuses(t, s, o, every, session.CodeSettled)
}

// takeAgain asserts that a retry goes on with the thread and the checkout
// that an earlier start left, also when that one's taker died.
func takeAgain(t *testing.T, s Subject) {
	ctx, offerer := t.Context(), offering(t, s, "a")
	p := offer(t, s, proposal(offerer, 1))
	o := order(p)
	first := mustTake(t, s, o, taker(1), none, proposals.StepGranted)
	ok(t, s.Fail(ctx, first, "no luck", false, day))
	th := thread(t, s, o.Project)
	if th.Problem != "no luck" || th.Draft != "" || *th.ProposedBy != (session.Lineage{Thread: offerer, Proposal: p.ID}) {
		t.Errorf("the thread left: %+v", th)
	}

	o.Title, o.Prompt, o.Edited = "Edited", "Do it otherwise.", true
	second := mustTake(t, s, o, taker(1), none, proposals.StepCreated)
	if second.Thread != first.Thread || second.Checkout != first.Checkout || second.Cwd != first.Cwd {
		t.Errorf("the retry has %+v, want thread and grant of %+v", second, first)
	}
	if th := thread(t, s, o.Project); th.Problem != "" || th.Title != "Edited" {
		t.Errorf("the thread of the retry: %+v", th)
	}

	third := mustTake(t, s, o, taker(2), every, proposals.StepStarted)
	if third.Thread != first.Thread {
		t.Errorf("thread %s after a death, want %s", third.Thread, first.Thread)
	}
	refused(t, s.MarkDispatched(ctx, second, day), session.CodeSettled)
	if prompt, author, err := s.Queued(ctx, first.Thread); prompt != o.Prompt || author != proposals.AuthorModel || err != nil {
		t.Errorf("queued %q of %q, %v", prompt, author, err)
	}
}

// takeAfterRemoval asserts what the removal of a thread does to its start:
// nothing when it has begun, and else that the next start makes another.
func takeAfterRemoval(t *testing.T, s Subject) {
	ctx, offerer := t.Context(), offering(t, s, "a")
	p := offer(t, s, proposal(offerer, 1))
	o := order(p)
	left := mustTake(t, s, o, taker(1), none, proposals.StepGranted)
	ok(t, s.Fail(ctx, left, "no luck", false, day))
	ok(t, s.RemoveThread(ctx, left.Thread))

	start := mustTake(t, s, o, taker(1), none, proposals.StepStarted)
	if start.Thread == left.Thread {
		t.Error("the removed thread is back")
	}
	got := read(t, s, p.ID)
	if got.State != session.ProposalStarted || got.StartedThread != start.Thread || got.CheckoutMode != session.CheckoutWorktree || got.Starting {
		t.Errorf("started: %+v", got)
	}
	refuses(t, s, o, every, session.CodeSettled)
	refused(t, s.Dismiss(ctx, p.ID, day), session.CodeSettled)
	refused(t, s.Restore(ctx, p.ID, day), session.CodeSettled)
	ok(t, s.MarkDispatched(ctx, start, day))
	ok(t, s.RemoveThread(ctx, start.Thread))
	if got := read(t, s, p.ID); got.State != session.ProposalStarted {
		t.Errorf("after its thread was deleted: %+v", got)
	}
	refuses(t, s, o, every, session.CodeSettled)
}

func takeComposer(t *testing.T, s Subject) {
	ctx, o := t.Context(), composed("composer")
	a := mustTake(t, s, o, taker(1), none, proposals.StepTaken)
	b := mustTake(t, s, o, taker(1), none, proposals.StepTaken)
	if a.Thread == b.Thread {
		t.Error("two messages went to one thread")
	}
	ok(t, s.Fail(ctx, a, "not kept", false, day))
	if all, err := s.Threads(ctx, o.Project); len(all) != 0 || err != nil {
		t.Errorf("threads %v, %v", all, err)
	}
	ok(t, s.Fail(ctx, b, "no luck", true, day))
	th := thread(t, s, o.Project)
	if th.ID != b.Thread || th.Draft != o.Prompt || th.Problem != "no luck" || th.ProposedBy != nil {
		t.Errorf("the thread left: %+v", th)
	}

	o.Thread = b.Thread
	held := mustTake(t, s, o, taker(1), none, proposals.StepCreated)
	if held.Thread != b.Thread {
		t.Errorf("the retry went to thread %s", held.Thread)
	}
	_, err := s.Take(ctx, o, "fresh22222", taker(2), day, none)
	refused(t, err, session.CodeSettled)
	ok(t, s.Fail(ctx, held, "no luck", true, day))

	mustTake(t, s, o, taker(1), none, proposals.StepDispatched)
	if th := thread(t, s, o.Project); th.Draft != "" || th.Problem != "" {
		t.Errorf("the thread started: %+v", th)
	}
	if prompts, err := s.Prompts(ctx, o.Thread); !slices.Equal(prompts, []string{o.Prompt}) || err != nil {
		t.Errorf("prompts %q, %v", prompts, err)
	}
	_, err = s.Take(ctx, o, "fresh22222", taker(2), day, every)
	refused(t, err, session.CodeSettled)
	o.Thread = "nosuchthre"
	_, err = s.Take(ctx, o, "fresh22222", taker(2), day, none)
	refused(t, err, session.CodeNotFound)
}

// lostClaim asserts that no step is taken by who does not hold the start.
func lostClaim(t *testing.T, s Subject) {
	ctx, o := t.Context(), composed("lost")
	held := mustTake(t, s, o, taker(1), none, proposals.StepGranted)
	taken, err := s.TakeOver(ctx, held, taker(2))
	if err != nil || taken.Step != proposals.StepGranted || taken.Thread != held.Thread || taken.Order != o {
		t.Fatalf("take over: %+v, %v", taken, err)
	}
	_, again := s.TakeOver(ctx, held, taker(3))
	for name, err := range map[string]error{
		"take over": again,
		"create":    s.CreateThread(ctx, held, day),
		"grant":     s.RecordGrant(ctx, held, session.Checkout{}, "", day),
		"prompt":    s.RecordPrompt(ctx, held, "turn222222", day),
		"started":   s.RecordStarted(ctx, held, day),
		"dispatch":  s.MarkDispatched(ctx, held, day),
		"fail":      s.Fail(ctx, held, "late", true, day),
		"undo":      s.Undelivered(ctx, held, "late", day),
	} {
		if !errors.Is(err, proposals.ErrLost) {
			t.Errorf("%s without the claim: %v, want ErrLost", name, err)
		}
	}
	if th := thread(t, s, o.Project); th.Problem != "" || th.Checkout != checkout(th.ID) {
		t.Errorf("it was changed: %+v", th)
	}
	all, err := s.Unfinished(ctx)
	if err != nil || len(all) != 1 || all[0].Taker != taken.Taker {
		t.Errorf("unfinished: %+v, %v", all, err)
	}
}

// undelivered asserts that a prompt that reached nobody is the draft again.
func undelivered(t *testing.T, s Subject) {
	ctx, o := t.Context(), composed("undelivered")
	start := mustTake(t, s, o, taker(1), none, proposals.StepPrompted)
	if err := s.Fail(ctx, start, "late", true, day); err == nil {
		t.Error("a start that has its prompt was taken back")
	}
	ok(t, s.Undelivered(ctx, start, "not delivered", day))
	if th := thread(t, s, o.Project); th.Draft != o.Prompt || th.Problem != "not delivered" {
		t.Errorf("undelivered: %+v", th)
	}
	if prompt, _, err := s.Queued(ctx, start.Thread); prompt != "" || err != nil {
		t.Errorf("still queued: %q, %v", prompt, err)
	}
	if all, err := s.Unfinished(ctx); len(all) != 0 || err != nil {
		t.Errorf("unfinished at the end: %+v, %v", all, err)
	}

	// One that did reach an agent after all stays with it.
	o = composed("delivered")
	start = mustTake(t, s, o, taker(1), none, proposals.StepStarted)
	ok(t, s.Dispatch(ctx, start.Thread, day))
	ok(t, s.Undelivered(ctx, start, "not delivered", day))
	if th := thread(t, s, o.Project); th.Draft != "" || th.Problem != "" {
		t.Errorf("delivered: %+v", th)
	}
}

// startersAtOnce asserts that of many who start or dismiss one offer at once
// exactly one is heard.
func startersAtOnce(t *testing.T, s Subject) {
	offerer := offering(t, s, "a")
	for round := range 15 {
		p := offer(t, s, proposal(offerer, round))
		w := newWorld(s)
		var wg sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			x := w.process(t, i+1, crash{})
			wg.Go(func() {
				if i%4 == 3 {
					results[i] = s.Dismiss(t.Context(), p.ID, day)
					return
				}
				_, results[i] = x.Start(t.Context(), order(p))
			})
		}
		wg.Wait()
		heard := 0
		for i, err := range results {
			switch session.CodeOf(err) {
			case 0:
				heard++
			case session.CodeSettled:
			default:
				t.Errorf("round %d: %d got %v", round, i, err)
			}
		}
		if heard != 1 {
			t.Errorf("round %d: %d were heard: %v", round, heard, results)
		}
		all, err := s.Threads(t.Context(), order(p).Project)
		ok(t, err)
		if got := read(t, s, p.ID); (got.State == session.ProposalStarted) != (len(all) == 1) || len(all) > 1 || len(w.launched) != len(all) {
			t.Errorf("round %d: %s with %d threads and %d launches", round, got.State, len(all), len(w.launched))
		}
		if t.Failed() {
			break
		}
	}
}

// recoverersAtOnce asserts that of many who recover at once each start is
// brought to its end by one.
func recoverersAtOnce(t *testing.T, s Subject) {
	w := newWorld(s)
	var orders []proposals.Order
	for n := range 12 {
		o := composed(fmt.Sprintf("left %d", n))
		steps := []proposals.Step{proposals.StepTaken, proposals.StepGranted, proposals.StepPrompted, proposals.StepStarted}
		mustTake(t, s, o, taker(1), none, steps[n%len(steps)])
		orders = append(orders, o)
	}
	w.kill(1)
	var wg sync.WaitGroup
	for pid := 2; pid < 6; pid++ {
		x := w.process(t, pid, crash{})
		wg.Go(func() {
			if err := x.Recover(t.Context()); err != nil {
				t.Errorf("recover: %v", err)
			}
		})
	}
	wg.Wait()
	if left, err := s.Unfinished(t.Context()); len(left) != 0 || err != nil {
		t.Errorf("unfinished: %+v, %v", left, err)
	}
	for _, o := range orders {
		if th := thread(t, s, o.Project); th.Draft != o.Prompt || th.Problem == "" {
			t.Errorf("left: %+v", th)
		}
	}
	if len(w.launched) != 0 {
		t.Errorf("launched %v", w.launched)
	}
}
