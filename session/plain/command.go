package plain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aside/session"
	"aside/session/threads"
)

// help is said by /help.
const help = `What you write goes to the current thread's agent; without a thread, an agent starts on it.
A line that begins with a slash is for aside; with two slashes it goes to the agent with one.
Everything you can act on has a number:
/3 tells all of thing 3 and what can be done with it. A thread becomes the current one by it.
/3 TEXT, of a thread: gives its agent a prompt.
/3 start, /3 no, /3 back, of an offer: starts it, says not now, brings it back.
/3 once, /3 deny, and what else it names, of what an agent asks: answers it.
/3 back, /3 keep, /3 send, where it asks several questions, one after another: goes back to the question before, leaves the answer that a question has, and sends your answers when each has one.
/3 run 1, /3 insert 1, /3 cancel, of proposed commands: does choice 1, writes it only, or does nothing.
/new TEXT starts another thread.
/threads, /offers and /waiting list the threads, the offers, and what waits for your answer.
/read says the last of what was said in the current thread; /read 3 of thread 3; /read 3 50 its last 50 entries.
/attach shows the agent's own terminal in this one, until you press the leader, which is ctrl and space unless you have set another, and then d.
Every other command of aside works too, with a number in the place of an id: /stop, /resume, /diff, /finish, /search WORDS. /commands lists them.
/quit leaves. The agents go on.`

// heard does what the person has typed.
func (c *Conversation) heard(ctx context.Context, line string) error {
	if line == "" {
		return nil
	}
	rest, slash := strings.CutPrefix(line, "/")
	if !slash || strings.HasPrefix(rest, "/") {
		return c.prompt(ctx, rest)
	}
	word, rest, _ := strings.Cut(rest, " ")
	rest = strings.TrimSpace(rest)
	if n, err := strconv.Atoi(word); err == nil {
		t, err := c.thing(n)
		if err != nil {
			return err
		}
		return c.onThing(ctx, t, rest)
	}
	if word == "quit" || word == "exit" || word == "q" {
		return errLeave
	}
	return c.told(ctx, word, rest)
}

// told does what a word after a slash says.
func (c *Conversation) told(ctx context.Context, word, rest string) error {
	switch word {
	case "help", "?":
		c.say(help)
	case "new":
		return c.start(ctx, rest)
	case "threads":
		return c.list("thread", func(t *thing) bool { return t.thread != nil })
	case "offers":
		return c.list("offer", func(t *thing) bool { return t.offer != nil && t.offer.State == session.ProposalStanding })
	case "waiting":
		return c.list("waiting thing", func(t *thing) bool { return t.settled == "" && (t.decision != nil || t.card != nil) })
	case "read":
		return c.read(ctx, strings.Fields(rest))
	case "commands":
		return c.command(ctx, []string{"--help"})
	default:
		return c.command(ctx, append([]string{word}, strings.Fields(rest)...))
	}
	return nil
}

// thing returns the thing with a number.
func (c *Conversation) thing(n int) (*thing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n < 1 || n > len(c.things) {
		return nil, &session.Error{Code: session.CodeNotFound, Message: fmt.Sprintf("nothing has the number %d", n), Hint: "/threads, /offers and /waiting say what there is"}
	}
	t := *c.things[n-1] // as it was last said
	return &t, nil
}

func (c *Conversation) list(word string, is func(*thing) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lines []string
	for _, t := range c.things {
		if is(t) {
			s := t.headline()
			if t.thread != nil && t.thread.ID == c.current {
				s += " This is the current one."
			}
			lines = append(lines, s)
		}
	}
	c.saying(append([]string{sentence(counted(len(lines), word)) + "."}, lines...)...)
	return nil
}

// prompt gives a text to the current thread's agent.
func (c *Conversation) prompt(ctx context.Context, text string) error {
	c.mu.Lock()
	id := c.current
	c.mu.Unlock()
	if id == "" {
		return c.start(ctx, text)
	}
	return c.send(ctx, id, text)
}

func (c *Conversation) send(ctx context.Context, id session.ThreadID, text string) error {
	c.mu.Lock()
	if id == c.current {
		c.mine = text
	}
	c.mu.Unlock()
	d, err := c.o.Backend.Send(ctx, id, text)
	switch {
	case err != nil:
		return err
	case d.Confirmed:
		c.say("Delivered.")
	default:
		c.say("Sent; this agent confirms nothing.")
	}
	return nil
}

