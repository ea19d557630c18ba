package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// exporting is a transcript on its way into a file; none has no cancel.
type exporting struct {
	waiting
	stop   bool
	closes bool // the screen, when it has stopped
}

// export begins to write a transcript to a file, or stops what is being
// written.
func (m *Model) export(p *page) tea.Cmd {
	e := &m.exporting
	if e.cancel != nil {
		e.halt()
		return nil
	}
	*e = exporting{}
	ctx, b, id := m.begins(&e.waiting), m.b, p.thread
	return func() tea.Msg {
		file, err := b.Export(ctx, id)
		return exported{ctx: ctx, file: file, err: stopped(ctx, err)}
	}
}

// halt stops what is being written.
func (e *exporting) halt() {
	e.stop = true
	e.cancel()
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
		m.say("the transcript is in "+m.b.Shown(x.file.Path()), "")
		if e.closes {
			return m.quit()
		}
	case e.stop && x.err == nil:
		return func() tea.Msg {
			return exported{ctx: x.ctx, err: errors.Join(x.ctx.Err(), x.file.Abandon())}
		}
	case e.stop:
		e.end()
		m.say("the transcript is not written any further; there is no file of it", "")
		if e.closes {
			return m.quit()
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
