package cli

import (
	"errors"
	"strings"

	"aside/session"

	"github.com/spf13/cobra"
)

func (p Program) doctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check what aside needs on this machine", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var rows [][]string
			faults := 0
			for _, f := range p.Doctor(cmd.Context()) {
				state := f.State
				if f.Fault != nil {
					faults++
					state = strings.TrimSpace(state + " ✗ " + session.MarkLine(f.Fault.Error()))
					var e *session.Error
					if errors.As(f.Fault, &e) && e.Hint != "" {
						state += " (" + session.MarkLine(e.Hint) + ")"
					}
				}
				rows = append(rows, []string{f.Name, state})
			}
			if err := p.columns(rows); err != nil || faults == 0 {
				return err
			}
			return &session.Error{Code: session.CodeFailed, Message: "aside cannot work as it is", Hint: "see what is marked ✗"}
		},
	}
}
