// Package helper hosts one thread: its panes, the one input path, its
// pending decisions and its socket. It runs as a process of its own, so that
// closing, killing or upgrading the screen never touches an agent.
package helper

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"aside/hookbridge"
	"aside/hookbridge/mcp"
	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/config"
	"aside/session/pty"
	"aside/session/screen"
	"aside/session/transcript"
	"aside/storage"

	"github.com/gofrs/flock"
)

// Options are what a helper is made of.
type Options struct {
	Thread session.ThreadID
	// Prompted says that the agent is started for the sake of a queued prompt,
	// and not at all when that was given up meanwhile.
	Prompted bool
	Paths    config.Paths
	Config   config.Config
	Store    *storage.DB
	Adapter  agent.Adapter
	Desk     mcp.Desk       // takes the agent's tool calls
	Aside    string         // absolute path of this program
	Hook     string         // absolute path of the hook program, or ""
	Colors   session.Colors // of the terminal that the person looks at, if known
	Version  string         // of aside, for programs that ask what terminal this is
	Log      *slog.Logger
	Now      func() time.Time
	// Receipt is how long a prompt may take to reach the agent before the
	// thread says that it was not delivered (contracts/proposed-threads.md).
	Receipt time.Duration
	// Left, if set, says in a sentence what work of a thread is not committed or not
	// merged when its agent has ended, "" for none.
	Left func(ctx context.Context, t session.Thread) string
	// Guest makes an adapter for an agent that a person started by hand in a
	// pane, by the name of its kind.
	Guest func(kind string) (agent.Adapter, error)
	// Delegate starts the thread that a person confirmed on an action card, by
	// the road of a proposed thread, and returns it.
	Delegate func(ctx context.Context, d Delegation) (session.ThreadID, error)
	// After is time.After, or the clock of a test.
	After func(time.Duration) <-chan time.Time
	// Ready is told once that the agent runs, or why it does not.
	Ready func(error)
}

// Host is a running helper.
type Host struct {
	o      Options
	now    func() time.Time
	colors atomic.Pointer[session.Colors] // of the terminal that the person looks at
	bridge *hookbridge.Bridge
	ctx    context.Context // ends with the helper
	cancel context.CancelFunc

	mu      sync.Mutex // guards what follows; never held across a wait
	thread  session.Thread
	panes   map[session.PaneID]*pane
	ended   map[session.PaneID]bool
	viewers map[*viewer]struct{}
	layout  session.Layout // of the panes, as a screen placed them
	titled  time.Time      // when the panes were told for a title last
	titling bool           // they are going to be
	seen    bool           // somebody saw the end of the agent
	stopped session.Source // who has the programs ended: the person, or the process, which is told to end; "" for nobody

	started time.Time      // when the agent was started last
	exit    int            // of the agent, once it has ended
	claimed session.TurnID // the turn whose prompt the agent is started with

	launching sync.Mutex     // held while the agent is started again, and while its end is recorded
	running   sync.WaitGroup // panes whose end is not recorded yet

	said      ration // by the programs to the person
	status    statusBook
	turns     turnBook
	agent     agentBook
	guests    guestBook
	questions questionBook

	door    *door
	shells  shellBook
	actions *actionBook

	over chan struct{} // closed when there is nothing left to host
	end  sync.Once
}

// ErrRunning says that another helper hosts the thread.
var ErrRunning = &session.Error{Code: session.CodeSettled, Message: "this thread is running already"}

// Run hosts the thread until its last pane has ended and been seen, it is
// told to stop, or ctx ends. It tells Ready exactly once.
func Run(ctx context.Context, o Options) error {
	told := false
	ready := func(err error) {
		if !told {
			told = true
			o.Ready(err)
		}
	}
	err := run(ctx, o, ready)
	ready(err)
	return err
}

