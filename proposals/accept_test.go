package proposals_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aside/proposals"
	"aside/session"
	"aside/worktree"
)

var (
	errBoom = errors.New("boom")
	own     = proposals.Granted{Checkout: session.Checkout{Mode: session.CheckoutWorktree, Path: "/w"}, Cwd: "/w/sub"}
	shared  = proposals.Granted{Checkout: session.Checkout{Mode: session.CheckoutShared, Path: "/p"}, Cwd: "/p", Why: "no commit yet"}
)

func wishing(w worktree.Wish, proposal session.ProposalID) proposals.Start {
	return proposals.Start{
		Thread: "thread2222", Step: proposals.StepTaken, Taker: proposals.Taker{PID: 1, Nonce: "n"},
		Order: proposals.Order{Proposal: proposal, Wish: w, Title: "Title", Prompt: "Prompt"},
	}
}

// name returns a value's type, "-" for none.
func name(v any) string {
	if v == nil {
		return "-"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", v), "proposals.")
}

// drive feeds the events to a new walk and returns the effects, each with
// its name.
func drive(events ...proposals.Event) (s proposals.State, effects []string) {
	for _, e := range events {
		var effect proposals.Effect
		s, effect = proposals.Next(s, e)
		effects = append(effects, name(effect))
	}
	return s, effects
}

func TestOrderOfTheSteps(t *testing.T) {
	done := proposals.Done{}
	taken := func(w worktree.Wish, p session.ProposalID) proposals.Event {
		return proposals.WasTaken{Start: wishing(w, p)}
	}
	straight := []proposals.Event{done, done, done, done, done}
	ways := []string{"RecordGrant", "RecordPrompt", "RecordStarted", "Launch", "MarkDispatched", "-"}
	asked := append([]string{"AskShared"}, ways...)
	yes := proposals.WasAnswered{Yes: true}
	tests := []struct {
		name   string
		taken  proposals.Event
		events []proposals.Event
		want   []string
	}{
		{"own", taken(worktree.WishWorktree, "p"), []proposals.Event{proposals.WasGranted{Granted: own}}, ways},
		{"shared and agreed", taken(worktree.WishWorktree, "p"), []proposals.Event{proposals.WasGranted{Granted: shared}, yes}, asked},
		{"shared as chosen", taken(worktree.WishShared, "p"), []proposals.Event{proposals.WasGranted{Granted: shared}}, ways},
		{"an offer always asks", taken(worktree.WishAuto, "p"), []proposals.Event{proposals.WasGranted{Granted: shared}, yes}, asked},
		{"composer, own", taken(worktree.WishAuto, ""), []proposals.Event{proposals.WasGranted{Granted: own}}, ways},
		{"composer, shared", taken(worktree.WishAuto, ""), []proposals.Event{proposals.WasGranted{Granted: shared}}, ways},
		{"composer, own asked for", taken(worktree.WishWorktree, ""), []proposals.Event{proposals.WasGranted{Granted: shared}, yes}, asked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events := slices.Concat([]proposals.Event{proposals.Begin{}, tt.taken, done}, tt.events, straight)
			s, effects := drive(events...)
			if want := append([]string{"Take", "CreateThread", "Grant"}, tt.want...); !slices.Equal(effects, want) {
				t.Errorf("effects\n%v, want\n%v", effects, want)
			}
			if s.Err != nil || s.Awaits != nil || s.Start.Step != proposals.StepDispatched {
				t.Errorf("at the end %+v", s)
			}
		})
	}
}

