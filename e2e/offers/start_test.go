package offers

import (
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
	"aside/session/transcript"
)

func TestAnOfferIsStartedInItsOwnCheckout(t *testing.T) {
	w := newWorld(t, nil).offering()
	id := w.offer("Cover the loader", "Write tests for the loader.")
	second := w.aside("start", string(id)[:6])
	got := w.thread(second)
	if got.Checkout.Mode != session.CheckoutWorktree || got.Cwd != got.Checkout.Path ||
		got.Checkout.Base != w.git(w.project, "rev-parse", "main") || !strings.HasPrefix(got.Checkout.Branch, "aside/cover-the-loader-") {
		t.Errorf("the checkout is %+v", got.Checkout)
	}
	if got.ProposedBy == nil || got.ProposedBy.Proposal != id || string(got.ProposedBy.Thread) != w.first || got.Agent != "generic" {
		t.Errorf("the thread is %+v, by %+v", got, got.ProposedBy)
	}
	p := w.proposal(id)
	if p.State != session.ProposalStarted || string(p.StartedThread) != second || p.CheckoutMode != session.CheckoutWorktree || p.DecidedAt.IsZero() {
		t.Errorf("the offer is %+v", p)
	}
	if e := w.entries(second)[0]; e.Kind != transcript.KindPrompt || e.Text != "Write tests for the loader." || e.Origin != session.OriginHuman {
		t.Errorf("the first entry is %+v", e)
	}
	// A model's prompt is never handed over bare.
	if got := w.given(second, "loader."); strings.TrimSpace(got) != "Task:\nWrite tests for the loader." {
		t.Errorf("the agent was given %q", got)
	}
	if cwd := strings.TrimSpace(w.text(filepath.Join(w.seen, second+".cwd"))); cwd != got.Checkout.Path {
		t.Errorf("the agent runs in %s", cwd)
	}

	w.refused(session.CodeSettled, "started already", "start", string(id))
	w.refused(session.CodeSettled, "started already", "dismiss", string(id))
	w.refused(session.CodeSettled, "started already", "restore", string(id))
	w.refused(session.CodeNotFound, "", "start", "zzzzzz")
	w.aside("rm", second)
	if p := w.proposal(id); p.State != session.ProposalStarted || string(p.StartedThread) != second {
		t.Errorf("the question is put again: %+v", p)
	}
}

func TestAnOfferIsPutAwayAndBroughtBack(t *testing.T) {
	w := newWorld(t, nil).offering()
	id := w.offer("Cover the loader", "Write tests.")
	w.refused(session.CodeSettled, "still stands", "restore", string(id))
	w.aside("dismiss", string(id))
	if p := w.proposal(id); p.State != session.ProposalDismissed {
		t.Errorf("the offer is %+v", p)
	}
	if standing := listed[session.Proposal](w, "proposals"); len(standing) != 0 {
		t.Errorf("there stand %+v", standing)
	}
	w.refused(session.CodeSettled, "Not now", "dismiss", string(id))
	if hint := w.refused(session.CodeSettled, "Not now", "start", string(id)); !strings.Contains(hint, "aside restore "+string(id)) {
		t.Errorf("no hint at the way back: %s", hint)
	}
	w.aside("restore", string(id))
	if p := w.proposal(id); p.State != session.ProposalStanding || !p.DecidedAt.IsZero() {
		t.Errorf("the offer is %+v", p)
	}
	w.aside("start", string(id))
}

func TestAnOfferIsChangedBeforeItIsStarted(t *testing.T) {
	w := newWorld(t, nil).offering()
	id := w.offer("Cover the loader", "Write tests.")
	out, fault, code := w.run("Write only one test.\n", "start", string(id), "--title", "One test", "--prompt", "-", "--model", "small")
	if code != 0 {
		t.Fatalf("status %d: %s", code, fault)
	}
	got := w.thread(out)
	if got.Title != "One test" || got.Model != "small" || !strings.HasPrefix(got.Checkout.Branch, "aside/one-test-") {
		t.Errorf("the thread is %+v", got)
	}
	if e := w.entries(out)[0]; e.Text != "Write only one test." {
		t.Errorf("the first entry is %+v", e)
	}
	// Edited or not, it is a model's prompt.
	if got := w.given(out, "only one"); !strings.HasPrefix(got, "Task:\n") {
		t.Errorf("the agent was given %q", got)
	}
	if p := w.proposal(id); p.Title != "Cover the loader" || p.Prompt != "Write tests." {
		t.Errorf("the offer was changed: %+v", p)
	}
}

