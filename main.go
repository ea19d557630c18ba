// Command aside is the terminal you run your coding agents in.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"aside/hookbridge/hook"
	"aside/hookbridge/mcp"
	"aside/proposals"
	"aside/session"
	"aside/session/agent"
	"aside/session/agent/claude"
	"aside/session/agent/codex"
	"aside/session/agent/demo"
	"aside/session/agent/generic"
	"aside/session/agent/opencode"
	"aside/session/cli"
	"aside/session/client"
	"aside/session/config"
	"aside/session/doctor"
	"aside/session/helper"
	"aside/session/plain"
	"aside/session/threads"
	"aside/storage"
	"aside/tui"
	"aside/tui/intent"
	"aside/tui/paint"
	"aside/worktree/git"

	tea "charm.land/bubbletea/v2"
)

// version is set when a release is built.
var version = "dev"

// receiptTime is how long a prompt may take to reach its agent
// (contracts/proposed-threads.md, Starting 10).
const receiptTime = 30 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := cli.Run(ctx, program(), os.Args[1:])
	stop()
	os.Exit(code)
}

func program() cli.Program {
	return cli.Program{
		Open: openService, Screen: openScreen, Plain: openPlain,
		Helper: runHelper, Hook: runHook, MCP: runMCP, Propose: runPropose, DemoAgent: runDemoAgent,
		Hooks: installedHooks, Doctor: checkMachine,
		Keys:    func() string { return intent.Markdown(tui.DefaultLeader) },
		Version: version, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	}
}

// kinds are the agents aside can host, the preferred one first.
func kinds() agent.Kinds {
	return agent.Kinds{claude.Kind(), codex.Kind(), opencode.Kind(), generic.Kind(), demo.Kind()}
}

// ground is what every part of the program stands on.
type ground struct {
	paths    config.Paths
	config   config.Config
	store    *storage.DB
	progress func(session.ThreadID, proposals.Step) // of starts, or nil
}

func openGround() (ground, error) {
	var g ground
	var err error
	if g.paths, err = config.Locate(); err != nil {
		return g, err
	}
	if g.config, err = config.Read(g.paths.File()); err != nil {
		return g, err
	}
	g.store, err = storage.Open(g.paths.Database(), slog.New(slog.NewTextHandler(os.Stderr, nil)))
	return g, err
}

// service makes the service of threads on the ground.
func (g ground) service(ask cli.Asker) (*threads.Service, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	var known, installed []string
	for _, k := range kinds() {
		known = append(known, k.Name)
	}
	for _, k := range kinds().Installed(g.command(self), exec.LookPath) {
		installed = append(installed, k.Name)
	}
	return threads.New(threads.Options{
		Paths: g.paths, Config: g.config, Store: g.store,
		Git:     g.git(),
		Program: client.Program{Path: self, Args: []string{"helper"}, Env: os.Environ()},
		Agents:  preferred(g.config.DefaultAgent, installed), Known: known,
		Ask: ask, Progress: g.progress, Now: time.Now,
	})
}

func (g ground) git() *git.Git { return git.New(g.paths.Worktrees(), g.paths.Locks()) }

// command returns the configured program of an agent. The demo agent is this
// program.
func (g ground) command(self string) func(string) string {
	return func(name string) string {
		if c := g.config.Agents[name].Command; c != "" || name != demo.Name {
			return c
		}
		return self
	}
}

// preferred puts the configured agent first, if it is installed.
func preferred(name string, installed []string) []string {
	first := []string{}
	for _, a := range installed {
		if a == name {
			first = append([]string{a}, first...)
		} else {
			first = append(first, a)
		}
	}
	return first
}

func openService(ctx context.Context, ask cli.Asker) (*threads.Service, func() error, error) {
	g, err := openGround()
	if err != nil {
		return nil, nil, err
	}
	s, err := g.service(ask)
	if err != nil {
		return nil, nil, errors.Join(err, g.store.Close())
	}
	tidyUp(ctx, s)
	return s, g.store.Close, nil
}

