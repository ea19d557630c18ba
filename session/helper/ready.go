package helper

import (
	"context"
	"sync"
	"time"
)

// How long a new shell may take before a command is written to it all the
// same: until its first output, and from there until it asks for pastes in
// brackets, which shells that edit lines themselves do with their prompt.
// What came earlier would be taken by the terminal's own line editing, which
// cuts long lines.
const (
	shellStart  = 10 * time.Second
	shellPrompt = 500 * time.Millisecond
)

// readiness is how far a new shell has come.
type readiness struct {
	mu      sync.Mutex
	wrote   chan struct{} // closed at its first output
	prompts chan struct{} // closed when it asks for pastes in brackets
}

func newReadiness() *readiness {
	return &readiness{wrote: make(chan struct{}), prompts: make(chan struct{})}
}

// look is called after each output.
func (r *readiness) look(p *pane) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if isClosed(r.prompts) {
		return
	}
	closeOnce(r.wrote)
	if p.pastesInBrackets() {
		close(r.prompts)
	}
}

// close ends the waits: the shell is gone.
func (r *readiness) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	closeOnce(r.wrote)
	closeOnce(r.prompts)
}

// wait returns when the shell is ready, or will not tell.
func (r *readiness) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, shellStart)
	defer cancel()
	select {
	case <-r.wrote:
	case <-ctx.Done():
		return
	}
	ctx, cancelPrompt := context.WithTimeout(ctx, shellPrompt)
	defer cancelPrompt()
	select {
	case <-r.prompts:
	case <-ctx.Done():
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func closeOnce(c chan struct{}) {
	if !isClosed(c) {
		close(c)
	}
}

// pastesInBrackets says that the program asked for bracketed pastes.
func (p *pane) pastesInBrackets() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.scr.Frame(p.scr.Version()).Modes.Paste
}
