package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/worktree"
)

// drawn is a diff as lines, for comparing.
func drawn(d worktree.Diff) string {
	var b strings.Builder
	for _, f := range d.Files {
		fmt.Fprintf(&b, "%s %q", f.Status, f.Path)
		if f.Old != "" {
			fmt.Fprintf(&b, " from %q", f.Old)
		}
		fmt.Fprintf(&b, " %s>%s +%d-%d", f.OldMode, f.NewMode, f.Added, f.Deleted)
		for word, is := range map[string]bool{" binary": f.Binary, " large": f.Large, " cut": f.Cut} {
			if is {
				b.WriteString(word)
			}
		}
		b.WriteByte('\n')
		for _, h := range f.Hunks {
			b.WriteString(h.Header + "\n")
			for _, l := range h.Lines {
				fmt.Fprintf(&b, "%s%d:%d %q", l.Kind, l.Old, l.New, l.Text)
				if l.Open {
					b.WriteString(" open")
				}
				if l.Cut {
					b.WriteString(" cut")
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func (f *fixture) wantDiff(base, want string) worktree.Diff {
	f.Helper()
	d, err := f.git.Diff(f.ctx(), f.repo, base)
	if err != nil {
		f.Fatal(err)
	}
	if got := strings.TrimSpace(drawn(d)); got != strings.TrimSpace(want) {
		f.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return d
}

func TestDiffHasWhatIsCommittedUncommittedAndUntracked(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	base := f.commit("base")
	f.write("a.txt", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")
	f.commit("work")
	f.write("main.go", "package main\n\nfunc main() {}")
	f.write("new/added.txt", "x\r\n")
	f.write("hidden.secret", "ignored\n")
	if err := os.Remove(filepath.Join(f.repo, "pkg/lib/lib.go")); err != nil {
		t.Fatal(err)
	}
	d := f.wantDiff(base, `
modified "a.txt" 100644>100644 +1-1
@@ -2,7 +2,7 @@
 2:2 "2"
 3:3 "3"
 4:4 "4"
-5:0 "5"
+0:5 "five"
 6:6 "6"
 7:7 "7"
 8:8 "8"
modified "main.go" 100644>100644 +2-0
@@ -1 +1,3 @@
 1:1 "package main"
+0:2 ""
+0:3 "func main() {}" open
added "new/added.txt" >100644 +1-0
@@ -0,0 +1 @@
+0:1 "x\r"
deleted "pkg/lib/lib.go" 100644> +0-1
@@ -1 +0,0 @@
-1:0 "package lib"`)
	if d.Base != base {
		t.Errorf("base is %s", d.Base)
	}
	tally, err := f.git.Tally(f.ctx(), f.repo, base)
	if want := (worktree.Tally{Branch: "main", Files: 4, Added: 4, Deleted: 2}); err != nil || tally != want {
		t.Errorf("got %+v, %v; want %+v", tally, err, want)
	}
	patch, err := f.git.Patch(f.ctx(), f.repo, base)
	if err != nil || !strings.Contains(string(patch), "+++ b/new/added.txt\n@@ -0,0 +1 @@\n+x\r\n") {
		t.Errorf("got %s, %v", patch, err)
	}
}

func TestDiffKnowsRenamesModesLinksAndBinaries(t *testing.T) {
	f := newFixture(t)
	f.write("old name.txt", strings.Repeat("same\n", 20))
	f.write("script", "#!/bin/sh\n")
	f.write("becomes a link", "text\n")
	f.write("data.bin", "a\x00b")
	f.write("stays", "s\n")
	base := f.commit("base")
	odd := "new \"näme\"\n@@ -1 +1 @@\ndiff --git a b"
	if err := os.Rename(filepath.Join(f.repo, "old name.txt"), filepath.Join(f.repo, odd)); err != nil {
		t.Fatal(err)
	}
	f.write(odd, strings.Repeat("same\n", 20)+"more\n")
	for _, err := range []error{
		os.Chmod(filepath.Join(f.repo, "script"), 0o755),
		os.Remove(filepath.Join(f.repo, "becomes a link")),
		os.Symlink("stays", filepath.Join(f.repo, "becomes a link")),
		os.Chtimes(filepath.Join(f.repo, "stays"), f.epoch(), f.epoch()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f.write("data.bin", "a\x00bc")
	f.write("empty", "")
	f.wantDiff(base, `
retyped "becomes a link" 100644>120000 +1-1
@@ -1 +0,0 @@
-1:0 "text"
@@ -0,0 +1 @@
+0:1 "stays" open
modified "data.bin" 100644>100644 +0-0 binary
added "empty" >100644 +0-0
renamed "new \"näme\"\n@@ -1 +1 @@\ndiff --git a b" from "old name.txt" 100644>100644 +1-0
@@ -18,3 +18,4 @@ same
 18:18 "same"
 19:19 "same"
 20:20 "same"
+0:21 "more"
modified "script" 100644>100755 +0-0`)
}

func TestDiffKnowsSubmodulesAndNestedRepositories(t *testing.T) {
	f := newFixture(t)
	lib := filepath.Join(f.base, "lib")
	f.sh("init", "--quiet", lib)
	f.in(lib, "commit", "--quiet", "--allow-empty", "-m", "one")
	f.sh("submodule", "--quiet", "add", lib, "lib")
	base := f.commit("base")
	f.in(filepath.Join(f.repo, "lib"), "commit", "--quiet", "--allow-empty", "-m", "two")
	f.sh("init", "--quiet", "found")
	d, err := f.git.Diff(f.ctx(), f.repo, base)
	if err != nil || len(d.Files) != 2 || !d.Files[0].Submodule() || !d.Files[1].Submodule() {
		t.Fatalf("%+v, %v", d.Files, err)
	}
	if l := d.Files[0]; l.Path != "lib" || l.Added != 1 || !strings.HasPrefix(l.Hunks[0].Lines[1].Text, "Subproject commit ") {
		t.Errorf("%+v", l)
	}
	if n := d.Files[1]; n.Path != "found" || n.Status != worktree.FileAdded {
		t.Errorf("%+v", n)
	}
}

func TestDiffIsBounded(t *testing.T) {
	f := newFixture(t)
	f.write("shrinks", strings.Repeat("x", comparedLimit+1))
	base := f.commit("base")
	f.write("shrinks", "small\n")
	f.write("huge", strings.Repeat("line\n", comparedLimit/4))
	f.write("many", strings.Repeat("line\n", fileLines+7))
	f.write("wide", strings.Repeat("é", lineBytes)+"\n")
	f.write("latin", "caf\xe9\n")
	d, err := f.git.Diff(f.ctx(), f.repo, base)
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]worktree.FileDiff{}
	for _, file := range d.Files {
		byPath[file.Path] = file
	}
	for _, path := range []string{"huge", "shrinks"} {
		if file := byPath[path]; !file.Binary || !file.Large || len(file.Hunks) > 0 {
			t.Errorf("%s: %t %t, %d hunks", path, file.Binary, file.Large, len(file.Hunks))
		}
	}
	if many := byPath["many"]; !many.Cut || many.Added != fileLines+7 || len(many.Hunks[0].Lines) != fileLines {
		t.Errorf("many: cut %t, %d added, %d lines", many.Cut, many.Added, len(many.Hunks[0].Lines))
	}
	if l := byPath["wide"].Hunks[0].Lines[0]; !l.Cut || l.Text != strings.Repeat("é", lineBytes/2) {
		t.Errorf("wide: cut %t, %d bytes", l.Cut, len(l.Text))
	}
	if l := byPath["latin"].Hunks[0].Lines[0]; l.Text != "caf\ufffd" {
		t.Errorf("latin: %q", l.Text)
	}
}

func TestADiffAboveAllLimitsNamesItsFiles(t *testing.T) {
	f := newFixture(t)
	base := f.sh("rev-parse", "HEAD")
	for i := range patchLimit/comparedLimit + 2 {
		f.write(fmt.Sprintf("out/%03d", i), strings.Repeat("0123456789abcde\n", comparedLimit/16))
	}
	d, err := f.git.Diff(f.ctx(), f.repo, base)
	if err != nil || len(d.Files) != patchLimit/comparedLimit+2 {
		t.Fatalf("%d files, %v", len(d.Files), err)
	}
	for _, file := range d.Files {
		if !file.Cut || len(file.Hunks) > 0 || file.Status != worktree.FileAdded {
			t.Fatalf("%s is %s, cut %t, with %d hunks", file.Path, file.Status, file.Cut, len(file.Hunks))
		}
	}
}

func TestDiffLeavesOutUntrackedFilesBeyondItsLimit(t *testing.T) {
	f := newFixture(t)
	for i := range untrackedMost + 3 {
		f.write(fmt.Sprintf("out/%05d", i), "")
	}
	d, err := f.git.Diff(f.ctx(), f.repo, "")
	if err != nil || len(d.Files) != untrackedMost || d.LeftOut != 3 {
		t.Errorf("%d files and %d left out, %v", len(d.Files), d.LeftOut, err)
	}
}

func TestDiffRunsNothingOfTheRepositorysAndWritesNothing(t *testing.T) {
	f := newFixture(t)
	mark := filepath.Join(f.base, "ran")
	program := f.program("evil", "touch '"+mark+"'\ncat \"$1\"\n")
	f.write(".gitattributes", "*.txt diff=evil\n")
	f.write("a.txt", "a\n")
	base := f.commit("base")
	for _, pair := range [][2]string{
		{"diff.external", program},
		{"diff.evil.command", program},
		{"diff.evil.textconv", program},
		{"core.fsmonitor", program},
		{"core.pager", program},
		{"diff.noprefix", "true"},
		{"diff.renames", "false"},
		{"color.ui", "always"},
		{"diff.orderFile", program},
		{"diff.relative", "true"},
		{"diff.suppressBlankEmpty", "true"},
		{"diff.submodule", "log"},
		{"core.quotePath", "false"},
	} {
		f.sh("config", pair[0], pair[1])
	}
	f.write("a.txt", "b\n")
	f.write("é.txt", "new\n")
	if err := os.Chtimes(filepath.Join(f.repo, "main.go"), f.epoch(), f.epoch()); err != nil {
		t.Fatal(err)
	}
	index := f.read(filepath.Join(f.repo, ".git/index"))
	objects := f.objects()
	sub := filepath.Join(f.repo, "pkg")
	d, err := f.git.Diff(f.ctx(), sub, base)
	if err != nil {
		t.Fatal(err)
	}
	if got := drawn(d); !strings.Contains(got, `added "é.txt"`) || !strings.Contains(got, "-1:0 \"a\"\n+0:1 \"b\"\n") || len(d.Files) != 2 {
		t.Errorf("got\n%s", got)
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("a program of the repository ran")
	}
	if f.read(filepath.Join(f.repo, ".git/index")) != index {
		t.Error("the index was written")
	}
	if !slices.Equal(f.objects(), objects) {
		t.Error("objects were written")
	}
}

func TestDiffOfAnUnbornBranchAnUnmergedFileAndNoRepository(t *testing.T) {
	f := emptyFixture(t)
	if _, err := f.git.Diff(f.ctx(), f.repo, ""); session.CodeOf(err) != session.CodeFailed {
		t.Errorf("got %v", err)
	}
	f.sh("init", "--quiet", "--initial-branch=main")
	f.write("a", "a\n")
	f.wantDiff("", "added \"a\" >100644 +1-0\n@@ -0,0 +1 @@\n+0:1 \"a\"")
	base := f.commit("one")
	if _, err := f.git.Diff(f.ctx(), f.repo, strings.Repeat("0", 40)); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %v", err)
	}
	f.sh("checkout", "--quiet", "-b", "other")
	f.write("a", "other\n")
	f.commit("two")
	f.sh("checkout", "--quiet", "main")
	f.write("a", "mine\n")
	f.commit("three")
	if _, err := f.git.run(f.ctx(), call{dir: f.repo, args: []string{"merge", "other"}, writes: true}); err == nil {
		t.Fatal("no conflict")
	}
	d, err := f.git.Diff(f.ctx(), f.repo, base)
	if err != nil || len(d.Files) != 1 || !strings.Contains(drawn(d), "<<<<<<< HEAD") {
		t.Errorf("%v, %v", d, err)
	}
}

// epoch is a time that no index has seen.
func (f *fixture) epoch() time.Time { return time.Unix(1_000_000, 0) }

// objects lists the files of the object store.
func (f *fixture) objects() []string {
	f.Helper()
	found, err := filepath.Glob(filepath.Join(f.repo, ".git/objects/*/*"))
	if err != nil {
		f.Fatal(err)
	}
	return found
}
