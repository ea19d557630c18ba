package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
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

	sent []string // the prompts that have been read, the newest first, each once in a row
	last int64    // the entry of the oldest one
	all  bool     // there are no more
	wait int      // how many prompts back from here are wanted when more have been read
}

// promptsRead is how many prompts are read at once.
const promptsRead = 50

// renew has the prompts read anew when further ones were sent.
func (r *recall) renew(news []record.Entry) {
	if slices.ContainsFunc(news, func(e record.Entry) bool { return e.Kind == record.KindPrompt }) {
		r.forget()
	}
}

// forget has the prompts read anew, unless one of them is shown.
func (r *recall) forget() {
	if r.back == 0 {
		*r = recall{}
	}
}

// stepPrompt moves the cursor by a row, and from the first or last one to the
// prompt that was sent before or next. What the person has written is kept.
func (m *Model) stepPrompt(p *page, do intent.Intent) tea.Cmd {
	switch {
	case do == intent.Up && p.field.AtTop():
		return m.goBack(p, 1)
	case do == intent.Up:
		p.field.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	case p.field.AtBottom():
		return m.goBack(p, -1)
	default:
		p.field.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	return nil
}

// goBack shows the prompt by places further back, when it has been read.
func (m *Model) goBack(p *page, by int) tea.Cmd {
	r := &p.recall
	switch {
	case r.wait > 0:
		r.wait = max(0, r.wait+by)
		return nil
	case r.back+by > len(r.sent) && r.all, r.back+by < 0:
		return nil
	case r.back+by <= len(r.sent):
		p.recallTo(r.back + by)
		return nil
	}
	r.wait = by
	b := m.b
	q := record.Seek{Thread: p.thread, Kind: record.KindPrompt, From: r.last, Back: true, Limit: promptsRead}
	return m.works("reading earlier prompts", true, func(ctx context.Context) tea.Msg {
		came := promptsCame{of: q}
		came.entries, came.err = b.Seek(ctx, q)
		return came
	})
}

// promptsCame are prompts that were sent before those that had been read.
type promptsCame struct {
	of      record.Seek
	entries []record.Entry
	err     error
}

func (c promptsCame) arrive(m *Model) tea.Cmd {
	p := m.pageFor(c.of.Thread)
	r := &p.recall
	by := r.wait
	r.wait = 0
	if c.err != nil {
		m.fail(c.err)
		return nil
	}
	if r.last != c.of.From {
		return nil
	}
	for _, e := range c.entries {
		r.last = e.ID
		if e.Origin == session.OriginAgent {
			continue // nobody has written it
		}
		if text := strings.TrimSpace(e.Text); text != "" && (len(r.sent) == 0 || r.sent[len(r.sent)-1] != text) {
			r.sent = append(r.sent, text)
		}
	}
	r.all = len(c.entries) < promptsRead
	if by > 0 && len(r.sent) > r.back {
		p.recallTo(min(r.back+by, len(r.sent)))
	}
	return nil
}

// recallTo shows the prompt that is so many back.
func (p *page) recallTo(to int) {
	if text := p.field.Text(); p.recall.back == 0 || text != p.recall.shown {
		p.recall.own = text // a prompt that was changed is the person's too
	}
	p.recall.back = to
	if to == 0 {
		p.field.SetText(p.recall.own)
		return
	}
	p.field.SetText(p.recall.sent[to-1])
	p.recall.shown = p.field.Text()
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
	return m.o.Exec(c, func(err error) tea.Msg {
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
