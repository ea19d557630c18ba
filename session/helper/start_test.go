package helper_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/transcript"
)

// A starter that was killed is recovered by whoever looks next: its prompt
// becomes the draft. The helper it had started by then must not run it too.
func TestAPromptGivenUpMeanwhileIsNotRun(t *testing.T) {
	h := open(t)
	ran := filepath.Join(t.TempDir(), "ran")
	if err := h.store.QueuePrompt(t.Context(), h.id, "Do it once.", "model", time.Now()); err != nil {
		t.Fatal(err)
	}
	q, err := h.store.QueuedTurn(t.Context(), h.id)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.MarkUndelivered(t.Context(), q.ID, "It was given up", time.Now()); err != nil {
		t.Fatal(err)
	}
	err = h.run(options{adapter: scripted{script: "touch " + ran}, prompted: true})
	if f := fault(t, err); f.Code != session.CodeFailed || f.Hint == "" {
		t.Errorf("the starter was told %+v", f)
	}
	h.awaitEnd()
	if _, err := os.Stat(ran); err == nil {
		t.Error("the agent ran")
	}
	if got := h.thread(); got.Draft != "Do it once." || got.Problem == "" || got.Live || got.State != session.StateFailed {
		t.Errorf("the thread is %+v", got)
	}
}

func TestAPromptWhoseAgentCannotRunIsTheDraft(t *testing.T) {
	h := open(t)
	a := scripted{program: "/no/such/program", caps: agent.Capabilities{Hooks: true, ConfirmsPrompts: true}}
	if err := h.run(options{adapter: a, prompt: "Do it once."}); err == nil {
		t.Fatal("the starter was told that the agent runs")
	}
	h.awaitEnd()
	if got := h.thread(); got.Draft != "Do it once." || got.Problem == "" || got.Live {
		t.Errorf("the thread is %+v", got)
	}
}

func TestAThreadThatEndsSaysWhatWorkItLeaves(t *testing.T) {
	const left = "1 uncommitted file is left"
	for name, want := range map[string]bool{left: true, "": false} {
		h := open(t)
		if err := h.run(options{adapter: scripted{script: "exit 0"}, left: name}); err != nil {
			t.Fatal(err)
		}
		h.until("the end of the agent", func() bool { return h.thread().ExitCode != nil })
		screenText(h) // somebody has seen the end
		h.awaitEnd()
		said := slices.ContainsFunc(h.entries(), func(e transcript.Entry) bool {
			return e.Kind == transcript.KindNotice && e.Text == left
		})
		if said != want {
			t.Errorf("with %q left, the transcript says so: %t", name, said)
		}
	}
}
