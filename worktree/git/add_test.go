package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"aside/session"
)

const firstChoice = "aside/fix-the-loader-abcdef"

func TestAddMakesItsOwnCheckout(t *testing.T) {
	f := newFixture(t)
	f.write("main.go", "package main // not committed\n")
	f.write("untracked", "x")
	before := f.sh("status", "--porcelain")
	head := f.sh("rev-parse", "HEAD")

	grant := f.add()

	if grant.Mode != session.CheckoutWorktree || grant.Branch != firstChoice || grant.Base != head || grant.Cwd != grant.Path || grant.Adopted {
		t.Errorf("got %+v", grant)
	}
	if got := f.in(grant.Path, "rev-parse", "HEAD", "--abbrev-ref", "HEAD"); got != head+"\n"+firstChoice {
		t.Errorf("the worktree is at %q", got)
	}
	if got := f.in(grant.Path, "status", "--porcelain", "--ignored"); got != "" {
		t.Errorf("the worktree is not as the base: %s", got)
	}
	if got := f.sh("status", "--porcelain"); got != before {
		t.Errorf("the offering checkout changed: %s", got)
	}
	if got := f.sh("worktree", "list", "--porcelain"); strings.Contains(got, "locked") {
		t.Errorf("the worktree is still locked:\n%s", got)
	}
	if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Errorf("the proof fails: %v", err)
	}
}

func TestAddNeverTakesAnExistingBranch(t *testing.T) {
	f := newFixture(t)
	f.sh("branch", firstChoice)
	f.sh("branch", strings.Replace(firstChoice, "fix", "FIX", 1)+"-2")
	f.sh("branch", firstChoice+"-3/below")
	before := f.refs()
	grant := f.add()
	if grant.Branch != firstChoice+"-4" {
		t.Errorf("the branch is %q", grant.Branch)
	}
	for _, b := range before {
		if !slices.Contains(f.refs(), b) {
			t.Errorf("branch %s is gone", b)
		}
	}
}

func TestAddBesideABranchNamedAside(t *testing.T) {
	f := newFixture(t)
	f.sh("branch", "aside")
	_, err := f.git.Add(f.ctx(), f.request())
	var e *session.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "branch aside") || !strings.Contains(e.Hint, "git branch -m") {
		t.Errorf("got %v", err)
	}
	f.untouched("aside", "main")
}

func TestAddFromAnotherBase(t *testing.T) {
	f := newFixture(t)
	first := f.sh("rev-parse", "HEAD")
	f.sh("checkout", "--quiet", "-b", "work")
	f.write("later", "x")
	f.commit("second")
	grant := f.add(func(r *Request) { r.Base = "main" })
	if grant.Base != first || exists(filepath.Join(grant.Path, "later")) {
		t.Errorf("got %+v", grant)
	}
	for _, base := range []string{"no-such-branch", "--upload-pack=touch x", "HEAD:main.go", ""} {
		r := f.request()
		r.Path += "x"
		r.Base = base
		if _, err := f.git.Add(f.ctx(), r); base != "" && session.CodeOf(err) != session.CodeNotFound {
			t.Errorf("base %q gives %v", base, err)
		}
	}
}

func TestAddKeepsTheSubfolder(t *testing.T) {
	f := newFixture(t)
	f.write("new folder/x", "only here")
	for sub, file := range map[string]string{"pkg/lib": "lib.go", "new folder": ""} {
		grant := f.add(func(r *Request) {
			r.Repo = filepath.Join(f.repo, sub)
			r.Path += filepath.Base(sub)
		})
		if grant.Cwd != filepath.Join(grant.Path, sub) || !exists(filepath.Join(grant.Cwd, file)) {
			t.Errorf("got %+v", grant)
		}
	}
}

func TestAddFromALinkedWorktree(t *testing.T) {
	f := newFixture(t)
	linked := filepath.Join(f.base, "linked")
	f.sh("worktree", "add", "--quiet", "-b", "side", linked)
	f.writeIn(linked, "side.txt", "x")
	f.in(linked, "add", ".")
	f.in(linked, "commit", "--quiet", "-m", "side")
	grant := f.add(func(r *Request) { r.Repo = linked })
	if grant.Base != f.in(linked, "rev-parse", "HEAD") || !exists(filepath.Join(grant.Path, "side.txt")) {
		t.Errorf("got %+v", grant)
	}
}

