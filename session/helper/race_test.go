package helper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/client"
)

// rounds is how often a race is run; ASIDE_RACE_ROUNDS raises it.
func rounds(t testing.TB, few int) int {
	t.Helper()
	s := os.Getenv("ASIDE_RACE_ROUNDS")
	if s == "" {
		return few
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// buildHook builds the hook program, since only the real one starts fast
// enough to be raced with.
func buildHook(t testing.TB) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "aside-hook")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "aside/hookbridge/hook/aside-hook")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build hook: %v\n%s", err, out)
	}
	return program
}

// ledger is what a client is told of decisions, in order.
type ledger struct {
	mu     sync.Mutex
	opened map[string]session.Decision // by title
	gone   map[session.DecisionID][]client.Gone
	news   chan struct{} // closed and replaced at each line
	ended  bool
	end    chan struct{} // closed when no line will come any more
}

func keepLedger(downs <-chan client.Down) *ledger {
	l := &ledger{opened: map[string]session.Decision{}, gone: map[session.DecisionID][]client.Gone{}, news: make(chan struct{}), end: make(chan struct{})}
	go func() {
		for d := range downs {
			l.mu.Lock()
			if d.Decision != nil {
				l.opened[d.Decision.Title] = *d.Decision
			}
			if d.Gone != nil {
				l.gone[d.Gone.Decision] = append(l.gone[d.Gone.Decision], *d.Gone)
			}
			close(l.news)
			l.news = make(chan struct{})
			l.mu.Unlock()
		}
		l.mu.Lock()
		l.ended = true
		l.mu.Unlock()
		close(l.news)
		close(l.end)
	}()
	return l
}

// await waits until holds is true of what was told so far.
func (l *ledger) await(holds func() bool) error {
	late := time.After(patience)
	for {
		l.mu.Lock()
		ok, ended, news := holds(), l.ended, l.news
		l.mu.Unlock()
		switch {
		case ok:
			return nil
		case ended:
			return errors.New("the helper has gone before it told")
		}
		select {
		case <-news:
		case <-late:
			return errors.New("the client was not told in time")
		}
	}
}

// asker is one process of the hook program that is held on a decision.
type asker struct {
	title          string
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	d              session.Decision
	done           chan struct{} // closed when it has ended
	exit           error         // to be read then

	mu       sync.Mutex
	shot     bool // it was sent a signal
	receipts []session.Receipt
}

func (h *hosted) command(hook, event string, s said) (*exec.Cmd, error) {
	payload, err := json.Marshal(s)
	cmd := exec.Command(hook, "--agent", "scripted", "--event", event)
	cmd.Env = []string{"ASIDE_SOCKET=" + h.socket, "ASIDE_THREAD=" + string(h.id), "ASIDE_PANE=agent"}
	cmd.Stdin = bytes.NewReader(payload)
	return cmd, err
}

func (h *hosted) askBy(hook string, request said) (*asker, error) {
	cmd, err := h.command(hook, "PermissionRequest", request)
	if err != nil {
		return nil, err
	}
	a := &asker{title: request.Title, cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &a.stdout, &a.stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		a.exit = cmd.Wait()
		close(a.done)
	}()
	return a, nil
}

func (a *asker) shoot(s syscall.Signal) {
	a.mu.Lock()
	a.shot = true
	a.mu.Unlock()
	_ = a.cmd.Process.Signal(s) // it may have ended
}

func (a *asker) answer(h *hosted, option string) {
	r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: a.d.ID, Option: option})
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		a.receipts = append(a.receipts, r) // an error: the helper has ended
	}
}

// check compares what the process printed and what the answerers were told
// with what the client was told.
func (a *asker) check(told []client.Gone) error {
	if len(told) != 1 {
		return fmt.Errorf("told %+v, want one end", told)
	}
	end := told[0]
	if a.exit != nil && !a.shot {
		return fmt.Errorf("the hook ended with %w", a.exit)
	}
	want := ""
	if end.Answered != "" {
		want = strconv.Quote(end.Answered + " for " + a.title)
	}
	if got := a.stdout.String(); got != want && (!a.shot || got != "") {
		return fmt.Errorf("the hook printed %q, want %q", got, want)
	}
	if want == "" && !a.shot && !strings.Contains(a.stderr.String(), string(end.Released)) {
		return fmt.Errorf("the hook said %q, want %q in it", a.stderr.String(), end.Released)
	}
	won := 0
	for _, r := range a.receipts {
		switch r.Outcome {
		case session.OutcomeAnswered:
			won++
		case session.OutcomeDuplicate:
		case session.OutcomeUnavailable, session.OutcomeUnknown:
			if end.Answered != "" {
				return fmt.Errorf("told %+v, receipts %+v", end, a.receipts)
			}
			continue
		}
		if r.Option != end.Answered {
			return fmt.Errorf("told %+v, receipts %+v", end, a.receipts)
		}
	}
	if (end.Answered != "") != (won == 1) {
		return fmt.Errorf("told %+v, %d answers won", end, won)
	}
	return nil
}

