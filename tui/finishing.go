package tui

import (
	"context"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"

	tea "charm.land/bubbletea/v2"
)

// finishing is how a thread is being finished: a way is chosen, the steps are
// shown, and each is done with a yes of its own.
type finishing struct {
	way    int    // of finishWays
	as     Finish // what the plan was made for
	plan   []FinishStep
	shown  bool   // the plan is there, maybe empty
	busy   string // what is under way, or ""
	cancel context.CancelFunc
	done   []string // what was done, as sentences
	// problem is what kept a step from being done, and hint what to do.
	problem, hint string
	top           int
	// seen is how many of the lines have been on the screen, from the first.
	seen int
}

// finishWay is a way to finish a thread.
type finishWay struct{ how, label string }

func finishWays() []finishWay {
	return []finishWay{
		{FinishMerge, "merge the branch into another one"},
		{FinishRebase, "rebase: put the branch on top of another one"},
		{FinishPush, "push the branch, for a pull request"},
		{FinishCommit, "commit what is left, and no more"},
	}
}

// openFinish asks how the reviewed thread is to be finished.
func (m *Model) openFinish() tea.Cmd {
	r := m.reviewing
	if r.finish.busy == "" {
		r.finish = finishing{way: r.finish.way}
	}
	m.push(intent.ScopeFinish)
	return m.readFinishChoices()
}

// onFinish acts on how a thread is finished.
func (m *Model) onFinish(do intent.Intent) tea.Cmd {
	r := m.reviewing
	if r == nil {
		m.without(intent.ScopeFinish)
		return nil
	}
	f := &r.finish
	switch do {
	case intent.Back:
		return m.leaveFinish(f)
	case intent.Help:
		return m.common(do)
	case intent.Cancel:
		if f.cancel != nil {
			f.cancel()
		}
		return nil
	}
	if f.busy != "" {
		return nil
	}
	if !f.shown && len(f.done) == 0 {
		return m.onWays(f, do)
	}
	return m.onSteps(f, do)
}

// leaveFinish goes back: from the steps to the ways, and from there to the
// changes, which may be others now.
func (m *Model) leaveFinish(f *finishing) tea.Cmd {
	if f.busy == "" && f.shown && len(f.done) == 0 {
		*f = finishing{way: f.way}
		return nil
	}
	m.without(intent.ScopeFinish)
	if len(f.done) > 0 {
		return m.readChanges()
	}
	return nil
}

// onWays chooses a way.
func (m *Model) onWays(f *finishing, do intent.Intent) tea.Cmd {
	n := len(finishWays())
	switch do {
	case intent.Up:
		f.way = (f.way + n - 1) % n
	case intent.Down:
		f.way = (f.way + 1) % n
	case intent.Send:
		return m.planFinish()
	case intent.Next, intent.Edit:
		m.editFinish(false)
	case intent.Previous, intent.Choose:
		m.editFinish(true)
	default:
		if o := do.Option(); o >= 0 && o < n {
			f.way = o
			return m.planFinish()
		}
	}
	return nil
}

// onSteps acts on the steps that are shown.
func (m *Model) onSteps(f *finishing, do intent.Intent) tea.Cmd {
	page := max(1, m.finishRoom(m.layout().body)-1)
	switch do {
	case intent.Up:
		m.scrollFinish(-1)
	case intent.Down:
		m.scrollFinish(1)
	case intent.PageUp:
		m.scrollFinish(-page)
	case intent.PageDown:
		m.scrollFinish(page)
	case intent.Send:
		if !f.shown || f.problem != "" {
			return m.planFinish()
		}
	case intent.Copy:
		if len(f.plan) > 0 && f.plan[0].ByHand {
			m.say("copied", "")
			return clip(strings.Join(f.plan[0].Commands, "\n"))
		}
	case intent.Yes:
		return m.doStep(f)
	}
	return nil
}

