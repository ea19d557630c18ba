package plain

import (
	"fmt"
	"slices"
	"strings"

	"aside/proposals/actions"
	"aside/session"
)

// thing is what a number stands for: exactly one of a thread, an offer, a
// decision and a card of proposed commands.
type thing struct {
	n        int
	thread   *session.Thread
	offer    *session.Proposal
	decision *session.Decision
	steps    session.Steps // of a decision that asks several questions
	card     *session.ActionCard
	settled  string // what became of a decision or a card, or ""
	of       string // the name of the thread that it belongs to
}

func (c *Conversation) number(t *thing) *thing {
	t.n = len(c.things) + 1
	c.things = append(c.things, t)
	return t
}

// find returns the thing that is meant, or nil.
func (c *Conversation) find(is func(*thing) bool) *thing {
	if i := slices.IndexFunc(c.things, is); i >= 0 {
		return c.things[i]
	}
	return nil
}

func (c *Conversation) threadOf(id session.ThreadID) *thing {
	return c.find(func(t *thing) bool { return t.thread != nil && t.thread.ID == id })
}

// threadThing returns the thing of a thread, with what is known of it now.
func (c *Conversation) threadThing(now session.Thread) *thing {
	t := c.threadOf(now.ID)
	if t == nil {
		t = c.number(&thing{})
	}
	t.thread = &now
	return t
}

func (c *Conversation) offerThing(now session.Proposal) *thing {
	t := c.find(func(t *thing) bool { return t.offer != nil && t.offer.ID == now.ID })
	if t == nil {
		t = c.number(&thing{})
	}
	t.offer, t.of = &now, c.name(now.Thread)
	return t
}

// name is how a thread is called: its number and its title.
func (c *Conversation) name(id session.ThreadID) string {
	if t := c.threadOf(id); t != nil {
		return fmt.Sprintf("%d, %s", t.n, session.MarkLine(t.thread.Title))
	}
	return string(id)
}

// headline is the thing in one line.
func (t *thing) headline() string {
	switch {
	case t.thread != nil:
		s := fmt.Sprintf("%d: thread %s. %s, agent %s.", t.n, session.MarkLine(t.thread.Title), sentence(t.thread.Words()), t.thread.Agent)
		if t.thread.Problem != "" {
			s += " Problem: " + session.MarkLine(t.thread.Problem) + "."
		}
		return s
	case t.offer != nil:
		return fmt.Sprintf("%d: offer %s. %s Offered by thread %s.", t.n, session.MarkLine(t.offer.Title), offerState(*t.offer), t.of)
	case t.decision != nil:
		return fmt.Sprintf("%d: %s, in thread %s.%s", t.n, asks(*t.decision), t.of, t.end())
	}
	return fmt.Sprintf("%d: commands proposed for your terminal, in thread %s.%s", t.n, t.of, t.end())
}

func (t *thing) end() string {
	if t.settled == "" {
		return ""
	}
	return " Settled: " + t.settled + "."
}

// whole is all that there is to know of the thing, and what can be done.
func (t *thing) whole() []string {
	lines := []string{t.headline()}
	switch {
	case t.thread != nil:
		if t.thread.Checkout.Branch != "" {
			lines = append(lines, "Branch "+session.MarkLine(t.thread.Checkout.Branch)+".")
		}
		lines = append(lines, fmt.Sprintf("/%d TEXT gives its agent a prompt. /read %d says what was said last. /attach %d shows its own terminal.", t.n, t.n, t.n))
	case t.offer != nil:
		lines = append(lines, t.aboutOffer()...)
		lines = append(lines, t.offerAnswers())
	case t.decision != nil:
		lines = append(lines, t.detail()...)
		lines = append(lines, t.decisionAnswers()...)
	default:
		lines = append(lines, split(session.Mark(actions.Plain(*t.card)))...)
		lines = append(lines, t.cardAnswers())
	}
	return lines
}

// detail is what a decision is about, but for what its headline has said.
func (t *thing) detail() []string {
	var lines []string
	for _, l := range split(session.Mark(t.decision.Detail)) {
		if strings.TrimSpace(l) != "" && l != session.MarkLine(t.decision.Title) {
			lines = append(lines, l)
		}
	}
	return lines
}

func (t *thing) aboutOffer() []string {
	lines := split(session.Mark(t.offer.Summary))
	if t.offer.Rationale != "" {
		lines = append(lines, "Why apart: "+session.MarkLine(t.offer.Rationale))
	}
	if len(t.offer.Files) > 0 {
		lines = append(lines, "Files: "+session.MarkLine(strings.Join(t.offer.Files, ", "))+".")
	}
	return append(append(lines, "The prompt it would start with:"), split(session.Mark(t.offer.Prompt))...)
}

