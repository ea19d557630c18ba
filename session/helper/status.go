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

// report takes a state from a source. The better source wins; a change is
// stored and told to every client.
func (b *statusBook) report(s session.State, source session.Source) {
	st := session.Status{State: s, Source: source, At: b.host.now()}
	b.mu.Lock()
	if b.reports == nil {
		b.reports = map[session.Source]session.Status{}
	}
	b.reports[source] = st
	next := b.current.Next(st)
	changed := next.State != b.current.State || next.Source != b.current.Source
	if changed {
		b.current = next
	}
	b.mu.Unlock()
	if changed {
		b.publish()
	}
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

// explain returns the current status and the last report of each source.
func (b *statusBook) explain() client.Explanation {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := client.Explanation{Current: b.current}
	for _, r := range b.reports {
		e.Reports = append(e.Reports, r)
	}
	slices.SortFunc(e.Reports, func(x, y session.Status) int { return y.At.Compare(x.At) })
	return e
}
