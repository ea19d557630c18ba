package agent

import (
	"encoding/json"
	"errors"
	"fmt"
)

// payloadLimit is the most that a payload may take (contracts/decisions.md).
const payloadLimit = 1 << 20

// Payload is what adapters of Claude's kind read of what a hook gets on
// standard input; which fields are set depends on the event.
type Payload struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	HookEventName  string `json:"hook_event_name"`
	// AgentID and AgentType are set for what a sub-agent does.
	AgentID   string `json:"agent_id"`
	AgentType string `json:"agent_type"`

	Prompt string `json:"prompt"`

	ToolName  string          `json:"tool_name"`
	ToolInput json.RawMessage `json:"tool_input"`
	ToolUseID string          `json:"tool_use_id"`

	LastAssistantMessage string `json:"last_assistant_message"`
}

// ReadPayload reads the payload of an event into a struct that embeds a
// Payload, which is head. It refuses one that is too long, of another event,
// or of no session.
func ReadPayload(event string, data []byte, into any, head *Payload) error {
	if len(data) > payloadLimit {
		return fmt.Errorf("read %s: payload of %d bytes is too large", event, len(data))
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read %s: %w", event, err)
	}
	if head.HookEventName != event {
		return fmt.Errorf("read %s: the payload is of another event: %q", event, head.HookEventName)
	}
	if head.SessionID == "" {
		return fmt.Errorf("read %s: %w", event, errors.New("the payload names no session"))
	}
	return nil
}
