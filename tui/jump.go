package tui

import (
	record "aside/session/transcript"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// jump moves within the transcript to what a person looks for, folds the uses of
// tools, or takes an entry along; it reports whether it knows the intent.
func (m *Model) jump(p *page, do intent.Intent) (cmd tea.Cmd, known bool) {
	switch do {
	case intent.Details:
		p.details = !p.details
		for _, e := range p.entries {
			e.turned = false
		}
	case intent.PrevPrompt:
		cmd = m.jumpTo(p, record.Seek{Kind: record.KindPrompt, Back: true})
	case intent.NextPrompt:
		cmd = m.jumpTo(p, record.Seek{Kind: record.KindPrompt})
	case intent.PrevFault:
		cmd = m.jumpTo(p, record.Seek{Kind: record.KindTool, Failed: true, Back: true})
	case intent.NextFault:
		cmd = m.jumpTo(p, record.Seek{Kind: record.KindTool, Failed: true})
	case intent.NextHit:
		cmd = m.stepHit(p, 1)
	case intent.PrevHit:
		cmd = m.stepHit(p, -1)
	case intent.NextEntry:
		p.step(1)
	case intent.PrevEntry:
		p.step(-1)
	case intent.Copy:
		cmd = m.copyChosen(p)
	case intent.CopyAnswer:
		cmd = m.copyAnswer(p)
	case intent.Export:
		cmd = m.export(p)
	default:
		return nil, false
	}
	return cmd, true
}

// jumpTo shows the next entry of a kind at the top, from the chosen one on;
// beyond the last it goes on from the thread's other end.
func (m *Model) jumpTo(p *page, q record.Seek) tea.Cmd {
	n, by := len(p.shown), 1
	if q.Back {
		by = -1
	}
	from := p.chosen()
	for step := 1; step <= n; step++ {
		i := from + by*step
		if i < 0 || i >= n {
			if !p.whole() {
				break
			}
			i = (i + n) % n
		}
		if e := p.item(i); e != nil && e.Kind == q.Kind && (!q.Failed || e.Failed) {
			p.goTo(i)
			return m.stay(p)
		}
	}
	at := p.item(from)
	if at == nil || p.whole() {
		m.readFailed(errNotFound)
		return nil
	}
	q.Thread, q.From, q.Limit = p.thread, at.ID, 1
	return m.readTo(p, spot{seek: &q}, func(id int64) { p.goTo(p.index(id)) })
}

// scroll moves up by n lines, or down when n is negative; what could not be read
// there is asked for again.
func (p *page) scroll(n int) {
	p.stuck = false
	p.list.Scroll(n)
}

// first goes to the beginning of the thread, and follow to its end, where the
// list then stays.
func (m *Model) first(p *page) tea.Cmd {
	if !p.earlier {
		p.list.First()
		return m.stay(p)
	}
	return m.readTo(p, spot{start: true}, func(int64) { p.list.First() })
}

func (m *Model) follow(p *page) tea.Cmd {
	p.cursor = 0
	if !p.later {
		p.list.Follow()
		return m.stay(p)
	}
	return m.readTo(p, spot{}, func(int64) { p.list.Follow() })
}

// goTo shows an item of the list at the top, and makes it the chosen one.
func (p *page) goTo(i int) {
	if e := p.item(i); e != nil {
		p.list.ShowTop(i)
		p.cursor = e.ID
	}
}

// step chooses the next entry, or the one before.
func (p *page) step(by int) {
	for i := p.chosen() + by; i >= 0 && i < len(p.shown); i += by {
		if e := p.shown[i]; e != nil {
			p.cursor = e.ID
			p.list.Reveal(i)
			return
		}
	}
}

// item returns the entry that is at a place of the list, or nil.
func (p *page) item(i int) *entry {
	if i < 0 || i >= len(p.shown) {
		return nil
	}
	return p.shown[i]
}

// chosen is the item that what is done with an entry is done to: the one that
// was gone to while it is in view, else the last of the thread when its end is
// in view, else the first in view.
func (p *page) chosen() int {
	from, to := p.list.Visible()
	to = min(to, len(p.shown))
	if i := p.index(p.cursor); p.cursor != 0 && i >= from && i < to {
		return i
	}
	i, by := from, 1
	if p.list.Following() {
		i, by = to-1, -1
	}
	for i >= from && i < to && p.shown[i] == nil {
		i += by
	}
	return i
}

// turn folds or unfolds the use of a tool.
func (p *page) turn(i int) {
	if e := p.item(i); e != nil && e.Kind == record.KindTool {
		e.turned = !e.turned
	}
}
