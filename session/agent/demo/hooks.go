package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"syscall"
	"time"
)

// fields are the members of a payload beside those that all have.
type fields map[string]any

// hooks runs the hook as Claude Code does: one process per event, the payload
// on its standard input, the verdict on its standard output.
type hooks struct {
	program []string // the program and its first arguments; none: no hooks
	session string
	record  string
	cwd     string
}

// informingTime is how long an event that only informs may take.
const informingTime = 10 * time.Second

// tell runs the hook of an event that only informs. What goes wrong with it
// is no concern of the agent's.
func (h hooks) tell(ctx context.Context, event string, more fields) {
	ctx, cancel := context.WithTimeout(ctx, informingTime)
	defer cancel()
	h.run(ctx, event, more)
}

// run runs the hook of an event and returns what it printed, nothing when it
// failed. It waits as long as ctx lets it.
func (h hooks) run(ctx context.Context, event string, more fields) []byte {
	if len(h.program) == 0 {
		return nil
	}
	payload := fields{
		"session_id": h.session, "transcript_path": h.record, "cwd": h.cwd, "hook_event_name": event,
	}
	for name, value := range more {
		payload[name] = value
	}
	in, err := json.Marshal(payload)
	if err != nil {
		return nil
	}
	args := append(h.program[1:len(h.program):len(h.program)], "--agent", Name, "--event", event)
	cmd := exec.CommandContext(ctx, h.program[0], args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Second
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return out
}

// verdict is what a hook that was held may print.
type verdict struct {
	Behavior     string `json:"behavior"`
	Message      string `json:"message"`
	UpdatedInput struct {
		Answers map[string]labels `json:"answers"`
	} `json:"updatedInput"`
	UpdatedPermissions []json.RawMessage `json:"updatedPermissions"`
}

// labels are what a question was answered: one text, or several choices.
type labels []string

// UnmarshalJSON takes a string or an array of them.
func (l *labels) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*l = labels{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(l))
}

// decode returns the verdict in a hook's output, and whether there is one.
func decode(out []byte) (verdict, bool) {
	var v struct {
		HookSpecificOutput struct {
			Decision verdict `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(out, &v) != nil || v.HookSpecificOutput.Decision.Behavior == "" {
		return verdict{}, false
	}
	return v.HookSpecificOutput.Decision, true
}
