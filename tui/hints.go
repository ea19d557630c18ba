package tui

import (
	"aside/tui/cells"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// hint is a key with what it does, as the footer names it. It can be clicked.
type hint struct {
	key, label string
	do         intent.Intent
}

// hintLine is the footer with hints, and what can be clicked in it.
func (m *Model) hintLine(hints []hint) (string, []intent.Zone) {
	line := ""
	var zones []intent.Zone
	for i, h := range hints {
		s := m.th.Hint(h.key, h.label)
		line += " "
		if i > 0 {
			line += " "
		}
		zones = append(zones, intent.Zone{X: cells.Width(line), W: cells.Width(s), Do: h.do})
		line += s
	}
	return line, zones
}

// footerHints are those of the scope that acts on the next key, none for most.
func (m *Model) footerHints() (intent.Scope, []hint) {
	switch {
	case m.leader.armed:
		return intent.ScopeLeader, leaderHints()
	case m.notice.text != "" || m.workLine() != "":
	case m.top() == intent.ScopeSelect:
		return intent.ScopeSelect, selectHints()
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
