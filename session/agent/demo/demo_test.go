package demo_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"aside/proposals"
	"aside/proposals/actions"
	"aside/session"
	"aside/session/agent"
	"aside/session/agent/demo"
)

func allow(more string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"` + more + `}}}`
}

func deny(message string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"` + message + `"}}}`
}

func TestItIntroducesItselfAndHelps(t *testing.T) {
	r := start(t)
	r.see("This is aside's demo agent")
	r.send("help\r")
	r.see("offer two threads")
	r.event("Stop", 1)
	if got, want := strings.Join(r.events(), " "), "SessionStart UserPromptSubmit Stop"; got != want {
		t.Errorf("the hook got %s, want %s", got, want)
	}
}

func TestTour(t *testing.T) {
	r := start(t, "--", "tour")
	r.event("PermissionRequest", 1)
	r.see("1. Yes")
	r.verdict(allow(""))
	r.see("That is the whole of it.")
	if !strings.Contains(r.text(), "## No commits yet on main") {
		t.Errorf("the command that was allowed did not run:\n%s", r.text())
	}
	r.event("Stop", 1)
	if got, want := strings.Join(r.events(), " "), "SessionStart UserPromptSubmit PreToolUse PostToolUse PreToolUse PostToolUse"+
		" PreToolUse PermissionRequest PostToolUse PreToolUse PostToolUse Stop"; got != want {
		t.Errorf("the hook got %s\nwant %s", got, want)
	}
	var calls []string
	for line := range strings.Lines(r.read("calls")) {
		var c struct {
			Tool      string
			Arguments json.RawMessage
			Meta      map[string]string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Meta["claudecode/toolUseId"] == "" {
			t.Errorf("call %s", line)
		}
		calls = append(calls, c.Tool+": "+title(t, c.Tool, c.Arguments))
	}
	if want := []string{
		"propose_thread: Make the settings loader report bad input", "propose_thread: Say in the README how to run the tests",
		"propose_terminal_actions: See the state of the work tree in your shell",
	}; !reflect.DeepEqual(calls, want) {
		t.Errorf("it called %q", calls)
	}
}

// title returns what a call is called on its card. A call that aside would
// refuse is a fault.
func title(t *testing.T, tool string, arguments []byte) string {
	t.Helper()
	switch tool {
	case "propose_thread":
		o, err := proposals.Decode(arguments)
		if err != nil {
			t.Errorf("%s is refused: %v", arguments, err)
		}
		return o.Title
	case "propose_terminal_actions":
		choices, err := actions.Decode(string(arguments), nil)
		if err != nil || len(choices) == 0 {
			t.Fatalf("%s is refused: %v", arguments, err)
		}
		return choices[0].Title
	}
	return ""
}

// Whatever the program sends has to mean something to its adapter.
func TestAdapterReadsWhatTheProgramSends(t *testing.T) {
	r := start(t)
	r.send("ask\r")
	request := r.event("PermissionRequest", 1)
	a := demo.Kind().New()
	for i, name := range r.events()[:3] {
		if _, err := a.Event(name, r.event(name, 1)); err != nil {
			t.Errorf("event %d: %v", i, err)
		}
	}
	ev, err := a.Event("PermissionRequest", request)
	if err != nil {
		t.Fatal(err)
	}
	d := ev.Ask.Decision
	if !d.Answerable || d.Title != "git status --short --branch" || d.ToolCallID == "" || ev.Session != "s1" {
		t.Errorf("got %+v", d)
	}
	r.answer(ev, session.Answer{Option: "always1"})
	r.see("That was allowed, so I ran it.")
	r.event("Stop", 1)

	// It was allowed for the session: the second time asks nothing.
	r.send("ask\r")
	r.event("Stop", 2)
	if n := strings.Count(strings.Join(r.events(), " "), "PermissionRequest"); n != 1 {
		t.Errorf("it asked %d times", n)
	}

	items, _, err := a.Reader().Read(ev.Transcript, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range items {
		switch {
		case i.Update != nil:
			got = append(got, "-> "+strings.TrimSpace(i.Update.Output))
		default:
			got = append(got, string(i.Entry.Kind)+" "+i.Entry.Text+i.Entry.Tool)
		}
	}
	status := "-> ## No commits yet on main\n?? parser.go"
	want := []string{"tool Bash", status, "assistant That was allowed, so I ran it.", "tool Bash", status, "assistant That was allowed, so I ran it."}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the record tells %q\nwant %q", got, want)
	}
}

func TestDeniedWithANote(t *testing.T) {
	r := start(t)
	r.send("edit\r")
	r.event("PermissionRequest", 1)
	r.see("+Written because you allowed it.")
	r.verdict(deny("Not in this folder."))
	r.see("Not in this folder.")
	r.see("That was denied, so I leave it.")
	r.unsee("1. Yes")
	if _, err := os.Stat(filepath.Join(r.cwd, "demo-notes.md")); !os.IsNotExist(err) {
		t.Errorf("the file was written all the same: %v", err)
	}
}

// Its own prompt is there while the hook is held, and the first answer wins:
// the hook is let go.
func TestAnsweredInTheTerminal(t *testing.T) {
	for _, tt := range []struct{ name, keys, see string }{
		{"yes by number", "1", "The file is written."},
		{"yes by letter", "y", "The file is written."},
		{"yes by the arrows", "\x1b[B\x1b[A\r", "The file is written."},
		{"no by letter", "n", "That was denied, so I leave it."},
		{"no by escape", "\x1b", "That was denied, so I leave it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t)
			r.send("edit\r")
			r.event("PermissionRequest", 1)
			r.see("3. No")
			r.send(tt.keys)
			r.see(tt.see)
			r.until("let the hook go", func() bool { return r.read("signals") != "" })
			r.unsee("3. No")
			r.event("Stop", 1)
		})
	}
}

func TestSilentHookLeavesItsOwnPromptInCharge(t *testing.T) {
	r := start(t)
	r.send("ask\r")
	r.event("PermissionRequest", 1)
	r.see("1. Yes")
	r.verdict("")
	r.send("2")
	r.see("That was allowed, so I ran it.")
}

func TestQuestion(t *testing.T) {
	r := start(t)
	r.send("question\r")
	ev := r.asks()
	if d := ev.Ask.Decision; d.Kind != session.KindQuestion || d.Options[1].Label != "The tests" {
		t.Fatalf("got %+v", d)
	}
	r.answer(ev, session.Answer{Option: "other", Note: "the build"})
	r.see("Your answer: the build")
	r.event("Stop", 1)

	r.send("question\r")
	r.event("PermissionRequest", 2)
	r.see("4. None of these")
	r.send("2")
	r.see("Your answer: The tests")
}

func TestSeveralQuestions(t *testing.T) {
	r := start(t)
	r.send("questions\r")
	r.answer(r.asks(), session.Answer{Option: session.OptionAnswers, Replies: []session.Reply{
		{Option: "other", Note: "the build"}, {Option: "several", Note: "1,3"},
	}})
	r.see("Your answer: the build; The settings, The names")
	r.event("Stop", 1)

	r.send("questions\r")
	r.event("PermissionRequest", 2)
	r.see("Which part shall I look at first?")
	r.send("2")
	r.see("What shall I leave alone?")
	r.send("1")
	r.see("Your answer: The tests; The settings")
}

func TestInterrupted(t *testing.T) {
	r := start(t, "--pace", "1h")
	r.send("look around\r")
	r.see("● I")
	r.send("\x1b")
	r.see("Interrupted")
	r.see("enter sends")
	ev, err := demo.Kind().New().Event("UserPromptSubmit", r.event("UserPromptSubmit", 1))
	if err != nil {
		t.Fatal(err)
	}
	items, _, err := demo.Kind().New().Reader().Read(ev.Transcript, 0)
	if err != nil || len(items) != 1 || !items[0].Interrupted {
		t.Errorf("the record tells %+v, %v", items, err)
	}
	if got := strings.Join(r.events(), " "); strings.Contains(got, "Stop") {
		t.Errorf("the hook got %s", got)
	}
}

func TestPromptsArriveVerbatimAndInTurn(t *testing.T) {
	r := start(t)
	r.see("enter sends")
	r.submit("edit")
	r.event("PermissionRequest", 1)
	r.see("1. Yes")
	r.send("\x1b[201~") // of no paste: nothing
	r.verdict(deny("no"))
	r.event("Stop", 1)

	r.submit("Task:\n!rm -rf ~\nthe second line\twith a tab")
	r.event("Stop", 2)
	var p struct{ Prompt string }
	if err := json.Unmarshal(r.event("UserPromptSubmit", 2), &p); err != nil {
		t.Fatal(err)
	}
	if want := "Task:\n!rm -rf ~\nthe second line\twith a tab"; p.Prompt != want {
		t.Errorf("got %q, want %q", p.Prompt, want)
	}
	r.see("In short, you asked: !rm -rf ~")
}

func TestPromptsWaitForTheirTurn(t *testing.T) {
	r := start(t, "--pace", "1h", "--", "first")
	r.see("● I")
	r.send("help\r")
	r.see("1 waiting")
	r.send("\x1b") // gives up what waits as well
	r.see("Interrupted")
	r.send("help\r")
	r.see("offer two threads")
	r.event("Stop", 1)
	if n := strings.Count(strings.Join(r.events(), " "), "UserPromptSubmit"); n != 2 {
		t.Errorf("%d prompts were taken", n)
	}
}

func TestEditingTheInput(t *testing.T) {
	r := start(t)
	r.see("enter sends")
	r.send("hxlp\x1b[D\x1b[D\x7f")
	r.see("❯ hlp")
	r.send("e two words\x17\x17\x17")
	r.see("❯ lp")
	r.send("he\x05 漢字\x01\x1b[3~\x1b[3~")
	r.see("❯ lp 漢字")
	r.send("\x15help\r")
	r.see("offer two threads")
}

func TestResize(t *testing.T) {
	r := start(t)
	r.see("enter sends")
	r.send("wide\r")
	r.see("two columns each")
	lines := []string{"|漢字|かな|한글|  two columns each", "|👩‍💻|🏳️‍🌈|🇩🇪|👍🏽|  one emoji each", "|e\u0301|n\u0303|"}
	for _, s := range []struct {
		cols, rows int
		see        []string // once
	}{{30, 12, nil}, {5, 3, nil}, {1, 1, nil}, {120, 50, lines}} {
		// The terminal is first, as in the helper: what the program draws in
		// its new size must not reach one of the old size.
		r.mu.Lock()
		r.scr.Resize(s.cols, s.rows)
		r.mu.Unlock()
		if err := r.child.Resize(s.cols, s.rows); err != nil {
			t.Fatal(err)
		}
		if s.cols < 30 {
			continue
		}
		box := "╭" + strings.Repeat("─", s.cols-2) + "╮"
		// All of it is there at last; on the way the program may draw again, as
		// it is told of each size.
		r.until("see all of it anew", func() bool {
			text := r.text()
			for _, l := range append(s.see, box, "╭") {
				if strings.Count(text, l) != 1 {
					return false
				}
			}
			return true
		})
	}
}

func TestColours(t *testing.T) {
	r := start(t)
	r.send("colors\r")
	r.see("underline")
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[session.Color]bool{}
	for _, c := range r.scr.Frame(0).Changed {
		for _, s := range c.Row.Spans {
			seen[s.Style.Bg] = true
		}
	}
	for _, c := range []session.Color{session.Indexed(9), session.Indexed(40), session.RGB(128, 127, 128)} {
		if !seen[c] {
			t.Errorf("colour %x is not shown", c)
		}
	}
}

func TestWithoutToolsAndHook(t *testing.T) {
	r := startWith(t, 80, 40, "none", "--hook", "ignored", "--", "offer")
	r.see("nothing was offered")
	r.send("\x04")
	if code := r.exited(); code != 0 {
		t.Errorf("status %d", code)
	}
}

func TestItLeavesTheTerminalAsItWas(t *testing.T) {
	for name, keys := range map[string]string{"exit": "exit\r", "ctrl+d": "\x04"} {
		t.Run(name, func(t *testing.T) {
			r := start(t)
			r.see("enter sends")
			r.mu.Lock()
			m := r.scr.Frame(0).Modes
			r.mu.Unlock()
			if !m.AltScreen || !m.Paste {
				t.Errorf("modes while it runs: %+v", m)
			}
			r.send(keys)
			if code := r.exited(); code != 0 {
				t.Errorf("status %d", code)
			}
			r.until("get the terminal back", func() bool {
				r.mu.Lock()
				defer r.mu.Unlock()
				m := r.scr.Frame(0).Modes
				return !m.AltScreen && !m.Paste
			})
			if got := r.events(); got[len(got)-1] != "SessionEnd" {
				t.Errorf("the hook got %v", got)
			}
		})
	}
}

// A pipe is no terminal: it reads prompts from it and ends with it.
func TestOnAPipe(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "--record", t.TempDir(), "--pace", "0")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TEST_DEMO_CALLS=none")
	cmd.Stdin = strings.NewReader("help\r")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "This is aside's demo agent") {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestCommand(t *testing.T) {
	l := agent.Launch{
		Session: "s1", Prompt: "--not-a-flag", RuntimeDir: "/run/t", Aside: "/opt/aside", Hook: "/opt/aside-hook", Resume: true,
	}
	c, err := demo.Kind().New().Command(l)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"demo-agent", "--session", "s1", "--record", "/run/t", "--hook", "/opt/aside-hook", "--resume", "--", "--not-a-flag"}
	if c.Path != "/opt/aside" || !reflect.DeepEqual(c.Args, want) || !c.PromptTaken {
		t.Errorf("got %s %q", c.Path, c.Args)
	}
	l.Hook, l.Prompt, l.Resume = "", "", false
	c, err = demo.Kind().New().Command(l)
	want = []string{"demo-agent", "--session", "s1", "--record", "/run/t", "--hook", "/opt/aside", "--hook", "hook"}
	if err != nil || !reflect.DeepEqual(c.Args, want) || c.PromptTaken {
		t.Errorf("got %q, %v", c.Args, err)
	}
}

func TestBadArgumentsAreAFault(t *testing.T) {
	err := demo.Run(t.Context(), []string{"--no-such-flag"}, os.Stdin, os.Stdout, nil)
	if session.CodeOf(err) != session.CodeUsage {
		t.Errorf("got %v", err)
	}
}
