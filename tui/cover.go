package tui

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
)

// coverLines is what is shown in place of the body, exactly as high.
func (m *Model) coverLines(r rect) []string {
	var lines []string
	switch {
	case m.has(intent.ScopeHelp):
		lines = m.helpPage(r)
	case m.has(intent.ScopePalette) || m.has(intent.ScopeSearch):
		lines, _ = m.pickLines(r)
	case m.has(intent.ScopeWhole):
		lines = m.wholeLines(r)
	case m.has(intent.ScopeWholeCard):
		lines, _ = m.wholeCardLines(m.layout())
	case m.startForm() != nil:
		lines, _, _ = m.startLines(r.w)
	case m.has(intent.ScopeOffers):
		lines = m.offersLines(r)
	case m.has(intent.ScopeReview):
		lines = m.reviewLines(r)
	case m.has(intent.ScopeNew):
		lines = m.formLines(r)
	case !m.loaded:
		lines = []string{"", "  reading…"}
	}
	out := make([]string, 0, r.h)
	for _, s := range lines[:min(len(lines), r.h)] {
		out = append(out, cells.Fit(s, r.w))
	}
	for len(out) < r.h {
		out = append(out, strings.Repeat(" ", r.w))
	}
	out = m.settle(out)
	m.overFiles(out, m.layout())
	return out
}

// helpKeys is the most columns that keys have in the help; more of them go
// below each other.
const helpKeys = 16

// helpPage is the help as far as it is seen, under a line that says how far.
func (m *Model) helpPage(r rect) []string {
	th := m.th
	lines := m.helpLines(r.w)
	hints := th.Hint("esc", "close")
	from, to := m.reader.seen(lines, max(1, m.readerRoom()))
	if to-from < len(lines) {
		hints = th.Dim.Paint(fmt.Sprintf("lines %d–%d of %d", from+1, to, len(lines))) + "   " + th.Hint("↑↓", "more") + "   " + hints
	}
	return append([]string{" " + cells.Spread(th.Strong.Paint("Keys"), hints, r.w-2)}, lines[from:to]...)
}

// helpLines are printed from the key table, for where the help was asked for.
func (m *Model) helpLines(w int) []string {
	var scopes []intent.Scope
	for i := len(m.focus) - 1; i >= 0; i-- {
		if s := m.focus[i]; s != intent.ScopeHelp {
			scopes = append(scopes, s)
			if !s.FallsThrough() {
				break
			}
		}
	}
	bindings := intent.For(scopes...)
	col := 0
	for _, b := range bindings {
		col = min(max(col, cells.Width(b.Label())), helpKeys)
	}
	var lines []string
	var scope intent.Scope
	for _, b := range bindings {
		if b.Scope != scope {
			scope = b.Scope
			lines = append(lines, "", " "+m.th.Strong.Paint(scope.Title(m.o.Leader)))
		}
		keys, does := cells.Wrap(b.Label(), col), cells.Wrap(b.Sentence, max(10, w-col-4))
		for i := range max(len(keys), len(does)) {
			line := "  " + m.th.Key.Paint(cells.Fit(lineAt(keys, i), col))
			lines = append(lines, line+"  "+lineAt(does, i))
		}
	}
	if m.focus[0] == intent.ScopeTerminal {
		lines = append(lines, "", "  Every other key is the focused pane's; "+m.o.Leader+" twice sends it "+m.o.Leader+".")
	}
	return lines[1:]
}

// lineAt returns a line, or "" behind the last.
func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// filterIndent is the column at which the filter's input begins.
const filterIndent = 9

func (m *Model) offersLines(r rect) []string {
	th := m.th
	head := " " + th.Strong.Paint("Offers") + "  " + th.Dim.Paint(fmt.Sprintf("%d standing", len(m.standing())))
	hints := th.Hint("s", "start") + "  " + th.Hint("n", "not now") + "  " + th.Hint("b", "bring back") + "  " +
		th.Hint("/", "filter") + "  " + th.Hint("esc", "back")
	if r.w < 80 {
		hints = th.Hint("/", "filter") + "  " + th.Hint("?", "keys") + "  " + th.Hint("esc", "back")
	}
	switch {
	case m.filter != nil:
		m.filter.SetWidth(max(8, r.w-filterIndent))
		head = cells.Fit(" filter: ", filterIndent) + m.filter.Lines(max(8, r.w-filterIndent))[0]
		hints = ""
	case m.filtered != "":
		head += th.Dim.Paint(" · with " + m.filtered)
	}
	lines := []string{cells.Fit(cells.Spread(head, hints, r.w-1), r.w), ""}
	if m.list.Len() == 0 {
		return append(lines, "  "+th.Dim.Paint("none"))
	}
	return m.list.Lines(lines)
}

// formIndent is the column at which the form's field begins.
const formIndent = 2

// formHead is what is above the form's field: how to begin, the first time.
func (m *Model) formHead(w int) []string {
	th := m.th
	if m.form == nil || !m.form.first {
		return []string{"", "  " + th.Strong.Paint("New thread") + th.Dim.Paint(" in "+session.CleanLine(m.b.Shown(m.b.Project()))), ""}
	}
	lines := []string{"", "  " + th.Strong.Paint("No threads here yet. Write what is to be done."), ""}
	if w >= 56 {
		lines = append(lines,
			"  An agent does it in a terminal of its own. All keys there",
			"  are the agent's, but "+m.o.Leader+" and the key after it:", "")
	}
	for _, h := range [][2]string{
		{"1", "answers what it asks; a bar shows it"},
		{"o", "its offers: start, not now, bring back"},
		{"n", "another thread"},
		{"?", "all keys"},
		{"q", "closes the screen; agents go on"},
	} {
		lines = append(lines, "  "+th.Hint(m.o.Leader+" "+h[0], " "+h[1]))
	}
	return append(lines, "")
}

// formFoot is how many rows there may be below the form's field.
const formFoot = 6

func (m *Model) formLines(r rect) []string {
	f, w := m.form, r.w
	if f == nil {
		return nil
	}
	th := m.th
	lines := m.formHead(w)
	width := max(8, min(w-2*formIndent, 100))
	f.field.SetWidth(width)
	f.field.SetRoom(r.h - len(lines) - formFoot)
	for _, l := range f.field.Lines(width) {
		lines = append(lines, strings.Repeat(" ", formIndent)+l)
	}
	lines = append(lines, "", "  "+m.agentChoice(w-11))
	switch {
	case f.busy:
		doing := "starting…"
		if f.doing != "" {
			doing = "starting: " + f.doing + "…"
		}
		lines = append(lines, "", "  "+th.Dim.Paint(doing)+"   "+th.Hint("ctrl+x", "stop"))
	case f.problem != "":
		lines = append(lines, "", "  "+th.Bad.Paint("! ")+session.CleanLine(f.problem))
	}
	hints := th.Hint("enter", "start") + "   " + th.Hint("shift+enter", "new line") + "   " + th.Hint("tab", "next agent")
	if !f.first {
		hints += "   " + th.Hint("esc", "leave")
	}
	return append(lines, "", "  "+hints)
}

// agentChoice is the row of agents, the chosen one in brackets.
func (m *Model) agentChoice(w int) string {
	f := m.form
	if len(f.agents) == 0 {
		return m.th.Warn.Paint("no agent is installed here: install one, or try aside demo")
	}
	var labels []string
	for _, a := range f.agents {
		label := session.CleanLine(a.Label)
		if label == "" {
			label = session.CleanLine(a.Name)
		}
		labels = append(labels, label)
	}
	return "agent: " + m.choices(w, f.agent, labels...)
}
