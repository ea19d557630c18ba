package threads_test

import (
	"os"
	"strings"
	"testing"

	"aside/session"
)

func TestRemovalTellsWhatWouldGoAndWhatWouldStay(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(*shop)
		keeps   bool
		says    []string
	}{
		"clean": {
			prepare: func(*shop) {},
			says:    []string{"and its branch aside/fix-it-abcdefghij.", "Nothing there is uncommitted, untracked or unmerged."},
		},
		"work, and an agent living there": {
			prepare: func(s *shop) {
				s.write(s.path, "pkg/main.go", "package other\n")
				s.write(s.path, "new.go", "package shop\n")
				ok(s, s.store.SetLive(s.Context(), s.thread.ID, true))
			},
			keeps: true,
			says:  []string{"Its agent is stopped, and what runs", "on branch aside/fix-it-abcdefghij is kept", "1 uncommitted", "1 untracked"},
		},
		"commits that are nowhere else": {
			prepare: func(s *shop) {
				s.write(s.path, "new.go", "package shop\n")
				s.git(s.path, "add", "--all")
				s.git(s.path, "commit", "--quiet", "-m", "second")
			},
			keeps: true,
			says:  []string{"is kept", "1 unmerged commit"},
		},
		"ignored files": {
			prepare: func(s *shop) {
				s.write(s.path, ".gitignore", "/out\n/.gitignore\n")
				s.write(s.path, "out", "x")
			},
			says: []string{"goes, and its branch", "Ignored files go with it: .gitignore, out."},
		},
		"offers": {
			prepare: func(s *shop) {
				for _, call := range []string{"a", "b"} {
					_, _, err := s.store.Offer(s.Context(), session.Proposal{ID: session.ProposalID("offer-" + call), Thread: s.thread.ID, CallID: call, Title: call, Summary: call, Prompt: call, OfferedAt: s.now}, call, 20)
					ok(s, err)
				}
			},
			says: []string{"2 offers that still stand go with them."},
		},
		"gone already": {
			prepare: func(s *shop) { s.git(s.project, "worktree", "remove", "--force", s.path) },
			says:    []string{"Its worktree is gone already."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			tt.prepare(s)
			lines, keeps, err := s.service.Removal(t.Context(), s.thread.ID)
			ok(t, err)
			said := strings.Join(lines, "\n")
			for _, want := range append(tt.says, "The thread “Fix it” and its transcript go.") {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q:\n%s", want, said)
				}
			}
			if keeps != tt.keeps {
				t.Errorf("the worktree is kept: %v, want %v", keeps, tt.keeps)
			}
		})
	}
}

func TestChangesOfAVanishedCheckoutAreNotCounted(t *testing.T) {
	s := newShop(t)
	ok(t, os.RemoveAll(s.path))
	if _, err := s.service.ChangesOf(t.Context(), s.thread.ID); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %v", err)
	}
}
