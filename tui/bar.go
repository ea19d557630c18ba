package tui

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"aside/session"
	"aside/tui/composer"
	"aside/tui/decisionbar"
	"aside/tui/intent"
	"aside/tui/panes"

	tea "charm.land/bubbletea/v2"
)

// deadlineShown is how near a deadline must be to be shown
// (contracts/decisions.md, The held connection).
const deadlineShown = time.Minute

// barState is what the decision bar is at. Which decision it shows is the
// first of the current thread's.
type barState struct {
	chosen session.DecisionID // the decision that had been on the screen when the bar got the focus
	busy   session.DecisionID // the one whose answer is under way
	shown  session.DecisionID // the one that is shown, at which question of several, and since when
	step   int
	since  time.Time
	steps  map[session.DecisionID]session.Steps // of those that ask several questions
	option int                                  // the option that a note is written for
	note   *composer.Field
	failed session.Answer // the last one that was not taken: its note is there again
	picked []bool         // choices of a question, while several are picked
	said   flash          // what became of the last one
	of     session.ThreadID
	pane   session.PaneID // that it lies over when no decision waits
}

// near says how much time is left until a deadline that is near, else "".
func (m *Model) near(deadline time.Time) string {
	left := deadline.Sub(m.o.Now())
	switch {
	case deadline.IsZero() || left <= 0 || left >= deadlineShown:
		return ""
	case m.o.ReducedMotion:
		return fmt.Sprintf("less than %d s left", int(deadlineShown/time.Second))
	}
	return fmt.Sprintf("%d s left", int((left+time.Second-1)/time.Second))
}

// decision returns the decision that the bar shows.
func (m *Model) decision() (session.Decision, bool) {
	if ds := m.decisions[m.current]; len(ds) > 0 {
		return ds[0], true
	}
	return session.Decision{}, false
}

// decisionCame adds a decision behind those that wait, or replaces it.
func (m *Model) decisionCame(d session.Decision) tea.Cmd {
	ds := m.decisions[d.Thread]
	for i := range ds {
		if ds[i].ID == d.ID {
			if !reflect.DeepEqual(ds[i].Questions, d.Questions) || !slices.Equal(ds[i].Options, d.Options) {
				m.forget(d.ID)
			}
			ds[i] = d
			return nil
		}
	}
	m.decisions[d.Thread] = append(ds, d)
	return m.notify(d.Thread, decisionbar.Heading(d))
}

// forget drops what is unfinished of a decision that has gone, or that asks
// something else by now.
func (m *Model) forget(id session.DecisionID) {
	delete(m.bar.steps, id)
	if m.bar.chosen == id {
		m.closeNote()
		m.bar.chosen = "" // the keys that follow were meant for what was asked
	}
}

// decisionGone takes a decision away and shows why for a moment.
func (m *Model) decisionGone(id session.DecisionID, reason string) {
	for thread, ds := range m.decisions {
		for i := range ds {
			if ds[i].ID != id {
				continue
			}
			seen := i == 0 && thread == m.current
			m.decisions[thread] = append(ds[:i:i], ds[i+1:]...)
			if len(m.decisions[thread]) == 0 {
				delete(m.decisions, thread)
			}
			m.forget(id)
			if seen {
				m.barSays(thread, ds[i].Pane, about(reason, ds[i]))
			}
			return
		}
	}
}

// about is a sentence with the decision that it is about behind it, where a
// long title takes nothing from it.
func about(sentence string, d session.Decision) string {
	if d.Title == "" {
		return sentence
	}
	return sentence + " · " + d.Title
}

// barTime is how long the bar shows what became of a decision.
const barTime = 4 * time.Second

func (m *Model) barSays(thread session.ThreadID, pane session.PaneID, text string) {
	m.bar.of, m.bar.pane = thread, pane
	m.bar.said = flash{text: session.CleanLine(text), until: m.o.Now().Add(barTime)}
}

