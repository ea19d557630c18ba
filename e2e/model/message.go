package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Message is one message of a conversation as the client sent it.
type Message struct {
	Role    string
	Content []Block
}

// Block is one content block of a message; which fields are set depends on
// Type: "text", "tool_use", "tool_result" or another, of which only the type
// is kept.
type Block struct {
	Type string
	Text string // of text, and of a tool_result all its text
	// ID is the tool call's, of tool_use and tool_result.
	ID      string
	Name    string          // of tool_use
	Input   json.RawMessage // of tool_use
	IsError bool            // of tool_result
}

// wireBlock is a block as the Messages API spells it.
type wireBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
}

// UnmarshalJSON reads a message whose content is a string or a list of
// blocks.
func (m *Message) UnmarshalJSON(data []byte) error {
	var wire struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	blocks, err := readBlocks(wire.Content)
	if err != nil {
		return err
	}
	*m = Message{Role: wire.Role, Content: blocks}
	return nil
}

func readBlocks(content json.RawMessage) ([]Block, error) {
	if len(content) == 0 {
		return nil, nil
	}
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []Block{{Type: "text", Text: text}}, nil
	}
	var wires []wireBlock
	if err := json.Unmarshal(content, &wires); err != nil {
		return nil, fmt.Errorf("read content blocks: %w", err)
	}
	blocks := make([]Block, 0, len(wires))
	for _, w := range wires {
		b := Block{Type: w.Type, Text: w.Text, ID: w.ID, Name: w.Name, Input: w.Input, IsError: w.IsError}
		if w.Type == "tool_result" {
			inner, err := readBlocks(w.Content)
			if err != nil {
				return nil, err
			}
			b.ID, b.Text = w.ToolUseID, joinText(inner)
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

func joinText(blocks []Block) string {
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Prompt returns what a person or another agent wrote in the message: its
// text without tool results, the client's reminders and its note of an
// interruption. It is empty for a message that only carries those.
func (m Message) Prompt() string {
	var kept []string
	for _, b := range m.Content {
		text := strings.TrimSpace(withoutReminders(b.Text))
		if b.Type == "text" && text != "" && !strings.HasPrefix(text, "[Request interrupted by user") {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n")
}

// withoutReminders cuts the <system-reminder> elements out. An element that
// is never closed goes to the end.
func withoutReminders(text string) string {
	const open, shut = "<system-reminder>", "</system-reminder>"
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, open)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, text, _ = strings.Cut(rest, shut)
	}
}
