package tui

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// recall is where the composer is among the prompts that were sent before.
type recall struct {
	back  int    // how many prompts back, 0 is what the person writes
	own   string // that, while it is not shown
	shown string // the prompt as the field took it
	wait  bool   // older entries are being read for it
}

// prompts are those of the page, the newest first, each once in a row.
func (p *page) prompts() []string {
	var out []string
	for i := len(p.entries) - 1; i >= 0; i-- {
		e := p.entries[i]
		if text := strings.TrimSpace(e.Text); e.Kind == record.KindPrompt && text != "" && (len(out) == 0 || out[len(out)-1] != text) {
			out = append(out, text)
		}
	}
	return out
}

// step moves the cursor by a row, and from the first or last one to the prompt
// that was sent before or next. What the person has written is kept.
func (p *page) step(do intent.Intent) {
	switch {
	case do == intent.Up && p.field.AtTop():
		p.goBack(1)
	case do == intent.Up:
		p.field.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	case p.field.AtBottom():
		p.goBack(-1)
	default:
		p.field.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
}

func (p *page) goBack(by int) {
	prompts := p.prompts()
	to := p.recall.back + by
	switch {
	case to < 0:
		return
	case to > len(prompts):
		p.recall.wait = p.more // it goes on when they have been read
		return
	}
	if text := p.field.Text(); p.recall.back == 0 || text != p.recall.shown {
		p.recall.own = text // a prompt that was changed is the person's too
	}
	p.recall.back = to
	if to == 0 {
		p.field.SetText(p.recall.own)
		return
	}
	p.field.SetText(prompts[to-1])
	p.recall.shown = p.field.Text()
}

// goOnBack shows the prompt before, when older entries were read for it.
func (p *page) goOnBack() {
	if p.recall.wait {
		p.recall.wait = false
		p.goBack(1)
	}
}

// edit opens what is in a field in the person's editor. The file is made
// outside of Update.
func (m *Model) edit(f *composer.Field, thread session.ThreadID) tea.Cmd {
	if m.o.Editor == "" {
		m.say("no editor is set", "set $VISUAL or $EDITOR")
		return nil
	}
	text := f.Text()
	return func() tea.Msg {
		e := draftFile{field: f, thread: thread}
		e.file, e.err = writeDraft(text)
		return e
	}
}

// draftFile is a field's text in a file of its own, for the editor to open.
type draftFile struct {
	field  *composer.Field
	thread session.ThreadID // of the composer; "" is another field's
	file   string
	err    error
}

func (e draftFile) arrive(m *Model) tea.Cmd {
	if e.err != nil {
		m.fail(e.err)
		return nil
	}
	// The variable may hold arguments, as in "code --wait".
	c := exec.Command("/bin/sh", "-c", m.o.Editor+` "$1"`, "aside", e.file)
	return tea.ExecProcess(c, func(err error) tea.Msg {
		out := edited{draftFile: e}
		out.text, out.err = readDraft(e.file, err)
		return out
	})
}

// edited is what the person wrote in the editor.
type edited struct {
	draftFile
	text string
}

func (e edited) arrive(m *Model) tea.Cmd {
	if e.err != nil {
		m.fail(e.err)
		return nil
	}
	e.field.SetText(e.text)
	if e.thread == "" {
		return nil
	}
	return m.saveDraft(m.pageFor(e.thread))
}

// maxDraft is the most that is read of what an editor leaves behind; the field
// takes less.
const maxDraft = 1 << 20

func writeDraft(text string) (string, error) {
	f, err := os.CreateTemp("", "aside-*.md")
	if err != nil {
		return "", fmt.Errorf("make a file for the editor: %w", err)
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it holds nothing
		return "", fmt.Errorf("write the file for the editor: %w", err)
	}
	return f.Name(), nil
}

// readDraft takes what the editor left behind. When the editor failed, the
// field stays as it was.
func readDraft(file string, ran error) (string, error) {
	defer func() { _ = os.Remove(file) }() // the field has it, or keeps its own
	if ran != nil {
		return "", &session.Error{Code: session.CodeFailed, Message: "the editor ended with an error; nothing was changed", Hint: ran.Error()}
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("read what the editor wrote: %w", err)
	}
	defer func() { _ = f.Close() }() // it is only read
	text, err := io.ReadAll(io.LimitReader(f, maxDraft))
	if err != nil {
		return "", fmt.Errorf("read what the editor wrote: %w", err)
	}
	return strings.TrimRight(string(text), "\n"), nil
}
