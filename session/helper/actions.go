package helper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"aside/hookbridge/mcp"
	"aside/hookbridge/wire"
	"aside/proposals/actions"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/transcript"
)

// actionBook is the thread's desk for terminal actions, with who waits for
// the end of a card.
type actionBook struct {
	host *Host

	mu      sync.Mutex // guards what follows; the host's own may be taken under it
	desk    *actions.Desk
	waiters map[session.CardID]chan session.ActionCard
	closed  bool

	waiting sync.WaitGroup // those that wait for the end of a card
}

func newActionBook(h *Host) *actionBook {
	return &actionBook{
		host: h, waiters: map[session.CardID]chan session.ActionCard{},
		desk: actions.NewDesk(actions.Options{Program: h.o.Aside, Thread: h.thread.ID, Resolve: h.within, Now: h.now}),
	}
}

// with calls the desk and tells every client of the card that it returns.
func (b *actionBook) with(do func(d *actions.Desk) *session.ActionCard) {
	b.mu.Lock()
	c := do(b.desk)
	if c != nil {
		b.announce(*c)
	}
	b.mu.Unlock()
	if c != nil && c.State != session.CardPending {
		b.settled(*c)
	}
}

// announce tells of a card, new or changed; the lock is held, so that the
// order is that of the changes.
func (b *actionBook) announce(c session.ActionCard) {
	if c.State != session.CardPending {
		if w := b.waiters[c.ID]; w != nil {
			w <- c // it has room for one
			delete(b.waiters, c.ID)
		}
	}
	b.host.tell(client.Down{Card: &c})
}

// settled records what became of a card as a line of the transcript.
func (b *actionBook) settled(c session.ActionCard) {
	h := b.host
	ctx, cancel := h.storeContext()
	defer cancel()
	outcome := string(c.State)
	if c.Choice > 0 {
		outcome = fmt.Sprintf("confirmed: %s", c.Choices[c.Choice-1].Title)
	} else if c.Reason != "" {
		outcome += ": " + c.Reason
	}
	h.record(h.o.Store.Append(ctx, h.thread.ID, transcript.Entry{
		Turn: c.Turn, At: c.DecidedAt, Kind: transcript.KindAction, Key: "card:" + string(c.ID),
		Text: cardTitle(c), Input: actions.Plain(c), Outcome: outcome,
	}))
}

func cardTitle(c session.ActionCard) string {
	titles := make([]string, len(c.Choices))
	for i, choice := range c.Choices {
		titles[i] = choice.Title
	}
	return strings.Join(titles, " / ")
}

// show tells a client that has just attached of the card that waits.
func (b *actionBook) show(v *viewer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.desk.Pending(); c != nil {
		v.tell(client.Down{Card: c})
	}
}

func (b *actionBook) cards() []session.ActionCard {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.desk.Pending(); c != nil {
		return []session.ActionCard{*c}
	}
	return []session.ActionCard{}
}

// hear takes an event of the agent; what it returns is the answer to the
// hook, nil for none. The agent's lock is held.
func (b *actionBook) hear(e agent.Event) []byte {
	h := b.host
	switch e.Kind {
	case agent.Prompted:
		return b.begin()
	case agent.ToolStarting:
		return b.judge(e.Call.Command)
	case agent.SessionStarted:
		b.with(func(d *actions.Desk) *session.ActionCard { return d.Conversation(h.agent.session) })
	case agent.SessionEnded:
		b.with((*actions.Desk).Replaced)
	}
	return nil
}

// begin issues the channel of a new turn, and tells the agent of it if it
// can be told and stopped.
func (b *actionBook) begin() []byte {
	h := b.host
	var channel actions.Channel
	turn := h.turns.current()
	b.with(func(d *actions.Desk) (card *session.ActionCard) {
		if !b.closed {
			channel, card = d.Begin(turn, h.agent.session)
		}
		return card
	})
	_, gated := h.o.Adapter.(agent.Gate)
	if channel == "" || !gated || !h.o.Adapter.Capabilities().TakesContext || !actions.Callable(h.o.Aside) {
		return nil
	}
	return h.o.Adapter.Context(actions.Instructions(h.o.Aside, channel))
}

// judge answers the permission step of a command of the agent.
func (b *actionBook) judge(command string) []byte {
	gate, gated := b.host.o.Adapter.(agent.Gate)
	if command == "" || !gated {
		return nil
	}
	b.mu.Lock()
	verdict, reason := b.desk.Judge(command)
	b.mu.Unlock()
	switch verdict {
	case actions.Allow:
		return gate.Let()
	case actions.Deny:
		return gate.Stop(reason)
	}
	return nil
}

// stopped tells that the turn is over.
func (b *actionBook) stopped() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.desk.Stopped()
}

// gone ends the channel: the agent or the helper is no more.
func (b *actionBook) gone(reason string) {
	b.with(func(d *actions.Desk) *session.ActionCard { return d.Gone(reason) })
}

// stop ends the channel for good, and waits until those that wait for the end
// of a card have been told.
func (b *actionBook) stop() {
	b.with(func(d *actions.Desk) *session.ActionCard {
		b.closed = true
		return d.Gone("the thread was stopped")
	})
	b.waiting.Wait()
}

func (b *actionBook) paneClosed(p session.PaneID) {
	b.with(func(d *actions.Desk) *session.ActionCard { return d.Closed(p) })
}

// retarget tells the card which pane is active.
func (b *actionBook) retarget() {
	b.with(func(d *actions.Desk) *session.ActionCard { return d.Retarget(b.host.shells.active()) })
}

// writeTime is how long who submitted may take to accept a line.
const writeTime = 5 * time.Second

