package claude

import (
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

// inTerminal closes the detail of a request that has no buttons.
const inTerminal = "Answer this one in the terminal."

// noteLimit is the most that a note to the agent may take, in bytes.
const noteLimit = 16 << 10

// choice is one option with what the hook prints for it.
type choice struct {
	option session.Option
	answer func(note string) (decision, error)
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
	c := a.calls.asking(p)
	var d session.Decision
	var choices []choice
	switch p.ToolName {
	case toolQuestion:
		d, choices = question(p)
	case toolPlan:
		d, choices = plan(p, c)
	default:
		d, choices = permission(p)
	}
	d.Tool, d.ToolCallID, d.Answerable = session.MarkLine(p.ToolName), c.id, len(choices) > 0
	if p.AgentType != "" {
		d.Detail += "\n\nAsked by the sub-agent " + session.MarkLine(p.AgentType) + "."
	}
	if !d.Answerable {
		d.Detail = strings.TrimPrefix(d.Detail+"\n\n"+inTerminal, "\n\n")
	}
	for _, o := range choices {
		d.Options = append(d.Options, o.option)
	}
	return &agent.Ask{Decision: d, Verdict: func(ans session.Answer) ([]byte, error) { return verdict(choices, ans) }}, c.id
}

func verdict(choices []choice, ans session.Answer) ([]byte, error) {
	var ids []string
	for _, c := range choices {
		if c.option.ID != ans.Option {
			ids = append(ids, c.option.ID)
			continue
		}
		if len(ans.Note) > noteLimit {
			return nil, &session.Error{
				Code: session.CodeUsage, Message: "the note is too long",
				Hint: fmt.Sprintf("at most %d bytes reach the agent", noteLimit),
			}
		}
		d, err := c.answer(strings.TrimSpace(session.Clean(ans.Note)))
		if err != nil {
			return nil, err
		}
		return encode(map[string]any{
			"hookSpecificOutput": map[string]any{"hookEventName": eventPermission, "decision": d},
		})
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

func permission(p payload) (session.Decision, []choice) {
	r := readOver(p.ToolName, p.ToolInput, p.Cwd, p.overwritten())
	d := session.Decision{Kind: session.KindPermission, Title: r.title, Detail: r.detail}
	choices := []choice{{
		option: session.Option{ID: session.OptionOnce, Label: "once"},
		answer: func(string) (decision, error) { return decision{Behavior: "allow"}, nil },
	}}
	for i, l := range lasting(p.Cwd, p.Suggestions) {
		choices = append(choices, choice{
			option: session.Option{ID: fmt.Sprintf("always%d", i+1), Label: l.label},
			answer: func(string) (decision, error) {
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
		answer: func(note string) (decision, error) {
			if note == "" {
				note = sentence
			}
			return decision{Behavior: "deny", Message: note}, nil
		},
	}
}

// plan asks to approve a plan. The agent ignores an approval that does not
// carry the plan's text, so without the text there are no buttons.
func plan(p payload, c call) (session.Decision, []choice) {
	text := planOf(p.ToolInput)
	if text == "" {
		text = c.plan
	}
	if text == "" {
		text = awaitPlan(p.TranscriptPath, c.id)
	}
	d := session.Decision{Kind: session.KindPlan, Title: planTitle(text), Detail: session.Mark(text)}
	if strings.TrimSpace(text) == "" {
		return d, nil
	}
	approve := choice{
		option: session.Option{ID: session.OptionApprove, Label: "approve"},
		answer: func(string) (decision, error) {
			input, err := encode(map[string]string{"plan": text})
			return decision{Behavior: "allow", UpdatedInput: input}, err
		},
	}
	return d, []choice{approve, refusal("keep planning", "The user wants you to keep planning.")}
}

// planTitle is a plan's first line, without the mark of a heading.
func planTitle(plan string) string {
	for line := range strings.Lines(plan) {
		if line = strings.TrimLeft(line, "# \t"); strings.TrimSpace(line) != "" {
			return titled(line)
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
	path := inputOf(p.ToolInput).text("file_path")
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