// race is one round on a host: two held hooks, and all that can happen to
// them at once.
type race struct {
	h            *hosted
	hook         string
	ledger       *ledger
	typist       *client.Attachment
	rnd          *rand.Rand
	conversation string
	last         bool // the round may end the host
	again        int  // how often it is asked again

	mu     sync.Mutex
	askers []*asker
}

func (r *race) ask(title, call string, within time.Duration) (*asker, error) {
	a, err := r.h.askBy(r.hook, said{Session: r.conversation, Title: title, CallID: call, Within: within})
	if err == nil {
		r.mu.Lock()
		r.askers = append(r.askers, a)
		r.mu.Unlock()
	}
	return a, err
}

func (r *race) tell(event string, s said) func() {
	return func() {
		cmd, err := r.h.command(r.hook, event, s)
		if err == nil {
			_ = cmd.Run() // what it informs of may be refused by now
		}
	}
}

// act returns one thing that can happen.
func (r *race) act(a *asker) func() {
	kind := r.rnd.IntN(16)
	if kind >= 14 && !r.last {
		kind = 0
	}
	option := []string{"once", "deny"}[r.rnd.IntN(2)]
	switch kind {
	case 1:
		key := session.Input{Key: &session.KeyEvent{Code: 'y', Text: "y"}}
		return func() {
			_ = r.typist.Send(client.Up{Input: &client.PaneInput{Pane: session.PaneAgent, Event: key}})
		}
	case 2:
		return r.tell("tool-done", said{Session: r.conversation, CallID: a.d.ToolCallID})
	case 3:
		return r.tell("prompted", said{Session: r.conversation, Prompt: "next"})
	case 4:
		return r.tell("started", said{Session: r.conversation + "x"})
	case 5:
		return func() { _, _ = call[struct{}](r.h, client.OpHandOver, session.Answer{Decision: a.d.ID}) }
	case 6:
		return func() { a.shoot(syscall.SIGKILL) }
	case 7:
		return func() { a.shoot(syscall.SIGTERM) }
	case 8:
		r.again++
		title := fmt.Sprint(a.title, " again ", r.again)
		return func() { _, _ = r.ask(title, a.d.ToolCallID, 0) }
	case 14:
		return func() { _, _ = call[struct{}](r.h, client.OpStop, nil) }
	case 15:
		return r.quit
	}
	return func() { a.answer(r.h, option) }
}

// quit lets the agent's program end by itself, unless it has ended.
func (r *race) quit() {
	f, err := os.OpenFile(filepath.Join(filepath.Dir(r.h.paths.State), "quit"), os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		_, _ = f.WriteString("\n")
		_ = f.Close()
	}
}

func (r *race) run(n int) error {
	r.conversation = fmt.Sprint("s", n)
	if _, err := r.h.hook("started", said{Session: r.conversation}); err != nil {
		return err
	}
	for i := range 2 {
		var within time.Duration
		if r.rnd.IntN(4) == 0 { // it runs out while the rest happens
			within = time.Duration(1+r.rnd.IntN(20)) * time.Millisecond
		}
		if _, err := r.ask(fmt.Sprint("round ", n, " ", i), fmt.Sprint("call", i), within); err != nil {
			return err
		}
	}
	first := r.askers[:2:2]
	if err := r.ledger.await(func() bool {
		for _, a := range first {
			a.d = r.ledger.opened[a.title]
		}
		return first[0].d.ID != "" && first[1].d.ID != ""
	}); err != nil {
		return err
	}
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 + r.rnd.IntN(5) {
		act := r.act(first[r.rnd.IntN(2)])
		wg.Go(func() {
			<-begin
			act()
		})
	}
	close(begin)
	wg.Wait()
	return r.finish()
}

// finish lets go of what is still held, and waits for the processes.
func (r *race) finish() error {
	for _, a := range r.askers {
		late := time.After(patience)
		for ended := false; !ended; {
			r.ledger.mu.Lock()
			d, news := r.ledger.opened[a.title], r.ledger.news
			r.ledger.mu.Unlock()
			if d.ID != "" {
				_, _ = call[struct{}](r.h, client.OpHandOver, session.Answer{Decision: d.ID})
			}
			select {
			case <-a.done:
				ended = true
			case <-news:
			case <-late:
				return fmt.Errorf("the hook of %s does not end", a.title)
			}
		}
	}
	return nil
}

// check compares, when the helper has gone, what became of every hook.
func (r *race) check() error {
	for _, a := range r.askers {
		d, opened := r.ledger.opened[a.title]
		if !opened { // it asked again, and came too late to be held
			if a.stdout.Len() > 0 {
				return fmt.Errorf("%s: nobody was told of it, and it printed %s", a.title, &a.stdout)
			}
			continue
		}
		if err := a.check(r.ledger.gone[d.ID]); err != nil {
			return fmt.Errorf("%s: %w", a.title, err)
		}
	}
	return nil
}

