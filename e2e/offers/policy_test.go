package offers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
)

// Every row of the checkout policy (contracts/proposed-threads.md), on real
// repositories and through the command line.
func TestASeparateCheckoutIsBlocked(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(w *world, dir string) string
		after   func(w *world) // happens once the offer stands
		says    string
	}{
		"no repository": {
			prepare: func(_ *world, dir string) string { return dir },
			says:    "not in a Git work tree",
		},
		"bare": {
			prepare: func(w *world, dir string) string {
				w.git(dir, "init", "--quiet", "--bare")
				return dir
			},
			says: "bare",
		},
		"no commit": {
			prepare: func(w *world, dir string) string {
				w.git(dir, "init", "--quiet")
				return dir
			},
			says: "no commit yet",
		},
		"detached": {
			after: func(w *world) { w.git(w.project, "switch", "--quiet", "--detach") },
			says:  "HEAD is detached",
		},
		"submodules": {
			prepare: func(w *world, dir string) string {
				part := filepath.Join(filepath.Dir(dir), "part")
				must(w.t, os.Mkdir(part, 0o755))
				w.repository(part)
				w.repository(dir)
				w.git(dir, "submodule", "--quiet", "add", part, "part")
				w.commit(dir, "Add a part")
				return dir
			},
			says: ".gitmodules",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.prepare)
			// Without an explicit wish it is shared.
			w.first = w.aside("new", "--agent", "generic", "--cwd", w.project, "--checkout", map[bool]string{true: "shared", false: "auto"}[c.after != nil], "Look")
			if got := w.thread(w.first).Checkout; got.Mode != session.CheckoutShared || got.Path != w.project {
				t.Errorf("without a wish the checkout is %+v", got)
			}
			id := w.offer("Do it apart", "Work.")
			if c.after != nil {
				c.after(w)
			}
			fault := w.refused(session.CodeBlocked, "A separate checkout is not possible here: ", "start", string(id))
			if !strings.Contains(fault, c.says) || !strings.Contains(fault, "hint: ") {
				t.Errorf("it is said\n%s\nwithout %q and a hint", fault, c.says)
			}
			empty := w.of(id)
			if len(empty) != 1 || !strings.Contains(empty[0].Problem, c.says) || w.ran(string(empty[0].ID)) {
				t.Errorf("the blocked start left %+v", empty)
			}
			if p := w.proposal(id); p.State != session.ProposalStanding || p.Starting {
				t.Errorf("the offer is %+v", p)
			}
			w.refused(session.CodeBlocked, "", "new", "--agent", "generic", "--cwd", w.project, "--checkout", "worktree", "Look")

			shared := w.aside("start", string(id), "--shared")
			if shared != string(empty[0].ID) {
				t.Errorf("a second thread was made")
			}
			got := w.thread(shared)
			if got.Checkout.Mode != session.CheckoutShared || got.Cwd != w.project || got.Problem != "" {
				t.Errorf("chosen to be shared, the thread is %+v", got)
			}
			if p := w.proposal(id); p.State != session.ProposalStarted || p.CheckoutMode != session.CheckoutShared {
				t.Errorf("the offer is %+v", p)
			}
			w.given(shared, "Work.")
			if there := w.folders(); len(there) != 0 {
				t.Errorf("there are checkouts %q", there)
			}
		})
	}
}