func TestAskSaysWhatItIsAbout(t *testing.T) {
	s, _ := drive(proposals.Begin{}, proposals.WasTaken{Start: wishing(worktree.WishWorktree, "p")}, proposals.Done{}, proposals.WasGranted{Granted: shared})
	want := proposals.AskShared{Ask: proposals.Ask{Thread: "thread2222", Title: "Title", Path: "/p", Why: "no commit yet"}}
	if s.Awaits != want {
		t.Errorf("got %+v, want %+v", s.Awaits, want)
	}
	s, effect := proposals.Next(s, proposals.WasAnswered{})
	if f, ok := effect.(proposals.Fail); !ok || !f.KeepDraft || f.Reason == "" {
		t.Errorf("declined: %+v", effect)
	}
	if s, _ = proposals.Next(s, proposals.Done{}); session.CodeOf(s.Err) != session.CodeConsent || s.Start.Taker != (proposals.Taker{}) {
		t.Errorf("declined: %+v", s)
	}
}

func TestGrantKnowsWhatIsThere(t *testing.T) {
	start := wishing(worktree.WishWorktree, "p")
	start.Checkout = own.Checkout
	s, _ := drive(proposals.Begin{}, proposals.WasTaken{Start: start}, proposals.Done{})
	want := proposals.Grant{Request: proposals.GrantRequest{Thread: start.Thread, Order: start.Order, Left: own.Checkout}}
	if s.Awaits != want {
		t.Errorf("got %+v, want %+v", s.Awaits, want)
	}
}

func TestUnusableGrants(t *testing.T) {
	for name, g := range map[string]proposals.Granted{
		"nothing":       {},
		"no mode":       {Checkout: session.Checkout{Path: "/w"}, Cwd: "/w"},
		"unknown mode":  {Checkout: session.Checkout{Mode: "isolated", Path: "/w"}, Cwd: "/w"},
		"no path":       {Checkout: session.Checkout{Mode: session.CheckoutWorktree}, Cwd: "/w"},
		"relative path": {Checkout: session.Checkout{Mode: session.CheckoutWorktree, Path: "w"}, Cwd: "/w"},
		"no cwd":        {Checkout: session.Checkout{Mode: session.CheckoutShared, Path: "/w"}},
	} {
		_, effects := drive(proposals.Begin{}, proposals.WasTaken{Start: wishing(worktree.WishShared, "p")}, proposals.Done{}, proposals.WasGranted{Granted: g})
		if effects[3] != "Fail" {
			t.Errorf("%s: %s", name, effects[3])
		}
	}
}

func TestRecoveryLaunchesNothing(t *testing.T) {
	for step, want := range map[proposals.Step][]string{
		proposals.StepTaken:       {"Fail", "-"},
		proposals.StepCreated:     {"Fail", "-"},
		proposals.StepGranted:     {"Fail", "-"},
		proposals.StepPrompted:    {"RecordStarted", "Undelivered", "-"},
		proposals.StepStarted:     {"Undelivered", "-"},
		proposals.StepDispatched:  {"-"},
		proposals.StepUndelivered: {"-"},
	} {
		start := wishing(worktree.WishWorktree, "p")
		start.Step = step
		events := []proposals.Event{proposals.Recover{Start: start}}
		for range want[1:] {
			events = append(events, proposals.Done{})
		}
		s, effects := drive(events...)
		if !slices.Equal(effects, want) || s.Err != nil || s.Awaits != nil {
			t.Errorf("from %s: %v, %v; want %v", step, effects, s.Err, want)
		}
	}
}

