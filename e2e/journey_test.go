//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/session"
)

const offer = `@text I noticed something beside the task.
@tool mcp__aside__propose_thread {"title":"Cover the loader","summary":"Add tests for the loader.","prompt":"@tool Bash {\"command\":\"pwd > where\"}\n@text The loader is covered.","files":["settings/load.go"]}
@text Back to the task.`

// offers waits until the thread's agent has the tool for offers: a server of
// tools that has connected late misses the turns before.
func (s *stage) offers(t *testing.T, thread string) {
	t.Helper()
	await(t, "the tool for offers", func() (struct{}, bool) {
		requests := s.model.Requests()
		if slices.Contains(requests[len(requests)-1].Tools, "mcp__aside__propose_thread") {
			return struct{}{}, true
		}
		s.aside(t, "send", thread, "@text Not yet.")
		return struct{}{}, false
	})
}

// decision waits until one decision is pending and returns it.
func (s *stage) decision(t *testing.T) session.Decision {
	t.Helper()
	return await(t, "a decision", func() (session.Decision, bool) {
		found := listed[session.Decision](t, s, "decisions")
		if len(found) == 0 {
			return session.Decision{}, false
		}
		return the(t, found), true
	})
}

func TestAnOfferIsStartedInAWorktreeOfItsOwn(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	first := s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", "@text Hello.")
	s.offers(t, first)
	s.aside(t, "send", first, offer)

	// The tool's answer comes though nobody has answered the offer.
	if got := s.answered(t, 1)[0]; !strings.Contains(got, "Cover the loader") {
		t.Errorf("the agent was told %q", got)
	}
	o := the(t, listed[session.Proposal](t, s, "proposals"))
	if o.Title != "Cover the loader" || string(o.Thread) != first || o.State != session.ProposalStanding {
		t.Errorf("the offer is %+v", o)
	}

	second := s.aside(t, "start", string(o.ID))
	d := s.decision(t)
	if string(d.Thread) != second || !strings.Contains(d.Detail+d.Title, "pwd > where") {
		t.Errorf("the decision is %+v, want one of %s", d, second)
	}
	s.aside(t, "answer", string(d.ID), "once")

	threads := listed[session.Thread](t, s, "threads", "--all")
	var checkout session.Checkout
	for _, th := range threads {
		if string(th.ID) == second {
			checkout = th.Checkout
		}
	}
	where := await(t, "the file in the worktree", func() (string, bool) {
		out, err := exec.CommandContext(t.Context(), "cat", filepath.Join(checkout.Path, "where")).Output()
		return strings.TrimSpace(string(out)), err == nil && len(out) > 0
	})
	if where != checkout.Path || checkout.Path == s.project || s.has(t, "where") {
		t.Errorf("the agent ran in %q, its checkout is %q, the project %q", where, checkout.Path, s.project)
	}
	if _, code := s.run(t, "start", string(o.ID)); code != int(session.CodeSettled) {
		t.Errorf("starting it again ended with status %d", code)
	}
}

func TestADecisionIsAnsweredFromAShellOnce(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared", touchIt)
	d := s.decision(t)
	if d.Tool != "Bash" || !strings.Contains(d.Detail+d.Title, "touch made-by-agent") {
		t.Errorf("the decision is %+v", d)
	}
	if s.has(t, "made-by-agent") {
		t.Error("the tool ran before it was allowed")
	}
	s.aside(t, "answer", string(d.ID), "once")
	s.answered(t, 1)
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
	if _, code := s.run(t, "answer", string(d.ID), "deny"); code != int(session.CodeSettled) {
		t.Errorf("a second answer ended with status %d", code)
	}
}

func TestADenialReachesTheAgentWithItsNote(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared", touchIt)
	s.aside(t, "answer", string(s.decision(t).ID), "deny", "--note", "not in this folder")
	if got := s.answered(t, 1)[0]; !strings.Contains(got, "not in this folder") {
		t.Errorf("the agent was told %q", got)
	}
	if s.has(t, "made-by-agent") {
		t.Error("the tool ran")
	}
}