// planFinish asks what there is to do, the way that was chosen.
func (m *Model) planFinish() tea.Cmd {
	r := m.reviewing
	f := &r.finish
	ctx, cancel := context.WithCancel(m.o.Context)
	*f = finishing{way: f.way, busy: "looking what there is to do…", cancel: cancel, done: f.done}
	f.as = r.form.finish(finishWays()[f.way].how)
	as, b := f.as, m.b
	return func() tea.Msg {
		defer cancel()
		steps, err := b.FinishPlan(ctx, r.thread, as)
		return planCame{review: r, steps: steps, err: err}
	}
}

type planCame struct {
	review *reviewing
	steps  []FinishStep
	err    error
}

func (p planCame) arrive(m *Model) tea.Cmd {
	f := &p.review.finish
	f.busy, f.cancel = "", nil
	f.plan, f.shown = p.steps, true
	if p.err != nil {
		f.problem, f.hint = explain(p.err)
	}
	return nil
}

// doStep does the step that is shown, once all of it has been on the screen.
// The next one is shown only when the person asks for it, so that no yes is
// taken for two.
func (m *Model) doStep(f *finishing) tea.Cmd {
	if !f.shown || len(f.plan) == 0 || f.problem != "" {
		return nil
	}
	step := f.plan[0]
	if step.ByHand {
		m.say("this step is yours to do", "c copies its commands")
		return nil
	}
	if _, first := m.stepLines(m.layout().body.w); f.seen < first {
		m.say("it has not been on the screen in full", "↓ shows the rest")
		return nil
	}
	r := m.reviewing
	ctx, cancel := context.WithCancel(m.o.Context)
	f.busy, f.cancel = "doing it…", cancel
	as, b := f.as, m.b
	return func() tea.Msg {
		defer cancel()
		said, err := b.FinishStep(ctx, r.thread, as, step.Token)
		return stepDone{review: r, title: step.Title, said: said, err: err}
	}
}

type stepDone struct {
	review *reviewing
	title  string
	said   string
	err    error
}

// arrive tells what became of a step, also where nobody looks at it any more.
func (s stepDone) arrive(m *Model) tea.Cmd {
	f := &s.review.finish
	f.busy, f.cancel, f.top = "", nil, 0
	if s.err != nil {
		f.problem, f.hint = explain(s.err)
		if !m.has(intent.ScopeFinish) {
			m.fail(s.err)
		}
		return m.reload()
	}
	f.plan, f.shown = nil, false
	f.done = append(f.done, s.said)
	if !m.has(intent.ScopeFinish) {
		m.say(s.said, "")
	}
	return m.reload()
}

// finishHead is how many lines are above the steps.
const finishHead = 2

// finishLines draws the ways, or the steps of the one that was chosen, and
// what can be clicked.
func (m *Model) finishLines(body rect) ([]string, []intent.Zone) {
	th := m.th
	f := &m.reviewing.finish
	title := ""
	if t, ok := m.thread(m.reviewing.thread); ok {
		title = "“" + session.CleanLine(t.Title) + "”"
	}
	back := []hint{{"?", "keys", intent.Help}, {"esc", "back", intent.Back}}
	head, zones := m.heading(" "+th.Strong.Paint("Finish")+" "+title, "", back, body.w-1)
	lines := []string{head, ""}
	if f.busy == "" && !f.shown && len(f.done) == 0 {
		ways, at := m.waysLines(body.w, len(lines))
		return append(lines, ways...), append(zones, at...)
	}
	steps, _ := m.stepLines(body.w)
	room := m.finishRoom(body)
	from := min(f.top, max(0, len(steps)-room))
	lines = append(lines, steps[from:min(from+room, len(steps))]...)
	lines = append(lines, "")
	choices, at := m.hintRow("  ", "   ", finishHints(f))
	return append(lines, choices), append(zones, below(len(lines), at)...)
}

// finishRoom is how many lines of the steps are seen at once.
func (m *Model) finishRoom(body rect) int { return max(1, body.h-finishHead-2) }

