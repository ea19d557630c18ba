package agent

import (
	"strings"
	"time"
)

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

// HookCommand returns the command line that an agent gives to a shell to tell
// an event: the hook program with its first arguments, and what it is to tell.
func HookCommand(program []string, kind, event string) string {
	words := append(append([]string{}, program...), "--agent", kind, "--event", event)
	for i, w := range words {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// HookCommand is HookCommand for the run that is launched.
func (l Launch) HookCommand(kind, event string) string {
	program := []string{l.Hook}
	if l.Hook == "" {
		program = []string{l.Aside, "hook"}
	}
	return HookCommand(program, kind, event)
}

// quote returns a word as a POSIX shell reads it back unchanged.
func quote(word string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"
	if word != "" && strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
