package tui

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// cover is what is shown in place of the body, and the hints in it, for the
// scope that is on top.
func (m *Model) cover(r rect) (lines []string, hints []intent.Zone) {
	switch {
	case m.has(intent.ScopeHelp):
		return m.helpPage(r)
	case m.has(intent.ScopePalette) || m.has(intent.ScopeSearch):
		lines, _, hints = m.pickLines(r)
		return lines, hints
	case m.has(intent.ScopeWhole):
		return m.wholeLines(r)
	case m.has(intent.ScopeWholeCard):
		return m.wholeCardLines(m.layout())
	case m.startForm() != nil:
		return m.startPage(r.w)
	case m.has(intent.ScopeOffers):
		return m.offersLines(r)
	case m.has(intent.ScopeReview):
		return m.reviewLines(r)
	case m.has(intent.ScopeNew):
		return m.formLines(r)
	case !m.loaded:
		return []string{"", "  reading…"}, nil
	}
	return nil, nil
}

// coverLines are the lines of the cover, exactly as many as there are rows.
func (m *Model) coverLines(r rect) []string {
	lines, _ := m.cover(r)
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
func (m *Model) helpPage(r rect) ([]string, []intent.Zone) {
	th := m.th
	lines, _ := m.helpLines(r.w)
	say, hints := "", []hint{{"esc", "close", intent.Back}}
	from, to := m.reader.seen(lines, max(1, m.readerRoom()))
	if to-from < len(lines) {
		say = th.Dim.Paint(fmt.Sprintf("lines %d–%d of %d", from+1, to, len(lines)))
		hints = []hint{{"↑↓", "more", intent.PageDown}, {"esc", "close", intent.Back}}
	}
	head, zones := m.heading(" "+th.Strong.Paint("Keys"), say, hints, r.w-1)
	return append([]string{head}, lines[from:to]...), zones
}

// clickHelp does what a line of the help says, where the help was asked for.
func (m *Model) clickHelp(y int, r rect) tea.Cmd {
	lines, does := m.helpLines(r.w)
	from, to := m.reader.seen(lines, max(1, m.readerRoom()))
	i := from + y - 1
	if i < from || i >= to || i >= len(does) || does[i].Do == intent.Nothing || does[i].Do == intent.Answer {
		return nil
	}
	m.without(intent.ScopeHelp)
	return m.act(does[i].Scope, does[i].Do)
}

// helpLines are printed from the key table, for where the help was asked for.
// Each has the binding that it tells of.
func (m *Model) helpLines(w int) (lines []string, does []intent.Binding) {
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
	add := func(b intent.Binding, line string) {
		lines, does = append(lines, line), append(does, b)
	}
	var scope intent.Scope
	for _, b := range bindings {
		if b.Scope != scope {
			scope = b.Scope
			add(intent.Binding{}, "")
			add(intent.Binding{}, " "+m.th.Strong.Paint(scope.Title(m.o.Leader)))
		}
		keys, says := cells.Wrap(b.Label(), col), cells.Wrap(b.Sentence, max(10, w-col-4))
		for i := range max(len(keys), len(says)) {
			line := "  " + m.th.Key.Paint(cells.Fit(lineAt(keys, i), col))
			add(b, line+"  "+lineAt(says, i))
		}
	}
	if m.focus[0] == intent.ScopeTerminal {
		lines = append(lines, "", "  Every other key is the focused pane's; "+m.o.Leader+" twice sends it "+m.o.Leader+".")
	}
	return lines[1:], does[1:]
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

func (m *Model) offersLines(r rect) ([]string, []intent.Zone) {
	th := m.th
	head := " " + th.Strong.Paint("Offers") + "  " + th.Dim.Paint(fmt.Sprintf("%d standing", len(m.standing())))
	hints := []hint{
		{"s", "start", intent.Start},
		{"n", "not now", intent.NotNow},
		{"b", "bring back", intent.BringBack},
		{"/", "filter", intent.Filter},
		{"esc", "back", intent.Back},
	}
	if r.w < 80 {
		hints = []hint{{"/", "filter", intent.Filter}, {"?", "keys", intent.Help}, {"esc", "back", intent.Back}}
	}
	switch {
	case m.filter != nil:
		w := max(8, r.w-filterIndent-1)
		m.filter.SetWidth(w)
		head = cells.Fit(" filter: ", filterIndent) + m.filter.Lines(w)[0]
		hints = nil
	case m.filtered != "":
		head += th.Dim.Paint(" · with " + m.filtered)
	}
	head, zones := m.heading(head, "", hints, r.w-1)
	lines := []string{head, ""}
	if m.list.Len() == 0 {
		return append(lines, "  "+th.Dim.Paint("none")), zones
	}
	return m.list.Lines(lines), zones
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

func (m *Model) formLines(r rect) ([]string, []intent.Zone) {
	f, w := m.form, r.w
	if f == nil {
		return nil, nil
	}
	th := m.th
	lines := m.formHead(w)
	width := max(8, min(w-2*formIndent, 100))
	f.field.SetWidth(width)
	f.field.SetRoom(r.h - len(lines) - formFoot)
	for _, l := range f.field.Lines(width) {
		lines = append(lines, strings.Repeat(" ", formIndent)+l)
	}
	agent := intent.Zone{Y: len(lines) + 1, W: w, Do: intent.Next}
	lines = append(lines, "", "  "+m.agentChoice(w-11))
	stop := intent.Zone{Do: intent.Cancel}
	switch {
	case f.busy:
		doing := "starting…"
		if f.doing != "" {
			doing = "starting: " + f.doing + "…"
		}
		doing = "  " + th.Dim.Paint(doing) + "   "
		stop.X, stop.Y, stop.W = cells.Width(doing), len(lines)+1, len("ctrl+x stop")
		lines = append(lines, "", doing+th.Hint("ctrl+x", "stop"))
	case f.problem != "":
		lines = append(lines, "", "  "+th.Bad.Paint("! ")+session.CleanLine(f.problem))
	}
	hints := []hint{{"enter", "start", intent.Send}, {"shift+enter", "new line", intent.Newline}, {"tab", "next agent", intent.Next}}
	if !f.first {
		hints = append(hints, hint{"esc", "leave", intent.Back})
	}
	if m.naming.open() {
		hints = nil // the keys are the list's
	}
	foot, zones := m.hintRow("  ", "   ", hints)
	lines = append(lines, "", foot)
	return lines, append(below(len(lines)-1, zones), agent, stop)
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