func run(ctx context.Context, o Options, ready func(error)) error {
	if err := wire.SecureDir(o.Paths.Runtime); err != nil {
		return &session.Error{
			Code: session.CodeFailed, Message: "the runtime folder cannot be used", Cause: err,
			Hint: "set XDG_RUNTIME_DIR or ASIDE_HOME to a folder of your own",
		}
	}
	lock := flock.New(o.Paths.Lock(o.Thread))
	// A look whether a helper is there holds the lock for a moment.
	lctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	held, err := lock.TryLockContext(lctx, time.Millisecond)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("lock thread: %w", err)
	}
	if !held {
		return ErrRunning
	}
	defer func() { _ = lock.Unlock() }()

	h, err := newHost(ctx, o)
	if err != nil {
		return err
	}
	// Nobody is answered before the prompt is claimed: who finds no socket
	// starts a helper of its own, which waits for this one's end.
	queued, err := h.claim(ctx, o.Prompted)
	if err != nil {
		h.fail(err)
		h.close()
		return err
	}
	listener, err := wire.Listen(o.Paths.Socket(o.Thread))
	if err != nil {
		err = fmt.Errorf("listen: %w", err)
		h.fail(err)
		h.close()
		return err
	}
	defer func() { _ = listener.Close() }()
	defer h.close()
	unpublish, err := h.publishChannel()
	if err != nil {
		h.fail(err)
		return err
	}
	defer unpublish()
	if err := h.launch(ctx, h.thread, queued); err != nil {
		h.fail(err)
		return err
	}
	go h.followRecord(h.ctx)
	ready(nil)
	go h.accept(listener)
	select {
	case <-h.over:
	case <-ctx.Done():
	}
	return nil
}

// lockPatience is how long a lock is waited for that is most likely held by
// another helper for good.
const lockPatience = 200 * time.Millisecond

func newHost(ctx context.Context, o Options) (*Host, error) {
	t, err := o.Store.Thread(ctx, o.Thread)
	if err != nil {
		return nil, err
	}
	if t.Cwd == "" {
		return nil, &session.Error{
			Code: session.CodeFailed, Message: "this thread has no checkout yet",
			Hint: "start it again from its card, or send its draft",
		}
	}
	h := &Host{
		o: o, now: o.Now, thread: t,
		panes: map[session.PaneID]*pane{}, ended: map[session.PaneID]bool{},
		viewers: map[*viewer]struct{}{}, over: make(chan struct{}),
	}
	h.colors.Store(&o.Colors)
	h.ctx, h.cancel = context.WithCancel(ctx)
	h.turns = turnBook{host: h, gate: newGate()}
	h.status.host, h.status.ready = h, make(chan struct{})
	h.actions, h.door = newActionBook(h), newDoor()
	h.agent = agentBook{
		adapter: o.Adapter, reader: o.Adapter.Reader(), session: t.SessionID, more: make(chan struct{}, 1),
	}
	h.bridge = hookbridge.New(time.Duration(o.Config.Hold), h.published)
	return h, nil
}

// launch starts the agent of the thread, as the store has that now, in its
// pane, with the queued prompt if there is one.
func (h *Host) launch(ctx context.Context, t session.Thread, queued *storage.Turn) error {
	own := h.o.Config.Agents[t.Agent]
	l := h.launchOf(t, own, queued)
	cmd, err := h.o.Adapter.Command(l)
	if err != nil {
		return err
	}
	if err := writeFiles(l.RuntimeDir, cmd.Files); err != nil {
		return err
	}
	env := append(append(own.Environ(), cmd.Env...), l.Endpoint...)
	p, err := h.startPane(session.PaneAgent, pty.Options{
		Path: cmd.Path, Args: cmd.Args, Dir: h.thread.Cwd, Env: pty.Environment(os.Environ(), env),
	})
	if err != nil {
		return err
	}
	h.enter(p)
	h.begun(ctx)
	if queued != nil {
		h.handOver(*queued, cmd.PromptTaken)
	}
	go p.run(paneHooks{
		changed: h.changed,
		event:   func(e screen.Event) { h.terminalEvent(p.id, e) },
		ended:   func(code int) { h.agentGone(p, code) },
	})
	return nil
}

// handOver gives the agent the prompt that it is started for, unless it has it
// among its arguments: as soon as it takes one.
func (h *Host) handOver(t storage.Turn, taken bool) {
	if taken || h.o.Adapter.Capabilities().Ready == agent.ReadyAtOnce {
		h.turns.handOver(t, !taken)
		return
	}
	o := h.turns.handOver(t, false)
	go func() {
		if h.awaitReady(h.ctx) != nil {
			return // the helper ends, which says what became of it
		}
		if err := h.paste(o.sent); err != nil {
			h.turns.settle(o, sentence(err))
		}
	}()
}

// enter puts the agent's pane in its place: its program runs.
func (h *Host) enter(p *pane) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.panes[p.id] = p
	h.started, h.seen = h.now(), false
	delete(h.ended, p.id)
	h.running.Add(1)
	for v := range h.viewers {
		v.anew(p.id)
	}
}

