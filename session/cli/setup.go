package cli

import (
	"context"
	"fmt"

	"aside/session"
	"aside/session/threads"

	"github.com/spf13/cobra"
)

// setup shows and answers what a project wants to run in its new worktrees.
func (p Program) setup() *cobra.Command {
	var agree, refuse bool
	cmd := &cobra.Command{
		Use: "setup [DIR]", Short: "Show a project's setup command for new worktrees, or agree to it",
		Long: `A project can bring a command for sh in the file ` + threads.SetupFile + ` that makes a new
worktree ready before its agent starts. It runs only after you have agreed to
that exact text. A setup command of your own, in the configuration file, takes
its place and needs no agreement:

  [projects."/path/to/project"]
  setup = "npm ci"`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			dir := "."
			if len(words) == 1 {
				dir = words[0]
			}
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				project, u, err := s.ProjectSetup(ctx, dir)
				if err != nil {
					return err
				}
				if agree || refuse {
					if u.Text == "" || u.Own {
						return &session.Error{Code: session.CodeUsage, Message: "the project brings no setup command that needs an answer"}
					}
					if err := s.AgreeSetup(ctx, project, u.Text, agree); err != nil {
						return err
					}
					u.Agreed, u.Known = agree, true
				}
				return p.setupState(u)
			})
		},
	}
	cmd.Flags().BoolVar(&agree, "agree", false, "let this exact text run")
	cmd.Flags().BoolVar(&refuse, "refuse", false, "never run this exact text")
	cmd.MarkFlagsMutuallyExclusive("agree", "refuse")
	return cmd
}

func (p Program) setupState(u threads.Setup) error {
	if u.Text == "" {
		return p.line("No setup command.")
	}
	state := "not agreed to yet: aside config setup --agree"
	switch {
	case u.Own:
		state = "yours, from the configuration file"
	case u.Agreed:
		state = "agreed to"
	case u.Known:
		state = "refused"
	}
	return p.line(fmt.Sprintf("%s\n\n(%s)", session.Mark(u.Text), state))
}
