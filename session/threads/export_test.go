package threads_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aside/session"
	"aside/session/config"
	"aside/session/threads"
	"aside/session/transcript"
	"aside/storage"
)

// told is a service on a store with one thread of n entries.
func told(t *testing.T, n int) (*threads.Service, *storage.DB, config.Paths) {
	t.Helper()
	base := t.TempDir()
	store, err := storage.Open(filepath.Join(base, "aside.db"), nil)
	ok(t, err)
	t.Cleanup(func() { ok(t, store.Close()) })
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ok(t, store.AddThread(t.Context(), session.Thread{ID: "abcdefghij", Title: "Fix the ../parser!", Agent: "demo", Project: "/p", State: session.StateIdle, CreatedAt: now}))
	var all []transcript.Entry
	for i := range n {
		all = append(all, transcript.Entry{At: now.Add(time.Duration(i) * time.Second), Kind: transcript.KindAssistant, Text: fmt.Sprint("Word ", i)})
	}
	ok(t, store.Append(t.Context(), "abcdefghij", all...))
	paths := config.Paths{Data: filepath.Join(base, "data")}
	s, err := threads.New(threads.Options{Store: store, Paths: paths, Now: func() time.Time { return now }})
	ok(t, err)
	return s, store, paths
}

// written exports the thread and returns the file's path.
func written(t *testing.T, s *threads.Service) string {
	t.Helper()
	e, err := s.Export(t.Context(), "abcdefghij")
	ok(t, err)
	for done := false; !done; {
		done, err = e.Step(t.Context())
		ok(t, err)
	}
	if n, all := e.Written(); n != all {
		t.Errorf("%d of %d are written", n, all)
	}
	return e.Path()
}

func TestATranscriptIsExportedWholeToANewFile(t *testing.T) {
	s, store, paths := told(t, 2500)
	all, err := store.Entries(t.Context(), "abcdefghij", 0, 0)
	ok(t, err)
	want := transcript.Markdown("Fix the ../parser!", all)
	for _, name := range []string{"fix-the-parser-2026-03-01.md", "fix-the-parser-2026-03-01-2.md", "fix-the-parser-2026-03-01-3.md"} {
		path := written(t, s)
		if path != filepath.Join(paths.Exports(), name) {
			t.Errorf("path = %s, want %s", path, name)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s has %d bytes, want %d; %v", name, len(got), len(want), err)
		}
		info, err := os.Stat(path)
		ok(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", name, info.Mode())
		}
	}
}

func TestAnExportThatIsGivenUpLeavesNoFile(t *testing.T) {
	s, store, paths := told(t, 2500)
	none := func(when string) {
		t.Helper()
		if left, err := os.ReadDir(paths.Exports()); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", when, left, err)
		}
	}
	e, err := s.Export(t.Context(), "abcdefghij")
	ok(t, err)
	if done, err := e.Step(t.Context()); done || err != nil {
		t.Fatal(done, err)
	}
	if half, err := filepath.Glob(filepath.Join(paths.Exports(), "*.md")); err != nil || len(half) > 0 {
		t.Errorf("half of it is in %v, %v", half, err)
	}
	ok(t, e.Abandon())
	none("abandoned")
	e, err = s.Export(t.Context(), "abcdefghij")
	ok(t, err)
	ok(t, store.Close())
	if _, err = e.Step(t.Context()); err == nil {
		t.Error("a store that is closed was read")
	}
	none("failed")
}
