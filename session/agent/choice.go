package agent

import (
	"fmt"
	"slices"
	"strings"

	"aside/session"
)

// inTerminal closes the detail of a request that has no buttons.
const inTerminal = "Answer this one in the terminal."

// noteLimit is the most that a note to the agent may take, in bytes.
const noteLimit = 16 << 10

// Choice is one option with what the hook prints for it.
type Choice struct {
	Option session.Option
	// Print gets the answer, its notes cleaned and trimmed, and as many replies
	// as the decision has questions or none. An answer that cannot be used is
	// a session.Error.
	Print func(session.Answer) ([]byte, error)
}

// NewAsk makes a request of a decision, whose options are the choices; without
// any it is answered in the terminal alone.
func NewAsk(d session.Decision, choices []Choice) *Ask {
	d.Answerable = len(choices) > 0
	if !d.Answerable {
		d.Detail = strings.TrimPrefix(d.Detail+"\n\n"+inTerminal, "\n\n")
	}
	for _, c := range choices {
		d.Options = append(d.Options, c.Option)
	}
	return &Ask{Decision: d, Verdict: func(ans session.Answer) ([]byte, error) {
		if err := d.CheckReplies(ans); err != nil {
			return nil, err
		}
		return choose(d.Options, choices, ans)
	}}
}

// choose prints what one of the choices does, whose options are given too.
func choose(options []session.Option, choices []Choice, ans session.Answer) ([]byte, error) {
	for _, c := range choices {
		if c.Option.ID != ans.Option {
			continue
		}
		var err error
		if ans.Note, err = noteOf(ans.Note); err != nil {
			return nil, err
		}
		ans.Replies = slices.Clone(ans.Replies)
		for i := range ans.Replies {
			if ans.Replies[i].Note, err = noteOf(ans.Replies[i].Note); err != nil {
				return nil, err
			}
		}
		return c.Print(ans)
	}
	if len(options) == 0 {
		return nil, &session.Error{
			Code: session.CodeUsage, Message: "this request cannot be answered here", Hint: "answer it in the terminal",
		}
	}
	return nil, &session.Error{
		Code: session.CodeUsage, Message: fmt.Sprintf("there is no option %q", session.MarkLine(ans.Option)),
		Hint: "the options are: " + strings.Join(session.OptionIDs(options), ", "),
	}
}

// noteOf is a note as it reaches the agent.
func noteOf(note string) (string, error) {
	if len(note) > noteLimit {
		return "", &session.Error{
			Code: session.CodeUsage, Message: "the note is too long",
			Hint: fmt.Sprintf("at most %d bytes reach the agent", noteLimit),
		}
	}
	return strings.TrimSpace(session.Clean(note)), nil
}
