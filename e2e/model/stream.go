package model

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// writer spells a reply the way the Messages API does.
type writer struct {
	model string
	id    int // of this reply; the tool calls' ids are made from it
	hold  func(context.Context) error
}

type object = map[string]any

func (o writer) usage() object { return object{"input_tokens": 1200, "output_tokens": 40} }

func (o writer) message(content []object, stop any) object {
	return object{
		"id": fmt.Sprintf("msg_%06d", o.id), "type": "message", "role": "assistant", "model": o.model,
		"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": o.usage(),
	}
}

func (o writer) callID(index int) string { return fmt.Sprintf("toolu_%06d_%d", o.id, index) }

// whole answers in one JSON object.
func (o writer) whole(ctx context.Context, w http.ResponseWriter, r reply) error {
	content := []object{}
	for _, p := range r {
		switch {
		case p.Hold:
			if err := o.hold(ctx); err != nil {
				return err
			}
		case p.Call != nil:
			content = append(content, object{
				"type": "tool_use", "id": o.callID(len(content)), "name": p.Call.Name, "input": p.Call.Input,
			})
		default:
			content = append(content, object{"type": "text", "text": p.Text})
		}
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(o.message(content, r.stopReason()))
}

// stream answers with server-sent events, each flushed: what was written
// before a hold is with the client while it lasts.
func (o writer) stream(ctx context.Context, w http.ResponseWriter, r reply) error {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	out := events{to: w, flush: http.NewResponseController(w).Flush}
	out.send("message_start", object{"message": o.message([]object{}, nil)})
	out.send("ping", object{})
	index := 0
	for _, p := range r {
		if p.Hold {
			if err := o.hold(ctx); err != nil {
				return err
			}
			continue
		}
		if p.Call != nil {
			o.streamCall(&out, index, *p.Call)
		} else {
			streamText(&out, index, p.Text)
		}
		index++
	}
	out.send("message_delta", object{
		"delta": object{"stop_reason": r.stopReason(), "stop_sequence": nil}, "usage": o.usage(),
	})
	out.send("message_stop", object{})
	return out.err
}

func (o writer) streamCall(out *events, index int, c call) {
	out.block(index, object{"type": "tool_use", "id": o.callID(index), "name": c.Name, "input": object{}},
		object{"type": "input_json_delta", "partial_json": string(c.Input)})
}

// streamText sends a text word by word, as a model does.
func streamText(out *events, index int, text string) {
	var deltas []object
	for _, word := range strings.SplitAfter(text, " ") {
		deltas = append(deltas, object{"type": "text_delta", "text": word})
	}
	out.block(index, object{"type": "text", "text": ""}, deltas...)
}

// events writes server-sent events and keeps the first error.
type events struct {
	to    http.ResponseWriter
	flush func() error
	err   error
}

func (e *events) block(index int, start object, deltas ...object) {
	e.send("content_block_start", object{"index": index, "content_block": start})
	for _, d := range deltas {
		e.send("content_block_delta", object{"index": index, "delta": d})
	}
	e.send("content_block_stop", object{"index": index})
}

func (e *events) send(kind string, data object) {
	if e.err != nil {
		return
	}
	data["type"] = kind
	line, err := json.Marshal(data)
	if err == nil {
		_, err = fmt.Fprintf(e.to, "event: %s\ndata: %s\n\n", kind, line)
	}
	if err == nil {
		err = e.flush()
	}
	e.err = err
}
