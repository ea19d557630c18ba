package helper_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/proposals/actions"
	"aside/session"
	"aside/session/client"
)

func TestOneOfAThousandSubmissionsIsAccepted(t *testing.T) {
	h, ch := acts(t)
	h.arm(ch, runs("touch made"))
	const n = 1000
	counts := map[actions.Status]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 100) // sockets at once
	ctx, cancel := context.WithCancel(t.Context())
	for range n {
		wg.Go(func() {
			slots <- struct{}{}
			_ = client.Propose(ctx, h.socket, actions.Submission{Version: 1, Channel: ch, Payload: runs("touch made")}, func(r actions.Reply) error {
				if r.Phase == actions.PhaseValidation {
					mu.Lock()
					counts[r.Status]++
					mu.Unlock()
					<-slots
				}
				return nil
			})
		})
	}
	h.until("all are answered", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return counts[actions.Accepted]+counts[actions.AlreadyConsumed] == n
	})
	if counts[actions.Accepted] != 1 || len(h.cards()) != 1 {
		t.Errorf("%v", counts)
	}
	cancel()
	wg.Wait()
}

// Two threads propose at once, again and again: no card is in the wrong place
// and no command reaches another thread's shell.
func TestTwoThreadsKeepTheirCardsApart(t *testing.T) {
	rounds := 5
	if n := os.Getenv("ASIDE_ROUNDS"); n != "" {
		if _, err := fmt.Sscan(n, &rounds); err != nil {
			t.Fatal(err)
		}
	}
	var both [2]*hosted
	var channels [2]actions.Channel
	for i := range both {
		both[i], channels[i] = acts(t)
		both[i].shell(client.OpenPane{})
	}
	for round := range rounds {
		var wg sync.WaitGroup
		for i, h := range both {
			wg.Go(func() {
				payload := runs(fmt.Sprintf("echo %d >> log%d", round, i))
				h.arm(channels[i], payload)
				// The other thread's channel is of no use here.
				s := h.submit(channels[1-i], payload)
				if r := receive(t, s.replies); r.Status != actions.HelperMismatch {
					t.Errorf("another thread's channel: %+v", r)
				}
				s = h.submit(channels[i], payload)
				card := s.next(t, actions.Accepted).Card
				if c := h.cards(); len(c) != 1 || c[0].Thread != h.id || c[0].Choices[0].Actions[0].Command != fmt.Sprintf("echo %d >> log%d", round, i) {
					t.Errorf("the cards are %+v", c)
				}
				if _, err := call[session.CardReceipt](both[1-i], client.OpConfirm, session.Confirmation{Card: card, Choice: 1}); err != nil {
					t.Error(err)
				}
				if r := h.confirm(session.Confirmation{Card: card, Choice: 1}); r.Outcome != session.OutcomeAnswered {
					t.Errorf("got %+v", r)
				}
				channels[i] = h.begin(fmt.Sprint("turn ", round))
			})
		}
		wg.Wait()
	}
	for i, h := range both {
		h.until("all have run", func() bool { return strings.Count(logFile(t, h, fmt.Sprint("log", i)), "\n") == rounds })
		if h.made(fmt.Sprint("log", 1-i)) {
			t.Error("a command ran in the other thread")
		}
	}
}

func TestAFloodOfConnectionsLeavesTheHelperResponsive(t *testing.T) {
	h, ch := acts(t)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var held []*wire.Conn
			defer func() {
				for _, c := range held {
					_ = c.Close()
				}
			}()
			for {
				select {
				case <-stop:
					return
				default:
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				c, err := wire.Dial(ctx, h.socket)
				cancel()
				if err != nil {
					continue
				}
				if held = append(held, c); len(held) > 400 {
					_ = held[0].Close()
					held = held[1:]
				}
			}
		})
	}
	began := time.Now()
	const asked = 20
	for range asked {
		if _, err := call[client.Status](h, client.OpStatus, nil); err != nil {
			t.Error(err)
		}
	}
	t.Log("one request amid the flood takes", time.Since(began)/asked)
	h.arm(ch, runs("touch made"))
	s := h.submit(ch, runs("touch made"))
	first := receive(t, s.replies)
	for first.Status == actions.Expired { // on a machine that is very busy
		h.arm(ch, runs("touch made"))
		s = h.submit(ch, runs("touch made"))
		first = receive(t, s.replies)
	}
	h.confirm(session.Confirmation{Card: first.Card, Choice: 1})
	s.next(t, "confirmed")
	close(stop)
	wg.Wait()
	h.untilMade("made")
}

// How soon a card is told to a screen is measured here and not judged: a busy
// machine would.
func TestHowSoonACardIsThere(t *testing.T) {
	h, ch := acts(t)
	_, downs := h.follow()
	var all []time.Duration
	for i := range 20 {
		h.arm(ch, runs("touch made"))
		began := time.Now()
		s := h.submit(ch, runs("touch made"))
		for {
			if d := receive(t, downs); d.Card != nil && d.Card.State == session.CardPending {
				break
			}
		}
		all = append(all, time.Since(began))
		s.next(t, actions.Accepted)
		ch = h.begin(fmt.Sprint("turn ", i))
		s.next(t, "superseded")
	}
	slices.Sort(all)
	t.Logf("median %s, longest %s", all[len(all)/2], all[len(all)-1])
}

func TestBadFramesAreAnswered(t *testing.T) {
	h, ch := acts(t)
	h.arm(ch, runs("touch made"))
	good := fmt.Sprintf(`{"version":1,"channel":%q,"payload":%q}`, ch, runs("touch made"))
	envelope := func(more, body string) string {
		return `{"v":1,"op":"propose_actions"` + more + `,"body":` + body + `}`
	}
	for _, line := range []string{
		"hello", "{}", "[]", `{"v":9,"op":"propose_actions"}`, `{"v":1}`, "{\"v\":1,\"op\":\"propose_actions\",\"body\":\"\xff\"}",
		`{"v":1,"op":"propose_actions"}`, envelope("", `null`), envelope("", `"x"`), envelope("", `[]`), envelope("", `{}`),
		envelope("", strings.Replace(good, `"version":1`, `"version":1.0`, 1)),
		envelope("", strings.Replace(good, `"version":1`, `"version":2`, 1)),
		envelope("", strings.Replace(good, `{`, `{"pane":"shell1",`, 1)),
		envelope("", strings.Replace(good, `{`, `{"channel":"x",`, 1)),
		envelope(`,"pane":"shell1"`, good), envelope(`,"thread":"x"`, good), envelope(`,"agent":"claude"`, good),
		envelope("", `{"version":1,"channel":"`+string(ch)+`","payload":"`+strings.Repeat("x", 10_000)+`"}`),
		envelope("", strings.Repeat("[", 70)+strings.Repeat("]", 70)),
		strings.Repeat("x", 5<<20),
	} {
		c, err := net.Dial("unix", h.socket)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(patience))
		go func() { _, _ = io.WriteString(c, line+"\n") }() // a line that is too long is not read to its end
		answer, err := bufio.NewReader(c).ReadString('\n')
		if err != nil || !strings.Contains(answer, `"malformed"`) && !strings.Contains(answer, `"fault"`) {
			t.Errorf("%.80q is answered %q, %v", line, answer, err)
		}
		_ = c.Close()
	}
	if len(h.cards()) != 0 {
		t.Error("there is a card")
	}
	h.submit(ch, runs("touch made")).next(t, actions.Accepted)
}