// propose serves the short-lived command: it answers what the submission is
// worth, and when that is a card, what became of it. The end of the
// connection withdraws the card.
func (b *actionBook) propose(c *wire.Conn, r wire.Request) error {
	h := b.host
	h.agent.mu.Lock()
	conversation := h.agent.session
	h.agent.mu.Unlock()
	var reply actions.Reply
	var card *session.ActionCard
	var done chan session.ActionCard
	b.with(func(d *actions.Desk) *session.ActionCard {
		if r.Thread != "" || r.Pane != "" || r.Agent != "" {
			reply = actions.Reply{Phase: actions.PhaseValidation, Status: actions.Malformed, Reason: "a submission names no thread, pane or agent"}
			return nil
		}
		reply, card = d.Submit(string(r.Body), conversation)
		card, done = b.place(d, card)
		return card
	})
	_ = c.SetWriteDeadline(time.Now().Add(writeTime))
	if card == nil {
		return c.Answer(reply)
	}
	defer b.waiting.Done()
	if err := c.Answer(reply); err != nil {
		b.withdraw(card.ID)
		return nil // who is gone cannot be told
	}
	gone := make(chan struct{})
	go func() {
		_ = c.AwaitEnd() // a byte too many ends it too
		close(gone)
	}()
	final := b.await(*card, done, gone)
	_ = c.SetWriteDeadline(time.Now().Add(writeTime))
	_ = c.Answer(actions.Final(final))
	_ = c.Close()
	<-gone
	return nil
}

// place gives a new card its target, and a waiter, who has to tell that it
// waits no more; the lock is held.
func (b *actionBook) place(d *actions.Desk, card *session.ActionCard) (*session.ActionCard, chan session.ActionCard) {
	if card == nil {
		return nil, nil
	}
	if c := d.Retarget(b.host.shells.active()); c != nil {
		card = c
	}
	done := make(chan session.ActionCard, 1)
	b.waiters[card.ID] = done
	b.waiting.Add(1)
	return card, done
}

func (b *actionBook) withdraw(id session.CardID) {
	b.with(func(d *actions.Desk) *session.ActionCard { return d.Withdraw(id) })
}

// await waits for the end of a card, and ends it when its time is over or
// who proposed it is gone.
func (b *actionBook) await(card session.ActionCard, done <-chan session.ActionCard, gone <-chan struct{}) session.ActionCard {
	for {
		select {
		case c := <-done:
			return c
		case <-gone:
			b.withdraw(card.ID)
			gone = nil
		case <-b.host.after(card.Deadline.Sub(b.host.now())):
			b.with(func(d *actions.Desk) *session.ActionCard { return d.TimeOut(card.ID) })
		}
	}
}

// after is the time that passes in a helper.
func (h *Host) after(d time.Duration) <-chan time.Time {
	if h.o.After != nil {
		return h.o.After(d)
	}
	return time.After(d)
}

// tool answers the tools for terminal actions; false for another tool.
func (b *actionBook) tool(r wire.Request, call mcp.Call) (mcp.Reply, bool) {
	switch {
	case call.Tool != mcp.ToolActions && call.Tool != mcp.ToolResult:
		return mcp.Reply{}, false
	case session.PaneID(r.Pane) != session.PaneAgent:
		return mcp.Reply{Text: actions.NotShown("only the thread's own agent can propose terminal actions"), IsError: true}, true
	case call.Tool == mcp.ToolResult:
		return b.result(call.Arguments), true
	}
	var card *session.ActionCard
	var done chan session.ActionCard
	var err error
	b.with(func(d *actions.Desk) *session.ActionCard {
		card, err = d.Propose(string(call.Arguments))
		card, done = b.place(d, card)
		return card
	})
	if err != nil {
		return mcp.Reply{Text: actions.NotShown(err.Error()), IsError: true}, true
	}
	go func() {
		defer b.waiting.Done()
		b.await(*card, done, nil)
	}()
	return mcp.Reply{Text: actions.Shown(card.ID)}, true
}

// result tells what became of a card that the tool made.
func (b *actionBook) result(arguments json.RawMessage) mcp.Reply {
	id, err := actions.CardArgument(arguments)
	if err != nil {
		return mcp.Reply{Text: err.Error(), IsError: true}
	}
	b.mu.Lock()
	c, ok := b.desk.Card(id)
	b.mu.Unlock()
	if !ok {
		return mcp.Reply{Text: "No card with this id is known any more.", IsError: true}
	}
	return mcp.Reply{Text: actions.Result(c)}
}

// within resolves a folder that a proposal names: symbolic links are
// followed, and what they lead to has to be inside the checkout.
func (h *Host) within(cwd string) (string, bool) {
	root := h.thread.Checkout.Path
	if root == "" {
		root = h.thread.Cwd
	}
	if !filepath.IsAbs(cwd) {
		cwd = filepath.Join(h.thread.Cwd, cwd)
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	dir, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	st, err := os.Stat(dir)
	return dir, err == nil && st.IsDir()
}

// publishChannel makes the helper be found by the name in its channels. What
// an earlier helper of the thread left is taken away: this one has its lock.
func (h *Host) publishChannel() (remove func(), err error) {
	dir := h.o.Paths.Channels()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make channel folder: %w", err)
	}
	socket := h.o.Paths.Socket(h.thread.ID)
	left, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read channel folder: %w", err)
	}
	for _, f := range left {
		path := filepath.Join(dir, f.Name())
		if to, err := os.Readlink(path); err == nil && to == socket {
			_ = os.Remove(path) // one that stays leads to this helper, which says that it is another
		}
	}
	link := h.o.Paths.Channel(h.actions.desk.Helper())
	if err := os.Symlink(socket, link); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("publish channel: %w", err)
	}
	return func() { _ = os.Remove(link) }, nil
}
