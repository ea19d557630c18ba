package tui

import (
	"slices"
	"strconv"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/panes"
)

// paneLines is the terminal: the panes in sight, with what lies over them.
func (m *Model) paneLines(dst []string, l layout) []string {
	if l.tabs.h > 0 {
		line, _ := m.tabLine(l.tabs.w)
		dst = append(dst, line)
	}
	top := len(dst)
	overs := m.overs(l)
	if only := l.panes.Panes; len(only) == 1 && !only[0].Titled {
		dst = m.paneRows(dst, only[0])
	} else {
		dst = m.splitRows(dst, l, overs)
	}
	for _, o := range overs {
		if o.w == l.term.w {
			copy(dst[top+o.y-l.term.y:], o.lines)
		}
	}
	return dst
}

// splitRows are panes side by side and one above the other. In each row they
// come in the order of the plan.
func (m *Model) splitRows(dst []string, l layout, overs []over) []string {
	from := len(dst)
	for range l.term.h {
		dst = append(dst, "")
	}
	rows := dst[from:]
	sep := m.th.Dim.Paint("│")
	add := func(at panes.Placed, y int, line string) {
		if at.X > l.term.x {
			line = sep + line
		}
		rows[y-l.term.y] += line
	}
	var lines []string
	for _, at := range l.panes.Panes {
		add(at, at.Title().Y, m.titleLine(at))
		lines = m.paneRows(lines[:0], at)
		for _, o := range overs {
			if o.x == at.X && o.w == at.W && at.Has(o.x, o.y) {
				copy(lines[o.y-at.Y:], o.lines)
			}
		}
		for i, line := range lines {
			add(at, at.Y+i, line)
		}
	}
	return dst
}

// paneRows is one pane.
func (m *Model) paneRows(dst []string, at panes.Placed) []string {
	from := len(dst)
	p := m.pageFor(m.current).pane(at.Pane)
	dst = p.term.Lines(dst, at.W, at.H, m.clusters)
	t, _ := m.thread(m.current)
	info := m.paneInfo(at.Pane)
	switch {
	case info.Shell && info.Ended:
		dst[from+at.H-1] = cells.Fit(" "+m.th.Warn.Paint(endOfShell(info.Exit, at.W-1)), at.W)
	case at.H < 3:
	case at.Pane == session.PaneAgent && !agentRuns(t):
		// What it showed last stays to be read, but for one row.
		s := "no agent runs here · " + m.o.Leader + " u: start it again"
		dst[from+at.H-1] = cells.Fit(" "+m.th.Warn.Paint(s), at.W)
	case !p.term.Live():
		dst[from+at.H/2] = cells.Fit("  "+m.th.Dim.Paint("starting…"), at.W)
	}
	return dst
}

// agentRuns says that a thread's agent runs. A helper whose agent has ended
// may still be there.
func agentRuns(t session.Thread) bool { return t.Live && t.ExitCode == nil }

// endOfShell says in at most w columns that a shell has ended, and which keys
// act on its pane.
func endOfShell(exit, w int) string {
	ended := "ended"
	if exit != 0 {
		ended += ", " + session.ExitWords(exit)
	}
	s := ended + " · enter: start it again · esc: close it"
	if cells.Width(s) > w {
		s = ended + " · enter: again · esc: close"
	}
	if cells.Width(s) > w {
		s = ended + " · enter, esc"
	}
	return s
}

// shellEnded says that the focused pane's shell has ended.
func (m *Model) shellEnded() bool {
	p := m.paneInfo(m.pane().id)
	return p.Shell && p.Ended
}

// infoOf returns what its helper tells of a thread's pane.
func (m *Model) infoOf(thread session.ThreadID, id session.PaneID) session.PaneInfo {
	for _, p := range m.panes[thread] {
		if p.ID == id {
			return p
		}
	}
	return session.PaneInfo{ID: id, Shell: id != session.PaneAgent}
}

// paneInfo is that of a pane of the current thread.
func (m *Model) paneInfo(id session.PaneID) session.PaneInfo { return m.infoOf(m.current, id) }

// paneName is what a pane is called on the screen: the agent by its kind.
func (m *Model) paneName(thread session.ThreadID, p session.PaneInfo) string {
	name := session.CleanLine(p.Label())
	if !p.Shell {
		if t, ok := m.thread(thread); ok && t.Agent != "" {
			name = session.CleanLine(t.Agent)
		}
	}
	return name
}

// titleLine is the title of a pane in a split.
func (m *Model) titleLine(at panes.Placed) string {
	p := m.paneInfo(at.Pane)
	style := m.th.Dim
	if at.Pane == m.pane().id {
		style = m.th.Strong
	}
	name := cells.Cut(m.marked(p), at.W-4)
	line := m.th.Rule(1) + " " + style.Paint(name) + " "
	if n := m.pageFor(m.current).pane(at.Pane).term.Back(); n > 0 {
		line += m.th.Dim.Paint(strconv.Itoa(n)+" lines back") + " "
	}
	return m.settle([]string{cells.Fit(line+m.th.Rule(at.W-cells.Width(line)), at.W)})[0]
}

// marked is a pane's name with its marks: a star for the shell pane that an
// action card would reach, and a sign for one in which an agent is held.
func (m *Model) marked(p session.PaneInfo) string {
	name := m.paneName(m.current, p)
	if p.Active {
		name += "*"
	}
	if slices.ContainsFunc(m.decisions[m.current], func(d session.Decision) bool { return d.Pane == p.ID }) {
		name = "◐ " + name
	}
	return name
}

// tabMost is the longest name of a tab, in columns.
const tabMost = 28

// tabLine is the row of tabs, w columns wide, and what can be clicked in it:
// a tab by its number, and the sign that opens another one.
func (m *Model) tabLine(w int) (string, []intent.Zone) {
	at := m.pageFor(m.current).layout
	names := make([]string, len(at.Tabs))
	each := max(4, (w-len(opener))/len(names))
	from, width := 0, len(opener)
	for i, t := range at.Tabs {
		names[i] = " " + cells.Cut(m.tabName(i, t), min(tabMost, each-2)) + " "
		width += cells.Width(names[i])
	}
	for width > w && from < at.Shown {
		width -= cells.Width(names[from])
		from++
	}
	var b strings.Builder
	var zones []intent.Zone
	x := 0
	for i := from; i < len(names) && x+cells.Width(names[i])+len(opener) <= w; i++ {
		style := m.th.Dim
		if i == at.Shown {
			style = m.th.Chosen
		}
		b.WriteString(style.Paint(names[i]))
		zones = append(zones, intent.Zone{X: x, W: cells.Width(names[i]), Do: intent.OptionN(i)})
		x += cells.Width(names[i])
	}
	b.WriteString(opener)
	zones = append(zones, intent.Zone{X: x, W: len(opener), Do: intent.OpenTab})
	return m.settle([]string{cells.Fit(b.String(), w)})[0], zones
}

// opener is what is clicked to open a tab.
const opener = " + "

// tabName is the number of a tab and what its panes are called.
func (m *Model) tabName(i int, t session.PaneTab) string {
	var names []string
	for _, id := range panes.Panes(t.Root) {
		names = append(names, m.marked(m.paneInfo(id)))
	}
	name := strconv.Itoa(i+1) + " " + strings.Join(names, ", ")
	if t.Zoomed {
		name = strconv.Itoa(i+1) + " " + m.marked(m.paneInfo(t.Focus)) + ", zoomed"
	}
	return name
}
