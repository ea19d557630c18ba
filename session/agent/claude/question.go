package claude

import (
	"encoding/json"
	"fmt"
	"strings"

	"aside/session"
	"aside/session/agent"
)

// asked is one question of the agent with its choices.
type asked struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
	MultiSelect bool `json:"multiSelect"`
}

// stepsLimit is how long the text of several questions may be that are told
// each for itself beside the detail that has them all, in bytes: with both, a
// decision is far from the limit of a line (contracts/decisions.md).
const stepsLimit = 256 << 10

// question puts the agent's own choices, several of them where it allows
// that, and an answer in one's own words.
func question(p payload) (session.Decision, []choice) {
	r := read(p.ToolName, p.ToolInput, p.Cwd)
	d := session.Decision{Kind: session.KindQuestion, Title: r.title, Detail: r.detail}
	questions, ok := questionsOf(p.ToolInput)
	if !ok {
		d.Title = "A question"
		return d, nil
	}
	decline := refusal("decline", "The user declined to answer. Ask them how to go on.")
	if n := len(questions); n > 1 {
		d.Title = fmt.Sprintf("%d questions", n)
		if len(d.Detail) <= stepsLimit {
			for _, q := range questions {
				d.Questions = append(d.Questions, q.plain())
			}
		}
		return d, []choice{answers(p, questions), decline}
	}
	q := questions[0]
	var choices []choice
	for _, o := range q.plain().Options {
		choices = append(choices, choice{
			option: o,
			answer: func(ans session.Answer) (decision, error) {
				said, err := q.answer(session.Reply{Option: ans.Option, Note: ans.Note})
				if err != nil {
					return decision{}, err
				}
				return answered(p, map[string]any{q.Question: said})
			},
		})
	}
	return d, append(choices, decline)
}

// plain is the question as a person is asked it.
func (q asked) plain() session.Question {
	out := session.Question{Title: agent.Titled(q.Question), Detail: spell([]asked{q})}
	for i, o := range q.Options {
		out.Options = append(out.Options, session.Option{ID: session.OptionChoice(i + 1), Label: session.MarkLine(o.Label)})
	}
	if q.MultiSelect {
		out.Options = append(out.Options, session.Option{ID: session.OptionSeveral, Label: "several", Note: true})
	}
	out.Options = append(out.Options, session.Option{ID: session.OptionOther, Label: "other", Note: true})
	return out
}

// questionsOf returns the questions of a tool's input, and whether every one
// can be shown and answered: answers go by the question's text, so no two may
// be the same.
func questionsOf(input json.RawMessage) ([]asked, bool) {
	var questions []asked
	if json.Unmarshal(agent.ArgumentsOf(input)["questions"], &questions) != nil {
		return nil, false
	}
	seen := map[string]bool{}
	for _, q := range questions {
		if strings.TrimSpace(q.Question) == "" || seen[q.Question] {
			return nil, false
		}
		seen[q.Question] = true
		for _, o := range q.Options {
			if strings.TrimSpace(o.Label) == "" {
				return nil, false
			}
		}
	}
	return questions, len(questions) > 0
}

// spell writes the questions out, choices numbered.
func spell(questions []asked) string {
	var b strings.Builder
	for i, q := range questions {
		if i > 0 {
			b.WriteString("\n\n")
		}
		if len(questions) > 1 {
			fmt.Fprintf(&b, "Question %d: ", i+1)
		}
		b.WriteString(session.Mark(q.Question))
		if q.MultiSelect {
			b.WriteString(" (several can be chosen)")
		}
		for j, o := range q.Options {
			fmt.Fprintf(&b, "\n%d  %s", j+1, session.MarkLine(o.Label))
			if o.Description != "" {
				b.WriteString(" — " + session.MarkLine(o.Description))
			}
		}
	}
	return b.String()
}

// answered is the verdict that answers: the same input with the answers.
func answered(p payload, answers map[string]any) (decision, error) {
	input := map[string]json.RawMessage{}
	if err := json.Unmarshal(p.ToolInput, &input); err != nil {
		return decision{}, fmt.Errorf("answer question: %w", err)
	}
	text, err := agent.JSON(answers)
	if err != nil {
		return decision{}, fmt.Errorf("answer question: %w", err)
	}
	input["answers"] = text
	out, err := agent.JSON(input)
	return decision{Behavior: "allow", UpdatedInput: out}, err
}

// answer returns what the agent is told for a reply: a choice's label, the
// labels of several, or the person's own words.
func (q asked) answer(r session.Reply) (any, error) {
	plain := q.plain()
	if err := plain.Check(r); err != nil {
		return nil, err
	}
	var labels []string
	for _, n := range plain.Picked(r) {
		labels = append(labels, q.Options[n-1].Label)
	}
	switch r.Option {
	case session.OptionOther:
		return r.Note, nil
	case session.OptionSeveral:
		return labels, nil
	}
	return labels[0], nil // it has passed the check
}

func answers(p payload, questions []asked) choice {
	return choice{
		option: session.Option{ID: session.OptionAnswers, Label: "answer all", Note: true},
		answer: func(ans session.Answer) (decision, error) {
			replies := ans.Replies
			if len(replies) == 0 {
				parts := strings.FieldsFunc(ans.Note, func(r rune) bool { return r == ';' || r == '\n' })
				if len(parts) != len(questions) {
					return decision{}, &session.Error{
						Code: session.CodeUsage, Message: fmt.Sprintf("there are %d questions, and the note answers %d", len(questions), len(parts)),
						Hint: "answer each by number or in words, with ; between, such as 2; 1,3; as you like",
					}
				}
				for i, q := range questions {
					replies = append(replies, q.plain().Reply(parts[i]))
				}
			}
			all := map[string]any{}
			for i, q := range questions {
				said, err := q.answer(replies[i])
				if err != nil {
					return decision{}, err
				}
				all[q.Question] = said
			}
			return answered(p, all)
		},
	}
}
