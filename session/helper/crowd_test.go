package helper_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
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

// Two threads propose at once, again and again, and two windows look at each
// and confirm at once: no card is in the wrong place, no command reaches
// another thread's shell, and none runs twice.
func TestTwoThreadsAndTwoWindowsAtOnce(t *testing.T) {
	n := rounds(t, 5)
	var both [2]*hosted
	var channels [2]actions.Channel
	var windows [2][2]<-chan client.Down
	for i := range both {
		both[i], channels[i] = acts(t)
		both[i].shell(client.OpenPane{})
		for w := range windows[i] {
			_, windows[i][w] = both[i].follow()
		}
	}
	for round := range n {
		var wg sync.WaitGroup
		now := channels // each thread gets its next one while the other is at work
		for i, h := range both {
			wg.Go(func() {
				command := fmt.Sprintf("echo %d >> log%d", round, i)
				h.arm(now[i], runs(command))
				// The other thread's channel is of no use here.
				s := h.submit(now[1-i], runs(command))
				if r := receive(t, s.replies); r.Status != actions.HelperMismatch {
					t.Errorf("another thread's channel: %+v", r)
				}
				s = h.submit(now[i], runs(command))
				card := s.next(t, actions.Accepted).Card
				answer := session.Confirmation{Card: card, Choice: 1}
				if r, err := call[session.CardReceipt](both[1-i], client.OpConfirm, answer); err != nil || r.Outcome != session.OutcomeUnknown {
					t.Errorf("the other thread's helper says of the card %+v, %v", r, err)
				}
				outcomes := make(chan session.Outcome, len(windows[i]))
				for _, downs := range windows[i] {
					go func() {
						if !seesCard(downs, h.id, card, command) {
							t.Errorf("a window on thread %d shows another card in round %d", i, round)
						}
						r, err := call[session.CardReceipt](h, client.OpConfirm, answer)
						if err != nil {
							t.Error(err)
						}
						outcomes <- r.Outcome
					}()
				}
				first, second := receive(t, outcomes), receive(t, outcomes)
				if first == second || first != session.OutcomeAnswered && second != session.OutcomeAnswered {
					t.Errorf("the windows are told %s and %s", first, second)
				}
				s.next(t, "confirmed")
				channels[i] = h.begin(fmt.Sprint("turn ", round))
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
	}
	for i, h := range both {
		h.until("all have run", func() bool { return strings.Count(logFile(t, h, fmt.Sprint("log", i)), "\n") >= n })
		for round := range n {
			if strings.Count("\n"+logFile(t, h, fmt.Sprint("log", i)), fmt.Sprintf("\n%d\n", round)) != 1 {
				t.Errorf("the command of round %d did not run once", round)
			}
		}
		if h.made(fmt.Sprint("log", 1-i)) {
			t.Error("a command ran in the other thread")
		}
	}
}

// seesCard waits until a window is told of a card that waits, and says that it
// is the thread's own one, and that so was each before it.
func seesCard(downs <-chan client.Down, thread session.ThreadID, card session.CardID, command string) bool {
	for {
		select {
		case d := <-downs:
			switch c := d.Card; {
			case c == nil:
			case c.Thread != thread:
				return false
			case c.State == session.CardPending:
				return c.ID == card && c.Choices[0].Actions[0].Command == command
			}
		case <-time.After(patience):
			return false
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
