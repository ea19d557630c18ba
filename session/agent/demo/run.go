package demo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"aside/session"
)

// Call calls one of aside's tools and returns what the agent is told; a call
// that the tool refuses is an error. The program gets it from its caller, who
// has the client of the tools' protocol.
type Call func(ctx context.Context, tool string, arguments any, meta map[string]any) (text string, err error)

// defaultPace is the time between two words that appear.
const defaultPace = 14 * time.Millisecond

// options are the program's arguments.
type options struct {
	session string
	resume  bool
	record  string // folder for the record of the conversation
	hook    words  // the hook's program and its first arguments; none when hosted by nobody
	pace    time.Duration
	prompt  string
}

// words is a flag that is given once per word.
type words []string

func (w *words) String() string     { return fmt.Sprint([]string(*w)) }
func (w *words) Set(s string) error { *w = append(*w, s); return nil }

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("aside demo-agent", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.session, "session", "", "id of the conversation")
	f.BoolVar(&o.resume, "resume", false, "go on with the conversation")
	f.StringVar(&o.record, "record", "", "folder for the record")
	f.Var(&o.hook, "hook", "hook program, one word at a time")
	f.DurationVar(&o.pace, "pace", defaultPace, "time between two words")
	if err := f.Parse(args); err != nil {
		return o, &session.Error{Code: session.CodeUsage, Message: err.Error(), Hint: "this program is started by aside: try aside demo"}
	}
	if o.session == "" {
		o.session = session.NewUUID()
	}
	if o.record == "" {
		o.record = os.TempDir()
	}
	if f.NArg() > 0 {
		o.prompt = f.Arg(0)
	}
	return o, nil
}

// Run is the demo agent's program. It talks on the terminal in and out until
// it is told to exit, in ends, or ctx does; then the terminal is as it was.
func Run(ctx context.Context, args []string, in, out *os.File, call Call) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find folder: %w", err)
	}
	rec, err := newRecord(o.record, o.session, cwd)
	if err != nil {
		return err
	}
	defer func() { _ = rec.Close() }()
	restore, err := makeRaw(in)
	if err != nil {
		return fmt.Errorf("set terminal: %w", err)
	}
	defer restore()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	a := &app{
		o: o, cwd: cwd, call: call, record: rec,
		hooks: hooks{program: o.hook, session: o.session, record: rec.Path(), cwd: cwd},
		view:  newView(out),
		posts: make(chan func()),
	}
	return a.run(ctx, in)
}

// app is the program. Its fields are touched by the loop alone; a turn works
// in a goroutine of its own and reaches them by post.
type app struct {
	o      options
	cwd    string
	call   Call
	record *record
	hooks  hooks
	view   *view
	posts  chan func()

	queue    []string           // prompts that wait for the end of the turn
	stopTurn context.CancelFunc // set while a turn is under way
	allowed  map[string]bool    // tools allowed for the whole session; touched by turns alone
	leaving  bool
}

// run is the loop.
func (a *app) run(ctx context.Context, in *os.File) error {
	a.allowed = map[string]bool{}
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	defer signal.Stop(resized)
	chunks := readChunks(in)
	a.view.open()
	defer a.view.close()
	a.start(ctx)
	defer func() { a.hooks.tell(context.WithoutCancel(ctx), "SessionEnd", fields{"reason": "prompt_input_exit"}) }()
	var keys decoder
	escape := time.NewTimer(time.Hour)
	defer escape.Stop()
	for !a.leaving || a.stopTurn != nil {
		a.view.draw()
		select {
		case chunk, open := <-chunks:
			if !open {
				a.leave()
				chunks = nil
				continue
			}
			a.keys(ctx, keys.feed(chunk))
			if keys.waiting() {
				escape.Reset(escapeTime)
			}
		case <-escape.C:
			a.keys(ctx, keys.flush())
		case f := <-a.posts:
			f()
		case <-resized:
			a.view.resize()
		case <-ctx.Done():
			a.leave()
			if a.stopTurn == nil {
				return nil
			}
			(<-a.posts)() // the turn is told to end by the same context
		}
	}
	return nil
}

// escapeTime is how long a lone ESC may be the beginning of a sequence.
const escapeTime = 60 * time.Millisecond

func readChunks(in *os.File) <-chan []byte {
	chunks := make(chan []byte)
	go func() {
		defer close(chunks)
		for {
			buf := make([]byte, 4096)
			n, err := in.Read(buf)
			if n > 0 {
				chunks <- buf[:n]
			}
			if err != nil && !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	}()
	return chunks
}

// start opens the conversation and takes the first prompt.
func (a *app) start(ctx context.Context) {
	source := "startup"
	if a.o.resume {
		source = "resume"
	}
	a.hooks.tell(ctx, "SessionStart", fields{"source": source})
	a.view.say(kindNotice, introduction)
	if a.o.prompt != "" {
		a.prompt(ctx, a.o.prompt)
	}
}

func (a *app) leave() {
	a.leaving = true
	a.queue = nil
	if a.stopTurn != nil {
		a.stopTurn()
	}
}

// prompt takes a prompt, now or after the turn under way.
func (a *app) prompt(ctx context.Context, text string) {
	if a.stopTurn != nil {
		a.queue = append(a.queue, text)
		a.view.waiting = len(a.queue)
		return
	}
	tctx, cancel := context.WithCancel(ctx)
	a.stopTurn = cancel
	a.view.working = true
	t := &turn{app: a, ctx: tctx}
	go func() {
		t.run(text)
		// The loop takes posts until no turn is under way.
		a.posts <- func() {
			cancel()
			a.stopTurn = nil
			a.view.working, a.view.menu = false, nil
			if t.exit {
				a.leaving = true
			}
			if len(a.queue) > 0 && !a.leaving {
				next := a.queue[0]
				a.queue = a.queue[1:]
				a.view.waiting = len(a.queue)
				a.prompt(ctx, next)
			}
		}
	}()
}
