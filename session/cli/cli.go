// Package cli is the command line: every command of aside, its arguments,
// its output for people and as JSON, and its exit status. It fences cobra.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"aside/session"
	"aside/session/agent"
	"aside/session/doctor"
	"aside/session/plain"
	"aside/session/threads"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// Program is what the commands run on; main fills it in.
type Program struct {
	// Open opens the store and what stands on it; close it when done.
	// ask is for threads.Options.
	Open func(ctx context.Context, ask Asker) (s *threads.Service, done func() error, err error)
	// Screen opens the screen on a folder; with demo it is the demo agent's.
	Screen func(ctx context.Context, dir string, demo bool) error
	// Plain holds the conversation in the place of the screen; command runs
	// another command in it.
	Plain func(ctx context.Context, dir string, demo bool, c *plain.Conversation, command func(context.Context, []string) error) error
	// The programs that are not for people.
	// Helper hosts a thread; prompted says that it is for the sake of a queued
	// prompt.
	Helper    func(ctx context.Context, id session.ThreadID, prompted bool) error
	Hook      func(ctx context.Context, args []string) int
	MCP       func(ctx context.Context) error
	Propose   func(ctx context.Context) error
	DemoAgent func(ctx context.Context, args []string) error
	// Hooks returns the hooks in the settings of a kind of agent.
	Hooks func(kind string) (agent.Hooks, error)
	// Doctor checks what aside needs on this machine.
	Doctor func(ctx context.Context) []doctor.Finding
	Keys   func() string // docs/keys.md

	Version string
	In      *os.File
	Out     io.Writer
	Err     io.Writer
}

// Asker asks a person a question that a start cannot go on without; see
// threads.Options.
type Asker func(ctx context.Context, q threads.Question) (yes, asked bool)

// exitStatus carries an exit status without a sentence.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// interrupted is the exit status of a command that was told to end, as shells
// give it.
const interrupted = 130

// Run runs a command line, without the program's name, and returns the exit
// status of contracts/cli.md, or 130 when ctx ended first.
func Run(ctx context.Context, p Program, args []string) int {
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	var e *session.Error
	if errors.Is(err, context.Canceled) {
		if errors.As(err, &e) {
			p.complain(e.Message, e.Hint)
		}
		return interrupted
	}
	if !errors.As(err, &e) {
		e = &session.Error{}
	}
	p.complain(err.Error(), e.Hint)
	return int(session.CodeOf(err))
}

// complain prints a fault. What it quotes may hold anything.
func (p Program) complain(sentence, hint string) {
	oneLine := func(s string) string { return session.MarkLine(strings.ReplaceAll(s, "\n", "; ")) }
	_, _ = fmt.Fprintln(p.Err, "aside: "+oneLine(sentence))
	if hint != "" {
		_, _ = fmt.Fprintln(p.Err, "hint: "+oneLine(hint))
	}
}

// The groups of commands in the help.
const (
	groupThreads   = "threads"
	groupOffers    = "offers"
	groupDecisions = "decisions"
	groupActions   = "actions"
	groupSetup     = "setup"
)

func (p Program) root() *cobra.Command {
	var asPlain bool
	root := &cobra.Command{
		Use:   "aside [DIR]",
		Short: "The terminal you run your coding agents in",
		Long: `aside is the terminal you run your coding agents in. Each agent keeps its own
terminal UI; what it wants from you arrives beside it as a card you answer with
one key. Without a command, aside opens the screen on DIR (default: here).

Everything the screen does can be done from a shell too. A thread, an offer or a
decision is named by its id or by any beginning of it that is unique. Commands
that list things take --json.

Exit status: 0 done; 1 failed; 2 wrong usage; 3 no such thing; 4 already settled
or under way; 5 the checkout policy says no; 6 it needs a yes from a person and
there is no terminal to ask on.`,
		Example: `  aside                          open the screen on this folder
  aside new "Fix the parser"     start a thread; prints its id
  aside threads                  what runs
  aside decisions                what waits for you
  aside decisions k3             all of it, and what each answer means
  aside answer k3 once           answer it`,
		Version:                    p.Version,
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,
		Args:                       args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.open(cmd, args, asPlain)
		},
	}
	plainFlag(root, &asPlain)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetFlagErrorFunc(badFlag)
	group(root, groupThreads, "Threads:",
		p.newThread(), p.threads(), p.send(), p.transcript(), p.search(), p.screen(), p.attach(), p.explain(),
		p.diff(), p.finish(), p.stop(), p.resume(), p.rename(), p.archive(), p.remove())
	group(root, groupOffers, "Offers:", p.proposals(), p.start(), p.dismiss(), p.restore())
	group(root, groupDecisions, "Decisions:", p.decisions(), p.answer())
	group(root, groupActions, "Terminal actions:", p.actions(), p.confirm(), p.cancel())
	group(root, groupSetup, "Setting up:", p.config(), p.hooks(), p.doctor(), p.demo())
	root.SetHelpCommandGroupID(groupSetup)
	root.SetCompletionCommandGroupID(groupSetup)
	root.AddCommand(p.hidden()...)
	root.AddCommand(p.proposeActions())
	return root
}

