package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// item is one item of a conversation as the Responses API spells it.
type item struct {
	Type      string          `json:"type"` // "" is a message
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	Output    json.RawMessage `json:"output"`
}

// texts returns the texts of a content that is a string or a list of parts.
func texts(content json.RawMessage) []Block {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []Block{{Type: "text", Text: text}}
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts) // of another shape: it has no text
	var blocks []Block
	for _, p := range parts {
		blocks = append(blocks, Block{Type: "text", Text: p.Text})
	}
	return blocks
}

// conversation puts items into messages. What the model said in one reply are
// the assistant's items one behind the other.
func conversation(items []item) []Message {
	var all []Message
	for _, i := range items {
		m := Message{Role: i.Role}
		switch i.Type {
		case "", "message":
			m.Content = texts(i.Content)
		case "function_call", "custom_tool_call":
			m.Role = "assistant"
			m.Content = []Block{{Type: "tool_use", ID: i.CallID, Name: i.Name, Input: json.RawMessage(i.Arguments)}}
		case "function_call_output", "custom_tool_call_output":
			m.Role = "user"
			m.Content = []Block{{Type: "tool_result", ID: i.CallID, Text: joinText(texts(i.Output))}}
		default:
			continue
		}
		if last := len(all) - 1; last >= 0 && m.Role == "assistant" && all[last].Role == "assistant" {
			all[last].Content = append(all[last].Content, m.Content...)
			continue
		}
		all = append(all, m)
	}
	return all
}

// responses serves the Responses API, from the same scripts.
func (s *Server) responses(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, err)
		return
	}
	var asked struct {
		Model        string `json:"model"`
		Instructions string `json:"instructions"`
		Input        []item `json:"input"`
		Tools        []struct {
			Type  string `json:"type"`
			Name  string `json:"name"`
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		refuse(w, err)
		return
	}
	request := Request{System: asked.Instructions, Messages: conversation(asked.Input), Body: body}
	for _, t := range asked.Tools {
		if t.Type != "namespace" {
			request.Tools = append(request.Tools, t.Name)
		}
		for _, inner := range t.Tools {
			request.Tools = append(request.Tools, t.Name+"/"+inner.Name)
		}
	}
	answer := reply{{Text: "A title"}}
	if len(request.Tools) > 0 {
		s.record(request)
		answer = nextReply(request.Messages)
	}
	out := responseWriter{model: asked.Model, id: s.nextID(), hold: s.hold}
	if err := out.stream(r.Context(), w, answer); err != nil && !errors.Is(err, context.Canceled) {
		panic(http.ErrAbortHandler)
	}
}

// responseWriter spells a reply the way the Responses API does.
type responseWriter struct {
	model string
	id    int
	hold  func(context.Context) error
}

func (o responseWriter) stream(ctx context.Context, w http.ResponseWriter, r reply) error {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	out := events{to: w, flush: http.NewResponseController(w).Flush}
	response := object{"id": fmt.Sprintf("resp_%06d", o.id), "object": "response", "model": o.model}
	out.send("response.created", object{"response": response})
	index := 0
	for _, p := range r {
		switch {
		case p.Hold:
			if err := o.hold(ctx); err != nil {
				return err
			}
			continue
		case p.Call != nil:
			out.send("response.output_item.done", object{"output_index": index, "item": o.call(index, *p.Call)})
		default:
			o.text(&out, index, p.Text)
		}
		index++
	}
	response["usage"] = object{
		"input_tokens": 1200, "input_tokens_details": nil, "output_tokens": 40, "output_tokens_details": nil, "total_tokens": 1240,
	}
	out.send("response.completed", object{"response": response})
	return out.err
}

// call spells a tool call. NAMESPACE/NAME calls a tool of a namespace.
func (o responseWriter) call(index int, c call) object {
	i := object{
		"type": "function_call", "id": fmt.Sprintf("fc_%06d_%d", o.id, index), "call_id": fmt.Sprintf("call_%06d_%d", o.id, index),
		"name": c.Name, "arguments": string(c.Input),
	}
	if namespace, name, ok := strings.Cut(c.Name, "/"); ok {
		i["namespace"], i["name"] = namespace, name
	}
	return i
}

func (o responseWriter) text(out *events, index int, text string) {
	id := fmt.Sprintf("msg_%06d_%d", o.id, index)
	message := func(content ...object) object {
		if content == nil {
			content = []object{}
		}
		return object{"type": "message", "id": id, "role": "assistant", "content": content}
	}
	out.send("response.output_item.added", object{"output_index": index, "item": message()})
	for _, word := range strings.SplitAfter(text, " ") {
		out.send("response.output_text.delta", object{"item_id": id, "output_index": index, "content_index": 0, "delta": word})
	}
	out.send("response.output_item.done", object{"output_index": index, "item": message(object{"type": "output_text", "text": text})})
}
