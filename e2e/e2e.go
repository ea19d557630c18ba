// Package e2e holds the end-to-end tests: the built programs and the real
// Claude Code client, on a real terminal, against a scripted model. They need
// the build tag e2e and are run by make e2e.
package e2e
