package opencode_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/opencode"
)

func launch() agent.Launch {
	return agent.Launch{
		Thread: "abc", Cwd: "/home/user/project", RuntimeDir: "/run/my aside/abc", Aside: "/opt/my aside/aside", Hook: "/opt/my aside/aside-hook",
		Endpoint: []string{"ASIDE_SOCKET=/run/aside/abc.sock"}, Hold: 4 * time.Hour,
	}
}

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*agent.Launch)
		want   string
		taken  bool
	}{
		{"no prompt", func(*agent.Launch) {}, "", false},
		{"a prompt", func(l *agent.Launch) { l.Prompt = "-do it" }, "--prompt=-do it", true},
		{"a model and arguments of one's own", func(l *agent.Launch) { l.Model, l.Args = "a/b", []string{"--pure"} }, "--pure --model a/b", false},
		{"an earlier conversation takes none", func(l *agent.Launch) { l.Resume, l.Session, l.Prompt = true, "ses_1", "p" }, "--session ses_1", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := launch()
			tt.change(&l)
			c, err := opencode.New().Command(l)
			if err != nil || c.Path != "opencode" || strings.Join(c.Args, " ") != tt.want || c.PromptTaken != tt.taken {
				t.Errorf("got %+v, %v", c, err)
			}
		})
	}
}

func TestSettingsOfOneRun(t *testing.T) {
	c, err := opencode.New().Command(launch())
	if err != nil {
		t.Fatal(err)
	}
	const want = `OPENCODE_CONFIG_CONTENT={"mcp":{"aside":{"command":["/opt/my aside/aside","mcp"],"enabled":true,` +
		`"environment":{"ASIDE_SOCKET":"/run/aside/abc.sock"},"type":"local"}},"plugin":["file:///run/my%20aside/abc/opencode-plugin.js"]}`
	if len(c.Env) != 1 || c.Env[0] != want {
		t.Errorf("got %s\nwant %s", c.Env, want)
	}
	head, _, _ := strings.Cut(string(c.Files["opencode-plugin.js"]), "\n")
	if head != `const aside = {"hook":["/opt/my aside/aside-hook"],"record":"/run/my aside/abc/opencode"}` || len(c.Files) != 1 {
		t.Errorf("the plugin begins with %s", head)
	}
}

// tell reads an event of the plugin.
func tell(t *testing.T, a agent.Adapter, event string, body map[string]any) agent.Event {
	t.Helper()
	body["hook_event_name"], body["session_id"] = event, "ses_1"
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.Event(event, data)
	if err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	return e
}

type fields = map[string]any

func TestEventsOfThePlugin(t *testing.T) {
	a := opencode.New()
	if e, err := a.Event("Ready", []byte(`{}`)); err != nil || e.Kind != agent.Notified || e.State != session.StateIdle || e.Session != "" {
		t.Errorf("ready: %+v, %v", e, err)
	}
	if e := tell(t, a, "UserPromptSubmit", fields{"prompt": "do it"}); e.Kind != agent.Prompted || e.Prompt != "do it" || e.Session != "ses_1" {
		t.Errorf("prompted: %+v", e)
	}
	if e := tell(t, a, "Replied", fields{"tool_use_id": "c1"}); e.Kind != agent.ToolDone || e.Call.ID != "c1" || e.State != session.StateWorking || e.Session != "ses_1" {
		t.Errorf("replied: %+v", e)
	}
	for _, event := range []string{"Replied", "PermissionRequest", "Stop"} {
		if e, err := a.Event(event, []byte(`{`)); err == nil {
			t.Errorf("%s was read from nothing as %+v", event, e)
		}
	}
}

func TestAPermissionIsAskedWithItsCallAndWhatLasts(t *testing.T) {
	e := tell(t, opencode.New(), "PermissionRequest", fields{
		"tool_name": "Bash", "tool_use_id": "c1", "tool_input": fields{"command": "touch a"},
		"permission_suggestions": []fields{{
			"type": "addRules", "behavior": "allow", "destination": "session", "rules": []fields{{"toolName": "Bash", "ruleContent": "touch *"}},
		}},
	})
	d := e.Ask.Decision
	if d.ToolCallID != "c1" || e.Call.ID != "c1" || d.Title != "touch a" || len(d.Options) != 3 || d.Options[1].Label != "always: Bash(touch *) in this session" {
		t.Errorf("it asks %+v", d)
	}
	out, err := e.Ask.Verdict(session.Answer{Option: "deny", Note: "no"})
	if err != nil || !strings.Contains(string(out), `"message":"no"`) {
		t.Errorf("the verdict is %s, %v", out, err)
	}
}

func TestAQuestionHasNoButtons(t *testing.T) {
	e := tell(t, opencode.New(), "PermissionRequest", fields{
		"tool_name": "question", "tool_use_id": "c1", "tool_input": fields{"questions": []fields{{"question": "Which\x1b one?"}}},
	})
	d := e.Ask.Decision
	if d.Kind != session.KindQuestion || d.Answerable || len(d.Options) > 0 || d.ToolCallID != "c1" || !strings.HasPrefix(d.Title, "Which") || strings.Contains(d.Title, "\x1b") {
		t.Errorf("it asks %+v", d)
	}
	if !strings.HasSuffix(d.Detail, "Answer this one in the terminal.") {
		t.Errorf("the detail is %q", d.Detail)
	}
	if d := tell(t, opencode.New(), "PermissionRequest", fields{"tool_name": "question", "tool_input": 7}).Ask.Decision; d.Title != "A question" {
		t.Errorf("without a question: %+v", d)
	}
}
