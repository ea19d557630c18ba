// Package hookbridge holds the connections of agents' hooks while a person
// decides, and arbitrates: of everything that can end a decision, exactly one
// thing does, and at most one verdict reaches the agent
// (contracts/decisions.md).
package hookbridge
