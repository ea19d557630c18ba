package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aside/session"
	"aside/session/threads"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"
)

func (p Program) decisions() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "decisions [DECISION]", Short: "List what agents are held on, or show one of it whole", Args: args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: p.completeDecision,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				if len(args) == 1 {
					d, err := s.FindDecision(ctx, args[0])
					if err != nil {
						return err
					}
					return p.decision(d, asJSON)
				}
				found, err := s.Decisions(ctx)
				if err != nil && len(found) == 0 {
					return err
				}
				if asJSON {
					return errors.Join(list(p, found), err)
				}
				rows := make([][]string, len(found))
				for i, d := range found {
					rows[i] = decisionRow(d)
				}
				return errors.Join(p.table("No agent is held on anything.", "ID THREAD KIND TITLE OPTIONS AGE", rows), err)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// titleShown is how many columns of a decision's title are in the list: a long
// command would put what is behind it out of sight, in every row.
const titleShown = 60

func decisionRow(d session.Decision) []string {
	title := displaywidth.TruncateString(session.MarkLine(d.Title), titleShown, "…")
	return []string{string(d.ID), string(d.Thread), string(d.Kind), title, optionIDs(d), age(d.ReceivedAt)}
}

// decision prints all that there is to know before it is answered: what it is
// about, and what each answer to it would mean.
func (p Program) decision(d session.Decision, asJSON bool) error {
	if asJSON {
		return p.object(d)
	}
	err := p.line(fmt.Sprintf("%s  thread %s  %s  %s  %s\n\n%s\n", d.ID, d.Thread, d.Kind, session.MarkLine(d.Tool), age(d.ReceivedAt), session.Mark(d.Whole())))
	if !d.Answerable {
		return errors.Join(err, p.line("It can only be answered in the agent's own terminal: aside attach "+string(d.Thread)))
	}
	rows := make([][]string, len(d.Options))
	for i, o := range d.Options {
		rows[i] = []string{o.ID, session.MarkLine(o.Label)}
		switch {
		case o.ID == session.OptionAnswers && len(d.Questions) > 0:
			rows[i][1] += ", with an --each for each question in turn, or in the words of --note with ; between"
		case o.NeedsText():
			rows[i][1] += ", in the words of --note"
		case o.Note:
			rows[i][1] += ", with a --note if you like"
		}
	}
	return errors.Join(err, p.columns(rows))
}

func optionIDs(d session.Decision) string {
	if !d.Answerable {
		return "answer in the terminal"
	}
	return strings.Join(session.OptionIDs(d.Options), ",")
}

func (p Program) answer() *cobra.Command {
	var a session.Answer
	var each []string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "answer DECISION OPTION", Short: "Answer what an agent is held on", Args: args(cobra.ExactArgs(2)),
		Example: `  aside answer k3v once
  aside answer k3v deny --note "not in this folder"
  aside answer k3v several --note 1,3
  aside answer k3v answers --each 2 --each 1,3 --each "as you like; it is late"`,
		ValidArgsFunction: p.completeAnswer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				a.Option = args[1]
				r, err := s.AnswerFor(ctx, args[0], a, each...)
				if err != nil {
					return err
				}
				if asJSON {
					if err := p.object(r); err != nil {
						return err
					}
				}
				return p.receipt(r, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&a.Note, "note", "", "a note to the agent, where the option takes one")
	cmd.Flags().StringArrayVar(&each, "each", nil, "with answers: what is answered to a question, by number or in words; once for each of them")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the receipt as JSON")
	return cmd
}

// receipt says what became of an answer, as output or as an exit status.
func (p Program) receipt(r session.Receipt, quiet bool) error {
	fault := &session.Error{Message: "the decision was not answered: " + string(r.Outcome)}
	switch r.Outcome {
	case session.OutcomeAnswered:
		if quiet {
			return nil
		}
		return p.line("answered " + r.Option)
	case session.OutcomeDuplicate:
		fault.Code = session.CodeSettled
		fault.Message = fmt.Sprintf("this decision was answered already: %s, %s ago", r.Option, age(r.At))
	case session.OutcomeUnavailable:
		fault.Code, fault.Hint = session.CodeFailed, "the agent no longer waits; look at its terminal"
	case session.OutcomeUnknown:
		fault.Code, fault.Hint = session.CodeNotFound, "aside decisions lists what waits"
	}
	return fault
}
