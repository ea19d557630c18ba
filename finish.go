package main

import (
	"context"

	"aside/session"
	"aside/session/threads"
	"aside/tui"
)

// Comment implements tui.Backend.
func (b backend) Comment(ctx context.Context, id session.ThreadID, c tui.Comment) (string, error) {
	d, err := b.Service.Comment(ctx, id, threads.Comment(c))
	switch {
	case err != nil:
		return "", err
	case d.Confirmed:
		return "delivered", nil
	}
	return "sent; this agent confirms nothing", nil
}

// FinishPlan implements tui.Backend.
func (b backend) FinishPlan(ctx context.Context, id session.ThreadID, how string) ([]tui.FinishStep, error) {
	plan, err := b.Service.FinishPlan(ctx, id, threads.Finish{How: threads.How(how)})
	var steps []tui.FinishStep
	for _, s := range plan {
		steps = append(steps, tui.FinishStep{
			Title: s.Title, Commands: s.Commands, Dir: s.Dir, Notes: s.Notes, ByHand: s.ByHand, Token: s.Token,
		})
	}
	return steps, err
}

// FinishStep implements tui.Backend.
func (b backend) FinishStep(ctx context.Context, id session.ThreadID, how, token string) (string, error) {
	return b.Service.FinishStep(ctx, id, threads.Finish{How: threads.How(how)}, token)
}
