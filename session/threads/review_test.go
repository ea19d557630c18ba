package threads_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/threads"
	"aside/session/transcript"
	"aside/storage"
	"aside/worktree"
	"aside/worktree/git"
)

// shop is a project with a thread in a worktree of its own, and the service
// on a real store and a real Git.
type shop struct {
	*testing.T

	service *threads.Service
	store   *storage.DB
	project string
	path    string // of the worktree
	thread  session.Thread
	now     time.Time
}

func newShop(t *testing.T) *shop {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(base, "gitconfig")
	ok(t, os.WriteFile(config, []byte("[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"), 0o600))
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	s := &shop{T: t, project: filepath.Join(base, "shop"), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	ok(t, os.Mkdir(s.project, 0o755))
	s.git(s.project, "init", "--quiet")
	s.write(s.project, "pkg/main.go", "package main\n\nfunc main() {}\n")
	s.git(s.project, "add", "--all")
	s.git(s.project, "commit", "--quiet", "-m", "first")
	g := git.New(filepath.Join(base, "worktrees"), filepath.Join(base, "locks"))
	s.path = worktree.Folder(filepath.Join(base, "worktrees"), s.project, "abcdefghij")
	grant, err := g.Add(t.Context(), git.Request{Repo: s.project, Path: s.path, Branch: "aside/fix-it-abcdefghij"})
	ok(t, err)
	s.store, err = storage.Open(filepath.Join(base, "aside.db"), nil)
	ok(t, err)
	t.Cleanup(func() { ok(t, s.store.Close()) })
	s.thread = session.Thread{
		ID: "abcdefghij", Title: "Fix it", Agent: "demo", Project: s.project, Cwd: grant.Cwd, Checkout: grant.Checkout,
		State: session.StateIdle, CreatedAt: s.now,
	}
	ok(t, s.store.AddThread(t.Context(), s.thread))
	s.service, err = threads.New(threads.Options{Store: s.store, Git: g, Now: func() time.Time { return s.now }})
	ok(t, err)
	return s
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *shop) git(dir string, args ...string) string {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *shop) write(dir, path, content string) {
	s.Helper()
	ok(s, os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755))
	ok(s, os.WriteFile(filepath.Join(dir, path), []byte(content), 0o644))
}

func (s *shop) review() (paths []string) {
	s.Helper()
	d, err := s.service.Review(s.Context(), s.thread.ID)
	ok(s, err)
	for _, f := range d.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func (s *shop) wantReview(paths ...string) {
	s.Helper()
	if got := s.review(); !slices.Equal(got, paths) {
		s.Errorf("the review has %v, want %v", got, paths)
	}
}

func TestReviewFollowsTheThreadsOwnWork(t *testing.T) {
	s := newShop(t)
	s.wantReview()
	s.write(s.path, "own.txt", "own\n")
	s.git(s.path, "add", "--all")
	s.git(s.path, "commit", "--quiet", "-m", "own")
	s.write(s.path, "pkg/main.go", "package main\n")
	s.write(s.path, "new.txt", "new\n")
	s.wantReview("new.txt", "own.txt", "pkg/main.go")

	// What came from the project since is not the thread's.
	s.git(s.path, "checkout", "--quiet", "pkg/main.go")
	s.write(s.project, "others.txt", "others\n")
	s.git(s.project, "add", "--all")
	s.git(s.project, "commit", "--quiet", "-m", "others")
	s.wantReview("new.txt", "own.txt")
	s.git(s.path, "merge", "--quiet", "--no-edit", "main")
	s.wantReview("new.txt", "own.txt")
	s.git(s.path, "reset", "--quiet", "--hard", "HEAD~1")
	s.git(s.path, "rebase", "--quiet", "main")
	s.wantReview("new.txt", "own.txt")

	patch, _, err := s.service.Patch(t.Context(), s.thread.ID)
	if err != nil || !strings.Contains(string(patch), "+++ b/own.txt") || strings.Contains(string(patch), "others.txt") {
		t.Errorf("%v\n%s", err, patch)
	}
}

// What the branch has got that the work goes into is not the thread's to merge
// any more, whoever has merged it, and how.
func TestWhatIsMergedHasNotChangedAnyMore(t *testing.T) {
	for name, merge := range map[string]func(s *shop){
		"merged":          func(s *shop) { s.git(s.project, "merge", "--quiet", "--no-ff", "--no-edit", s.thread.Checkout.Branch) },
		"moved forward":   func(s *shop) { s.git(s.project, "merge", "--quiet", "--ff-only", s.thread.Checkout.Branch) },
		"merged by aside": func(s *shop) { s.do(threads.Finish{How: threads.FinishMerge}) },
		"merged, and gone on from": func(s *shop) {
			s.git(s.project, "merge", "--quiet", "--no-ff", "--no-edit", s.thread.Checkout.Branch)
			s.others("own.txt")
		},
		"rebased and merged": func(s *shop) {
			s.others("others.txt")
			s.git(s.path, "rebase", "--quiet", "main")
			s.git(s.project, "merge", "--quiet", "--ff-only", s.thread.Checkout.Branch)
		},
		"squashed": (*shop).squash,
		"squashed onto others' work, and gone on from": func(s *shop) {
			s.others("others.txt")
			s.squash()
			s.others("others.txt", "own.txt", "pkg/main.go", "more.txt")
		},
		"brought up to date, and squashed": func(s *shop) {
			s.others("others.txt", "pkg/others.go")
			s.git(s.path, "merge", "--quiet", "--no-edit", "main")
			s.others("others.txt")
			s.squash()
			s.others("own.txt")
		},
		"squashed, and got back": func(s *shop) {
			s.squash()
			s.others("others.txt")
			s.git(s.path, "merge", "--quiet", "--no-edit", "main")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.write(s.path, "own.txt", "own\n")
			s.commit(s.path)
			s.git(s.path, "mv", "pkg/main.go", "pkg/own.go")
			s.write(s.path, "own.txt", "own\nmore\n")
			s.commit(s.path)
			s.wantReview("own.txt", "pkg/own.go")
			s.wantCount(2, 2)
			merge(s)
			s.wantReview()
			if d, err := s.service.Review(t.Context(), s.thread.ID); err != nil || d.Against != "main" {
				t.Errorf("it is compared with %q, %v", d.Against, err)
			}
			if patch, against, err := s.service.Patch(t.Context(), s.thread.ID); err != nil || len(patch) > 0 || against != "main" {
				t.Errorf("against %q, %v:\n%s", against, err, patch)
			}
			if name != "merged by aside" {
				s.now = s.now.Add(time.Minute) // when it is counted again
			}
			s.wantCount(0, 0)

			// What it does from now on is its own again.
			s.write(s.path, "next.txt", "next\n")
			s.wantReview("next.txt")
			s.commit(s.path)
			s.wantReview("next.txt")
		})
	}
}

