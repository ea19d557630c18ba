package tui

import (
	"aside/tui/cells"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// hint is a key with what it does, as the screen names it. It can be clicked.
type hint struct {
	key, label string
	do         intent.Intent
}

// hintLine is the footer with hints, and what can be clicked in it.
func (m *Model) hintLine(hints []hint) (string, []intent.Zone) {
	return m.hintRow(" ", "  ", hints)
}

// hintRow is hints behind some text, with a gap between each two, and what can
// be clicked in it.
func (m *Model) hintRow(line, gap string, hints []hint) (string, []intent.Zone) {
	var zones []intent.Zone
	for i, h := range hints {
		s := m.th.Hint(h.key, h.label)
		if i > 0 {
			line += gap
		}
		zones = append(zones, intent.Zone{X: cells.Width(line), W: cells.Width(s), Do: h.do})
		line += s
	}
	return line, zones
}

// heading is a line of w columns with a title, and at its end what is said and
// hints, with what can be clicked in it.
func (m *Model) heading(title, say string, hints []hint, w int) (string, []intent.Zone) {
	if say != "" {
		say += "   "
	}
	right, zones := m.hintRow(say, "  ", hints)
	for i := range zones {
		zones[i].X += w - min(w, cells.Width(right))
	}
	return cells.Spread(title, right, w), zones
}

// below puts what can be clicked in a row y rows further down.
func below(y int, zones []intent.Zone) []intent.Zone {
	for i := range zones {
		zones[i].Y += y
	}
	return zones
}

// footerHints are those of the scope that acts on the next key, none for most.
func (m *Model) footerHints() (intent.Scope, []hint) {
	switch {
	case m.leader.armed:
		return intent.ScopeLeader, leaderHints()
	case m.notice.text != "" || m.workLine() != "":
	case m.top() == intent.ScopeSelect:
		return intent.ScopeSelect, selectHints()
	case m.top() == intent.ScopeHistory:
		return intent.ScopeHistory, m.historyHints()
	case m.top() == intent.ScopeFind:
		return intent.ScopeFind, []hint{{"enter", "look", intent.Send}, {"esc", "leave", intent.Back}}
	case m.top() == intent.ScopePanes:
		return intent.ScopePanes, paneHints()
	}
	return "", nil
}

// clickHint does what the hint at a column of the footer says, if it has
// hints.
func (m *Model) clickHint(x int) (cmd tea.Cmd, hit bool) {
	scope, hints := m.footerHints()
	if len(hints) == 0 {
		return nil, false
	}
	m.leader = leader{}
	_, zones := m.hintLine(hints)
	do, _ := intent.Hit(zones, x, 0)
	return m.act(scope, do), true
}

// leaderHints are the footer's while the leader is down.
func leaderHints() []hint {
	return []hint{
		{"?", "all keys", intent.Help},
		{"q", "close", intent.Quit},
		{"t", "threads", intent.Threads},
		{"o", "offers", intent.Offers},
		{"n", "new", intent.New},
		{"v", "view", intent.CycleView},
		{"w", "panes", intent.Panes},
		{"c", "write", intent.Composer},
		{"d", "decision", intent.Bar},
		{"p", "commands", intent.Palette},
	}
}

// paneHints are the footer's among the panes. The arrows are no one thing to
// be clicked.
func paneHints() []hint {
	return []hint{
		{"t", "tab", intent.OpenTab},
		{"|", "right", intent.SplitRight},
		{"-", "down", intent.SplitDown},
		{"x", "close", intent.ClosePane},
		{"z", "zoom", intent.Zoom},
		{"r", "name", intent.RenamePane},
		{"esc", "back", intent.Back},
		{"←↓↑→", "go", intent.Nothing},
		{"shift+←↓↑→", "resize", intent.Nothing},
		{"1…9", "tab", intent.Nothing},
	}
}
