package cli

import (
	"fmt"

	"aside/session"
	"aside/session/agent"

	"github.com/spf13/cobra"
)

// hooks are the commands that alone write an agent's own settings
// (contracts/decisions.md, Adapters).
func (p Program) hooks() *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use: "hooks", Short: "Hooks for agents that aside does not start", Args: args(cobra.NoArgs),
		Long: `An agent that aside starts gets its hooks for that run alone. One that you start
yourself in one of aside's terminals has none, and its questions are answered
only there. Installed hooks go into the agent's own settings; they do nothing
outside aside. Everything else in the settings stays as it is, to the byte, and
so does all of it after aside hooks remove.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&kind, "agent", "claude", "agent whose settings are meant")
	sub := func(use, short string, do func(agent.Hooks) error) {
		cmd.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: args(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error {
				h, err := p.Hooks(kind)
				if err != nil {
					return err
				}
				return do(h)
			},
		})
	}
	sub("install", "Add aside's hooks to the agent's settings", p.installHooks)
	sub("remove", "Take aside's hooks out of the agent's settings", p.removeHooks)
	sub("status", "Say whether aside's hooks are in the agent's settings", func(h agent.Hooks) error {
		st, err := h.Status()
		if err != nil {
			return err
		}
		return p.line(hooksStatus(st))
	})
	return cmd
}

func (p Program) installHooks(h agent.Hooks) error {
	changed, err := h.Install()
	if err != nil {
		return err
	}
	st, err := h.Status()
	if err != nil {
		return err
	}
	if !changed {
		return p.line(hooksStatus(st))
	}
	return p.line(fmt.Sprintf("installed in %s; aside hooks remove takes them out again", st.File))
}

func (p Program) removeHooks(h agent.Hooks) error {
	st, err := h.Status()
	if err != nil {
		return err
	}
	changed, err := h.Remove()
	switch {
	case err != nil:
		return err
	case !changed:
		return &session.Error{Code: session.CodeNotFound, Message: "aside's hooks are not installed in " + st.File}
	}
	return p.line("removed from " + st.File)
}

func hooksStatus(st agent.HooksStatus) string {
	switch {
	case st.Installed == st.Events && st.Other == 0:
		return "installed in " + st.File
	case st.Installed+st.Other == 0:
		return "not installed in " + st.File
	}
	return fmt.Sprintf("installed in %s by another aside, or in part: aside hooks install brings them up to date", st.File)
}
