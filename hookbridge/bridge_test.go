package hookbridge

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
)

// log keeps what a bridge publishes.
type log struct {
	mu     sync.Mutex
	events []Event
	opened chan session.Decision
}

func newLog() *log { return &log{opened: make(chan session.Decision, 2*maxHeld)} }

func (l *log) publish(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	if e.Kind == Opened {
		l.opened <- e.Decision
	}
}

// of returns what was published about a decision, in words.
func (l *log) of(id session.DecisionID) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var words []string
	for _, e := range l.events {
		if e.Decision.ID == id {
			words = append(words, strings.TrimSpace(string(e.Kind)+" "+e.Answer.Option+string(e.Release)))
		}
	}
	return strings.Join(words, ", ")
}

// verdictOf returns a Verdict that names what it is for.
func verdictOf(name string) Verdict {
	return func(a session.Answer) ([]byte, error) { return json.Marshal(name + " " + a.Option) }
}

// told reads how a hook's wait ended: the verdict, the reason, or "nothing".
func told(c *wire.Conn) string {
	var reply wire.Reply
	var h wire.HookReply
	if c.ReadLine(&reply) != nil || json.Unmarshal(reply.Body, &h) != nil {
		return "nothing"
	}
	var more wire.Reply
	if c.ReadLine(&more) == nil {
		return "more than one line"
	}
	return h.Output + h.Released
}

// socket makes pairs of connected ends over a real socket.
type socket struct {
	t testing.TB
	l *wire.Listener
	p string
}

func newSocket(t testing.TB) *socket {
	t.Helper()
	dir, err := os.MkdirTemp("", "bridge")
	if err != nil {
		t.Fatal(err)
	}
	s := &socket{t: t, p: filepath.Join(dir, "t.sock")}
	if s.l, err = wire.Listen(s.p); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.l.Close(); _ = os.RemoveAll(dir) })
	return s
}

func (s *socket) pair() (helper, hook *wire.Conn) {
	s.t.Helper()
	hook, err := wire.Dial(s.t.Context(), s.p)
	if err != nil {
		s.t.Fatal(err)
	}
	helper, err = s.l.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = hook.Close() })
	return helper, hook
}

// hold opens a decision about a tool call and returns it with the hook's end.
func (s *socket) hold(b *Bridge, l *log, callID string) (session.Decision, *wire.Conn) {
	s.t.Helper()
	return s.holdUntil(b, l, callID, time.Time{})
}

func (s *socket) holdUntil(b *Bridge, l *log, callID string, deadline time.Time) (session.Decision, *wire.Conn) {
	s.t.Helper()
	helper, hook := s.pair()
	d := decision("", "agent", callID)
	d.Deadline = deadline
	go b.Hold(context.Background(), helper, d, verdictOf(callID))
	return <-l.opened, hook
}

func TestVerdictReachesItsHook(t *testing.T) {
	s, l := newSocket(t), newLog()
	b := New(time.Hour, l.publish)
	before := time.Now()
	d1, hook1 := s.hold(b, l, "one")
	d2, hook2 := s.hold(b, l, "two")
	if p := b.Pending(); len(p) != 2 || p[0].ID != d1.ID || p[1].ID != d2.ID {
		t.Errorf("Pending = %v, want both in order of arrival", p)
	}
	if d1.ID == "" || d1.ReceivedAt.Before(before) || !d1.Deadline.Equal(d1.ReceivedAt.Add(time.Hour)) {
		t.Errorf("decision %q received at %v, deadline %v", d1.ID, d1.ReceivedAt, d1.Deadline)
	}
	r, err := b.Answer(session.Answer{Decision: d2.ID, Option: "deny", Note: "no"})
	if err != nil || r.Outcome != session.OutcomeAnswered || r.Option != "deny" || r.Decision != d2.ID || r.At.Before(before) {
		t.Errorf("receipt %+v, %v; want answered deny", r, err)
	}
	if got := told(hook2); got != `"two deny"` {
		t.Errorf("the hook was told %s", got)
	}
	again, err := b.Answer(session.Answer{Decision: d2.ID, Option: "once"})
	if want := (session.Receipt{Decision: d2.ID, Outcome: session.OutcomeDuplicate, Option: "deny", At: r.At}); err != nil || again != want {
		t.Errorf("second receipt %+v, %v; want %+v", again, err, want)
	}
	b.Stop()
	if got := told(hook1); got != string(session.ReleaseStopped) {
		t.Errorf("the other hook was told %s", got)
	}
	if got := l.of(d1.ID) + "; " + l.of(d2.ID); got != "opened, released the thread was stopped; opened, answered deny" {
		t.Errorf("published: %s", got)
	}
	helper, hook := s.pair()
	b.Hold(context.Background(), helper, decision("", "agent", ""), verdictOf(""))
	if got := told(hook); got != string(session.ReleaseStopped) {
		t.Errorf("a hook after Stop was told %s", got)
	}
}

