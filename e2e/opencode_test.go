//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/e2e/opencode"
	"aside/session"
	"aside/session/transcript"
)

// opencodeStage is a stage whose client is OpenCode, asking for every command.
func opencodeStage(t *testing.T) *stage {
	t.Helper()
	installing, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	program, err := opencode.Install(installing)
	if err != nil {
		t.Fatal(err)
	}
	s := bareStage(t)
	home, err := opencode.NewHome(tempDir(t), s.model.URL())
	if err != nil {
		t.Fatal(err)
	}
	s.program, s.home, s.homeDir = program, home, home.Dir
	s.env = append(s.env, "HOME="+home.Dir)
	s.withAside(t)
	return s
}

func (s *stage) newOpenCode(t *testing.T, script ...string) string {
	t.Helper()
	return s.aside(t, "new", "--agent", "opencode", "--checkout", "shared", strings.Join(script, "\n"))
}

func ocBash(t *testing.T, command string) string {
	t.Helper()
	arguments, err := json.Marshal(map[string]string{"command": command, "description": "Run it"})
	must(t, err)
	return "@tool bash " + string(arguments)
}

const ocPrompt = "Permission required"

// One journey, since the client takes long to start: what is allowed here, for
// good, refused with a note, and answered in its own prompt.
func TestOpenCodeIsAnsweredHereAndInItsOwnPrompt(t *testing.T) {
	s := opencodeStage(t)
	id := s.newOpenCode(t, "@text I look.", ocBash(t, "echo out; echo ran >> ran"), "@text It went.")
	d := s.decision(t)
	if d.Title != "echo out; echo ran >> ran" || d.Tool != "Bash" || d.ToolCallID == "" || !strings.HasPrefix(labels(d), "once=once | always1=always: ") {
		t.Errorf("it asks %+v", d)
	}
	s.state(t, id, session.StateNeedsYou)
	s.aside(t, "answer", string(d.ID), "once")
	s.whole(t, id, "It went.")
	s.state(t, id, session.StateDone)
	if n := s.lines(t, "ran"); n != 1 {
		t.Errorf("the tool ran %d times", n)
	}
	entries := listed[transcript.Entry](t, s, "transcript", id)
	if !slices.ContainsFunc(entries, func(e transcript.Entry) bool {
		return e.Kind == transcript.KindTool && e.Tool == "Bash" && strings.HasPrefix(e.Input, d.Title) && strings.TrimSpace(e.Output) == "out" && !e.Failed
	}) {
		t.Errorf("the transcript is %+v", entries)
	}

	s.aside(t, "send", id, ocBash(t, "touch refused")+"\n@text Then not.")
	s.aside(t, "answer", string(s.decision(t).ID), "deny", "--note", "use the other file")
	s.whole(t, id, "Then not.")
	if got := s.answered(t, 2)[1]; !strings.Contains(got, "use the other file") || s.has(t, "refused") {
		t.Errorf("the model was told %q", got)
	}

	s.aside(t, "send", id, ocBash(t, "touch first")+"\n"+ocBash(t, "touch second")+"\n@text Both.")
	s.aside(t, "answer", string(s.decision(t).ID), "always1")
	s.whole(t, id, "Both.") // the second asked nothing
	if !s.has(t, "second") {
		t.Error("what was allowed for good did not run")
	}

	s.aside(t, "send", id, ocBash(t, "mkdir there")+"\n@text Made.")
	d = s.decision(t)
	y := s.typist(t, id)
	await(t, ocPrompt, func() (struct{}, bool) {
		return struct{}{}, strings.Contains(s.aside(t, "screen", id), ocPrompt)
	})
	y.press(t, session.KeyRight)
	await(t, "the release", func() (struct{}, bool) {
		return struct{}{}, len(listed[session.Decision](t, s, "decisions")) == 0
	})
	y.released(t, d.ID, session.ReleaseTerminal)
	if _, code := s.run(t, "send", id, "@text Here I am."); code != int(session.CodeFailed) || s.has(t, "there") {
		t.Errorf("a prompt that would answer it ended with status %d", code)
	}
	y.press(t, session.KeyLeft)
	y.answer(t, s, id, ocPrompt, session.KeyEnter)
	s.whole(t, id, "Made.")
	if !s.has(t, "there") {
		t.Error("the tool did not run")
	}
	s.aside(t, "send", id, "@text Here I am.")
	s.whole(t, id, "Here I am.")
}

