package tui

import (
	"strings"

	"aside/session"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// Several questions that a decision asks at once are answered one after
// another. Where the person is with each decision is kept until that is gone,
// whatever else is looked at meanwhile.

// asksNow is a decision as it is to be answered now.
func (m *Model) asksNow(d session.Decision) session.Decision { return d.Asks(m.bar.steps[d.ID]) }

// toSend is how many answers are listed to be sent, or changed: none before
// every question has one.
func (m *Model) toSend(d session.Decision) int {
	if m.bar.steps[d.ID].Done(d) {
		return len(d.Questions)
	}
	return 0
}

// give takes an option: of several questions it answers the one that is asked
// now and nothing is sent, unless all are declined.
func (m *Model) give(d session.Decision, o session.Option, note string) tea.Cmd {
	if len(d.Questions) == 0 || o.ID == session.OptionDeny {
		return m.answer(d, session.Answer{Option: o.ID, Note: note}, o.Label)
	}
	s := m.bar.steps[d.ID]
	s.Give(session.Reply{Option: o.ID, Note: note})
	m.setSteps(d, s)
	return nil
}

// stepTo asks a question again that has an answer.
func (m *Model) stepTo(d session.Decision, n int) {
	s := m.bar.steps[d.ID]
	s.At = n
	m.setSteps(d, s)
}

// stepBack asks the question before again; false when the first is asked.
func (m *Model) stepBack(d session.Decision) bool {
	s := m.bar.steps[d.ID]
	if !s.Back() {
		return false
	}
	m.setSteps(d, s)
	return true
}

// setSteps goes on with the bar, which has the focus then: the keys that follow
// are for the next question.
func (m *Model) setSteps(d session.Decision, s session.Steps) {
	if m.bar.steps == nil {
		m.bar.steps = map[session.DecisionID]session.Steps{}
	}
	m.bar.steps[d.ID] = s
	m.closeNote() // of another question
	m.bar.said = flash{}
	m.keep(intent.ScopeBar)
}

// sendSteps sends the answers to several questions when each has one, or keeps
// the answer of a question that is asked again.
func (m *Model) sendSteps(d session.Decision) tea.Cmd {
	s := m.bar.steps[d.ID]
	if len(s.Replies) == 0 || !d.Answerable || m.bar.busy != "" {
		return nil
	}
	m.takeUp(d)
	m.without(intent.ScopeWhole)
	if !s.Done(d) {
		s.Keep()
		m.setSteps(d, s)
		return nil
	}
	replies := s.Replies
	said := make([]string, len(replies))
	for i, r := range replies {
		said[i] = d.Questions[i].Said(r)
	}
	return m.answer(d, session.Answer{Option: session.OptionAnswers, Replies: replies}, strings.Join(said, "; "))
}

// pickedBefore are the choices of a question as they were picked when it was
// answered before; none when it was not.
func (m *Model) pickedBefore(d session.Decision, choices int) []bool {
	picked := make([]bool, choices)
	s := m.bar.steps[d.ID]
	if r := s.Reply(); r.Option == session.OptionSeveral {
		for _, n := range d.Questions[s.At].Picked(r) {
			picked[n-1] = true
		}
	}
	return picked
}