// TestTransitions asserts the outcome of every event in every state. A state
// that does not await an event keeps everything and does nothing.
func TestTransitions(t *testing.T) {
	events := []proposals.Event{
		proposals.Begin{},
		proposals.Recover{Start: wishing(worktree.WishWorktree, "p")},
		proposals.WasTaken{Start: wishing(worktree.WishWorktree, "p")},
		proposals.WasGranted{Granted: own},
		proposals.WasAnswered{Yes: true},
		proposals.Done{},
		proposals.Failed{Err: errBoom},
		proposals.Failed{Err: proposals.ErrLost},
	}
	const ignored = ""
	tests := []struct {
		awaits proposals.Effect
		want   [8]string // the next effect by event, - for the end
	}{
		{nil, [8]string{"Take", "Fail", ignored, ignored, ignored, ignored, ignored, ignored}},
		{proposals.Take{}, [8]string{2: "CreateThread", 6: "-", 7: "-"}},
		{proposals.CreateThread{}, [8]string{5: "Grant", 6: "Fail", 7: "-"}},
		{proposals.Grant{}, [8]string{3: "RecordGrant", 6: "Fail", 7: "-"}},
		{proposals.AskShared{}, [8]string{4: "RecordGrant", 6: "Fail", 7: "-"}},
		{proposals.RecordGrant{}, [8]string{5: "RecordPrompt", 6: "Fail", 7: "-"}},
		{proposals.RecordPrompt{}, [8]string{5: "RecordStarted", 6: "Fail", 7: "-"}},
		{proposals.RecordStarted{}, [8]string{5: "Launch", 6: "-", 7: "-"}},
		{proposals.Launch{}, [8]string{5: "MarkDispatched", 6: "Undelivered", 7: "-"}},
		{proposals.MarkDispatched{}, [8]string{5: "-", 6: "-", 7: "-"}},
		{proposals.Fail{}, [8]string{5: "-", 6: "-", 7: "-"}},
		{proposals.Undelivered{}, [8]string{5: "-", 6: "-", 7: "-"}},
	}
	for _, tt := range tests {
		for i, e := range events {
			before := proposals.State{Start: wishing(worktree.WishWorktree, "p"), Awaits: tt.awaits, Err: nil}
			after, effect := proposals.Next(before, e)
			what := fmt.Sprintf("awaiting %s, event %s", name(tt.awaits), name(e))
			if tt.want[i] == ignored {
				if effect != nil || !reflect.DeepEqual(after, before) {
					t.Errorf("%s: %s and %+v, want it ignored", what, name(effect), after)
				}
				continue
			}
			if name(effect) != tt.want[i] || !reflect.DeepEqual(after.Awaits, effect) {
				t.Errorf("%s: %s, want %s", what, name(effect), tt.want[i])
			}
			if f, failed := e.(proposals.Failed); failed && !errors.Is(after.Err, f.Err) {
				t.Errorf("%s: the error is lost: %v", what, after.Err)
			}
		}
	}
}

func TestFailureOfTheTidying(t *testing.T) {
	first := &session.Error{Code: session.CodeBlocked, Message: "no checkout"}
	s, effects := drive(proposals.Begin{}, proposals.WasTaken{Start: wishing(worktree.WishWorktree, "p")}, proposals.Done{},
		proposals.Failed{Err: first}, proposals.Failed{Err: errBoom})
	if effects[4] != "-" || !errors.Is(s.Err, errBoom) || session.CodeOf(s.Err) != session.CodeBlocked || s.Start.Taker == (proposals.Taker{}) {
		t.Errorf("%v, %+v", effects, s)
	}
}

func TestReasonsOnTheThread(t *testing.T) {
	fault := &session.Error{Code: session.CodeBlocked, Message: "A separate checkout is not possible here: \x1b[1mbad", Hint: "Make a commit"}
	s, _ := drive(proposals.Begin{}, proposals.WasTaken{Start: wishing(worktree.WishWorktree, "p")}, proposals.Done{}, proposals.Failed{Err: fault})
	want := proposals.Fail{Reason: "Not started: A separate checkout is not possible here: bad. Make a commit"}
	if s.Awaits != want {
		t.Errorf("got %+v, want %+v", s.Awaits, want)
	}
	edited := wishing(worktree.WishWorktree, "p")
	edited.Order.Edited = true
	for _, start := range []proposals.Start{edited, wishing(worktree.WishAuto, "")} {
		s, _ := drive(proposals.Begin{}, proposals.WasTaken{Start: start}, proposals.Done{}, proposals.Failed{Err: errBoom})
		if f, ok := s.Awaits.(proposals.Fail); !ok || !f.KeepDraft {
			t.Errorf("the person's prompt is not kept: %+v", s.Awaits)
		}
	}
}