func TestOpenCodeOffersAndGoesOn(t *testing.T) {
	s := opencodeStage(t)
	offer, err := json.Marshal(map[string]string{"title": "Cover the loader", "summary": "It would add tests.", "prompt": "!touch ran-bare\n@text Started."})
	must(t, err)
	id := s.newOpenCode(t, "@tool aside_propose_thread "+string(offer), "@text Offered.")
	s.whole(t, id, "Offered.")
	o := the(t, listed[session.Proposal](t, s, "proposals"))
	started := s.aside(t, "start", string(o.ID))
	s.whole(t, started, "Started.")
	if th := s.thread(t, started); th.Agent != "opencode" || th.Checkout.Mode != session.CheckoutWorktree || s.has(t, "ran-bare") {
		t.Errorf("started %+v", th)
	}

	s.goesOn(t, id, "Offered.")
}

// A question has no buttons: its own prompt takes the answer.
func TestAQuestionOfOpenCodeIsAnsweredInItsOwnPrompt(t *testing.T) {
	s := opencodeStage(t)
	question, err := json.Marshal(map[string]any{"questions": []any{map[string]any{
		"question": "Which one?", "header": "One", "options": []any{
			map[string]string{"label": "Red", "description": "warm"}, map[string]string{"label": "Blue", "description": "cold"},
		},
	}}})
	must(t, err)
	id := s.newOpenCode(t, "@tool question "+string(question), "@text Good.")
	d := s.decision(t)
	if d.Kind != session.KindQuestion || d.Title != "Which one?" || d.Answerable {
		t.Errorf("it asks %+v", d)
	}
	s.state(t, id, session.StateNeedsYou)
	if _, code := s.run(t, "send", id, "@text Here I am."); code != int(session.CodeFailed) {
		t.Errorf("a prompt that would answer it ended with status %d", code)
	}
	y := s.typist(t, id)
	await(t, "the question", func() (struct{}, bool) {
		return struct{}{}, strings.Contains(s.aside(t, "screen", id), "Blue")
	})
	y.press(t, session.KeyEnter)
	s.whole(t, id, "Good.")
	if got := s.answered(t, 1)[0]; !strings.Contains(got, "Red") {
		t.Errorf("the model was told %q", got)
	}
}

func TestOpenCodeIsInterrupted(t *testing.T) {
	s := opencodeStage(t)
	id := s.newOpenCode(t, ocBash(t, "touch made-by-agent"), "@text It went.")
	s.decision(t)
	s.typist(t, id).answer(t, s, id, ocPrompt, session.KeyEscape)
	await(t, "the end of the turn", func() (struct{}, bool) {
		state := s.thread(t, id).State
		return struct{}{}, state == session.StateDone || state == session.StateIdle
	})
	if left := listed[session.Decision](t, s, "decisions"); len(left) != 0 || s.has(t, "made-by-agent") {
		t.Errorf("it is held on %+v", left)
	}
	s.aside(t, "send", id, "@text Here I am.")
	s.whole(t, id, "Here I am.")
}

// What a sub-agent is told is no turn of the thread; what it asks is asked
// here.
func TestASubAgentOfOpenCodeAsksHere(t *testing.T) {
	s := opencodeStage(t)
	inner, err := json.Marshal(map[string]string{
		"description": "Make it", "subagent_type": "general", "prompt": ocBash(t, "touch made-by-agent") + "\n@text Sub went.",
	})
	must(t, err)
	id := s.newOpenCode(t, "@tool task "+string(inner), "@text All done.")
	d := s.decision(t)
	if !strings.Contains(d.Detail, "Asked by the sub-agent") || d.ToolCallID == "" {
		t.Errorf("it asks %+v", d)
	}
	s.aside(t, "answer", string(d.ID), "once")
	s.whole(t, id, "All done.")
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
	prompts, inside := 0, 0
	for _, e := range listed[transcript.Entry](t, s, "transcript", id) {
		if e.Kind == transcript.KindPrompt {
			prompts++
		}
		if e.Depth == 1 {
			inside++
		}
	}
	if prompts != 1 || inside == 0 {
		t.Errorf("the transcript has %d prompts, want 1, and %d entries of the sub-agent", prompts, inside)
	}
}
