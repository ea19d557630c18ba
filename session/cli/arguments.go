package cli

import (
	"fmt"
	"io"
	"strings"

	"aside/session"
	"aside/worktree"

	"github.com/spf13/cobra"
)

// maxInput is how much of standard input is read: more than any prompt that
// an agent can be given.
const maxInput = 1 << 20

// usage makes a fault of how the command was called.
func usage(cmd *cobra.Command, err error) error {
	return &session.Error{Code: session.CodeUsage, Message: err.Error(), Hint: "see: " + cmd.CommandPath() + " --help"}
}

// badFlag is usage for a flag. A prompt may look like one.
func badFlag(cmd *cobra.Command, err error) error {
	fault := &session.Error{Code: session.CodeUsage, Message: err.Error(), Hint: "see: " + cmd.CommandPath() + " --help"}
	if strings.Contains(cmd.Use, "PROMPT") {
		fault.Hint = "put -- before a prompt that begins with a dash; for the flags see: " + cmd.CommandPath() + " --help"
	}
	return fault
}

// args makes a usage fault of what a positional check refuses.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) == nil {
			return nil
		}
		given := "no argument"
		switch len(args) {
		case 0:
		case 1:
			given = "one argument"
		default:
			given = fmt.Sprintf("%d arguments", len(args))
		}
		return &session.Error{
			Code: session.CodeUsage, Message: fmt.Sprintf("%s cannot be run with %s", cmd.CommandPath(), given),
			Hint: "usage: " + cmd.UseLine(),
		}
	}
}

// prompt returns the prompt of a command: its arguments, or standard input
// when that is "-".
func (p Program) prompt(words []string) (string, error) {
	text := strings.Join(words, " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(p.In, maxInput+1))
		if err != nil {
			return "", fmt.Errorf("read prompt: %w", err)
		}
		if len(b) > maxInput {
			return "", &session.Error{Code: session.CodeUsage, Message: "the prompt is longer than 1 MiB", Hint: "put it in a file and name the file"}
		}
		text = string(b)
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", &session.Error{
			Code: session.CodeUsage, Message: "the prompt is empty",
			Hint: "give it as an argument, or - to read it from standard input",
		}
	}
	return text, nil
}

func wish(s string) (worktree.Wish, error) {
	switch w := worktree.Wish(s); w {
	case worktree.WishAuto, worktree.WishWorktree, worktree.WishShared:
		return w, nil
	}
	return "", fmt.Errorf("--checkout is auto, worktree or shared, not %q", s)
}