// start starts a thread, which becomes the current one.
func (c *Conversation) start(ctx context.Context, text string) error {
	if text == "" {
		return &session.Error{Code: session.CodeUsage, Message: "there is nothing to do in it", Hint: "/new TEXT, with what is to be done"}
	}
	c.say("Starting.")
	before, err := c.o.Backend.Revision(ctx)
	if err != nil {
		return err
	}
	id, err := c.o.Backend.Create(ctx, threads.NewThread{Project: c.o.Project, Prompt: text})
	if id == "" {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current, c.failed, c.mine, c.revision = id, map[int64]bool{}, text, before
	e := c.changed(ctx) // which says the thread and its first words
	c.saying("What you write goes to the agent of thread " + c.name(id) + " now.")
	return errors.Join(err, e)
}

// onThing acts on what a number stands for.
func (c *Conversation) onThing(ctx context.Context, t *thing, rest string) error {
	word, after, _ := strings.Cut(rest, " ")
	switch {
	case t.thread != nil && rest != "":
		return c.send(ctx, t.thread.ID, rest)
	case t.thread != nil:
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.goTo(ctx, t.thread.ID); err != nil {
			return err
		}
		c.saying(append(t.whole(), "It is the current thread now.")...)
		return nil
	case rest == "":
		c.say(t.whole()...)
		return nil
	case t.offer != nil:
		return c.onOffer(ctx, t, strings.ToLower(rest))
	case t.settled != "":
		return &session.Error{Code: session.CodeSettled, Message: fmt.Sprintf("%d is settled already: %s", t.n, t.settled)}
	case t.decision != nil:
		return c.answer(ctx, t, strings.ToLower(word), strings.TrimSpace(after))
	}
	return c.onCard(ctx, t, strings.ToLower(word), strings.TrimSpace(after))
}

func (c *Conversation) onOffer(ctx context.Context, t *thing, word string) error {
	switch word {
	case "start", "s":
		out, err := c.o.Backend.Outlook(ctx, t.offer.ID)
		if err == nil && out.Text != "" {
			c.say("Starting: " + session.MarkLine(out.Text) + ".")
		}
		_, err = c.o.Backend.Start(ctx, t.offer.ID, threads.StartOptions{})
		return err // the thread is said as it comes up
	case "no", "n", "not now":
		return c.o.Backend.Dismiss(ctx, t.offer.ID)
	case "back", "b":
		return c.o.Backend.Restore(ctx, t.offer.ID)
	}
	return &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("an offer takes start, no or back, not %q", word)}
}

func (c *Conversation) answer(ctx context.Context, t *thing, option, note string) error {
	if len(t.decision.Questions) > 0 && option != session.OptionDeny && option != session.OptionAnswers {
		return c.step(ctx, t, option, note)
	}
	if err := t.takes(*t.decision, option, note); err != nil {
		return err
	}
	return c.give(ctx, t, session.Answer{Option: option, Note: note})
}

// takes says what is wrong with an answer to a decision as it is asked now.
func (t *thing) takes(d session.Decision, option, note string) error {
	o, ok := d.Option(option)
	switch {
	case !ok:
		return &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("%d has no answer %q", t.n, option), Hint: fmt.Sprintf("/%d says the ones it has", t.n)}
	case o.NeedsText() && note == "":
		return &session.Error{Code: session.CodeUsage, Message: "this answer needs a text after it"}
	case note != "" && !o.Note:
		return &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("the answer %s takes no note; nothing was answered", o.ID)}
	}
	return nil
}