func TestAddToASparseCheckout(t *testing.T) {
	f := newFixture(t)
	f.write("big/file", "x")
	f.commit("big")
	f.sh("sparse-checkout", "set", "pkg")
	grant := f.add(func(r *Request) { r.Repo = filepath.Join(f.repo, "pkg") })
	if exists(filepath.Join(grant.Path, "big")) || !exists(filepath.Join(grant.Cwd, "lib", "lib.go")) {
		t.Error("the worktree is not as sparse as its source")
	}
	if report, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil || !report.Gone {
		t.Errorf("got %+v, %v", report, err)
	}
}

// A repository can name programs that Git runs by itself. None may run.
func TestNoProgramOfTheRepositoryRuns(t *testing.T) {
	f := newFixture(t)
	f.write(".gitattributes", "*.go diff=evil\n")
	f.commit("attributes")
	marker := filepath.Join(f.base, "ran")
	evil := f.program("evil", "echo \"$0 $*\" >> '"+marker+"'\n")
	for _, hook := range []string{
		"post-checkout", "reference-transaction", "post-index-change", "pre-commit", "post-commit", "post-rewrite", "post-merge",
	} {
		text := f.read(evil)
		f.writeIn(f.repo, ".git/hooks/"+hook, text)
		if err := os.Chmod(filepath.Join(f.repo, ".git/hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
		f.sh("config", "--add", "hook.my=evil.event", hook)
	}
	for _, key := range []string{
		"hook.my=evil.command", "core.fsmonitor", "core.pager", "diff.external", "diff.evil.textconv", "diff.evil.command",
		"core.sshCommand", "core.editor", "sequence.editor",
	} {
		f.sh("config", key, "'"+evil+"' "+key) // by way of a shell
	}
	f.sh("config", "gpg.program", evil)
	f.sh("config", "core.askPass", evil)
	f.sh("config", "commit.gpgSign", "true")

	// The trap works: run plainly, Git runs these.
	f.write("main.go", "package main // not yet\n")
	f.sh("--no-pager", "diff")
	f.sh("checkout", "--quiet", "--", ".")
	for _, ran := range []string{"core.fsmonitor", "diff.evil.command", "hooks/post-checkout"} {
		if !strings.Contains(f.read(marker), ran) {
			t.Fatalf("the trap does not work for %s", ran)
		}
	}
	if err := os.Remove(marker); err != nil {
		t.Fatal(err)
	}

	f.write("main.go", "package main // changed\n")
	f.inspect(f.repo)
	grant := f.add(func(r *Request) { r.Carry = true })
	f.writeIn(grant.Path, "main.go", "package main // again\n")
	if _, err := f.git.Changes(f.ctx(), grant.Path, grant.Base); err != nil {
		t.Error(err)
	}
	if _, err := f.git.Removable(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Error(err)
	}
	f.writeIn(grant.Path, "main.go", "package main\n")
	if _, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Error(err)
	}
	if exists(marker) {
		t.Errorf("these ran:\n%s", f.read(marker))
	}
}

// From Git 2.54 on the configuration names hooks; older ones do not run them,
// so this looks at what a run is told.
func TestHooksOfTheConfigurationAreSwitchedOff(t *testing.T) {
	f := newFixture(t)
	f.sh("config", "hook.my=evil.event", "post-checkout")
	f.sh("config", "hook.my=evil.command", "true")
	f.sh("config", "hook.other.command", "true")
	h, err := f.git.hold(f.ctx(), filepath.Join(f.repo, ".git"), f.repo)
	if err != nil {
		t.Fatal(err)
	}
	defer h.release()
	for _, name := range []string{"hook.my=evil.enabled", "hook.other.enabled"} {
		out, err := h.run(f.ctx(), f.repo, "config", "--get", name)
		if err != nil || string(out) != "false\n" {
			t.Errorf("%s is %q, %v", name, out, err)
		}
	}
}

func TestGitIsNotLedElsewhereByTheEnvironment(t *testing.T) {
	f := newFixture(t)
	other := newFixture(t)
	t.Setenv("GIT_DIR", filepath.Join(other.repo, ".git"))
	t.Setenv("GIT_WORK_TREE", other.repo)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.base, "index"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.bare")
	t.Setenv("GIT_CONFIG_VALUE_0", "true")
	in := f.inspect(f.repo)
	if in.Top != f.repo {
		t.Errorf("looked at %q", in.Top)
	}
	if grant := f.add(); !strings.HasPrefix(grant.Path, f.base) {
		t.Errorf("got %+v", grant)
	}
}

func TestAddWhereNothingCanBeWritten(t *testing.T) {
	f := newFixture(t)
	for name, blocking := range map[string]string{
		"root below a file": filepath.Dir(f.git.root),
		"root is a file":    f.git.root,
		"project's folder":  filepath.Dir(f.request().Path),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { _ = os.RemoveAll(filepath.Join(f.base, "data")) }()
			f.writeIn("/", blocking, "a file in the way")
			_, err := f.git.Add(f.ctx(), f.request())
			var e *session.Error
			if !errors.As(err, &e) || e.Hint == "" {
				t.Fatalf("got %v", err)
			}
			if got := f.refs(); len(got) != 1 {
				t.Errorf("branches are left: %v", got)
			}
			if f.read(blocking) != "a file in the way" {
				t.Error("the file in the way changed")
			}
		})
	}
}

