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
		lines = m.helpLines(r.w)
		lines = lines[min(m.reader.top, len(lines)):]
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
		lines = m.formLines(r.w)
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
	return m.settle(out)
}

// helpKeys is the width of the column of keys in the help.
const helpKeys = 24

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
	lines := []string{" " + m.th.Strong.Paint("Keys") + "   " + m.th.Hint("esc", "close")}
	var scope intent.Scope
	for _, b := range intent.For(scopes...) {
		if b.Scope != scope {
			scope = b.Scope
			lines = append(lines, "", " "+m.th.Strong.Paint(scope.Title(m.o.Leader)))
		}
		keys := m.th.Key.Paint(cells.Fit(b.Label(), helpKeys))
		for i, l := range cells.Wrap(b.Sentence, max(10, w-helpKeys-4)) {
			if i > 0 {
				keys = strings.Repeat(" ", helpKeys)
			}
			lines = append(lines, "  "+keys+" "+l)
		}
	}
	if m.focus[0] == intent.ScopeTerminal {
		lines = append(lines, "", "  Every other key is the agent's; "+m.o.Leader+" twice sends it "+m.o.Leader+".")
	}
	return lines
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
		return []string{"", "  " + th.Strong.Paint("New thread"), ""}
	}
	key := func(k, does string) string {
		return "  " + th.Hint(cells.Fit(m.o.Leader+k, len(m.o.Leader)+2), " "+does)
	}
	lines := []string{
		"",
		"  " + th.Strong.Paint("No threads here yet. Write what is to be done."),
		"",
		"  A thread is an agent at work in a terminal of its own.",
	}
	if w >= 56 {
		lines = append(lines,
			"  What it is held on shows in a bar above it; further work",
			"  it offers becomes a card, and waits until you answer.", "")
	}
	return append(lines,
		key("", "then a key speaks to aside; in a terminal"),
		"  "+strings.Repeat(" ", len(m.o.Leader)+4)+"all other keys are the agent's",
		key(" ?", "shows the keys"), key(" q", "closes the screen; agents go on"), "")
}

func (m *Model) formLines(w int) []string {
	f := m.form
	if f == nil {
		return nil
	}
	th := m.th
	lines := m.formHead(w)
	width := max(8, min(w-2*formIndent, 100))
	f.field.SetWidth(width)
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