func TestTheBaseIsChosen(t *testing.T) {
	w := newWorld(t, func(w *world, dir string) string {
		w.repository(dir)
		w.git(dir, "switch", "--quiet", "--create", "feature")
		w.commit(dir, "More")
		w.git(dir, "tag", "here")
		return dir
	}).offering()
	for _, c := range []struct{ base, commit string }{{"", "feature"}, {"default", "main"}, {"main", "main"}, {"here", "feature"}} {
		id := w.offer("From base “"+c.base+"”", "Work.")
		args := []string{"start", string(id)}
		if c.base != "" {
			args = append(args, "--base", c.base)
		}
		if got := w.thread(w.aside(args...)).Checkout; got.Base != w.git(w.project, "rev-parse", c.commit) {
			t.Errorf("base %q: the checkout is %+v, want one from %s", c.base, got, c.commit)
		}
	}

	id := w.offer("Nowhere", "Work.")
	w.refused(session.CodeNotFound, "no commit nowhere", "start", string(id), "--base", "nowhere")
	empty := w.of(id)
	if len(empty) != 1 || empty[0].Problem == "" || empty[0].Cwd != "" || w.ran(string(empty[0].ID)) {
		t.Errorf("the failed start left %+v", empty)
	}
	if p := w.proposal(id); p.State != session.ProposalStanding {
		t.Errorf("the offer is %+v", p)
	}
	again := w.aside("start", string(id), "--base", "default")
	if again != string(empty[0].ID) {
		t.Errorf("a second thread %s was made beside %s", again, empty[0].ID)
	}
	w.refused(session.CodeUsage, "no base", "start", string(id), "--shared", "--base", "main")
	w.refused(session.CodeUsage, "there already", "start", string(id), "--shared", "--carry")
}

func TestUncommittedWorkIsCarriedOnRequestOnly(t *testing.T) {
	w := newWorld(t, nil).offering()
	w.write(filepath.Join(w.project, "README.md"), "# changed\n")
	w.write(filepath.Join(w.project, "new file.txt"), "new\n")
	plain := w.thread(w.aside("start", string(w.offer("Without", "Work.")))).Checkout.Path
	if w.text(filepath.Join(plain, "README.md")) != "# app\n" || w.has(filepath.Join(plain, "new file.txt")) {
		t.Error("uncommitted work came along unasked")
	}
	carried := w.thread(w.aside("start", string(w.offer("With", "Work.")), "--carry")).Checkout.Path
	if w.text(filepath.Join(carried, "README.md")) != "# changed\n" || w.text(filepath.Join(carried, "new file.txt")) != "new\n" {
		t.Error("uncommitted work did not come along")
	}
	if status := w.git(w.project, "status", "--short"); status != "M README.md\n?? \"new file.txt\"" {
		t.Errorf("the offering checkout is now\n%s", status)
	}
}

func TestIgnoredFilesAreCopiedAsTheProjectSays(t *testing.T) {
	w := newWorld(t, func(w *world, dir string) string {
		w.write(filepath.Join(dir, ".gitignore"), ".env*\nbuild/\n")
		w.write(filepath.Join(dir, ".worktreeinclude"), ".env*\n")
		w.repository(dir)
		w.write(filepath.Join(dir, ".env.local"), "KEY=1\n")
		w.write(filepath.Join(dir, "build", "out"), "big\n")
		return dir
	}).offering()
	path := w.thread(w.aside("start", string(w.offer("Copy", "Work.")))).Checkout.Path
	if w.text(filepath.Join(path, ".env.local")) != "KEY=1\n" || w.has(filepath.Join(path, "build")) {
		t.Error("want .env.local alone to be copied")
	}
}

func TestAThreadThatEndsSaysWhatIsUnfinished(t *testing.T) {
	w := newWorld(t, nil).offering()
	clean := w.aside("start", string(w.offer("Clean", "Work.")))
	w.aside("stop", clean)
	if said := w.notices(clean); said != "" {
		t.Errorf("a thread without work says %q", said)
	}
	id := w.aside("start", string(w.offer("Leave work", "Work.")))
	c := w.thread(id).Checkout
	w.write(filepath.Join(c.Path, "done.txt"), "done\n")
	w.commit(c.Path, "Done")
	w.write(filepath.Join(c.Path, "README.md"), "# half\n")
	w.aside("stop", id)
	want := "1 uncommitted file, 1 unmerged commit, in " + c.Path + " on branch " + c.Branch
	if said := w.notices(id); !strings.Contains(said, want) || strings.Contains(said, "\n") {
		t.Errorf("the thread says %q, want once %q", said, want)
	}
}

func TestAnOfferOfAThreadWhoseCheckoutIsGoneStartsFromItsBranch(t *testing.T) {
	w := newWorld(t, nil).offering()
	second := w.aside("start", string(w.offer("First", "Work.")))
	c := w.thread(second).Checkout
	w.commit(c.Path, "Done")
	tip := w.git(c.Path, "rev-parse", "HEAD")
	w.first = second
	id := w.offer("Then", "Go on.")
	w.aside("stop", second)
	w.git(w.project, "worktree", "remove", "--force", c.Path)
	if got := w.thread(w.aside("start", string(id))).Checkout; got.Base != tip || got.Path == c.Path {
		t.Errorf("the checkout is %+v, want one from %s", got, tip)
	}
}
