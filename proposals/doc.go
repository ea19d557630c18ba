// Package proposals is where an agent's offer becomes a card and a card
// becomes a thread: the rules for the tool's arguments, the wording an agent
// reads, the answers a person may give, and the walk from a start to a
// running thread (contracts/proposed-threads.md).
//
// The walk is a pure state machine with effects as data (Next); Executor
// carries the effects out through a Store and the functions it is given.
package proposals
