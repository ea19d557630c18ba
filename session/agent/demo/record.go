package demo

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"aside/session"
)

// record is the agent's own record of the conversation, in the form of
// Claude Code's. It is written by the turn under way alone.
type record struct {
	f       *os.File
	session string
	cwd     string
}

// newRecord makes a file of its own for this run in the folder.
func newRecord(folder, id, cwd string) (*record, error) {
	f, err := os.CreateTemp(folder, "demo-*.jsonl")
	if err != nil {
		return nil, fmt.Errorf("make record: %w", err)
	}
	return &record{f: f, session: id, cwd: cwd}, nil
}

// Path returns where the record is.
func (r *record) Path() string { return r.f.Name() }

// Close ends the record.
func (r *record) Close() error { return r.f.Close() }

func (r *record) add(kind string, content any) {
	line, err := json.Marshal(map[string]any{
		"type": kind, "uuid": session.NewUUID(), "timestamp": time.Now().UTC(), "sessionId": r.session,
		"cwd": r.cwd, "isSidechain": false,
		"message": map[string]any{"role": kind, "content": content},
	})
	if err != nil {
		return // the contents are strings and maps of them
	}
	_, _ = r.f.Write(append(line, '\n')) // a record that cannot be written ends no conversation
}

func (r *record) prompted(text string) { r.add("user", text) }

func (r *record) said(text string) {
	r.add("assistant", []fields{{"type": "text", "text": text}})
}

func (r *record) toolUsed(id, tool string, input any) {
	r.add("assistant", []fields{{"type": "tool_use", "id": id, "name": tool, "input": input}})
}

func (r *record) toolDone(id, output string, failed bool) {
	r.add("user", []fields{{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}})
}

func (r *record) interrupted() {
	r.add("user", []fields{{"type": "text", "text": "[Request interrupted by user]"}})
}
