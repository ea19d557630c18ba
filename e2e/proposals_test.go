//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"aside/e2e/model"
	"aside/session"
	"aside/session/transcript"
)

const proposeTool = "mcp__aside__propose_thread"

// offering is the line of a script that offers a thread.
func offering(t *testing.T, title, prompt string) string {
	t.Helper()
	arguments, err := json.Marshal(map[string]string{"title": title, "summary": "It would " + title + ".", "prompt": prompt})
	must(t, err)
	return "@tool " + proposeTool + " " + string(arguments)
}

// proposer starts a thread of the real client that has the tool for offers.
func (s *stage) proposer(t *testing.T) string {
	t.Helper()
	first := s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", "@text Hello.")
	s.offers(t, first)
	return first
}

// say gives a thread a prompt and waits for the request with n tool results.
func (s *stage) say(t *testing.T, thread string, n int, script ...string) []string {
	t.Helper()
	if _, code := s.run(t, "send", thread, strings.Join(script, "\n")); code != 0 {
		t.Fatalf("the prompt was not delivered; the screen is\n%s", s.aside(t, "screen", thread))
	}
	return s.answered(t, n)
}

func TestTheToolForOffersIsThereFromTheFirstRequest(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	// The client asks its model without waiting for a server of tools that is
	// late, as on a busy machine: one thread of a few has to be in time.
	const tries = 5
	for try := 1; ; try++ {
		before := len(s.model.Requests())
		s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", fmt.Sprintf("@text Hello %d.", try))
		first := s.model.Requests()[before]
		if slices.Contains(first.Tools, proposeTool) {
			for _, name := range []string{"withdraw_proposal", "list_proposals"} {
				if !slices.Contains(first.Tools, "mcp__aside__"+name) {
					t.Errorf("the first request offers %q", first.Tools)
				}
			}
			t.Logf("in the first request of thread %d", try)
			return
		}
		if try == tries {
			t.Fatalf("in no first request of %d threads; the last offers %q", tries, first.Tools)
		}
	}
}

func TestAnOfferAsksNobodyAndIsKnownByItsCall(t *testing.T) {
	s := newStage(t)
	s.withAside(t) // it asks for every command
	first := s.proposer(t)
	results := s.say(t, first, 1, offering(t, "Cover the loader", "Write tests."), "@text On I go.")
	if !strings.Contains(results[0], "“Cover the loader”") || !strings.Contains(results[0], "Nothing has run") {
		t.Errorf("the agent was told %q", results[0])
	}
	if held := listed[session.Decision](t, s, "decisions"); len(held) != 0 {
		t.Errorf("the offer asks for %+v", held)
	}
	requests := s.model.Requests()
	var call string
	for _, m := range requests[len(requests)-1].Messages {
		for _, b := range m.Content {
			if b.Type == "tool_use" && b.Name == proposeTool {
				call = b.ID
			}
		}
	}
	o := the(t, listed[session.Proposal](t, s, "proposals"))
	if o.CallID != call || call == "" || o.ID != session.NewProposalID(session.ThreadID(first), call) {
		t.Errorf("the offer is %+v, of the call %q", o, call)
	}
	// Its card stands in the transcript where it was made, and once.
	cards := 0
	for _, e := range listed[transcript.Entry](t, s, "transcript", first) {
		if e.Kind == transcript.KindProposal && e.Proposal != nil && e.Proposal.ID == o.ID {
			cards++
		}
		if e.Kind == transcript.KindTool && strings.Contains(e.Tool, "propose_thread") {
			t.Errorf("beside the card there is %+v", e)
		}
	}
	if cards != 1 {
		t.Errorf("%d cards", cards)
	}
}

