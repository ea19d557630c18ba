package tui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/tuitest"
)

// TestGolden compares whole frames. To accept what is drawn now, run it with
// ASIDE_GOLDEN=write.
func TestGolden(t *testing.T) {
	for name, tt := range map[string]func(*testing.T, int, int) *tuitest.Screen{
		"first-run": func(t *testing.T, w, h int) *tuitest.Screen {
			f := world()
			f.threads, f.proposals = nil, nil
			s, _ := start(t, f, w, h)
			return s
		},
		"terminal-bar": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			if w >= 160 {
				s.Press("ctrl+space", "v")
			}
			s.Send(agentScreen(w, h-2, session.Modes{}), decision("d1"), decision("d2"))
			return s
		},
		"transcript": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			if w >= 160 {
				s.Press("ctrl+space", "v")
			}
			s.Press("ctrl+space", "v")
			return s
		},
		"split": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			if w < 160 {
				s.Press("ctrl+space", "v", "ctrl+space", "v")
			}
			s.Send(agentScreen(w, h-2, session.Modes{}), decision("d1"))
			return s
		},
		"start-form": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Press("ctrl+space", "o", "c", "tab", "right")
			return s
		},
		"action-card": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Send(agentScreen(w, h-2, session.Modes{}), decision("d1"),
				proposed("c1", runs("Run the failing test alone", "go test ./settings -run TestLoad"), watches()))
			s.Press("ctrl+space", "e", "down")
			return s
		},
		"question": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Send(agentScreen(w, h-2, session.Modes{}), question("q1"))
			s.Press("ctrl+space", "4", "1")
			return s
		},
		"offers": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Press("ctrl+space", "o")
			return s
		},
		"review": func(t *testing.T, w, h int) *tuitest.Screen {
			s := inReview(t, changed(), w, h)
			s.Press("j", "j", "j", "v", "j", "c")
			s.Type("Say why.")
			return s
		},
		"finish": func(t *testing.T, w, h int) *tuitest.Screen {
			s := inReview(t, changed(), w, h)
			s.Press("f", "1")
			return s
		},
		"palette": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Press("ctrl+space", "p")
			s.Type("thread")
			s.Press("down")
			return s
		},
		"search": func(t *testing.T, w, h int) *tuitest.Screen {
			f := world()
			f.entries["t3"] = []record.Entry{{ID: 20, Thread: "t3", Kind: record.KindAssistant, Text: "The parser keeps its own store."}}
			s, _ := start(t, f, w, h)
			s.Press("ctrl+space", "/")
			s.Type("parser")
			s.Press("down")
			return s
		},
		"help": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Press("ctrl+space", "?")
			return s
		},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}} {
			file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]))
			t.Run(filepath.Base(file), func(t *testing.T) {
				golden(t, file, tt(t, size[0], size[1]).Text())
			})
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("ASIDE_GOLDEN") == "write" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs, got:\n%s", file, got)
	}
}