func TestUserInputReleasesBeforeItReturns(t *testing.T) {
	s, l := newSocket(t), newLog()
	b := New(time.Hour, l.publish)
	defer b.Stop()
	d1, hook1 := s.hold(b, l, "one")
	d2, hook2 := s.hold(b, l, "two")
	b.UserInput("shell")
	if n := len(b.Pending()); n != 2 {
		t.Fatalf("input of another pane left %d of 2 decisions", n)
	}
	b.UserInput("agent")
	if n := len(b.Pending()); n != 0 {
		t.Errorf("%d decisions are live after UserInput", n)
	}
	for _, id := range []session.DecisionID{d1.ID, d2.ID} {
		if r, err := b.Answer(session.Answer{Decision: id, Option: "once"}); err != nil || r.Outcome != session.OutcomeUnavailable {
			t.Errorf("an answer after UserInput: %+v, %v", r, err)
		}
	}
	for _, hook := range []*wire.Conn{hook1, hook2} {
		if got := told(hook); got != string(session.ReleaseTerminal) {
			t.Errorf("the hook was told %s", got)
		}
	}
}

func TestOnlyItsOwnDecisionEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(b *Bridge, id session.DecisionID, hook *wire.Conn)
		want string
	}{
		"hook killed":   {func(_ *Bridge, _ session.DecisionID, hook *wire.Conn) { _ = hook.Close() }, "no longer asked"},
		"further bytes": {func(_ *Bridge, _ session.DecisionID, hook *wire.Conn) { _ = hook.WriteLine(wire.Reply{}) }, "no longer asked"},
		"handed over":   {func(b *Bridge, id session.DecisionID, _ *wire.Conn) { b.Release(id, session.ReleaseHandedOver) }, "handed to the terminal"},
		"tool done":     {func(b *Bridge, _ session.DecisionID, _ *wire.Conn) { b.ToolDone("agent", "one") }, "no longer asked"},
	} {
		t.Run(name, func(t *testing.T) {
			s, l := newSocket(t), newLog()
			released := make(chan struct{})
			b := New(time.Hour, func(e Event) {
				l.publish(e)
				if e.Kind == Released && e.Decision.ToolCallID == "one" {
					close(released)
				}
			})
			one, hook1 := s.hold(b, l, "one")
			two, hook2 := s.hold(b, l, "two")
			tt.end(b, one.ID, hook1)
			<-released
			if r, err := b.Answer(session.Answer{Decision: one.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeUnavailable {
				t.Errorf("an answer to it: %+v, %v; want unavailable", r, err)
			}
			if r, err := b.Answer(session.Answer{Decision: two.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeAnswered {
				t.Errorf("an answer to the other: %+v, %v; want answered", r, err)
			}
			if got := told(hook2); got != `"two once"` {
				t.Errorf("the other hook was told %s", got)
			}
			b.Stop()
			if got := l.of(one.ID); got != "opened, released "+tt.want {
				t.Errorf("published: %s", got)
			}
		})
	}
}

// However an answer and the end of the hook fall together, an answer given
// after the end is not reported as answered.
func TestGoneResponderIsUnavailable(t *testing.T) {
	s, l := newSocket(t), newLog()
	b := New(time.Hour, l.publish)
	for range 50 {
		d, hook := s.hold(b, l, "one")
		_ = hook.Close()
		if r, err := b.Answer(session.Answer{Decision: d.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeUnavailable {
			t.Fatalf("receipt %+v, %v; want unavailable", r, err)
		}
	}
	b.Stop()
	for _, e := range l.events {
		if e.Kind == Answered {
			t.Fatalf("published as answered: %+v", e)
		}
	}
}

func TestTwoClientsAnswerAtOnce(t *testing.T) {
	s, l := newSocket(t), newLog()
	b := New(time.Hour, l.publish)
	defer b.Stop()
	for range 50 {
		d, hook := s.hold(b, l, "one")
		options := []string{"once", "deny"}
		receipts := make([]session.Receipt, 2)
		begin := make(chan struct{})
		var wg sync.WaitGroup
		for i, option := range options {
			wg.Go(func() {
				<-begin
				receipts[i], _ = b.Answer(session.Answer{Decision: d.ID, Option: option})
			})
		}
		close(begin)
		wg.Wait()
		first, second := receipts[0], receipts[1]
		if first.Outcome == session.OutcomeDuplicate {
			first, second = second, first
		}
		if first.Outcome != session.OutcomeAnswered || second.Outcome != session.OutcomeDuplicate ||
			second.Option != first.Option || !second.At.Equal(first.At) {
			t.Fatalf("receipts %+v, want one answered and one duplicate of it", receipts)
		}
		if got, want := told(hook), `"one `+first.Option+`"`; got != want {
			t.Fatalf("the hook was told %s, want %s", got, want)
		}
	}
}

func TestAnswerThatCannotBeRendered(t *testing.T) {
	s, l := newSocket(t), newLog()
	b := New(time.Hour, l.publish)
	defer b.Stop()
	helper, hook := s.pair()
	go b.Hold(context.Background(), helper, decision("", "agent", ""), func(a session.Answer) ([]byte, error) {
		switch a.Option {
		case "deny":
			return nil, errors.New("no words for it")
		case "never":
			return []byte("{"), nil
		}
		return []byte("{}"), nil
	})
	d := <-l.opened
	for _, option := range []string{"deny", "never", "unknown"} {
		r, err := b.Answer(session.Answer{Decision: d.ID, Option: option})
		var e *session.Error
		if !errors.As(err, &e) || r != (session.Receipt{}) {
			t.Errorf("%s: %+v, %v; want a *session.Error alone", option, r, err)
		}
	}
	if r, err := b.Answer(session.Answer{Decision: d.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeAnswered {
		t.Errorf("the decision did not stay answerable: %+v, %v", r, err)
	}
	if got := told(hook); got != "{}" {
		t.Errorf("the hook was told %s", got)
	}
}

func TestConnection65IsReleasedAtOnce(t *testing.T) {
	s, l := newSocket(t), newLog()
	b := New(time.Hour, l.publish)
	defer b.Stop()
	for range maxHeld {
		s.hold(b, l, "")
	}
	helper, hook := s.pair()
	b.Hold(context.Background(), helper, decision("", "agent", ""), verdictOf(""))
	if got := told(hook); got != string(session.ReleaseFull) {
		t.Errorf("the hook was told %s", got)
	}
	if n := len(b.Pending()); n != maxHeld {
		t.Errorf("%d decisions are live, want %d", n, maxHeld)
	}
}

// pipe is hold over a pipe, for tests with a clock of their own.
func pipe(ctx context.Context, b *Bridge, d session.Decision) *wire.Conn {
	x, y := net.Pipe()
	go b.Hold(ctx, wire.NewConn(x), d, verdictOf("it"))
	synctest.Wait()
	return wire.NewConn(y)
}

func TestTimeRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog()
		b := New(4*time.Hour, l.publish)
		begun := time.Now()
		long := pipe(t.Context(), b, decision("", "agent", ""))
		early := decision("", "agent", "")
		early.Deadline = begun.Add(30 * time.Second)
		short := pipe(t.Context(), b, early)
		late := decision("", "agent", "")
		late.Deadline = begun.Add(5 * time.Hour)
		capped := pipe(t.Context(), b, late)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cut := pipe(ctx, b, decision("", "agent", ""))
		for _, tt := range []struct {
			hook  *wire.Conn
			want  session.Release
			after time.Duration
		}{
			{short, session.ReleaseDeadline, 30 * time.Second},
			{cut, session.ReleaseStopped, time.Minute},
			{long, session.ReleaseDeadline, 4 * time.Hour},
			{capped, session.ReleaseDeadline, 4 * time.Hour},
		} {
			if got := told(tt.hook); got != string(tt.want) || time.Since(begun) != tt.after {
				t.Errorf("told %q after %v, want %q after %v", got, time.Since(begun), tt.want, tt.after)
			}
		}
		b.Stop()
	})
}

// A second answer is told what became of the first, not what was hoped.
func TestSecondAnswerWaitsForTheFirst(t *testing.T) {
	for name, reads := range map[string]bool{"the hook reads": true, "the hook reads nothing": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLog()
				b := New(time.Hour, l.publish)
				hook := pipe(t.Context(), b, decision("", "agent", ""))
				id := (<-l.opened).ID
				receipts := make([]session.Receipt, 2)
				var done atomic.Int32
				for i := range receipts {
					go func() {
						receipts[i], _ = b.Answer(session.Answer{Decision: id, Option: "once"})
						done.Add(1)
					}()
					synctest.Wait()
				}
				b.UserInput("agent") // too late: the answer has taken it
				if done.Load() != 0 || len(b.Pending()) != 0 {
					t.Errorf("%d receipts before the hook has read, %d pending", done.Load(), len(b.Pending()))
				}
				want := [2]session.Outcome{session.OutcomeUnavailable, session.OutcomeUnavailable}
				published := "opened, released no longer asked"
				if reads {
					want = [2]session.Outcome{session.OutcomeAnswered, session.OutcomeDuplicate}
					published = "opened, answered once"
					if got := told(hook); got != `"it once"` {
						t.Errorf("the hook was told %s", got)
					}
				}
				b.Stop()
				synctest.Wait()
				if got := [2]session.Outcome{receipts[0].Outcome, receipts[1].Outcome}; got != want {
					t.Errorf("receipts %v, want %v", got, want)
				}
				if got := l.of(id); got != published {
					t.Errorf("published: %s; want %s", got, published)
				}
			})
		})
	}
}

// What is published may take its time, and may ask the bridge.
func TestPublishMayCallTheBridge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b *Bridge
		var kinds []EventKind
		b = New(time.Hour, func(e Event) {
			kinds = append(kinds, e.Kind)
			<-time.After(time.Minute)
			for _, d := range b.Pending() {
				b.Release(d.ID, session.ReleaseHandedOver)
			}
		})
		hook := pipe(t.Context(), b, decision("", "agent", ""))
		if got := told(hook); got != string(session.ReleaseHandedOver) {
			t.Errorf("the hook was told %s", got)
		}
		b.Stop()
		if len(kinds) != 2 || kinds[0] != Opened || kinds[1] != Released {
			t.Errorf("published %v", kinds)
		}
	})
}