// barEmptied takes the focus from a bar that shows nothing any more.
func (m *Model) barEmptied() {
	if _, ok := m.decision(); ok {
		return
	}
	m.without(intent.ScopeWhole)
	m.closeNote()
	m.without(intent.ScopeBar)
}

// timeBar notes since when the bar has shown its decision.
func (m *Model) timeBar() {
	d, _ := m.decision()
	if step := m.bar.steps[d.ID].At; d.ID != m.bar.shown || step != m.bar.step {
		m.bar.shown, m.bar.step, m.bar.since = d.ID, step, m.o.Now()
	}
}

// focusBar gives the bar the focus, for the decision it shows now.
func (m *Model) focusBar() {
	d, ok := m.decision()
	if !ok {
		m.say("nothing waits for an answer here", "")
		return
	}
	if m.covered() && !m.has(intent.ScopeWhole) {
		m.goMain()
	}
	m.takeUp(d)
	m.bar.said = flash{}
	m.keep(intent.ScopeBar)
}

// takeUp makes a decision the one that the bar answers. What is unfinished
// of another one is lost: it must not become an answer to this one.
func (m *Model) takeUp(d session.Decision) {
	if m.bar.chosen != d.ID {
		m.closeNote()
	}
	m.bar.chosen = d.ID
}

// onBar acts on the focused bar. Only the decision that it had been focused
// for is answered; a key that was meant for one that has gone does nothing.
func (m *Model) onBar(do intent.Intent) tea.Cmd {
	d, ok := m.decision()
	switch {
	case do == intent.Back && ok && m.bar.chosen == d.ID && m.bar.busy != d.ID && m.stepBack(d):
		return nil
	case do == intent.Back || !ok:
		// The last decision has gone while the bar had the focus. The key was
		// meant for it, and goes nowhere else.
		m.pop(intent.ScopeBar)
		return nil
	case do == intent.Next:
		if m.bar.chosen == d.ID {
			m.rotate()
		}
		m.focusBar()
		return nil
	case do == intent.Help:
		return m.common(do)
	case m.bar.chosen != d.ID:
		return nil
	}
	return m.onDecision(d, do)
}

// onDecision acts on the decision that is on the screen.
func (m *Model) onDecision(d session.Decision, do intent.Intent) tea.Cmd {
	switch do {
	case intent.Whole:
		m.takeUp(d)
		m.push(intent.ScopeWhole)
		m.reader = pager{}
	case intent.Terminal:
		return m.handOver(d)
	case intent.Send:
		return m.sendSteps(d)
	default:
		if n := do.Option(); n >= 0 {
			return m.choose(d, n)
		}
	}
	return nil
}

// onWhole acts on the whole detail: it is scrolled, and answered.
func (m *Model) onWhole(do intent.Intent) tea.Cmd {
	if do.Option() < 0 && do != intent.Terminal && do != intent.Send {
		return m.onPager(intent.ScopeWhole, do)
	}
	if d, ok := m.decision(); ok && d.ID == m.bar.chosen {
		return m.onDecision(d, do)
	}
	return nil
}

// rotate puts the first decision behind the others.
func (m *Model) rotate() {
	if ds := m.decisions[m.current]; len(ds) > 1 {
		m.decisions[m.current] = append(ds[1:len(ds):len(ds)], ds[0])
	}
}

// letter chooses the option that has the letter in the focused bar.
func (m *Model) letter(key string) tea.Cmd {
	d, ok := m.decision()
	if !ok || m.bar.chosen != d.ID || !d.Answerable {
		return m.onBar(intent.Nothing)
	}
	for i, r := range decisionbar.Letters(m.asksNow(d).Options) {
		if r != 0 && string(r) == key {
			return m.choose(d, m.toSend(d)+i)
		}
	}
	return nil
}