func (t *thing) offerAnswers() string {
	switch {
	case t.offer.Withdrawn:
		return "The agent has taken it back."
	case t.offer.State == session.ProposalStanding:
		return fmt.Sprintf("/%d start starts it as a thread of its own. /%d no says not now.", t.n, t.n)
	case t.offer.State == session.ProposalDismissed:
		return fmt.Sprintf("/%d back brings it back.", t.n)
	}
	return "It was started."
}

// detailSaid is how many lines of a decision's detail are said unasked.
const detailSaid = 12

// unasked is what is said when the thing comes up.
func (t *thing) unasked() []string {
	lines := t.whole()
	if t.offer != nil {
		lines = append([]string{t.headline()}, split(session.Mark(t.offer.Summary))...)
		return append(lines, t.offerAnswers()+fmt.Sprintf(" /%d tells all of it.", t.n))
	}
	if t.decision == nil {
		return lines
	}
	answers := t.decisionAnswers()
	if len(t.decision.Questions) > 0 {
		return append(lines[:1:1], answers...) // each question is said as its turn comes
	}
	detail := t.cut(lines[1 : len(lines)-len(answers)])
	return append(append(lines[:1:1], detail...), answers...)
}

// cut is as much of a detail as is said unasked.
func (t *thing) cut(detail []string) []string {
	more := len(detail) - detailSaid
	if more <= 0 {
		return detail
	}
	return append(detail[:detailSaid:detailSaid], fmt.Sprintf("And %d more lines; /%d says all.", more, t.n))
}

// decisionAnswers are the options, one a line.
func (t *thing) decisionAnswers() []string {
	switch {
	case t.settled != "":
		return nil
	case !t.decision.Answerable:
		return []string{fmt.Sprintf("It can only be answered in the agent's own terminal: /attach %s.", strings.SplitN(t.of, ",", 2)[0])}
	}
	d := t.decision.Asks(t.steps)
	lines := t.step(d)
	for _, o := range d.Options {
		s := fmt.Sprintf("/%d %s", t.n, o.ID)
		switch {
		case o.NeedsText():
			s += " TEXT"
		case o.Note:
			s += ", and if you like a note after it"
		}
		if label := session.MarkLine(o.Label); label != o.ID {
			s += ": " + label
		}
		lines = append(lines, s+".")
	}
	return lines
}

// step is what a decision that asks several questions is at: the one that is
// asked now, as d has it, or behind the last what was answered. It is nothing
// for any other decision.
func (t *thing) step(d session.Decision) []string {
	n := len(t.decision.Questions)
	if n == 0 {
		return nil
	}
	var lines []string
	if !t.steps.Done(*t.decision) {
		lines = t.cut(split(fmt.Sprintf("Question %d of %d: %s", t.steps.At+1, n, session.Mark(d.Detail))))
	} else {
		lines = append(lines, "Your answers:")
		for i, q := range t.decision.Questions {
			lines = append(lines, fmt.Sprintf("%d: %s Answer: %s.", i+1, session.MarkLine(q.Title), session.MarkLine(q.Said(t.steps.Replies[i]))))
		}
		lines = append(lines, fmt.Sprintf("/%d send sends them; until then nothing is sent.", t.n))
	}
	if r := t.steps.Reply(); r.Option != "" {
		said := t.decision.Questions[t.steps.At].Said(r)
		lines = append(lines, fmt.Sprintf("Your answer so far: %s. /%d keep keeps it.", session.MarkLine(said), t.n))
	}
	if t.steps.At > 0 {
		lines = append(lines, fmt.Sprintf("/%d back goes back to the question before.", t.n))
	}
	return lines
}

func (t *thing) cardAnswers() string {
	if t.settled != "" {
		return ""
	}
	return fmt.Sprintf("/%d run and a choice's number does it. /%d insert and the number writes it without running it. /%d cancel does nothing of it.", t.n, t.n, t.n)
}

func offerState(p session.Proposal) string {
	switch {
	case p.Withdrawn:
		return "Taken back."
	case p.State == session.ProposalDismissed:
		return "Not now."
	case p.State == session.ProposalStarted:
		return "Started."
	case p.Starting:
		return "Starting."
	}
	return "Stands."
}

// asks says in a few words who asks for what.
func asks(d session.Decision) string {
	switch d.Kind {
	case session.KindQuestion:
		return "question: " + session.MarkLine(d.Title)
	case session.KindPlan:
		return "plan: " + session.MarkLine(d.Title)
	}
	return "permission asked by " + session.MarkLine(d.Agent) + ", " + session.MarkLine(d.Tool) + ": " + session.MarkLine(d.Title)
}

// sentence begins a text with a capital letter.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// split returns the lines of a text; none of an empty one.
func split(text string) []string {
	if text = strings.Trim(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
