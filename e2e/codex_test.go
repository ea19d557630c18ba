//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/e2e/codex"
	"aside/e2e/model"
	"aside/session"
	"aside/session/client"
	"aside/session/transcript"
)

// codexStage is a stage whose client is Codex.
func codexStage(t *testing.T) *stage {
	t.Helper()
	installing, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	program, err := codex.Install(installing)
	if err != nil {
		t.Fatal(err)
	}
	s := bareStage(t)
	home, err := codex.NewHome(tempDir(t), s.model.URL(), s.project)
	if err != nil {
		t.Fatal(err)
	}
	s.program, s.home, s.homeDir = program, home, home.Dir
	s.env = append(s.env, "HOME="+home.Dir)
	s.withAside(t)
	t.Cleanup(func() {
		// The client itself writes down there what it has shown to the person.
		if now, err := os.ReadFile(home.Config()); err != nil || strings.Contains(string(now), "aside") || strings.Contains(string(now), "hook") {
			t.Errorf("the client's own configuration became\n%s%v", now, err)
		}
	})
	return s
}

// asking is a script in which the model runs a command that has to be asked
// for, and then says last.
func asking(t *testing.T, command, last string) string {
	t.Helper()
	arguments, err := json.Marshal(map[string]string{
		"cmd": command, "sandbox_permissions": "require_escalated", "justification": "May it run?",
	})
	must(t, err)
	return fmt.Sprintf("@tool exec_command %s\n@text %s", arguments, last)
}

func (s *stage) newCodex(t *testing.T, prompt string) string {
	t.Helper()
	return s.aside(t, "new", "--agent", "codex", "--checkout", "shared", prompt)
}

// watcher is a client that shows decisions: the agent is held while there is
// one.
func (s *stage) watcher(t *testing.T, id string) *typist {
	t.Helper()
	y := s.typist(t, id)
	must(t, y.Send(client.Up{Deciding: true}))
	must(t, y.Send(client.Up{History: &client.HistoryRequest{ID: 1, Pane: session.PaneAgent}}))
	select {
	case <-y.heard:
	case <-deadline(t).Done():
		t.Fatal("the helper does not answer")
	}
	return y
}

// runs starts the client, waits for the end of its first turn, and watches it.
func (s *stage) runs(t *testing.T) (id string, y *typist) {
	t.Helper()
	id = s.newCodex(t, "@text Ready.")
	s.whole(t, id, "Ready.")
	s.state(t, id, session.StateDone)
	return id, s.watcher(t, id)
}

func TestCodexRunsWhatIsAllowedHere(t *testing.T) {
	s := codexStage(t)
	id, _ := s.runs(t)
	s.aside(t, "send", id, asking(t, "echo out; echo ran >> ran", "It went."))
	d := s.decision(t)
	if d.Title != "echo out; echo ran >> ran" || d.Tool != "Bash" || !strings.Contains(d.Detail, "May it run?") || labels(d) != "once=once | deny=deny" {
		t.Errorf("it asks %+v", d)
	}
	if left := d.Deadline.Sub(d.ReceivedAt); left > 30*time.Second || !strings.HasPrefix(d.ToolCallID, "call_") {
		t.Errorf("it is held for %v on call %q", left, d.ToolCallID)
	}
	s.state(t, id, session.StateNeedsYou)
	s.aside(t, "answer", string(d.ID), "once")
	if _, code := s.run(t, "answer", string(d.ID), "deny"); code != int(session.CodeSettled) {
		t.Errorf("a second answer ended with status %d", code)
	}
	s.whole(t, id, "It went.")
	s.state(t, id, session.StateDone)
	if n := s.lines(t, "ran"); n != 1 {
		t.Errorf("the tool ran %d times", n)
	}
	entries := listed[transcript.Entry](t, s, "transcript", id)
	if !slices.ContainsFunc(entries, func(e transcript.Entry) bool {
		return e.Kind == transcript.KindTool && e.Tool == "Bash" && e.Input == d.Title && strings.TrimSpace(e.Output) == "out" && !e.Failed
	}) {
		t.Errorf("the transcript is %+v", entries)
	}
}

