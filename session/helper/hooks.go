package helper

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"aside/hookbridge"
	"aside/hookbridge/mcp"
	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/transcript"
	"aside/storage"
)

// agentBook is what the helper knows of its agent beside its state: the
// conversation it is in and the record it keeps.
type agentBook struct {
	// mu makes the adapter's methods be called one at a time, and keeps
	// events in the order in which they came.
	mu      sync.Mutex
	adapter agent.Adapter
	reader  agent.Reader
	session string        // the agent's own id of its conversation
	records []record      // what it keeps itself: the conversation's, then those of its sub-agents
	read    time.Time     // when the records were last read
	more    chan struct{} // holds a token when they are to be read again soon
}

// record is a file in which an agent keeps what was said and done.
type record struct {
	path string
	size int64 // when it was last read; -1 for never
	next int64 // where to go on, once it was read
}

// maxRecords is how many records of one conversation are followed.
const maxRecords = 64

// hook takes one event of an agent, and holds its connection when the agent
// asks for a decision.
func (h *Host) hook(ctx context.Context, c *wire.Conn, r wire.Request) error {
	pane := session.PaneID(r.Pane)
	if err := h.belongs(r, pane); err != nil {
		return err
	}
	own := pane == session.PaneAgent && r.Agent == h.thread.Agent
	book := &h.agent
	if !own {
		var err error
		if book, err = h.guest(pane, r.Agent); err != nil {
			return err
		}
	}
	book.mu.Lock()
	e, output, err := h.hear(ctx, book, r, own)
	var asked session.Decision
	if e.Ask != nil {
		asked = e.Ask.Decision
		asked.ID, asked.Thread, asked.Pane, asked.Agent = session.DecisionID(session.NewID()), h.thread.ID, pane, r.Agent
		h.questions.asked(asked)
	}
	book.mu.Unlock()
	switch {
	case err != nil:
		return err
	case e.Ask != nil:
		return h.holdOn(ctx, c, asked, e.Ask.Verdict)
	}
	return c.Answer(wire.HookReply{Output: string(output)})
}

// hear reads an event and does what follows from it. It returns what the hook
// is to print. The agent's lock is held.
func (h *Host) hear(ctx context.Context, book *agentBook, r wire.Request, own bool) (agent.Event, []byte, error) {
	pane := session.PaneID(r.Pane)
	e, err := book.adapter.Event(r.Event, r.Body)
	if err == nil {
		err = h.sameSession(ctx, book, e, pane)
	}
	if err != nil {
		return agent.Event{}, nil, err
	}
	h.questions.heard(e, pane)
	if !own {
		h.takeGuest(e, pane)
		return e, nil, nil
	}
	h.take(ctx, e, pane)
	return e, h.actions.hear(e), nil
}

// belongs refuses what names another thread or a pane that is gone.
func (h *Host) belongs(r wire.Request, pane session.PaneID) error {
	if session.ThreadID(r.Thread) != h.thread.ID {
		return &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("this helper hosts another thread than %q", session.MarkLine(r.Thread))}
	}
	if h.pane(pane) == nil || h.paneEnded(pane) {
		return &session.Error{Code: session.CodeNotFound, Message: fmt.Sprintf("the pane %q is gone", session.MarkLine(r.Pane))}
	}
	return nil
}

// sameSession checks that an event is of the conversation that the pane is
// in. Only the start of a conversation changes which one that is.
func (h *Host) sameSession(ctx context.Context, book *agentBook, e agent.Event, pane session.PaneID) error {
	known := book.session
	switch {
	case e.Kind == agent.Ignored || e.Session == "" || e.Session == known:
		return nil
	case known == "" || e.Kind == agent.SessionStarted:
		if known != "" {
			h.bridge.SessionChanged(pane)
		}
		if book == &h.agent {
			h.readRecords(ctx) // for the last time
		}
		book.session, book.records = e.Session, nil
		return nil
	}
	return &session.Error{Code: session.CodeUsage, Message: "the event is of another conversation than this pane's"}
}

// take does what follows from an event. The agent's lock is held.
func (h *Host) take(ctx context.Context, e agent.Event, pane session.PaneID) {
	h.noteRecord(e)
	switch e.Kind {
	case agent.Prompted:
		h.readRecords(ctx) // what is of the turn before
		// A report of its own sub-agent takes nothing back.
		if e.Origin != session.OriginAgent {
			h.bridge.NewPrompt(pane)
		}
		h.record(h.o.Store.SetSession(ctx, h.thread.ID, h.agent.session))
		h.turns.prompted(ctx, e.Prompt, e.Origin)
	case agent.ToolDone:
		h.bridge.ToolDone(pane, e.Call.ID)
	case agent.Stopped:
		if !e.Background { // sub-agents that are still at work may be held
			h.bridge.NewPrompt(pane) // nothing of an ended turn is asked any more
		}
	case agent.SessionEnded:
		h.bridge.SessionChanged(pane)
	}
	if e.State != "" {
		h.status.report(e.State, session.SourceAgent)
	}
	if e.Kind == agent.Stopped {
		h.readRecords(ctx)
		h.turns.stopped(ctx) // last: who waits for it reads what was said, and the state
		return
	}
	h.readSoon(ctx)
}

// noteRecord remembers where the agent keeps the record that an event belongs
// to: its own, or that of a sub-agent.
func (h *Host) noteRecord(e agent.Event) {
	known := slices.ContainsFunc(h.agent.records, func(r record) bool { return r.path == e.Transcript })
	if e.Transcript != "" && !known && len(h.agent.records) < maxRecords {
		h.agent.records = append(h.agent.records, record{path: e.Transcript, size: -1})
	}
}

