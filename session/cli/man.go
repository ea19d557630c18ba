package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// manual returns the manual page of the commands, for man(1), from the same
// words as their help.
func manual(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH ASIDE 1 \"\" \"aside\" \"User Commands\"\n")
	fmt.Fprintf(&b, ".SH NAME\naside \\- %s\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B aside\n[DIR]\n.br\n.B aside\nCOMMAND [ARGUMENT ...]\n")
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", paragraphs(root.Long))
	fmt.Fprintf(&b, ".SH COMMANDS\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, ".SS %s\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				manualOf(&b, c)
			}
		}
	}
	fmt.Fprintf(&b, ".SH EXAMPLES\n%s", literal(root.Example))
	b.WriteString(`.SH ENVIRONMENT
.TP
.B ASIDE_HOME
One folder for all that aside keeps. Without it the XDG base directories hold:
.BR XDG_CONFIG_HOME ,
.BR XDG_STATE_HOME ,
.B XDG_DATA_HOME
and
.BR XDG_RUNTIME_DIR .
.TP
.B NO_COLOR
If set, the screen is drawn without colours.
.TP
.B ASIDE_PLAIN
If set, and not 0, plain mode is on:
.B aside --plain
tells of it.
.SH FILES
.TP
.I config.toml
The configuration;
.B aside config path
tells where it is.
.TP
.I aside.db
Threads, transcripts and offers;
.B aside doctor
tells where it is.
`)
	return b.String()
}

// manualOf writes a command and those below it.
func manualOf(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, ".TP\n.B %s\n", roff(c.UseLine()))
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	b.WriteString(paragraphs(text) + "\n")
	if usages := strings.TrimRight(c.LocalFlags().FlagUsages(), "\n"); usages != "" {
		b.WriteString(".sp\n" + literal(usages))
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			manualOf(b, below)
		}
	}
}

// paragraphs returns text to be filled, its indented lines to be left as they
// are.
func paragraphs(text string) string {
	var out []string
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(p, " ") {
			out = append(out, strings.TrimSuffix(literal(p), "\n"))
		} else {
			out = append(out, roff(p))
		}
	}
	return strings.Join(out, "\n.sp\n")
}

// literal returns text that keeps its lines.
func literal(text string) string { return ".nf\n" + roff(text) + "\n.fi\n" }

// roff escapes text: a backslash, a dash, and a line that would be a request.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
