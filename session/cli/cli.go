// Package cli is the command line: every command of aside, its arguments,
// its output for people and as JSON, and its exit status. It fences cobra.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"aside/session"
	"aside/session/agent"
	"aside/session/config"
	"aside/session/threads"

	"github.com/spf13/cobra"
)

// Program is what the commands run on; main fills it in.
type Program struct {
	// Open opens the store and what stands on it; close it when done.
	// ask is for threads.Options.
	Open func(ctx context.Context, ask Asker) (s *threads.Service, done func() error, err error)
	// Screen opens the screen on a folder; with demo it is the demo agent's.
	Screen func(ctx context.Context, dir string, demo bool) error
	// The programs that are not for people.
	Helper    func(ctx context.Context, id session.ThreadID) error
	Hook      func(ctx context.Context, args []string) int
	MCP       func(ctx context.Context) error
	Propose   func(ctx context.Context) error
	DemoAgent func(ctx context.Context, args []string) error
	// Hooks returns the hooks in the settings of a kind of agent.
	Hooks func(kind string) (agent.Hooks, error)
	// Doctor checks the machine and prints what it finds.
	Doctor func(ctx context.Context, out io.Writer) error
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

// Run runs a command line, without the program's name, and returns the exit
// status of contracts/cli.md.
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
	case errors.Is(err, context.Canceled):
		return 130 // as shells tell an interrupt
	}
	var e *session.Error
	if !errors.As(err, &e) {
		e = &session.Error{Message: err.Error()}
	}
	_, _ = fmt.Fprintln(p.Err, "aside: "+err.Error())
	if e.Hint != "" {
		_, _ = fmt.Fprintln(p.Err, "hint: "+e.Hint)
	}
	return int(session.CodeOf(err))
}

// usage makes a fault of how the command was called.
func usage(cmd *cobra.Command, err error) error {
	return &session.Error{Code: session.CodeUsage, Message: err.Error(), Hint: "see: " + cmd.CommandPath() + " --help"}
}

func (p Program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "aside [DIR]",
		Short: "The terminal you run your coding agents in",
		Long: `aside is the terminal you run your coding agents in. Each agent keeps its own
terminal UI; what it wants from you arrives beside it as a card you answer with
one key. Without a command, aside opens the screen on DIR (default: here).`,
		Version:       p.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return p.Screen(cmd.Context(), dir, false)
		},
	}
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetFlagErrorFunc(usage)
	root.AddCommand(
		p.newThread(), p.threads(), p.explain(), p.send(), p.transcript(), p.screen(),
		p.stop(), p.resume(), p.remove(), p.rename(),
		p.proposals(), p.start(), p.dismiss(), p.restore(),
		p.decisions(), p.answer(), p.hooks(),
		p.config(), p.doctor(), p.demo(),
	)
	root.AddCommand(p.hidden()...)
	return root
}

// args makes a usage fault of what a positional check refuses.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage(cmd, err)
		}
		return nil
	}
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

func (p Program) config() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Where the configuration file is, and whether it is right", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "path", Short: "Print the configuration file's path", Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error {
				paths, err := config.Locate()
				if err != nil {
					return err
				}
				return p.line(paths.File())
			},
		},
		&cobra.Command{
			Use: "check", Short: "Check the configuration file", Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error {
				paths, err := config.Locate()
				if err != nil {
					return err
				}
				if _, err := config.Read(paths.File()); err != nil {
					return err
				}
				return p.line(paths.File() + " is right")
			},
		},
		p.setup(),
	)
	return cmd
}

func (p Program) doctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check what aside needs on this machine", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.Doctor(cmd.Context(), p.Out) },
	}
}

func (p Program) demo() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Open the screen on the built-in demo agent, in a scratch project", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.Screen(cmd.Context(), "", true) },
	}
}

// hidden are the programs that agents and aside itself start.
func (p Program) hidden() []*cobra.Command {
	return []*cobra.Command{
		{
			Use: "helper THREAD", Hidden: true, Args: args(cobra.ExactArgs(1)),
			RunE: func(cmd *cobra.Command, args []string) error {
				return p.Helper(cmd.Context(), session.ThreadID(args[0]))
			},
		},
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
	}
}