// finishHints are what can be done now.
func finishHints(f *finishing) []hint {
	switch {
	case f.busy != "":
		return []hint{{"x", "stop", intent.Cancel}}
	case f.problem != "":
		return []hint{{"enter", "look again", intent.Send}, {"esc", "leave it", intent.Back}}
	case !f.shown:
		return []hint{{"enter", "show what is left to do", intent.Send}, {"esc", "leave it", intent.Back}}
	case len(f.plan) == 0:
		return []hint{{"esc", "leave it", intent.Back}}
	case f.plan[0].ByHand:
		return []hint{{"c", "copy the command", intent.Copy}, {"esc", "leave it", intent.Back}}
	}
	return []hint{{"y", "do this step", intent.Yes}, {"esc", "leave it", intent.Back}}
}

// stepLines are the steps that were done, what went wrong and the steps that
// are left; first is how many of the lines reach to the end of the first step.
func (m *Model) stepLines(w int) (lines []string, first int) {
	th := m.th
	f := &m.reviewing.finish
	for _, d := range f.done {
		lines = append(lines, hung(th.Good.Paint("✓ "), session.CleanLine(d), w, "")...)
	}
	if f.problem != "" {
		lines = append(lines, hung(th.Bad.Paint("✗ "), cells.Clean(f.problem), w, "")...)
		if f.hint != "" {
			lines = append(lines, hung("  ", cells.Clean(f.hint), w, th.Dim)...)
		}
	}
	switch {
	case f.busy != "":
		lines = append(lines, hung("  ", f.busy, w, th.Dim)...)
	case f.shown && len(f.plan) == 0 && f.problem == "":
		lines = append(lines, hung("  ", "Nothing is left to do.", w, "")...)
	}
	for i, s := range f.plan {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, m.stepDrawn(s, i == 0, w)...)
		if i == 0 {
			first = len(lines)
		}
	}
	return lines, first
}

// stepDrawn is one step: the one to be done first, or one that follows.
func (m *Model) stepDrawn(s FinishStep, next bool, w int) []string {
	th := m.th
	title, place := session.MarkLine(s.Title), ""
	switch {
	case s.ByHand:
		place = "For you to run in " + session.MarkLine(m.b.Shown(s.Dir))
	case s.Dir != "":
		place = "in " + session.MarkLine(m.b.Shown(s.Dir))
	}
	lines := hung(th.Dim.Paint("  then: "), title, w, th.Dim)
	if next {
		lines = hung(th.Accent.Paint(theme.Rail+" "), title, w, th.Strong)
	}
	if place != "" {
		lines = append(lines, hung("    ", place, w, th.Dim)...)
	}
	for _, c := range s.Commands {
		lines = append(lines, hung("    $ ", session.MarkLine(c), w, "")...)
	}
	for _, n := range s.Notes {
		lines = append(lines, hung("    ", session.MarkLine(n), w, th.Dim)...)
	}
	return lines
}

// hung wraps text behind a lead that stands at its first line only.
func hung(lead, text string, w int, style theme.Style) []string {
	var lines []string
	for i, s := range cells.Wrap(text, max(8, w-cells.Width(lead)-2)) {
		if i == 1 {
			lead = strings.Repeat(" ", cells.Width(lead))
		}
		lines = append(lines, " "+lead+style.Paint(s))
	}
	return lines
}

// scrollFinish moves the steps, down when by is positive.
func (m *Model) scrollFinish(by int) {
	body := m.layout().body
	lines, _ := m.stepLines(body.w)
	f := &m.reviewing.finish
	f.top = min(max(0, f.top+by), max(0, len(lines)-m.finishRoom(body)))
}

// readSteps notes which lines of the steps are on the screen. Only lines that
// follow on those seen before count.
func (m *Model) readSteps(body rect) {
	if m.reviewing == nil || m.top() != intent.ScopeFinish || !m.reviewing.finish.shown {
		return
	}
	if f := &m.reviewing.finish; f.top <= f.seen {
		f.seen = max(f.seen, f.top+m.finishRoom(body))
	}
}
