package tui

import (
	"image/color"
	"time"

	"aside/session"
	"aside/tui/theme"
	"aside/tui/transcript"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// groundPatience is how long the first frame waits for the terminal to say
// whether its ground is dark: one in the wrong colours would flash. A terminal
// of this machine answers much sooner, and some never do.
const groundPatience = 50 * time.Millisecond

// groundLate says that it has not said so in time.
type groundLate struct{}

func (groundLate) arrive(m *Model) tea.Cmd {
	m.unlit = false
	return nil
}

// window takes what the terminal says about itself.
func (m *Model) window(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.FocusMsg:
		m.away = false
		clear(m.called)
		m.tellFocus(true)
		m.countAnew()
		if m.o.Now().Sub(m.colored) >= askPause {
			return m.askColors()
		}
	case tea.BlurMsg:
		m.away = true
		m.tellFocus(false)
	case tea.ResumeMsg, uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return m.askColors()
	default:
		m.looksLike(msg)
		if m.leaving && m.unanswered == 0 {
			return m.close()
		}
	}
	return nil
}

// askPause is the least time between two questions for the colours because the
// window got the focus. That is when the person may have changed them, as far
// as a terminal tells that does not tell it by itself.
const askPause = 5 * time.Second

// answerTime is how long the screen stays open for the answer of a terminal
// that was asked just before: behind the screen, the shell would get it as
// typed.
const answerTime = 500 * time.Millisecond

// closing says that the draft keeps the screen open no more.
type closing struct{}

func (closing) arrive(m *Model) tea.Cmd { return m.close() }

// close closes the screen, when it is stored how it was left and no answer of
// the terminal is on its way.
func (m *Model) close() tea.Cmd {
	m.leaving = true
	if cmd := m.remember(); cmd != nil || m.kept.busy {
		return cmd
	}
	left := answerTime - m.o.Now().Sub(m.colored)
	if m.unanswered == 0 || left <= 0 {
		return tea.Quit
	}
	return m.o.Tick(left, func(time.Time) tea.Msg { return tea.QuitMsg{} })
}

// askColors asks the terminal for its colours; the ground's is the last that
// it answers.
func (m *Model) askColors() tea.Cmd {
	if m.o.Now().Sub(m.colored) >= answerTime {
		m.unanswered = 0 // it does not answer
	}
	m.colored = m.o.Now()
	m.unanswered++
	return tea.Batch(tea.Raw(ansi.RequestForegroundColor), tea.Raw(ansi.RequestBackgroundColor))
}

// looksLike takes how the terminal draws.
func (m *Model) looksLike(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.ForegroundColorMsg:
		if fg := rgb(msg.Color); fg != m.colors.Fg {
			m.colors.Fg = fg
			m.b.SetColors(m.colors)
		}
	case tea.BackgroundColorMsg:
		m.unlit = false
		m.unanswered = max(0, m.unanswered-1)
		if bg := rgb(msg.Color); bg != m.colors.Bg {
			m.colors.Bg = bg
			m.b.SetColors(m.colors)
			m.setTheme(msg.IsDark(), m.th.Colors)
		}
	case tea.ColorProfileMsg:
		colors := theme.ColorsTrue
		switch msg.String() {
		case "ANSI256":
			colors = theme.Colors256
		case "ANSI":
			colors = theme.Colors16
		case "Ascii", "NoTTY", "Unknown":
			colors = theme.ColorsNone
		}
		m.setTheme(m.th.Dark, colors)
	case tea.ModeReportMsg:
		if msg.Mode == modeClusters && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset() {
			m.clusters = true
			m.setTheme(m.th.Dark, m.th.Colors)
		}
	}
}

// rgb is a colour of the terminal as the panes know it.
func rgb(c color.Color) session.Color {
	if c == nil {
		return session.ColorDefault
	}
	r, g, b, _ := c.RGBA()
	return session.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
}

// The themes: what the terminal says of itself, or in its place what the
// person says of it.
const (
	ThemeAuto  = "auto"
	ThemeDark  = "dark"
	ThemeLight = "light"
	Theme16    = "16"
	ThemeNone  = "none"
)

func (m *Model) setTheme(dark bool, colors int) {
	switch m.o.Theme {
	case ThemeDark, ThemeLight:
		dark = m.o.Theme == ThemeDark
	case Theme16:
		colors = min(colors, theme.Colors16)
	case ThemeNone:
		colors = theme.ColorsNone
	}
	m.th = theme.New(dark, colors)
	m.looks = &transcript.Looks{Theme: m.th, Clusters: m.clusters}
	m.rev++
}
