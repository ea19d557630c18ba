package tui

import (
	"context"
	"time"
	"unicode/utf8"

	"aside/session"
	"aside/tui/intent"
	"aside/tui/terminal"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// clickTime is how soon a click has to follow another to count with it.
const clickTime = 400 * time.Millisecond

// pullTime is how often a terminal scrolls on while the pointer is held beyond
// its edge: a pointer at the edge of the window cannot move any further.
const pullTime = 50 * time.Millisecond

// selecting is a selection in the terminal while the button is down, and what
// a further click counts with.
type selecting struct {
	down   bool
	clicks int
	at     time.Time
	x, y   int
	pane   session.PaneID // the one that the button went down in
	held   *terminal.Pane // its terminal, until the button is up

	pullAt time.Time // when that scrolls on; zero when it does not
	toX    int       // where the pointer is
	toY    int
}

// selects says that a press in a pane selects text: its program has not asked
// for the mouse, or shift takes it back.
func (m *Model) selects(p *pane, ms tea.Mouse) bool {
	if ms.Button != tea.MouseLeft {
		return false
	}
	return ms.Mod.Contains(tea.ModShift) || p.term.Modes().Mouse == session.MouseNone
}

// beginSelection takes a press: two of them select the word, three the line.
func (m *Model) beginSelection(p *pane, r rect, ms tea.Mouse) {
	s, now := &m.selecting, m.o.Now()
	if s.clicks == 0 || s.clicks == 3 || ms.X != s.x || ms.Y != s.y || now.Sub(s.at) > clickTime {
		s.clicks = 0
	}
	*s = selecting{down: true, clicks: s.clicks + 1, at: now, x: ms.X, y: ms.Y, pane: p.id, held: p.term}
	p.term.Select(ms.X-r.x, ms.Y-r.y, s.clicks)
}

// extendSelection takes a motion or the release, which copies.
func (m *Model) extendSelection(msg tea.MouseMsg, l layout) tea.Cmd {
	ms := msg.Mouse()
	_, up := msg.(tea.MouseReleaseMsg)
	if !up {
		m.selecting.clicks = 3 // a click after a drag begins anew
		m.selecting.toX, m.selecting.toY = ms.X, ms.Y
		m.pull(l)
		return nil
	}
	c, ok := m.selecting.held.Selected()
	m.dropSelection()
	if ok {
		return m.copySelected(m.selecting.pane, c)
	}
	return nil
}

// pull takes the selection to the pointer, and goes on so while that is beyond
// the edge.
func (m *Model) pull(l layout) {
	s, r := &m.selecting, l.paneRect(m.selecting.pane)
	s.pullAt = time.Time{}
	if r.h > 0 && s.held.Extend(s.toX-r.x, s.toY-r.y, r.h) {
		s.pullAt = m.o.Now().Add(pullTime)
	}
}

// dropSelection ends a drag: its button is up, or something else is done that
// shows that the person has let go.
func (m *Model) dropSelection() {
	if m.selecting.down {
		m.selecting.down, m.selecting.pullAt = false, time.Time{}
		m.selecting.held.Release()
		m.selecting.held = nil
	}
}

// leaveSelection ends a drag whose terminal is another thread's now.
func (m *Model) leaveSelection() {
	if m.selecting.down && (m.current == "" || m.pageFor(m.current).pane(m.selecting.pane).term != m.selecting.held) {
		m.dropSelection()
	}
}

// copySelected copies what is selected, once the rows of the scrollback that it
// needs are known.
func (m *Model) copySelected(of session.PaneID, c terminal.Chosen) tea.Cmd {
	if _, n := c.Missing(); n == 0 {
		return m.copiedByPerson(c.Text())
	}
	b, id := m.b, m.current
	return m.works("reading what is selected", true, func(ctx context.Context) tea.Msg {
		for from, n := c.Missing(); n > 0; from, n = c.Missing() {
			n = min(n, historyPage)
			rows, err := b.History(ctx, id, of, from, n)
			if err != nil {
				return selectedCame{err: err}
			}
			c.Take(from, n, rows)
		}
		return selectedCame{text: c.Text()}
	})
}

// selectedCame is the text of what was selected.
type selectedCame struct {
	text string
	err  error
}

func (c selectedCame) arrive(m *Model) tea.Cmd {
	if c.err != nil {
		m.fail(c.err)
		return nil
	}
	return m.copiedByPerson(c.text)
}

func (m *Model) copiedByPerson(text string) tea.Cmd {
	switch {
	case text == "":
		return nil
	case len(text) > maxCopied:
		m.say("that is too much for the clipboard", "")
		return nil
	}
	return m.copied(text)
}

// copied puts text on the clipboard, through the outer terminal.
func (m *Model) copied(text string) tea.Cmd {
	m.say("copied "+counted(utf8.RuneCountInString(text), "character"), "")
	return clip(text)
}

// clip puts text on the clipboard of the outer terminal.
func clip(text string) tea.Cmd { return tea.Raw(ansi.SetSystemClipboard(text)) }

// The clipboard settings.
const (
	ClipboardAsk   = "ask"
	ClipboardAllow = "allow"
	ClipboardDeny  = "deny"
)

// clipboardShown is how much of a text is shown with the question whether it
// may be copied, in bytes.
const clipboardShown = 100

// maxCopied is how much goes to the clipboard at most, in bytes: a terminal
// that gets more drops it.
const maxCopied = 1 << 20

// copiedByProgram puts what a program wants copied on the clipboard, if the
// person looks at that program: another has no business there.
func (m *Model) copiedByProgram(msg ClipboardMsg) tea.Cmd {
	_, seen := m.shown.sizes[msg.Pane]
	if msg.Thread != m.shown.thread || !seen || m.covered() || m.away || len(msg.Text) > maxCopied {
		return nil
	}
	switch m.o.Clipboard {
	case ClipboardDeny:
		return nil
	case ClipboardAsk:
		m.askClipboard(m.paneName(msg.Thread, m.paneInfo(msg.Pane)), msg.Text)
		return nil
	}
	return m.copied(msg.Text)
}

// askClipboard asks whether a program may write the clipboard, in the place of
// what it was asked before: only the newest text is of use.
func (m *Model) askClipboard(who, text string) {
	a := ask{
		lines: []string{
			"“" + who + "” wants to write your clipboard: " + counted(utf8.RuneCountInString(text), "character"),
			session.MarkLine(text[:min(len(text), clipboardShown)]),
		},
		yes: "let it", no: "keep what is there", copies: true,
		act: func() tea.Cmd { return m.copied(text) },
	}
	for i := range m.asks {
		if m.asks[i].copies {
			m.asks[i] = a
			m.without(intent.ScopeConfirm) // the answer was for the other text
			return
		}
	}
	m.asks = append(m.asks, a)
}
