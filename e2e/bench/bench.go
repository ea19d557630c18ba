// Package bench measures the built programs from outside, as a person would
// feel them: start-up, answers, what an idle or busy screen costs, and how
// soon a key shows. It downloads nothing. Its agents are this test program
// itself, its terminals are those of package term. What can be set against
// tmux is, in the same run; docs/benchmarks.md has the numbers.
package bench
