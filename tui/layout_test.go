package tui_test

import (
	"slices"
	"testing"

	"aside/session"
)

// Where both views and the list of threads do not fit side by side, the list
// gives way for as long as both views are shown, and comes back with one of
// them; it is not remembered as hidden.
func TestTheListGivesWayToBothViews(t *testing.T) {
	for _, w := range []int{100, 120} {
		f := world()
		s, _ := start(t, f, w, 40)
		s.Send(agentScreen(w-25, 38, session.Modes{}))
		const list, terminal, both = " threads ", "agent row", "› Write to the agent"
		shows := func(when string, want ...string) {
			t.Helper()
			for _, text := range []string{list, terminal, both} {
				if has := s.Has(text); has != slices.Contains(want, text) {
					t.Errorf("in %d columns, %s: %q is seen: %v\n%s", w, when, text, has, s.Text())
				}
			}
		}
		shows("at first", list, terminal)
		s.Press("ctrl+space", "v")
		shows("the transcript", list, both)
		s.Press("ctrl+space", "v")
		shows("both", terminal, both)
		if f.left.ListHidden || f.left.Views["t1"] != "split" {
			t.Errorf("remembered is %+v", f.left)
		}
		next, _ := start(t, f, w, 40)
		if next.Has(list) {
			t.Errorf("the next screen shows\n%s", next.Text())
		}
		s.Press("ctrl+space", "t")
		shows("in the list", list, terminal)
		s.Press("esc")
		shows("back from the list", terminal, both)
		s.Press("ctrl+space", "b")
		shows("the list is wanted", list, terminal)
		s.Press("esc", "ctrl+space", "v")
		shows("one view again", list, terminal)
		if f.left.ListHidden || f.left.Views["t1"] != "terminal" {
			t.Errorf("remembered is %+v", f.left)
		}
	}
}
