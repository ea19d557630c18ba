package agent

import "time"

// Hooks are aside's hooks in the person's own settings of one kind of agent,
// for agents that aside does not start itself. Nothing but the command aside
// hooks writes there (contracts/decisions.md, Adapters).
type Hooks interface {
	// Install adds what is missing, or replaces what an earlier aside added,
	// and reports whether that changed anything. Every other byte stays.
	Install() (changed bool, err error)
	// Remove takes out what Install added, and reports whether there was
	// anything. When nothing else was changed since, the settings are as they
	// were before, to the byte.
	Remove() (changed bool, err error)
	Status() (HooksStatus, error)
}

// HooksStatus says what of the hooks is installed.
type HooksStatus struct {
	File      string // the settings
	Installed int    // events that have the hook as it would be installed now
	Other     int    // events that have another one of aside
	Events    int    // all events
}

// Installation says what installed hooks are to run.
type Installation struct {
	Program []string      // the hook program and its first arguments
	Hold    time.Duration // how long the bridge holds a decision
	State   string        // aside's folder for what it remembers
}
