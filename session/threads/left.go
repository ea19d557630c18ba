package threads

import (
	"context"
	"fmt"

	"aside/session"
	"aside/worktree/git"
)

// Left says what work in a thread's worktree is not committed or not merged,
// in a sentence, or "" when there is none: a thread that ends says so
// (contracts/proposed-threads.md, For the person). In the shared checkout
// such work is as likely the person's own.
func Left(ctx context.Context, g *git.Git, t session.Thread) string {
	if t.Checkout.Mode != session.CheckoutWorktree {
		return ""
	}
	c, err := g.Changes(ctx, t.Checkout.Path, t.Checkout.Base)
	if err != nil {
		return ""
	}
	work := c.Work()
	if work == "" {
		return ""
	}
	return fmt.Sprintf("The agent has ended and leaves work unfinished: %s, in %s on branch %s",
		work, session.MarkLine(t.Checkout.Path), session.MarkLine(t.Checkout.Branch))
}