func TestCodexIsToldWhyNot(t *testing.T) {
	s := codexStage(t)
	id, _ := s.runs(t)
	s.aside(t, "send", id, asking(t, "touch made-by-agent", "Then not."))
	s.aside(t, "answer", string(s.decision(t).ID), "deny", "--note", "use the other file")
	if got := s.answered(t, 1)[0]; !strings.Contains(got, "use the other file") {
		t.Errorf("the model was told %q", got)
	}
	s.whole(t, id, "Then not.")
	if s.has(t, "made-by-agent") {
		t.Error("what was refused ran")
	}
}

const codexPrompt = "Would you like to run the following command?"

// Nobody is locked out: without a screen the agent asks in its own prompt, and
// no other prompt is typed into that.
func TestCodexAsksInItsOwnPromptWhenNobodyLooks(t *testing.T) {
	s := codexStage(t)
	id := s.newCodex(t, asking(t, "touch made-by-agent", "It went."))
	await(t, codexPrompt, func() (struct{}, bool) {
		return struct{}{}, strings.Contains(s.aside(t, "screen", id), codexPrompt)
	})
	if left := listed[session.Decision](t, s, "decisions"); len(left) != 0 {
		t.Errorf("it is held on %+v", left)
	}
	s.state(t, id, session.StateNeedsYou)
	if _, code := s.run(t, "send", id, "@text Here I am."); code != int(session.CodeFailed) || s.has(t, "made-by-agent") {
		t.Errorf("a prompt that would answer it ended with status %d", code)
	}
	s.typist(t, id).answer(t, s, id, codexPrompt, session.KeyEnter)
	s.whole(t, id, "It went.")
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
	s.aside(t, "send", id, "@text Here I am.")
	s.whole(t, id, "Here I am.")
}

// The key that hands a held question to the terminal brings the agent's own
// prompt, which then is answered there.
func TestCodexIsHandedToTheTerminalOnTheScreen(t *testing.T) {
	s := codexStage(t)
	id := s.newCodex(t, "@text Ready.")
	s.whole(t, id, "Ready.")
	screen := s.open(t, binary(t))
	see(t, screen, `Ready\.`)
	s.aside(t, "send", id, asking(t, "touch made-by-agent", "It went."))
	see(t, screen, `\d+ s left`)
	must(t, screen.Key("ctrl+space", "d", "t"))
	see(t, screen, `Would you like to run`)
	must(t, screen.WaitGone(deadline(t), `1 once`))
	if !slices.ContainsFunc(listed[transcript.Entry](t, s, "transcript", id), func(e transcript.Entry) bool {
		return e.Kind == transcript.KindDecision && e.Outcome == string(session.ReleaseHandedOver)
	}) {
		t.Error("it was not the key that handed it over")
	}
	s.typist(t, id).answer(t, s, id, codexPrompt, session.KeyEnter)
	s.whole(t, id, "It went.")
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
}

// The last screen that goes hands over what is held.
func TestCodexIsLetGoWithTheLastScreen(t *testing.T) {
	s := codexStage(t)
	id, y := s.runs(t)
	s.aside(t, "send", id, asking(t, "touch made-by-agent", "It went."))
	s.decision(t)
	must(t, y.Close())
	await(t, codexPrompt, func() (struct{}, bool) {
		return struct{}{}, strings.Contains(s.aside(t, "screen", id), codexPrompt)
	})
	if left := listed[session.Decision](t, s, "decisions"); len(left) != 0 || s.has(t, "made-by-agent") {
		t.Errorf("it is held on %+v", left)
	}
}

// Escape while it is held, and in its own prompt, ends the turn.
func TestCodexIsInterrupted(t *testing.T) {
	for name, held := range map[string]bool{"held": true, "in its own prompt": false} {
		t.Run(name, func(t *testing.T) {
			s := codexStage(t)
			var id string
			if held {
				var y *typist
				id, y = s.runs(t)
				s.aside(t, "send", id, asking(t, "touch made-by-agent", "It went."))
				s.decision(t)
				y.press(t, session.KeyEscape)
			} else {
				id = s.newCodex(t, asking(t, "touch made-by-agent", "It went."))
				s.typist(t, id).answer(t, s, id, codexPrompt, session.KeyEscape)
			}
			s.state(t, id, session.StateIdle)
			if left := listed[session.Decision](t, s, "decisions"); len(left) != 0 || s.has(t, "made-by-agent") {
				t.Errorf("it is held on %+v", left)
			}
			await(t, "the word of it", func() (struct{}, bool) {
				return struct{}{}, slices.ContainsFunc(listed[transcript.Entry](t, s, "transcript", id), func(e transcript.Entry) bool {
					return e.Kind == transcript.KindNotice && e.Text == "Interrupted"
				})
			})
			s.aside(t, "send", id, "@text Here I am.")
			s.whole(t, id, "Here I am.")
		})
	}
}

