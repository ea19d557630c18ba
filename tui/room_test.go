package tui_test

import (
	"strings"
	"testing"

	"aside/session"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

// However much is written, the row with the cursor is seen, and what the keys
// do is not pushed off the screen.
func TestTheRowThatIsWrittenInIsSeen(t *testing.T) {
	press := func(f *fake, cols, rows int, keys ...string) *tuitest.Screen {
		s, _ := start(t, f, cols, rows)
		s.Press(keys...)
		return s
	}
	empty := world()
	empty.threads, empty.proposals = nil, nil
	review := inReview(t, changed(), 80, 14)
	review.Press("down", "down", "c")
	for name, c := range map[string]struct {
		s    *tuitest.Screen
		also string
	}{
		"composer":                 {press(world(), 80, 24, "ctrl+space", "c"), "────"},
		"composer in a low window": {press(world(), 80, 10, "ctrl+space", "c"), "────"},
		"first thread":             {press(empty, 80, 24), "enter start"},
		"comment in a low window":  {review, "enter send"},
	} {
		t.Run(name, func(t *testing.T) {
			for range 12 {
				c.s.Type("row")
				c.s.Press("ctrl+j")
			}
			c.s.Type("the last one")
			at := c.s.View().Cursor
			if at == nil {
				t.Fatalf("there is no cursor:\n%s", c.s.Text())
			}
			if row := c.s.Lines()[at.Y]; !strings.Contains(row, "› the last one") {
				t.Errorf("the cursor is in the row %q of\n%s", row, c.s.Text())
			}
			c.s.Want(c.also)
		})
	}
}

func TestALongSentenceIsReadToItsEnd(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	f.fails["threads"] = &session.Error{
		Code: session.CodeFailed, Message: "the store in /home/ada/.local/state/aside/aside.db is locked by another program",
		Hint: "close it, or say aside doctor",
	}
	s.Send(tui.StoreChangedMsg{})
	s.Want("! the store in", "say aside doctor")
	s.Press("ctrl+space")
	s.WantNot("! the store in", "say aside doctor")
	s.Press("esc")
	s.Send(tea.WindowSizeMsg{Width: 60, Height: 4}, tui.StoreChangedMsg{})
	s.Want("! the store in")
}

// What is under the bar does not look like a part of it.
func TestTheTranscriptStandsApartFromTheBar(t *testing.T) {
	s, _ := start(t, world(), 80, 24)
	s.Press("ctrl+space", "h")
	s.Send(decision("d1"))
	_, bar, _ := s.Find("t terminal")
	if _, below, _ := strings.Cut(s.Lines()[bar+1], "│"); strings.TrimSpace(below) != "" {
		t.Errorf("under the bar is %q:\n%s", below, s.Text())
	}
}
