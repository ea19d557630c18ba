package tui_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"
	"aside/worktree"

	tea "charm.land/bubbletea/v2"
)

// changed is a world in which the first thread has changed some files.
func changed() *fake {
	f := world()
	line := func(kind worktree.LineKind, before, after int, text string) worktree.Line {
		return worktree.Line{Kind: kind, Old: before, New: after, Text: text}
	}
	f.tally = worktree.Tally{Branch: "main", Files: 4, Added: 62, Deleted: 2}
	var added []worktree.Line
	for i := range 60 {
		added = append(added, line(worktree.LineAdded, 0, i+1, fmt.Sprintf("row %d of the new file", i+1)))
	}
	f.diff = worktree.Diff{Base: "0123abcd", Files: []worktree.FileDiff{
		{
			Path: "parse/list.go", Status: worktree.FileModified, Added: 2, Deleted: 2,
			Hunks: []worktree.Hunk{{
				Header: "@@ -10,5 +10,5 @@ func list(p *parser) {",
				Lines: []worktree.Line{
					line(worktree.LineContext, 10, 10, "\tfor p.more() {"),
					line(worktree.LineDeleted, 11, 0, "\t\tp.item()"),
					line(worktree.LineDeleted, 12, 0, "\t\tp.want(',')"),
					line(worktree.LineAdded, 0, 11, "\t\tif p.item(); !p.take(',') {"),
					line(worktree.LineAdded, 0, 12, "\t\t\tbreak // \x1b[31mno comma follows"),
					line(worktree.LineContext, 13, 13, "\t}"),
				},
			}},
		},
		{Path: "parse/list_test.go", Status: worktree.FileAdded, Added: 60, Hunks: []worktree.Hunk{{Header: "@@ -0,0 +1,60 @@", Lines: added}}, Cut: true},
		{Path: "docs/picture.png", Status: worktree.FileModified, OldMode: "100644", NewMode: "100755", Binary: true},
		{Path: "parse/word.go", Old: "parse/words.go", Status: worktree.FileRenamed},
	}}
	f.plan = []tui.FinishStep{
		{
			Title: "Commit what is left: 2 files on main", Commands: []string{"git commit --all --message 'Fix the parser'"},
			Dir: "/src/app", Token: "one", Notes: []string{"The repository's hooks run: pre-commit."},
		},
		{Title: "Merge fix-parser into main", Commands: []string{"git merge fix-parser"}, Dir: "/src/app", Token: "two"},
	}
	return f
}

func inReview(t *testing.T, f *fake, w, h int) *tuitest.Screen {
	t.Helper()
	s, _ := start(t, f, w, h)
	s.Press("ctrl+space", "g")
	f.took()
	return s
}

// What has changed without a line of it, such as a picture, has changed.
func TestFilesWithoutLinesAreCounted(t *testing.T) {
	f := world()
	f.tally = worktree.Tally{Branch: "main", Files: 2}
	s, _ := start(t, f, 120, 40)
	s.Want("· 2 files changed ·")
	s.WantNot("+0")
}

// What a person has merged meanwhile, in another window or in a shell of the
// thread, is not counted any more when they are back.
func TestChangesAreCountedAnewWhenThePersonWasElsewhere(t *testing.T) {
	f := world()
	f.tally = worktree.Tally{Branch: "main", Files: 2, Added: 7}
	s, _ := start(t, f, 200, 50)
	s.Want("· +7 −0 ·", "+7 −0 ")
	s.Send(tea.BlurMsg{})
	f.tally = worktree.Tally{Branch: "main"}
	s.Send(tea.FocusMsg{})
	s.WantNot("+7")

	p := withPanes(t, 120, 40)
	p.f.tally = worktree.Tally{Branch: "main", Files: 2, Added: 7}
	p.s.Send(tui.StoreChangedMsg{})
	p.open("|")
	p.s.Want("· +7 −0 ·")
	p.f.tally = worktree.Tally{Branch: "main"}
	p.s.Type("git merge")
	p.s.Press("enter")
	p.s.ClickOn("agent row 3")
	p.s.WantNot("+7")
}

func TestReviewShowsWhatHasChanged(t *testing.T) {
	s := inReview(t, changed(), 120, 40)
	s.Want("Review", "4 files", "+62 −2", "main, shared · +62 −2", "parse/list.go", "-        p.want(',')", "+        if p.item(); !p.take(',') {",
		"⟨U+001B⟩[31mno comma follows", "+row 1 of the new file")
	s.WantNot("a binary file")
	s.Press("n", "n")
	s.Want("a binary file", "mode 100644 to 100755", "renamed from parse/words.go")
	s.Press("esc")
	s.WantNot("a binary file")
}

