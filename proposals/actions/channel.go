package actions

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"aside/session"
)

// Channel is what lets the agent of one turn propose terminal actions. Its
// first part names the helper, its second is the secret.
type Channel string

const (
	channelPrefix = "v1."
	partLength    = 32 // hex digits of a UUID
	channelLength = len(channelPrefix) + partLength + 1 + partLength
)

// newPart returns a random UUID as 32 hex digits.
func newPart() string { return strings.ReplaceAll(session.NewUUID(), "-", "") }

// Helper returns the part that names the helper; false for what is no
// channel.
func (c Channel) Helper() (string, bool) {
	if len(c) != channelLength || !strings.HasPrefix(string(c), channelPrefix) {
		return "", false
	}
	helper, secret := string(c[len(channelPrefix):len(channelPrefix)+partLength]), string(c[channelLength-partLength:])
	if c[len(channelPrefix)+partLength] != '.' || !isPart(helper) || !isPart(secret) {
		return "", false
	}
	return helper, true
}

func isPart(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == partLength
}

// digest is how a channel or a payload is kept.
type digest [sha256.Size]byte

func digestOf(s string) digest { return sha256.Sum256([]byte(s)) }

func (d digest) is(s string) bool {
	other := digestOf(s)
	return subtle.ConstantTimeCompare(d[:], other[:]) == 1
}