// tidyUp recovers the starts whose process died. One that cannot be, on a full
// disk for example, keeps nobody from the rest; the next look tries again.
func tidyUp(ctx context.Context, s *threads.Service) {
	if err := s.Recover(ctx); err != nil && ctx.Err() == nil {
		slog.New(slog.NewTextHandler(os.Stderr, nil)).Warn("a start that was cut short is as it was left", "fault", err)
	}
}

// runHelper hosts a thread; its starter waits on client.ReadyFD.
func runHelper(ctx context.Context, id session.ThreadID, prompted bool) error {
	signal.Ignore(syscall.SIGHUP) // the terminal it was started from may go
	// What a process ignores, the programs that it starts ignore too. So these
	// are caught for nobody: a program in a pane takes every signal, also where
	// aside was started under nohup. All others are caught already.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	told := false
	tell := func(err error) {
		if !told {
			told = true
			_ = client.TellReady(err) // a starter that is gone waits for nothing
		}
	}
	err := host(ctx, id, prompted, tell)
	tell(err)
	return err
}

func host(ctx context.Context, id session.ThreadID, prompted bool, tell func(error)) error {
	g, err := openGround()
	if err != nil {
		return err
	}
	defer func() { _ = g.store.Close() }()
	t, err := g.store.Thread(ctx, id)
	if err != nil {
		return err
	}
	kind, err := kinds().Get(t.Agent)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	return helper.Run(ctx, helper.Options{
		Thread: id, Prompted: prompted, Paths: g.paths, Config: g.config, Store: g.store, Adapter: kind.New(),
		Desk: g.desk(id),
		Guest: func(kind string) (agent.Adapter, error) {
			k, err := kinds().Get(kind)
			if err != nil {
				return nil, err
			}
			return k.New(), nil
		},
		Aside: self, Hook: hookProgram(self), Version: version, Colors: session.ParseColors(os.Getenv(client.ColorsEnv)), Receipt: receiptTime, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Ready: tell,
		Left: func(ctx context.Context, t session.Thread) string { return threads.Left(ctx, g.git(), t) },
		Delegate: func(ctx context.Context, d helper.Delegation) (session.ThreadID, error) {
			s, err := g.service(nil)
			if err != nil {
				return "", err
			}
			return s.Delegate(ctx, threads.Delegation(d))
		},
	})
}

// hookProgram returns the small hook program beside this one, or "" when it
// is missing; then this program does its work.
func hookProgram(self string) string {
	p := filepath.Join(filepath.Dir(self), "aside-hook")
	if _, err := exec.LookPath(p); err != nil {
		return ""
	}
	return p
}

// desk hands a thread's tool calls to the proposals.
type desk struct {
	proposals.Desk
	thread session.ThreadID
}

func (g ground) desk(thread session.ThreadID) desk {
	return desk{proposals.Desk{Store: g.store, Now: time.Now}, thread}
}

// Call implements mcp.Desk.
func (d desk) Call(ctx context.Context, tool, callID string, arguments json.RawMessage) (mcp.Reply, error) {
	var r proposals.Reply
	var err error
	switch tool {
	case mcp.ToolPropose:
		r, err = d.Propose(ctx, d.thread, callID, arguments)
	case mcp.ToolWithdraw:
		r, err = d.Withdraw(ctx, d.thread, arguments)
	case mcp.ToolList:
		r, err = d.List(ctx, d.thread)
	default:
		err = fmt.Errorf("no tool %q", tool)
	}
	return mcp.Reply{Text: r.Text, IsError: r.IsError}, err
}

