package hookbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
)

// TestRandomRaces lets clients, users, tools, hooks, deadlines and the helper's
// end loose at once on two decisions over real sockets, and then compares what the
// answerers, the hooks and the screen were told. ASIDE_RACE_ROUNDS raises the
// number of rounds.
func TestRandomRaces(t *testing.T) {
	rounds := 300
	if s := os.Getenv("ASIDE_RACE_ROUNDS"); s != "" {
		var err error
		if rounds, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	s := newSocket(t)
	seed := uint64(time.Now().UnixNano())
	for i := range rounds {
		if err := raceRound(s, rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
			t.Fatalf("seed %d, round %d: %v", seed, i, err)
		}
	}
}

// waiter is one held hook of a round.
type waiter struct {
	d        session.Decision
	hook     *wire.Conn
	told     chan string
	broken   bool // it closed, or sent what it must not
	receipts []session.Receipt
	mu       sync.Mutex
}

func (w *waiter) answer(b *Bridge, option string) {
	r, err := b.Answer(session.Answer{Decision: w.d.ID, Option: option})
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		r.Outcome = session.Outcome("error: " + err.Error())
	}
	w.receipts = append(w.receipts, r)
}

func raceRound(s *socket, rnd *rand.Rand) error {
	l := newLog()
	b := New(time.Hour, l.publish)
	waiters := make([]*waiter, 2)
	for i := range waiters {
		w := &waiter{told: make(chan string, 1)}
		var deadline time.Time
		if rnd.IntN(4) == 0 { // it runs out while the rest happens
			deadline = time.Now().Add(time.Duration(rnd.IntN(1000)) * time.Microsecond)
		}
		w.d, w.hook = s.holdUntil(b, l, fmt.Sprint("call", i), deadline)
		go func() { w.told <- told(w.hook) }()
		waiters[i] = w
	}
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 + rnd.IntN(5) {
		act := randomAct(b, waiters, rnd)
		wg.Go(func() {
			<-begin
			act()
		})
	}
	close(begin)
	wg.Wait()
	b.Stop()
	for _, w := range waiters {
		if err := w.check(l.of(w.d.ID), <-w.told); err != nil {
			return err
		}
		_ = w.hook.Close()
	}
	return nil
}

// randomAct returns one thing that can happen to the waiters.
func randomAct(b *Bridge, waiters []*waiter, rnd *rand.Rand) func() {
	w := waiters[rnd.IntN(len(waiters))]
	option := []string{"once", "deny", "never"}[rnd.IntN(3)]
	switch rnd.IntN(13) {
	case 0:
		return func() { b.UserInput("agent") }
	case 1:
		return func() { b.ToolDone("agent", w.d.ToolCallID) }
	case 2:
		return func() { b.NewPrompt("agent") }
	case 3:
		return func() { b.Release(w.d.ID, session.ReleaseHandedOver) }
	case 4:
		w.broken = true
		return func() { _ = w.hook.Close() }
	case 5:
		w.broken = true
		return func() { _ = w.hook.WriteLine(wire.Reply{}) }
	case 6:
		return b.Stop
	case 7:
		return func() { b.SessionChanged("agent") }
	}
	return func() { w.answer(b, option) }
}

// check compares what the answerers and the hook were told with what was
// published.
func (w *waiter) check(published, told string) error {
	end, ok := strings.CutPrefix(published, "opened, ")
	if !ok || strings.Contains(end, ",") {
		return fmt.Errorf("published %q, want it opened and ended once", published)
	}
	option, answered := strings.CutPrefix(end, "answered ")
	want := strings.TrimPrefix(end, "released ")
	if answered {
		verdict, err := verdictOf(w.d.ToolCallID)(session.Answer{Option: option})
		if err != nil {
			return err
		}
		want = string(verdict)
	}
	if told != want && (!w.broken || told != "nothing") {
		return fmt.Errorf("published %q, but the hook was told %q", published, told)
	}
	won := 0
	for _, r := range w.receipts {
		switch r.Outcome {
		case session.OutcomeAnswered:
			won++
		case session.OutcomeDuplicate:
		case session.OutcomeUnavailable:
			if answered {
				return fmt.Errorf("published %q, receipts %+v", published, w.receipts)
			}
			continue
		default:
			return fmt.Errorf("receipt %+v", r)
		}
		if !answered || r.Option != option {
			return fmt.Errorf("published %q, receipts %+v", published, w.receipts)
		}
	}
	if answered != (won == 1) {
		return fmt.Errorf("published %q, %d answers won", published, won)
	}
	return nil
}

// BenchmarkAnswer measures the way of an answer: a request is held, answered,
// and its hook has read the verdict.
func BenchmarkAnswer(b *testing.B) {
	s, l := newSocket(b), newLog()
	bridge := New(time.Hour, l.publish)
	defer bridge.Stop()
	for b.Loop() {
		helper, hook := s.pair()
		go bridge.Hold(context.Background(), helper, decision("", "agent", ""), verdictOf("it"))
		d := <-l.opened
		if r, err := bridge.Answer(session.Answer{Decision: d.ID, Option: "once"}); err != nil || r.Outcome != session.OutcomeAnswered {
			b.Fatal(r, err)
		}
		var reply wire.Reply
		if err := hook.ReadLine(&reply); err != nil || !json.Valid(reply.Body) {
			b.Fatal(err)
		}
		_ = hook.Close()
	}
}
