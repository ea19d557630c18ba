package tui_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/paint"
)

func TestEarlierPromptsComeBackInTheComposer(t *testing.T) {
	f := world()
	f.entries["t2"] = []transcript.Entry{
		{ID: 20, Thread: "t2", Kind: transcript.KindPrompt, Text: "the first one\twith a tab"},
		{ID: 21, Thread: "t2", Kind: transcript.KindPrompt, Text: "the second\nof two rows"},
		{ID: 22, Thread: "t2", Kind: transcript.KindPrompt, Origin: session.OriginAgent, Text: "a task has ended"},
	}
	f.threads[1].Live = false
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "k", "ctrl+space", "c")
	s.Type("mine")
	s.Press("up")
	s.Want("› of two rows")
	s.Press("up", "up")
	s.Want("› the first one")
	s.Press("up", "down", "up", "up", "down", "down")
	s.Want("› mine")
	s.Press("up", "enter")
	if got := f.took(); got[len(got)-1] != `send t2 "the second\nof two rows"` {
		t.Errorf("calls = %q", got)
	}
}

func TestEarlierPromptsAreReadWhenTheyAreWanted(t *testing.T) {
	f := world()
	es := []transcript.Entry{{ID: 100, Thread: "t2", Kind: transcript.KindPrompt, Text: "long ago"}}
	for i := range 300 {
		es = append(es, transcript.Entry{ID: int64(101 + i), Thread: "t2", Kind: transcript.KindAssistant, Text: fmt.Sprint("remark ", i)})
	}
	f.entries["t2"] = es
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "k", "ctrl+space", "c", "up")
	s.Want("› long ago")
}

func TestEditorIsOpenedOnWhatIsWritten(t *testing.T) {
	for name, tt := range map[string]struct{ script, want string }{
		"written": {`printf ' %s' "$1" >> "$2"`, `draft t1 "mine more"`},
		"failed":  {`printf lost > "$2"; exit 3`, `draft t1 "mine"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			script := filepath.Join(t.TempDir(), "editor")
			if err := os.WriteFile(script, []byte("#!/bin/sh\n: > "+script+".ran\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = r.Close(), w.Close() }()
			f := world()
			screen := paint.Open(r, io.Discard, []string{"TERM=xterm-256color"})
			m := tui.New(tui.Options{Backend: f, Context: t.Context(), Thread: "t1", Editor: script + " more", Exec: screen.Exec})
			p, err := screen.Program(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := p.Run()
				done <- errors.Join(err, screen.Close())
			}()
			await(t, "the thread is shown", func() bool {
				return slices.ContainsFunc(calls(f), func(c string) bool { return strings.HasPrefix(c, "view t1") })
			})
			if _, err := io.WriteString(w, "\x00cmine\a"); err != nil {
				t.Fatal(err)
			}
			files := func(pattern string) int {
				there, _ := filepath.Glob(pattern)
				return len(there)
			}
			await(t, "the editor was opened, and its file is gone", func() bool {
				return files(script+".ran") > 0 && files(filepath.Join(os.Getenv("TMPDIR"), "aside-*")) == 0
			})
			// Leaving the composer keeps what is in it.
			if _, err := io.WriteString(w, "\x00t"); err != nil {
				t.Fatal(err)
			}
			await(t, tt.want, func() bool { return slices.Contains(calls(f), tt.want) })
			p.Quit()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

func calls(f *fake) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

func TestWithoutAnEditorItIsSaid(t *testing.T) {
	s, _ := start(t, world(), 120, 40)
	s.Press("ctrl+space", "c", "ctrl+g")
	s.Want("no editor is set", "$EDITOR")
}

// await looks again and again for what a program of its own does.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	late := time.After(time.Minute)
	for !is() {
		select {
		case <-look.C:
		case <-late:
			t.Fatal("never: " + what)
		}
	}
}
