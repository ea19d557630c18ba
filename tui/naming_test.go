package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

// named is a project with files, and the composer open.
func named(t *testing.T, w, h int) (*fake, *tuitest.Screen, *clock) {
	t.Helper()
	f := world()
	f.files = []string{"src/grammar.go", "docs/my notes.md", "src/grammar_test.go", "evil\x1b[2J.go"}
	s, c := start(t, f, w, h)
	s.Press("ctrl+space", "c")
	return f, s, c
}

func TestAFileIsNamedWithAnAt(t *testing.T) {
	f, s, _ := named(t, 120, 40)
	s.Type("look at @")
	s.Want("files", "src/grammar.go", "docs/my notes.md", "src/grammar_test.go")
	s.WantNot("evil") // its name cannot be written as it is
	s.Type("gra")
	s.WantNot("docs/my notes.md")
	s.Press("down", "up", "down", "enter")
	s.WantNot("files  tab")
	s.Type("and @no")
	s.Press("tab")
	s.Press("enter")
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `send t1 "look at @src/grammar_test.go and @\"docs/my notes.md\""`) {
		t.Errorf("calls are\n%s", got)
	}
}

func TestEscLeavesWhatIsWritten(t *testing.T) {
	f, s, _ := named(t, 120, 40)
	s.Type("mail ada@example.org @gr")
	s.Want("src/grammar.go")
	s.Press("esc")
	s.WantNot("src/grammar.go")
	s.Type("a")
	s.WantNot("src/grammar.go") // it stays away for this name
	s.Press("enter")
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `send t1 "mail ada@example.org @gra"`) {
		t.Errorf("calls are\n%s", got)
	}
	s.Type("@")
	s.Want("src/grammar.go")
	s.Type("zzz")
	s.WantNot("src/grammar.go")
	s.Press("enter")
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `send t1 "@zzz"`) {
		t.Errorf("with nothing to choose from, enter does not send:\n%s", got)
	}
}

// A list that is not seen takes no key.
func TestWithoutRoomThereIsNoList(t *testing.T) {
	f, s, _ := named(t, 80, 5)
	s.Type("@")
	s.WantNot("grammar")
	s.Press("enter")
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `send t1 "@"`) {
		t.Errorf("calls are\n%s", got)
	}
}

func TestAFileIsNamedByAClick(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		f, s, _ := named(t, size[0], size[1])
		s.Type("@")
		s.ClickOn("docs/my notes.md")
		s.Press("enter")
		if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `send t1 "@\"docs/my notes.md\""`) {
			t.Errorf("%v: calls are\n%s", size, got)
		}
	}
}

func TestFilesAreThoseOfWhatIsWrittenAbout(t *testing.T) {
	f, s, _ := named(t, 120, 40)
	s.Press("ctrl+space", "n")
	s.Type("read @gr")
	s.Want("src/grammar_test.go", "tab name it")
	s.WantNot("enter start", "tab next agent")
	s.Press("enter")
	s.Want("read @src/grammar.go", "enter start")
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `files "" "gr"`) {
		t.Errorf("calls are\n%s", got)
	}

	f = changed()
	f.files = []string{"src/grammar.go"}
	s, _ = start(t, f, 120, 40)
	s.Press("ctrl+space", "g", "c")
	s.Type("as in @gr")
	s.Press("tab")
	s.Want("as in @src/grammar.go")
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `files "t1" "gr"`) {
		t.Errorf("calls are\n%s", got)
	}

	f, s, _ = named(t, 120, 40)
	s.Press("tab", "e", "tab") // the prompt of the offer
	s.Type(" @docs")
	s.Press("enter")
	s.Want(`@"docs/my notes.md"`)
	if got := strings.Join(f.took(), "\n"); !strings.Contains(got, `files "t1" "docs"`) || strings.Contains(got, "start") {
		t.Errorf("calls are\n%s", got)
	}
}

// A look at many files never holds what is typed, is told of, and can be
// stopped.
func TestALookAtTheFilesBlocksNothing(t *testing.T) {
	f, s, c := named(t, 120, 40)
	held := make(chan struct{})
	f.finds = func(ctx context.Context) error {
		select {
		case <-held:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.Held = true
	s.Type("@g")
	s.Type("r")
	s.Want("@gr")
	s.WantNot("reading the files")
	c.now = c.now.Add(time.Second)
	s.Send(tea.FocusMsg{})
	s.Want("reading the files")
	s.Press("esc")
	s.WantNot("reading the files")
	s.Want("@gr")
	s.Wait()
	s.WantNot("src/grammar.go")

	close(held)
	s.Type(" @t")
	s.Want("src/grammar_test.go")
}
