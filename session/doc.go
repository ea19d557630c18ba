// Package session holds the words of aside: ids, threads, states, decisions,
// proposals, terminal rows and input events, with their pure transitions.
// Every other room speaks these words; this one imports no room.
package session
