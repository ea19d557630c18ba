package tui_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/tui"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// The first frame has the colours for the terminal's ground, as soon as that is
// known, and is there soon where a terminal does not tell.
func TestNothingIsDrawnInTheWrongColours(t *testing.T) {
	light := tea.BackgroundColorMsg{Color: color.White}
	for name, tc := range map[string]struct {
		theme string
		does  func(*tui.Model, *clock)
	}{
		"it answers": {does: func(m *tui.Model, _ *clock) { m.Update(light) }},
		"it does not": {does: func(m *tui.Model, c *clock) {
			m.Update(c.fire[0](c.now))
		}},
		"the person has said": {theme: tui.ThemeLight, does: func(*tui.Model, *clock) {}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clock{now: noon}
			m := tui.New(tui.Options{
				Backend: world(), Context: t.Context(), Theme: tc.theme, Now: func() time.Time { return c.now }, Tick: c.Tick,
			})
			m.Init()
			m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
			if drawn := m.View().Content != ""; drawn != (tc.theme != "") {
				t.Errorf("before the ground is known, drawn is %v", drawn)
			}
			tc.does(m, c)
			first := m.View().Content
			if first == "" {
				t.Fatal("nothing is drawn")
			}
			if m.Update(light); name != "it does not" && m.View().Content != first {
				t.Error("the first frame has the wrong colours")
			}
		})
	}
}

func TestLightAndDark(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	before := s.View().Content
	s.Send(tea.BackgroundColorMsg{Color: color.White})
	light := s.View().Content
	s.Send(tea.BackgroundColorMsg{Color: color.Black})
	if light == before || s.View().Content != before {
		t.Error("the colours do not follow the terminal's background")
	}
}

// A terminal whose colours change is asked for them: when it says that they
// have, when the screen comes back to it, and when its window gets the focus,
// but then only now and then.
func TestTheTerminalIsAskedForItsColoursAgain(t *testing.T) {
	f := world()
	s, c := start(t, f, 80, 24)
	for _, step := range []struct {
		name   string
		ground color.Color // the terminal's from now on
		when   tea.Msg
		after  time.Duration
		told   string // to the panes, "" for nothing
	}{
		{"it says so", color.White, uv.LightColorSchemeEvent{}, 0, "colors 000000 ffffff"},
		{"it says so again", color.Black, uv.DarkColorSchemeEvent{}, 0, "colors 000000 000000"},
		{"the screen is back", color.White, tea.ResumeMsg{}, 0, "colors 000000 ffffff"},
		{"the focus comes at once", color.Black, tea.FocusMsg{}, 0, ""},
		{"the focus comes later", color.Black, tea.FocusMsg{}, time.Minute, "colors 000000 000000"},
		{"it has not changed", color.Black, tea.FocusMsg{}, time.Minute, ""},
	} {
		f.took()
		c.now = c.now.Add(step.after)
		s.Ground = step.ground
		before := s.View().Content
		s.Send(step.when)
		if drawn := s.View().Content; (drawn != before) != (step.told != "") {
			t.Errorf("%s: drawn anew is %v", step.name, drawn != before)
		}
		if told := strings.Join(f.took(), "; "); told != step.told {
			t.Errorf("%s: the panes are told %q", step.name, told)
		}
	}
}

func TestProgramsAreToldTheTerminalsColours(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(tea.ForegroundColorMsg{Color: color.Black}, tea.BackgroundColorMsg{Color: color.White})
	if calls := f.took(); !slices.Contains(calls, "colors 000000 ffffff") {
		t.Errorf("calls = %q", calls)
	}
}

// The answer of the terminal is the screen's, also when that is to close before
// it comes: the shell behind it would get it as typed. One that never comes
// does not keep the screen.
func TestTheScreenClosesWhenTheTerminalHasAnswered(t *testing.T) {
	for name, comes := range map[string]func(*tui.Model, *clock) tea.Cmd{
		"it comes": func(m *tui.Model, _ *clock) tea.Cmd {
			_, cmd := m.Update(tea.BackgroundColorMsg{Color: color.Black})
			return cmd
		},
		"it does not": func(_ *tui.Model, c *clock) tea.Cmd {
			return func() tea.Msg { return c.fire[len(c.fire)-1](c.now) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clock{now: noon}
			m := tui.New(tui.Options{Backend: world(), Context: t.Context(), Now: func() time.Time { return c.now }, Tick: c.Tick})
			m.Init()
			m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
			m.Update(tea.KeyPressMsg{Code: tea.KeySpace, Mod: tea.ModCtrl})
			_, cmd := m.Update(tea.KeyPressMsg{Code: 'q', Text: "q"})
			if quits(cmd) {
				t.Error("the screen closes before the answer")
			}
			if !quits(comes(m, c)) {
				t.Error("the screen stays")
			}
		})
	}
}

// quits says that a command ends the program.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		return slices.ContainsFunc(msg, quits)
	}
	return false
}
