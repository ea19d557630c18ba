package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"aside/session"
)

func TestTwoProcessesAddAtOnce(t *testing.T) {
	f := newFixture(t)
	busy, overlap := filepath.Join(f.base, "busy"), filepath.Join(f.base, "overlap")
	program := f.program("git", `case "$*" in
*" update-ref "*|*" worktree add "*|*" worktree unlock "*)
	mkdir "$BUSY" 2>/dev/null || echo "$*" >> "$OVERLAP"
	git "$@"; status=$?
	rmdir "$BUSY"
	exit $status;;
esac
exec git "$@"
`)
	type process struct {
		wait func() error
		out  *strings.Builder
	}
	var all []process
	for _, id := range []string{"a", "b", "c"} {
		r := f.request()
		r.Path += id // three threads whose branches would have the same name
		cmd, out := f.start(program, r, "BUSY="+busy, "OVERLAP="+overlap)
		all = append(all, process{cmd.Wait, out})
	}
	var got []string
	for _, p := range all {
		if err := p.wait(); err != nil {
			t.Errorf("%v: %s", err, p.out)
		}
		got = append(got, strings.TrimSpace(p.out.String()))
	}
	slices.Sort(got)
	if want := []string{firstChoice, firstChoice + "-2", firstChoice + "-3"}; !slices.Equal(got, want) {
		t.Errorf("branches are %v, want %v", got, want)
	}
	if exists(overlap) {
		t.Errorf("two ran at once: %s", f.read(overlap))
	}
}

// The same thread started twice at once: one worktree, which both get.
func TestTwoProcessesAddTheSame(t *testing.T) {
	f := newFixture(t)
	one, out1 := f.start("git", f.request())
	two, out2 := f.start("git", f.request())
	err1, err2 := one.Wait(), two.Wait()
	if err1 != nil || err2 != nil || out1.String() != out2.String() {
		t.Errorf("%v %q, %v %q", err1, out1, err2, out2)
	}
	if got := f.refs(); !slices.Equal(got, []string{firstChoice, "main"}) {
		t.Errorf("branches are %v", got)
	}
}

// dying returns a Git that kills the process that runs it before or after a
// command.
func (f *fixture) dying(name, command string, after bool) string {
	run, status := "", "kill -9 $PPID; exit 1"
	if after {
		run, status = `git "$@"; `, "kill -9 $PPID; exit 0"
	}
	return f.program(name, `case "$*" in
*" `+command+` "*) `+run+status+`;;
esac
exec git "$@"
`)
}

func TestAddAfterACrashAnywhere(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		after   bool
		adopted bool
	}{
		"before the branch":   {"update-ref", false, false},
		"after the branch":    {"update-ref", true, false},
		"before the worktree": {"worktree add", false, false},
		"before the proof":    {"worktree add", true, true},
		"before the carrying": {"cherry-pick", false, true},
		"after the carrying":  {"cherry-pick", true, false},
		"before the end":      {"worktree unlock", false, false},
		"after the end":       {"worktree unlock", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.write("main.go", "package main // carried\n")
			f.write("new.go", "package main\n")
			r := f.request()
			r.Carry = true
			cmd, out := f.start(f.dying("dying git", c.command, c.after), r)
			if err := cmd.Wait(); err == nil {
				t.Fatalf("it did not crash: %s", out)
			}
			grant, err := f.git.Add(f.ctx(), r)
			if err != nil {
				t.Fatal(err)
			}
			if grant.Branch != firstChoice || grant.Adopted != c.adopted {
				t.Errorf("got %+v", grant)
			}
			if got := f.in(grant.Path, "status", "--porcelain"); got != "M main.go\n?? new.go" {
				t.Errorf("carried over is\n%s", got)
			}
			if got := f.refs(); !slices.Equal(got, []string{firstChoice, "main"}) {
				t.Errorf("branches are %v", got)
			}
			if out := f.sh("worktree", "list", "--porcelain"); strings.Count(out, "worktree ") != 2 || strings.Contains(out, "locked") {
				t.Errorf("worktrees:\n%s", out)
			}
		})
	}
}

