package tui

import (
	"context"
	"fmt"

	"aside/session"

	tea "charm.land/bubbletea/v2"
)

// exporting is a transcript on its way into a file; none has no cancel.
type exporting struct {
	waiting
	thread session.ThreadID
	stop   bool
}

// export begins to write a transcript to a file, or stops what is being
// written.
func (m *Model) export(p *page) tea.Cmd {
	e := &m.exporting
	if e.cancel != nil {
		e.stop = true
		e.cancel()
		return nil
	}
	*e = exporting{thread: p.thread}
	ctx, b, id := m.begins(&e.waiting), m.b, p.thread
	return func() tea.Msg {
		file, err := b.Export(ctx, id)
		return exported{ctx: ctx, file: file, err: stopped(ctx, err)}
	}
}

// exported is how far a transcript has been written.
type exported struct {
	ctx  context.Context
	file Export
	done bool
	err  error
}

func (x exported) arrive(m *Model) tea.Cmd {
	e := &m.exporting
	switch {
	case x.err == nil && x.done:
		e.end()
		m.say("the transcript is in "+x.file.Path(), "")
	case e.stop:
		e.end()
		m.say("the transcript is not written any further; there is no file of it", "")
		if x.err == nil {
			return m.call("taking the file away", false, func(context.Context) error { return x.file.Abandon() })
		}
	case x.err != nil:
		e.end()
		m.fail(x.err)
	default:
		if e.shown(m.o.Now()) {
			m.say(exportSays(x.file.Written()), "")
		}
		return func() tea.Msg {
			done, err := x.file.Step(x.ctx)
			return exported{ctx: x.ctx, file: x.file, done: done, err: stopped(x.ctx, err)}
		}
	}
	return nil
}

func exportSays(written, all int) string {
	return fmt.Sprintf("writing the transcript, %d of %d entries · X in the transcript stops it", written, max(written, all))
}