func TestAddOnlyBelowItsFolder(t *testing.T) {
	f := newFixture(t)
	outside := filepath.Join(f.base, "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(f.git.root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(f.git.root, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		outside, f.git.root, filepath.Join(f.git.root, "..", "x"), "relative/x",
		filepath.Join(f.git.root, "link"), filepath.Join(f.git.root, "link", "x"),
	} {
		if _, err := f.git.Add(f.ctx(), Request{Repo: f.repo, Path: path, Branch: firstChoice}); err == nil {
			t.Errorf("a worktree was made at %q", path)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("%v was written outside", left)
	}
	if got := f.refs(); len(got) != 1 {
		t.Errorf("branches are left: %v", got)
	}
}

// The folder of all worktrees may itself lie behind a link.
func TestAddBehindALinkedRoot(t *testing.T) {
	f := newFixture(t)
	disk := filepath.Join(f.base, "other disk")
	if err := os.MkdirAll(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(f.git.root), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(disk, f.git.root); err != nil {
		t.Fatal(err)
	}
	grant := f.add()
	if !strings.HasPrefix(grant.Path, disk) {
		t.Errorf("path is %q", grant.Path)
	}
	if again := f.add(); !again.Adopted || again.Path != grant.Path {
		t.Errorf("got %+v", again)
	}
	if _, err := f.git.Remove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Error(err)
	}
}

func TestAddThatFailsHalfwayLeavesNothing(t *testing.T) {
	f := newFixture(t)
	f.write(".gitattributes", "*.dat filter=broken\n")
	f.write("a.dat", "x")
	f.commit("filtered")
	f.sh("config", "filter.broken.smudge", "false")
	f.sh("config", "filter.broken.required", "true")
	_, err := f.git.Add(f.ctx(), f.request())
	var e *session.Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "filter") {
		t.Errorf("got %v", err)
	}
	f.untouched("main")
}

func TestAddThatIsCalledOffLeavesNothing(t *testing.T) {
	f := newFixture(t)
	f.write(".gitattributes", "*.dat filter=slow\n")
	f.write("a.dat", "x")
	f.commit("filtered")
	reached := filepath.Join(f.base, "reached")
	f.sh("config", "filter.slow.smudge", "echo $$ > '"+reached+"'; exec sleep 600")
	ctx, cancel := context.WithCancel(f.ctx())
	done := make(chan error)
	go func() {
		_, err := f.git.Add(ctx, f.request())
		done <- err
	}()
	f.wait("the checkout", func() bool {
		text, _ := os.ReadFile(reached)
		return strings.HasSuffix(string(text), "\n")
	})
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	f.untouched("main")
	filter, err := strconv.Atoi(strings.TrimSpace(f.read(reached)))
	if err != nil {
		t.Fatal(err)
	}
	f.wait("the end of what Git started", func() bool { return errors.Is(syscall.Kill(filter, 0), syscall.ESRCH) })
}