// What only looks like it, or is there in part, is not merged.
func TestWhatIsNotMergedHasChanged(t *testing.T) {
	s := newShop(t)
	s.write(s.path, "one.txt", "one\n")
	s.commit(s.path)
	s.write(s.path, "two.txt", "two\n")
	s.commit(s.path)
	s.others("others.txt")
	s.wantReview("one.txt", "two.txt")
	s.write(s.project, "two.txt", "another two\n")
	s.commit(s.project)
	s.wantReview("one.txt", "two.txt")

	// The first commit alone is, and then only the second one's is left.
	s.git(s.project, "cherry-pick", s.thread.Checkout.Branch+"~1")
	s.wantReview("two.txt")

	// What a repository wants nobody to see of its submodules is missing too.
	s = newShop(t)
	s.write(s.path, ".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n")
	s.commit(s.path)
	s.git(s.path, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub")
	s.git(s.path, "commit", "--quiet", "-m", "sub")
	if err := os.Mkdir(filepath.Join(s.path, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.wantReview(".gitmodules", "sub")
	s.others("others.txt")
	s.git(s.project, "cherry-pick", s.thread.Checkout.Branch+"~1")
	s.wantReview("sub")

	// Each file was there, but not at once.
	s = newShop(t)
	s.write(s.path, "a.txt", "a\n")
	s.write(s.path, "b.txt", "b\n")
	s.commit(s.path)
	for _, step := range []string{"a.txt", "b.txt"} {
		s.write(s.project, step, step[:1]+"\n")
		s.commit(s.project)
		s.git(s.project, "rm", "--quiet", step)
		s.commit(s.project)
	}
	s.wantReview("a.txt", "b.txt")
}

// commit commits all there is in a folder.
func (s *shop) commit(dir string) {
	s.Helper()
	s.git(dir, "add", "--all")
	s.git(dir, "commit", "--quiet", "-m", "work")
}

// others changes files of the project and commits them.
func (s *shop) others(paths ...string) {
	s.Helper()
	for _, path := range paths {
		old, err := os.ReadFile(filepath.Join(s.project, path))
		if err != nil && !os.IsNotExist(err) {
			s.Fatal(err)
		}
		s.write(s.project, path, string(old)+"by others\n")
	}
	s.commit(s.project)
}

// squash merges the thread's branch as a person does who wants one commit.
func (s *shop) squash() {
	s.Helper()
	s.git(s.project, "merge", "--quiet", "--squash", s.thread.Checkout.Branch)
	s.git(s.project, "commit", "--quiet", "-m", "squashed")
}

func (s *shop) wantCount(files, added int) {
	s.Helper()
	t, err := s.service.ChangesOf(s.Context(), s.thread.ID)
	if err != nil || t.Files != files || t.Added != added {
		s.Errorf("counted are %+v, %v; want %d files and %d lines", t, err, files, added)
	}
}

func TestReviewOfTheSharedCheckoutIsSinceTheThreadBegan(t *testing.T) {
	s := newShop(t)
	shared := session.Thread{
		ID: "shared", Title: "Shared", Agent: "demo", Project: s.project, Cwd: s.project, CreatedAt: s.now,
		Checkout: session.Checkout{Mode: session.CheckoutShared, Path: s.project, Branch: "main", Base: s.git(s.project, "rev-parse", "HEAD")},
	}
	ok(t, s.store.AddThread(t.Context(), shared))
	s.write(s.project, "a.txt", "a\n")
	s.thread = shared
	s.wantReview("a.txt")
	_, err := s.service.Review(t.Context(), "none")
	if session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %v", err)
	}
}

// What others have changed in the project is not the work of a thread that is
// only getting its checkout.
func TestAThreadWithoutACheckoutHasChangedNothing(t *testing.T) {
	s := newShop(t)
	s.write(s.project, "others.txt", "others\n")
	ok(t, s.store.AddThread(t.Context(), session.Thread{
		ID: "begun", Title: "Begun", Agent: "demo", Project: s.project, CreatedAt: s.now,
	}))
	if got, err := s.service.ChangesOf(t.Context(), "begun"); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := s.service.Review(t.Context(), "begun"); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestChangesAreCountedNowAndThen(t *testing.T) {
	s := newShop(t)
	count := func(want worktree.Tally) {
		t.Helper()
		want.Branch = s.thread.Checkout.Branch
		if got, err := s.service.ChangesOf(t.Context(), s.thread.ID); err != nil || got != want {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
	count(worktree.Tally{})
	s.write(s.path, "new.txt", "1\n2\n")
	s.write(s.path, "pkg/main.go", "package main\n")
	count(worktree.Tally{}) // as it was a moment ago
	s.now = s.now.Add(time.Minute)
	count(worktree.Tally{Files: 2, Added: 2, Deleted: 2})
}

func TestACommentQuotesTheLines(t *testing.T) {
	c := threads.Comment{
		Path: "pkg/ma\x07in.go",
		Lines: []worktree.Line{
			{Kind: worktree.LineContext, Text: "\tif a {", Old: 3, New: 4},
			{Kind: worktree.LineDeleted, Text: "\t\tb() // ```", Old: 4},
			{Kind: worktree.LineAdded, Text: "\t\tc()\x1b[201~\r", New: 5},
		},
		Text: "Why not b?\n",
	}
	want := "On pkg/main.go, lines 4 to 5:\n\n````diff\n \tif a {\n-\t\tb() // ```\n+\t\tc()\n````\n\nWhy not b?"
	if got := c.Prompt(); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	c.Lines = c.Lines[1:2]
	if got := c.Prompt(); !strings.HasPrefix(got, "On pkg/main.go, line 4 of the version before:\n") {
		t.Errorf("got %q", got)
	}
	c.Lines = nil
	if got := c.Prompt(); got != "On pkg/main.go:\n\nWhy not b?" {
		t.Errorf("got %q", got)
	}
	c.Lines = make([]worktree.Line, 500)
	if got := c.Prompt(); !strings.Contains(got, "\n… and 300 more lines\n") {
		t.Errorf("got %q", got)
	}
}

func TestAnEmptyCommentGoesNowhere(t *testing.T) {
	s := newShop(t)
	_, err := s.service.Comment(t.Context(), s.thread.ID, threads.Comment{Path: "a", Text: " \n"})
	if session.CodeOf(err) != session.CodeUsage {
		t.Errorf("got %v", err)
	}
}

func TestFilesOfTheCheckoutAreCompleted(t *testing.T) {
	s := newShop(t)
	for _, path := range []string{"README.md", "docs/parser.md", "pkg/parse.go", "pkg/parse_test.go", "pkg/sparse.go", "lib/Parser.go", "cmd/pa/r/se.go"} {
		s.write(s.path, path, "")
	}
	s.write(s.path, ".gitignore", "*.log\n")
	s.write(s.path, "parse.log", "")
	s.git(s.path, "add", "--all")
	s.git(s.path, "commit", "--quiet", "-m", "files")
	for typed, want := range map[string][]string{
		"parse":    {"pkg/parse.go", "lib/Parser.go", "docs/parser.md", "pkg/parse_test.go", "pkg/sparse.go", "cmd/pa/r/se.go"},
		"parse.go": {"pkg/parse.go", "pkg/sparse.go", "lib/Parser.go", "pkg/parse_test.go", "cmd/pa/r/se.go"},
		"test":     {"pkg/parse_test.go"},
		"PKG/":     {"pkg/main.go", "pkg/parse.go", "pkg/sparse.go", "pkg/parse_test.go"},
		"ptst":     {"pkg/parse_test.go"},
		"docspar":  {"docs/parser.md"},
		"zzz":      nil,
	} {
		got, err := s.service.Files(t.Context(), s.thread.ID, typed, 100)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q gives %q, %v; want %q", typed, got, err, want)
		}
	}
	got, err := s.service.Files(t.Context(), s.thread.ID, "", 2)
	if err != nil || len(got) != 2 {
		t.Errorf("got %q, %v", got, err)
	}
	s.write(s.path, "brandnew", "")
	s.now = s.now.Add(time.Minute)
	if got, err := s.service.Files(t.Context(), s.thread.ID, "brand", 2); err != nil || !slices.Equal(got, []string{"brandnew"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

// What is being worked on is what a person is likely to name.
func TestFilesThatWereChangedComeFirst(t *testing.T) {
	s := newShop(t)
	for i, path := range []string{"a.go", "b.go", "c.go", "d.go", "gone.go"} {
		s.write(s.path, path, "")
		ok(t, os.Chtimes(filepath.Join(s.path, path), s.now, s.now.Add(time.Duration(i)*time.Second)))
	}
	s.git(s.path, "add", "--all")
	s.git(s.path, "commit", "--quiet", "-m", "files")
	for i, path := range []string{"d.go", "my notes.go", "b.go"} { // the last one is the newest
		s.write(s.path, path, "changed")
		ok(t, os.Chtimes(filepath.Join(s.path, path), s.now, s.now.Add(time.Duration(i)*time.Hour)))
	}
	ok(t, os.Remove(filepath.Join(s.path, "gone.go")))
	for typed, want := range map[string][]string{
		"":    {"b.go", "my notes.go", "d.go", "a.go"},
		".go": {"b.go", "my notes.go", "d.go", "a.go"},
		"a":   {"a.go"},
		"no":  {"my notes.go"},
	} {
		if got, err := s.service.FilesIn(t.Context(), s.path, typed, 4); err != nil || !slices.Equal(got[:min(len(got), len(want))], want) {
			t.Errorf("%q gives %q, %v; want %q first", typed, got, err, want)
		}
	}
	if got, err := s.service.FilesIn(t.Context(), s.path, "gone", 4); err != nil || len(got) > 0 {
		t.Errorf("a file that is gone is offered: %q, %v", got, err)
	}
	if got, err := s.service.FilesIn(t.Context(), t.TempDir(), "", 4); err != nil || len(got) > 0 {
		t.Errorf("outside of a work tree: %q, %v", got, err)
	}
}

func TestSearchAndPagesReachTheStore(t *testing.T) {
	s := newShop(t)
	from, err := s.service.Revision(t.Context())
	ok(t, err)
	for _, text := range []string{"one apple", "two pears", "three apples"} {
		ok(t, s.store.Append(t.Context(), s.thread.ID, transcript.Entry{At: s.now, Kind: transcript.KindNotice, Text: text}))
	}
	found, err := s.service.Search(t.Context(), transcript.Query{Text: "apple", Project: s.project})
	if err != nil || len(found.Hits) != 2 || found.Hits[0].Snippet != "three apples" {
		t.Fatalf("%+v, %v", found, err)
	}
	around, err := s.service.EntriesAround(t.Context(), s.thread.ID, found.Hits[1].Entry, 5, 1)
	if err != nil || len(around) != 2 || around[1].Text != "two pears" {
		t.Errorf("%+v, %v", around, err)
	}
	after, err := s.service.EntriesAfter(t.Context(), s.thread.ID, around[1].ID, 5)
	if err != nil || len(after) != 1 {
		t.Errorf("%+v, %v", after, err)
	}
	all, earlier, err := s.service.CountEntries(t.Context(), s.thread.ID, after[0].ID)
	if err != nil || all != 3 || earlier != 2 {
		t.Errorf("%d of %d, %v", earlier, all, err)
	}
	changed, now, err := s.service.EntriesSince(t.Context(), s.thread.ID, from, 10)
	if err != nil || len(changed) != 3 || now <= from {
		t.Errorf("%d changed, %d, %v", len(changed), now, err)
	}
	if entries, err := s.service.Entries(t.Context(), s.thread.ID, 0, 1); err != nil || len(entries) != 1 {
		t.Errorf("%+v, %v", entries, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.service.Search(cancelled, transcript.Query{Text: "apple"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
