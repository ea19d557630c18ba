package cli

import (
	"context"
	"strings"

	"aside/session"
	"aside/session/threads"

	"github.com/spf13/cobra"
)

// completion is what a shell offers for an argument. A fault offers nothing:
// there is nobody to tell.
type completion = cobra.CompletionFunc

// offered makes a completion for the first argument of what a service lists.
func (p Program) offered(list func(context.Context, *threads.Service) ([]string, error)) completion {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var found []string
		if len(args) == 0 {
			_ = p.with(cmd, func(ctx context.Context, s *threads.Service) (err error) {
				found, err = list(ctx, s)
				return err
			})
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// choice is one thing to choose, with what a shell shows beside it.
func choice[ID ~string](id ID, title string) string {
	return cobra.CompletionWithDesc(string(id), strings.ReplaceAll(session.MarkLine(title), "\t", " "))
}

func (p Program) completeThread() completion {
	return p.offered(func(ctx context.Context, s *threads.Service) ([]string, error) {
		all, err := s.List(ctx, "", false)
		found := make([]string, len(all))
		for i, t := range all {
			found[i] = choice(t.ID, t.Title)
		}
		return found, err
	})
}

// completeProposal offers the proposals in a state.
func (p Program) completeProposal(state session.ProposalState) completion {
	return p.offered(func(ctx context.Context, s *threads.Service) ([]string, error) {
		all, err := s.Proposals(ctx, "", true)
		var found []string
		for _, o := range all {
			if o.State == state {
				found = append(found, choice(o.ID, o.Title))
			}
		}
		return found, err
	})
}

// completeDecision offers the pending decisions.
func (p Program) completeDecision(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.completeAnswer(cmd, args, toComplete)
}

// completeAnswer offers the pending decisions, and then the options of the
// one that was chosen.
func (p Program) completeAnswer(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var found []string
	_ = p.with(cmd, func(ctx context.Context, s *threads.Service) error {
		pending, err := s.Decisions(ctx)
		for _, d := range pending {
			switch {
			case len(args) == 0:
				found = append(found, choice(d.ID, d.Title))
			case len(args) == 1 && strings.HasPrefix(string(d.ID), args[0]):
				for _, o := range d.Options {
					found = append(found, choice(o.ID, o.Label))
				}
			}
		}
		return err
	})
	return found, cobra.ShellCompDirectiveNoFileComp
}

func (p Program) completeAgent(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var found []string
	_ = p.with(cmd, func(_ context.Context, s *threads.Service) error {
		found = s.Installed()
		return nil
	})
	return found, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag offers values for a flag of a command.
func completeFlag(cmd *cobra.Command, flag string, c completion) {
	_ = cmd.RegisterFlagCompletionFunc(flag, c) // it fails for a flag that does not exist, which a test would show
}
