package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The option ids of a question that take a note, beside one option for each of
// its choices. An adapter offers those that its agent understands.
const (
	// OptionSeveral answers with several of the choices: their numbers, from
	// 1, with commas between.
	OptionSeveral = "several"
	// OptionOther answers in one's own words.
	OptionOther = "other"
	// OptionAnswers answers several questions at once: by the answer's
	// replies, or in one note with ; between.
	OptionAnswers = "answers"

	choicePrefix = "choice"
)

// OptionChoice returns the option id of a question's choice n, from 1.
func OptionChoice(n int) string { return choicePrefix + strconv.Itoa(n) }

// NeedsText says that an option is no answer without its note.
func (o Option) NeedsText() bool {
	return o.ID == OptionSeveral || o.ID == OptionOther || o.ID == OptionAnswers
}

// Choices returns the options that are choices of the question, in order.
func (d Decision) Choices() []Option { return choicesOf(d.Options) }

func choicesOf(options []Option) []Option {
	var out []Option
	for _, o := range options {
		if o.ID == OptionChoice(len(out)+1) {
			out = append(out, o)
		}
	}
	return out
}

// Question is one of several that a decision asks at once. Its options are
// those that a decision of this question alone would have, without the refusal.
type Question struct {
	Title   string   `json:"title"`  // one line: what is asked
	Detail  string   `json:"detail"` // the question and its choices, whole, sanitised
	Options []Option `json:"options"`
}

// Reply is what a person answers to one of several questions.
type Reply struct {
	Option string `json:"option"`
	Note   string `json:"note,omitempty"`
}

// Reply returns what a text answers to the question: the choices that it names
// by number or label, with commas between several where they are allowed, or
// else its own words.
func (q Question) Reply(text string) Reply {
	text = strings.TrimSpace(text)
	picked, ok := q.pick(text)
	switch {
	case ok && len(picked) == 1:
		return Reply{Option: OptionChoice(picked[0])}
	case ok:
		if _, several := optionOf(q.Options, OptionSeveral); several {
			return Reply{Option: OptionSeveral, Note: numbers(picked)}
		}
	}
	return Reply{Option: OptionOther, Note: text}
}

// pick returns the choices, from 1 and each once, that a list of numbers or
// labels with commas between names; false when it names something else. A list
// of numbers is one, whatever a choice is called: picked choices are sent so.
func (q Question) pick(list string) ([]int, bool) {
	choices := choicesOf(q.Options)
	if picked, ok := pick(choices, list, numbered); ok {
		return picked, true
	}
	if n := named(choices, strings.TrimSpace(list)); n > 0 {
		return []int{n}, true // a label may have a comma in it
	}
	return pick(choices, list, named)
}

// pick returns which choices the parts of a list are, each once.
func pick(choices []Option, list string, which func([]Option, string) int) ([]int, bool) {
	var picked []int
	for part := range strings.SplitSeq(list, ",") {
		n := which(choices, strings.TrimSpace(part))
		if n == 0 {
			return nil, false
		}
		if !slices.Contains(picked, n) {
			picked = append(picked, n)
		}
	}
	return picked, true
}

// named returns which choice a text names, from 1, or 0.
func named(choices []Option, text string) int {
	if n := numbered(choices, text); n > 0 {
		return n
	}
	return 1 + slices.IndexFunc(choices, func(o Option) bool { return strings.EqualFold(o.Label, text) })
}

// numbered is named for numbers alone.
func numbered(choices []Option, text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(choices) {
		return n
	}
	return 0
}