func TestTheAgentKeepsItsOffersInOrder(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	first := s.proposer(t)
	results := s.say(t, first, 4,
		offering(t, "Cover the loader", "Write tests."),
		offering(t, "cover the  LOADER", "write tests."),
		offering(t, "Rename the flag", "Rename it."),
		`@tool mcp__aside__list_proposals {}`, "@text Done with that.")
	offers := listed[session.Proposal](t, s, "proposals")
	if len(offers) != 2 || !strings.Contains(results[1], string(offers[1].ID)) {
		t.Fatalf("there stand %+v; the second time the agent was told %q", offers, results[1])
	}
	for _, o := range offers {
		if !strings.Contains(results[3], string(o.ID)) || !strings.Contains(results[3], o.Title) {
			t.Errorf("the list %q lacks %s", results[3], o.ID)
		}
	}
	started := s.aside(t, "start", string(offers[1].ID))
	s.aside(t, "dismiss", string(offers[0].ID))
	// Neither the list nor a withdrawal gives an answer away.
	after := s.say(t, first, 6, `@tool mcp__aside__list_proposals {}`,
		fmt.Sprintf(`@tool mcp__aside__withdraw_proposal {"id":%q}`, offers[1].ID), "@text So be it.")
	if after[4] != results[3] {
		t.Errorf("after the answers the list is %q, before %q", after[4], results[3])
	}
	if !strings.Contains(after[5], "if it was until now") {
		t.Errorf("the agent was told %q", after[5])
	}
	for _, o := range listed[session.Proposal](t, s, "proposals", "--all") {
		if o.ID == offers[1].ID && (o.State != session.ProposalStarted || string(o.StartedThread) != started) {
			t.Errorf("the started offer is %+v", o)
		}
	}
}

// What the card shows is what the agent gets, behind the line that keeps it
// from being a command: nothing runs, and nothing is cut.
func TestAPromptReachesTheRealClientAsItWasShown(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	first := s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", "@text Hello.")
	long := strings.Repeat("A line of a long prompt – with “quotes”, `code` and $HOME.\n", 1<<10)
	prompts := map[string]string{
		"A shell command":  "!touch made-by-bang",
		"A slash command":  "/status",
		"A flag":           "--dangerously-skip-permissions is what this is about",
		"Sixty kibibytes":  strings.TrimSpace(long[:60<<10-8]),
		"Lines and spaces": "first\n\n  \tindented\n\nlast",
	}
	for title, prompt := range prompts {
		s.propose(t, first, title, prompt)
		var o session.Proposal
		for _, p := range listed[session.Proposal](t, s, "proposals") {
			if p.Title == title {
				o = p
			}
		}
		if o.Prompt != prompt {
			t.Fatalf("%s: the card shows %d bytes %.80q, want %d", title, len(o.Prompt), o.Prompt, len(prompt))
		}
		thread := s.aside(t, "start", string(o.ID))
		if _, err := s.model.Await(deadline(t), func(r model.Request) bool { return has(r, "Task:\n"+prompt) }); err != nil {
			t.Errorf("%s: it does not arrive: %v", title, err)
		}
		if e := listed[transcript.Entry](t, s, "transcript", thread)[0]; e.Kind != transcript.KindPrompt || e.Text != prompt {
			t.Errorf("%s: the transcript begins with %.200q", title, e.Text)
		}
		await(t, "the confirmed delivery of "+title, func() (struct{}, bool) {
			th := s.thread(t, thread)
			return struct{}{}, th.Draft == "" && th.Problem == "" && th.State != session.StateStarting
		})
		if s.has(t, "made-by-bang") {
			t.Error("the prompt was run as a shell command")
		}
		s.aside(t, "stop", thread)
	}
}

// propose offers a thread in the name of one, as an agent without MCP does.
func (s *stage) propose(t *testing.T, thread, title, prompt string) {
	t.Helper()
	arguments, err := json.Marshal(map[string]string{"title": title, "summary": "It would " + title + ".", "prompt": prompt})
	must(t, err)
	cmd := exec.CommandContext(deadline(t), binary(t), "propose")
	cmd.Dir, cmd.Env, cmd.Stdin = s.project, append(s.env, "ASIDE_THREAD="+thread), bytes.NewReader(arguments)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("propose: %v\n%s", err, out)
	}
}

func has(r model.Request, text string) bool {
	for _, m := range r.Messages {
		for _, b := range m.Content {
			if m.Role == "user" && b.Type == "text" && strings.TrimSpace(b.Text) == text {
				return true
			}
		}
	}
	return false
}

func (s *stage) thread(t *testing.T, id string) session.Thread {
	t.Helper()
	for _, th := range listed[session.Thread](t, s, "threads", "--all") {
		if string(th.ID) == id {
			return th
		}
	}
	t.Fatalf("there is no thread %s", id)
	return session.Thread{}
}
