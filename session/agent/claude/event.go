package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"aside/session"
	"aside/session/agent"
)

// payload is what a hook gets on standard input; which fields are set depends
// on the event.
type payload struct {
	agent.Payload
	Cwd         string       `json:"cwd"`
	Suggestions []suggestion `json:"permission_suggestions"`

	NotificationType string            `json:"notification_type"`
	BackgroundTasks  []json.RawMessage `json:"background_tasks"`
}

// Event reads the payload of a hook.
func (a *adapter) Event(name string, data []byte) (agent.Event, error) {
	var p payload
	if err := agent.ReadPayload(name, data, &p, &p.Payload); err != nil {
		return agent.Event{}, err
	}
	ev := agent.Event{Session: p.SessionID, Transcript: p.transcript()}
	switch name {
	case "SessionStart":
		a.calls.Reset()
		ev.Kind, ev.State = agent.SessionStarted, session.StateIdle
	case "UserPromptSubmit":
		a.prompted(&ev, p)
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", eventPermission:
		return a.toolEvent(name, ev, p)
	case "Notification":
		ev.Kind, ev.State = agent.Notified, p.notified()
	case "SubagentStop":
		ev.Kind = agent.Notified
	case "Stop", "StopFailure":
		ev.Kind, ev.State, ev.Message = agent.Stopped, session.StateDone, p.LastAssistantMessage
		ev.Failed = name == "StopFailure"
		if ev.Background = len(p.BackgroundTasks) > 0; ev.Background {
			ev.State = session.StateWorking
		}
	case "SessionEnd":
		ev.Kind = agent.SessionEnded
	}
	return ev, nil
}

func (a *adapter) prompted(ev *agent.Event, p payload) {
	ev.Kind, ev.State, ev.Prompt, ev.Origin = agent.Prompted, session.StateWorking, unwrapped(p.Prompt), session.OriginHuman
	// The report of a background task reaches the agent as a prompt.
	if said, ok := reported(p.Prompt); ok {
		ev.Prompt, ev.Origin = said, session.OriginAgent
		return
	}
	a.calls.ResetMain()
}

// reported returns what the report of a background task says in a sentence for
// a person, or all of it where it has none; the rest is for the agent. What a
// sub-agent has found is in its own record. False is no report.
func reported(prompt string) (string, bool) {
	prompt = strings.TrimSpace(prompt)
	if !strings.HasPrefix(prompt, "<task-notification>") {
		return "", false
	}
	_, said, _ := strings.Cut(prompt, "<summary>")
	said, _, whole := strings.Cut(said, "</summary>")
	if said = strings.TrimSpace(said); whole && said != "" {
		return said, true
	}
	return prompt, true
}

func (a *adapter) toolEvent(name string, ev agent.Event, p payload) (agent.Event, error) {
	if p.ToolName == "" {
		return agent.Event{}, fmt.Errorf("read %s: %w", name, errors.New("the payload names no tool"))
	}
	ev.Call = agent.Call{ID: p.ToolUseID, Tool: p.ToolName, Input: p.ToolInput}
	ev.State = session.StateWorking
	switch name {
	case "PreToolUse":
		ev.Kind, ev.Call.Command = agent.ToolStarting, shellCommand(p)
		a.calls.Starting(p.use())
	case eventPermission:
		ev.Kind, ev.State = agent.PermissionAsked, session.StateNeedsYou
		ask, id := a.ask(p)
		ev.Ask, ev.Call.ID = ask, id
	default:
		ev.Kind = agent.ToolDone
		a.calls.Done(p.ToolUseID)
	}
	return ev, nil
}

// notified returns what a notification says about the agent's state.
func (p payload) notified() session.State {
	switch p.NotificationType {
	case "permission_prompt":
		return session.StateNeedsYou
	case "idle_prompt":
		return session.StateIdle
	}
	return ""
}

// transcript returns the record that the event belongs to: a sub-agent has
// one of its own, in a folder named like the session's.
func (p payload) transcript() string {
	if p.AgentID == "" || p.TranscriptPath == "" || filepath.Base(p.AgentID) != p.AgentID {
		return p.TranscriptPath
	}
	folder := strings.TrimSuffix(p.TranscriptPath, ".jsonl")
	return filepath.Join(folder, "subagents", "agent-"+p.AgentID+".jsonl")
}

func shellCommand(p payload) string {
	if p.ToolName != "Bash" {
		return ""
	}
	return agent.ArgumentsOf(p.ToolInput).Text("command")
}

// use is the tool's use that an event is about. Of a plan the call alone may
// have the text.
func (p payload) use() agent.ToolUse {
	u := agent.ToolUse{ID: p.ToolUseID, Tool: p.ToolName, Agent: p.AgentID, Input: p.ToolInput}
	if p.ToolName == toolPlan {
		u.Note = planOf(p.ToolInput)
	}
	return u
}

func planOf(input json.RawMessage) string {
	return agent.ArgumentsOf(input).Text("plan")
}
