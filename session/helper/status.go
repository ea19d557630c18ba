package helper

import (
	"slices"
	"sync"

	"aside/session"
	"aside/session/client"
)

// statusBook keeps what each source said of the agent's state, and which of
// it holds.
type statusBook struct {
	host *Host

	mu      sync.Mutex
	current session.Status
	reports map[session.Source]session.Status
}

// report takes a state from a source. The better source wins, but for the end
// of a question, which the terminal may tell first; a change is stored and
// told to every client.
func (b *statusBook) report(s session.State, source session.Source) {
	st := session.Status{State: s, Source: source, At: b.host.now()}
	b.mu.Lock()
	if b.reports == nil {
		b.reports = map[session.Source]session.Status{}
	}
	before := b.reports[source]
	b.reports[source] = st
	next := b.current.Next(st)
	if b.answeredThere(before, st) {
		next = st
	}
	changed := next.State != b.current.State || next.Source != b.current.Source
	if changed {
		b.current = next
	}
	b.mu.Unlock()
	if changed {
		b.publish()
	}
}

// answeredThere says that a report tells the end of what the agent asked: its
// terminal was at rest and is at work again. No event of the agent says so
// before the tool has finished, which may be hours later. The lock is held.
func (b *statusBook) answeredThere(before, st session.Status) bool {
	return b.current.State == session.StateNeedsYou && st.Source == session.SourceTerminal &&
		st.State == session.StateWorking && before.State != "" && before.State != session.StateWorking
}

// publish stores the state and tells the clients, also when only the number
// of pending decisions has changed.
func (b *statusBook) publish() {
	st := b.now()
	ctx, cancel := b.host.storeContext()
	defer cancel()
	b.host.record(b.host.o.Store.SetStatus(ctx, b.host.thread.ID, st, b.needsYou(st)))
	b.host.tell(client.Down{Status: &st})
}

// now returns the status, in which a pending decision shows as needing you.
func (b *statusBook) now() session.Status {
	b.mu.Lock()
	st := b.current
	b.mu.Unlock()
	if pending := b.host.bridge.Pending(); len(pending) > 0 && !st.State.Ended() {
		return session.Status{State: session.StateNeedsYou, Source: session.SourceAgent, At: pending[0].ReceivedAt}
	}
	return st
}

func (b *statusBook) needsYou(st session.Status) bool { return st.State == session.StateNeedsYou }

// explain returns the current status, the last report of each source and
// what the agent is held on.
func (b *statusBook) explain() client.Explanation {
	current := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	e := client.Explanation{Current: current, Pending: b.host.bridge.Pending()}
	for _, r := range b.reports {
		e.Reports = append(e.Reports, r)
	}
	slices.SortFunc(e.Reports, func(x, y session.Status) int { return y.At.Compare(x.At) })
	return e
}