// choose gives option n as the answer, after a note where it takes one.
// Where the answers to several questions are listed, the first numbers are the
// questions'.
func (m *Model) choose(d session.Decision, n int) tea.Cmd {
	asks, questions := m.asksNow(d), m.toSend(d)
	if !d.Answerable || n >= questions+len(asks.Options) || m.bar.busy != "" {
		return nil
	}
	m.without(intent.ScopeWhole)
	note, picked := m.unfinished(d, n-questions)
	m.closeNote()
	m.takeUp(d)
	if n < questions {
		m.stepTo(d, n)
		return nil
	}
	o := asks.Options[n-questions]
	if !o.Note {
		return m.give(d, o, "")
	}
	m.bar.option = n - questions
	m.keep(intent.ScopeBar)
	if choices := asks.Choices(); o.ID == session.OptionSeveral && len(choices) > 0 {
		if m.bar.picked = picked; picked == nil {
			m.bar.picked = m.pickedBefore(d, len(choices))
		}
		m.push(intent.ScopePick)
		return nil
	}
	if m.bar.note = note; note == nil {
		m.bar.note = m.newNote(d, o)
	}
	m.bar.note.Focus()
	m.push(intent.ScopeNote)
	return nil
}

// unfinished is the note to an option, or what is picked for it, as it was when
// something else was looked at.
func (m *Model) unfinished(d session.Decision, option int) (*composer.Field, []bool) {
	if m.bar.chosen != d.ID || m.bar.option != option {
		return nil, nil
	}
	return m.bar.note, m.bar.picked
}

// newNote is the input for a note, with the one that was given before.
func (m *Model) newNote(d session.Decision, o session.Option) *composer.Field {
	note := composer.New(noteHint(d, o), 1)
	if a := m.bar.failed; a.Decision == d.ID && a.Option == o.ID {
		note.SetText(a.Note)
	}
	if r := m.bar.steps[d.ID].Reply(); r.Option == o.ID {
		note.SetText(r.Note)
	}
	return note
}

// noteHint says what belongs into the note of an option.
func noteHint(d session.Decision, o session.Option) string {
	switch {
	case o.ID == session.OptionAnswers:
		return "an answer to each, by number or in words, with ; between: 2; 1,3; as you like"
	case o.NeedsText():
		return "your answer"
	case d.Kind == session.KindPlan:
		return "what to change (may stay empty)"
	}
	return "why, for the agent (may stay empty)"
}

// onNote acts on the input for a note.
func (m *Model) onNote(do intent.Intent) tea.Cmd {
	d, o, ok := m.noted()
	if m.bar.note == nil || do != intent.Send || !ok {
		m.closeNote()
		return nil
	}
	note := session.CleanLine(m.bar.note.Text())
	if note == "" && o.NeedsText() {
		m.barSays(d.Thread, d.Pane, "it is no answer without its text")
		return nil
	}
	m.closeNote()
	return m.give(d, o, note)
}

// onPick acts on the choices that are picked.
func (m *Model) onPick(do intent.Intent) tea.Cmd {
	d, o, ok := m.noted()
	if !ok || do == intent.Back {
		m.closeNote()
		return nil
	}
	if n := do.Option(); n >= 0 {
		if n < len(m.bar.picked) {
			m.bar.picked[n] = !m.bar.picked[n]
		}
		return nil
	}
	if do != intent.Send {
		return nil
	}
	var picked []string
	for i, p := range m.bar.picked {
		if p {
			picked = append(picked, strconv.Itoa(i+1))
		}
	}
	if len(picked) == 0 {
		m.barSays(d.Thread, d.Pane, "nothing is picked")
		return nil
	}
	m.closeNote()
	return m.give(d, o, strings.Join(picked, ","))
}

// noted returns the decision and the option that a note is written for; ok is
// false when that is not what the bar shows any more.
func (m *Model) noted() (session.Decision, session.Option, bool) {
	d, ok := m.decision()
	options := m.asksNow(d).Options
	if !ok || d.ID != m.bar.chosen || m.bar.option >= len(options) {
		return d, session.Option{}, false
	}
	return d, options[m.bar.option], true
}

