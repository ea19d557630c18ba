package claude

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"aside/session"
)

// reading is a tool's use made for reading: every character that would hide
// something is shown as a mark.
type reading struct {
	title  string // one line, cut
	detail string // whole
}

// whole is the title, and below it what it does not say.
func (r reading) whole() string {
	first, rest, several := strings.Cut(r.detail, "\n")
	switch {
	case !several:
		return r.title // an argument with its name, or the title itself
	case first == r.title:
		return limited(r.title + "\n" + rest)
	}
	return limited(r.title + "\n" + r.detail)
}

// titleLimit is the longest title in characters.
const titleLimit = 200

// input is the arguments of a tool by their exact names. A struct would take
// a name in other letters for the same, and show what is not meant.
type input map[string]json.RawMessage

func inputOf(raw json.RawMessage) input {
	var in input
	if json.Unmarshal(raw, &in) != nil {
		return nil // of a type that is not expected: the lines show it
	}
	return in
}

// text returns an argument that is a string, else "".
func (in input) text(name string) string {
	var s string
	if json.Unmarshal(in[name], &s) != nil {
		return ""
	}
	return s
}

// read makes a tool's use readable: the command for a shell, path and
// changes for an edit, else the arguments as short lines.
func read(tool string, raw json.RawMessage, cwd string) reading { return readOver(tool, raw, cwd, "") }

// readOver is read for a file that holds something which is replaced.
func readOver(tool string, raw json.RawMessage, cwd, before string) reading {
	in := inputOf(raw)
	if command := in.text("command"); tool == "Bash" && command != "" {
		detail, shown := session.Mark(command), []string{"command"}
		if d := in.text("description"); d != "" {
			detail += "\n\n— " + session.MarkLine(d)
			shown = append(shown, "description")
		}
		return reading{titled(command), detail + more(raw, shown...)}
	}
	if change, shown, ok := in.change(tool, before); ok {
		path := place(in.text(shown[0]), cwd)
		return reading{titled(path), session.MarkLine(path) + "\n\n" + session.Mark(change) + more(raw, shown...)}
	}
	switch tool {
	case toolQuestion:
		if qs, ok := questionsOf(raw); ok {
			return reading{titled(qs[0].Question), spell(qs)}
		}
	case toolPlan:
		if plan := planOf(raw); plan != "" {
			return reading{planTitle(plan), session.Mark(plan)}
		}
	}
	r := reading{detail: lines(raw)}
	for _, s := range []string{
		place(in.text("file_path"), cwd), in.text("url"), in.text("query"), in.text("pattern"), in.text("description"),
		strings.ReplaceAll(r.detail, "\n", ", "), tool,
	} {
		if s != "" {
			r.title = titled(s)
			break
		}
	}
	return r
}

func titled(s string) string { return cut(session.MarkLine(strings.TrimSpace(s)), titleLimit) }

// cut shortens s to n characters, the last of which is then an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-1]) + "…"
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
func (in input) change(tool, before string) (text string, shown []string, ok bool) {
	switch tool {
	case "Edit":
		text, shown = changed(in.text("old_string"), in.text("new_string")), []string{"file_path", "old_string", "new_string"}
	case "Write":
		text, shown = changed(before, in.text("content")), []string{"file_path", "content"}
	case "MultiEdit":
		text, shown = in.edits(), []string{"file_path", "edits"}
	case "NotebookEdit":
		text, shown = changed("", in.text("new_source")), []string{"notebook_path", "new_source"}
	default:
		return "", nil, false
	}
	for _, name := range shown {
		var s string
		if raw, there := in[name]; there && name != "edits" && json.Unmarshal(raw, &s) != nil {
			return "", nil, false // of a type that is not expected
		}
	}
	return text, shown, in.text(shown[0]) != "" && (tool != "MultiEdit" || text != "")
}

// edits shows several changes of one file, one behind the other; "" when they
// are of a shape that is not expected.
func (in input) edits() string {
	var list []input
	if json.Unmarshal(in["edits"], &list) != nil {
		return ""
	}
	var parts []string
	for _, e := range list {
		part := changed(e.text("old_string"), e.text("new_string"))
		if all, err := json.Marshal(e); err == nil {
			part += strings.TrimPrefix(more(all, "old_string", "new_string"), "\n")
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n…\n")
}

// more shows what a tool gets beside the arguments that were shown already:
// nothing that changes what it does may be hidden.
func more(raw json.RawMessage, shown ...string) string {
	if rest := lines(raw, shown...); rest != "" {
		return "\n\n" + rest
	}
	return ""
}

// lines shows arguments one a line, in the order of their names, without
// those that were shown already or say no.
func lines(raw json.RawMessage, shown ...string) string {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return session.Mark(string(raw))
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		value := string(args[name])
		if slices.Contains(shown, name) || value == "false" || value == "null" {
			continue
		}
		var text string
		if json.Unmarshal(args[name], &text) == nil {
			value = strings.ReplaceAll(text, "\n", "\n  ")
		}
		out = append(out, fmt.Sprintf("%s: %s", session.MarkLine(name), session.Mark(value)))
	}
	return strings.Join(out, "\n")
}
