package claude

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"aside/session"
	"aside/session/agent"
)

// The tools whose permission request is something else for a person.
const (
	toolQuestion = "AskUserQuestion"
	toolPlan     = "ExitPlanMode"
)

// choice is one option with what the hook prints for it.
type choice struct {
	option session.Option
	answer func(session.Answer) (decision, error)
}

// decision is the agent's decision object; which fields are set was proven
// for each shape by running it.
type decision struct {
	Behavior           string          `json:"behavior"`
	Message            string          `json:"message,omitempty"`
	UpdatedInput       json.RawMessage `json:"updatedInput,omitempty"`
	UpdatedPermissions []update        `json:"updatedPermissions,omitempty"`
}

// ask turns a permission request into a decision with its verdicts. It also
// returns the id of the tool call, "" when it is not known.
func (a *adapter) ask(p payload) (*agent.Ask, string) {
	id, planned := a.calls.Asking(p.use())
	var d session.Decision
	var choices []choice
	switch p.ToolName {
	case toolQuestion:
		d, choices = question(p)
	case toolPlan:
		d, choices = plan(p, id, planned)
	default:
		d, choices = permission(p)
	}
	d.Tool, d.ToolCallID = session.MarkLine(p.ToolName), id
	if strings.TrimSpace(d.Title) == "" {
		d.Title = d.Tool
	}
	by := agent.BySubAgent(p.AgentType)
	d.Detail += by
	for i := range d.Questions {
		d.Questions[i].Detail += by
	}
	all := make([]agent.Choice, len(choices))
	for i, c := range choices {
		all[i] = agent.Choice{Option: c.option, Print: c.print}
	}
	return agent.NewAsk(d, all), id
}

func (c choice) print(ans session.Answer) ([]byte, error) {
	d, err := c.answer(ans)
	if err != nil {
		return nil, err
	}
	return agent.JSON(map[string]any{
		"hookSpecificOutput": map[string]any{"hookEventName": eventPermission, "decision": d},
	})
}

func permission(p payload) (session.Decision, []choice) {
	r := readOver(p.ToolName, p.ToolInput, p.Cwd, p.overwritten())
	d := session.Decision{Kind: session.KindPermission, Title: r.title, Detail: r.detail}
	choices := []choice{{
		option: session.Option{ID: session.OptionOnce, Label: "once"},
		answer: func(session.Answer) (decision, error) { return decision{Behavior: "allow"}, nil },
	}}
	for i, l := range lasting(p.Cwd, p.Suggestions) {
		choices = append(choices, choice{
			option: session.Option{ID: fmt.Sprintf("always%d", i+1), Label: l.label},
			answer: func(session.Answer) (decision, error) {
				return decision{Behavior: "allow", UpdatedPermissions: l.updates}, nil
			},
		})
	}
	return d, append(choices, refusal("deny", "The user declined this. Wait for the user to say how to go on."))
}

// refusal is the option that says no; the note, or the sentence, reaches the
// model as the tool's error.
func refusal(label, sentence string) choice {
	return choice{
		option: session.Option{ID: session.OptionDeny, Label: label, Note: true},
		answer: func(ans session.Answer) (decision, error) {
			return decision{Behavior: "deny", Message: cmp.Or(ans.Note, sentence)}, nil
		},
	}
}

// plan asks to approve a plan. The agent ignores an approval that does not
// carry the plan's text, so without the text there are no buttons.
func plan(p payload, callID, planned string) (session.Decision, []choice) {
	text := planOf(p.ToolInput)
	if text == "" {
		text = planned
	}
	if text == "" {
		text = awaitPlan(p.TranscriptPath, callID)
	}
	d := session.Decision{Kind: session.KindPlan, Title: planTitle(text), Detail: session.Mark(text)}
	if strings.TrimSpace(text) == "" {
		return d, nil
	}
	approve := choice{
		option: session.Option{ID: session.OptionApprove, Label: "approve"},
		answer: func(session.Answer) (decision, error) {
			input, err := agent.JSON(map[string]string{"plan": text})
			return decision{Behavior: "allow", UpdatedInput: input}, err
		},
	}
	return d, []choice{approve, refusal("keep planning", "The user wants you to keep planning.")}
}

// planTitle is a plan's first line, without the mark of a heading.
func planTitle(plan string) string {
	for line := range strings.Lines(plan) {
		if line = strings.TrimLeft(line, "# \t"); strings.TrimSpace(line) != "" {
			return agent.Titled(line)
		}
	}
	return "A plan to approve"
}

// overwrittenLimit is the largest file that is compared with what is to take
// its place, in bytes.
const overwrittenLimit = 256 << 10

// overwritten returns what the file holds that the tool is to write anew, ""
// when there is none or it is no text that can be shown.
func (p payload) overwritten() string {
	path := agent.ArgumentsOf(p.ToolInput).Text("file_path")
	if p.ToolName != "Write" || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Cwd, path)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > overwrittenLimit {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(text) {
		return ""
	}
	return string(text)
}