// relaunch starts the agent again in this helper, for the sake of the shell
// panes in it. Where none of their programs runs it does nothing and returns
// false.
func (h *Host) relaunch(ctx context.Context, prompted bool) (bool, error) {
	h.launching.Lock()
	defer h.launching.Unlock()
	h.mu.Lock()
	ended, stopped, shells := h.ended[session.PaneAgent], h.stopped, len(h.panes) > len(h.ended)
	h.mu.Unlock()
	switch {
	case !ended:
		return false, ErrRunning
	case stopped != "" || !shells:
		return false, nil
	}
	ctx = context.WithoutCancel(ctx) // an agent that runs is recorded as one
	t, err := h.o.Store.Thread(ctx, h.thread.ID)
	if err != nil {
		return false, err
	}
	queued, err := h.claim(ctx, prompted)
	if err == nil {
		err = h.launch(ctx, t, queued)
	}
	if err != nil {
		h.fail(err)
		return false, err
	}
	h.panesChanged()
	return true, nil
}

// claim marks the thread as one whose end is found out, should this process be
// killed, and then the prompt as handed over, before it is: who recovers a
// start must not give the prompt back while an agent gets it. It returns the
// turn to begin with, nil for none.
func (h *Host) claim(ctx context.Context, prompted bool) (*storage.Turn, error) {
	queued, err := h.o.Store.QueuedTurn(ctx, h.thread.ID)
	if err != nil {
		return nil, fmt.Errorf("read queued prompt: %w", err)
	}
	h.record(h.o.Store.SetLive(ctx, h.thread.ID, true))
	if queued != nil {
		err = h.o.Store.MarkTurnDispatched(ctx, queued.ID, h.now())
	}
	switch {
	case queued == nil && prompted, session.CodeOf(err) == session.CodeSettled:
		return nil, &session.Error{
			Code: session.CodeFailed, Message: "the agent was not started: its prompt was given up meanwhile",
			Hint: "it is the thread's draft; send it again",
		}
	case queued != nil:
		h.mu.Lock()
		h.claimed = queued.ID
		h.mu.Unlock()
	}
	return queued, err
}

// launchOf says how the agent is to be started. A conversation that exists
// goes on; an agent that takes the id of a new one gets it from here.
func (h *Host) launchOf(t session.Thread, own config.Agent, queued *storage.Turn) agent.Launch {
	l := agent.Launch{
		Thread: t.ID, Session: t.SessionID, Resume: t.SessionID != "",
		Model: t.Model, Cwd: t.Cwd, RuntimeDir: h.o.Paths.Generated(h.thread.ID),
		Aside: h.o.Aside, Hook: h.o.Hook, Hold: time.Duration(h.o.Config.Hold),
		Endpoint: h.endpoint(session.PaneAgent), Command: own.Command, Args: own.Args,
	}
	if l.Session == "" && h.o.Adapter.Capabilities().TakesSession {
		l.Session = session.NewUUID()
		h.agent.mu.Lock()
		h.agent.session = l.Session
		h.agent.mu.Unlock()
	}
	if l.Model == "" {
		l.Model = own.Model
	}
	if queued != nil {
		l.Prompt = inAgentsForm(*queued)
	}
	return l
}

// begun records that the agent's program runs.
func (h *Host) begun(ctx context.Context) {
	h.record(h.o.Store.SetBegun(ctx, h.thread.ID))
	h.status.begun()
}

// endpoint is what a program in a pane needs to reach this helper, and
// nothing else of aside's.
func (h *Host) endpoint(p session.PaneID) []string {
	env := []string{
		"ASIDE_SOCKET=" + h.o.Paths.Socket(h.thread.ID),
		"ASIDE_THREAD=" + string(h.thread.ID),
		"ASIDE_PANE=" + string(p),
	}
	if p == session.PaneAgent && h.o.Adapter.Capabilities().Hooks {
		// Hooks that a person installed are silent where aside brought its own.
		env = append(env, "ASIDE_AGENT="+h.thread.Agent)
	}
	if home := os.Getenv("ASIDE_HOME"); home != "" {
		env = append(env, "ASIDE_HOME="+home)
	}
	return env
}

func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make settings folder: %w", err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return fmt.Errorf("write agent settings: %w", err)
		}
	}
	return nil
}

// fail records that the agent could not be started.
func (h *Host) fail(cause error) {
	ctx, cancel := h.storeContext()
	defer cancel()
	h.status.report(session.StateFailed, session.SourceProcess)
	h.record(h.o.Store.SetProblem(ctx, h.thread.ID, sentence(cause)))
	h.mu.Lock()
	claimed := h.claimed
	h.mu.Unlock()
	if claimed != "" {
		h.record(h.o.Store.MarkUndelivered(ctx, claimed, sentence(cause), h.now()))
	}
}

