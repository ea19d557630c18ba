package claude

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"aside/session"
	"aside/session/agent"
)

// reading is a tool's use made for reading: every character that would hide
// something is shown as a mark.
type reading struct {
	title  string // one line, cut
	detail string // whole
}

// whole is what went into a tool, for an entry.
func (r reading) whole() string { return agent.Whole(r.title, r.detail) }

// read makes a tool's use readable: the command for a shell, path and
// changes for an edit, else the arguments as short lines.
func read(tool string, raw json.RawMessage, cwd string) reading { return readOver(tool, raw, cwd, "") }

// readOver is read for a file that holds something which is replaced.
func readOver(tool string, raw json.RawMessage, cwd, before string) reading {
	if title, detail, ok := agent.ShellCommand(raw); ok && tool == "Bash" {
		return reading{title, detail}
	}
	in := agent.ArgumentsOf(raw)
	if text, shown, ok := change(in, tool, before); ok {
		path := place(in.Text(shown[0]), cwd)
		return reading{agent.Titled(path), session.MarkLine(path) + "\n\n" + session.Mark(text) + agent.Rest(raw, shown...)}
	}
	switch tool {
	case toolQuestion:
		if qs, ok := questionsOf(raw); ok {
			return reading{agent.Titled(qs[0].Question), spell(qs)}
		}
	case toolPlan:
		if plan := planOf(raw); plan != "" {
			return reading{planTitle(plan), session.Mark(plan)}
		}
	}
	r := reading{detail: agent.Lines(raw)}
	for _, s := range []string{
		place(in.Text("file_path"), cwd), in.Text("url"), in.Text("query"), in.Text("pattern"), in.Text("description"),
		strings.ReplaceAll(r.detail, "\n", ", "), tool,
	} {
		if r.title = agent.Titled(s); r.title != "" {
			break
		}
	}
	return r
}

// place returns a path as seen from cwd, where it lies in it.
func place(path, cwd string) string {
	if rel, err := filepath.Rel(cwd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// change shows what an editing tool does to its file, and returns the names
// of the arguments that are shown by it, the file's first.
func change(in agent.Arguments, tool, before string) (text string, shown []string, ok bool) {
	switch tool {
	case "Edit":
		text, shown = changed(in.Text("old_string"), in.Text("new_string")), []string{"file_path", "old_string", "new_string"}
	case "Write":
		text, shown = changed(before, in.Text("content")), []string{"file_path", "content"}
	case "MultiEdit":
		text, shown = edits(in), []string{"file_path", "edits"}
	case "NotebookEdit":
		text, shown = changed("", in.Text("new_source")), []string{"notebook_path", "new_source"}
	default:
		return "", nil, false
	}
	for _, name := range shown {
		var s string
		if raw, there := in[name]; there && name != "edits" && json.Unmarshal(raw, &s) != nil {
			return "", nil, false // of a type that is not expected
		}
	}
	return text, shown, in.Text(shown[0]) != "" && (tool != "MultiEdit" || text != "")
}

// edits shows several changes of one file, one behind the other; "" when they
// are of a shape that is not expected.
func edits(in agent.Arguments) string {
	var list []agent.Arguments
	if json.Unmarshal(in["edits"], &list) != nil {
		return ""
	}
	var parts []string
	for _, e := range list {
		part := changed(e.Text("old_string"), e.Text("new_string"))
		if all, err := json.Marshal(e); err == nil {
			part += strings.TrimPrefix(agent.Rest(all, "old_string", "new_string"), "\n")
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n…\n")
}
