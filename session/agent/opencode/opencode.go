// Package opencode is the adapter for OpenCode. It has no hooks but plugins:
// one that aside brings along, for one run, tells in the dialect of Claude
// Code what happens, and keeps a record of that shape.
package opencode

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/claude"
)

// Kind is the kind of agent that is OpenCode.
func Kind() agent.Kind {
	return agent.Kind{Name: "opencode", Title: "OpenCode", Program: "opencode", New: New}
}

// New makes the adapter of one thread.
func New() agent.Adapter { return &adapter{dialect: claude.New()} }

type adapter struct{ dialect agent.Adapter }

func (*adapter) Capabilities() agent.Capabilities {
	return agent.Capabilities{
		Hooks: true, ConfirmsPrompts: true, Ready: agent.ReadyTitled, Hold: agent.HoldBeside, MCP: true, Resume: true,
	}
}

//go:embed plugin.js
var plugin string

// pluginFile is the generated file, in the runtime folder.
const pluginFile = "opencode-plugin.js"

// Command gives the agent its settings in the environment, for one run only:
// they are put beside the user's own, which are never written.
func (*adapter) Command(l agent.Launch) (agent.Command, error) {
	file := filepath.Join(l.RuntimeDir, pluginFile)
	program := []string{l.Hook}
	if l.Hook == "" {
		program = []string{l.Aside, "hook"}
	}
	own, err := agent.JSON(map[string]any{"hook": program, "record": filepath.Join(l.RuntimeDir, "opencode")})
	if err != nil {
		return agent.Command{}, fmt.Errorf("write plugin: %w", err)
	}
	settings, err := settings(l, file)
	if err != nil {
		return agent.Command{}, fmt.Errorf("write settings: %w", err)
	}
	c := agent.Command{
		Path:  "opencode",
		Env:   []string{"OPENCODE_CONFIG_CONTENT=" + string(settings)},
		Files: map[string][]byte{pluginFile: []byte("const aside = " + string(own) + "\n" + plugin)},
	}
	if l.Command != "" {
		c.Path = l.Command
	}
	c.Args = append(c.Args, l.Args...)
	if l.Model != "" {
		c.Args = append(c.Args, "--model", l.Model)
	}
	// With a conversation to go on with, the agent takes no prompt.
	switch {
	case l.Resume && l.Session != "":
		c.Args = append(c.Args, "--session", l.Session)
	case l.Prompt != "":
		c.Args = append(c.Args, "--prompt="+l.Prompt)
		c.PromptTaken = true
	}
	return c, nil
}

func settings(l agent.Launch, plugin string) ([]byte, error) {
	env := map[string]string{}
	for _, kv := range l.Endpoint {
		if name, value, ok := strings.Cut(kv, "="); ok {
			env[name] = value
		}
	}
	address := url.URL{Scheme: "file", Path: plugin}
	return agent.JSON(map[string]any{
		"plugin": []string{address.String()},
		"mcp": map[string]any{
			"aside": map[string]any{"type": "local", "command": []string{l.Aside, "mcp"}, "environment": env, "enabled": true},
		},
	})
}

// toolQuestion is a question that the agent asks its user; only its own
// prompt takes the answer.
const toolQuestion = "question"

// Event reads what the plugin tells: Claude Code's events, and two of its own.
func (a *adapter) Event(name string, data []byte) (agent.Event, error) {
	var p struct {
		SessionID string          `json:"session_id"`
		ToolName  string          `json:"tool_name"`
		ToolInput json.RawMessage `json:"tool_input"`
		ToolUseID string          `json:"tool_use_id"`
	}
	switch name {
	case "Ready":
		return agent.Event{Kind: agent.Notified, State: session.StateIdle}, nil
	case "Replied", "PermissionRequest":
		if err := json.Unmarshal(data, &p); err != nil {
			return agent.Event{}, fmt.Errorf("read %s: %w", name, err)
		}
	}
	if name == "Replied" {
		return agent.Event{Kind: agent.ToolDone, Session: p.SessionID, Call: agent.Call{ID: p.ToolUseID}, State: session.StateWorking}, nil
	}
	e, err := a.dialect.Event(name, data)
	if err != nil || e.Ask == nil {
		return e, err
	}
	if p.ToolName == toolQuestion {
		e.Ask = agent.NewAsk(session.Decision{
			Kind: session.KindQuestion, Tool: toolQuestion, Title: questionTitle(p.ToolInput), Detail: agent.Lines(p.ToolInput),
		}, nil)
	}
	// A request names its call, which in the dialect it does not.
	e.Call.ID, e.Ask.Decision.ToolCallID = p.ToolUseID, p.ToolUseID
	return e, nil
}

// questionTitle is the first question's text.
func questionTitle(input json.RawMessage) string {
	var in struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if json.Unmarshal(input, &in) != nil || len(in.Questions) == 0 {
		return "A question"
	}
	return agent.Titled(in.Questions[0].Question)
}

// Context returns nothing: the plugin reads no answer to what it tells.
func (*adapter) Context(string) []byte { return nil }

func (a *adapter) Reader() agent.Reader { return a.dialect.Reader() }
