package claude

import "aside/session/agent"

// Let implements agent.Gate.
func (*adapter) Let() []byte { return permissionStep("allow", "") }

// Stop implements agent.Gate.
func (*adapter) Stop(reason string) []byte { return permissionStep("deny", reason) }

func permissionStep(word, reason string) []byte {
	step := map[string]string{"hookEventName": "PreToolUse", "permissionDecision": word}
	if reason != "" {
		step["permissionDecisionReason"] = reason
	}
	out, err := agent.JSON(map[string]any{"hookSpecificOutput": step})
	if err != nil {
		return nil // a map of strings always encodes
	}
	return out
}
