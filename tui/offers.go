package tui

import (
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/transcript"

	tea "charm.land/bubbletea/v2"
)

// offersPage is how many offers a page key passes.
const offersPage = 10

// offersHead is how many lines are above the list.
const offersHead = 2

// openOffers shows all offers across threads, with one of them chosen: the
// newest standing one where none is named.
func (m *Model) openOffers(id session.ProposalID) {
	if id == "" && len(m.offers) > 0 {
		id = m.offers[0].ID
	}
	m.offer = id
	m.filter, m.filtered = nil, ""
	m.base(intent.ScopeOffers)
	m.listOffers()
	m.revealOffer()
}

// listOffers gives the list the offers that the filter lets through.
func (m *Model) listOffers() {
	var items []transcript.Item
	found := false
	for _, p := range m.offers {
		if !m.lets(p) {
			continue
		}
		items = append(items, offerItem{m: m, p: p})
		found = found || p.ID == m.offer
	}
	if !found {
		m.offer = ""
		if len(items) > 0 {
			m.offer = items[0].(offerItem).p.ID
		}
	}
	m.list.SetItems(items, true)
}

// lets says that an offer holds every word of the filter.
func (m *Model) lets(p session.Proposal) bool {
	text := strings.ToLower(p.Title + " " + p.Summary + " " + m.title(p.Thread))
	for word := range strings.FieldsSeq(strings.ToLower(m.filtered)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (m *Model) title(id session.ThreadID) string {
	t, _ := m.thread(id)
	return t.Title
}

// listed returns the ids in the list, and the place of the chosen one.
func (m *Model) listed() (ids []session.ProposalID, at int) {
	for _, p := range m.offers {
		if m.lets(p) {
			if p.ID == m.offer {
				at = len(ids)
			}
			ids = append(ids, p.ID)
		}
	}
	return ids, at
}

func (m *Model) revealOffer() {
	_, at := m.listed()
	body := m.layout().body
	m.list.SetSize(body.w, max(0, body.h-offersHead))
	if at == 0 {
		m.list.First()
		return
	}
	m.list.Reveal(at)
}

// onOffers acts on the list of offers.
func (m *Model) onOffers(do intent.Intent) tea.Cmd {
	ids, at := m.listed()
	switch do {
	case intent.Up:
		at--
	case intent.Down:
		at++
	case intent.PageUp:
		at -= offersPage
	case intent.PageDown:
		at += offersPage
	case intent.Top:
		at = 0
	case intent.Bottom:
		at = len(ids) - 1
	case intent.Filter:
		m.filter = composer.New("words", 1)
		m.filter.SetText(m.filtered)
		m.filter.Focus()
		m.push(intent.ScopeFilter)
		return nil
	case intent.Back:
		m.goMain()
		return nil
	case intent.Attention, intent.Help:
		return m.common(do)
	default:
		return m.onCard(m.offer, do)
	}
	if len(ids) > 0 {
		m.offer = ids[min(max(at, 0), len(ids)-1)]
		m.revealOffer()
	}
	return nil
}

// onFilter acts on the filter's input.
func (m *Model) onFilter(do intent.Intent) tea.Cmd {
	if do == intent.Back {
		m.filtered = ""
	}
	m.filter = nil
	m.pop(intent.ScopeFilter)
	m.listOffers()
	m.revealOffer()
	return nil
}

// offerItem is an offer in the list: whole when it is chosen, else one line.
type offerItem struct {
	m *Model
	p session.Proposal
}

func (i offerItem) Key() string { return string(i.p.ID) }

func (i offerItem) chosen() bool { return i.m.offer == i.p.ID }

func (i offerItem) from() string {
	s := ago(i.m.o.Now().Sub(i.p.OfferedAt))
	if t := i.m.title(i.p.Thread); t != "" {
		s = t + " · " + s
	}
	return s
}

func (i offerItem) Version() uint64 {
	return i.m.version(i.m.cardView(i.m.proposal(i.p), i.chosen(), i.from()))
}

func (i offerItem) Draw(w int) transcript.Block {
	cw := min(w, readable)
	p := i.m.proposal(i.p)
	if p.State == session.ProposalStanding && !i.chosen() {
		line := " " + i.m.th.Accent.Paint("◆") + " " + session.CleanLine(p.Title)
		line = cells.Spread(line, i.m.th.Dim.Paint(cells.Cut(session.CleanLine(i.from()), cw/2)), cw)
		return transcript.Block{
			Lines: widen(i.m.settle([]string{line}), w),
			Zones: []intent.Zone{{X: 0, Y: 0, W: cw, Do: intent.Focus}},
		}
	}
	lines, zones := i.m.cardView(p, i.chosen(), i.from()).Draw(i.m.th, cw)
	return transcript.Block{Lines: widen(i.m.settle(lines), w), Zones: zones}
}