func runHook(ctx context.Context, args []string) int {
	hook.Run(ctx, args, os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	return 0
}

// runMCP serves the tools to the agent that started it: through its thread's
// helper, or straight from the store when there is none, since an offer made
// while nobody looks stands all the same.
func runMCP(ctx context.Context) error {
	s := mcp.Server{
		Desk: mcp.Forward{
			Socket: os.Getenv("ASIDE_SOCKET"), Thread: os.Getenv("ASIDE_THREAD"), Pane: os.Getenv("ASIDE_PANE"),
			Fallback: ownDesk{},
		},
		Version: version,
		Log:     func(err error) { fmt.Fprintln(os.Stderr, "aside mcp:", err) },
	}
	return s.Run(ctx, os.Stdin, os.Stdout)
}

// runDemoAgent is the built-in agent, with aside mcp as its server of tools.
func runDemoAgent(ctx context.Context, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	var client *mcp.Client
	defer func() {
		if client != nil {
			_ = client.Close() // the agent is leaving
		}
	}()
	return demo.Run(ctx, args, os.Stdin, os.Stdout, func(ctx context.Context, tool string, arguments any, meta map[string]any) (string, error) {
		if client == nil {
			if client, err = mcp.Start(context.WithoutCancel(ctx), []string{self, "mcp"}, os.Environ(), io.Discard); err != nil {
				return "", err
			}
		}
		r, err := client.Call(ctx, tool, arguments, meta)
		if err == nil && r.IsError {
			err = errors.New(r.Text)
		}
		return r.Text, err
	})
}

// ownDesk opens the store for one call.
type ownDesk struct{}

// Call implements mcp.Desk.
func (ownDesk) Call(ctx context.Context, tool, callID string, arguments json.RawMessage) (mcp.Reply, error) {
	thread := os.Getenv("ASIDE_THREAD")
	if thread == "" {
		return mcp.Reply{}, &session.Error{
			Code: session.CodeUsage, Message: "this agent does not run in a thread of aside",
			Hint: "start it with aside new, or on the screen",
		}
	}
	g, err := openGround()
	if err != nil {
		return mcp.Reply{}, err
	}
	defer func() { _ = g.store.Close() }()
	return g.desk(session.ThreadID(thread)).Call(ctx, tool, callID, arguments)
}

// maxArguments is how much aside propose reads: more than any offer has.
const maxArguments = 1 << 20

func runPropose(ctx context.Context) error {
	arguments, err := io.ReadAll(io.LimitReader(os.Stdin, maxArguments))
	if err != nil {
		return fmt.Errorf("read arguments: %w", err)
	}
	reply, err := ownDesk{}.Call(ctx, mcp.ToolPropose, "", arguments)
	if err != nil {
		return err
	}
	if reply.IsError {
		return &session.Error{Code: session.CodeUsage, Message: reply.Text}
	}
	_, err = fmt.Fprintln(os.Stdout, reply.Text)
	return err
}

// installedHooks are aside's hooks in the settings of a kind of agent.
func installedHooks(kind string) (agent.Hooks, error) {
	k, err := kinds().Get(kind)
	if err != nil {
		return nil, err
	}
	if k.Hooks == nil {
		return nil, &session.Error{Code: session.CodeUsage, Message: k.Title + " has no settings that take aside's hooks"}
	}
	paths, err := config.Locate()
	if err != nil {
		return nil, err
	}
	c, err := config.Read(paths.File())
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	program := []string{self, "hook"}
	if small := hookProgram(self); small != "" {
		program = []string{small}
	}
	return k.Hooks(agent.Installation{Program: program, Hold: time.Duration(c.Hold), State: paths.State})
}

func checkMachine(ctx context.Context) []doctor.Finding {
	self, err := os.Executable()
	if err != nil {
		return []doctor.Finding{{Name: "aside", Fault: fmt.Errorf("find own program: %w", err)}}
	}
	return doctor.Check(ctx, doctor.Machine{
		Version: version, Self: self, Hook: hookProgram(self), Kinds: kinds(),
		Command: func(c config.Config, name string) string { return ground{config: c}.command(self)(name) },
		Open:    func() (*threads.Service, func() error, error) { return openService(ctx, nil) },
	})
}

// openScreen opens the screen on a project. Without an agent to run there,
// or when asked to, it is the demo agent's scratch project.
func openScreen(ctx context.Context, dir string, asDemo bool) error {
	g, err := openGround()
	if err != nil {
		return err
	}
	defer func() { _ = g.store.Close() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	asks := make(chan tea.Msg, 64)
	g.progress = func(id session.ThreadID, step proposals.Step) {
		select {
		case asks <- tui.StepMsg{Thread: id, Doing: threads.Doing(step)}:
		default: // nothing reads before the screen is open, and the next step says more
		}
	}
	b, asDemo, err := g.project(ctx, dir, asDemo, onScreen(asks))
	if err != nil {
		return err
	}
	// What needs the person in another project is shown too.
	if err := b.follow(ctx, g.store, ""); err != nil {
		return err
	}
	screen := paint.Open(os.Stdin, os.Stdout, os.Environ())
	p, err := screen.Program(ctx, tui.New(tui.Options{
		Backend: b, Context: ctx, Leader: g.config.Leader, Theme: g.theme(), ReducedMotion: g.config.ReducedMotion, Exec: screen.Exec,
		Notify: g.config.Notify, Clipboard: g.config.Clipboard, Editor: cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR")),
	}))
	if err != nil {
		return err
	}
	go b.relay(ctx, p, asks)
	if asDemo {
		go b.tour(ctx, p)
	}
	_, err = p.Run()
	err = errors.Join(err, screen.Close())
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return nil // it was told to end
	}
	return err
}

// theme is the configured one, unless the environment wants no colours
// (no-color.org).
func (g ground) theme() string {
	if os.Getenv("NO_COLOR") != "" {
		return tui.ThemeNone
	}
	return g.config.Theme
}

// project opens a folder, or the demo agent's scratch project where there is no
// other agent or that is wanted, and says which.
func (g ground) project(ctx context.Context, dir string, asDemo bool, ask cli.Asker) (backend, bool, error) {
	s, err := g.service(ask)
	if err != nil {
		return backend{}, asDemo, err
	}
	if asDemo || s.OnlyAgent() == demo.Name {
		dir = g.paths.Demo()
		g.config.DefaultAgent, asDemo = demo.Name, true
		if s, err = g.service(ask); err != nil {
			return backend{}, asDemo, err
		}
		if err := s.Scratch(ctx, dir, demo.Project()); err != nil {
			return backend{}, asDemo, err
		}
	}
	project, err := s.Open(ctx, dir)
	if err != nil {
		return backend{}, asDemo, err
	}
	tidyUp(ctx, s)
	return backend{Service: s, project: project, kinds: kinds()}, asDemo, nil
}

// follow attaches to the threads of a project, "" for all.
func (b *backend) follow(ctx context.Context, store *storage.DB, project string) error {
	changed, err := store.Watch(ctx)
	if err == nil {
		b.Follower = b.Follow(ctx, project, changed)
	}
	return err
}

// openPlain holds the conversation of plain mode on a project.
func openPlain(ctx context.Context, dir string, asDemo bool, c *plain.Conversation, command func(context.Context, []string) error) error {
	g, err := openGround()
	if err != nil {
		return err
	}
	defer func() { _ = g.store.Close() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b, asDemo, err := g.project(ctx, dir, asDemo, c.Ask)
	if err != nil {
		return err
	}
	if err := b.follow(ctx, g.store, b.project); err != nil {
		return err
	}
	if asDemo {
		if err := b.firstTour(ctx); err != nil {
			return err
		}
	}
	// What the screen words for itself, the conversation words otherwise.
	return c.Run(ctx, plain.Options{Backend: struct {
		*threads.Service
		*threads.Follower
	}{b.Service, b.Follower}, Project: b.project, Command: command})
}

// onScreen asks the person on the screen.
func onScreen(asks chan<- tea.Msg) cli.Asker {
	return func(ctx context.Context, q threads.Question) (yes, asked bool) {
		answer := make(chan bool, 1)
		ask := tui.AskMsg{
			Ask:   tui.Ask{Title: q.Title, Thread: q.Thread, Lines: q.Lines, Yes: q.Yes, No: q.No},
			Reply: func(yes bool) { answer <- yes },
		}
		select {
		case asks <- ask:
		case <-ctx.Done():
			return false, false
		}
		select {
		case yes := <-answer:
			return yes, true
		case <-ctx.Done():
			return false, false
		}
	}
}

// tour starts the demo agent's first thread in a project that has none.
func (b backend) tour(ctx context.Context, p *tea.Program) {
	if err := b.firstTour(ctx); err != nil && ctx.Err() == nil {
		p.Send(tui.NoticeMsg{Text: err.Error()})
	}
}

func (b backend) firstTour(ctx context.Context) error {
	there, err := b.List(ctx, b.project, true)
	if err == nil && len(there) == 0 {
		_, err = b.New(ctx, tui.NewThread{Title: "A tour of aside", Prompt: demo.Tour, Agent: demo.Name})
	}
	return err
}
