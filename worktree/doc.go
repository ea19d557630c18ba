// Package worktree is the checkout policy: whether a thread gets a checkout of
// its own, and what its branch and folder are called. It is pure and imports
// no room; worktree/git learns the facts and carries the decision out. The
// rules are those of contracts/proposed-threads.md, Checkout policy.
package worktree
