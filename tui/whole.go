package tui

import (
	"fmt"

	"aside/tui/decisionbar"
	"aside/tui/intent"
)

// wholeHead is how many lines are above the whole detail.
const wholeHead = 2

// wholeBody is the whole detail of the decision that the bar was focused for.
// It is drawn once for each width, since it can be as long as an agent likes.
func (m *Model) wholeBody(w int) []string {
	d, ok := m.decision()
	if !ok || d.ID != m.bar.chosen {
		return nil
	}
	p := &m.reader
	if p.of != d.ID || p.w != w || p.rev != m.rev || p.body == nil {
		p.of, p.w, p.rev = d.ID, w, m.rev
		p.body = m.settle(decisionbar.Body(d, m.th, "", max(1, w-2)))
	}
	return p.body
}

// wholeAnswers are the ways to answer, at the bottom of the whole detail.
func (m *Model) wholeAnswers(r rect) ([]string, []intent.Zone) {
	b, ok := m.barView(r.w)
	if !ok || b.Decision.ID != m.bar.chosen {
		return nil, nil
	}
	b.Whole = true
	lines, zones := b.Answers(m.th, r.w)
	return lines[:min(len(lines), max(0, r.h-wholeHead-1))], zones
}

// wholeLines show the whole detail, what there is above and below it, and the
// answers.
func (m *Model) wholeLines(r rect) ([]string, []intent.Zone) {
	th := m.th
	back := []hint{{"esc", "back", intent.Back}}
	body := m.wholeBody(r.w)
	if body == nil {
		line, zones := m.hintRow(" "+th.Dim.Paint("no longer asked")+"   ", "", back)
		return []string{line}, zones
	}
	d, _ := m.decision()
	answers, _ := m.wholeAnswers(r)
	room := max(1, r.h-wholeHead-len(answers))
	from, to := m.reader.seen(body, room)
	where := ""
	if len(body) > room {
		where = th.Dim.Paint(fmt.Sprintf("lines %d–%d of %d", from+1, to, len(body)))
	}
	head, zones := m.heading(" "+th.Strong.Paint(decisionbar.Heading(d)), where, back, r.w-1)
	lines := []string{head, ""}
	for _, l := range body[from:to] {
		lines = append(lines, " "+l)
	}
	for len(lines) < r.h-len(answers) {
		lines = append(lines, "")
	}
	return append(lines, answers...), zones
}

// readerRoom is how many lines of what is read are seen at once.
func (m *Model) readerRoom() int {
	l := m.layout()
	switch m.top() {
	case intent.ScopeWhole:
		answers, _ := m.wholeAnswers(l.body)
		return l.body.h - wholeHead - len(answers)
	case intent.ScopeWholeCard:
		c, _ := m.card()
		return m.cardRoom(l.body, m.wholeCard(l, c))
	}
	return l.body.h - 1
}

// scrollReader moves what is read by lines, down when by is positive.
func (m *Model) scrollReader(by int) {
	r := m.layout().body
	var lines []string
	switch m.top() {
	case intent.ScopeWhole:
		lines = m.wholeBody(r.w)
	case intent.ScopeWholeCard:
		c, _ := m.card()
		lines, _ = m.cardBody(m.actionView(c), r.w)
	default:
		lines, _ = m.helpLines(r.w)
	}
	m.reader.scroll(lines, max(1, m.readerRoom()), by)
}
