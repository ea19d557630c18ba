package decisionbar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/syntax"
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
	switch written(d) {
	case syntax.WrittenShell:
		return tool + " wants to run"
	case syntax.WrittenChange:
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

// written is what a body is written in: only a request to use a tool shows the
// tool's input.
func written(d session.Decision) syntax.Written {
	if d.Kind != session.KindPermission {
		return syntax.WrittenPlain
	}
	return syntax.OfTool(d.Tool)
}

// body is what a decision is about, but for what its heading says.
func body(d session.Decision) string {
	if strings.TrimSpace(d.Title) == Heading(d) {
		d.Title = ""
	}
	return d.Whole()
}

// Body returns all that a decision is about, in lines of at most w columns on
// a ground. Nothing in it is hidden: what has no look of its own is a mark.
func Body(d session.Decision, th theme.Theme, ground theme.Style, w int) []string {
	return painted(written(d), body(d), th, ground, w)
}

func painted(of syntax.Written, text string, th theme.Theme, ground theme.Style, w int) []string {
	text = cells.Mark(text)
	lines := cells.Wrap(text, w)
	syntax.PaintRows(lines, text, of.Read(text), th, ground)
	return lines
}
