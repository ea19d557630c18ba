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

// titleLimit is the longest title in characters.
const titleLimit = 200

// input holds the arguments of the tools that are shown in a form of their
// own.
type input struct {
	Command     string `json:"command"`
	Description string `json:"description"`
	FilePath    string `json:"file_path"`
	OldString   string `json:"old_string"`
	NewString   string `json:"new_string"`
	Content     string `json:"content"`
	Edits       []struct {
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
	} `json:"edits"`
	URL     string `json:"url"`
	Query   string `json:"query"`
	Pattern string `json:"pattern"`
}

// read makes a tool's use readable: the command for a shell, path and
// changes for an edit, else the arguments as short lines.
func read(tool string, raw json.RawMessage, cwd string) reading {
	var in input
	if json.Unmarshal(raw, &in) != nil {
		in = input{} // of a type that is not expected: the lines show it
	}
	switch {
	case tool == "Bash" && in.Command != "":
		detail := session.Mark(in.Command)
		if in.Description != "" {
			detail += "\n\n— " + session.MarkLine(in.Description)
		}
		return reading{titled(in.Command), detail + more(raw, "command", "description")}
	case in.FilePath != "" && slices.Contains([]string{"Edit", "MultiEdit", "Write"}, tool):
		path := place(in.FilePath, cwd)
		detail := session.MarkLine(path) + "\n\n" + session.Mark(in.change(tool))
		return reading{titled(path), detail + more(raw, "file_path", "old_string", "new_string", "content", "edits")}
	}
	r := reading{detail: lines(raw)}
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
	for _, s := range []string{place(in.FilePath, cwd), in.URL, in.Query, in.Pattern, in.Description, strings.ReplaceAll(r.detail, "\n", ", "), tool} {
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

func (in input) change(tool string) string {
	switch tool {
	case "Write":
		return changed("", in.Content)
	case "MultiEdit":
		var parts []string
		for _, e := range in.Edits {
			parts = append(parts, changed(e.OldString, e.NewString))
		}
		return strings.Join(parts, "\n…\n")
	}
	return changed(in.OldString, in.NewString)
}

// contextLines is how many lines that stay are shown around a change.
const contextLines = 3

// changed shows what becomes of a passage, in the manner of a unified diff.
func changed(before, after string) string {
	a, b := split(before), split(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []string
	add := func(mark string, lines []string) {
		for _, l := range lines {
			out = append(out, mark+l)
		}
	}
	add(" ", a[max(0, head-contextLines):head])
	add("-", a[head:len(a)-tail])
	add("+", b[head:len(b)-tail])
	add(" ", a[len(a)-tail:len(a)-tail+min(tail, contextLines)])
	return strings.Join(out, "\n")
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
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
