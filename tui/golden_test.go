package tui_test

import (
	"fmt"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// scenes are the screens that people see most, at any size.
func scenes() map[string]func(*testing.T, int, int) *tuitest.Screen {
	all := terminalScenes()
	maps.Copy(all, map[string]func(*testing.T, int, int) *tuitest.Screen{
		"first-run": func(t *testing.T, w, h int) *tuitest.Screen {
			f := world()
			f.threads, f.proposals = nil, nil
			s, _ := start(t, f, w, h)
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
		"talk":       talked(),
		"talk-tools": talked("g", "z"),
		"start-form": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Press("ctrl+space", "o", "c", "tab", "right")
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
		"finish-ways": func(t *testing.T, w, h int) *tuitest.Screen {
			f := changed()
			f.choices = tui.FinishChoices{Message: "Fix the parser", Branches: []string{"main", "next"}}
			s := inReview(t, f, w, h)
			s.Press("f", "shift+tab", "down")
			return s
		},
		"finish": func(t *testing.T, w, h int) *tuitest.Screen {
			s := inReview(t, changed(), w, h)
			s.Press("f", "1")
			return s
		},
		"naming": func(t *testing.T, w, h int) *tuitest.Screen {
			_, s, _ := named(t, w, h)
			s.Type("Look at @gr")
			s.Press("down")
			return s
		},
		"threads": func(t *testing.T, w, h int) *tuitest.Screen {
			f := several()
			s, _ := start(t, f, w, h)
			s.Press("ctrl+space", "t", "j")
			return s
		},
		"threads-archived": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, several(), w, h)
			s.Press("ctrl+space", "t", ".", "G", "k", "k")
			return s
		},
		"threads-filtered": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, several(), w, h)
			s.Press("ctrl+space", "t", "/")
			s.Type("pars")
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
	})
	return all
}

// terminalScenes are those with a terminal in sight.
func terminalScenes() map[string]func(*testing.T, int, int) *tuitest.Screen {
	return map[string]func(*testing.T, int, int) *tuitest.Screen{
		"panes-tabs": func(t *testing.T, w, h int) *tuitest.Screen {
			p := withPanes(t, w, h)
			p.open("w", "t")
			p.open("w", "t")
			p.change("shell1", func(i *session.PaneInfo) { i.Ended, i.Exit = true, 2 })
			p.s.Press("ctrl+space", "w", "2")
			return p.s
		},
		"panes-right": func(t *testing.T, w, h int) *tuitest.Screen {
			p := withPanes(t, w, h)
			p.open("|")
			p.open("-")
			p.change("shell1", func(i *session.PaneInfo) { i.Ended, i.Exit = true, 2 })
			return p.s
		},
		"panes-down": func(t *testing.T, w, h int) *tuitest.Screen {
			p := withPanes(t, w, h)
			p.change(p.open("-"), func(i *session.PaneInfo) { i.Name = "Log" })
			d := decision("d1")
			d.Decision.Pane = "shell1"
			p.s.Send(d)
			return p.s
		},
		"panes-zoomed": func(t *testing.T, w, h int) *tuitest.Screen {
			p := withPanes(t, w, h)
			p.open("|")
			p.s.Press("ctrl+space", "z")
			return p.s
		},
		"panes-card": func(t *testing.T, w, h int) *tuitest.Screen {
			p := withPanes(t, w, h)
			p.change(p.open("|"), func(i *session.PaneInfo) { i.Name = "Log" })
			card := proposed("c1", runs("Run the failing test alone", "go test ./settings -run TestLoad"), watches())
			card.Card.Target = "shell1"
			p.s.Send(card)
			return p.s
		},
		"terminal-bar": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			if w >= 160 {
				s.Press("ctrl+space", "v")
			}
			s.Send(agentScreen(w, h-2, session.Modes{}), decision("d1"), decision("d2"))
			return s
		},
		"split": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			if w < 160 { // there is room for both without the list of threads, or none
				s.Press("ctrl+space", "v", "ctrl+space", "v")
			}
			s.Send(agentScreen(w, h-2, session.Modes{}), decision("d1"))
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
		"questions": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Send(agentScreen(w, h-2, session.Modes{}), questions("q1"))
			s.Press("ctrl+space", "2", "1", "esc")
			return s
		},
		"questions-list": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Send(agentScreen(w, h-2, session.Modes{}), questions("q1"))
			s.Press("ctrl+space", "2", "4", "1", "3", "enter")
			return s
		},
		"select": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			s.Send(agentScreen(w, h-2, session.Modes{}))
			s.Press("ctrl+space", "y", "V", "j")
			return s
		},
		"links": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			linkScreen(s, "https://a.example/1 and https://b.example/2")
			s.Press("ctrl+space", "l")
			return s
		},
		"link": func(t *testing.T, w, h int) *tuitest.Screen {
			s, _ := start(t, world(), w, h)
			linkScreen(s)
			s.Press("ctrl+space", "l")
			return s
		},
	}
}

