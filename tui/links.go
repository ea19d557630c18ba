package tui

import (
	"context"
	"net/url"
	"strings"

	"aside/session"
	record "aside/session/transcript"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/terminal"

	tea "charm.land/bubbletea/v2"
)

// linkLabels are what is pressed for a link, one for each of those that can be
// told apart at a time.
const linkLabels = "123456789abcdefghijklmnopqrstuvwxyz"

// linking are the links to choose from.
type linking struct {
	pane  *terminal.Pane
	links []terminal.Link
}

// showLinks lets a person choose one of the links in the terminal. One link is
// chosen already.
func (m *Model) showLinks() tea.Cmd {
	if m.noTerminal() {
		return nil
	}
	l, at := m.layout(), m.pane()
	p := at.term
	var links []terminal.Link
	seen := map[string]bool{}
	for _, link := range p.Links(l.paneRect(at.id).h) {
		if !seen[link.Target] {
			seen[link.Target] = true
			links = append(links, link)
		}
	}
	links = links[max(0, len(links)-len(linkLabels)):]
	switch len(links) {
	case 0:
		m.say("no link is in the terminal here", "")
	case 1:
		return m.askLink(links[0])
	default:
		for i := range links {
			links[i].Label = linkLabels[i : i+1]
		}
		m.linking = linking{pane: p, links: links}
		p.ShowLabels(links)
		if !m.has(intent.ScopeHistory) {
			m.base(intent.ScopeTerminal)
		}
		m.push(intent.ScopeLinks)
	}
	return nil
}

// leaveLinks takes the labels away when nothing is chosen by them any more.
func (m *Model) leaveLinks() {
	if m.linking.pane == nil || m.has(intent.ScopeLinks) && m.current != "" && m.linking.pane == m.pane().term {
		return
	}
	m.linking.pane.ShowLabels(nil)
	m.linking = linking{}
	m.without(intent.ScopeLinks)
}

func (m *Model) onLinks(do intent.Intent) tea.Cmd {
	if n := do.Option(); n >= 0 {
		return m.pickLink(linkLabels[n : n+1])
	}
	m.without(intent.ScopeLinks)
	return nil
}

// pickLink chooses a link by its label.
func (m *Model) pickLink(label string) tea.Cmd {
	for _, l := range m.linking.links {
		if l.Label == label {
			m.without(intent.ScopeLinks)
			return m.askLink(l)
		}
	}
	return nil
}

// clickLink takes a click on a link: with ctrl, or while one is to be chosen.
func (m *Model) clickLink(ms tea.Mouse, l layout) (cmd tea.Cmd, hit bool) {
	if ms.Button != tea.MouseLeft || !ms.Mod.Contains(tea.ModCtrl) && m.top() != intent.ScopeLinks {
		return nil, false
	}
	at := m.paneAt(l, ms.X, ms.Y)
	if at == "" {
		return nil, false
	}
	r := l.paneRect(at)
	link, ok := m.pageFor(m.current).pane(at).term.LinkAt(ms.X-r.x, ms.Y-r.y, r.h)
	if !ok {
		return nil, false
	}
	m.without(intent.ScopeLinks)
	return m.askLink(link), true
}

// addressAt is the address that begins in the word at a place of the transcript.
// It is taken from the entry as it was written: where it is drawn, it may go on
// in the next line.
func (m *Model) addressAt(x, y int) (terminal.Link, bool) {
	p := m.pageFor(m.current)
	i, line, ok := p.list.At(y)
	e := p.item(i)
	if !ok || e == nil {
		return terminal.Link{}, false
	}
	seen := terminal.Addresses(wordAt(cells.Text(p.list.Block(i).Lines[line]), x))
	if len(seen) == 0 {
		return terminal.Link{}, false
	}
	found := ""
	for _, a := range terminal.Addresses(session.Clean(record.Source(e.Entry))) {
		switch {
		case a == seen[0]:
			return terminal.Link{Target: a}, true
		case found != a && strings.HasPrefix(a, seen[0]):
			ok, found = found == "", a // of several, none is meant for sure
		}
	}
	return terminal.Link{Target: found}, ok && found != ""
}

// wordAt is what stands between spaces at a column of a text.
func wordAt(text string, x int) string {
	col, from := 0, 0
	for at := 0; at < len(text); {
		cluster, w := cells.Cluster(text[at:])
		if at += len(cluster); cluster == " " {
			if col > x {
				return text[from : at-1]
			}
			from = at
		}
		col += w
	}
	if col <= x {
		return ""
	}
	return text[from:]
}

// askLink shows the whole of where a link leads before it is opened: its text
// may say something else. What cannot be shown whole is not opened.
func (m *Model) askLink(link terminal.Link) tea.Cmd {
	lines := []string{leads(link), link.Target}
	l := m.layout()
	room, _, _ := m.askPlace(l)
	for room = l.body.y + l.body.h - room - 1; len(lines) > 0; lines = lines[1:] {
		room -= len(cells.Wrap(lines[0], l.body.w-askIndent))
	}
	if room < 0 {
		cmd := m.copied(link.Target)
		m.say("too long to be shown whole: copied where the link leads", "")
		return cmd
	}
	b, id := m.b, m.current
	m.confirm(ask{
		lines: []string{leads(link), link.Target}, yes: "open it", no: "leave it", copy: link.Target,
		act: func() tea.Cmd {
			return m.works("opening the link", true, func(ctx context.Context) tea.Msg {
				opened, err := b.OpenLink(ctx, id, link.Target)
				return linkOpened{target: link.Target, opened: opened, err: err}
			})
		},
	})
	return nil
}

// leads says where a link leads, and what stands there for it.
func leads(l terminal.Link) string {
	to := "elsewhere"
	if u, err := url.Parse(l.Target); err == nil {
		switch {
		case u.Hostname() != "":
			to = u.Hostname()
		case u.Opaque != "":
			to = u.Scheme + " " + u.Opaque
		case u.Path != "":
			to = u.Scheme + " " + u.Path
		}
	}
	if l.Text == "" || l.Text == l.Target {
		return "Open the link to " + to + "?"
	}
	return "“" + cells.Cut(session.CleanLine(l.Text), linkText) + "” leads to " + to + ". Open it?"
}

// linkText is how much of a link's text is shown with the question, in columns.
const linkText = 40

// linkOpened is what has become of opening a link.
type linkOpened struct {
	target string
	opened bool
	err    error
}

func (o linkOpened) arrive(m *Model) tea.Cmd {
	switch {
	case o.err != nil:
		m.fail(o.err)
	case o.opened:
		m.say("opened", "")
	default:
		cmd := m.copied(o.target)
		m.say("nothing on this machine opens links: copied where it leads", "")
		return cmd
	}
	return nil
}
