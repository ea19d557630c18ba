package offers

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aside/e2e/term"
	"aside/session"
)

const setupFile = ".aside/setup"

func TestAProjectsSetupCommandNeedsAgreementToItsText(t *testing.T) {
	w := newWorld(t, func(w *world, dir string) string {
		w.write(filepath.Join(dir, setupFile), "pwd > made\necho \"${ASIDE_THREAD:-none}\" >> made\n")
		w.repository(dir)
		return dir
	}).offering()

	// Without a terminal nobody can be asked: the agent starts all the same.
	unasked := w.aside("start", string(w.offer("Unasked", "Work.")))
	path := w.thread(unasked).Checkout.Path
	if w.has(filepath.Join(path, "made")) {
		t.Error("the command ran though nobody has agreed to it")
	}
	if said := w.notices(unasked); !strings.Contains(said, "nobody has agreed") || !strings.Contains(said, "aside config setup --agree") {
		t.Errorf("the thread says %q", said)
	}
	w.given(unasked, "Work.")

	if out := w.aside("config", "setup"); !strings.Contains(out, "pwd > made") || !strings.Contains(out, "not agreed") {
		t.Errorf("config setup prints %q", out)
	}
	w.aside("config", "setup", "--agree", w.project)
	agreed := w.aside("start", string(w.offer("Agreed", "Work.")))
	path = w.thread(agreed).Checkout.Path
	if got := w.text(filepath.Join(path, "made")); got != path+"\nnone\n" {
		t.Errorf("the command wrote %q, want %s and nothing of aside's", got, path)
	}
	if said := w.notices(agreed); !strings.Contains(said, "Setting up the worktree: pwd > made") || !strings.Contains(said, "was set up in") {
		t.Errorf("the thread says %q", said)
	}
	if first := w.entries(agreed)[0]; first.Text != "Work." {
		t.Errorf("the first entry is %+v", first)
	}
	// It runs once for a worktree.
	w.write(filepath.Join(path, "made"), "")
	w.aside("stop", agreed)
	w.aside("resume", agreed)
	if got := w.text(filepath.Join(path, "made")); got != "" {
		t.Error("the command ran again")
	}

	// Another text is another question.
	w.write(filepath.Join(w.project, setupFile), "touch changed\n")
	w.commit(w.project, "Change the setup")
	changed := w.aside("start", string(w.offer("Changed", "Work.")))
	if w.has(filepath.Join(w.thread(changed).Checkout.Path, "changed")) {
		t.Error("a text ran that nobody has agreed to")
	}
	w.aside("config", "setup", "--refuse")
	refused := w.aside("start", string(w.offer("Refused", "Work.")))
	if said := w.notices(refused); !strings.Contains(said, "said no") {
		t.Errorf("the thread says %q", said)
	}
}

func TestTheSetupCommandIsAskedForOnATerminal(t *testing.T) {
	for _, c := range []struct {
		answer string
		runs   bool
	}{{"y", true}, {"", false}} {
		w := newWorld(t, func(w *world, dir string) string {
			w.write(filepath.Join(dir, setupFile), "touch made # \u202e hidden\n")
			w.repository(dir)
			return dir
		}).offering()
		asked := w.offer("Asked", "Work.")
		tm, err := term.Start(term.Options{Command: []string{program, "start", string(asked)}, Dir: w.project, Env: w.env, Cols: 120, Rows: 20})
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		must(t, tm.WaitFor(ctx, `Run it\? \[y/N\]`))
		if text := tm.Text(); !strings.Contains(text, "touch made # ⟨U+202E⟩ hidden") {
			t.Errorf("it is asked\n%s", text)
		}
		must(t, tm.Type(c.answer))
		must(t, tm.Key("enter"))
		code, err := tm.WaitExit(ctx)
		if err != nil || code != 0 {
			t.Fatalf("status %d, %v\n%s", code, err, tm.Text())
		}
		must(t, tm.Close(ctx))
		// The answer is remembered, and nobody is asked again.
		again := w.aside("start", string(w.offer("Again", "Work.")))
		for _, thread := range []string{string(w.of(asked)[0].ID), again} {
			if made := w.has(filepath.Join(w.thread(thread).Checkout.Path, "made")); made != c.runs {
				t.Errorf("answered %q, the command ran: %t", c.answer, made)
			}
			w.given(thread, "Work.")
		}
	}
}

func TestTheUsersOwnSetupCommandRuns(t *testing.T) {
	w := newWorld(t, nil).offering()
	w.configureMore(fmt.Sprintf("[projects.%q]\nsetup = \"echo made > mine; echo to be read; exit 3\"\n", w.project))
	id := w.aside("start", string(w.offer("Mine", "Work.")))
	if !w.has(filepath.Join(w.thread(id).Checkout.Path, "mine")) {
		t.Error("the command did not run")
	}
	// A failure is shown, and keeps nobody from working.
	if said := w.notices(id); !strings.Contains(said, "exit status 3") || !strings.Contains(said, "to be read") {
		t.Errorf("the thread says %q", said)
	}
	w.given(id, "Work.")
	shared := w.aside("start", string(w.offer("Shared", "Work.")), "--shared")
	if w.has(filepath.Join(w.project, "mine")) || w.notices(shared) != "" {
		t.Error("the project's own work tree was set up")
	}
}

func TestASetupCommandThatIsNoPlainTextIsNotRun(t *testing.T) {
	for name, text := range map[string]string{"long": "true #" + strings.Repeat("x", 5000), "binary": "true\x00"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(w *world, dir string) string {
				w.write(filepath.Join(dir, setupFile), text)
				w.repository(dir)
				return dir
			}).offering()
			id := w.aside("start", string(w.offer("Odd", "Work.")))
			if said := w.notices(id); !strings.Contains(said, "was not set up") {
				t.Errorf("the thread says %q", said)
			}
			w.refused(session.CodeFailed, setupFile, "config", "setup")
		})
	}
}
