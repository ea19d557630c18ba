// Package codex is the adapter for OpenAI's Codex. Everything it relies on was
// measured on the real program; what was not proven has no buttons, and is
// answered in the terminal.
package codex

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"aside/session/agent"
)

// Kind is the kind of agent that is Codex.
func Kind() agent.Kind {
	return agent.Kind{Name: name, Title: "Codex", Program: "codex", New: New}
}

const name = "codex"

// New makes the adapter of one thread.
func New() agent.Adapter { return &adapter{} }

type adapter struct {
	calls agent.Calls
	// subs are the sub-agents at work, by their ids; resting says that the
	// agent's own turn has ended meanwhile.
	subs    map[string]bool
	resting bool
}

func (*adapter) Capabilities() agent.Capabilities {
	return agent.Capabilities{Hooks: true, ConfirmsPrompts: true, Ready: agent.ReadyReported, Hold: agent.HoldBefore, MCP: true, Resume: true}
}

// Command gives the agent its settings as flags, for one run only: the user's
// own configuration is never written.
func (*adapter) Command(l agent.Launch) (agent.Command, error) {
	c := agent.Command{Path: "codex", PromptTaken: l.Prompt != ""}
	if l.Command != "" {
		c.Path = l.Command
	}
	resume := l.Resume && l.Session != ""
	if resume {
		c.Args = append(c.Args, "resume")
	}
	c.Args = append(c.Args, l.Args...)
	for _, setting := range settings(l) {
		c.Args = append(c.Args, "-c", setting)
	}
	if l.Model != "" {
		c.Args = append(c.Args, "-m", l.Model)
	}
	if resume || l.Prompt != "" {
		c.Args = append(c.Args, "--")
	}
	if resume {
		c.Args = append(c.Args, l.Session)
	}
	if l.Prompt != "" {
		c.Args = append(c.Args, l.Prompt)
	}
	return c, nil
}

// informingTime is how long the agent waits for a hook that only informs; it
// gives those at the end of a turn less than the others.
const (
	informingTime = 5 * time.Second
	endingTime    = 3 * time.Second
)

// holdMargin is how much longer than the bridge the agent waits, so that it
// is always the bridge that lets go (contracts/decisions.md).
const holdMargin = time.Minute

// hook is an event's hook: its name as the payloads have it, and as the
// agent's own settings do.
type hook struct {
	event, key string
	limit      time.Duration
}

func hooks(hold time.Duration) []hook {
	return []hook{
		{"SessionStart", "session_start", informingTime},
		{"UserPromptSubmit", "user_prompt_submit", informingTime},
		{"PreToolUse", "pre_tool_use", informingTime},
		{eventPermission, "permission_request", hold + holdMargin},
		{"PostToolUse", "post_tool_use", informingTime},
		{"SubagentStart", "subagent_start", informingTime},
		{"SubagentStop", "subagent_stop", informingTime},
		{"Stop", "stop", informingTime},
		{"Interrupt", "interrupt", endingTime},
		{"SessionEnd", "session_end", endingTime},
	}
}

// eventPermission is the one event that the agent is held on.
const eventPermission = "PermissionRequest"

// settings returns the settings of one run, each as the agent takes it from
// its command line.
func settings(l agent.Launch) []string {
	var env []string
	for _, kv := range l.Endpoint {
		if key, value, ok := strings.Cut(kv, "="); ok {
			env = append(env, quote(key)+"="+quote(value))
		}
	}
	// The tools of aside mcp only put a card before the person, so they run
	// without a permission prompt.
	all := []string{fmt.Sprintf(`mcp_servers.aside={command=%s,args=["mcp"],env={%s},default_tools_approval_mode="approve"}`,
		quote(l.Aside), strings.Join(env, ","))}
	var trusted []string
	for _, h := range hooks(l.Hold) {
		command, seconds := l.HookCommand(name, h.event), int(h.limit/time.Second)
		all = append(all, fmt.Sprintf(`hooks.%s=[{hooks=[{type="command",command=%s,timeout=%d}]}]`, h.event, quote(command), seconds))
		trusted = append(trusted, fmt.Sprintf(`%s={trusted_hash=%s}`,
			quote("/<session-flags>/config.toml:"+h.key+":0:0"), quote(digest(h.key, command, seconds))))
	}
	return append(all, "hooks.state={"+strings.Join(trusted, ",")+"}")
}

// digest is what the agent knows a hook by that the user trusts. Of an agent
// that reckons otherwise the user is asked, in its own terminal, whether to
// trust these; no other hook is trusted by it.
func digest(key, command string, seconds int) string {
	text, err := agent.JSON(map[string]any{
		"event_name": key,
		"hooks":      []any{map[string]any{"async": false, "command": command, "timeout": seconds, "type": "command"}},
	})
	if err != nil {
		return "" // strings and numbers always encode
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// quote returns a basic string of TOML, which is one of JSON but for one
// character.
func quote(s string) string {
	text, err := agent.JSON(s)
	if err != nil {
		return `""` // a string always encodes
	}
	return strings.ReplaceAll(string(text), "\x7f", `\u007f`)
}

// Context returns nothing: no way was proven to let the one command through
// that a text beside the prompt is about (contracts/terminal-actions.md).
func (*adapter) Context(string) []byte { return nil }

func (*adapter) Reader() agent.Reader { return Reader{} }