// An offer asks nobody and is known by its call; what is started from it gets
// its prompt in a form that runs nothing.
func TestCodexOffersAndStarts(t *testing.T) {
	s := codexStage(t)
	id, _ := s.runs(t)
	offer, err := json.Marshal(map[string]string{
		"title": "Cover the loader", "summary": "It would add tests.", "prompt": "!touch ran-bare\n@text Started.",
	})
	must(t, err)
	s.aside(t, "send", id, "@tool mcp__aside/propose_thread "+string(offer)+"\n@text Offered.")
	s.whole(t, id, "Offered.")
	if got := s.answered(t, 1)[0]; !strings.Contains(got, "Cover the loader") {
		t.Errorf("the model was told %q", got)
	}
	o := the(t, listed[session.Proposal](t, s, "proposals"))
	if !strings.HasPrefix(o.CallID, "call_") {
		t.Errorf("the offer is %+v", o)
	}
	started := s.aside(t, "start", string(o.ID))
	s.whole(t, started, "Started.")
	th := s.thread(t, started)
	if th.Agent != "codex" || th.Checkout.Mode != session.CheckoutWorktree {
		t.Errorf("started %+v", th)
	}
	if _, err := os.Stat(filepath.Join(th.Cwd, "ran-bare")); err == nil || s.has(t, "ran-bare") {
		t.Error("the prompt's first line was run")
	}
}

// goesOn stops the agent and starts it again: it goes on with its conversation,
// in which it had said something.
func (s *stage) goesOn(t *testing.T, id, said string) {
	t.Helper()
	first := s.thread(t, id).SessionID
	s.aside(t, "stop", id)
	s.aside(t, "resume", id)
	s.aside(t, "send", id, "@text Back again.")
	s.whole(t, id, "Back again.")
	if th := s.thread(t, id); th.SessionID != first || first == "" {
		t.Errorf("it was conversation %q and is %q", first, th.SessionID)
	}
	last := s.model.Requests()[len(s.model.Requests())-1]
	if !slices.ContainsFunc(last.Messages, func(m model.Message) bool { return m.Role == "assistant" && m.Content[0].Text == said }) {
		t.Error("the model does not know what was said before")
	}
}

func TestCodexGoesOnWithItsConversation(t *testing.T) {
	s := codexStage(t)
	id, _ := s.runs(t)
	s.goesOn(t, id, "Ready.")
}

// What a sub-agent is told is no turn of the thread, and its end is not the
// end of it; what it asks is asked here.
func TestASubAgentOfCodexAsksHere(t *testing.T) {
	s := codexStage(t)
	id, _ := s.runs(t)
	inner, err := json.Marshal(map[string]string{"message": asking(t, "touch made-by-agent", "Sub went.")})
	must(t, err)
	s.aside(t, "send", id, "@tool multi_agent_v1/spawn_agent "+string(inner)+"\n@tool multi_agent_v1/wait_agent {}\n@text All done.")
	d := s.decision(t)
	if !strings.Contains(d.Detail, "Asked by the sub-agent") {
		t.Errorf("it asks %+v", d)
	}
	s.aside(t, "answer", string(d.ID), "once")
	await(t, "what was allowed", func() (struct{}, bool) { return struct{}{}, s.has(t, "made-by-agent") })
	s.whole(t, id, "All done.")
	prompts := 0
	for _, e := range listed[transcript.Entry](t, s, "transcript", id) {
		if e.Kind == transcript.KindPrompt {
			prompts++
		}
	}
	if prompts != 2 {
		t.Errorf("the thread has %d prompts, want 2", prompts)
	}
}