// closeNote ends the writing of a note, or the picking.
func (m *Model) closeNote() {
	m.bar.note, m.bar.picked = nil, nil
	m.without(intent.ScopeNote)
	m.without(intent.ScopePick)
}

// answer sends an answer, which the label names.
func (m *Model) answer(d session.Decision, given session.Answer, label string) tea.Cmd {
	m.bar.busy = d.ID
	m.bar.said = flash{}
	b, ctx := m.b, m.o.Context
	given.Decision = d.ID
	return func() tea.Msg {
		r, err := b.Answer(ctx, d.Thread, given)
		return answered{d: d, given: given, label: label, receipt: r, err: err}
	}
}

type answered struct {
	d       session.Decision
	given   session.Answer
	label   string
	receipt session.Receipt
	err     error
}

func (a answered) arrive(m *Model) tea.Cmd {
	if m.bar.busy == a.d.ID {
		m.bar.busy = ""
	}
	if a.err != nil {
		m.bar.failed = a.given
		m.barSays(a.d.Thread, a.d.Pane, "! "+explained(a.err))
		return nil
	}
	m.decisionGone(a.d.ID, "answered")
	m.barSays(a.d.Thread, a.d.Pane, about(outcome(a), a.d))
	m.barEmptied()
	return nil
}

// outcome is a receipt in words. Answered means queued to the agent, not
// carried out.
func outcome(a answered) string {
	switch a.receipt.Outcome {
	case session.OutcomeAnswered:
		return "answered, " + a.label
	case session.OutcomeDuplicate:
		first := a.receipt.Option
		if o, ok := a.d.Option(first); ok {
			first = o.Label
		}
		return "it was answered before, " + first
	case session.OutcomeUnknown:
		return "no longer asked"
	case session.OutcomeUnavailable:
		return "the agent has stopped waiting for it"
	}
	return string(a.receipt.Outcome)
}

// handOver leaves the decision to the agent's own prompt, and goes there.
func (m *Model) handOver(d session.Decision) tea.Cmd {
	if m.bar.busy != "" {
		return nil
	}
	m.showTerminal()
	b := m.b
	hand := m.call("leaving it to the terminal", false, func(ctx context.Context) error { return b.HandOver(ctx, d.Thread, d.ID) })
	return tea.Batch(hand, m.focusLayout(panes.Focus(m.pageFor(m.current).layout, d.Pane)))
}

// barView is the bar as it is to be drawn, and whether there is one.
func (m *Model) barView(w int) (decisionbar.Bar, bool) {
	d, ok := m.decision()
	said := ""
	if m.bar.of == m.current {
		said = m.bar.said.text
	}
	if !ok && said == "" {
		return decisionbar.Bar{}, false
	}
	focused := m.has(intent.ScopeBar)
	b := decisionbar.Bar{
		Decision: d, Steps: m.bar.steps[d.ID], Count: len(m.decisions[m.current]), Focused: focused,
		Changed: ok && focused && m.bar.chosen != d.ID, Busy: ok && m.bar.busy == d.ID, Said: said,
	}
	if t, found := m.thread(m.current); found {
		b.Thread = t.Title
	}
	if !focused {
		b.Leader = m.o.Leader
	}
	if d.Pane != session.PaneAgent && ok {
		b.Thread = m.paneName(m.current, m.paneInfo(d.Pane))
	}
	b.Left = m.near(d.Deadline)
	if !b.Changed {
		m.viewUnfinished(&b, w)
	}
	return b, true
}

// viewUnfinished shows what is written or picked just now.
func (m *Model) viewUnfinished(b *decisionbar.Bar, w int) {
	if m.has(intent.ScopePick) {
		b.Picking, b.Picked = true, m.bar.picked
	}
	if m.has(intent.ScopeNote) {
		m.bar.note.SetWidth(max(8, w-12))
		b.Note = m.bar.note.Lines(max(8, w-12))[0]
	}
	if d, o, ok := m.noted(); ok {
		b.Onward = len(d.Questions) > 0 && o.ID != session.OptionDeny
	}
}
