package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
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
	Type        string    `json:"type"`
	UUID        string    `json:"uuid"`
	Timestamp   time.Time `json:"timestamp"`
	Cwd         string    `json:"cwd"`
	IsSidechain bool      `json:"isSidechain"`
	IsMeta      bool      `json:"isMeta"`
	IsAPIError  bool      `json:"isApiErrorMessage"`
	Message     struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// block is one part of a message.
type block struct {
	Type string `json:"type"`

	Text string `json:"text"`

	ID    string          `json:"id"` // tool_use
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`

	ToolUseID string          `json:"tool_use_id"` // tool_result
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// interruptedText begins the line by which alone the record tells that the
// person interrupted the turn.
const interruptedText = "[Request interrupted by user"

// itemsOf returns what a line tells; what is not known tells nothing.
func itemsOf(line []byte) []agent.Item {
	var l recorded
	if json.Unmarshal(line, &l) != nil || l.IsMeta || (l.Type != "assistant" && l.Type != "user") {
		return nil
	}
	var blocks []block
	if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return nil // a prompt is a string
	}
	var items []agent.Item
	for i, b := range blocks {
		if item, ok := l.item(i, b); ok {
			items = append(items, item)
		}
	}
	return items
}

func (l recorded) item(i int, b block) (agent.Item, bool) {
	switch {
	case l.Type == "user" && b.Type == "tool_result" && b.ToolUseID != "":
		return agent.Item{Update: &agent.Update{
			Key: toolKey(b.ToolUseID), Output: output(b.Content), Failed: b.IsError,
		}}, true
	case l.Type == "assistant" && b.Type == "tool_use" && b.ID != "":
		if strings.HasPrefix(b.Name, toolPrefix) {
			return agent.Item{}, false
		}
		e := l.entry(transcript.KindTool, toolKey(b.ID))
		e.CallID, e.Tool, e.Input = b.ID, session.CleanLine(b.Name), read(b.Name, b.Input, l.Cwd).whole()
		return agent.Item{Entry: e}, true
	case b.Type != "text":
		return agent.Item{}, false
	case l.Type == "user" && strings.HasPrefix(b.Text, interruptedText):
		e := l.entry(transcript.KindNotice, l.blockKey(i))
		e.Text, e.Failed = "Interrupted", true
		return agent.Item{Entry: e, Interrupted: !l.IsSidechain}, true
	case l.Type == "assistant" && strings.TrimSpace(b.Text) != "":
		e := l.entry(transcript.KindAssistant, l.blockKey(i))
		e.Text = session.Clean(b.Text)
		if l.IsAPIError {
			e.Kind, e.Failed = transcript.KindNotice, true
		}
		return agent.Item{Entry: e}, true
	}
	return agent.Item{}, false
}

func (l recorded) entry(kind transcript.Kind, key string) *transcript.Entry {
	e := &transcript.Entry{At: l.Timestamp, Kind: kind, Key: key}
	if l.IsSidechain {
		e.Depth = 1
	}
	return e
}

func (l recorded) blockKey(i int) string { return fmt.Sprintf("said:%s:%d", l.UUID, i) }

func toolKey(id string) string { return "tool:" + id }

// output returns the text of a tool's result, which is a string or blocks.
func output(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) != nil {
		var blocks []block
		if json.Unmarshal(content, &blocks) != nil {
			return ""
		}
		var parts []string
		for _, b := range blocks {
			if b.Type == "text" {
				parts = append(parts, b.Text)
			} else {
				parts = append(parts, "("+session.CleanLine(b.Type)+")")
			}
		}
		text = strings.Join(parts, "\n")
	}
	return agent.Output(text)
}

// tailLimit is how far back a plan is looked for.
const tailLimit = 2 << 20

// A plan that is in the record alone is asked about at the moment in which the
// agent writes it there; it is looked for a little longer than that takes.
const (
	planPatience = 2 * time.Second
	planInterval = 20 * time.Millisecond
)

// awaitPlan is recordedPlan for a call that is being written to a record.
func awaitPlan(path, callID string) string {
	for deadline := time.Now().Add(planPatience); ; time.Sleep(planInterval) {
		text := recordedPlan(path, callID)
		_, err := os.Stat(path)
		if text != "" || err != nil || callID == "" || time.Now().After(deadline) {
			return text
		}
	}
}

// recordedPlan returns the plan that a tool call holds in the record, or "".
// The record may be the only place that has it.
func recordedPlan(path, callID string) string {
	if path == "" || callID == "" {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	start := max(0, info.Size()-tailLimit)
	data, err := io.ReadAll(io.NewSectionReader(f, start, tailLimit))
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(data) {
		var l recorded
		var blocks []block
		if !bytes.Contains(line, []byte(callID)) || json.Unmarshal(line, &l) != nil || json.Unmarshal(l.Message.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_use" && b.ID == callID {
				return planOf(b.Input)
			}
		}
	}
	return ""
}
