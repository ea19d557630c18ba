package offers

import (
	"path/filepath"
	"slices"
	"testing"

	"aside/session"
	"aside/session/client"
	"aside/session/threads"
)

// What a card says of the checkout it would get is true.
func TestACardTellsItsBasesAndWhatTheyLeaveOut(t *testing.T) {
	w := newWorld(t, nil).offering()
	t.Setenv("ASIDE_HOME", w.home)
	s, done, err := service(client.Program{}, nil)
	must(t, err)
	t.Cleanup(func() { must(t, done()) })
	id := w.offer("Do it apart", "Work.")
	check := func(text string, want ...threads.Base) {
		t.Helper()
		got, err := s.Bases(t.Context(), id)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("the bases are %+v, %v\nwant %+v", got, err, want)
		}
		out, err := s.Outlook(t.Context(), id)
		if err != nil || out.Text != text || out.Blocked != (want == nil) {
			t.Errorf("the chip is %+v, %v, want %q", out, err, text)
		}
	}
	check("own checkout from main", threads.Base{Name: "main"})

	w.git(w.project, "switch", "--quiet", "--create", "feature")
	w.commit(w.project, "One")
	w.commit(w.project, "Two")
	byDefault := threads.Base{Ref: threads.BaseDefault, Name: "main", LeftOut: "2 commits", Commits: 2}
	check("own checkout from feature", threads.Base{Name: "feature"}, byDefault)

	w.write(filepath.Join(w.project, "README.md"), "# changed\n")
	byDefault.LeftOut, byDefault.Uncommitted = "2 commits and 1 uncommitted file", 1
	check("own checkout from feature · 1 uncommitted file left out",
		threads.Base{Name: "feature", LeftOut: "1 uncommitted file", Uncommitted: 1}, byDefault)

	w.git(w.project, "switch", "--quiet", "--detach")
	check("A separate checkout is not possible here: HEAD is detached. Switch to a branch with git switch, or start it in the shared checkout")

	if _, err := s.Bases(t.Context(), "none"); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("of no offer: %v", err)
	}
}