// besides says that the two sides of a change are beside each other.
func besides(s *tuitest.Screen) bool {
	return slices.ContainsFunc(s.Lines(), func(l string) bool {
		return strings.Contains(l, "p.want(',')") && strings.Contains(l, "break //")
	})
}

func TestReviewIsSideBySideWhereItIsWideAndAsItIsWanted(t *testing.T) {
	s := inReview(t, changed(), 200, 50)
	if !besides(s) {
		t.Errorf("the two sides are not beside each other:\n%s", s.Text())
	}
	s.Press("n", "s")
	if besides(s) {
		t.Errorf("the two sides are beside each other:\n%s", s.Text())
	}
	s.Want("▌▾ parse/list_test.go")
	s.Press("r")
	if besides(s) {
		t.Errorf("what was wanted is forgotten:\n%s", s.Text())
	}
	s = inReview(t, changed(), 120, 40)
	if s.Press("s"); !besides(s) {
		t.Errorf("the two sides are not beside each other:\n%s", s.Text())
	}
}

func TestReviewFoldsAFile(t *testing.T) {
	s := inReview(t, changed(), 120, 40)
	s.Press("j", "j", "space")
	s.Want("▸ parse/list.go", "+row 1 of")
	s.WantNot("p.want")
	s.ClickOn("▸ parse/list.go")
	s.Want("▾ parse/list.go", "p.want")
	s.ClickOn("docs/picture.png") // in the list of files
	s.Want("a binary file")
}

func TestCommentQuotesTheChosenLines(t *testing.T) {
	f := changed()
	s := inReview(t, f, 120, 40)
	s.Press("j", "j", "j", "v", "j", "j", "j", "c")
	s.Want("comment on lines 11 to 12 of parse/list.go")
	s.Type("why not peek?")
	s.Press("enter")
	want := []string{`comment t1 parse/list.go ["-\t\tp.item()" "-\t\tp.want(',')" "+\t\tif p.item(); !p.take(',') {" "+\t\t\tbreak // \x1b[31mno comma follows"] "why not peek?"`}
	if got := f.took(); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	s.Want("delivered: comment on lines 11 to 12 of parse/list.go")
	s.WantNot("why not peek?")
}

func TestCommentIsKeptUntilItIsDelivered(t *testing.T) {
	f := changed()
	s := inReview(t, f, 120, 40)
	f.fails["comment"] = &session.Error{Code: session.CodeFailed, Message: "the agent is not ready"}
	s.Press("j", "j", "c")
	s.Type("rename it")
	s.Press("enter")
	s.Want("! the agent is not ready", "! comment not sent: c")
	s.WantNot("rename it")
	s.Press("n", "j", "j", "c") // it is about the lines it was written for
	s.Want("comment on line 10 of parse/list.go", "rename it")
	delete(f.fails, "comment")
	s.Press("enter")
	s.Want("delivered: comment on line 10 of parse/list.go")
	s.WantNot("not sent")
	s.Press("c")
	s.Want("comment on line 1 of parse/list_test.go")
	s.WantNot("rename it")
}

func TestReviewGoesOnWhileACommentIsSent(t *testing.T) {
	f := changed()
	f.sends = make(chan struct{})
	s := inReview(t, f, 120, 40)
	s.Press("j", "j", "c")
	s.Type("why?")
	s.Held = true
	s.Press("enter", "n")
	s.Want("sending the comment…")
	s.Press("c")
	s.Want("the comment before is still being sent")
	close(f.sends)
	s.Wait()
	s.Want("delivered: comment on line 10 of parse/list.go")
}

