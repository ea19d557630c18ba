package tui

import (
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// chosenSign stands before the lines of the chosen entry.
const chosenSign = "▎"

// chatLines is the transcript with the composer under it.
func (m *Model) chatLines(l layout) []string {
	p := m.pageFor(m.current)
	lines := make([]string, 0, l.body.h)
	for range m.listRect(l).y - l.chat.y {
		lines = append(lines, strings.Repeat(" ", l.chat.w)) // the bar and the action card
	}
	over := len(lines)
	lines = p.list.Lines(lines)
	m.mark(p, lines[over:])
	if l.rule.y < l.body.y {
		lines = lines[:0]
	} else {
		rule, _ := m.rule(p, l.rule.w)
		lines = append(lines, rule)
	}
	field := p.field.Lines(l.input.w)
	for i := range l.input.h {
		if i < len(field) {
			lines = append(lines, field[i])
		} else {
			lines = append(lines, strings.Repeat(" ", l.input.w))
		}
	}
	lines = lines[:l.body.h]
	m.overFiles(lines, l)
	return lines
}

// mark marks the words that are looked for on the lines of the transcript, and
// the chosen entry while the transcript has the focus.
func (m *Model) mark(p *page, lines []string) {
	for y := 0; y < len(lines); {
		i, line, ok := p.list.At(y)
		if !ok {
			break // below the last one
		}
		drawn := p.list.Block(i).Lines
		on := p.hits.marks(p.item(i), drawn, line, min(len(drawn), line+len(lines)-y))
		for n := range on {
			lines[y+n] = cells.Reverse(lines[y+n], on[n])
		}
		y += len(on)
	}
	if m.top() != intent.ScopeTranscript {
		return
	}
	from, to := p.list.Span(p.chosen())
	for from < to && strings.TrimSpace(cells.Text(lines[from])) == "" {
		from++ // the space that an entry brings
	}
	sign := m.th.Accent.Paint(chosenSign)
	for y := from; y < to; y++ {
		// Every entry leaves its first column free.
		if rest, ok := strings.CutPrefix(lines[y], " "); ok {
			lines[y] = sign + rest
		}
	}
}

// ruleHint is something that can be done, on the line above the composer.
type ruleHint struct {
	key, does string
	do        intent.Intent
}

// ruleHints are what can be done with the transcript while it has the focus,
// and how an agent that has ended is started again, where its pane does not say
// so.
func (m *Model) ruleHints(p *page) []ruleHint {
	t, _ := m.thread(p.thread)
	switch {
	case p.waits(m.o.Now()):
		return []ruleHint{{"esc", "stop", intent.Back}}
	case m.view() == viewTranscript && t.State.Ended() && !agentRuns(t) && p.sending == "" && (t.Problem != "" || m.top() != intent.ScopeTranscript):
		return []ruleHint{{m.o.Leader + " u", "start it again", intent.Resume}}
	case m.top() != intent.ScopeTranscript:
		return nil
	case p.hits.words != "":
		return []ruleHint{{"n", "next", intent.NextHit}, {"N", "before", intent.PrevHit}, {"esc", "leave it", intent.Back}}
	}
	return []ruleHint{{"y", "copy", intent.Copy}, {"X", "save all", intent.Export}}
}

// rule is the line above the composer: what keeps a prompt from its agent, what
// is under way, and what can be done.
func (m *Model) rule(p *page, w int) (string, []intent.Zone) {
	// What is said can be cut, and is read whole elsewhere; a key cannot.
	room := w - 3
	var right string
	var zones []intent.Zone
	for _, h := range m.ruleHints(p) {
		hint := m.th.Hint(h.key, h.does)
		n := cells.Width(hint)
		if room -= n + 2; room < 0 {
			break
		}
		zones = append(zones, intent.Zone{X: cells.Width(right) + 1, W: n, Do: h.do})
		right += " " + hint + " "
	}
	left := m.th.Rule(1)
	if say, room := m.ruleSays(p), w-4-cells.Width(right); say != "" && room > 0 {
		left += " " + cells.Cut(say, room) + " "
	}
	left = m.settle([]string{left})[0]
	if right == "" {
		return left + m.th.Rule(w-cells.Width(left)), nil
	}
	at := w - cells.Width(right) - 1
	for i := range zones {
		zones[i].X += at
	}
	return left + m.th.Rule(at-cells.Width(left)) + right + m.th.Rule(1), zones
}

func (m *Model) ruleSays(p *page) string {
	t, _ := m.thread(p.thread)
	switch {
	case p.sending != "":
		return m.th.Dim.Paint("sending…")
	case p.waits(m.o.Now()):
		return m.th.Dim.Paint("reading…")
	case t.Problem != "":
		return m.th.Bad.Paint("! ") + session.CleanLine(t.Problem)
	case p.hits.words != "":
		return session.CleanLine(p.hits.String())
	case !p.list.Following():
		return m.th.Dim.Paint("more below")
	}
	return ""
}

// clickRule does what is hinted at on the line above the composer.
func (m *Model) clickRule(x, w int) tea.Cmd {
	_, zones := m.rule(m.pageFor(m.current), w)
	if do, ok := intent.Hit(zones, x, 0); ok {
		return m.act(intent.ScopeTranscript, do)
	}
	return nil
}
