package tui_test

import (
	"fmt"
	"testing"

	"aside/session"
	"aside/session/transcript"
	"aside/worktree"

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

// types measures a key to its frame: so often a letter, then as often backspace.
func types(b *testing.B, m tea.Model, letter rune, often int) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := tea.KeyPressMsg{Code: letter, Text: string(letter)}
		if i/often%2 == 1 {
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
		m.Update(k)
		_ = m.View()
	}
}

func BenchmarkComposerKeystrokeToFrame(b *testing.B) {
	f := world()
	s, _ := start(b, f, 200, 50)
	s.Send(agentScreen(96, 48, session.Modes{}), decision("d1"))
	s.Press("ctrl+space", "c")
	types(b, s.Model(), 'x', 100)
}

// BenchmarkNamingKeystrokeToFrame names a file with all there is to see open.
func BenchmarkNamingKeystrokeToFrame(b *testing.B) {
	f := world()
	for i := range 8 {
		f.files = append(f.files, fmt.Sprintf("src/module%02d/component%03d/file_%05d.go", i, i, i))
	}
	s, _ := start(b, f, 200, 50)
	s.Send(agentScreen(96, 48, session.Modes{}), decision("d1"))
	s.Press("ctrl+space", "c")
	s.Type("read @f")
	types(b, s.Model(), 'i', 1)
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
	types(b, s.Model(), 'o', 1)
}

// BenchmarkScrollReview pages through the largest diff that is shown, at
// 200x60, side by side.
func BenchmarkScrollReview(b *testing.B) {
	f := changed()
	f.diff = worktree.Diff{}
	for i := range 10 {
		h := worktree.Hunk{Header: "@@ -1,2500 +1,2500 @@ func load() {"}
		for n := range 2500 {
			h.Lines = append(h.Lines,
				worktree.Line{Kind: worktree.LineDeleted, Old: n + 1, Text: fmt.Sprintf("\tline %d as it was, with some words of prose", n)},
				worktree.Line{Kind: worktree.LineAdded, New: n + 1, Text: fmt.Sprintf("\tline %d as it is, with some words of prose and “ä”", n)})
		}
		f.diff.Files = append(f.diff.Files, worktree.FileDiff{Path: fmt.Sprintf("load/file%d.go", i), Status: worktree.FileModified, Hunks: []worktree.Hunk{h}})
	}
	s, _ := start(b, f, 200, 60)
	s.Press("ctrl+space", "g")
	m := s.Model()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		key := tea.Key{Code: tea.KeyPgDown}
		if i/400%2 == 1 {
			key.Code = tea.KeyPgUp
		}
		m.Update(tea.KeyPressMsg(key))
		_ = m.View()
	}
}
