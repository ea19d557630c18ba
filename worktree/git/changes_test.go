package git

import (
	"path/filepath"
	"strings"
	"testing"

	"aside/session"
)

func TestChanges(t *testing.T) {
	f := newFixture(t)
	grant := f.add()
	check := func(want Changes) {
		t.Helper()
		got, err := f.git.Changes(f.ctx(), grant.Cwd, grant.Base)
		if err != nil || got != want {
			t.Errorf("got %+v, %v\nwant %+v", got, err, want)
		}
	}
	check(Changes{})
	if work := (Changes{Files: 3}).Work(); work != "" {
		t.Errorf("of merged work is said %q", work)
	}
	f.writeIn(grant.Path, "main.go", "package main\n\nfunc main() {}\n")
	f.writeIn(grant.Path, "data ü.bin", "\x00\x01")
	f.in(grant.Path, "add", ".")
	f.in(grant.Path, "commit", "--quiet", "-m", "work")
	f.writeIn(grant.Path, "pkg/lib/lib.go", "package other\n")
	f.writeIn(grant.Path, "new", "x")
	want := Changes{Files: 3, Insertions: 3, Deletions: 1, Uncommitted: 1, Untracked: 1, Unmerged: 1}
	check(want)
	if work := want.Work(); work != "1 uncommitted file, 1 untracked file, 1 unmerged commit" {
		t.Errorf("of unfinished work is said %q", work)
	}
	f.sh("merge", "--quiet", grant.Branch)
	want.Unmerged = 0
	check(want)

	shared, err := f.git.Changes(f.ctx(), f.repo, "")
	if err != nil || shared != (Changes{}) {
		t.Errorf("the shared checkout: %+v, %v", shared, err)
	}
}

func TestChangesWithoutCommitOrRepository(t *testing.T) {
	f := emptyFixture(t)
	if got, err := f.git.Changes(f.ctx(), f.repo, ""); err != nil || got != (Changes{}) {
		t.Errorf("no repository: %+v, %v", got, err)
	}
	f.sh("init", "--quiet")
	f.write("new", "x")
	if got, err := f.git.Changes(f.ctx(), f.repo, ""); err != nil || got != (Changes{Untracked: 1}) {
		t.Errorf("no commit: %+v, %v", got, err)
	}
}

func TestInitProject(t *testing.T) {
	f := emptyFixture(t)
	dir := filepath.Join(f.base, "demo")
	files := map[string]string{"README.md": "# Demo\n", "settings/load.go": "package settings\n", ".gitignore": "*.log\n", "kept.log": "x"}
	if err := f.git.InitProject(f.ctx(), dir, files); err != nil {
		t.Fatal(err)
	}
	if got := f.in(dir, "log", "--format=%an %s", "--all"); got != "aside Start" {
		t.Errorf("the history is %q", got)
	}
	if got := f.in(dir, "ls-files"); got != ".gitignore\nREADME.md\nkept.log\nsettings/load.go" {
		t.Errorf("the files are %q", got)
	}
	if got := f.in(dir, "status", "--porcelain", "--branch"); got != "## main" {
		t.Errorf("the status is %q", got)
	}
	if err := f.git.InitProject(f.ctx(), dir, files); session.CodeOf(err) != session.CodeUsage {
		t.Errorf("once more: %v", err)
	}
	escape := map[string]string{"../outside": "x"}
	if err := f.git.InitProject(f.ctx(), filepath.Join(f.base, "other"), escape); err == nil || exists(filepath.Join(f.base, "outside")) {
		t.Errorf("a path that leads out: %v", err)
	}
}

func TestMessagesAreSafeToShow(t *testing.T) {
	got := plain("fatal: bad \x1b[31mname\u202e\u200b\nsecond\x07 line" + strings.Repeat("x", 500))
	if strings.ContainsAny(got, "\x1b\x07\n\u202e\u200b") || len([]rune(got)) > 301 {
		t.Errorf("got %q", got)
	}
}

func TestOutputIsLimited(t *testing.T) {
	f := newFixture(t)
	f.git.Program = f.program("endless", "case \"$*\" in *version*) exec git version;; esac\nexec yes\n")
	_, err := f.git.Inspect(f.ctx(), f.repo)
	if err == nil || !strings.Contains(err.Error(), "MiB of output") {
		t.Errorf("got %v", err)
	}
}

func TestRecent(t *testing.T) {
	for version, want := range map[string]bool{
		"git version 2.39.5 (Apple Git-154)": true, "git version 2.36.0": true, "git version 3.0.1": true,
		"git version 2.35.9": false, "git version 1.9": false, "git version next": true,
	} {
		if recent(version) != want {
			t.Errorf("%s: want %v", version, want)
		}
	}
}