func TestASeparateCheckoutIsMade(t *testing.T) {
	hooks := func(w *world, dir string) string {
		w.repository(dir)
		ran := filepath.Join(w.seen, "ran")
		for _, hook := range []string{"post-checkout", "post-commit", "reference-transaction", "post-index-change", "fsmonitor"} {
			path := filepath.Join(dir, ".git", "hooks", hook)
			w.write(path, "#!/bin/sh\ntouch '"+ran+"'\n")
			must(w.t, os.Chmod(path, 0o700))
		}
		w.git(dir, "config", "core.fsmonitor", filepath.Join(dir, ".git", "hooks", "fsmonitor"))
		must(w.t, removeIfThere(ran))
		return dir
	}
	for name, c := range map[string]struct {
		prepare func(w *world, dir string) string
		sub     string // of the checkout, where the agent runs
		check   func(t *testing.T, w *world, c session.Checkout)
	}{
		"ordinary": {},
		"the project says never": {prepare: func(w *world, dir string) string {
			w.repository(dir)
			w.configureMore("[projects.\"" + dir + "\"]\nworktrees = \"never\"\n")
			return dir
		}},
		"subfolder": {
			prepare: func(w *world, dir string) string {
				w.write(filepath.Join(dir, "deep", "in", "it"), "x")
				w.repository(dir)
				return filepath.Join(dir, "deep", "in")
			},
			sub: "deep/in",
		},
		"linked worktree": {prepare: func(w *world, dir string) string {
			w.repository(dir)
			linked := filepath.Join(filepath.Dir(dir), "linked")
			w.git(dir, "worktree", "add", "--quiet", "-b", "side", linked)
			w.commit(linked, "Beside")
			return linked
		}},
		"sparse": {
			prepare: func(w *world, dir string) string {
				w.write(filepath.Join(dir, "in", "file"), "x")
				w.write(filepath.Join(dir, "out", "file"), "x")
				w.repository(dir)
				w.git(dir, "sparse-checkout", "set", "in")
				return dir
			},
			check: func(t *testing.T, w *world, c session.Checkout) {
				if !w.has(filepath.Join(c.Path, "in", "file")) {
					t.Error("the files of the sparse checkout are missing")
				}
			},
		},
		"hooks and a file-system monitor": {
			prepare: hooks,
			check: func(t *testing.T, w *world, _ session.Checkout) {
				if w.has(filepath.Join(w.seen, "ran")) {
					t.Error("a program of the repository ran")
				}
			},
		},
		"spaces and Unicode": {prepare: func(w *world, dir string) string {
			dir = filepath.Join(dir, "mein Projekt – テスト 'quoted' $HOME")
			must(w.t, os.Mkdir(dir, 0o755))
			w.repository(dir)
			return dir
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.prepare).offering()
			head := w.git(w.project, "rev-parse", "HEAD")
			id := w.offer("Do it – apart", "Work.")
			must(t, removeIfThere(filepath.Join(w.seen, "ran"))) // of this test's own git
			thread := w.aside("start", string(id))
			if c.check != nil {
				c.check(t, w, w.thread(thread).Checkout)
			}
			w.isolated(thread, head, c.sub)
		})
	}
}

// isolated checks what a thread's checkout is in truth.
func (w *world) isolated(thread, head, sub string) {
	w.t.Helper()
	got := w.thread(thread)
	c := got.Checkout
	if c.Mode != session.CheckoutWorktree || got.Cwd != filepath.Join(c.Path, sub) || c.Base != head {
		w.t.Fatalf("the thread is %+v", got)
	}
	w.given(thread, "Work.")
	if cwd := strings.TrimSpace(w.text(filepath.Join(w.seen, thread+".cwd"))); cwd != got.Cwd {
		w.t.Errorf("the agent runs in %s", cwd)
	}
	if top := w.git(c.Path, "rev-parse", "--show-toplevel"); top != c.Path || strings.HasPrefix(c.Path, w.project) {
		w.t.Errorf("its top level is %s", top)
	}
	if at := w.git(c.Path, "rev-parse", "HEAD"); at != head {
		w.t.Errorf("its HEAD is %s", at)
	}
	if on := w.git(c.Path, "branch", "--show-current"); on != c.Branch || w.git(w.project, "branch", "--show-current") == on {
		w.t.Errorf("it is on branch %s", on)
	}
	if locked := w.git(w.project, "worktree", "list", "--porcelain"); strings.Contains(locked, "locked") {
		w.t.Errorf("it is not finished:\n%s", locked)
	}
}

func removeIfThere(path string) error {
	err := os.Remove(path)
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

func TestACheckoutThatCannotBeWrittenLeavesNothing(t *testing.T) {
	for name, spoil := range map[string]struct {
		spoil, mend func(w *world)
		wrap        string // a shell's prefix to the command
	}{
		"no folder to write in": {
			spoil: func(w *world) { w.write(filepath.Join(w.home, "data"), "a file is in the way") },
			mend:  func(w *world) { must(w.t, os.Remove(filepath.Join(w.home, "data"))) },
		},
		// A file of 8 MiB does not fit: as on a full disk, writing it fails halfway.
		"no room": {wrap: "ulimit -f 8192; trap '' XFSZ; "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(w *world, dir string) string {
				w.write(filepath.Join(dir, "big"), strings.Repeat("0123456789abcdef", 1<<19+1<<16))
				w.repository(dir)
				return dir
			}).offering()
			id := w.offer("Do it apart", "Work.")
			if spoil.spoil != nil {
				spoil.spoil(w)
			}
			cmd := w.command("start", string(id))
			cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", spoil.wrap + `exec "$0" "$@"`, program, "start", string(id)}
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != int(session.CodeFailed) {
				t.Errorf("status %v:\n%s", err, out)
			}
			if spoil.mend != nil {
				spoil.mend(w)
			}
			if left := append(append(w.folders(), w.worktrees()...), w.branches()...); len(left) != 0 {
				t.Errorf("there is left %q", left)
			}
			empty := w.of(id)
			if p := w.proposal(id); p.State != session.ProposalStanding || len(empty) != 1 || empty[0].Problem == "" {
				t.Errorf("the offer is %+v, the thread %+v", p, empty)
			}
			if again := w.aside("start", string(id)); again != string(empty[0].ID) || len(w.worktrees()) != 1 {
				t.Errorf("started again it is %s, and there are %q", again, w.worktrees())
			}
		})
	}
}
