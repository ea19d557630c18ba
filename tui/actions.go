package tui

import (
	"strconv"
	"strings"
	"time"

	"aside/session"
	"aside/tui/actioncard"
	"aside/tui/cells"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// actState is what the screen keeps of the action card that has the focus.
type actState struct {
	card   session.CardID // the one that had been on the screen when it got the focus
	target session.PaneID // and the shell that it named
	chosen int            // from 1, or 0: nothing is chosen for a stray key
	busy   session.CardID // the one whose answer is under way
	shown  time.Time      // when a click gave it the focus, and its answers came under the pointer
	// read is how many lines of the body have been on the screen one after
	// the other, in the whole view of this width; see readCard.
	read, readW int
}

// card returns the action card of the current thread.
func (m *Model) card() (session.ActionCard, bool) {
	c, ok := m.actionCards[m.current]
	return c, ok
}

// cardCame takes an action card: one that waits, or the end of one. It gets no
// key before the person has gone to it.
func (m *Model) cardCame(c session.ActionCard) tea.Cmd {
	had, ok := m.actionCards[c.Thread]
	if c.State == session.CardPending && len(c.Choices) > 0 {
		m.actionCards[c.Thread] = c
		if ok && had.ID == c.ID {
			return nil
		}
		return m.notify(c.Thread, "proposes commands for your terminal")
	}
	if !ok || had.ID != c.ID {
		return nil
	}
	delete(m.actionCards, c.Thread)
	if m.deed.busy != c.ID {
		m.barSays(c.Thread, session.PaneAgent, endOfCard(c.State, c.Reason)+" · "+had.Choices[0].Title)
	}
	return nil
}

// endOfCard is what became of a card, in words.
func endOfCard(s session.CardState, reason string) string {
	word := map[session.CardState]string{
		session.CardConfirmed: "done", session.CardCancelled: "cancelled", session.CardSuperseded: "out of date",
		session.CardSessionReplaced: "the conversation has ended", session.CardTimedOut: "time ran out",
		session.CardUnavailable: "it could not be done", session.CardWithdrawn: "the agent no longer asks",
	}[s]
	if reason != "" {
		word += ": " + reason
	}
	return word
}

// focusCard gives the action card the focus, as it is now.
func (m *Model) focusCard() {
	c, ok := m.card()
	if !ok {
		m.say("no commands are proposed here", "")
		return
	}
	if m.covered() && !m.has(intent.ScopeWholeCard) {
		m.goMain()
	}
	if m.deed.card != c.ID {
		m.deed.chosen = 0
	}
	if m.deed.card != c.ID || m.deed.target != c.Target {
		m.deed.read = 0
	}
	m.deed.card, m.deed.target = c.ID, c.Target
	if len(c.Choices) == 1 {
		m.deed.chosen = 1
	}
	m.keep(intent.ScopeActions)
}

// sameCard says that the card on the screen is the one that got the focus, and
// names the same shell.
func (m *Model) sameCard(c session.ActionCard) bool {
	return c.ID == m.deed.card && c.Target == m.deed.target
}

// onActions acts on the focused action card, or on the whole of it.
func (m *Model) onActions(do intent.Intent) tea.Cmd {
	c, ok := m.card()
	switch {
	case !ok:
		// It has gone while it had the focus. The key was meant for it, and
		// goes nowhere else.
		m.leaveCard()
		return nil
	case do == intent.Next:
		m.focusCard()
		return nil
	case do == intent.Help:
		return m.common(do)
	case do == intent.Back:
		m.without(intent.ScopeWholeCard)
		return nil
	case !m.sameCard(c):
		return nil
	}
	return m.onCardChoice(c, do)
}

// onCardChoice acts on the card that is on the screen.
func (m *Model) onCardChoice(c session.ActionCard, do intent.Intent) tea.Cmd {
	n := len(c.Choices)
	switch do {
	case intent.Up:
		m.deed.chosen = (max(m.deed.chosen, 1)+n-2)%n + 1
	case intent.Down:
		m.deed.chosen = m.deed.chosen%n + 1
	case intent.Whole:
		m.reader = pager{}
		m.push(intent.ScopeWholeCard)
	case intent.PageUp, intent.PageDown, intent.Top, intent.Bottom:
		return m.onPager(intent.ScopeWholeCard, do)
	case intent.Run:
		return m.confirmCard(c, false)
	case intent.Insert:
		return m.confirmCard(c, true)
	case intent.Cancel:
		return m.cancelCard(c)
	default:
		if o := do.Option(); o >= 0 && o < n {
			m.deed.chosen = o + 1
		}
	}
	return nil
}

// confirmCard has the chosen choice done. What has not been on the screen in
// full cannot be confirmed.
func (m *Model) confirmCard(c session.ActionCard, insert bool) tea.Cmd {
	switch n := m.deed.chosen; {
	case m.deed.busy != "":
		return nil
	case n < 1 || n > len(c.Choices):
		m.say("choose first, with ↑ and ↓", "")
		return nil
	case insert && !c.Choices[n-1].Insertable():
		m.say("this cannot be inserted", "")
		return nil
	case m.unread(m.layout(), c):
		m.say("it has not been on the screen in full", "d shows it whole")
		return nil
	}
	m.deed.busy = c.ID
	answer := session.Confirmation{Card: c.ID, Choice: m.deed.chosen, Insert: insert, Target: m.deed.target, Bound: true}
	b, ctx := m.b, m.o.Context
	return func() tea.Msg {
		r, err := b.Confirm(ctx, c.Thread, answer)
		return cardAnswered{card: c, receipt: r, err: err}
	}
}

func (m *Model) cancelCard(c session.ActionCard) tea.Cmd {
	if m.deed.busy != "" {
		return nil
	}
	m.deed.busy = c.ID
	b, ctx := m.b, m.o.Context
	return func() tea.Msg {
		r, err := b.CancelCard(ctx, c.Thread, c.ID)
		return cardAnswered{card: c, receipt: r, err: err}
	}
}

// cardAnswered is what became of an answer to a card.
type cardAnswered struct {
	card    session.ActionCard
	receipt session.CardReceipt
	err     error
}

func (a cardAnswered) arrive(m *Model) tea.Cmd {
	m.deed.busy = ""
	if a.err != nil {
		m.barSays(a.card.Thread, session.PaneAgent, "! "+explained(a.err))
		return nil
	}
	if had := m.actionCards[a.card.Thread]; had.ID == a.card.ID {
		delete(m.actionCards, a.card.Thread)
	}
	said := endOfCard(a.receipt.State, a.receipt.Reason)
	switch a.receipt.Outcome {
	case session.OutcomeDuplicate:
		said = "it was answered before: " + said
	case session.OutcomeUnknown:
		said = "no longer asked"
	}
	// What was confirmed is to be seen. The focus goes along only where it
	// would be out of sight.
	p := m.pageFor(a.card.Thread)
	p.revealed, p.unplaced = append(p.revealed, a.receipt.Panes...), true
	title := a.card.Choices[0].Title
	if n := a.receipt.Choice; n > 0 && n <= len(a.card.Choices) {
		title = a.card.Choices[n-1].Title
	}
	m.barSays(a.card.Thread, session.PaneAgent, said+" · "+title)
	m.leaveCard()
	return m.reload()
}

// leaveCard takes the focus from the action card.
func (m *Model) leaveCard() {
	m.without(intent.ScopeWholeCard)
	m.without(intent.ScopeActions)
}

// actionView is the card as it is to be drawn, but for whether it was read.
func (m *Model) actionView(c session.ActionCard) actioncard.Card {
	v := actioncard.Card{
		Card: c, Focused: m.has(intent.ScopeActions), Busy: m.deed.busy == c.ID, Reach: m.o.Leader + " e",
	}
	v.Left = m.near(c.Deadline)
	v.Changed = v.Focused && !m.sameCard(c)
	if v.Focused && c.ID == m.deed.card {
		v.Chosen = min(m.deed.chosen, len(c.Choices))
	}
	for _, p := range m.panes[c.Thread] {
		if p.ID == c.Target {
			v.Target = m.paneName(c.Thread, p)
			if t, _ := m.thread(c.Thread); p.Cwd != "" && p.Cwd != t.Cwd {
				v.Target += ", " + within(t.Cwd, p.Cwd)
			}
		}
	}
	if v.Target == "" {
		v.Target = string(c.Target)
	}
	return v
}

// within names a folder by its way from another one that it is in.
func within(root, dir string) string {
	if rest, ok := strings.CutPrefix(dir, root+"/"); ok && root != "" {
		return "./" + rest
	}
	return dir
}

// cardRect is the room that the action card has: over the agent's pane, under
// the decision bar where that lies there too.
func (m *Model) cardRect(l layout) rect {
	r := l.overRect(session.PaneAgent)
	room := r.h * 3 / 4
	if bar := m.barRect(l); bar.x < r.x+r.w && r.x < bar.x+bar.w {
		lines, _ := m.barLines(l)
		switch bar.h = len(lines); {
		case bar.h == 0:
		case bar.y > r.y:
			room = min(room, bar.y-r.y)
		case bar.y+bar.h > r.y:
			room -= bar.y + bar.h - r.y
			r.y = bar.y + bar.h
		}
	}
	r.h = max(0, room)
	return r
}

// actionLines is the action card over what is shown now.
func (m *Model) actionLines(l layout) ([]string, []intent.Zone) {
	c, ok := m.card()
	r := m.cardRect(l)
	if !ok || r.w == 0 || r.h < 1 || m.covered() {
		return nil, nil
	}
	v := m.actionView(c)
	v.Unread = m.unread(l, c)
	lines, zones := v.Draw(m.th, r.w, r.h)
	return m.settle(lines), zones
}

// unread says that the chosen choice has not been on the screen in full: the
// card does not fit over the pane, and was not read to there in the whole view.
func (m *Model) unread(l layout, c session.ActionCard) bool {
	v := m.actionView(c)
	if r := m.cardRect(l); !m.has(intent.ScopeWholeCard) && v.Fits(m.th, r.w, r.h) {
		return false
	}
	if m.deed.readW != l.body.w || v.Chosen == 0 {
		return true
	}
	_, ends := m.cardBody(v, l.body.w)
	return m.deed.read < ends[v.Chosen-1]
}

// cardBody is the body of the card in the whole view.
func (m *Model) cardBody(v actioncard.Card, w int) ([]string, []int) {
	return v.Body(m.th, "", max(1, w-2))
}

// cardRoom is how many lines of the body the whole view shows at once.
func (m *Model) cardRoom(r rect, v actioncard.Card) int {
	answers, _ := v.Answers(m.th, r.w)
	return max(1, r.h-wholeHead-len(answers))
}

// readCard notes which lines of the card are on the screen in the whole view.
// Only lines that follow on those read before count: a jump to the end leaves
// out what is between.
func (m *Model) readCard(l layout) {
	c, ok := m.card()
	if !ok || m.top() != intent.ScopeWholeCard || !m.sameCard(c) {
		return
	}
	if m.deed.readW != l.body.w {
		m.deed.read, m.deed.readW = 0, l.body.w
	}
	if from := m.reader.view.YOffset(); from <= m.deed.read {
		m.deed.read = max(m.deed.read, from+m.cardRoom(l.body, m.wholeCard(l, c)))
	}
}

// wholeCard is the card as the whole view draws it.
func (m *Model) wholeCard(l layout, c session.ActionCard) actioncard.Card {
	v := m.actionView(c)
	v.Whole, v.Unread = true, m.unread(l, c)
	return v
}

// wholeCardLines are the whole of the card, what there is above and below, and
// what can be done with it.
func (m *Model) wholeCardLines(l layout) ([]string, []intent.Zone) {
	c, ok := m.card()
	if !ok {
		return []string{" " + m.th.Dim.Paint("no longer proposed") + "   " + m.th.Hint("tab", "back")}, nil
	}
	v := m.wholeCard(l, c)
	r := l.body
	body, ends := m.cardBody(v, r.w)
	room := m.cardRoom(r, v)
	from, to := m.reader.seen(body, room)
	where := "lines " + strconv.Itoa(from+1) + "–" + strconv.Itoa(to) + " of " + strconv.Itoa(len(body))
	lines := []string{" " + cells.Spread(m.th.Strong.Paint(v.Heading()), m.th.Dim.Paint(where)+"   "+m.th.Hint("d", "back"), r.w-2), ""}
	var zones []intent.Zone
	for y := from; y < to; y++ {
		for i, end := range ends {
			if y < end {
				zones = append(zones, intent.Zone{X: 0, Y: len(lines), W: r.w, Do: intent.OptionN(i)})
				break
			}
		}
		lines = append(lines, " "+body[y])
	}
	answers, more := v.Answers(m.th, r.w)
	for len(lines) < r.h-len(answers) {
		lines = append(lines, "")
	}
	for _, z := range more {
		z.Y += len(lines)
		zones = append(zones, z)
	}
	return append(lines, answers...), zones
}

// clickCard acts on the action card: the click names what is on the screen.
// The second click of a pair was meant for what the first one was on, and not
// for the answer that has come in its place.
func (m *Model) clickCard(do intent.Intent) tea.Cmd {
	c, ok := m.card()
	if !ok {
		return nil
	}
	now := m.o.Now()
	if !m.has(intent.ScopeActions) {
		m.focusCard()
		m.deed.shown = now
		if do == intent.Card {
			return nil
		}
	}
	answers := do == intent.Run || do == intent.Insert || do == intent.Cancel
	switch {
	case do == intent.Next || !m.sameCard(c):
		m.focusCard()
		m.deed.shown = now
		return nil
	case answers && now.Sub(m.deed.shown) < clickTime:
		return nil
	}
	return m.onCardChoice(c, do)
}
