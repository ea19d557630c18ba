package agent

import (
	"fmt"
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
	// Print gets the note, cleaned and trimmed. One that cannot be used is a
	// session.Error.
	Print func(note string) ([]byte, error)
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
	return &Ask{Decision: d, Verdict: func(ans session.Answer) ([]byte, error) { return choose(choices, ans) }}
}

func choose(choices []Choice, ans session.Answer) ([]byte, error) {
	var ids []string
	for _, c := range choices {
		if c.Option.ID != ans.Option {
			ids = append(ids, c.Option.ID)
			continue
		}
		if len(ans.Note) > noteLimit {
			return nil, &session.Error{
				Code: session.CodeUsage, Message: "the note is too long",
				Hint: fmt.Sprintf("at most %d bytes reach the agent", noteLimit),
			}
		}
		return c.Print(strings.TrimSpace(session.Clean(ans.Note)))
	}
	if len(ids) == 0 {
		return nil, &session.Error{
			Code: session.CodeUsage, Message: "this request cannot be answered here", Hint: "answer it in the terminal",
		}
	}
	return nil, &session.Error{
		Code: session.CodeUsage, Message: fmt.Sprintf("there is no option %q", session.MarkLine(ans.Option)),
		Hint: "the options are: " + strings.Join(ids, ", "),
	}
}
