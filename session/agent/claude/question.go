package claude

import (
	"encoding/json"
	"fmt"
	"strconv"
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
		return d, []choice{answers(p, questions), decline}
	}
	q := questions[0]
	var choices []choice
	for i, o := range q.Options {
		choices = append(choices, choice{
			option: session.Option{ID: session.OptionChoice(i + 1), Label: session.MarkLine(o.Label)},
			answer: func(string) (decision, error) { return answered(p, map[string]any{q.Question: o.Label}) },
		})
	}
	if q.MultiSelect {
		choices = append(choices, several(p, q))
	}
	return d, append(choices, other(p, q), decline)
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

func several(p payload, q asked) choice {
	return choice{
		option: session.Option{ID: session.OptionSeveral, Label: "several", Note: true},
		answer: func(note string) (decision, error) {
			labels, ok := q.pick(note)
			if !ok {
				return decision{}, &session.Error{
					Code: session.CodeUsage, Message: "the note names no choices",
					Hint: "name them by number with commas between, such as 1,3",
				}
			}
			return answered(p, map[string]any{q.Question: labels})
		},
	}
}

func other(p payload, q asked) choice {
	return choice{
		option: session.Option{ID: session.OptionOther, Label: "other", Note: true},
		answer: func(note string) (decision, error) {
			if note == "" {
				return decision{}, &session.Error{
					Code: session.CodeUsage, Message: "an answer of your own needs its text", Hint: "give it as the note",
				}
			}
			return answered(p, map[string]any{q.Question: note})
		},
	}
}

func answers(p payload, questions []asked) choice {
	return choice{
		option: session.Option{ID: session.OptionAnswers, Label: "answer all", Note: true},
		answer: func(note string) (decision, error) {
			parts := strings.FieldsFunc(note, func(r rune) bool { return r == ';' || r == '\n' })
			if len(parts) != len(questions) {
				return decision{}, &session.Error{
					Code: session.CodeUsage, Message: fmt.Sprintf("there are %d questions, and the note answers %d", len(questions), len(parts)),
					Hint: "answer each by number or in words, with ; between, such as 2; 1,3; as you like",
				}
			}
			all := map[string]any{}
			for i, q := range questions {
				all[q.Question] = q.interpret(strings.TrimSpace(parts[i]))
			}
			return answered(p, all)
		},
	}
}

// interpret returns the choices that a text names, or the text itself.
func (q asked) interpret(text string) any {
	labels, ok := q.pick(text)
	switch {
	case !ok, len(labels) > 1 && !q.MultiSelect:
		return text
	case len(labels) == 1:
		return labels[0]
	}
	return labels
}

// pick returns the labels that a list of numbers or labels names.
func (q asked) pick(list string) ([]string, bool) {
	if l, ok := q.label(list); ok {
		return []string{l}, true
	}
	var labels []string
	for part := range strings.SplitSeq(list, ",") {
		l, ok := q.label(strings.TrimSpace(part))
		if !ok {
			return nil, false
		}
		labels = append(labels, l)
	}
	return labels, true
}

func (q asked) label(text string) (string, bool) {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(q.Options) {
		return q.Options[n-1].Label, true
	}
	for _, o := range q.Options {
		if strings.EqualFold(o.Label, text) {
			return o.Label, true
		}
	}
	return "", false
}