// step takes the answer to one of several questions, and says the next one.
func (c *Conversation) step(ctx context.Context, t *thing, option, note string) error {
	d := *t.decision
	switch {
	case option == "back" && !t.steps.Back():
		return &session.Error{Code: session.CodeUsage, Message: "this is the first question"}
	case option == "back":
	case option == "keep" && t.steps.Reply().Option == "":
		return &session.Error{Code: session.CodeUsage, Message: "this question has no answer yet"}
	case option == "keep":
		t.steps.Keep()
	case option == "send" && !t.steps.Done(d):
		return &session.Error{Code: session.CodeUsage, Message: "not every question has its answer", Hint: fmt.Sprintf("/%d says which is asked now", t.n)}
	case option == "send":
		return c.give(ctx, t, session.Answer{Option: session.OptionAnswers, Replies: t.steps.Replies})
	default:
		if err := t.takes(d.Asks(t.steps), option, note); err != nil {
			return err
		}
		r := session.Reply{Option: option, Note: note}
		if err := d.Questions[t.steps.At].Check(r); err != nil {
			return err
		}
		t.steps.Give(r)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.things[t.n-1].steps = t.steps
	if c.things[t.n-1].settled == "" { // else it has just been said
		c.saying(t.decisionAnswers()...)
	}
	return nil
}

// give answers a decision.
func (c *Conversation) give(ctx context.Context, t *thing, a session.Answer) error {
	a.Decision = t.decision.ID
	r, err := c.o.Backend.Answer(ctx, t.decision.Thread, a)
	switch {
	case err != nil:
		return err
	case r.Outcome != session.OutcomeAnswered:
		return &session.Error{Code: session.CodeFailed, Message: fmt.Sprintf("%d was not answered: %s", t.n, r.Outcome)}
	}
	return nil // that it is settled is said as it happens
}

func (c *Conversation) onCard(ctx context.Context, t *thing, word, choice string) error {
	if word == "cancel" {
		r, err := c.o.Backend.CancelCard(ctx, t.card.Thread, t.card.ID)
		return cardAnswered(t, r, err)
	}
	n, err := strconv.Atoi(choice)
	if err != nil || word != "run" && word != "insert" || n < 1 || n > len(t.card.Choices) {
		return &session.Error{Code: session.CodeUsage, Message: "it takes run, insert or cancel, the first two with a choice's number", Hint: fmt.Sprintf("/%d says the choices", t.n)}
	}
	// Only the terminal that was said is reached.
	r, err := c.o.Backend.Confirm(ctx, t.card.Thread, session.Confirmation{
		Card: t.card.ID, Choice: n, Insert: word == "insert", Target: t.card.Target, Bound: true,
	})
	return cardAnswered(t, r, err)
}

func cardAnswered(t *thing, r session.CardReceipt, err error) error {
	if err == nil && r.Outcome != session.OutcomeAnswered {
		why := string(r.Outcome)
		if r.Reason != "" {
			why += ", " + r.Reason
		}
		return &session.Error{Code: session.CodeFailed, Message: fmt.Sprintf("%d was not done: %s", t.n, why)}
	}
	return err
}

// read says the last entries of a thread.
func (c *Conversation) read(ctx context.Context, args []string) error {
	c.mu.Lock()
	id, limit := c.current, 10
	c.mu.Unlock()
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return &session.Error{Code: session.CodeUsage, Message: "read takes a thread's number, and how many entries"}
		}
		t, err := c.thing(n)
		if err != nil {
			return err
		}
		if t.thread == nil {
			c.say(t.whole()...)
			return nil
		}
		id = t.thread.ID
	}
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[1]); err == nil && n > 0 {
			limit = n
		}
	}
	if id == "" {
		return &session.Error{Code: session.CodeNotFound, Message: "there is no thread yet"}
	}
	entries, err := c.o.Backend.Entries(ctx, id, 0, limit)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range entries {
		c.saying(c.spoken(e)...)
	}
	c.saying("That was all.")
	return nil
}

// needsThread are the commands that mean the current thread where none is
// named.
func needsThread(word string) bool {
	return slices.Contains([]string{"attach", "diff", "explain", "finish", "resume", "rm", "screen", "stop", "transcript"}, word)
}

// command runs another command of aside. What happens meanwhile is said
// afterwards: the terminal is the command's.
func (c *Conversation) command(ctx context.Context, args []string) error {
	c.mu.Lock()
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[1]); err == nil && n >= 1 && n <= len(c.things) {
			args[1] = c.things[n-1].id()
		}
	}
	if needsThread(args[0]) && (len(args) == 1 || strings.HasPrefix(args[1], "-")) && c.current != "" {
		args = slices.Insert(args, 1, string(c.current))
	}
	c.quiet = true
	c.mu.Unlock()
	err := c.o.Command(ctx, args)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = false
	if len(c.held) > 0 {
		c.saying(c.held...)
		c.held = nil
	}
	return err
}

// id is the thing's id, as other commands take it.
func (t *thing) id() string {
	switch {
	case t.thread != nil:
		return string(t.thread.ID)
	case t.offer != nil:
		return string(t.offer.ID)
	case t.decision != nil:
		return string(t.decision.ID)
	}
	return string(t.card.ID)
}
