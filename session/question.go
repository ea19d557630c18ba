package session

import "strconv"

// The option ids of a question that take a note, beside one option for each of
// its choices. An adapter offers those that its agent understands.
const (
	// OptionSeveral answers with several of the choices: their numbers, from
	// 1, with commas between.
	OptionSeveral = "several"
	// OptionOther answers in one's own words.
	OptionOther = "other"
	// OptionAnswers answers several questions at once, with ; between.
	OptionAnswers = "answers"

	choicePrefix = "choice"
)

// OptionChoice returns the option id of a question's choice n, from 1.
func OptionChoice(n int) string { return choicePrefix + strconv.Itoa(n) }

// Choices returns the options that are choices of the question, in order.
func (d Decision) Choices() []Option {
	var out []Option
	for _, o := range d.Options {
		if o.ID == OptionChoice(len(out)+1) {
			out = append(out, o)
		}
	}
	return out
}

// NeedsText says that an option is no answer without its note.
func (o Option) NeedsText() bool {
	return o.ID == OptionSeveral || o.ID == OptionOther || o.ID == OptionAnswers
}
