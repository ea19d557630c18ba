package tui

import (
	record "aside/session/transcript"
	"aside/tui/intent"
)

// jump moves within the transcript to what a person looks for, or folds the
// uses of tools; it reports whether it knows the intent.
func (p *page) jump(do intent.Intent) bool {
	prompt := func(e *entry) bool { return e.Kind == record.KindPrompt }
	switch do {
	case intent.Details:
		p.details = !p.details
		for _, e := range p.entries {
			e.turned = false
		}
	case intent.PrevPrompt:
		p.jumpTo(-1, prompt)
	case intent.NextPrompt:
		p.jumpTo(1, prompt)
	case intent.NextFault:
		p.jumpTo(1, func(e *entry) bool { return e.Kind == record.KindTool && e.Failed })
	default:
		return false
	}
	return true
}

// jumpTo shows the next entry of a kind in a direction at the top, from the one
// that is there now; beyond the last it goes on from the other end.
func (p *page) jumpTo(by int, is func(*entry) bool) {
	n := len(p.shown)
	from, _ := p.list.Visible()
	if p.sought < n && p.soughtTop == from {
		from = p.sought // the end of the list may keep it from reaching the top
	}
	for step := 1; step <= n; step++ {
		i := ((from+by*step)%n + n) % n
		if is(p.shown[i]) {
			p.list.ShowTop(i)
			p.sought = i
			p.soughtTop, _ = p.list.Visible()
			return
		}
	}
}

// turn folds or unfolds the use of a tool.
func (p *page) turn(i int) {
	if i < len(p.shown) && p.shown[i].Kind == record.KindTool {
		p.shown[i].turned = !p.shown[i].turned
	}
}
