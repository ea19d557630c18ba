package claude_test

import (
	"encoding/json"
	"strings"
	"testing"

	"aside/session"
	"aside/session/agent/claude"

	"pgregory.net/rapid"
)

// odd draws text with what would hide something.
var odd = rapid.StringOf(rapid.RuneFrom([]rune("ab1,; \n\r\t\"'\\⏎…⟨⟩\x1b[\a\x7f\u0085\u200b\u202e\u2028\ufeff\U000e0061é日👩‍")))

// anything draws a JSON value.
func anything(depth int) *rapid.Generator[any] {
	all := []*rapid.Generator[any]{odd.AsAny(), rapid.Bool().AsAny(), rapid.Int().AsAny(), rapid.Just[any](nil)}
	if depth > 0 {
		name := rapid.OneOf(rapid.SampledFrom([]string{"command", "file_path", "edits", "questions", "plan"}), odd)
		all = append(all, rapid.SliceOfN(anything(depth-1), 0, 3).AsAny(), rapid.MapOfN(name, anything(depth-1), 0, 6).AsAny())
	}
	return rapid.OneOf(all...)
}

// input draws the arguments of a tool, as they should be or not.
func input(t *rapid.T) any {
	if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
		return anything(3).Draw(t, "input")
	}
	in := map[string]any{"x\u202ey": anything(1).Draw(t, "more")}
	for _, name := range []string{
		"command", "description", "file_path", "notebook_path", "old_string", "new_string", "new_source", "content", "plan", "url",
	} {
		if rapid.Bool().Draw(t, "has "+name) {
			in[name] = odd.Draw(t, name)
		}
	}
	edit := rapid.Custom(func(t *rapid.T) any {
		return map[string]any{"old_string": odd.Draw(t, "old"), "new_string": odd.Draw(t, "new"), "replace_all": rapid.Bool().Draw(t, "all")}
	})
	option := rapid.Custom(func(t *rapid.T) any {
		return map[string]any{"label": "l" + odd.Draw(t, "label"), "description": odd.Draw(t, "description")}
	})
	question := rapid.Custom(func(t *rapid.T) any {
		return map[string]any{
			"question": "q" + odd.Draw(t, "question"), "multiSelect": rapid.Bool().Draw(t, "several"),
			"options": rapid.SliceOfN(option, 0, 12).Draw(t, "options"),
		}
	})
	in["edits"] = rapid.SliceOfN(edit, 0, 3).Draw(t, "edits")
	in["questions"] = rapid.SliceOfN(question, 0, 3).Draw(t, "questions")
	return in
}

// Whatever an agent asks, nothing of it is hidden, and each answer that is
// offered is one, or says why it is not.
func TestAnyRequest(t *testing.T) {
	tools := []string{"Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "AskUserQuestion", "ExitPlanMode", "WebFetch", "mcp__a__\u202eb"}
	kinds := []string{"addRules", "setMode", "addDirectories", "replaceRules"}
	rapid.Check(t, func(t *rapid.T) {
		payload := map[string]any{
			"session_id": "s", "hook_event_name": "PermissionRequest", "cwd": "/p", "tool_name": rapid.SampledFrom(tools).Draw(t, "tool"),
			"tool_input": input(t), "agent_type": odd.Draw(t, "agent"),
			"permission_suggestions": []any{map[string]any{
				"type": rapid.SampledFrom(kinds).Draw(t, "kind"), "behavior": "allow", "mode": "acceptEdits", "destination": "localSettings",
				"rules": []any{map[string]any{"toolName": odd.Draw(t, "rule"), "ruleContent": odd.Draw(t, "of")}}, "directories": []string{odd.Draw(t, "dir")},
			}},
		}
		data, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		ev, err := claude.New().Event("PermissionRequest", data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		d := ev.Ask.Decision
		if d.Title != session.MarkLine(d.Title) || d.Detail != session.Mark(d.Detail) || d.Tool != session.MarkLine(d.Tool) {
			t.Fatalf("%s: not all is marked: %q, %q, %q", data, d.Tool, d.Title, d.Detail)
		}
		if d.Answerable != (len(d.Options) > 0) || strings.TrimSpace(d.Title) == "" {
			t.Fatalf("%s: made %+v", data, d)
		}
		for _, o := range d.Options {
			if o.Label != session.MarkLine(o.Label) || strings.TrimSpace(o.Label) == "" || strings.Contains(o.Label, ":  in this ") || strings.Contains(o.Label, "work in  in this ") {
				t.Fatalf("%s: an option says %q", data, o.Label)
			}
			for _, note := range []string{"", "1", "1,2; as you like"} {
				verdict, err := ev.Ask.Verdict(session.Answer{Option: o.ID, Note: note})
				if err != nil && session.CodeOf(err) != session.CodeUsage || err == nil && !json.Valid(verdict) {
					t.Fatalf("%s: the verdict of %s is %q, %v", data, o.ID, verdict, err)
				}
			}
		}
	})
}
