package codex

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"aside/session"
	"aside/session/agent"
)

// payload is what a hook gets on standard input.
type payload struct{ agent.Payload }

// The tools that run a command line and that change files.
const (
	toolShell = "Bash"
	toolPatch = "apply_patch"
)

// Event reads the payload of a hook.
func (a *adapter) Event(event string, data []byte) (agent.Event, error) {
	var p payload
	if err := agent.ReadPayload(event, data, &p, &p.Payload); err != nil {
		return agent.Event{}, err
	}
	e := agent.Event{Session: p.SessionID}
	switch event {
	case "PreToolUse", "PostToolUse", eventPermission:
		return a.toolEvent(event, e, p)
	}
	if p.AgentID != "" {
		a.subAgent(&e, p)
		return e, nil
	}
	e.Transcript = p.TranscriptPath
	switch event {
	case "SessionStart":
		a.calls.Reset()
		a.subs, a.resting = nil, false
		e.Kind, e.State = agent.SessionStarted, session.StateIdle
	case "UserPromptSubmit":
		a.calls.ResetMain()
		a.resting = false
		e.Kind, e.State, e.Prompt, e.Origin = agent.Prompted, session.StateWorking, p.Prompt, session.OriginHuman
	case "Stop":
		e.Kind, e.State, e.Message = agent.Stopped, session.StateDone, p.LastAssistantMessage
		if e.Background = len(a.subs) > 0; e.Background {
			e.State, a.resting = session.StateWorking, true
		}
	case "Interrupt":
		a.subs, a.resting = nil, false
		e.Kind, e.State = agent.Stopped, session.StateIdle
	case "SessionEnd":
		e.Kind = agent.SessionEnded
	}
	return e, nil
}

// subsKept bounds how many sub-agents are remembered.
const subsKept = 64

// subAgent reads an event of a sub-agent. Its prompt and its end are nothing
// of the thread's turn, and its record is not told from the agent's own by
// what is in it.
func (a *adapter) subAgent(e *agent.Event, p payload) {
	e.Kind = agent.Notified
	switch p.HookEventName {
	case "SubagentStart":
		if a.subs == nil {
			a.subs = map[string]bool{}
		}
		if len(a.subs) < subsKept {
			a.subs[p.AgentID] = true
		}
	case "SubagentStop":
		delete(a.subs, p.AgentID)
		if a.resting && len(a.subs) == 0 {
			e.State, a.resting = session.StateDone, false
		}
	}
}

func (a *adapter) toolEvent(event string, e agent.Event, p payload) (agent.Event, error) {
	if p.ToolName == "" {
		return agent.Event{}, fmt.Errorf("read %s: %w", event, errors.New("the payload names no tool"))
	}
	if p.AgentID == "" {
		e.Transcript, a.resting = p.TranscriptPath, false
	}
	e.Call = agent.Call{ID: p.ToolUseID, Tool: p.ToolName, Input: p.ToolInput}
	e.State = session.StateWorking
	switch event {
	case "PreToolUse":
		e.Kind = agent.ToolStarting
		if p.ToolName == toolShell {
			e.Call.Command = agent.ArgumentsOf(p.ToolInput).Text("command")
		}
		a.calls.Starting(p.use())
	case eventPermission:
		e.Kind, e.State = agent.PermissionAsked, session.StateNeedsYou
		e.Call.ID, _ = a.calls.Asking(p.use())
		e.Ask = ask(p, e.Call.ID)
	default:
		e.Kind = agent.ToolDone
		a.calls.Done(p.ToolUseID)
	}
	return e, nil
}

// use is the tool's use that an event is about. A request has the model's
// reason beside the command, which the call has not.
func (p payload) use() agent.ToolUse {
	u := agent.ToolUse{ID: p.ToolUseID, Tool: p.ToolName, Agent: p.AgentID, Input: p.ToolInput}
	if command, ok := agent.ArgumentsOf(p.ToolInput)["command"]; ok && (p.ToolName == toolShell || p.ToolName == toolPatch) {
		u.Input = command
	}
	return u
}

// ask turns a permission request into a decision. What lasts is granted in
// the agent's own prompt alone.
func ask(p payload, callID string) *agent.Ask {
	title, detail := read(p.ToolName, p.ToolInput)
	detail += agent.BySubAgent(p.AgentType)
	return agent.NewAsk(session.Decision{
		Kind: session.KindPermission, Tool: session.MarkLine(p.ToolName), Title: title, Detail: detail, ToolCallID: callID,
	}, []agent.Choice{
		{
			Option: session.Option{ID: session.OptionOnce, Label: "once"},
			Print:  func(session.Answer) ([]byte, error) { return verdict("allow", "") },
		},
		{
			Option: session.Option{ID: session.OptionDeny, Label: "deny", Note: true},
			Print: func(ans session.Answer) ([]byte, error) {
				return verdict("deny", cmp.Or(ans.Note, "The user declined this. Wait for the user to say how to go on."))
			},
		},
	})
}

func verdict(behavior, message string) ([]byte, error) {
	decision := map[string]string{"behavior": behavior}
	if message != "" {
		decision["message"] = message
	}
	return agent.JSON(map[string]any{
		"hookSpecificOutput": map[string]any{"hookEventName": eventPermission, "decision": decision},
	})
}

// read makes a tool's use readable: the command for a shell, the files and
// the changes for a patch, else the arguments as short lines.
func read(tool string, raw json.RawMessage) (title, detail string) {
	title, detail, ok := agent.ShellCommand(raw)
	switch {
	case tool == toolPatch && ok:
		return patchTitle(agent.ArgumentsOf(raw).Text("command")), detail
	case tool == toolShell && ok:
		return title, detail
	}
	detail = agent.Lines(raw)
	if title = agent.Titled(strings.ReplaceAll(detail, "\n", ", ")); title == "" {
		title = agent.Titled(tool)
	}
	return title, detail
}

// patchTitle names the files that a patch is about.
func patchTitle(patch string) string {
	var files []string
	for line := range strings.Lines(patch) {
		for _, head := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: "} {
			if file, ok := strings.CutPrefix(line, head); ok {
				files = append(files, strings.TrimSpace(file))
			}
		}
	}
	if len(files) == 0 {
		return agent.Titled(patch)
	}
	return agent.Titled(strings.Join(files, ", "))
}
