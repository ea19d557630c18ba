package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/config"
	"aside/session/threads"
	"aside/session/transcript"
	"aside/storage"
	"aside/tui"
	"aside/tui/tuitest"
	"aside/worktree/git"

	tea "charm.land/bubbletea/v2"
)

// longEntries is how many entries the long thread of the benchmarks has.
const longEntries = 100_000

// longTalk is the screen's backend on a store of its own with a short thread and
// a long one.
func longTalk(b *testing.B) backend {
	b.Helper()
	dir := b.TempDir()
	store, err := storage.Open(filepath.Join(dir, "aside.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	began := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, id := range []session.ThreadID{"longthread", "shortthread"} {
		t := session.Thread{ID: id, Title: string(id), Agent: "demo", Project: "/p", State: session.StateIdle, CreatedAt: began.Add(time.Duration(i) * time.Minute)}
		if err := store.AddThread(b.Context(), t); err != nil {
			b.Fatal(err)
		}
	}
	var part []transcript.Entry
	for i := range longEntries {
		part = append(part, talkEntry(i, began.Add(time.Duration(i)*time.Second)))
		if len(part) == 1000 {
			if err := store.Append(b.Context(), "longthread", part...); err != nil {
				b.Fatal(err)
			}
			part = nil
		}
	}
	s, err := threads.New(threads.Options{Paths: config.Paths{Data: dir, Runtime: dir}, Store: store, Git: git.New(dir, dir), Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	return backend{Service: s, Follower: s.Follow(b.Context(), "/p", nil), project: "/p", kinds: kinds()}
}

// talkEntry is what a long piece of work is made of: prompts, answers in
// Markdown, and the use of tools.
func talkEntry(i int, at time.Time) transcript.Entry {
	e := transcript.Entry{At: at, Key: fmt.Sprint(i), Turn: session.TurnID(fmt.Sprint("turn", i/40))}
	switch {
	case i%40 == 0:
		e.Kind, e.Text = transcript.KindPrompt, fmt.Sprintf("Prompt %d: make the loader say which line is wrong, and test it.", i)
	case i%4 == 1:
		e.Kind = transcript.KindAssistant
		e.Text = fmt.Sprintf("Answer %d. The **loader** swallows `malformed` YAML:\n\n- it falls back to the defaults\n- nothing tests it\n\n```go\nif err != nil {\n\treturn fmt.Errorf(\"load %%s: %%w\", path, err)\n}\n```\n", i) +
			strings.Repeat("Some more words of prose follow. ", 8)
	default:
		e.Kind, e.Tool, e.CallID, e.Input = transcript.KindTool, "Bash", fmt.Sprint("call", i), fmt.Sprintf("go test ./settings -run TestLoad%d", i)
		e.Output = strings.Repeat("ok  \taside/settings\t0.012s\n", 10)
	}
	return e
}

func longScreen(b *testing.B, back backend, thread session.ThreadID) *tuitest.Screen {
	b.Helper()
	still := func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil } // nothing here waits for a clock
	return tuitest.New(b, tui.New(tui.Options{Backend: back, Context: b.Context(), Thread: thread, Tick: still}), 200, 60)
}

// inUse is the memory in use, in MB.
func inUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc+m.StackInuse) / 1e6
}

// BenchmarkLongTranscript opens a thread of 100,000 entries from the key to the
// frame, pages through it at 200x60, follows it, and tells what of it is in
// memory when all of its pages have been read.
func BenchmarkLongTranscript(b *testing.B) {
	back := longTalk(b)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := longScreen(b, back, "shortthread")
			s.Held = true
			b.StartTimer()
			s.Press("ctrl+space", "j")
			s.Until("Answer 99997")
			b.StopTimer()
			s.Wait() // what is written down meanwhile
			b.StartTimer()
		}
	})
	for _, tools := range []string{"folded", "open"} {
		b.Run("page/"+tools, func(b *testing.B) { pageThrough(b, back, tools == "open") })
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			s := longScreen(b, back, "shortthread")
			idle := inUse()
			s.Press("ctrl+space", "j", "ctrl+space", "h", "z")
			for i := 0; i < longEntries && !s.Has("Prompt 0:"); i++ {
				for range 50 {
					s.Press("pgup")
				}
				s.Msgs = nil // they hold every page
			}
			b.ReportMetric(inUse()-idle, "MB-more")
			runtime.KeepAlive(s)
		}
	})
	b.Run("jump", func(b *testing.B) {
		s := longScreen(b, back, "longthread")
		s.Press("ctrl+space", "h")
		for i := 0; b.Loop(); i++ {
			s.Press([]string{"g", "G"}[i%2])
		}
	})
	b.Run("nothing-found", func(b *testing.B) {
		s := longScreen(b, back, "longthread")
		s.Press("ctrl+space", "h")
		for b.Loop() {
			s.Press("!")
		}
	})
}

func pageThrough(b *testing.B, back backend, open bool) {
	b.Helper()
	s := longScreen(b, back, "longthread")
	s.Press("ctrl+space", "h")
	if open {
		s.Press("z")
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		key := "pgup"
		if i/2000%2 == 1 {
			key = "pgdown"
		}
		s.Press(key)
	}
}
