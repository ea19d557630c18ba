package decisionbar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/theme"
)

// Heading says in a few words who asks for what; what it is about is the body.
func Heading(d session.Decision) string {
	tool := session.CleanLine(d.Tool)
	switch {
	case d.Kind == session.KindQuestion:
		return agentName(d.Agent) + " asks"
	case d.Kind == session.KindPlan:
		return "Plan"
	case tool == "":
		return agentName(d.Agent) + " wants to go on"
	}
	switch kindOf(d) {
	case shell:
		return tool + " wants to run"
	case diff:
		return tool + " wants to change"
	}
	return agentName(d.Agent) + " wants to use " + tool
}

// agentName is the name of an adapter as that of a person.
func agentName(adapter string) string {
	name := session.CleanLine(adapter)
	if name == "" {
		return "The agent"
	}
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// kind is what a body is written in.
type kind int

const (
	plain kind = iota
	shell
	diff
)

// kindOf goes by the tool's name, as the agents call theirs.
func kindOf(d session.Decision) kind {
	if d.Kind != session.KindPermission {
		return plain
	}
	switch strings.ToLower(d.Tool) {
	case "bash", "shell", "local_shell", "exec_command":
		return shell
	case "edit", "multiedit", "write", "notebookedit", "apply_patch", "patch":
		return diff
	}
	return plain
}

// body is what a decision is about, whole: its detail, after its title where
// the detail does not say that already.
func body(d session.Decision) string {
	detail, title := strings.TrimSpace(d.Detail), strings.TrimSpace(d.Title)
	start := strings.TrimSuffix(title, "…")
	switch {
	case detail == "":
		return title
	case title == "", title == Heading(d), strings.Contains(detail, start):
		return detail
	case d.Kind == session.KindPlan, strings.Contains(folded(detail), folded(start)):
		return detail
	}
	return title + "\n\n" + detail
}

// folded is the beginning of a text without its white space: a title has the
// lines of what it was made from on one.
func folded(s string) string {
	s = strings.ReplaceAll(s[:min(len(s), 4<<10)], "⏎", "")
	return strings.Join(strings.Fields(s), "")
}

// Body returns all that a decision is about, in lines of at most w columns on
// a ground. Nothing in it is hidden: what has no look of its own is a mark.
func Body(d session.Decision, th theme.Theme, ground theme.Style, w int) []string {
	return painted(kindOf(d), body(d), th, ground, w)
}

// look is how a byte of the body is drawn.
type look byte

const (
	lookPlain look = iota
	lookCommand
	lookString
	lookOperator
	lookVariable
	lookComment
	lookAdded
	lookRemoved
)

func (l look) style(th theme.Theme) theme.Style {
	switch l {
	case lookCommand:
		return th.Strong
	case lookString, lookAdded:
		return th.Good
	case lookOperator:
		return th.Accent
	case lookVariable:
		return th.Warn
	case lookComment:
		return th.Dim
	case lookRemoved:
		return th.Bad
	}
	return ""
}

func painted(k kind, text string, th theme.Theme, ground theme.Style, w int) []string {
	text = cells.Mark(text)
	looks := make([]look, len(text))
	switch k {
	case shell:
		// What follows the command is told about it, and is none.
		command := text
		if i := strings.LastIndex(text, "\n\n— "); i >= 0 {
			command = text[:i]
		}
		shellLooks(command, looks)
	case diff:
		diffLooks(text, looks)
	}
	lines := cells.Wrap(text, w)
	at := 0
	for i, l := range lines {
		lines[i], at = paintLine(l, text, looks, at, th, ground)
	}
	return lines
}

// paintLine paints a line that text was wrapped into; wrapping has left out
// nothing but white space. It returns the place behind it in text.
func paintLine(l, text string, looks []look, at int, th theme.Theme, ground theme.Style) (string, int) {
	var b strings.Builder
	from := 0
	last := lookPlain
	for i := range len(l) {
		for at < len(text) && text[at] != l[i] && (text[at] == ' ' || text[at] == '\n') {
			at++
		}
		lk := lookPlain
		if at < len(text) && text[at] == l[i] {
			lk = looks[at]
			at++
		}
		if lk != last {
			b.WriteString(last.style(th).On(ground).Paint(l[from:i]))
			from, last = i, lk
		}
	}
	b.WriteString(last.style(th).On(ground).Paint(l[from:]))
	return b.String(), at
}

// diffLooks marks the lines that go and those that come; the first line is the
// file.
func diffLooks(text string, looks []look) {
	at := 0
	for line := range strings.Lines(text) {
		lk := lookPlain
		switch {
		case at == 0:
			lk = lookCommand
		case line[0] == '+':
			lk = lookAdded
		case line[0] == '-':
			lk = lookRemoved
		case strings.HasPrefix(line, "@@"):
			lk = lookOperator
		}
		fill(looks[at:at+len(line)], lk)
		at += len(line)
	}
}

func fill(looks []look, lk look) {
	for i := range looks {
		looks[i] = lk
	}
}