func TestRequestsOfOneReplyWaitTogetherAndAreAnsweredApart(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared",
		`@tool WebFetch {"url":"http://127.0.0.1:1/first","prompt":"x"}`+"\n"+
			`@with WebFetch {"url":"http://127.0.0.1:1/second","prompt":"x"}`)
	both := await(t, "two decisions", func() ([]session.Decision, bool) {
		found := listed[session.Decision](t, s, "decisions")
		return found, len(found) == 2
	})
	for _, d := range both {
		note := "no second"
		if strings.Contains(d.Title+d.Detail, "/first") {
			note = "no first"
		}
		s.aside(t, "answer", string(d.ID), "deny", "--note", note)
	}
	if got := s.answered(t, 2); len(got) != 2 {
		t.Fatalf("the agent was told %q", got)
	}
	calls, results := map[string]string{}, map[string]string{}
	requests := s.model.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		for _, b := range m.Content {
			switch b.Type {
			case "tool_use":
				calls[b.ID] = string(b.Input)
			case "tool_result":
				results[b.ID] = b.Text
			}
		}
	}
	for id, input := range calls {
		want := "no second"
		if strings.Contains(input, "/first") {
			want = "no first"
		}
		if !strings.Contains(results[id], want) {
			t.Errorf("of %s the agent was told %q", input, results[id])
		}
	}
}

func TestADecisionIsAnsweredInTheBar(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared", touchIt)
	screen := s.open(t, binary(t))
	see(t, screen, `1 once`)
	must(t, screen.Key("ctrl+space", "1"))
	s.answered(t, 1)
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
	must(t, screen.WaitGone(deadline(t), `1 once`))
}

func TestADecisionAnsweredInTheTerminalIsReleased(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared", touchIt)
	d := s.decision(t)
	screen := s.open(t, binary(t))
	see(t, screen, `Do you want to proceed\?`)
	confirm(t, screen, `Do you want to proceed\?`)
	s.answered(t, 1)
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
	if left := listed[session.Decision](t, s, "decisions"); len(left) != 0 {
		t.Errorf("decisions %+v are left", left)
	}
	if _, code := s.run(t, "answer", string(d.ID), "deny"); code == 0 {
		t.Error("a decision that was answered in the terminal was answered again")
	}
}

func TestAnOfferIsStartedOnTheScreen(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	first := s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", "@text Hello.")
	s.offers(t, first)
	screen := s.open(t, binary(t))
	see(t, screen, `● Hello\.`)
	s.aside(t, "send", first, offer)
	see(t, screen, `Proposed: Cover the loader`)
	if n := len(listed[session.Thread](t, s, "threads", "--all")); n != 1 {
		t.Errorf("%d threads before the offer was started", n)
	}
	must(t, screen.Key("ctrl+space", "o"))
	see(t, screen, `Start this thread`)
	must(t, screen.ClickOn("Start this thread"))
	d := s.decision(t)
	if string(d.Thread) == first || !strings.Contains(d.Detail+d.Title, "pwd > where") {
		t.Errorf("the decision is %+v", d)
	}
}

func TestClosingTheScreenLeavesTheAgentAtWork(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	id := s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "@text It begins.\n@wait\n@text It ends.")
	screen := s.open(t, binary(t))
	see(t, screen, `● It begins\.`)
	screen.Kill()
	must(t, s.model.Release(deadline(t)))
	await(t, "the end of the reply on the agent's terminal", func() (string, bool) {
		out := s.aside(t, "screen", id)
		return out, strings.Contains(out, "● It ends.")
	})
	see(t, s.open(t, binary(t)), `● It ends\.`)
}

// Only the keyboards that the client asks a terminal for tell shift+enter from
// enter.
func TestShiftAndEnterBeginANewLineInTheClient(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", "@text Hello.")
	screen := s.open(t, binary(t))
	see(t, screen, `● Hello\.`)
	must(t, screen.Type("@text One,"))
	must(t, screen.Key("shift+enter"))
	must(t, screen.Type("@text then two."))
	see(t, screen, `❯.@text One,[^\n]*\n[^\n]*@text then two\.`)
	must(t, screen.Key("enter"))
	see(t, screen, `● One,[^●]*● then two\.`)
}