// TestGolden compares whole frames. To accept what is drawn now, run it with
// ASIDE_GOLDEN=write.
func TestGolden(t *testing.T) {
	for name, scene := range scenes() {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}} {
			file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]))
			t.Run(filepath.Base(file), func(t *testing.T) {
				golden(t, file, scene(t, size[0], size[1]).Text())
			})
		}
	}
}

// looks are the terminals that a theme is made for.
func looks() map[string][]tea.Msg {
	dark, light := tea.BackgroundColorMsg{Color: color.Black}, tea.BackgroundColorMsg{Color: color.White}
	none, basic, truecolor := tea.ColorProfileMsg{Profile: 2}, tea.ColorProfileMsg{Profile: 3}, tea.ColorProfileMsg{Profile: 5}
	return map[string][]tea.Msg{
		"dark":     {dark, truecolor},
		"light":    {light, truecolor},
		"dark-16":  {dark, basic},
		"light-16": {light, basic},
		"none":     {dark, none},
	}
}

// TestGoldenLooks compares frames with their colours, each sequence of them
// written as ‹PARAMETERS›.
func TestGoldenLooks(t *testing.T) {
	for _, name := range []string{"terminal-bar", "offers", "review"} {
		for look, msgs := range looks() {
			file := filepath.Join("testdata", fmt.Sprintf("%s-80x24-%s.txt", name, look))
			t.Run(filepath.Base(file), func(t *testing.T) {
				s := scenes()[name](t, 80, 24)
				s.Send(msgs...)
				sgr := regexp.MustCompile("\x1b\\[([0-9;:]*)m")
				golden(t, file, sgr.ReplaceAllString(s.View().Content, "‹$1›")+"\n")
			})
		}
	}
}

// TestColourNeverSpeaksAlone holds that a frame without colours has the same
// text, and that what is chosen or has the focus can still be told.
func TestColourNeverSpeaksAlone(t *testing.T) {
	for name, scene := range scenes() {
		s := scene(t, 80, 24)
		s.Send(looks()["dark"]...)
		coloured := s.Text()
		s.Send(looks()["none"]...)
		if got := s.Text(); got != coloured {
			t.Errorf("%s reads otherwise without colours:\n%s\nand with them:\n%s", name, got, coloured)
		}
		for _, look := range []string{"none", "dark-16"} {
			s.Send(looks()[look]...)
			if content := s.View().Content; strings.Contains(content, ";5;") || look == "none" && regexp.MustCompile(`\x1b\[([0-9;]*;)?([349][0-7]|38|48)(;[0-9;]*)?m`).MatchString(content) {
				t.Errorf("%s has colours that a %s terminal lacks", name, look)
			}
		}
	}
	s, _ := start(t, world(), 80, 24)
	s.Send(looks()["none"]...)
	s.Press("ctrl+space", "t", "up")
	x, y, _ := s.Find("Cover loader")
	if c := s.Buffer().CellAt(x, y); c.Style.Attrs&uv.AttrReverse == 0 {
		t.Error("the chosen thread looks like the others without colours")
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
