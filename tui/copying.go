package tui

import (
	"context"
	"unicode/utf8"

	"aside/session"
	record "aside/session/transcript"

	tea "charm.land/bubbletea/v2"
)

// copyChosen puts the chosen entry on the clipboard, as it was written.
func (m *Model) copyChosen(p *page) tea.Cmd {
	e := p.item(p.chosen())
	if e == nil {
		m.say("there is nothing to copy", "")
		return nil
	}
	return m.copyEntry(e.Entry)
}

func (m *Model) copyEntry(e record.Entry) tea.Cmd {
	text := session.Clean(record.Source(e))
	m.say("copied "+nameOf(e)+", "+counted(utf8.RuneCountInString(text), "character"), "")
	return clip(text)
}

// nameOf is what an entry is called in a sentence.
func nameOf(e record.Entry) string {
	switch e.Kind {
	case record.KindPrompt:
		return "the prompt"
	case record.KindAssistant:
		return "the answer"
	case record.KindTool:
		return "the use of " + e.Tool
	case record.KindProposal:
		return "the offer"
	case record.KindDecision:
		return "the decision"
	case record.KindAction:
		return "the card of commands"
	}
	return "the notice"
}

// answersRead is among how many of the newest answers that of the agent itself,
// and not of a sub-agent, is looked for.
const answersRead = 50

// copyAnswer puts the agent's last answer on the clipboard.
func (m *Model) copyAnswer(p *page) tea.Cmd {
	b := m.b
	q := record.Seek{Thread: p.thread, Kind: record.KindAssistant, Back: true, Limit: answersRead}
	return m.works("reading the last answer", true, func(ctx context.Context) tea.Msg {
		came := answerCame{}
		came.entries, came.err = b.Seek(ctx, q)
		return came
	})
}

// answerCame are the newest answers of a thread.
type answerCame struct {
	entries []record.Entry
	err     error
}

func (c answerCame) arrive(m *Model) tea.Cmd {
	if c.err != nil {
		m.fail(c.err)
		return nil
	}
	for _, e := range c.entries {
		if e.Depth == 0 {
			return m.copyEntry(e)
		}
	}
	m.say("there is no answer yet", "")
	return nil
}