// All that can happen to a held decision, at random and at once, with the real
// hook as processes and the clients on the real socket: exactly one outcome,
// the same for the hook, for those who answered and for those who look.
func TestRacesOfProcesses(t *testing.T) {
	const perHost = 20
	hook := buildHook(t)
	seed := uint64(time.Now().UnixNano())
	total := rounds(t, perHost)
	for n := 0; n < total; {
		h := open(t)
		dir := filepath.Dir(h.paths.State)
		if err := syscall.Mkfifo(filepath.Join(dir, "quit"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := h.run(options{adapter: scripted{script: `stty -echo; read x < quit`, caps: confirming}}); err != nil {
			t.Fatal(err)
		}
		_, downs := h.follow()
		typist, others := h.follow()
		go func() {
			for range others { // a client that does not read is let go
			}
		}()
		l := keepLedger(downs)
		var races []*race
		for i := range perHost {
			r := &race{h: h, hook: hook, ledger: l, typist: typist, rnd: rand.New(rand.NewPCG(seed, uint64(n))), last: i == perHost-1}
			if err := r.run(n); err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, n, err)
			}
			races = append(races, r)
			n++
		}
		h.end()
		receive(t, l.end)
		for _, r := range races {
			if err := r.check(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}

// end stops the host.
func (h *hosted) end() {
	h.t.Helper()
	_, _ = call[struct{}](h, client.OpStop, nil) // it may have ended already
	h.awaitEnd()
}

func TestTwoClientsAnswerAtOnce(t *testing.T) {
	h := host(t, `exec cat`)
	_, downs := h.follow()
	l := keepLedger(downs)
	for n := range rounds(t, 50) {
		title := fmt.Sprint("round ", n)
		reply := make(chan wire.HookReply, 1)
		go func() {
			r, _ := h.hook("asked", said{Session: "s1", Title: title, CallID: title})
			reply <- r
		}()
		var d session.Decision
		if err := l.await(func() bool { d = l.opened[title]; return d.ID != "" }); err != nil {
			t.Fatal(err)
		}
		receipts := make([]session.Receipt, 2)
		begin := make(chan struct{})
		var wg sync.WaitGroup
		for i, option := range []string{"once", "deny"} {
			wg.Go(func() {
				<-begin
				receipts[i], _ = call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: option})
			})
		}
		close(begin)
		wg.Wait()
		first, second := receipts[0], receipts[1]
		if first.Outcome == session.OutcomeDuplicate {
			first, second = second, first
		}
		if first.Outcome != session.OutcomeAnswered || second.Outcome != session.OutcomeDuplicate || second.Option != first.Option {
			t.Fatalf("receipts %+v, want one answered and one duplicate of it", receipts)
		}
		if got, want := receive(t, reply).Output, strconv.Quote(first.Option+" for "+title); got != want {
			t.Fatalf("the hook was told %s, want %s", got, want)
		}
	}
}

// A hook whose helper is killed says so and lets the agent go on at once.
func TestTheHookOutlivesAKilledHelper(t *testing.T) {
	hook := buildHook(t)
	dir, err := os.MkdirTemp("", "aside")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h := &hosted{t: t, id: "thread1", socket: filepath.Join(dir, "t.sock")}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	helper := exec.CommandContext(ctx, os.Args[0])
	helper.Env = append(os.Environ(), "BE_HELPER="+h.socket)
	held, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 64)
	if n, err := held.Read(line); err != nil || !strings.HasPrefix(string(line[:n]), "listening") {
		t.Fatalf("%q, %v", line[:n], err)
	}
	a, err := h.askBy(hook, said{Session: "s1", Title: "make", CallID: "c1"})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := held.Read(line); err != nil || !strings.HasPrefix(string(line[:n]), "held") {
		t.Fatalf("%q, %v", line[:n], err)
	}
	killed := time.Now()
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	receive(t, a.done)
	if a.exit != nil {
		t.Errorf("the hook ended with %v, want status 0", a.exit)
	}
	t.Logf("the hook ended %v after its helper", time.Since(killed))
	if a.stdout.Len() > 0 || a.stderr.Len() == 0 {
		t.Errorf("the hook printed %q and said %q", a.stdout.String(), a.stderr.String())
	}
	_ = helper.Wait()
}

// beHelper is a process that holds every request until it is killed.
func beHelper(socket string) error {
	l, err := wire.Listen(socket)
	if err != nil {
		return err
	}
	fmt.Println("listening")
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		if _, err := c.ReadRequest(); err != nil {
			return err
		}
		fmt.Println("held")
	}
}