func TestProveFindsWhatIsWrong(t *testing.T) {
	f := newFixture(t)
	second := func() string { f.write("x", "x"); return f.commit("second") }
	grant := f.add()
	other := newFixture(t)
	for name, c := range map[string]struct {
		repo   string
		change func(*session.Checkout)
	}{
		"other branch":     {f.repo, func(c *session.Checkout) { c.Branch = "main" }},
		"no branch":        {f.repo, func(c *session.Checkout) { c.Branch = "" }},
		"other commit":     {f.repo, func(c *session.Checkout) { c.Base = second() }},
		"other repository": {other.repo, func(*session.Checkout) {}},
		"project itself":   {f.repo, func(c *session.Checkout) { c.Path = f.repo }},
		"nothing there":    {f.repo, func(c *session.Checkout) { c.Path += "x" }},
		"no top level":     {f.repo, func(c *session.Checkout) { c.Path = filepath.Join(c.Path, "pkg") }},
	} {
		t.Run(name, func(t *testing.T) {
			checkout := grant.Checkout
			c.change(&checkout)
			if err := f.git.Prove(f.ctx(), c.repo, checkout); err == nil {
				t.Error("it was proven")
			}
		})
	}
	t.Run("link", func(t *testing.T) {
		moved := grant.Path + " moved"
		if err := errors.Join(os.Rename(grant.Path, moved), os.Symlink(moved, grant.Path)); err != nil {
			t.Fatal(err)
		}
		if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err == nil {
			t.Error("it was proven through a link")
		}
		if err := errors.Join(os.Remove(grant.Path), os.Rename(moved, grant.Path)); err != nil {
			t.Fatal(err)
		}
	})
	dotGit := filepath.Join(grant.Path, ".git")
	proper := f.read(dotGit)
	t.Run("in truth the project's", func(t *testing.T) {
		f.writeIn("/", dotGit, "gitdir: "+filepath.Join(f.repo, ".git")+"\n")
		if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err == nil || !strings.Contains(err.Error(), "own work tree") {
			t.Errorf("got %v", err)
		}
		f.writeIn("/", dotGit, proper)
	})
	t.Run("in truth another worktree's", func(t *testing.T) {
		f.sh("worktree", "add", "--quiet", "-b", "side", filepath.Join(f.base, "side"), grant.Base)
		f.writeIn("/", dotGit, "gitdir: "+filepath.Join(f.repo, ".git", "worktrees", "side")+"\n")
		if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err == nil {
			t.Error("it was proven")
		}
		f.writeIn("/", dotGit, proper)
	})
	t.Run("a repository of its own", func(t *testing.T) {
		if err := os.Remove(dotGit); err != nil {
			t.Fatal(err)
		}
		f.in(f.repo, "clone", "--quiet", "--bare", ".", dotGit)
		f.in(grant.Path, "config", "core.bare", "false")
		f.in(grant.Path, "symbolic-ref", "HEAD", "refs/heads/"+grant.Branch)
		if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err == nil || !strings.Contains(err.Error(), "another repository") {
			t.Errorf("got %v", err)
		}
		if err := os.RemoveAll(dotGit); err != nil {
			t.Fatal(err)
		}
		f.writeIn("/", dotGit, proper)
	})
	if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Errorf("put right again it is not proven: %v", err)
	}
	t.Run("not registered", func(t *testing.T) {
		if err := os.RemoveAll(filepath.Join(f.repo, ".git", "worktrees")); err != nil {
			t.Fatal(err)
		}
		if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err == nil {
			t.Error("it was proven")
		}
	})
}

// Aside's folder lies in the project. Without its .git, a worktree there is
// just a folder of the project.
func TestProveWithinTheProject(t *testing.T) {
	f := newFixture(t)
	f.git.root = filepath.Join(f.repo, ".aside", "worktrees")
	grant := f.add()
	if err := os.Remove(filepath.Join(grant.Path, ".git")); err != nil {
		t.Fatal(err)
	}
	err := f.git.Prove(f.ctx(), f.repo, grant.Checkout)
	if err == nil || !strings.Contains(err.Error(), "top level") {
		t.Errorf("got %v", err)
	}
}
