package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/session"
)

func carrying(r *Request) { r.Carry = true }

func TestCarry(t *testing.T) {
	f := newFixture(t)
	f.write("gone.go", "x")
	f.write("tool", "#!/bin/sh\n")
	f.write("crlf.txt", "a\r\nb\r\n")
	f.commit("more")
	head := f.sh("rev-parse", "HEAD")

	f.write("main.go", "package main // staged\n")
	f.sh("add", "main.go")
	f.write("main.go", "package main // and changed on\n")
	f.sh("rm", "--quiet", "gone.go")
	f.write("crlf.txt", "a\r\nc\r\n")
	f.write("neu ü/nested.bin", "\x00\x01\xff")
	f.write("x.secret", "ignored")
	if err := os.Chmod(filepath.Join(f.repo, "tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("main.go", filepath.Join(f.repo, "link")); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(f.repo, "inner")
	f.in(f.repo, "init", "--quiet", inner)
	status := f.sh("status", "--porcelain") // it refreshes the index
	index := f.read(filepath.Join(f.repo, ".git", "index"))

	grant := f.add(carrying)

	if grant.Base != head || grant.Carried != 6 {
		t.Errorf("got %+v", grant)
	}
	want := " M crlf.txt\n D gone.go\n M main.go\n M tool\n?? link\n?? \"neu \\303\\274/\""
	if got := f.in(grant.Path, "status", "--porcelain"); " "+got != want {
		t.Errorf("carried over is\n%s\nwant\n%s", got, want)
	}
	for path, content := range map[string]string{
		"main.go": "package main // and changed on\n", "neu ü/nested.bin": "\x00\x01\xff", "crlf.txt": "a\r\nc\r\n",
	} {
		if got := f.read(filepath.Join(grant.Path, path)); got != content {
			t.Errorf("%s is %q", path, got)
		}
	}
	if target, err := os.Readlink(filepath.Join(grant.Path, "link")); err != nil || target != "main.go" {
		t.Errorf("the link is %q, %v", target, err)
	}
	if f.read(filepath.Join(f.repo, ".git", "index")) != index || f.sh("status", "--porcelain") != status {
		t.Error("the offering checkout was touched")
	}
	if got := f.sh("stash", "list"); got != "" {
		t.Errorf("a stash is left: %s", got)
	}
	if exists(filepath.Join(grant.Path, "x.secret")) || exists(filepath.Join(grant.Path, "inner")) {
		t.Error("ignored files or another repository came along")
	}
}

func TestCarryNothing(t *testing.T) {
	f := newFixture(t)
	if grant := f.add(carrying); grant.Carried != 0 || f.in(grant.Path, "status", "--porcelain") != "" {
		t.Errorf("got %+v", grant)
	}
}

func TestCarryToAnotherBase(t *testing.T) {
	f := newFixture(t)
	f.write("main.go", strings.Repeat("line\n", 20))
	f.commit("long")
	f.sh("checkout", "--quiet", "-b", "work")
	f.write("main.go", "first\n"+strings.Repeat("line\n", 20))
	f.commit("on the branch")
	f.write("main.go", "first\n"+strings.Repeat("line\n", 20)+"last\n")

	grant := f.add(carrying, func(r *Request) { r.Base = "main" })
	if got, want := f.read(filepath.Join(grant.Path, "main.go")), strings.Repeat("line\n", 20)+"last\n"; got != want {
		t.Errorf("got %q", got)
	}

	f.write("main.go", "changed\n"+strings.Repeat("line\n", 20))
	r := f.request()
	r.Carry, r.Base, r.Path = true, "main", r.Path+"x"
	before := f.refs()
	_, err := f.git.Add(f.ctx(), r)
	if session.CodeOf(err) != session.CodeFailed || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("got %v", err)
	}
	if exists(r.Path) || !slices.Equal(f.refs(), before) {
		t.Error("something half made is left")
	}
}

func TestInclude(t *testing.T) {
	f := newFixture(t)
	outside := filepath.Join(f.base, "outside")
	f.writeIn(outside, "key.secret", "not ours")
	f.write(".worktreeinclude", "# what a run needs\n*.secret\n!not.secret\n/build/keep/\nuntracked.txt\nmain.go\n")
	f.commit("include")
	for path, content := range map[string]string{
		"a.secret": "A", "deep/er ü/b.secret": "B", "not.secret": "excluded", "build/keep/c": "C", "build/other": "no",
		"untracked.txt": "not ignored", "main.go": "changed",
	} {
		f.write(path, content)
	}
	if err := os.Chmod(filepath.Join(f.repo, "a.secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"in.secret": "a.secret", "out.secret": "../outside/key.secret", "abs.secret": filepath.Join(outside, "key.secret"),
		"folder.secret": "../outside",
	} {
		if err := os.Symlink(target, filepath.Join(f.repo, link)); err != nil {
			t.Fatal(err)
		}
	}

	grant := f.add()

	want := []string{"a.secret", "build/keep/c", "deep/er ü/b.secret", "in.secret"}
	got := slices.Sorted(slices.Values(grant.Included))
	if !slices.Equal(got, want) {
		t.Errorf("copied %q, want %q", got, want)
	}
	if f.read(filepath.Join(grant.Path, "deep/er ü/b.secret")) != "B" {
		t.Error("the content is not the same")
	}
	if info, err := os.Stat(filepath.Join(grant.Path, "a.secret")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the permissions are %v, %v", info.Mode(), err)
	}
	if got := f.in(grant.Path, "status", "--porcelain"); got != "" {
		t.Errorf("the worktree is not clean: %s", got)
	}
	for _, path := range []string{"out.secret", "abs.secret", "folder.secret", "not.secret", "build/other", "untracked.txt"} {
		if exists(filepath.Join(grant.Path, path)) {
			t.Errorf("%s was copied", path)
		}
	}
}

// In the base, a folder on the way of a copy is a link that leads out.
func TestIncludeDoesNotWriteThroughLinks(t *testing.T) {
	f := newFixture(t)
	outside := filepath.Join(f.base, "outside")
	f.writeIn(outside, "here", "x")
	f.write(".worktreeinclude", "*.secret\n")
	if err := os.Symlink(outside, filepath.Join(f.repo, "conf")); err != nil {
		t.Fatal(err)
	}
	base := f.commit("conf is a link")
	f.sh("rm", "--quiet", "conf")
	f.write("conf/a.secret", "A")
	f.sh("commit", "--quiet", "-m", "conf is a folder")
	before := f.refs()
	if _, err := f.git.Add(f.ctx(), func() Request { r := f.request(); r.Base = base; return r }()); err == nil {
		t.Error("no error")
	}
	if exists(filepath.Join(outside, "a.secret")) {
		t.Error("it was written outside")
	}
	if !slices.Equal(f.refs(), before) {
		t.Error("something half made is left")
	}
}
