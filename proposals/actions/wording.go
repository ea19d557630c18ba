package actions

import (
	"fmt"
	"strings"

	"aside/session"
)

// Instructions is what the agent reads beside the prompt of a turn.
func Instructions(program string, c Channel) string {
	in := Invocation{Program: program, Channel: c, Payload: "<json>"}
	return `The user's own terminals are beside this session, in aside. To propose something on them (run or insert a command in their shell, open a shell, start a delegated thread, or up to three alternatives to choose from), run this as one shell command, exactly, with nothing before or after it and with a timeout of 600000 ms:
` + in.String() + `
<json> is compact JSON in printable ASCII (no white space between tokens; write ' as \u0027 and other characters as \uXXXX), at most 8192 bytes: {"schema_version":1,"choices":[{"title":"…","rationale":"…","actions":[…]}]} with 1 to 3 choices of 1 to 3 actions. Actions: {"type":"run","command":"…"}, {"type":"open","place":"tab"|"split","direction":"right"|"down","cwd":"…","title":"…"}, {"type":"open_and_run", the same and "command":"…"}, {"type":"delegate","title":"…","prompt":"…"}.
It shows a card, nothing happens before the user confirms it, and it prints one JSON line when the card is there and one when the user has answered; confirmed means handed to the terminal, not completed. This works once in this turn. Use it only for what belongs in the user's terminals; what is a step of your own task you run yourself.`
}

// notShown ends every reply to the agent when there is no card.
const notShown = "Nothing was shown to the user and nothing has changed."

// NotShown is the reply of the tool when no card was made.
func NotShown(why string) string {
	return fmt.Sprintf("%s %s", strings.TrimSuffix(why, ".")+".", notShown)
}

// Shown is the reply of the tool when the card is there.
func Shown(id session.CardID) string {
	return fmt.Sprintf("The card %s is before the user. Nothing happens before they confirm it, and you need not wait: terminal_action_result with this id tells what became of it.", id)
}

// CardArgument reads the argument of terminal_action_result.
func CardArgument(arguments []byte) (session.CardID, error) {
	v, err := parse(string(arguments))
	if err != nil {
		return "", err
	}
	o := fields{value: v, path: "the arguments"}
	if err := o.only("card"); err != nil {
		return "", err
	}
	id, err := o.text("card", titleMax, true)
	return session.CardID(id), err
}

// Result is the reply of terminal_action_result.
func Result(c session.ActionCard) string {
	switch c.State {
	case session.CardPending:
		return "pending: the user has not answered it."
	case session.CardConfirmed:
		return fmt.Sprintf("confirmed: choice %d, “%s”, was handed to the terminal. Whether it has completed is not known.", c.Choice, c.Choices[c.Choice-1].Title)
	}
	return fmt.Sprintf("%s: %s.", c.State, c.Reason)
}

// Plain returns every action of every choice of a card, whole, as text.
func Plain(c session.ActionCard) string {
	var b strings.Builder
	for i, choice := range c.Choices {
		fmt.Fprintf(&b, "%d  %s\n", i+1, choice.Title)
		if choice.Rationale != "" {
			fmt.Fprintf(&b, "   %s\n", choice.Rationale)
		}
		for _, a := range choice.Actions {
			line := strings.TrimSpace(a.Does(string(c.Target)) + " " + a.Command)
			if a.Prompt != "" {
				line += "\n" + a.Prompt
			}
			fmt.Fprintf(&b, "   %s\n", strings.ReplaceAll(line, "\n", "\n   "))
		}
	}
	return b.String()
}