func TestAdopt(t *testing.T) {
	f := newFixture(t)
	if grant, found, err := f.git.Adopt(f.ctx(), f.request()); err != nil || found {
		t.Fatalf("nothing there: %+v, %v, %v", grant, found, err)
	}
	f.untouched("main")

	cmd, _ := f.start(f.dying("dying git", "worktree add", true), f.request())
	if err := cmd.Wait(); err == nil {
		t.Fatal("it did not crash")
	}
	grant, found, err := f.git.Adopt(f.ctx(), f.request())
	if err != nil || !found || grant.Branch != firstChoice || !grant.Adopted {
		t.Fatalf("after the crash: %+v, %v, %v", grant, found, err)
	}
	if err := f.git.Prove(f.ctx(), f.repo, grant.Checkout); err != nil {
		t.Error(err)
	}
}

// Killed in the middle of a checkout, a process leaves a Git behind that may
// still be writing: the folder is left alone until that has ended.
func TestAdoptKilledInTheMiddle(t *testing.T) {
	f := newFixture(t)
	f.write(".gitattributes", "*.dat filter=slow\n")
	f.write("a.dat", "x")
	f.commit("filtered")
	reached := filepath.Join(f.base, "reached")
	f.sh("config", "filter.slow.smudge", "if [ -e '"+reached+"' ]; then cat; else touch '"+reached+"'; exec sleep 600; fi")

	cmd, _ := f.start("git", f.request())
	f.wait("the checkout", func() bool { return exists(reached) })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, _, err := f.git.Adopt(f.ctx(), f.request()); session.CodeOf(err) != session.CodeSettled {
		t.Errorf("while Git is writing: %v", err)
	}

	alive := func() []Process {
		found, err := processes(f.ctx(), f.request().Path)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for _, p := range alive() {
		if group, err := syscall.Getpgid(p.PID); err == nil && group != syscall.Getpgrp() {
			_ = syscall.Kill(-group, syscall.SIGKILL)
		}
	}
	// It is waited for.
	if _, found, err := f.git.Adopt(f.ctx(), f.request()); err != nil || found {
		t.Errorf("a half-made one is adopted: %v, %v", found, err)
	}
	if got := f.refs(); !slices.Equal(got, []string{"main"}) {
		t.Errorf("branches are %v", got)
	}
	if grant := f.add(); f.read(filepath.Join(grant.Path, "a.dat")) != "x" {
		t.Error("the checkout is not whole")
	}
}

func TestAddReplacesWhatNothingIsLostWith(t *testing.T) {
	f := newFixture(t)
	old := f.add()
	f.write("moved", "x")
	head := f.commit("the base moved")
	grant := f.add(func(r *Request) { r.Branch = "aside/edited-title-abcdef" })
	if grant.Adopted || grant.Base != head || grant.Path != old.Path {
		t.Errorf("got %+v", grant)
	}
	if got := f.refs(); !slices.Equal(got, []string{"aside/edited-title-abcdef", "main"}) {
		t.Errorf("branches are %v", got)
	}
}

func TestAddKeepsWhatIsInTheWay(t *testing.T) {
	for name, prepare := range map[string]func(f *fixture, path string) (kept string){
		"work of a thread": func(f *fixture, path string) string {
			grant := f.add(func(r *Request) { r.Branch = "aside/other-abcdef" })
			f.writeIn(grant.Path, "work", "x")
			return filepath.Join(path, "work")
		},
		"an unknown folder": func(f *fixture, path string) string {
			f.writeIn("/", filepath.Join(path, "file"), "x")
			return filepath.Join(path, "file")
		},
		"a link": func(f *fixture, path string) string {
			f.writeIn("/", filepath.Join(f.base, "target", "file"), "x")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				f.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(f.base, "target"), path); err != nil {
				f.Fatal(err)
			}
			return filepath.Join(path, "file")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			kept := prepare(f, f.request().Path)
			before := f.refs()
			if _, err := f.git.Add(f.ctx(), f.request()); session.CodeOf(err) != session.CodeFailed {
				t.Errorf("got %v", err)
			}
			if !exists(kept) {
				t.Error("it is gone")
			}
			if got := f.refs(); !slices.Equal(got, before) {
				t.Errorf("branches are %v, were %v", got, before)
			}
		})
	}
}

func TestAddIntoAnEmptyFolder(t *testing.T) {
	f := newFixture(t)
	if err := os.MkdirAll(f.request().Path, 0o755); err != nil {
		t.Fatal(err)
	}
	f.add()
}
