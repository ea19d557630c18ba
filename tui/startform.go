package tui

import (
	"context"
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// startForm is what a person makes of an offer before starting it: its title
// and prompt, and how it is started. It is kept when it is left, and the card
// shows what it says.
type startForm struct {
	proposal session.ProposalID
	fields   map[startRow]*composer.Field
	was      map[startRow]string // what the fields held at first
	row      startRow
	bases    []Base
	base     int // len(bases) is another one, named in its field
	agents   []AgentChoice
	agent    int
	own      int    // the offering thread's agent among them, or -1
	model    string // the offering thread's
	carry    bool
	shared   bool
}

// startRow is a row of the form.
type startRow int

const (
	rowTitle startRow = iota
	rowPrompt
	rowCheckout
	rowBase
	rowRef
	rowCarry
	rowAgent
	rowModel
	rowsEnd
)

func (r startRow) label() string {
	return [...]string{"title", "prompt", "checkout", "base", "", "", "agent", "model"}[r]
}

func (r startRow) typed() bool {
	return r == rowTitle || r == rowPrompt || r == rowRef || r == rowModel
}

// shows says that a row has something to choose now.
func (f *startForm) shows(r startRow) bool {
	switch r {
	case rowBase:
		return !f.shared && len(f.bases) > 0
	case rowRef:
		return f.shows(rowBase) && f.base == len(f.bases)
	case rowCarry:
		return f.shows(rowBase) && f.bases[0].Uncommitted > 0
	case rowAgent:
		return len(f.agents) > 1
	}
	return true
}

// openStart shows the form for a standing offer, at a row.
func (m *Model) openStart(p session.Proposal, row startRow) tea.Cmd {
	st := m.cardFor(p.ID)
	if p.State != session.ProposalStanding || st.busy != "" || p.Starting {
		return nil
	}
	if st.form == nil {
		st.form = m.newStartForm(p)
	}
	st.form.row = row
	m.starting = p.ID
	m.focusStart(st.form)
	b := m.b
	return m.works("looking what it can start from", true, func(ctx context.Context) tea.Msg {
		bases, err := b.Bases(ctx, p.ID)
		return basesCame{id: p.ID, bases: bases, err: err}
	})
}

func (m *Model) newStartForm(p session.Proposal) *startForm {
	f := &startForm{
		proposal: p.ID, agents: m.b.Agents(), own: -1,
		fields: map[startRow]*composer.Field{
			rowTitle: composer.New("title", 1), rowPrompt: composer.New("what the agent is to do", 8),
			rowRef: composer.New("a branch, a tag or a commit", 1), rowModel: composer.New("the agent's own choice", 1),
		},
		was: map[startRow]string{},
	}
	f.fields[rowTitle].SetText(session.CleanLine(p.Title))
	f.fields[rowPrompt].SetText(p.Prompt)
	t, _ := m.thread(p.Thread)
	for i, a := range f.agents {
		if a.Name == t.Agent {
			f.agent, f.own = i, i
		}
	}
	f.model = session.CleanLine(t.Model)
	f.fields[rowModel].SetText(f.model)
	for r, field := range f.fields {
		f.was[r] = field.Text()
	}
	return f
}

type basesCame struct {
	id    session.ProposalID
	bases []Base
	err   error
}

func (b basesCame) arrive(m *Model) tea.Cmd {
	f := m.cardFor(b.id).form
	if b.err != nil {
		m.fail(b.err)
		return nil
	}
	if f == nil {
		return nil
	}
	other := len(f.bases) > 0 && f.base == len(f.bases)
	f.bases = b.bases
	if f.base = min(f.base, max(0, len(b.bases)-1)); other {
		f.base = len(b.bases)
	}
	return nil
}

// changed returns what a field holds, "" where the person has not touched it.
func (f *startForm) changed(r startRow) string {
	text := f.fields[r].Text()
	if r != rowPrompt {
		text = session.CleanLine(text)
	}
	if text == f.was[r] {
		return ""
	}
	return strings.TrimSpace(text)
}

// options are the choices that the form holds.
func (f *startForm) options() StartOptions {
	o := StartOptions{Title: f.changed(rowTitle), Prompt: f.changed(rowPrompt), Model: f.changed(rowModel), Shared: f.shared}
	if f.agent < len(f.agents) && f.agent != f.own {
		o.Agent = f.agents[f.agent].Name
	}
	if f.shared {
		return o
	}
	switch {
	case f.base < len(f.bases):
		o.Base = f.bases[f.base].Ref
	case len(f.bases) > 0:
		o.Base = session.CleanLine(f.fields[rowRef].Text())
	}
	o.Carry = f.carry && f.shows(rowCarry)
	return o
}

// outlook is the chip of the checkout that the choices lead to, "" while they
// are as offered.
func (f *startForm) outlook() string {
	o := f.options()
	switch {
	case o.Shared:
		return "in the project's own work tree, beside what you do there"
	case o.Base == "" && !o.Carry || len(f.bases) == 0:
		return ""
	}
	b := Base{Name: o.Base}
	if f.base < len(f.bases) {
		b = f.bases[f.base]
	}
	s := "own checkout from " + session.CleanLine(b.Name)
	var left []string
	if b.Commits > 0 {
		left = append(left, counted(b.Commits, "commit"))
	}
	switch files := f.bases[0].Uncommitted; {
	case o.Carry:
		s += " · with " + counted(files, "uncommitted file")
	case files > 0:
		left = append(left, counted(files, "uncommitted file"))
	}
	if len(left) > 0 {
		s += " · " + strings.Join(left, " and ") + " left out"
	}
	return s
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// choice says in a few words what is not as it was offered.
func (f *startForm) choice() string {
	o := f.options()
	var parts []string
	switch {
	case o.Title != "" && o.Prompt != "":
		parts = append(parts, "title and prompt as you wrote them")
	case o.Title != "":
		parts = append(parts, "title as you wrote it")
	case o.Prompt != "":
		parts = append(parts, "prompt as you wrote it")
	}
	if o.Agent != "" {
		parts = append(parts, "with "+session.CleanLine(f.agents[f.agent].Label))
	}
	if o.Model != "" {
		parts = append(parts, "model "+o.Model)
	}
	return strings.Join(parts, " · ")
}

// startForm returns the form that is shown, or nil.
func (m *Model) startForm() *startForm {
	if !m.has(intent.ScopeEdit) && !m.has(intent.ScopeChoose) {
		return nil
	}
	return m.cardFor(m.starting).form
}

// focusStart gives the form's row the focus: some are typed in, some chosen.
func (m *Model) focusStart(f *startForm) {
	for r, field := range f.fields {
		if r == f.row {
			field.Focus()
		} else {
			field.Blur()
		}
	}
	m.closeStart()
	if f.row.typed() {
		m.push(intent.ScopeEdit)
	} else {
		m.push(intent.ScopeChoose)
	}
}

// closeStart leaves the form; what it says is kept.
func (m *Model) closeStart() {
	m.without(intent.ScopeEdit)
	m.without(intent.ScopeChoose)
}

// onStart acts on the form.
func (m *Model) onStart(do intent.Intent) tea.Cmd {
	f := m.startForm()
	if f == nil {
		m.closeStart() // its proposal has gone
		return nil
	}
	switch do {
	case intent.Next, intent.Previous:
		f.step(do)
		m.focusStart(f)
	case intent.Left:
		f.choose(-1)
	case intent.Right:
		f.choose(1)
	case intent.Newline:
		if f.row == rowPrompt {
			f.fields[rowPrompt].Newline()
		}
	case intent.Reset:
		if p, ok := m.props[f.proposal]; ok {
			bases := f.bases
			f = m.newStartForm(p)
			f.bases = bases
			m.cardFor(p.ID).form = f
			m.focusStart(f)
		}
	case intent.Back:
		m.closeStart()
	case intent.Send:
		p, ok := m.props[f.proposal]
		m.closeStart()
		if ok {
			return m.start(p, f.options())
		}
	}
	return nil
}

// step moves to the next row that is shown, or to the one before.
func (f *startForm) step(do intent.Intent) {
	by := startRow(1)
	if do == intent.Previous {
		by = -1
	}
	for {
		f.row = (f.row + by + rowsEnd) % rowsEnd
		if f.shows(f.row) {
			return
		}
	}
}

// choose moves the choice of the row that has the focus.
func (f *startForm) choose(by int) {
	cycle := func(at, n int) int { return (at + by + n) % n }
	switch f.row {
	case rowCheckout:
		f.shared = !f.shared
	case rowBase:
		f.base = cycle(f.base, len(f.bases)+1)
	case rowCarry:
		f.carry = !f.carry
	case rowAgent:
		f.agent = cycle(f.agent, len(f.agents))
		f.suit()
	}
}

// suit gives the field for a model what the agent would run with, unless
// something was written there: another agent does not know the thread's.
func (f *startForm) suit() {
	if f.changed(rowModel) != "" {
		return
	}
	model := ""
	if f.agent == f.own {
		model = f.model
	}
	f.fields[rowModel].SetText(model)
	f.was[rowModel] = f.fields[rowModel].Text()
}

// startLabel is the column of the form at which its rows begin.
const startLabel = 12

// startLines draw the form, with the line at which each row begins and what
// can be clicked.
func (m *Model) startLines(w int) (lines []string, at map[startRow]int, zones []intent.Zone) {
	f := m.startForm()
	if f == nil {
		return nil, nil, nil
	}
	th := m.th
	p := m.props[f.proposal]
	width := max(8, min(w-startLabel-1, readable))
	at = map[startRow]int{}
	lines = []string{"", "  " + th.Strong.Paint("Before it starts: ") + session.CleanLine(p.Title), ""}
	for r := rowTitle; r < rowsEnd; r++ {
		if !f.shows(r) {
			continue
		}
		at[r] = len(lines)
		label := cells.Fit("  "+r.label(), startLabel)
		if r == f.row {
			label = th.Accent.Paint(cells.Fit("› "+r.label(), startLabel))
		}
		for _, l := range m.startRow(f, r, width) {
			zones = append(zones, intent.Zone{X: 0, Y: len(lines), W: w, Do: intent.OptionN(int(r))})
			lines = append(lines, label+l)
			label = strings.Repeat(" ", startLabel)
		}
		if r == rowPrompt {
			lines = append(lines, "")
		}
	}
	what := f.outlook()
	if what == "" {
		what = m.cardFor(p.ID).outlook.Text
	}
	for i, l := range cells.Wrap(session.CleanLine(what), max(1, w-4)) {
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, "  "+th.Dim.Paint(l))
	}
	return lines, at, zones
}

// startPage is the form with the hints below it.
func (m *Model) startPage(w int) ([]string, []intent.Zone) {
	f := m.startForm()
	hints := []hint{{"enter", "start", intent.Send}, {"tab", "next", intent.Next}}
	switch {
	case f.row == rowPrompt:
		hints = append(hints, hint{"shift+enter", "new line", intent.Newline})
	case !f.row.typed():
		hints = append(hints, hint{"← →", "choose", intent.Right})
	}
	if hints = append(hints, hint{"esc", "leave", intent.Back}); w >= 76 {
		hints = append(hints, hint{"ctrl+r", "as offered", intent.Reset})
	}
	if m.naming.open() {
		hints = nil // the keys are the list's
	}
	lines, _, _ := m.startLines(w)
	foot, zones := m.hintRow("  ", "   ", hints)
	lines = append(lines, "", foot)
	return lines, below(len(lines)-1, zones)
}

// startRow draws one row.
func (m *Model) startRow(f *startForm, r startRow, w int) []string {
	switch r {
	case rowCheckout:
		which := 0
		if f.shared {
			which = 1
		}
		return []string{m.choices(w, which, "its own", "the project's work tree")}
	case rowBase:
		var names []string
		for i, b := range f.bases {
			name := session.CleanLine(b.Name)
			if i == 0 {
				name += " (as offered)"
			}
			names = append(names, name)
		}
		return []string{m.choices(w, f.base, append(names, "another")...)}
	case rowCarry:
		sign := "[ ]"
		if f.carry {
			sign = "[x]"
		}
		return []string{sign + " take " + counted(f.bases[0].Uncommitted, "uncommitted file") + " along"}
	case rowAgent:
		var labels []string
		for _, a := range f.agents {
			labels = append(labels, session.CleanLine(a.Label))
		}
		return []string{m.choices(w, f.agent, labels...)}
	}
	field := f.fields[r]
	field.SetWidth(w)
	return field.Lines(w)
}

// choices are labels in a row, the chosen one in brackets; it is alone where
// they do not fit.
func (m *Model) choices(w, chosen int, labels ...string) string {
	if cells.Width(strings.Join(labels, "   "))+2 > w && chosen < len(labels) {
		where := fmt.Sprintf("  %d of %d", chosen+1, len(labels))
		return m.th.Strong.Paint("["+cells.Cut(labels[chosen], w-len(where)-2)+"]") + m.th.Dim.Paint(where)
	}
	var parts []string
	for i, l := range labels {
		if i == chosen {
			parts = append(parts, m.th.Strong.Paint("["+l+"]"))
		} else {
			parts = append(parts, m.th.Dim.Paint(" "+l+" "))
		}
	}
	return strings.Join(parts, " ")
}

// startCursor is the cursor in the form's field.
func (m *Model) startCursor(l layout) *tea.Cursor {
	f := m.startForm()
	if f == nil || !f.row.typed() {
		return nil
	}
	_, rows, _ := m.startLines(l.body.w)
	y, ok := rows[f.row]
	if !ok {
		return nil
	}
	return at(f.fields[f.row].Cursor(), l.body.x+startLabel, l.body.y+y)
}

// clickStart goes to the row of the form that was clicked, and chooses there.
func (m *Model) clickStart(x, y, w int) {
	_, _, zones := m.startLines(w)
	f := m.startForm()
	do, ok := intent.Hit(zones, x, y)
	if !ok || f == nil {
		return
	}
	r := startRow(do.Option())
	if r == f.row && !r.typed() {
		f.choose(1)
	}
	f.row = r
	m.focusStart(f)
}