// sentence is a fault as it is shown on a thread.
func sentence(err error) string {
	var e *session.Error
	if errors.As(err, &e) && e.Hint != "" {
		return e.Error() + " — " + e.Hint
	}
	return err.Error()
}

func (h *Host) accept(l *wire.Listener) {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			h.record(err)
			continue
		}
		h.door.enter(c)
		go h.serve(c)
	}
}

// close releases every decision, ends every program and records the end.
func (h *Host) close() {
	h.stop(session.SourceProcess)
	h.cancel()
	h.turns.close()
	h.status.settle()
	sctx, done := h.storeContext()
	defer done()
	h.record(h.o.Store.SetLive(sctx, h.thread.ID, false))
	_ = os.RemoveAll(h.o.Paths.Generated(h.thread.ID))
}

// stopGrace is how long programs get to end by themselves.
const stopGrace = 3 * time.Second

// storeContext bounds a write that no caller waits for.
func (h *Host) storeContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 30*time.Second)
}

// record logs a fault that nobody else can be told of.
func (h *Host) record(err error) {
	if err != nil {
		h.o.Log.Error("helper", "thread", h.thread.ID, "fault", err)
	}
}

func (h *Host) pane(id session.PaneID) *pane {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.panes[id]
}

func (h *Host) paneEnded(id session.PaneID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ended[id]
}

// Input is the one input path of the thread. What a user really typed
// releases the pane's decisions before its bytes are written
// (contracts/decisions.md, Who wins).
func (h *Host) Input(id session.PaneID, in session.Input) error {
	p := h.pane(id)
	if p == nil || h.paneEnded(id) {
		return &session.Error{Code: session.CodeNotFound, Message: "no program runs in this terminal", Hint: "aside resume starts it again"}
	}
	if in.Real() {
		h.bridge.UserInput(id)
	}
	return p.send(in)
}

// changed tells every client that there may be a new frame.
func (h *Host) changed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.viewers {
		v.changed()
	}
}

// tell sends a line to every client.
func (h *Host) tell(d client.Down) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.viewers {
		v.tell(d)
	}
}

// agentGone is told that the agent's program has ended.
func (h *Host) agentGone(p *pane, code int) {
	defer h.running.Done()
	// Who starts it again does so when its end has been told.
	h.launching.Lock()
	defer h.launching.Unlock()
	h.bridge.PaneClosed(p.id)
	h.questions.over(p.id)
	h.mu.Lock()
	h.ended[p.id] = true
	h.exit = code
	asked, started := h.stopped, h.started
	h.mu.Unlock()
	h.actions.gone("the agent has ended")
	ctx, cancel := h.storeContext()
	defer cancel()
	h.agent.mu.Lock()
	h.readRecords(ctx)
	h.agent.mu.Unlock()
	h.turns.agentEnded(ctx)
	state, source, problem := session.StateExited, session.SourceProcess, ""
	switch {
	case asked != "":
		source = asked
	case code != 0:
		state = session.StateFailed
		if h.now().Sub(started) < quickEnd {
			problem = fmt.Sprintf("%s ended at once, %s — its last screen says why", h.thread.Agent, session.ExitWords(code))
		}
	}
	h.status.ended(state, source, code, problem)
	h.tellLeft(ctx)
	h.tell(client.Down{Ended: &code})
	h.panesChanged()
	h.changed()
}

// tellLeft says in the transcript what work the agent leaves unfinished
// (contracts/proposed-threads.md, For the person).
func (h *Host) tellLeft(ctx context.Context) {
	if h.o.Left == nil {
		return
	}
	if left := h.o.Left(ctx, h.thread); left != "" {
		h.record(h.o.Store.Append(ctx, h.thread.ID, transcript.Entry{At: h.now(), Kind: transcript.KindNotice, Text: left}))
	}
}

// quickEnd is the time within which an agent's end is an end at once.
const quickEnd = 5 * time.Second

// sawEnd is told by a viewer that its user saw the end of a pane. The agent's
// is the one that must have been seen.
func (h *Host) sawEnd(id session.PaneID) {
	h.mu.Lock()
	h.seen = h.seen || id == session.PaneAgent
	h.mu.Unlock()
}

// leave ends the helper when the last program has ended, somebody saw the
// agent's end, and nobody looks any more.
func (h *Host) leave() {
	h.mu.Lock()
	idle := h.seen && len(h.viewers) == 0 && len(h.ended) == len(h.panes)
	h.mu.Unlock()
	if idle {
		h.finish()
	}
}

func (h *Host) finish() { h.end.Do(func() { close(h.over) }) }
