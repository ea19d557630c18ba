// Package claude is the adapter for Claude Code. Everything it relies on was
// measured on the real program; what was not proven has no buttons, and is
// answered in the terminal.
package claude

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"aside/session/agent"
)

// Kind is the kind of agent that is Claude Code.
func Kind() agent.Kind {
	return agent.Kind{Name: "claude", Title: "Claude Code", Program: "claude", New: New, Hooks: hooksOf}
}

// New makes the adapter of one thread.
func New() agent.Adapter { return &adapter{} }

type adapter struct {
	calls agent.Calls
}

func (*adapter) Capabilities() agent.Capabilities {
	return agent.Capabilities{
		Hooks: true, ConfirmsPrompts: true, Ready: agent.ReadyReported, Hold: agent.HoldBeside, MCP: true,
		TakesSession: true, Resume: true, TakesContext: true,
	}
}

// The generated files, in the runtime folder.
const (
	settingsFile = "claude-settings.json"
	serversFile  = "claude-mcp.json"
)

// Command gives the agent its settings for one run only: the user's own
// configuration is never written.
func (*adapter) Command(l agent.Launch) (agent.Command, error) {
	settings, err := settings(l)
	if err != nil {
		return agent.Command{}, fmt.Errorf("write settings: %w", err)
	}
	servers, err := servers(l)
	if err != nil {
		return agent.Command{}, fmt.Errorf("write servers: %w", err)
	}
	c := agent.Command{
		Path:        "claude",
		Files:       map[string][]byte{settingsFile: settings, serversFile: servers},
		PromptTaken: l.Prompt != "",
	}
	if l.Command != "" {
		c.Path = l.Command
	}
	c.Args = append(c.Args, l.Args...)
	// --mcp-config takes all words up to the next flag, so it is never last.
	c.Args = append(c.Args,
		"--mcp-config", filepath.Join(l.RuntimeDir, serversFile),
		"--settings", filepath.Join(l.RuntimeDir, settingsFile))
	if l.Model != "" {
		c.Args = append(c.Args, "--model", l.Model)
	}
	switch {
	case l.Session == "":
	case l.Resume:
		c.Args = append(c.Args, "--resume", l.Session)
	default:
		c.Args = append(c.Args, "--session-id", l.Session)
	}
	if l.Prompt != "" {
		c.Args = append(c.Args, "--", l.Prompt)
	}
	return c, nil
}

// informingTime is how long the agent waits for a hook that only informs.
const informingTime = 5 * time.Second

// holdMargin is how much longer than the bridge the agent waits, so that it
// is always the bridge that lets go (contracts/decisions.md).
const holdMargin = time.Minute

// events are the hooks that are installed. A tool that fails is reported by
// an event of its own.
var events = [...]string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", eventPermission, "PostToolUse", "PostToolUseFailure",
	"Notification", "SubagentStop", "Stop", "StopFailure", "SessionEnd",
}

// eventPermission is the one event that the agent is held on.
const eventPermission = "PermissionRequest"

// asideTools are the tools of aside mcp. They only put a card before the
// person, so they run without a permission prompt.
var asideTools = [...]string{
	"propose_thread", "withdraw_proposal", "list_proposals", "propose_terminal_actions", "terminal_action_result",
}

// toolPrefix is what the names of the tools of aside mcp begin with.
const toolPrefix = "mcp__aside__"

type hook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
}

type matcher struct {
	Hooks []hook `json:"hooks"`
}

func settings(l agent.Launch) ([]byte, error) {
	hooks := map[string][]matcher{}
	for _, name := range events {
		limit := informingTime
		if name == eventPermission {
			limit = l.Hold + holdMargin
		}
		hooks[name] = []matcher{{Hooks: []hook{{
			Type: "command", Command: l.HookCommand("claude", name), Timeout: int(limit / time.Second),
		}}}}
	}
	var allow []string
	for _, tool := range asideTools {
		allow = append(allow, toolPrefix+tool)
	}
	return agent.JSON(map[string]any{
		"hooks":       hooks,
		"permissions": map[string]any{"allow": allow},
	})
}

func servers(l agent.Launch) ([]byte, error) {
	env := map[string]string{}
	for _, kv := range l.Endpoint {
		if name, value, ok := strings.Cut(kv, "="); ok {
			env[name] = value
		}
	}
	return agent.JSON(map[string]any{
		"mcpServers": map[string]any{
			"aside": map[string]any{"command": l.Aside, "args": []string{"mcp"}, "env": env},
		},
	})
}

func (*adapter) Context(text string) []byte {
	out, err := agent.JSON(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": "UserPromptSubmit", "additionalContext": text},
	})
	if err != nil {
		return nil // a map of strings always encodes
	}
	return out
}

func (*adapter) Reader() agent.Reader { return Reader{} }
