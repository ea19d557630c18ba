package tui

import (
	"slices"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// finishForm is what a person chooses beside the way before the steps of
// finishing a thread are planned. It is kept while the review is.
type finishForm struct {
	message, into *composer.Field
	choices       FinishChoices
	reading       waiting
	onInto        bool // the field that has the focus, or had it last
}

func newFinishForm() *finishForm {
	return &finishForm{message: composer.New("the thread's title", 4), into: composer.New("the branch it came from", 1)}
}

// field is the one that has the focus.
func (f *finishForm) field() *composer.Field {
	if f.onInto {
		return f.into
	}
	return f.message
}

// finish is what the form says: only what the person has changed.
func (f *finishForm) finish(how string) Finish {
	out := Finish{How: how, Message: strings.TrimSpace(f.message.Text())}
	if out.Message == f.choices.Message {
		out.Message = ""
	}
	if how != FinishCommit {
		out.Into = session.CleanLine(f.into.Text())
	}
	if out.Into == f.branch() {
		out.Into = ""
	}
	return out
}

// branch is the one that the work goes into unless another is named.
func (f *finishForm) branch() string {
	if len(f.choices.Branches) > 0 {
		return f.choices.Branches[0]
	}
	return ""
}

// readFinishChoices asks what there is to choose.
func (m *Model) readFinishChoices() tea.Cmd {
	r := m.reviewing
	if r.form == nil {
		r.form = newFinishForm()
	}
	if r.form.reading.cancel != nil {
		return nil
	}
	ctx, b := m.begins(&r.form.reading), m.b
	return func() tea.Msg {
		choices, err := b.FinishChoices(ctx, r.thread)
		return finishChoicesCame{form: r.form, choices: choices, err: stopped(ctx, err)}
	}
}

type finishChoicesCame struct {
	form    *finishForm
	choices FinishChoices
	err     error
}

// arrive fills in what the person has not written.
func (c finishChoicesCame) arrive(m *Model) tea.Cmd {
	f := c.form
	f.reading.end()
	if c.err != nil {
		return nil // the plan says what is wrong
	}
	message, into := f.choices.Message, f.branch()
	f.choices = c.choices
	f.choices.Message = session.CleanLine(c.choices.Message)
	if f.message.Text() == message {
		f.message.SetText(f.choices.Message)
	}
	if f.into.Text() == into {
		f.into.SetText(session.CleanLine(f.branch()))
	}
	return nil
}

// editFinish gives a field of the form the focus.
func (m *Model) editFinish(into bool) {
	f := m.reviewing.form
	f.onInto = into && finishWays()[m.reviewing.finish.way].how != FinishCommit
	f.message.Blur()
	f.into.Blur()
	f.field().Focus()
	m.push(intent.ScopeFinishEdit)
}

// onFinishEdit acts on the form.
func (m *Model) onFinishEdit(do intent.Intent) tea.Cmd {
	r := m.reviewing
	if r == nil || r.form == nil {
		m.without(intent.ScopeFinishEdit)
		return nil
	}
	f := r.form
	switch do {
	case intent.Newline:
		if !f.onInto {
			f.message.Newline()
		}
	case intent.Editor:
		if !f.onInto {
			return m.edit(f.message, "")
		}
	case intent.Next, intent.Previous:
		if f.onInto != (do == intent.Previous) || finishWays()[r.finish.way].how == FinishCommit {
			m.leaveFinishEdit()
			return nil
		}
		m.editFinish(!f.onInto)
	case intent.Up, intent.Down:
		m.stepBranch(f, do)
	case intent.Back:
		m.leaveFinishEdit()
	case intent.Send:
		m.leaveFinishEdit()
		return m.planFinish()
	}
	return nil
}

func (m *Model) leaveFinishEdit() {
	f := m.reviewing.form
	f.message.Blur()
	f.into.Blur()
	m.without(intent.ScopeFinishEdit)
}

// stepBranch takes another of the branches; in the message it moves the
// cursor.
func (m *Model) stepBranch(f *finishForm, do intent.Intent) {
	n, by := len(f.choices.Branches), 1
	if do == intent.Up {
		by = -1
	}
	switch {
	case !f.onInto && do == intent.Up:
		f.message.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	case !f.onInto:
		f.message.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	case n > 0:
		at := slices.Index(f.choices.Branches, f.into.Text())
		if at < 0 && by < 0 {
			at = 0
		}
		f.into.SetText(session.CleanLine(f.choices.Branches[(at+by+n)%n]))
	}
}

// finishLabel is the column of the form at which its fields begin.
const finishLabel = 12

// finishFormLines draw the form, with the line at which each field begins and
// what can be clicked.
func (m *Model) finishFormLines(w int) (lines []string, message, into int, zones []intent.Zone) {
	f, how := m.reviewing.form, finishWays()[m.reviewing.finish.way].how
	if f == nil {
		return nil, 0, 0, nil
	}
	width := max(8, min(w-finishLabel-2, readable))
	row := func(label string, field *composer.Field, do intent.Intent, focused bool) {
		label = cells.Fit("   "+label, finishLabel)
		if focused {
			label = m.th.Accent.Paint(cells.Fit(" › "+strings.TrimSpace(label), finishLabel))
		}
		field.SetWidth(width)
		for _, s := range field.Lines(width) {
			zones = append(zones, intent.Zone{Y: len(lines), W: w, Do: do})
			lines = append(lines, label+s)
			label = strings.Repeat(" ", finishLabel)
		}
	}
	editing := m.top() == intent.ScopeFinishEdit
	row("message", f.message, intent.Edit, editing && !f.onInto)
	into = len(lines)
	switch how {
	case FinishMerge:
		row("into", f.into, intent.Choose, editing && f.onInto)
	case FinishRebase:
		row("on top of", f.into, intent.Choose, editing && f.onInto)
	case FinishPush:
		row("base", f.into, intent.Choose, editing && f.onInto)
	}
	if f.reading.shown(m.o.Now()) {
		lines = append(lines, "   "+m.th.Dim.Paint("looking at the branches…"))
	}
	return lines, message, into, zones
}

// waysLines draw the ways and the form below them.
func (m *Model) waysLines(w int, from int) (lines []string, zones []intent.Zone) {
	th, f := m.th, &m.reviewing.finish
	for i, way := range finishWays() {
		sign := "  "
		if i == f.way {
			sign = th.Accent.Paint("▌ ")
		}
		zones = append(zones, intent.Zone{Y: from + len(lines), W: w, Do: intent.OptionN(i)})
		lines = append(lines, " "+sign+th.Hint(string(rune('1'+i)), way.label))
	}
	lines = append(lines, "")
	form, _, _, at := m.finishFormLines(w)
	for _, z := range at {
		z.Y += from + len(lines)
		zones = append(zones, z)
	}
	hints := []hint{{"enter", "show the steps", intent.Send}, {"tab", "message and branch", intent.Edit}}
	switch {
	case m.top() != intent.ScopeFinishEdit:
	case m.reviewing.form.onInto:
		hints = []hint{hints[0], {"tab", "next", intent.Nothing}, {"↑ ↓", "other branches", intent.Nothing}}
	default:
		hints = []hint{hints[0], {"tab", "next", intent.Choose}, {"shift+enter", "new line", intent.Nothing}}
	}
	row, at := m.hintRow("   ", "   ", hints)
	lines = append(append(lines, form...), "", row)
	zones = append(zones, below(from+len(lines)-1, at)...)
	return append(lines, "", "   "+th.Dim.Paint("Each step is shown before it is done. Nothing is forced.")), zones
}

// finishCursor is the cursor in the form.
func (m *Model) finishCursor(body rect) *tea.Cursor {
	if m.reviewing == nil || m.reviewing.form == nil {
		return nil
	}
	_, message, into, _ := m.finishFormLines(body.w)
	y := body.y + finishHead + len(finishWays()) + 1 + message
	if m.reviewing.form.onInto {
		y += into
	}
	return at(m.reviewing.form.field().Cursor(), body.x+finishLabel, y)
}
