package threads

import (
	"testing"

	"aside/session"
)

func TestAThreadThatRunsIsNotArchived(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	s.lock("aaa")
	s.serve("aaa", status())
	if err := s.Archive(s.ctx(), "aaa", true); session.CodeOf(err) != session.CodeSettled {
		t.Errorf("a running thread was archived: %v", err)
	}
	s.live("bbb") // the store says so, but its helper was killed
	if err := s.Archive(s.ctx(), "bbb", true); err != nil {
		t.Fatal(err)
	}
	for _, archived := range []bool{true, false} {
		if err := s.Archive(s.ctx(), "bbb", archived); err != nil {
			t.Fatal(err)
		}
		listed, err := s.List(s.ctx(), "", false)
		if want := map[bool]int{true: 1, false: 2}[archived]; err != nil || len(listed) != want {
			t.Errorf("archived %v: %d threads are listed, %v; want %d", archived, len(listed), err, want)
		}
	}
	if err := s.Archive(s.ctx(), "zzz", true); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("got %v", err)
	}
}
