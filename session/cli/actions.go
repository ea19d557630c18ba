package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"aside/proposals/actions"
	"aside/session"
	"aside/session/client"
	"aside/session/config"
	"aside/session/threads"

	"github.com/spf13/cobra"
)

func (p Program) actions() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "actions", Short: "List what agents propose to do in your terminals, every action whole", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				cards, err := s.Cards(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return list(p, cards)
				}
				if len(cards) == 0 {
					return p.line("Nothing is proposed for your terminals.")
				}
				for _, c := range cards {
					if _, err := fmt.Fprintf(p.Out, "%s  thread %s  %s\n%s", c.ID, c.Thread, age(c.OfferedAt), actions.Plain(c)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// newPane stands for the split that is opened where no shell pane is there.
const newPane = "new"

func (p Program) confirm() *cobra.Command {
	var insert, asJSON bool
	var pane string
	cmd := &cobra.Command{
		Use: "confirm CARD CHOICE", Short: "Do what a card proposes: choice 1, 2 or 3 of it", Args: args(cobra.ExactArgs(2)),
		Long: `Do what a card proposes: choice 1, 2 or 3 of it. A command goes to the thread's
active terminal, as it is now. With --pane it goes to the one that aside actions
has named, or nowhere when another is active by now.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			choice, err := strconv.Atoi(args[1])
			if err != nil {
				return usage(cmd, fmt.Errorf("the choice %q is no number", args[1]))
			}
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				c := session.Confirmation{Choice: choice, Insert: insert, Bound: pane != ""}
				if pane != newPane {
					c.Target = session.PaneID(pane)
				}
				r, err := s.ConfirmFor(ctx, args[0], c)
				if err != nil {
					return err
				}
				return p.cardReceipt(r, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&insert, "insert", false, "write the command into the terminal without Enter")
	cmd.Flags().StringVar(&pane, "pane", "", "only for this terminal, as aside actions names it; "+newPane+" is a new split")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the receipt as JSON")
	return cmd
}

func (p Program) cancel() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "cancel CARD", Short: "Do nothing of what a card proposes", Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				r, err := s.CancelFor(ctx, args[0])
				if err != nil {
					return err
				}
				return p.cardReceipt(r, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the receipt as JSON")
	return cmd
}

// cardReceipt says what became of a confirmation or a cancellation, as output
// or as an exit status.
func (p Program) cardReceipt(r session.CardReceipt, asJSON bool) error {
	if asJSON {
		if err := p.object(r); err != nil {
			return err
		}
	}
	fault := &session.Error{}
	switch r.Outcome {
	case session.OutcomeAnswered:
		if asJSON {
			return nil
		}
		return p.line(string(r.State))
	case session.OutcomeDuplicate:
		fault.Code, fault.Message = session.CodeSettled, "this card was settled already: "+string(r.State)
		if !r.At.IsZero() {
			fault.Message += ", " + age(r.At) + " ago"
		}
	case session.OutcomeUnavailable:
		fault.Code, fault.Message = session.CodeFailed, fmt.Sprintf("the card is %s: %s", r.State, r.Reason)
	case session.OutcomeUnknown:
		fault.Code, fault.Message, fault.Hint = session.CodeNotFound, "there is no such card", "aside actions lists what is proposed"
	}
	return fault
}

// proposeActions is the short-lived command by which an agent proposes
// terminal actions (contracts/terminal-actions.md, Submission).
func (p Program) proposeActions() *cobra.Command {
	var channel, payload string
	cmd := &cobra.Command{
		Use: actions.Subcommand, Hidden: true, Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"channel", "payload-json"} {
				if !cmd.Flags().Changed(name) {
					return usage(cmd, errors.New("--"+name+" is missing"))
				}
			}
			return p.submit(cmd.Context(), actions.Submission{
				Version: actions.Version, Channel: actions.Channel(channel), Payload: payload,
			})
		},
	}
	cmd.Flags().StringVar(&channel, "channel", "", "the channel of this turn")
	cmd.Flags().StringVar(&payload, "payload-json", "", "the proposal, as compact JSON")
	return cmd
}

func (p Program) submit(ctx context.Context, s actions.Submission) error {
	helper, ok := s.Channel.Helper()
	if !ok {
		return p.reply(actions.Reply{
			Phase: actions.PhaseValidation, Status: actions.Malformed, Reason: "the channel is malformed",
		})
	}
	socket, err := channelSocket(helper)
	if err != nil {
		return err
	}
	return client.Propose(ctx, socket, s, p.reply)
}

// channelSocket finds the helper that a channel names. Where it is gone, the
// one that now hosts the thread can tell so.
func channelSocket(helper string) (string, error) {
	paths, err := config.Locate()
	if err != nil {
		return "", err
	}
	socket, err := os.Readlink(paths.Channel(helper))
	switch own := os.Getenv("ASIDE_SOCKET"); {
	case err == nil:
		return socket, nil
	case errors.Is(err, fs.ErrNotExist) && own != "":
		return own, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", &session.Error{Code: session.CodeFailed, Message: "the helper of this channel is gone"}
	}
	return "", fmt.Errorf("find helper: %w", err)
}

// reply prints a line of the protocol, which is all that is on standard
// output.
func (p Program) reply(r actions.Reply) error {
	enc := json.NewEncoder(p.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}
