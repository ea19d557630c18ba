package tui

import (
	"context"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// form is a new thread while it is written.
type form struct {
	field   *composer.Field
	agents  []AgentChoice
	agent   int
	busy    bool
	doing   string             // what its start is at, or ""
	cancel  context.CancelFunc // ends the start that is under way
	problem string
	first   bool // there is no thread yet, so it cannot be left
}

// maxTitle is the longest title that is made from a prompt, as for a
// proposal's (contracts/proposed-threads.md).
const maxTitle = 80

// openForm shows the form for a new thread.
func (m *Model) openForm() {
	if m.form == nil {
		m.form = &form{field: composer.New("What should the agent do?", 8)}
		m.form.agents = m.b.Agents()
	}
	m.form.first = m.loaded && !m.hasOwn()
	m.base(intent.ScopeNew)
}

// onForm acts on the form.
func (m *Model) onForm(do intent.Intent) tea.Cmd {
	f := m.form
	if f == nil {
		m.goMain()
		return nil
	}
	n := len(f.agents)
	switch do {
	case intent.Newline:
		f.field.Newline()
	case intent.Editor:
		return m.edit(f.field, "")
	case intent.Next:
		if n > 0 {
			f.agent = (f.agent + 1) % n
		}
	case intent.Previous:
		if n > 0 {
			f.agent = (f.agent + n - 1) % n
		}
	case intent.Back:
		if f.first && len(m.threadList.index) == 0 {
			return nil
		}
		if strings.TrimSpace(f.field.Text()) == "" {
			m.form = nil // what is written is kept for the next time
		}
		m.goMain()
	case intent.Send:
		return m.create()
	case intent.Cancel:
		if f.cancel != nil {
			f.cancel()
		}
	}
	return nil
}

func (m *Model) create() tea.Cmd {
	f := m.form
	prompt := strings.TrimSpace(f.field.Text())
	if prompt == "" || f.busy {
		return nil
	}
	if len(f.agents) == 0 {
		f.problem = "no agent is installed here"
		return nil
	}
	f.busy, f.doing, f.problem = true, "", ""
	ctx, cancel := context.WithCancel(m.o.Context)
	f.cancel = cancel
	b := m.b
	t := NewThread{Title: titleOf(prompt), Prompt: prompt, Agent: f.agents[f.agent].Name}
	return func() tea.Msg {
		defer cancel()
		id, err := b.New(ctx, t)
		return created{thread: id, err: err}
	}
}

// titleOf is the first line of a prompt, as a title.
func titleOf(prompt string) string {
	line, _, _ := strings.Cut(prompt, "\n")
	if t := session.CleanLine(line); t != "" {
		return cells.Cut(t, maxTitle)
	}
	return cells.Cut(session.CleanLine(prompt), maxTitle)
}

type created struct {
	thread session.ThreadID
	err    error
}

func (c created) arrive(m *Model) tea.Cmd {
	if c.err != nil {
		m.fail(c.err)
	}
	if c.thread == "" {
		if m.form != nil {
			m.form.busy, m.form.cancel = false, nil
			m.form.problem = explained(c.err)
		}
		return nil
	}
	typing := m.form != nil && m.top() == intent.ScopeNew
	m.form = nil
	m.current = c.thread
	if typing || !m.hasOwn() {
		m.goMain()
	}
	return m.reload()
}

// askRename opens the input for a thread's title.
func (m *Model) askRename(id session.ThreadID) {
	t, ok := m.thread(id)
	if !ok {
		return
	}
	m.chosen = id
	m.rename = composer.New("title", 1)
	m.rename.SetText(t.Title)
	m.rename.Focus()
	m.push(intent.ScopeRename)
}

func (m *Model) onRename(do intent.Intent) tea.Cmd {
	title, id := "", m.chosen
	if m.rename != nil && do == intent.Send {
		title = cells.Cut(session.CleanLine(m.rename.Text()), maxTitle)
	}
	m.rename = nil
	m.without(intent.ScopeRename)
	if title == "" || title == m.title(id) {
		return nil
	}
	b := m.b
	return m.call("renaming the thread", false, func(ctx context.Context) error { return b.Rename(ctx, id, title) })
}

// onComposer acts on the composer.
func (m *Model) onComposer(do intent.Intent) tea.Cmd {
	if m.current == "" {
		return nil
	}
	p := m.pageFor(m.current)
	switch do {
	case intent.Newline:
		p.field.Newline()
		return m.saveDraft(p)
	case intent.Up, intent.Down:
		return m.stepPrompt(p, do)
	case intent.Editor:
		return m.edit(p.field, p.thread)
	case intent.Next:
		return m.stepCard(1)
	case intent.PageUp:
		p.scroll(max(1, m.listRect(m.layout()).h-2))
	case intent.PageDown:
		p.scroll(-max(1, m.listRect(m.layout()).h-2))
	case intent.Back:
		m.base(intent.ScopeTranscript)
	case intent.Send:
		return m.send(p)
	}
	return nil
}

// send delivers what is written. It leaves the field at once, so that the next
// prompt can be written meanwhile, and comes back when it is not delivered.
func (m *Model) send(p *page) tea.Cmd {
	text := strings.TrimSpace(p.field.Text())
	if text == "" {
		return nil
	}
	if p.sending != "" {
		m.say("the prompt before is still being sent", "")
		return nil
	}
	p.sending, p.recall = text, recall{}
	p.field.SetText("")
	b, ctx, id := m.b, m.o.Context, p.thread
	return tea.Batch(m.follow(p), func() tea.Msg { return sent{thread: id, err: b.Send(ctx, id, text)} })
}

// unsent is what is written and not known to be delivered.
func (p *page) unsent() string {
	if p.sending == "" {
		return p.field.Text()
	}
	return strings.TrimSuffix(p.sending+"\n"+p.field.Text(), "\n")
}

type sent struct {
	thread session.ThreadID
	err    error
}

func (s sent) arrive(m *Model) tea.Cmd {
	p := m.pageFor(s.thread)
	if s.err != nil {
		p.field.SetText(p.unsent())
		p.sending = ""
		m.fail(s.err)
		return m.saveDraft(p)
	}
	p.sending = ""
	return tea.Batch(m.saveDraft(p), m.reload())
}

// saveDraft keeps what is written, if the store does not have it: one save at
// a time, so that the last one is the newest.
func (m *Model) saveDraft(p *page) tea.Cmd {
	text := p.unsent()
	if p.saving || text == p.saved {
		p.resave = p.saving
		return nil
	}
	p.saving, p.resave = true, false
	m.drafts++
	b, ctx, id := m.b, m.o.Context, p.thread
	return func() tea.Msg {
		return draftKept{thread: id, text: text, err: b.SetDraft(ctx, id, text)}
	}
}

type draftKept struct {
	thread session.ThreadID
	text   string
	err    error
}

func (d draftKept) arrive(m *Model) tea.Cmd {
	p := m.pageFor(d.thread)
	p.saving = false
	m.drafts++
	if d.err != nil {
		m.fail(d.err)
		return nil
	}
	p.saved = d.text
	if m.top() == intent.ScopeComposer && m.current == d.thread && !p.resave {
		return nil // it is still being written; it is kept again when that ends
	}
	return m.saveDraft(p)
}

// takeDraft shows a draft that came from elsewhere, such as the prompt of a
// start that went wrong. It never replaces what the store does not have.
func (p *page) takeDraft(draft string) {
	if p.sending == "" && p.field.Text() == p.saved && draft != p.saved {
		p.field.SetText(draft)
		p.saved = p.field.Text()
	}
}
