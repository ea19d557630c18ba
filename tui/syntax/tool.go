package syntax

import "strings"

// Written is what the input of an agent's tool is written in.
type Written int

// What inputs are written in.
const (
	WrittenPlain  Written = iota
	WrittenShell          // a command, and below an empty line what the agent says about it
	WrittenChange         // the path of a file, and below it what changes in it
)

// OfTool says what the input of a tool is written in, by the name that the
// agents give it.
func OfTool(name string) Written {
	switch strings.ToLower(name) {
	case "bash", "shell", "local_shell", "exec_command":
		return WrittenShell
	case "edit", "multiedit", "write", "notebookedit", "apply_patch", "patch":
		return WrittenChange
	}
	return WrittenPlain
}

// Read returns the class of every byte of an input, or nil where all is plain.
func (w Written) Read(text string) []Class {
	if w == WrittenPlain {
		return nil
	}
	classes := make([]Class, len(text))
	switch w {
	case WrittenShell:
		copy(classes, Shell().Text(commandOf(text)))
	case WrittenChange:
		path, _, _ := strings.Cut(text, "\n")
		for i := range len(path) {
			classes[i] = Name
		}
		copy(classes[len(path):], Diff(text[len(path):], path))
	}
	return classes
}

// commandOf is a command without the paragraphs behind it that tell about it:
// the last that has a dash before it, with what follows, and each one of a
// single line right before that.
func commandOf(text string) string {
	const told = "\n\n— "
	for last := true; ; last = false {
		i := strings.LastIndex(text, told)
		if i < 0 || !last && strings.Contains(text[i+len(told):], "\n") {
			return text
		}
		text = text[:i]
	}
}

// Output returns the class of every byte of what a tool brought back, where
// that is a diff or from a file that its input names; else nil.
func (w Written) Output(input, text string) []Class {
	if w == WrittenChange {
		return Diff(text, input)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "@@ ") || strings.HasPrefix(line, "diff --git ") {
			return Diff(text, "")
		}
	}
	l := ByPath(input, "")
	if w == WrittenShell || l == nil || strings.ContainsAny(input, " \n") {
		return nil
	}
	return l.Text(text)
}
