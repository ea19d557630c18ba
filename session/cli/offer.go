package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"aside/session"
	"aside/session/threads"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

func (p Program) proposals() *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use: "proposals", Short: "List what agents have offered", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				found, err := s.Proposals(ctx, "", all)
				if err != nil {
					return err
				}
				if asJSON {
					return list(p, found)
				}
				rows := make([][]string, len(found))
				for i, o := range found {
					rows[i] = []string{string(o.ID), string(o.State), string(o.Thread), o.Title, age(o.OfferedAt)}
				}
				return p.table("No offers stand.", "ID STATE THREAD TITLE AGE", rows)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "started and dismissed ones too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// onProposal makes a command about one proposal, most likely one in the state.
func (p Program) onProposal(use, short string, state session.ProposalState, do func(context.Context, *threads.Service, session.Proposal) error) *cobra.Command {
	return &cobra.Command{
		Use: use + " ID", Short: short, Args: args(cobra.ExactArgs(1)), ValidArgsFunction: p.completeProposal(state),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				o, err := s.FindProposal(ctx, args[0])
				if err != nil {
					return err
				}
				return do(ctx, s, o)
			})
		},
	}
}

func (p Program) start() *cobra.Command {
	var o threads.StartOptions
	var asJSON bool
	cmd := p.onProposal("start", "Start an offer as a thread in its own worktree; prints the thread's id", session.ProposalStanding, func(ctx context.Context, s *threads.Service, offer session.Proposal) error {
		if o.Prompt != "" {
			var err error
			if o.Prompt, err = p.prompt([]string{o.Prompt}); err != nil {
				return err
			}
		}
		id, err := s.Start(ctx, offer.ID, o)
		if err != nil {
			return err
		}
		return p.created(ctx, s, id, asJSON)
	})
	f := cmd.Flags()
	f.StringVar(&o.Base, "base", "", "commit or branch to start from, or default for the project's default branch (default: the offering thread's HEAD)")
	f.StringVar(&o.Agent, "agent", "", "agent to run (default: the offering thread's)")
	f.StringVar(&o.Model, "model", "", "model, as the agent names it (default: the offering thread's)")
	f.StringVar(&o.Title, "title", "", "title in the place of the offer's")
	f.StringVar(&o.Prompt, "prompt", "", "prompt in the place of the offer's; - reads it from standard input")
	f.BoolVar(&o.Carry, "carry", false, "take the offering thread's uncommitted work along")
	f.BoolVar(&o.Shared, "shared", false, "in the project's own work tree")
	f.BoolVar(&asJSON, "json", false, "print the thread as JSON")
	return cmd
}

func (p Program) dismiss() *cobra.Command {
	return p.onProposal("dismiss", "Say not now to an offer", session.ProposalStanding, func(ctx context.Context, s *threads.Service, o session.Proposal) error {
		return s.Dismiss(ctx, o.ID)
	})
}

func (p Program) restore() *cobra.Command {
	return p.onProposal("restore", "Bring a dismissed offer back", session.ProposalDismissed, func(ctx context.Context, s *threads.Service, o session.Proposal) error {
		return s.Restore(ctx, o.ID)
	})
}

// ask asks on the terminal. Without one there is nobody to ask.
func (p Program) ask(ctx context.Context, q threads.Question) (yes, asked bool) {
	if p.In == nil || !term.IsTerminal(p.In.Fd()) {
		return false, false
	}
	_, _ = fmt.Fprintf(p.Err, "%s\n%s? [y/N] ", strings.Join(q.Lines, "\n"), q.Yes)
	line := make(chan string, 1)
	go func() { // it ends with the program, should nothing be typed
		answer, err := bufio.NewReader(p.In).ReadString('\n')
		if err != nil {
			answer = ""
		}
		line <- answer
	}()
	select {
	case answer := <-line:
		return strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y"), true
	case <-ctx.Done():
		return false, false
	}
}
