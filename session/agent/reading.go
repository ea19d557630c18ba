package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"aside/session"
)

// Arguments are those of a tool by their exact names. A struct would take a
// name in other letters for the same, and show what is not meant.
type Arguments map[string]json.RawMessage

// ArgumentsOf returns a tool's arguments, nil when the input is no object.
func ArgumentsOf(raw json.RawMessage) Arguments {
	var in Arguments
	if json.Unmarshal(raw, &in) != nil {
		return nil // of a type that is not expected: the lines show it
	}
	return in
}

// Text returns an argument that is a string, else "".
func (in Arguments) Text(name string) string {
	var s string
	if json.Unmarshal(in[name], &s) != nil {
		return ""
	}
	return s
}

// ShellCommand makes the arguments of a shell tool, command and perhaps
// description, readable; not ok when there is no command.
func ShellCommand(raw json.RawMessage) (title, detail string, ok bool) {
	in := ArgumentsOf(raw)
	command, shown := in.Text("command"), []string{"command"}
	if command == "" {
		return "", "", false
	}
	detail = session.Mark(command)
	if d := in.Text("description"); d != "" {
		detail += told + session.MarkLine(d)
		shown = append(shown, "description")
	}
	return Titled(command), detail + Rest(raw, shown...), true
}

// BySubAgent says behind a decision's detail which of an agent's sub-agents
// asks, "" when it asks itself.
func BySubAgent(kind string) string {
	if kind == "" {
		return ""
	}
	return told + "Asked by the sub-agent " + session.MarkLine(kind) + "."
}

// told is before what is said about a command, which is none of it.
const told = "\n\n— "

// titleLimit is the longest title in characters.
const titleLimit = 200

// Titled makes a decision's title of a text: one line, cut, in which every
// character that would hide something is a mark.
func Titled(s string) string {
	s = session.MarkLine(strings.TrimSpace(s))
	if utf8.RuneCountInString(s) <= titleLimit {
		return s
	}
	r := []rune(s)
	return string(r[:titleLimit-1]) + "…"
}

// Rest shows what a tool gets beside the arguments that were shown already:
// nothing that changes what it does may be hidden. It is to be put behind
// them, and "" when there is nothing.
func Rest(raw json.RawMessage, shown ...string) string {
	if rest := Lines(raw, shown...); rest != "" {
		return "\n\n" + rest
	}
	return ""
}

// Lines shows arguments one a line, in the order of their names, without
// those that were shown already or say no.
func Lines(raw json.RawMessage, shown ...string) string {
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
