package agent

// Gate is implemented by an adapter whose agent asks its hooks before each
// tool, so that one exact command can be let through without a prompt and a
// wrong one be stopped with a reason (contracts/terminal-actions.md,
// Canonical invocation).
type Gate interface {
	// Let returns what a hook prints in answer to a ToolStarting event so that
	// the tool runs without a prompt; nil when it cannot.
	Let() []byte
	// Stop returns what makes the tool fail with the reason, which the model
	// reads; nil when it cannot.
	Stop(reason string) []byte
}
