package tui_test

import (
	"strings"
	"testing"

	"aside/tui"
)

// What a program tells is told from what the screen says.
func TestANoticeOfAThreadSaysWhose(t *testing.T) {
	s, _ := start(t, world(), 100, 24)
	s.Send(tui.NoticeMsg{Thread: "t2", Text: "Claude needs your permission"})
	s.Want("Cover loader: Claude needs your permission")
	s.Send(tui.NoticeMsg{Thread: "t1", Text: "answered, once"})
	s.Want("Fix the parser: answered, once")
}

// In a narrow window the title is what tells a thread from the others.
func TestTheTitleIsSeenInANarrowWindow(t *testing.T) {
	f := world()
	f.threads[0].Title = "Make the loader report bad input"
	for _, w := range []int{40, 60, 80, 120} {
		s, _ := start(t, f, w, 15)
		if !strings.Contains(s.Lines()[0], " Make th") {
			t.Errorf("with %d columns:\n%s", w, s.Text())
		}
	}
}
