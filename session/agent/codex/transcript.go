package codex

import (
	"encoding/json"
	"strings"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/transcript"
)

// Reader reads the agent's own record, a file of JSON lines that is only
// appended to. What was typed is left out, since the prompt's own event tells
// it, and so are the tools of aside, since their cards do.
type Reader struct{}

// Read reads on from the offset.
func (Reader) Read(path string, offset int64) (items []agent.Item, next int64, err error) {
	return agent.ReadLines(path, offset, itemsOf)
}

// recorded is one line of the record.
type recorded struct {
	Timestamp time.Time `json:"timestamp"`
	Type      string    `json:"type"`
	Payload   struct {
		Type string `json:"type"`
		ID   string `json:"id"`

		Role    string `json:"role"` // message
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`

		CallID    string          `json:"call_id"` // calls and their outputs
		Name      string          `json:"name"`
		Namespace string          `json:"namespace"`
		Arguments string          `json:"arguments"` // function_call: JSON text
		Input     string          `json:"input"`     // custom_tool_call
		Output    json.RawMessage `json:"output"`

		TurnID string `json:"turn_id"` // turn_aborted
	} `json:"payload"`
}

// itemsOf returns what a line tells; what is not known tells nothing.
func itemsOf(line []byte) []agent.Item {
	var l recorded
	if json.Unmarshal(line, &l) != nil {
		return nil
	}
	switch p := l.Payload; {
	case l.Type == "event_msg" && p.Type == "turn_aborted":
		e := l.entry(transcript.KindNotice, "aborted:"+p.TurnID)
		e.Text, e.Failed = "Interrupted", true
		return []agent.Item{{Entry: e}}
	case l.Type != "response_item":
		return nil
	case p.Type == "message" && p.Role == "assistant":
		return l.said()
	case p.CallID == "":
		return nil
	case p.Type == "function_call" || p.Type == "custom_tool_call":
		return l.used()
	case p.Type == "function_call_output" || p.Type == "custom_tool_call_output":
		u := outputOf(p.Output)
		u.Key = toolKey(p.CallID)
		return []agent.Item{{Update: &u}}
	}
	return nil
}

func (l recorded) entry(kind transcript.Kind, key string) *transcript.Entry {
	return &transcript.Entry{At: l.Timestamp, Kind: kind, Key: key}
}

func (l recorded) said() []agent.Item {
	var parts []string
	for _, c := range l.Payload.Content {
		parts = append(parts, c.Text)
	}
	text := strings.Join(parts, "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	key := l.Payload.ID
	if key == "" {
		key = l.Timestamp.String()
	}
	e := l.entry(transcript.KindAssistant, "said:"+key)
	e.Text = session.Clean(text)
	return []agent.Item{{Entry: e}}
}

// asideNamespace is what the tools of aside mcp are called under.
const asideNamespace = "mcp__aside"

// recordShell is the shell tool as the record calls it.
const recordShell = "exec_command"

func (l recorded) used() []agent.Item {
	p := l.Payload
	if p.Namespace == asideNamespace {
		return nil
	}
	e := l.entry(transcript.KindTool, toolKey(p.CallID))
	e.CallID, e.Tool = p.CallID, session.CleanLine(p.Name)
	switch {
	case p.Type == "custom_tool_call":
		e.Input = agent.Whole(patchTitle(p.Input), session.Mark(p.Input))
	case p.Name == recordShell:
		command := agent.ArgumentsOf(json.RawMessage(p.Arguments)).Text("cmd")
		e.Tool, e.Input = toolShell, agent.Whole(agent.Titled(command), session.Mark(command))
	default:
		e.Input = agent.Whole(read(p.Name, json.RawMessage(p.Arguments)))
	}
	return []agent.Item{{Entry: e}}
}

func toolKey(id string) string { return "tool:" + id }

// outputOf reads the output of a tool, which is a text or a list of parts.
func outputOf(raw json.RawMessage) agent.Update {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var parts []struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(raw, &parts) != nil {
			return agent.Update{}
		}
		for i, p := range parts {
			if i > 0 {
				text += "\n"
			}
			text += p.Text
		}
	}
	var u agent.Update
	for { // one tool may run another, each with a head of its own
		head, body, found := strings.Cut(text, "Output:\n")
		failed, ok := headOf(head)
		if !found || !ok {
			break
		}
		u.Failed, text = u.Failed || failed, body
	}
	u.Output = agent.Output(text)
	return u
}

// headOf reads the lines that come before a command's output in what the
// model reads; not ok when they are none of these.
func headOf(head string) (failed, ok bool) {
	for line := range strings.Lines(head) {
		what, value, _ := strings.Cut(line, ": ")
		code, exited := strings.CutPrefix(line, "Process exited with code ")
		switch {
		case exited:
			failed = strings.TrimSpace(code) != "0"
		case what == "Exit code":
			failed = strings.TrimSpace(value) != "0"
		case what != "Chunk ID" && what != "Wall time" && what != "Original token count":
			return false, false
		}
	}
	return failed, true
}