// recordInterval is how often the agent's record is looked at while a turn
// is open: some agents report an interruption nowhere else. It is looked at
// for recordLinger more times after the turn, since the agent may write its
// last words down after it has told that the turn is over.
const (
	recordInterval = time.Second
	recordLinger   = 5
)

// recordGap is the least time between two readings for the sake of events
// that only inform: each is a write to disk, which the agent's hook waits for.
const recordGap = 50 * time.Millisecond

// followRecord reads the agent's record while a turn is open and a little
// longer, and when there is more in it, until ctx ends.
func (h *Host) followRecord(ctx context.Context) {
	ticker := time.NewTicker(recordInterval)
	defer ticker.Stop()
	for left := recordLinger; ; {
		opened, tick := h.turns.opened(), ticker.C
		select {
		case <-opened:
			left, opened = recordLinger, nil
		default:
			if left == 0 {
				tick = nil
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-opened:
			continue
		case <-h.agent.more:
			select {
			case <-ctx.Done():
				return
			case <-time.After(recordGap):
			}
		case <-tick:
			left--
		}
		h.agent.mu.Lock()
		h.readRecords(ctx)
		h.agent.mu.Unlock()
	}
}

// readSoon reads the agent's records now or, when that was just done, soon.
// The agent's lock is held.
func (h *Host) readSoon(ctx context.Context) {
	if h.now().Sub(h.agent.read) >= recordGap {
		h.readRecords(ctx)
		return
	}
	select {
	case h.agent.more <- struct{}{}:
	default: // it will be, anyway
	}
}

// readRecords takes over what is new in the agent's records. The agent's lock
// is held.
func (h *Host) readRecords(ctx context.Context) {
	if h.agent.reader == nil {
		return
	}
	h.agent.read = h.now()
	for i := range h.agent.records {
		h.record(h.readRecord(ctx, &h.agent.records[i]))
	}
}

func (h *Host) readRecord(ctx context.Context, r *record) error {
	// Most events come without a new line in it: a look at the size is cheap.
	st, err := os.Stat(r.path)
	if err != nil || st.Size() == r.size {
		return nil // not there yet, or nothing new
	}
	if r.size < 0 {
		if r.next, err = h.o.Store.Offset(ctx, h.thread.ID, r.path); err != nil {
			return err
		}
	}
	for {
		items, next, err := h.agent.reader.Read(r.path, r.next)
		if err != nil {
			return fmt.Errorf("read the agent's record: %w", err)
		}
		if next == r.next {
			r.size = st.Size()
			return nil
		}
		if err := h.ingest(ctx, r.path, items, next); err != nil {
			return err
		}
		r.next = next
	}
}

func (h *Host) ingest(ctx context.Context, path string, items []agent.Item, next int64) error {
	var entries []transcript.Entry
	var updates []storage.Update
	interrupted := false
	turn := h.turns.latest()
	for _, i := range items {
		if i.Entry != nil {
			i.Entry.Turn = turn
			entries = append(entries, *i.Entry)
		}
		if i.Update != nil {
			updates = append(updates, storage.Update(*i.Update))
		}
		interrupted = i.Interrupted || interrupted && (i.Entry == nil || i.Entry.Kind == transcript.KindNotice)
	}
	if err := h.o.Store.Ingest(ctx, h.thread.ID, path, next, entries, updates); err != nil {
		return err
	}
	if interrupted {
		h.bridge.NewPrompt(session.PaneAgent)
		h.questions.over(session.PaneAgent)
		h.status.report(session.StateIdle, session.SourceAgent)
		h.turns.stopped(ctx)
	}
	return nil
}

// published is told by the bridge what happened to a decision, in order.
func (h *Host) published(e hookbridge.Event) {
	ctx, cancel := h.storeContext()
	defer cancel()
	d := e.Decision
	switch e.Kind {
	case hookbridge.Opened:
		h.status.publish()
		h.tell(client.Down{Decision: &d})
		if h.holdOf(d) == agent.HoldBefore && !h.watched() {
			h.bridge.Release(d.ID, session.ReleaseUnwatched) // they left meanwhile
		}
		return
	case hookbridge.Answered:
		o, _ := d.Option(e.Answer.Option)
		h.tell(client.Down{Gone: &client.Gone{Decision: d.ID, Answered: o.Label}})
		h.settled(ctx, d, o.Label, d.Said(e.Answer))
		h.status.report(session.StateWorking, session.SourceAgent)
	case hookbridge.Released:
		h.tell(client.Down{Gone: &client.Gone{Decision: d.ID, Released: e.Release}})
		h.settled(ctx, d, string(e.Release), "")
	}
	h.status.publish()
}

// settled records what became of a decision as a line of the transcript.
func (h *Host) settled(ctx context.Context, d session.Decision, outcome, note string) {
	h.record(h.o.Store.Append(ctx, h.thread.ID, transcript.Entry{
		Turn: h.turns.current(), At: h.now(), Kind: transcript.KindDecision, Key: "decision:" + string(d.ID),
		Text: d.Title, Tool: d.Tool, Decision: d.ID, Outcome: outcome, Input: note,
	}))
}

// tool runs one of the agent's tools.
func (h *Host) tool(ctx context.Context, c *wire.Conn, r wire.Request) error {
	if session.ThreadID(r.Thread) != h.thread.ID {
		return &session.Error{Code: session.CodeUsage, Message: "this helper hosts another thread"}
	}
	call, err := body[mcp.Call](r)
	if err != nil {
		return err
	}
	if reply, mine := h.actions.tool(r, call); mine {
		return c.Answer(reply)
	}
	reply, err := h.o.Desk.Call(ctx, call.Tool, call.CallID, call.Arguments)
	h.record(err) // the reply tells the agent
	return c.Answer(reply)
}
