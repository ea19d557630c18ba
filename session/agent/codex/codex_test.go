package codex_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/codex"
)

func launch() agent.Launch {
	return agent.Launch{
		Thread: "abc", Cwd: "/home/user/project", Aside: "/opt/my aside/aside", Hook: "/opt/my aside/aside-hook",
		Endpoint: []string{"ASIDE_SOCKET=/run/aside/abc.sock", `ASIDE_THREAD=a"b`}, Hold: 4 * time.Hour,
	}
}

// flags splits the arguments into those before the settings, the settings, and
// those behind them.
func flags(t *testing.T, l agent.Launch) (before, settings, after []string) {
	t.Helper()
	c, err := codex.New().Command(l)
	if err != nil {
		t.Fatal(err)
	}
	if c.Path != "codex" && c.Path != l.Command || len(c.Files) > 0 || c.PromptTaken != (l.Prompt != "") {
		t.Errorf("got %+v", c)
	}
	args := c.Args
	for len(args) > 0 && args[0] != "-c" {
		before, args = append(before, args[0]), args[1:]
	}
	for len(args) > 1 && args[0] == "-c" {
		settings, args = append(settings, args[1]), args[2:]
	}
	return before, settings, args
}

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		name          string
		change        func(*agent.Launch)
		before, after string
	}{
		{"no prompt", func(*agent.Launch) {}, "", ""},
		{"a prompt", func(l *agent.Launch) { l.Prompt = "-do it" }, "", "-- -do it"},
		{"a model", func(l *agent.Launch) { l.Model, l.Prompt = "m", "p" }, "", "-m m -- p"},
		{"arguments of one's own", func(l *agent.Launch) { l.Args, l.Command = []string{"--search"}, "/opt/codex" }, "--search", ""},
		{"an earlier conversation", func(l *agent.Launch) { l.Resume, l.Session, l.Args = true, "s1", []string{"--search"} }, "resume --search", "-- s1"},
		{"and a prompt", func(l *agent.Launch) { l.Resume, l.Session, l.Prompt = true, "s1", "p" }, "resume", "-- s1 p"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := launch()
			tt.change(&l)
			before, _, after := flags(t, l)
			if got := strings.Join(before, " "); got != tt.before {
				t.Errorf("before the settings %q, want %q", got, tt.before)
			}
			if got := strings.Join(after, " "); got != tt.after {
				t.Errorf("behind the settings %q, want %q", got, tt.after)
			}
		})
	}
}

func TestSettingsOfOneRun(t *testing.T) {
	_, settings, _ := flags(t, launch())
	for _, want := range []string{
		`mcp_servers.aside={command="/opt/my aside/aside",args=["mcp"],env={"ASIDE_SOCKET"="/run/aside/abc.sock","ASIDE_THREAD"="a\"b"},default_tools_approval_mode="approve"}`,
		`hooks.PermissionRequest=[{hooks=[{type="command",command="'/opt/my aside/aside-hook' --agent codex --event PermissionRequest",timeout=14460}]}]`,
		`hooks.Stop=[{hooks=[{type="command",command="'/opt/my aside/aside-hook' --agent codex --event Stop",timeout=5}]}]`,
		`hooks.Interrupt=[{hooks=[{type="command",command="'/opt/my aside/aside-hook' --agent codex --event Interrupt",timeout=3}]}]`,
	} {
		if !slices.Contains(settings, want) {
			t.Errorf("%s is not among\n%s", want, strings.Join(settings, "\n"))
		}
	}
	// The form in which the agent reckons it, which the end-to-end tests prove.
	sum := sha256.Sum256([]byte(`{"event_name":"stop","hooks":[{"async":false,"command":"'/opt/my aside/aside-hook' --agent codex --event Stop","timeout":5,"type":"command"}]}`))
	trust := `"/<session-flags>/config.toml:stop:0:0"={trusted_hash="sha256:` + hex.EncodeToString(sum[:]) + `"}`
	if last := settings[len(settings)-1]; !strings.HasPrefix(last, "hooks.state={") || !strings.Contains(last, trust) {
		t.Errorf("%s is not in %s", trust, last)
	}
	if hooks := len(settings) - 2; strings.Count(settings[len(settings)-1], "trusted_hash") != hooks {
		t.Errorf("not each of %d hooks is trusted, and no other", hooks)
	}
}

// tell reads an event of the agent, with further fields.
func tell(t *testing.T, a agent.Adapter, event string, more map[string]any) agent.Event {
	t.Helper()
	all := map[string]any{"session_id": "s1", "transcript_path": "/r/s1.jsonl", "cwd": "/p", "hook_event_name": event}
	for k, v := range more {
		all[k] = v
	}
	body, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.Event(event, body)
	if err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	return e
}

type fields = map[string]any

