package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
)

// Ids are short, lower case and never change, so that a person can type a
// unique prefix of one (contracts/cli.md).
type (
	// ThreadID names a thread.
	ThreadID string
	// ProposalID names a proposal; it is derived, see NewProposalID.
	ProposalID string
	// DecisionID names a decision.
	DecisionID string
	// TurnID names a turn.
	TurnID string
	// PaneID names a pane within its thread; the agent's is PaneAgent.
	PaneID string
)

// PaneAgent is the pane in which a thread's agent runs.
const PaneAgent PaneID = "agent"

// idLength is the number of characters of an id: 50 bits.
const idLength = 10

var idAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewID returns a fresh random id: ten characters of a-z and 2-7.
func NewID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read never fails; it ends the program instead
	return idAlphabet.EncodeToString(b[:])[:idLength]
}

// NewProposalID returns the id of the proposal that an agent of a thread made
// by one tool call. The pair is the proposal's identity
// (contracts/proposed-threads.md), so the id is a function of it.
func NewProposalID(thread ThreadID, callID string) ProposalID {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", thread, callID))
	return ProposalID(idAlphabet.EncodeToString(sum[:8])[:idLength])
}

// NewUUID returns a random UUID of version 4 (RFC 9562), for agents that take
// the id of their conversation.
func NewUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}
