// Package plain is aside for a person whose screen is read out: a conversation
// in lines. What happens is said in whole sentences, each on lines of its own
// below the last; nothing is drawn, moved or written over, and the cursor is
// always where the person types. What can be acted on is given a number when
// it is first said, and the number stays its own: an answer never reaches
// another thing than the one that was read out.
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"aside/session"
	"aside/session/client"
	"aside/session/threads"
	"aside/session/transcript"
)

// Backend is what the conversation asks of the rest of the program;
// threads.Service and threads.Follower together are one.
type Backend interface {
	Threads(ctx context.Context) ([]session.Thread, error)
	Entries(ctx context.Context, thread session.ThreadID, before int64, limit int) ([]transcript.Entry, error)
	EntriesSince(ctx context.Context, thread session.ThreadID, revision int64, limit int) ([]transcript.Entry, int64, error)
	Revision(ctx context.Context) (int64, error)
	Proposals(ctx context.Context, project string, all bool) ([]session.Proposal, error)
	Outlook(ctx context.Context, id session.ProposalID) (threads.Outlook, error)
	Start(ctx context.Context, id session.ProposalID, o threads.StartOptions) (session.ThreadID, error)
	Dismiss(ctx context.Context, id session.ProposalID) error
	Restore(ctx context.Context, id session.ProposalID) error
	Create(ctx context.Context, n threads.NewThread) (session.ThreadID, error)
	Send(ctx context.Context, thread session.ThreadID, prompt string) (client.Delivery, error)
	Answer(ctx context.Context, thread session.ThreadID, a session.Answer) (session.Receipt, error)
	Confirm(ctx context.Context, thread session.ThreadID, c session.Confirmation) (session.CardReceipt, error)
	CancelCard(ctx context.Context, thread session.ThreadID, card session.CardID) (session.CardReceipt, error)
	Events() <-chan threads.Event
}

// Lines is where the person types. ReadLine returns the next line, or io.EOF
// when there are no more.
type Lines interface {
	ReadLine(ctx context.Context) (string, error)
}

// Options are what a conversation is about.
type Options struct {
	Backend Backend
	Project string
	// Command runs another command of aside, such as diff with a thread's id,
	// in this terminal.
	Command func(ctx context.Context, args []string) error
}

// Conversation is one, on one terminal.
type Conversation struct {
	// Bell rings the terminal's bell with what waits for the person.
	Bell bool

	in  Lines
	out io.Writer // takes whole lines, also while one is typed
	o   Options

	mu       sync.Mutex // over all below; held for no longer than a look at the store
	things   []*thing   // by their numbers, from 1
	current  session.ThreadID
	revision int64
	failed   map[int64]bool // the entries of the current thread that were said, and whether as failed
	mine     string         // the prompt that the person has just given
	quiet    bool           // another command has the terminal
	held     []string       // what is said when it has given it back
}

// New returns a conversation that reads what is typed from in and says
// everything on out.
func New(in Lines, out io.Writer) *Conversation {
	return &Conversation{in: in, out: out}
}

// Run talks until the person leaves or ctx ends.
func (c *Conversation) Run(ctx context.Context, o Options) error {
	c.o = o
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := c.greet(ctx); err != nil {
		return err
	}
	var listener sync.WaitGroup
	listener.Go(func() { c.listen(ctx) })
	defer listener.Wait()
	defer cancel()
	for {
		line, err := c.in.ReadLine(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			c.say("Leaving. The agents go on.")
			return nil
		}
		if err != nil {
			return fmt.Errorf("read line: %w", err)
		}
		if err := c.heard(ctx, strings.TrimSpace(line)); errors.Is(err, errLeave) {
			c.say("Leaving. The agents go on.")
			return nil
		} else if err != nil {
			c.complain(err)
		}
	}
}

// errLeave ends the conversation.
var errLeave = errors.New("leave")

// Ask asks the person what a start cannot go on without. It is called while a
// command of theirs runs, so the next line is the answer.
func (c *Conversation) Ask(ctx context.Context, q threads.Question) (yes, asked bool) {
	lines := append([]string{"A question, about " + session.MarkLine(q.Title) + "."}, q.Lines...)
	c.say(append(lines, "Type yes: "+q.Yes+". Anything else: "+q.No+".")...)
	line, err := c.in.ReadLine(ctx)
	if err != nil {
		return false, false
	}
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "y" || word == "yes", true
}

// say writes whole lines.
func (c *Conversation) say(lines ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saying(lines...)
}

// saying is say for who holds the lock.
func (c *Conversation) saying(lines ...string) {
	if c.quiet {
		c.held = append(c.held, lines...)
		return
	}
	// Nothing can be done about a terminal that is gone: reading tells too.
	_, _ = io.WriteString(c.out, strings.Join(lines, "\n")+"\n")
}

// calling is saying, with the bell where that is wanted.
func (c *Conversation) calling(lines ...string) {
	if c.Bell {
		lines[0] = "\a" + lines[0]
	}
	c.saying(lines...)
}

// complain says a fault and its hint.
func (c *Conversation) complain(err error) {
	lines := []string{"That failed: " + session.MarkLine(err.Error()) + "."}
	var e *session.Error
	if errors.As(err, &e) && e.Hint != "" {
		lines = append(lines, "Hint: "+session.MarkLine(e.Hint)+".")
	}
	c.say(lines...)
}

// greet says where the person is and what there is.
func (c *Conversation) greet(ctx context.Context) error {
	there, err := c.o.Backend.Threads(ctx)
	if err != nil {
		return err
	}
	offers, err := c.o.Backend.Proposals(ctx, c.o.Project, false)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saying("aside, plain mode. Project "+session.MarkLine(c.o.Project)+".", sentence(counted(len(there), "thread"))+", "+counted(len(offers), "offer")+".")
	for _, t := range there {
		c.saying(c.threadThing(t).headline())
	}
	for _, p := range offers {
		c.saying(c.offerThing(p).headline())
	}
	if len(there) == 0 {
		c.saying("Write what is to be done and press enter: an agent starts on it.", "/help tells the rest, /quit leaves.")
		return nil
	}
	first := there[max(0, slices.IndexFunc(there, func(t session.Thread) bool { return t.NeedsYou }))].ID
	if err := c.goTo(ctx, first); err != nil {
		return err
	}
	c.saying("What you write goes to the agent of thread "+c.name(first)+".", "/help tells the rest, /quit leaves.")
	return nil
}

// goTo makes a thread the current one. What is in its transcript is not said
// unless it is asked for.
func (c *Conversation) goTo(ctx context.Context, id session.ThreadID) (err error) {
	c.current, c.failed = id, map[int64]bool{}
	c.revision, err = c.o.Backend.Revision(ctx)
	return err
}

func counted(n int, word string) string {
	switch n {
	case 0:
		return "no " + word + "s"
	case 1:
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
