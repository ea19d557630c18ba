package commands

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"aside/e2e/term"
)

// fills are the colours that the screen is drawn in.
func fills(tm *term.Terminal) []string {
	var found []string
	for _, m := range regexp.MustCompile(`fill="(#\w+)"`).FindAllStringSubmatch(tm.SVG(), -1) {
		found = append(found, m[1])
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// The accent, and the terminal's own bright cyan.
const onDark, onLight, cyan = "#87d7ff", "#005fd7", "#83d0d4"

func TestTheThemeIsTheConfiguredOne(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		theme  term.Theme
		config string
		env    []string
		want   string
	}{
		"asked, dark":     {term.Dark, "", nil, onDark},
		"asked, light":    {term.Light, "", nil, onLight},
		"said to be":      {term.Dark, `theme = "light"`, nil, onLight},
		"its own 16":      {term.Dark, `theme = "16"`, nil, cyan},
		"none":            {term.Dark, `theme = "none"`, nil, ""},
		"the environment": {term.Dark, `theme = "dark"`, []string{"NO_COLOR=1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write(t, "bin/claude", "#!/bin/sh\nexit 1\n")
			p.write(t, "home/config/config.toml", tc.config)
			tm, err := term.Start(term.Options{
				Command: []string{filepath.Join(programs, "aside")}, Dir: p.dir, Env: append(append(p.environ(), "COLORTERM=truecolor"), tc.env...),
				Cols: 80, Rows: 24, Theme: tc.theme,
			})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			defer func() {
				if err := tm.Close(ctx); err != nil {
					t.Error(err)
				}
			}()
			terminal{tm, t}.sees(`What should the agent do`)
			if tc.want == "" {
				if got := fills(tm); len(got) > 2 {
					t.Errorf("the colours are %q", got)
				}
				return
			}
			p.until(t, tc.want+" is on the screen", func() bool { return slices.Contains(fills(tm), tc.want) })
		})
	}
}

// The screen, and the programs in it, follow a terminal whose colours change
// while they run; one that the screen has given back is told nothing any more.
func TestTheScreenFollowsTheTerminalsColours(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env["COLORTERM"] = "truecolor"
	tm, pid := p.screen(t)
	p.agent(t, `read -r prompt; stty raw -echo; printf '\033[?2031hlistening '; dd bs=1 count=9 2>/dev/null | tr '\033' ^
printf ' \033]11;?\007'; dd bs=1 count=24 2>/dev/null | tr '\033' ^; exec cat`)
	tm.press("ctrl+space", "n")
	tm.types("second")
	tm.press("enter")
	tm.sees(`listening`)
	tm.SetTheme(term.Light)
	tm.sees(`listening \^\[\?997;2n`)
	tm.sees(`11;rgb:fbfb/fbfb`)
	drawn := func(accent, not string) {
		t.Helper()
		p.until(t, accent+" in the place of "+not, func() bool {
			all := fills(tm.Terminal)
			return slices.Contains(all, accent) && !slices.Contains(all, not)
		})
	}
	drawn(onLight, onDark)

	// While it is stopped it is told nothing, and asks when it goes on.
	if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	tm.sees("Stopped|Suspended")
	tm.SetTheme(term.Dark)
	tm.asBefore()
	tm.types("fg\n")
	tm.sees("ctrl.space: keys")
	drawn(onDark, onLight)
	tm.press("ctrl+space", "q")
	tm.sees(`^\$$`)
	tm.SetTheme(term.Light)
	tm.asBefore()
	if text := tm.Text(); strings.Contains(text, "997") {
		t.Errorf("the shell was told:\n%s", text)
	}
}

func TestTheDemoOpensOnItsTour(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env["HOME"] = p.dir // so that the project is in it, where folders are shown otherwise
	tm := p.shell(t)
	if err := tm.Resize(100, 30); err != nil {
		t.Fatal(err)
	}
	tm.types("aside demo\n")
	tm.sees(`Bash wants to run`)
	tm.sees(`1 once`)
	tm.press("ctrl+space", "n")
	tm.sees(`New thread in ~/home/data/demo`)
	tm.press("ctrl+space", "q")
	tm.sees(`\n\$`)
}
