package config

import "path/filepath"

// Channels returns the folder in which each helper is found by the name that
// its channels carry (contracts/terminal-actions.md, Channel).
func (p Paths) Channels() string { return filepath.Join(p.Runtime, "channels") }

// Channel returns the link to the socket of the helper with the name.
func (p Paths) Channel(helper string) string { return filepath.Join(p.Channels(), helper) }
