package tui_test

import (
	"strings"
	"testing"

	"aside/tui/tuitest"
)

// Whatever a key is named for in place of the body can be clicked there.
func TestHintsAreClicked(t *testing.T) {
	opened := func(keys ...string) func(t *testing.T) *tuitest.Screen {
		return func(t *testing.T) *tuitest.Screen {
			s, _ := start(t, world(), 120, 40)
			s.Press(keys...)
			return s
		}
	}
	review := func(t *testing.T) *tuitest.Screen { return inReview(t, changed(), 120, 40) }
	for name, c := range map[string]struct {
		s     func(t *testing.T) *tuitest.Screen
		click []string
		want  string
		gone  string
	}{
		"the help is closed":         {opened("ctrl+space", "?"), []string{"esc close"}, "starting…", "After ctrl+space"},
		"the help scrolls":           {opened("ctrl+space", "?"), []string{"↑↓ more"}, "of 39", "go to the list of threads"},
		"the help does what it says": {opened("ctrl+space", "?"), []string{"start a new thread"}, "What should the agent do?", "After ctrl+space"},
		"offers are filtered":        {opened("ctrl+space", "o"), []string{"/ filter"}, "filter:", "bring back"},
		"offers are left":            {opened("ctrl+space", "o"), []string{"esc back"}, "", "1 standing"},
		"the next agent":             {opened("ctrl+space", "n"), []string{"tab next agent"}, "[Codex]", ""},
		"an agent":                   {opened("ctrl+space", "n"), []string{"agent:"}, "[Codex]", ""},
		"no new thread":              {opened("ctrl+space", "n"), []string{"esc leave"}, "", "New thread"},
		"the palette is left":        {opened("ctrl+space", "p"), []string{"esc leave"}, "", "What is to be done?"},
		"the palette's command":      {opened("ctrl+space", "p"), []string{"enter do it"}, "", "What is to be done?"},
		"the search is left":         {opened("ctrl+space", "/"), []string{"esc leave"}, "", "Words in any thread"},
		"the start's next row":       {opened("ctrl+space", "o", "e"), []string{"tab next"}, "› prompt", ""},
		"the start is left":          {opened("ctrl+space", "o", "e"), []string{"esc leave"}, "standing", "Before it starts"},
		"a thread is finished":       {review, []string{"f finish"}, "Finish “", ""},
		"back from finishing":        {review, []string{"f finish", "esc back"}, "Review", "Finish “"},
		"the steps":                  {review, []string{"f finish", "enter show the steps"}, "Commit what is left", ""},
		"the keys of the review":     {review, []string{"? keys"}, "In the review", ""},
		"a comment is left":          {review, []string{"c comment", "esc leave"}, "Review", "comment on"},
		"the review is left":         {review, []string{"esc back"}, "", "Review"},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.s(t)
			for _, text := range c.click {
				s.ClickOn(text)
			}
			if c.want != "" {
				s.Want(c.want)
			}
			if c.gone != "" {
				s.WantNot(c.gone)
			}
		})
	}
}

func TestAThreadIsStartedAndACommentSentByClicks(t *testing.T) {
	f := changed()
	s := inReview(t, f, 80, 24)
	s.Press("down", "down", "c")
	s.Type("why")
	s.ClickOn("enter send")
	if got := did(f, "comment"); len(got) != 1 {
		t.Errorf("comments = %q", got)
	}
	s.Press("esc", "ctrl+space", "n")
	s.Type("Do it")
	s.ClickOn("enter start")
	if got := did(f, "new"); len(got) != 1 {
		t.Errorf("threads = %q", got)
	}
}

// A line of the help does what its key does, wherever the help was asked for.
func TestEveryLineOfTheHelpIsClicked(t *testing.T) {
	for _, scope := range []string{"m", "g"} {
		help := func() *tuitest.Screen {
			s, _ := start(t, changed(), 200, 50)
			s.Press("ctrl+space", scope, "ctrl+space", "?")
			s.Want("After ctrl+space")
			return s
		}
		for y, line := range help().Lines() {
			_, says, _ := strings.Cut(line, "│  ")
			if !strings.Contains(says, "  ") || strings.Contains(says, "keys") || strings.Contains(says, "…") {
				continue // no key, one that shows the same, or one of several
			}
			s := help()
			s.Click(60, y)
			if s.Has("After ctrl+space") {
				t.Errorf("after %q a click on %q does nothing", scope, says)
			}
		}
	}
}