func TestCommentOnLinesChosenWithTheMouse(t *testing.T) {
	f := changed()
	s := inReview(t, f, 200, 50)
	x, y, ok := s.Find("p.item()")
	if !ok {
		t.Fatal(s.Text())
	}
	s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: x, Y: y + 1, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: x, Y: y + 1, Button: tea.MouseLeft})
	s.Press("c")
	s.Type("no")
	s.Press("enter")
	// Both sides of both rows, in the order of the diff.
	want := []string{`comment t1 parse/list.go ["-\t\tp.item()" "-\t\tp.want(',')" "+\t\tif p.item(); !p.take(',') {" "+\t\t\tbreak // \x1b[31mno comma follows"] "no"`}
	if got := f.took(); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestFinishConfirmsEachStep(t *testing.T) {
	f := changed()
	s := inReview(t, f, 120, 40)
	s.Press("f", "y", "1")
	s.Want("Commit what is left: 2 files on main", "in /src/app", "$ git commit --all --message 'Fix the parser'",
		"The repository's hooks run: pre-commit.", "then: Merge fix-parser into main", "y do this step")
	if got := f.took(); !reflect.DeepEqual(got, []string{"plan t1 merge"}) {
		t.Errorf("asked for %q", got)
	}
	s.Press("y", "y", "y") // one yes is for one step
	s.Want("✓ Did: Commit what is left")
	if got := f.took(); !reflect.DeepEqual(got, []string{"step t1 merge one"}) {
		t.Errorf("did %q", got)
	}
	s.Press("enter")
	s.Want("▌ Merge fix-parser into main")
	s.ClickOn("y do this step")
	s.Press("enter")
	s.Want("✓ Did: Merge fix-parser into main", "Nothing is left to do.")
	if got := f.took(); !reflect.DeepEqual(got, []string{"plan t1 merge", "step t1 merge two", "plan t1 merge"}) {
		t.Errorf("did %q", got)
	}
	s.Press("esc")
	if got := f.took(); !reflect.DeepEqual(got, []string{"review t1"}) {
		t.Errorf("after that, did %q", got)
	}
	s.Want("4 files")
}

func TestAStepByHandIsOnlyCopied(t *testing.T) {
	f := changed()
	f.plan = []tui.FinishStep{{Title: "Open a pull request", Commands: []string{"gh pr create --head fix"}, Dir: "/src/app", ByHand: true, Token: "three"}}
	s := inReview(t, f, 120, 40)
	s.Press("f", "3", "y")
	s.Want("For you to run in /src/app", "this step is yours to do")
	if got := f.took(); !reflect.DeepEqual(got, []string{"plan t1 push"}) {
		t.Errorf("did %q", got)
	}
	s.Msgs = nil
	s.ClickOn("copy the command")
	if got := s.Copied(); !slices.Equal(got, []string{"gh pr create --head fix"}) {
		t.Errorf("copied %q", got)
	}
}

func TestFinishTellsWhatWentWrong(t *testing.T) {
	f := changed()
	s := inReview(t, f, 120, 40)
	f.fails["step"] = &session.Error{Code: session.CodeBlocked, Message: "pre-commit said no:\nline 3 is too long", Hint: "commit by hand"}
	s.Press("f")
	s.ClickOn("push the branch")
	s.Press("y")
	s.Want("✗ pre-commit said no:", "line 3 is too long", "commit by hand", "enter look again")
	f.took()
	s.Press("y") // nothing is done before it was looked at again
	if got := f.took(); len(got) != 0 {
		t.Errorf("did %q", got)
	}
	delete(f.fails, "step")
	s.Press("enter", "y")
	if got := f.took(); !reflect.DeepEqual(got, []string{"plan t1 push", "step t1 push one"}) {
		t.Errorf("did %q", got)
	}
}

func TestFinishTakesNoYesForWhatWasNotSeen(t *testing.T) {
	f := changed()
	for i := range 30 {
		f.plan[0].Notes = append(f.plan[0].Notes, fmt.Sprintf("Note %d.", i))
	}
	s := inReview(t, f, 80, 24)
	s.Press("f", "1", "y")
	s.Want("it has not been on the screen in full")
	s.Press("end") // no such key here
	s.Press("pgdown", "pgdown", "y")
	s.Want("✓ Did: Commit")
}

func TestReviewSaysWhyThereIsNone(t *testing.T) {
	f := changed()
	f.fails["review"] = &session.Error{Code: session.CodeFailed, Message: "this is no repository"}
	s := inReview(t, f, 120, 40)
	s.Want("! this is no repository")
	delete(f.fails, "review")
	f.diff = worktree.Diff{}
	s.Press("r")
	s.Want("nothing has changed")
	s.Press("j", "space", "c", "n", "G", "v", "q") // there is nothing to do
	s.WantNot("nothing has changed")

	// All of it is where it was to go.
	f.diff = worktree.Diff{Against: "ma\x1bin"}
	s = inReview(t, f, 120, 40)
	s.Want("no changes against ma⟨U+001B⟩in")
}
