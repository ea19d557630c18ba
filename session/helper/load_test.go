package helper_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
	"aside/session/agent/claude"
	"aside/session/client"
)

// The load of contracts/decisions.md: as many held at once as there can be,
// and informing events from many processes meanwhile.
const (
	loadHeld      = 64
	loadProcesses = 20
	loadEvents    = 500 // a second, from each process
)

// loadAlone is how long events come and nothing else.
const loadAlone = 2 * time.Second

// talker is the real dialect of an agent whose program is a shell script.
type talker struct {
	agent.Adapter
	script scripted
}

func (t talker) Command(l agent.Launch) (agent.Command, error) { return t.script.Command(l) }

// payload is what the agent says of a tool.
func payload(event string, n int) json.RawMessage {
	return fmt.Appendf(nil, `{"session_id":"s1","transcript_path":"/nowhere/s1.jsonl","cwd":"/p","hook_event_name":%q,"permission_mode":"default",`+
		`"tool_name":"Bash","tool_input":{"command":"make test-%d","description":"Run a test"},"tool_use_id":"toolu_%d","tool_response":{"stdout":%q}}`,
		event, n, n, strings.Repeat("ok\n", 200))
}

// beAgent is a process that sends events, as many as it is to in a second,
// until its standard input ends; then it prints how many were taken, and in
// how many nanoseconds.
func beAgent(helper string) error {
	thread, socket, _ := strings.Cut(helper, "@")
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(over)
	}()
	begun, sent := time.Now(), 0
	for {
		// The pace of the load, not a wait for anything.
		due := begun.Add(time.Duration(sent) * time.Second / loadEvents)
		select {
		case <-over:
			_, err := fmt.Println(sent, time.Since(begun).Nanoseconds())
			return err
		case <-time.After(time.Until(due)):
		}
		event := []string{"PreToolUse", "PostToolUse"}[sent%2]
		if err := ask(thread, socket, event, payload(event, os.Getpid()*1_000_000+sent/2), nil); err != nil {
			return err
		}
		sent++
	}
}

// ask sends an event as the hook does and reads the reply.
func ask(thread, socket, event string, body json.RawMessage, reply *wire.HookReply) error {
	c, err := wire.Dial(context.Background(), socket)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	out, err := c.Ask(wire.Request{Op: wire.OpHook, Thread: thread, Pane: "agent", Agent: "scripted", Event: event, Body: body})
	if err != nil || reply == nil {
		return err
	}
	return json.Unmarshal(out, reply)
}

// load is a host under load.
type load struct {
	*hosted
	b       testing.TB
	opened  chan session.Decision
	verdict atomic.Int64
}

// hold keeps one more request held; read is told when its verdict has come.
func (l *load) hold(n int, read chan<- time.Time) {
	var reply wire.HookReply
	err := ask(string(l.id), l.socket, "PermissionRequest", payload("PermissionRequest", n), &reply)
	at := time.Now()
	if err != nil || !strings.Contains(reply.Output, `"behavior":"allow"`) {
		l.b.Errorf("request %d was told %+v, %v", n, reply, err)
	}
	l.verdict.Add(1)
	read <- at
}

// BenchmarkAnswerUnderLoad measures how long an answer takes from a client's
// request to the verdict at the hook, while 64 requests are held and 20
// processes send 10,000 events a second. Before that events come alone, to
// measure what processor time one takes.
func BenchmarkAnswerUnderLoad(b *testing.B) {
	h := open(b)
	if err := h.run(options{adapter: talker{claude.New(), scripted{script: `exec cat`}}}); err != nil {
		b.Fatal(err)
	}
	if err := ask(string(h.id), h.socket, "SessionStart", payload("SessionStart", 0), nil); err != nil {
		b.Fatal(err)
	}
	l := &load{hosted: h, b: b, opened: make(chan session.Decision, 2*loadHeld)}
	_, downs := h.follow()
	go func() {
		for d := range downs {
			if d.Decision != nil {
				l.opened <- *d.Decision
			}
		}
	}()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	goroutines := runtime.NumGoroutine()

	used := processorTime(b)
	stop := startAgents(b, string(h.id)+"@"+h.socket)
	<-time.After(loadAlone) // the length of the measurement, not a wait for anything
	alone := stop()
	own := processorTime(b) - used

	stop = startAgents(b, string(h.id)+"@"+h.socket)
	reads := map[string]chan time.Time{}
	n := 0
	holdOne := func() {
		n++
		read := make(chan time.Time, 1)
		reads[fmt.Sprintf("make test-%d", n)] = read
		go l.hold(n, read)
	}
	for range loadHeld {
		holdOne()
	}
	var took []time.Duration
	answerOne := func() {
		d := receive(b, l.opened)
		from := time.Now()
		r, err := call[session.Receipt](h, client.OpAnswer, session.Answer{Decision: d.ID, Option: "once"})
		if err != nil || r.Outcome != session.OutcomeAnswered {
			b.Fatal(r, err)
		}
		took = append(took, receive(b, reads[d.Title]).Sub(from))
		delete(reads, d.Title)
	}
	for b.Loop() {
		answerOne()
		holdOne()
	}
	for range loadHeld {
		answerOne()
	}
	busy := stop()
	if got := l.verdict.Load(); got != int64(n) || len(l.opened) > 0 {
		b.Errorf("%d of %d got a verdict", got, n)
	}
	h.until("the connections have ended", func() bool { return runtime.NumGoroutine() <= goroutines })
	runtime.GC()
	runtime.ReadMemStats(&after)
	slices.Sort(took)
	b.ReportMetric(busy.rate, "events/s")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(own.Microseconds())/float64(alone.events), "helper-µs/event")
	b.ReportMetric(float64(alone.took.Microseconds())/float64(alone.events), "sender-µs/event")
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1024, "KiB-left")
}

// sent is what the processes have sent together: so many events, so many in a
// second, and what processor time that took them.
type sent struct {
	events int
	rate   float64
	took   time.Duration
}

// startAgents starts the processes that send events; the returned function
// ends them.
func startAgents(b *testing.B, helper string) func() sent {
	var ends []io.Closer
	var mu sync.Mutex
	var wg sync.WaitGroup
	var all sent
	for range loadProcesses {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "BE_AGENT="+helper)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		ends = append(ends, in)
		wg.Go(func() {
			line, _ := bufio.NewReader(out).ReadString('\n')
			_ = cmd.Wait()
			var events int
			var nanoseconds int64
			if _, err := fmt.Sscan(line, &events, &nanoseconds); err != nil || nanoseconds <= 0 {
				b.Errorf("a process of events ended early: %q, %v", line, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			all.events += events
			all.rate += float64(events) / time.Duration(nanoseconds).Seconds()
			all.took += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		})
	}
	return func() sent {
		for _, c := range ends {
			_ = c.Close()
		}
		wg.Wait()
		return all
	}
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
