package tui_test

import (
	"fmt"
	"testing"

	"aside/session"
	"aside/session/transcript"

	tea "charm.land/bubbletea/v2"
)

func BenchmarkKeystrokeToFrame(b *testing.B) {
	f := world()
	s, _ := start(b, f, 200, 50)
	s.Send(agentScreen(96, 48, session.Modes{}))
	m := s.Model()
	b.ReportAllocs()
	for b.Loop() {
		m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		_ = m.View()
		f.inputs = f.inputs[:0]
	}
}

func BenchmarkFrameToView(b *testing.B) {
	s, _ := start(b, world(), 200, 50)
	m := s.Model()
	msg := agentScreen(96, 48, session.Modes{})
	b.ReportAllocs()
	for b.Loop() {
		m.Update(msg)
		_ = m.View()
	}
}

func BenchmarkScrollTranscript(b *testing.B) {
	f := world()
	var es []transcript.Entry
	for i := range 10_000 {
		es = append(es, transcript.Entry{ID: int64(i + 1), Thread: "t1", Kind: transcript.KindAssistant, Text: fmt.Sprintf("Entry **%d** with `code` and\n\n- a list", i)})
	}
	f.entries["t1"] = es
	s, _ := start(b, f, 120, 50)
	s.Press("ctrl+space", "h")
	m := s.Model()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		button := tea.MouseWheelUp
		if i/40%2 == 1 {
			button = tea.MouseWheelDown
		}
		m.Update(tea.MouseWheelMsg{X: 60, Y: 20, Button: button})
		_ = m.View()
	}
}

func BenchmarkComposerKeystrokeToFrame(b *testing.B) {
	f := world()
	s, _ := start(b, f, 200, 50)
	s.Send(agentScreen(96, 48, session.Modes{}), decision("d1"))
	s.Press("ctrl+space", "c")
	m := s.Model()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := tea.KeyPressMsg{Code: 'x', Text: "x"}
		if i%200 > 99 {
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
		m.Update(k)
		_ = m.View()
	}
}

// BenchmarkPaletteKeystrokeToFrame types in the palette of a project with a
// thousand threads.
func BenchmarkPaletteKeystrokeToFrame(b *testing.B) {
	f := world()
	for i := range 1000 {
		f.threads = append(f.threads, session.Thread{ID: session.ThreadID(fmt.Sprint("x", i)), Title: fmt.Sprint("Make thing ", i, " work")})
	}
	s, _ := start(b, f, 200, 50)
	s.Press("ctrl+space", "p")
	m := s.Model()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := tea.KeyPressMsg{Code: 'o', Text: "o"}
		if i%2 > 0 {
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
		m.Update(k)
		_ = m.View()
	}
}