func numbers(picked []int) string {
	parts := make([]string, len(picked))
	for i, n := range picked {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}

// Picked returns the choices that a reply picks, from 1; none for one's own
// words.
func (q Question) Picked(r Reply) []int {
	if r.Option == OptionSeveral {
		picked, _ := q.pick(r.Note)
		return picked
	}
	for i := range choicesOf(q.Options) {
		if r.Option == OptionChoice(i+1) {
			return []int{i + 1}
		}
	}
	return nil
}

// Said is a reply in words: the labels of the choices, or the note. It is as
// safe to show as the question is, and the reply.
func (q Question) Said(r Reply) string {
	picked := q.Picked(r)
	if len(picked) == 0 {
		return r.Note
	}
	choices, labels := choicesOf(q.Options), make([]string, len(picked))
	for i, n := range picked {
		labels[i] = choices[n-1].Label
	}
	return strings.Join(labels, ", ")
}

// Check says what is wrong with a reply to the question.
func (q Question) Check(r Reply) error {
	o, ok := optionOf(q.Options, r.Option)
	if !ok {
		return &Error{
			Code: CodeUsage, Message: fmt.Sprintf("the question has no option %q: %s", MarkLine(r.Option), q.Title),
			Hint: "its options are " + strings.Join(OptionIDs(q.Options), ", "),
		}
	}
	switch {
	case r.Note != "" && !o.Note:
		return &Error{
			Code: CodeUsage, Message: fmt.Sprintf("the option %s takes no note: %s", r.Option, q.Title), Hint: "answer without the note",
		}
	case r.Option == OptionOther && strings.TrimSpace(r.Note) == "":
		return &Error{Code: CodeUsage, Message: "an answer of your own needs its text", Hint: "give it as the note"}
	case r.Option == OptionSeveral && len(q.Picked(r)) == 0:
		return &Error{
			Code: CodeUsage, Message: "the note names no choices", Hint: "name them by number with commas between, such as 1,3",
		}
	}
	return nil
}

// Replies returns what texts answer to each of the decision's questions, in
// their order; see Question.Reply.
func (d Decision) Replies(texts []string) []Reply {
	var replies []Reply
	for i, text := range texts {
		var q Question // of which there is none
		if i < len(d.Questions) {
			q = d.Questions[i]
		}
		replies = append(replies, q.Reply(text))
	}
	return replies
}

// CheckReplies says what is wrong with the replies of an answer: an answer has
// none, or with OptionAnswers one for each question and no note.
func (d Decision) CheckReplies(a Answer) error {
	switch {
	case len(a.Replies) == 0:
		return nil
	case a.Option != OptionAnswers || len(d.Questions) == 0:
		return &Error{
			Code: CodeUsage, Message: "only several questions that are asked at once take an answer each", Hint: "answer with one of its options",
		}
	case a.Note != "":
		return &Error{Code: CodeUsage, Message: "the questions are answered each for itself and in the note too", Hint: "answer them in one way"}
	case len(a.Replies) != len(d.Questions):
		return &Error{
			Code: CodeUsage, Message: fmt.Sprintf("there are %d questions, and the answer has %d", len(d.Questions), len(a.Replies)),
			Hint: "answer each of them, in their order",
		}
	}
	for i, r := range a.Replies {
		if err := d.Questions[i].Check(r); err != nil {
			return err
		}
	}
	return nil
}

// Said is what an answer says beside its option: the note, or each question
// that was answered for itself with its answer, one a line.
func (d Decision) Said(a Answer) string {
	if len(a.Replies) == 0 {
		return a.Note
	}
	lines := make([]string, 0, len(a.Replies))
	for i, r := range a.Replies {
		if i < len(d.Questions) {
			lines = append(lines, d.Questions[i].Title+" — "+CleanLine(d.Questions[i].Said(r)))
		}
	}
	return strings.Join(lines, "\n")
}

// Steps are the replies to several questions while they are given one after
// another; nothing is sent before the last. The zero value is at the first
// question. Which decision they are for is the holder's to know.
type Steps struct {
	At      int     // the question that is asked now, from 0; behind the last all are answered
	Replies []Reply // to the first questions, in their order
}

// Give replies to the question that is asked now, and goes to the next that has
// no reply.
func (s *Steps) Give(r Reply) {
	given := slices.Clone(s.Replies) // a copy of the steps may be read elsewhere
	if s.At < len(given) {
		given[s.At] = r
	} else {
		given = append(given, r)
	}
	s.Replies, s.At = given, len(given)
}

// Back goes to the question before, whose reply is kept until another is given;
// false at the first.
func (s *Steps) Back() bool {
	if s.At == 0 {
		return false
	}
	s.At--
	return true
}

// Keep leaves the question that is asked now with the reply that it has, if it
// has one, and goes to the next that has none.
func (s *Steps) Keep() { s.At = len(s.Replies) }

// Reply returns the reply that was given to the question that is asked now; its
// zero value when there is none.
func (s Steps) Reply() Reply {
	if s.At < len(s.Replies) {
		return s.Replies[s.At]
	}
	return Reply{}
}

// Done says that every question of a decision has a reply, and none is asked
// again.
func (s Steps) Done(d Decision) bool { return s.At >= len(d.Questions) }

// Asks returns a decision as it is to be answered at a step: of several
// questions the one that is asked then, which can be declined like all; behind
// the last the refusal alone. A decision of one question is returned as it is.
func (d Decision) Asks(s Steps) Decision {
	if len(d.Questions) == 0 {
		return d
	}
	var options []Option
	if !s.Done(d) {
		q := d.Questions[s.At]
		d.Title, d.Detail = q.Title, q.Detail
		options = append(options, q.Options...)
	}
	if no, ok := d.Option(OptionDeny); ok {
		options = append(options, no)
	}
	d.Options = options
	return d
}
