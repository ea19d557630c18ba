package tui_test

import (
	"context"
	"fmt"

	"aside/session"
	"aside/tui"
	"aside/worktree"
)

// What the fake backend does in a review.

func (f *fake) ChangesOf(_ context.Context, id session.ThreadID) (worktree.Tally, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counted = append(f.counted, id)
	return f.tally, f.fails["changes"]
}

func (f *fake) Review(_ context.Context, id session.ThreadID) (worktree.Diff, error) {
	return f.diff, f.did("review %s", id)
}

func (f *fake) Comment(_ context.Context, id session.ThreadID, c tui.Comment) (string, error) {
	var lines []string
	for _, l := range c.Lines {
		lines = append(lines, string(l.Kind)+l.Text)
	}
	if f.sends != nil {
		<-f.sends
	}
	return "delivered", f.did("comment %s %s %q %q", id, c.Path, lines, c.Text)
}

func (f *fake) FinishPlan(_ context.Context, id session.ThreadID, how tui.Finish) ([]tui.FinishStep, error) {
	err := f.did("plan %s %s%s", id, how.How, chosen(how))
	return f.plan, err
}

// chosen is what a person has chosen beside the way.
func chosen(f tui.Finish) string {
	s := ""
	if f.Into != "" {
		s += fmt.Sprintf(" into=%s", f.Into)
	}
	if f.Message != "" {
		s += fmt.Sprintf(" message=%q", f.Message)
	}
	return s
}

func (f *fake) FinishChoices(context.Context, session.ThreadID) (tui.FinishChoices, error) {
	if f.blocks != nil {
		<-f.blocks
	}
	return f.choices, f.fails["choices"]
}

func (f *fake) FinishStep(_ context.Context, id session.ThreadID, how tui.Finish, token string) (string, error) {
	if err := f.did("step %s %s%s %s", id, how.How, chosen(how), token); err != nil {
		return "", err
	}
	said := "Did: " + f.plan[0].Title
	f.plan = f.plan[1:]
	return said, nil
}