// group puts commands under a heading of the help, in their order.
func group(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
		root.AddCommand(c)
	}
}

// open opens the screen. A word that is neither a command nor a folder is
// most likely a command that was mistyped.
func (p Program) open(cmd *cobra.Command, args []string, asPlain bool) error {
	dir := "."
	if len(args) == 1 {
		dir = args[0]
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			fault := &session.Error{
				Code: session.CodeUsage, Message: fmt.Sprintf("%s is neither a command nor a folder", dir), Hint: "see: aside --help",
			}
			if like := cmd.SuggestionsFor(dir); len(like) > 0 {
				fault.Hint = "did you mean: aside " + strings.Join(like, ", aside ")
			}
			return fault
		}
	}
	return p.show(cmd.Context(), dir, false, asPlain, "the commands work without one; see: aside --help")
}

// show opens the screen, or what takes its place in plain mode.
func (p Program) show(ctx context.Context, dir string, demo, asPlain bool, hint string) error {
	_, c, err := configured()
	if err != nil {
		return err
	}
	if wantsPlain(asPlain, c) {
		return p.talk(ctx, dir, demo, c)
	}
	if err := p.needsTerminal("the screen", hint); err != nil {
		return err
	}
	return p.Screen(ctx, dir, demo)
}

// needsTerminal refuses to draw where nobody would see it.
func (p Program) needsTerminal(what, hint string) error {
	out, ok := p.Out.(*os.File)
	if ok && p.In != nil && term.IsTerminal(p.In.Fd()) && term.IsTerminal(out.Fd()) {
		return nil
	}
	return &session.Error{Code: session.CodeUsage, Message: what + " needs a terminal", Hint: hint}
}

// with opens the service for the time of a command.
func (p Program) with(cmd *cobra.Command, do func(ctx context.Context, s *threads.Service) error) error {
	s, done, err := p.Open(cmd.Context(), p.ask)
	if err != nil {
		return err
	}
	err = do(cmd.Context(), s)
	if e := done(); err == nil {
		err = e
	}
	return err
}

func (p Program) demo() *cobra.Command {
	var asPlain bool
	cmd := &cobra.Command{
		Use: "demo", Short: "Open the screen on the built-in demo agent, in a scratch project", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.show(cmd.Context(), "", true, asPlain, "run this in a terminal, or with --plain")
		},
	}
	plainFlag(cmd, &asPlain)
	return cmd
}

// hidden are the programs that agents and aside itself start.
func (p Program) hidden() []*cobra.Command {
	var prompted bool
	helper := &cobra.Command{
		Use: "helper THREAD", Hidden: true, Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.Helper(cmd.Context(), session.ThreadID(args[0]), prompted)
		},
	}
	helper.Flags().BoolVar(&prompted, "prompt", false, "start no agent without a queued prompt")
	return []*cobra.Command{
		helper,
		{
			Use: "hook", Hidden: true, DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, args []string) error {
				if code := p.Hook(cmd.Context(), args); code != 0 {
					return exitStatus(code)
				}
				return nil
			},
		},
		{
			Use: "mcp", Hidden: true, Args: args(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error { return p.MCP(cmd.Context()) },
		},
		{
			Use: "propose", Hidden: true, Args: args(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error { return p.Propose(cmd.Context()) },
		},
		{
			Use: "demo-agent", Hidden: true, DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, args []string) error { return p.DemoAgent(cmd.Context(), args) },
		},
		{
			Use: "keys", Hidden: true, Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error {
				_, err := io.WriteString(p.Out, p.Keys())
				return err
			},
		},
		{
			Use: "man", Hidden: true, Args: args(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error {
				_, err := io.WriteString(p.Out, manual(cmd.Root()))
				return err
			},
		},
	}
}
