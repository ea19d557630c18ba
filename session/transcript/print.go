package transcript

import (
	"fmt"
	"strings"

	"aside/session"
)

// Plain returns entries as text for a terminal, each headed by who or what
// it is.
func Plain(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(strings.Repeat("  ", e.Depth))
		b.WriteString(head(e))
		b.WriteByte('\n')
		if body := body(e); body != "" {
			indent := strings.Repeat("  ", e.Depth+1)
			b.WriteString(indent + strings.ReplaceAll(strings.TrimRight(body, "\n"), "\n", "\n"+indent) + "\n")
		}
	}
	return b.String()
}

// Markdown returns entries as a Markdown document.
func Markdown(title string, entries []Entry) string { return Heading(title) + Section(entries) }

// Heading is the beginning of a Markdown document.
func Heading(title string) string { return "# " + title + "\n" }

// Section is the part of a Markdown document that some entries make.
func Section(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		switch e.Kind {
		case KindAssistant:
			fmt.Fprintf(&b, "\n%s\n", e.Text)
		case KindPrompt:
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", head(e), e.Text)
		default:
			fmt.Fprintf(&b, "\n**%s**\n", head(e))
			if body := body(e); body != "" {
				fence := fenceFor(body)
				fmt.Fprintf(&b, "\n%s\n%s\n%s\n", fence, strings.TrimRight(body, "\n"), fence)
			}
		}
	}
	return b.String()
}

// fenceFor returns a code fence longer than any in the text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// head says in one line what an entry is.
func head(e Entry) string {
	at := e.At.Local().Format("15:04")
	switch e.Kind {
	case KindPrompt:
		if e.Origin == session.OriginAgent {
			return at + " Prompt of an agent"
		}
		return at + " Prompt"
	case KindAssistant:
		return at + " Assistant"
	case KindTool:
		if e.Failed {
			return at + " Tool " + e.Tool + " failed"
		}
		return at + " Tool " + e.Tool
	case KindProposal:
		return at + " Proposed thread: " + proposalHead(e.Proposal)
	case KindDecision:
		return fmt.Sprintf("%s %s: %s", at, e.Text, e.Outcome)
	case KindAction:
		return fmt.Sprintf("%s Terminal actions, %s: %s", at, e.Outcome, e.Text)
	case KindNotice:
		return at + " " + e.Text
	}
	return at + " " + string(e.Kind)
}

func proposalHead(p *session.Proposal) string {
	if p == nil {
		return "?"
	}
	state := string(p.State)
	if p.Withdrawn {
		state = "withdrawn"
	}
	return fmt.Sprintf("%s (%s, %s)", p.Title, p.ID, state)
}

// Source returns an entry as it was written, to be taken elsewhere.
func Source(e Entry) string {
	switch e.Kind {
	case KindDecision:
		return e.Text + ": " + e.Outcome
	case KindNotice:
		return e.Text
	case KindProposal:
		if p := e.Proposal; p != nil {
			return p.Title + "\n\n" + p.Summary + "\n\n" + p.Prompt
		}
	}
	return body(e)
}

func body(e Entry) string {
	switch e.Kind {
	case KindPrompt, KindAssistant:
		return e.Text
	case KindTool:
		return strings.TrimRight(e.Input+"\n"+e.Output, "\n")
	case KindAction:
		return e.Input
	case KindProposal:
		if e.Proposal != nil {
			return e.Proposal.Summary
		}
	}
	return ""
}