func TestEvents(t *testing.T) {
	sub := fields{"agent_id": "a1", "agent_type": "default"}
	for _, tt := range []struct {
		event string
		more  fields
		want  string
	}{
		{"SessionStart", nil, "1 idle /r/s1.jsonl"},
		{"UserPromptSubmit", fields{"prompt": "do it"}, "2 working /r/s1.jsonl do it human"},
		{"UserPromptSubmit", fields{"prompt": "do it", "agent_id": "a1"}, "6  "},
		{"PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "ls"}, "tool_use_id": "c1"}, "3 working /r/s1.jsonl"},
		{"PostToolUse", fields{"tool_name": "Bash", "tool_use_id": "c1", "agent_id": "a1"}, "5 working "},
		{"Stop", fields{"last_assistant_message": "Done."}, "7 done /r/s1.jsonl"},
		{"Interrupt", nil, "7 idle /r/s1.jsonl"},
		{"SubagentStart", sub, "6  "},
		{"SessionEnd", nil, "8  /r/s1.jsonl"},
		{"SomethingNew", nil, "0  /r/s1.jsonl"},
	} {
		e := tell(t, codex.New(), tt.event, tt.more)
		got := strings.TrimRight(fmt.Sprintf("%d %s %s %s %s", e.Kind, e.State, e.Transcript, e.Prompt, e.Origin), " ")
		if got != strings.TrimRight(tt.want, " ") || e.Session != "s1" {
			t.Errorf("%s %v: got %q of %q, want %q", tt.event, tt.more, got, e.Session, tt.want)
		}
	}
}

func TestPayloadsThatMakeNoSense(t *testing.T) {
	for _, body := range []string{
		`{`, `[]`, `{"hook_event_name":"Stop"}`, `{"hook_event_name":"Other","session_id":"s1"}`,
		`{"hook_event_name":"Stop","session_id":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		if e, err := codex.New().Event("Stop", []byte(body)); err == nil {
			t.Errorf("%.60s was read as %+v", body, e)
		}
	}
	if _, err := codex.New().Event("PreToolUse", []byte(`{"hook_event_name":"PreToolUse","session_id":"s1"}`)); err == nil {
		t.Error("a call of no tool was read")
	}
}

// The end of the agent's own turn leaves its sub-agents at work, and what they
// ask pending; the end of the last of them is then the end of the work.
func TestSubAgentsOutliveTheTurn(t *testing.T) {
	a := codex.New()
	one, two := fields{"agent_id": "a1"}, fields{"agent_id": "a2"}
	tell(t, a, "SubagentStart", one)
	tell(t, a, "SubagentStart", two)
	if e := tell(t, a, "Stop", nil); !e.Background || e.State != session.StateWorking {
		t.Errorf("with two at work: %+v", e)
	}
	if e := tell(t, a, "SubagentStop", one); e.State != "" {
		t.Errorf("with one at work: %+v", e)
	}
	if e := tell(t, a, "SubagentStop", two); e.State != session.StateDone {
		t.Errorf("with none at work: %+v", e)
	}
	if e := tell(t, a, "Stop", nil); e.Background || e.State != session.StateDone {
		t.Errorf("the next turn: %+v", e)
	}
	// While the agent itself works on, the end of a sub-agent says nothing.
	tell(t, a, "SubagentStart", one)
	tell(t, a, "Stop", nil)
	tell(t, a, "UserPromptSubmit", fields{"prompt": "next"})
	if e := tell(t, a, "SubagentStop", one); e.State != "" {
		t.Errorf("in the next turn: %+v", e)
	}
}

func TestARequestIsMadeForReading(t *testing.T) {
	patch := "*** Begin Patch\n*** Add File: a.txt\n+hi\n*** Delete File: b.txt\n*** End Patch"
	for _, tt := range []struct {
		name, tool    string
		input         fields
		title, detail string
	}{
		{"a command", "Bash", fields{"command": "rm \u202ex\nls", "description": "May it?"}, "rm ⟨U+202E⟩x⏎ls", "rm ⟨U+202E⟩x\nls\n\n— May it?"},
		{"a patch", "apply_patch", fields{"command": patch}, "a.txt, b.txt", patch},
		{"another tool", "mcp__db__query", fields{"sql": "select 1", "limit": 5}, "limit: 5, sql: select 1", "limit: 5\nsql: select 1"},
		{"no arguments", "view", fields{}, "view", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := tell(t, codex.New(), "PermissionRequest", fields{"tool_name": tt.tool, "tool_input": tt.input})
			if e.Kind != agent.PermissionAsked || e.State != session.StateNeedsYou || e.Ask == nil {
				t.Fatalf("got %+v", e)
			}
			d := e.Ask.Decision
			if d.Title != tt.title || d.Detail != tt.detail {
				t.Errorf("title %q, detail %q", d.Title, d.Detail)
			}
			if d.Tool != tt.tool || d.Kind != session.KindPermission || !d.Answerable {
				t.Errorf("decision %+v", d)
			}
		})
	}
	e := tell(t, codex.New(), "PermissionRequest", fields{"tool_name": "Bash", "tool_input": fields{"command": "ls"}, "agent_id": "a1", "agent_type": "explorer"})
	if !strings.HasSuffix(e.Ask.Decision.Detail, "Asked by the sub-agent explorer.") {
		t.Errorf("detail %q", e.Ask.Decision.Detail)
	}
}

// A request names no call: it is the one before it with the same command,
// whatever the model's reason says.
func TestARequestIsMatchedToItsCall(t *testing.T) {
	a := codex.New()
	for i, command := range []string{"ls", "make", "make"} {
		tell(t, a, "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}, "tool_use_id": fmt.Sprint("c", i)})
	}
	ask := func(command, sub string) string {
		e := tell(t, a, "PermissionRequest", fields{"tool_name": "Bash", "tool_input": fields{"command": command, "description": "why"}, "agent_id": sub})
		return e.Ask.Decision.ToolCallID
	}
	if got := []string{ask("make", ""), ask("make", ""), ask("ls", ""), ask("rm", ""), ask("ls", "a1")}; !slices.Equal(got, []string{"c1", "c2", "c0", "", ""}) {
		t.Errorf("matched %q", got)
	}
}

func TestVerdicts(t *testing.T) {
	e := tell(t, codex.New(), "PermissionRequest", fields{"tool_name": "Bash", "tool_input": fields{"command": "ls"}})
	for _, tt := range []struct {
		answer session.Answer
		want   string
	}{
		{session.Answer{Option: "once"}, `{"hookSpecificOutput":{"decision":{"behavior":"allow"},"hookEventName":"PermissionRequest"}}`},
		{session.Answer{Option: "deny", Note: " no <b>\x1b[2J "}, `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no <b>"},"hookEventName":"PermissionRequest"}}`},
		{session.Answer{Option: "deny"}, `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"The user declined this. Wait for the user to say how to go on."},"hookEventName":"PermissionRequest"}}`},
	} {
		got, err := e.Ask.Verdict(tt.answer)
		if err != nil || string(got) != tt.want {
			t.Errorf("%+v: %s, %v; want %s", tt.answer, got, err, tt.want)
		}
	}
	var fault *session.Error
	if _, err := e.Ask.Verdict(session.Answer{Option: "always1"}); !errors.As(err, &fault) || fault.Hint != "the options are: once, deny" {
		t.Errorf("an option that is not there: %v", err)
	}
}

func TestRecords(t *testing.T) {
	for name, want := range map[string]string{
		"session": `assistant: I look first.
tool Bash: ls /nonexistent; exit 3
  -> failed: ls: cannot access '/nonexistent': No such file or directory
tool Bash: apply_patch <<'EOF'⏎*** Begin Patch⏎*** Add File: a.txt⏎+hello⏎*** End Patch⏎EOF
apply_patch <<'EOF'
*** Begin Patch
*** Add File: a.txt
+hello
*** End Patch
EOF
  -> Success. Updated the following files:
A a.txt
tool Bash: echo out
  -> out
tool list_nothing: a: 1
  -> unsupported call: multi_agent_v1list_nothing
assistant: All **done**.
  -> Offered to the person under the title “Cover the loader” (id p5xwdnwal6). The person may start it or leave it; you will not be told which. Nothing has run. Do not wait for it, do not do that work here, and do not offer it again. Go on with your own task.
tool apply_patch: b.txt, c.txt
*** Begin Patch
*** Update File: b.txt
*** Delete File: c.txt
*** End Patch
`,
		"interrupted": "tool Bash: touch two\n  -> Wall time: 4.4 seconds\naborted by user\nnotice: Interrupted (failed)\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".jsonl")
			items, next, err := codex.New().Reader().Read(path, 0)
			if err != nil {
				t.Fatal(err)
			}
			if more, again, err := codex.New().Reader().Read(path, next); len(more) > 0 || again != next || err != nil {
				t.Errorf("read again: %v, %d, %v", more, again, err)
			}
			var b strings.Builder
			keys := map[string]bool{}
			for _, i := range items {
				if u := i.Update; u != nil {
					failed := map[bool]string{true: "failed: "}[u.Failed]
					fmt.Fprintf(&b, "  -> %s%s\n", failed, strings.TrimSpace(u.Output))
					continue
				}
				e := i.Entry
				fmt.Fprintf(&b, "%s: %s%s\n", strings.TrimSpace(string(e.Kind)+" "+e.Tool), e.Text+strings.TrimSpace(e.Input), map[bool]string{true: " (failed)"}[e.Failed])
				if e.Key == "" || keys[e.Key] || e.At.IsZero() || i.Interrupted {
					t.Errorf("entry %+v", e)
				}
				keys[e.Key] = true
			}
			if got := b.String(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
