package claude_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/claude"
)

func options(d session.Decision) string {
	var out []string
	for _, o := range d.Options {
		s := o.ID + "=" + o.Label
		if o.Note {
			s += "…"
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestDecisions(t *testing.T) {
	for _, tt := range []struct {
		name    string
		events  []string
		kind    session.DecisionKind
		title   string
		detail  string
		options string
	}{
		{
			"a command",
			[]string{"PreToolUse-bash", "PermissionRequest-bash"},
			session.KindPermission, "touch made.txt", "touch made.txt\n\n— Make a file",
			"once=once | always1=always: accept edits in this session | deny=deny…",
		},
		{
			"a command with a rule",
			[]string{"PermissionRequest-rule"},
			session.KindPermission, "curl -s http://127.0.0.1:1/ | head -1", "curl -s http://127.0.0.1:1/ | head -1\n\n— Fetch",
			"once=once | always1=always: Bash(curl -s http://127.0.0.1:1/) in this session" +
				" | always2=always: Bash(curl -s http://127.0.0.1:1/) in this project | deny=deny…",
		},
		{
			"several commands in one",
			[]string{"PermissionRequest-compound"},
			session.KindPermission, "git push origin main && curl -s x | sh; npm test", "git push origin main && curl -s x | sh; npm test\n\n— Push",
			"once=once | always1=always: Bash(git push *), Bash(curl -s x) in this session" +
				" | always2=always: Bash(git push *), Bash(curl -s x) in this project" +
				" | always3=always: Bash(sh), Bash(npm test *) in this session" +
				" | always4=always: Bash(sh), Bash(npm test *) in this project | deny=deny…",
		},
		{
			"an edit",
			[]string{"PreToolUse-edit", "PermissionRequest-edit"},
			session.KindPermission, "a.txt", "a.txt\n\n-hello\n+bye",
			"once=once | always1=always: accept edits in this session | deny=deny…",
		},
		{
			"a new file elsewhere",
			[]string{"PreToolUse-write", "PermissionRequest-write"},
			session.KindPermission, "/home/user/other/q.txt", "/home/user/other/q.txt\n\n+out",
			"once=once | always1=always: accept edits and work in /home/user/other in this session | deny=deny…",
		},
		{
			"a tool of a server",
			[]string{"PermissionRequest-mcp"},
			session.KindPermission, `a: 1, b: {"c":[1,2]}`, "a: 1\nb: {\"c\":[1,2]}",
			"once=once | always1=always: mcp__aside__other in this session | always2=always: mcp__aside__other in this project | deny=deny…",
		},
		{
			"a file to read",
			[]string{"PermissionRequest-read"},
			session.KindPermission, "/etc/hostname", "file_path: /etc/hostname",
			"once=once | always1=always: Read(//etc/**) in this session | deny=deny…",
		},
		{
			"of a sub-agent",
			[]string{"PreToolUse-subagent", "PermissionRequest-subagent"},
			session.KindPermission, "touch sub.txt", "touch sub.txt\n\n— Sub\n\n— Asked by the sub-agent general-purpose.",
			"once=once | always1=always: accept edits in this session | deny=deny…",
		},
		{
			"a question",
			[]string{"PreToolUse-question", "PermissionRequest-question"},
			session.KindQuestion, "Which colour?", "Which colour?\n1  Red — warm\n2  Blue — cold",
			"choice1=Red | choice2=Blue | other=other… | deny=decline…",
		},
		{
			"a question with several answers",
			[]string{"PreToolUse-several", "PermissionRequest-several"},
			session.KindQuestion, "Which toppings?", "Which toppings? (several can be chosen)\n1  Cheese — a\n2  Ham — b\n3  Olives, green — c",
			"choice1=Cheese | choice2=Ham | choice3=Olives, green | several=several… | other=other… | deny=decline…",
		},
		{
			"two questions",
			[]string{"PermissionRequest-two"},
			session.KindQuestion, "2 questions",
			"Question 1: Which colour?\n1  Red — warm\n2  Blue — cold\n\nQuestion 2: Which toppings? (several can be chosen)\n1  Cheese — a\n2  Ham — b\n3  Olives, green — c",
			"answers=answer all… | deny=decline…",
		},
		{
			"a plan",
			[]string{"PreToolUse-plan", "PermissionRequest-plan"},
			session.KindPlan, "Real plan", "# Real plan\n1. do it\n", "approve=approve | deny=keep planning…",
		},
		{
			"a plan whose text is nowhere",
			[]string{"PreToolUse-plan-empty", "PermissionRequest-plan-empty"},
			session.KindPlan, "A plan to approve", "Answer this one in the terminal.", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := send(t, claude.New(), tt.events...).Ask.Decision
			if d.Kind != tt.kind || d.Title != tt.title {
				t.Errorf("kind %q title %q, want %q %q", d.Kind, d.Title, tt.kind, tt.title)
			}
			if d.Detail != tt.detail {
				t.Errorf("detail\n got %q\nwant %q", d.Detail, tt.detail)
			}
			if got := options(d); got != tt.options {
				t.Errorf("options\n got %s\nwant %s", got, tt.options)
			}
			if d.Answerable != (tt.options != "") {
				t.Errorf("answerable: %v", d.Answerable)
			}
		})
	}
}

// The shapes that the real program was seen to obey.
func TestVerdicts(t *testing.T) {
	const question = `"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}],"multiSelect":false}]`
	const toppings = `"questions":[{"question":"Which toppings?","header":"Top","options":[{"label":"Cheese","description":"a"},{"label":"Ham","description":"b"},{"label":"Olives, green","description":"c"}],"multiSelect":true}]`
	for _, tt := range []struct{ request, option, note, want string }{
		{"bash", "once", "", `{"behavior":"allow"}`},
		{"bash", "deny", "", `{"behavior":"deny","message":"The user declined this. Wait for the user to say how to go on."}`},
		{"bash", "deny", " Leave it,\n\"<please>\"\x1b[31m. ", `{"behavior":"deny","message":"Leave it,\n\"<please>\"."}`},
		{"bash", "always1", "", `{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`},
		{"rule", "always1", "", `{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"curl -s http://127.0.0.1:1/"}],"behavior":"allow","destination":"session"}]}`},
		{"rule", "always2", "", `{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"curl -s http://127.0.0.1:1/"}],"behavior":"allow","destination":"localSettings"}]}`},
		{"mcp", "always1", "", `{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"mcp__aside__other"}],"behavior":"allow","destination":"session"}]}`},
		{"write", "always1", "", `{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"},{"type":"addDirectories","directories":["/home/user/other"],"destination":"session"}]}`},
		{"question", "choice2", "", `{"behavior":"allow","updatedInput":{"answers":{"Which colour?":"Blue"},` + question + `}}`},
		{"question", "other", "Green, like grass", `{"behavior":"allow","updatedInput":{"answers":{"Which colour?":"Green, like grass"},` + question + `}}`},
		{"question", "deny", "Let us talk first.", `{"behavior":"deny","message":"Let us talk first."}`},
		{"several", "choice3", "", `{"behavior":"allow","updatedInput":{"answers":{"Which toppings?":"Olives, green"},` + toppings + `}}`},
		{"several", "several", "1, ham", `{"behavior":"allow","updatedInput":{"answers":{"Which toppings?":["Cheese","Ham"]},` + toppings + `}}`},
		{"several", "several", "olives, green", `{"behavior":"allow","updatedInput":{"answers":{"Which toppings?":["Olives, green"]},` + toppings + `}}`},
		{"plan", "approve", "", `{"behavior":"allow","updatedInput":{"plan":"# Real plan\n1. do it\n"}}`},
		{"plan", "deny", "Make it shorter", `{"behavior":"deny","message":"Make it shorter"}`},
		{"plan", "deny", "", `{"behavior":"deny","message":"The user wants you to keep planning."}`},
	} {
		t.Run(tt.request+" "+tt.option+" "+tt.note, func(t *testing.T) {
			got := answer(t, tt.request, tt.option, tt.note)
			if want := `{"hookSpecificOutput":{"decision":` + tt.want + `,"hookEventName":"PermissionRequest"}}`; got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

func TestAnswersToSeveralQuestions(t *testing.T) {
	got := answer(t, "two", "answers", "2; 1,3")
	if want := `"answers":{"Which colour?":"Blue","Which toppings?":["Cheese","Olives, green"]}`; !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
	got = answer(t, "two", "answers", "1, 2\nno topping")
	if want := `"answers":{"Which colour?":"1, 2","Which toppings?":"no topping"}`; !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}

// Each question is asked as it would be alone, and what is answered to it is
// the person's to the last character.
func TestAnswersToEachOfSeveralQuestions(t *testing.T) {
	ask := send(t, claude.New(), "PermissionRequest-two").Ask
	var asked []string
	for _, q := range ask.Decision.Questions {
		asked = append(asked, q.Title+": "+options(session.Decision{Options: q.Options})+": "+q.Detail)
	}
	if want := []string{
		"Which colour?: choice1=Red | choice2=Blue | other=other…: Which colour?\n1  Red — warm\n2  Blue — cold",
		"Which toppings?: choice1=Cheese | choice2=Ham | choice3=Olives, green | several=several… | other=other…: " +
			"Which toppings? (several can be chosen)\n1  Cheese — a\n2  Ham — b\n3  Olives, green — c",
	}; !slices.Equal(asked, want) {
		t.Errorf("asked\n%q\nwant\n%q", asked, want)
	}
	for _, tt := range []struct {
		replies []session.Reply
		want    string
	}{
		{
			[]session.Reply{{Option: "choice2"}, {Option: "several", Note: "1,3"}},
			`"answers":{"Which colour?":"Blue","Which toppings?":["Cheese","Olives, green"]}`,
		},
		{
			[]session.Reply{{Option: "other", Note: " 1; 2, or\x1b[31m green "}, {Option: "choice3"}},
			`"answers":{"Which colour?":"1; 2, or green","Which toppings?":"Olives, green"}`,
		},
	} {
		out, err := ask.Verdict(session.Answer{Option: session.OptionAnswers, Replies: tt.replies})
		if err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%+v: %s, %v; want %s", tt.replies, out, err, tt.want)
		}
	}
	for name, replies := range map[string][]session.Reply{
		"too long a note":    {{Option: "choice1"}, {Option: "other", Note: strings.Repeat("x", 20<<10)}},
		"too few":            {{Option: "choice1"}},
		"one of the other's": {{Option: "choice3"}, {Option: "choice3"}},
	} {
		out, err := ask.Verdict(session.Answer{Option: session.OptionAnswers, Replies: replies})
		if session.CodeOf(err) != session.CodeUsage || out != nil {
			t.Errorf("%s: %s, %v", name, out, err)
		}
	}
}

func TestASubAgentIsNamedBesideEachOfItsQuestions(t *testing.T) {
	d := asked(t, "AskUserQuestion", `{"questions":[{"question":"Why?"},{"question":"How\u202e?"}]}`, `,"agent_type":"helper"`)
	for i, want := range []string{"Why?", "How⟨U+202E⟩?"} {
		if q := d.Questions[i]; q.Title != want || q.Detail != want+"\n\n— Asked by the sub-agent helper." {
			t.Errorf("question %d is %+v", i+1, q)
		}
	}
}

// What is too long to be told twice is answered in one line, as it always was.
func TestVeryLongQuestionsAreAskedTogether(t *testing.T) {
	d := asked(t, "AskUserQuestion", fmt.Sprintf(`{"questions":[{"question":"Why?"},{"question":%q}]}`, strings.Repeat("x", 300<<10)), "")
	if got := options(d); len(d.Questions) > 0 || got != "answers=answer all… | deny=decline…" {
		t.Errorf("%d questions, options %s", len(d.Questions), got)
	}
}

func answer(t *testing.T, request, option, note string) string {
	t.Helper()
	ask := send(t, claude.New(), "PermissionRequest-"+request).Ask
	if _, ok := ask.Decision.Option(option); !ok {
		t.Fatalf("there is no option %q", option)
	}
	out, err := ask.Verdict(session.Answer{Option: option, Note: note})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestAnswersThatCannotBeUsed(t *testing.T) {
	for _, tt := range []struct{ request, option, note, hint string }{
		{"bash", "yes", "", "the options are: once, always1, deny"},
		{"bash", "deny", strings.Repeat("x", 20<<10), "at most 16384 bytes reach the agent"},
		{"several", "several", "4", "name them by number with commas between, such as 1,3"},
		{"several", "several", "", "name them by number with commas between, such as 1,3"},
		{"question", "other", " ", "give it as the note"},
		{"two", "answers", "1; ;", "give it as the note"},
		{"two", "answers", "1", "answer each by number or in words, with ; between, such as 2; 1,3; as you like"},
		{"plan-empty", "approve", "", "answer it in the terminal"},
	} {
		t.Run(tt.request+" "+tt.option, func(t *testing.T) {
			ask := send(t, claude.New(), "PermissionRequest-"+tt.request).Ask
			out, err := ask.Verdict(session.Answer{Option: tt.option, Note: tt.note})
			var fault *session.Error
			if !errors.As(err, &fault) || fault.Code != session.CodeUsage || fault.Hint != tt.hint || out != nil {
				t.Errorf("got %s, %#v", out, err)
			}
		})
	}
}

func request(tool, input, more string) []byte {
	return fmt.Appendf(nil, `{"session_id":"s","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":%q,"tool_input":%s%s}`, tool, input, more)
}

func asked(t *testing.T, tool, input, more string) session.Decision {
	t.Helper()
	ev, err := claude.New().Event("PermissionRequest", request(tool, input, more))
	if err != nil {
		t.Fatal(err)
	}
	return ev.Ask.Decision
}

func TestNothingIsHidden(t *testing.T) {
	d := asked(t, "Bash", `{"command":"ls \u202e\u001b[8m; rm -rf ~\u200b\ntrue","dangerouslyDisableSandbox":true,"run_in_background":false}`, "")
	if want := "ls ⟨U+202E⟩⟨U+001B⟩[8m; rm -rf ~⟨U+200B⟩\ntrue\n\ndangerouslyDisableSandbox: true"; d.Detail != want {
		t.Errorf("detail %q", d.Detail)
	}
	if want := "ls ⟨U+202E⟩⟨U+001B⟩[8m; rm -rf ~⟨U+200B⟩⏎true"; d.Title != want {
		t.Errorf("title %q", d.Title)
	}
	long := strings.Repeat("echo x; ", 100) + "rm -rf ~"
	d = asked(t, "Bash", fmt.Sprintf(`{"command":%q}`, long), "")
	if !strings.HasSuffix(d.Title, "…") || d.Detail != long {
		t.Errorf("title %q\ndetail %q", d.Title, d.Detail)
	}
	d = asked(t, "Edit", `{"file_path":"/p/a.go","old_string":"1\n2\n3\n4\n5\nold\n6\n7\n8\n9","new_string":"1\n2\n3\n4\n5\nnew\u202e\n6\n7\n8\n9","replace_all":true}`, "")
	if want := "a.go\n\n 3\n 4\n 5\n-old\n+new⟨U+202E⟩\n 6\n 7\n 8\n\nreplace_all: true"; d.Detail != want {
		t.Errorf("detail %q", d.Detail)
	}
	d = asked(t, "MultiEdit", `{"file_path":"/q/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}`, "")
	if want := "/q/a.go\n\n-a\n+b\n…\n-c"; d.Detail != want {
		t.Errorf("detail %q", d.Detail)
	}
	d = asked(t, "mcp__db__query", `{"sql":"drop\ntable","deep":{"a":"\u202e"}}`, "")
	if want := "deep: {\"a\":\"\\u202e\"}\nsql: drop\n  table"; d.Detail != want {
		t.Errorf("detail %q", d.Detail)
	}
}

// What the tool takes is what is shown, whatever else is there in other
// letters.
func TestArgumentsAreTakenByTheirExactNames(t *testing.T) {
	d := asked(t, "Bash", `{"command":"rm -rf ~","Command":"ls"}`, "")
	if d.Title != "rm -rf ~" || d.Detail != "rm -rf ~\n\nCommand: ls" {
		t.Errorf("title %q, detail %q", d.Title, d.Detail)
	}
	ev, err := claude.New().Event("PreToolUse", []byte(`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"rm -rf ~","COMMAND":"ls"}}`))
	if err != nil || ev.Call.Command != "rm -rf ~" {
		t.Errorf("command %q, %v", ev.Call.Command, err)
	}
	d = asked(t, "Write", `{"file_path":"/p/a","FILE_PATH":"/p/b","content":"x","old_string":"y"}`, "")
	if d.Title != "a" || !strings.Contains(d.Detail, "FILE_PATH: /p/b") || !strings.Contains(d.Detail, "old_string: y") {
		t.Errorf("title %q, detail %q", d.Title, d.Detail)
	}
}

func TestEditsAreShownWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("1\n2\n3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ tool, input, title, detail string }{
		"over a file": {
			"Write", fmt.Sprintf(`{"file_path":%q,"content":"1\nzwei\n3\n"}`, file), file, file + "\n\n 1\n-2\n+zwei\n 3",
		},
		"over a folder": {
			"Write", `{"file_path":"/","content":"x"}`, "/", "/\n\n+x",
		},
		"a cell": {
			"NotebookEdit", `{"notebook_path":"/p/n.ipynb","cell_id":"c1","new_source":"x = 1\ny\u202e","edit_mode":"replace"}`,
			"n.ipynb", "n.ipynb\n\n+x = 1\n+y⟨U+202E⟩\n\ncell_id: c1\nedit_mode: replace",
		},
		"everywhere": {
			"MultiEdit", `{"file_path":"/p/a","edits":[{"old_string":"a","new_string":"b","replace_all":true},{"old_string":"c","new_string":"d"}]}`,
			"a", "a\n\n-a\n+b\nreplace_all: true\n…\n-c\n+d",
		},
		"of another shape": {
			"Edit", `{"file_path":"/p/a","old_string":["x"],"new_string":"y"}`, "a", "file_path: /p/a\nnew_string: y\nold_string: [\"x\"]",
		},
		"a page": {
			"WebFetch", `{"url":"https://example.com/\u200b","prompt":"Read it\nall"}`, "https://example.com/⟨U+200B⟩",
			"prompt: Read it\n  all\nurl: https://example.com/⟨U+200B⟩",
		},
		"a sub-agent": {
			"Agent", `{"description":"Helps","prompt":"Do it","subagent_type":"general-purpose"}`, "Helps",
			"description: Helps\nprompt: Do it\nsubagent_type: general-purpose",
		},
	} {
		d := asked(t, tt.tool, tt.input, "")
		if d.Title != tt.title || d.Detail != tt.detail {
			t.Errorf("%s: title %q, want %q; detail\n%q, want\n%q", name, d.Title, tt.title, d.Detail, tt.detail)
		}
	}
}

func TestPermanentAnswersThatAreNotOffered(t *testing.T) {
	for name, suggestion := range map[string]string{
		"a mode that asks for nothing": `{"type":"setMode","mode":"bypassPermissions","destination":"session"}`,
		"a rule that denies":           `{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"deny","destination":"session"}`,
		"a kind that is not known":     `{"type":"addPlanet","behavior":"allow","destination":"session"}`,
		"a folder it works in already": `{"type":"addDirectories","directories":["/p","/p/sub"],"destination":"session"}`,
		"one too long to be read":      `{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"` + strings.Repeat("x", 300) + `"}],"behavior":"allow","destination":"session"}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := asked(t, "Bash", `{"command":"ls"}`, `,"permission_suggestions":[`+suggestion+`]`)
			if got := options(d); got != "once=once | deny=deny…" {
				t.Errorf("options %s", got)
			}
		})
	}
	d := asked(t, "Bash", `{"command":"ls"}`, `,"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"allow","destination":"userSettings"}]`)
	if got := options(d); got != "once=once | always1=always: Bash(ls) in this session | deny=deny…" {
		t.Errorf("a scope that was not proven: %s", got)
	}
}

func TestQuestionsThatCannotBeShownAreForTheTerminal(t *testing.T) {
	for name, input := range map[string]string{
		"none":            `{"questions":[]}`,
		"a wrong shape":   `{"questions":"which?"}`,
		"the same twice":  `{"questions":[{"question":"Why?"},{"question":"Why?"}]}`,
		"without words":   `{"questions":[{"question":" "}]}`,
		"an empty choice": `{"questions":[{"question":"Why?","options":[{"label":""}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := asked(t, "AskUserQuestion", input, "")
			if d.Answerable || len(d.Options) > 0 || !strings.HasSuffix(d.Detail, "Answer this one in the terminal.") {
				t.Errorf("got %+v", d)
			}
		})
	}
}

// A permission request names no tool call: it is matched to the one that
// began before it.
func TestRequestIsMatchedToItsCall(t *testing.T) {
	a := claude.New()
	start := func(id, agentID, input string) {
		t.Helper()
		if _, err := a.Event("PreToolUse", fmt.Appendf(nil,
			`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":%s,"tool_use_id":%q,"agent_id":%q}`, input, id, agentID)); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(id, agentID, input string) {
		t.Helper()
		ev, err := a.Event("PermissionRequest", request("Bash", input, fmt.Sprintf(`,"agent_id":%q`, agentID)))
		if err != nil {
			t.Fatal(err)
		}
		if got := ev.Ask.Decision.ToolCallID; got != id || ev.Call.ID != id {
			t.Errorf("matched to %q, want %q", got, id)
		}
	}
	start("one", "", `{"command":"ls","description":"x"}`)
	start("two", "", `{"command":"ls","description":"x"}`)
	start("three", "", `{"command":"pwd"}`)
	start("sub", "agent1", `{"command":"ls","description":"x"}`)
	expect("three", "", `{"command":"pwd"}`)
	expect("sub", "agent1", `{"command":"ls","description":"x"}`)
	expect("one", "", `{"description":"x", "command":"ls"}`)
	expect("two", "", `{"command":"ls","description":"x"}`)
	expect("two", "", `{"command":"ls","description":"x"}`) // it asks again
	expect("", "", `{"command":"who"}`)

	if _, err := a.Event("PostToolUse", []byte(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"three"}`)); err != nil {
		t.Fatal(err)
	}
	expect("", "", `{"command":"pwd"}`)

	// What a new prompt finds was interrupted; sub-agents work on.
	if _, err := a.Event("UserPromptSubmit", []byte(`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"go on"}`)); err != nil {
		t.Fatal(err)
	}
	expect("", "", `{"command":"ls","description":"x"}`)
	expect("sub", "agent1", `{"command":"ls","description":"x"}`)

	for i := range 100 {
		start(fmt.Sprint("many", i), "", fmt.Sprintf(`{"command":"n%d"}`, i))
	}
	expect("", "", `{"command":"n0"}`)
	expect("many99", "", `{"command":"n99"}`)
}

// The plan's text can be in the record alone, and just be on its way there.
func TestPlanFromTheRecord(t *testing.T) {
	record := filepath.Join(t.TempDir(), "s.jsonl")
	data, err := os.ReadFile(filepath.Join("testdata", "transcript", "plan.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(record, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(record, data, 0o600) }() // while it is asked
	defer func() {
		if err := <-written; err != nil {
			t.Error(err)
		}
	}()
	id := "toolu_" + strings.SplitN(strings.SplitN(string(data), `"id":"toolu_`, 2)[1], `"`, 2)[0]
	a := claude.New()
	var ev agent.Event
	for _, name := range []string{"PreToolUse", "PermissionRequest"} {
		if ev, err = a.Event(name, fmt.Appendf(nil,
			`{"session_id":"s","transcript_path":%q,"hook_event_name":%q,"tool_name":"ExitPlanMode","tool_input":{},"tool_use_id":%q}`, record, name, id)); err != nil {
			t.Fatal(err)
		}
	}
	if d := ev.Ask.Decision; !d.Answerable || d.Title != "Plan" || d.Detail != "# Plan\n1. do it\n2. test" {
		t.Fatalf("got %+v", d)
	}
	out, err := ev.Ask.Verdict(session.Answer{Option: session.OptionApprove})
	if want := `"updatedInput":{"plan":"# Plan\n1. do it\n2. test"}`; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("got %s, %v", out, err)
	}
}
