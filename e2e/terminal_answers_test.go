//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aside/session"
	"aside/session/client"
	"aside/session/transcript"
)

// home is the folder that the stage's aside keeps everything in.
func (s *stage) asideHome(t *testing.T) string {
	t.Helper()
	for _, kv := range s.env {
		if dir, ok := strings.CutPrefix(kv, "ASIDE_HOME="); ok {
			return dir
		}
	}
	t.Fatal("the stage has no aside")
	return ""
}

// typist is a client that types into a thread's agent, and keeps what it is
// told of decisions.
type typist struct {
	*client.Attachment
	heard chan struct{} // holds a token when the helper has taken all that was sent
	mu    sync.Mutex
	gone  []client.Gone
}

func (s *stage) typist(t *testing.T, id string) *typist {
	t.Helper()
	a, err := client.Attach(t.Context(), filepath.Join(s.asideHome(t), "run", id+".sock"), session.ThreadID(id))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	y := &typist{Attachment: a, heard: make(chan struct{}, 1)}
	go func() {
		for {
			d, err := a.Next()
			if err != nil {
				return
			}
			if d.History != nil {
				y.heard <- struct{}{}
			}
			if d.Gone != nil {
				y.mu.Lock()
				y.gone = append(y.gone, *d.Gone)
				y.mu.Unlock()
			}
		}
	}()
	return y
}

func (y *typist) press(t *testing.T, code session.KeyCode) {
	t.Helper()
	must(t, y.Send(client.Up{Input: &client.PaneInput{
		Pane: session.PaneAgent, Event: session.Input{Key: &session.KeyEvent{Code: code, Text: typed(code)}},
	}}))
}

// typed is what a key types.
func typed(code session.KeyCode) string {
	if code > ' ' && code < session.KeyBackspace {
		return string(rune(code))
	}
	return ""
}

// answer presses a key at the agent's own prompt, which is known by its words,
// until it is gone: Claude Code and Codex ignore a key that comes before the
// prompt could be read.
func (y *typist) answer(t *testing.T, s *stage, id, prompt string, key session.KeyCode) {
	t.Helper()
	const looks = 20 // at the screen, for what a key does
	look := 0
	await(t, "the end of the prompt", func() (struct{}, bool) {
		there := strings.Contains(s.aside(t, "screen", id), prompt)
		if there && look%looks == 0 {
			y.press(t, key)
		}
		if there || look > 0 {
			look++
		}
		return struct{}{}, !there && look > 0
	})
}

// released says that exactly one end was told of the decision, and which.
func (y *typist) released(t *testing.T, id session.DecisionID, want session.Release) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	if len(y.gone) != 1 || y.gone[0] != (client.Gone{Decision: id, Released: want}) {
		t.Errorf("the client was told %+v, want one release of %s: %s", y.gone, id, want)
	}
}

func (s *stage) state(t *testing.T, id string, want session.State) {
	t.Helper()
	await(t, "the state "+string(want), func() (session.State, bool) {
		got := s.thread(t, id).State
		return got, got == want
	})
}

// lines counts the lines of a file of the project.
func (s *stage) lines(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.project, name))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(text, []byte{'\n'})
}

const proceed = "Do you want to proceed?"

// A Yes in the terminal: the decision is released, the tool runs once, and
// the thread works while it does, though no event of the agent says so. The
// tool waits for a file, so that what is seen is seen while it runs.
func TestYesInTheTerminalRunsTheToolOnce(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	id := s.ask(t, `@tool Bash {"command":"echo ran >> ran; while [ ! -e go ]; do sleep 0.1; done"}`, "@text It went.")
	d := s.decision(t)
	y := s.typist(t, id)
	s.state(t, id, session.StateNeedsYou)
	y.answer(t, s, id, proceed, session.KeyEnter)
	y.released(t, d.ID, session.ReleaseTerminal)
	if _, code := s.run(t, "answer", string(d.ID), "deny"); code != int(session.CodeFailed) {
		t.Errorf("an answer that comes late ended with status %d", code)
	}
	s.state(t, id, session.StateWorking)
	if out := s.aside(t, "explain", id); !strings.Contains(out, "terminal") || !strings.Contains(out, "held on nothing") {
		t.Errorf("explained as\n%s", out)
	}
	must(t, os.WriteFile(filepath.Join(s.project, "go"), nil, 0o600))
	s.whole(t, id, "It went.")
	if n := s.lines(t, "ran"); n != 1 {
		t.Errorf("the tool ran %d times", n)
	}
	s.state(t, id, session.StateDone)
}

// Escape and No end the turn without any event: the record alone tells.
func TestNoInTheTerminalLeavesTheThreadIdle(t *testing.T) {
	for name, choice := range map[string]*regexp.Regexp{
		"escape": nil,
		"no":     regexp.MustCompile(`([2-9])\. No`),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.withAside(t)
			id := s.ask(t, touchIt)
			d := s.decision(t)
			y := s.typist(t, id)
			key := session.KeyEscape
			if choice != nil {
				key = await(t, "the choice", func() (session.KeyCode, bool) {
					m := choice.FindStringSubmatch(s.aside(t, "screen", id))
					if m == nil {
						return 0, false
					}
					return session.KeyCode(m[1][0]), true
				})
			}
			y.answer(t, s, id, proceed, key)
			s.state(t, id, session.StateIdle)
			y.released(t, d.ID, session.ReleaseTerminal)
			if s.has(t, "made-by-agent") {
				t.Error("what was refused ran")
			}
			if !slices.ContainsFunc(listed[transcript.Entry](t, s, "transcript", id), func(e transcript.Entry) bool {
				return e.Kind == transcript.KindNotice && e.Text == "Interrupted"
			}) {
				t.Error("the transcript does not tell of it")
			}
			// The agent goes on as if nothing had been there.
			s.aside(t, "send", id, "@text Here I am.")
			s.whole(t, id, "Here I am.")
		})
	}
}

// A key that answers nothing hands the question to the terminal, where it
// still stands; a prompt is not typed into it until it is answered there.
func TestAKeyInTheTerminalKeepsItsPrompt(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	id := s.ask(t, touchIt)
	d := s.decision(t)
	y := s.typist(t, id)
	await(t, proceed, func() (struct{}, bool) {
		return struct{}{}, strings.Contains(s.aside(t, "screen", id), proceed)
	})
	y.press(t, session.KeyDown)
	await(t, "the release", func() (struct{}, bool) {
		return struct{}{}, len(listed[session.Decision](t, s, "decisions")) == 0
	})
	y.released(t, d.ID, session.ReleaseTerminal)
	if out := s.aside(t, "screen", id); !strings.Contains(out, proceed) || s.has(t, "made-by-agent") {
		t.Errorf("the prompt is gone:\n%s", out)
	}
	s.state(t, id, session.StateNeedsYou)
	if _, code := s.run(t, "send", id, "@text Here I am."); code != int(session.CodeFailed) {
		t.Errorf("a prompt that would answer it ended with status %d", code)
	}
	if out := s.aside(t, "screen", id); !strings.Contains(out, proceed) || s.has(t, "made-by-agent") {
		t.Errorf("the prompt was typed into it:\n%s", out)
	}
	y.answer(t, s, id, proceed, '1')
	s.state(t, id, session.StateDone)
	s.aside(t, "send", id, "@text Here I am.")
	s.whole(t, id, "Here I am.")
}

// What a hook prints after the terminal was first does no harm. The hook is a
// script here, since aside's own would say nothing any more.
func TestALateVerdictDoesNoHarm(t *testing.T) {
	s := newStage(t)
	gate := filepath.Join(tempDir(t), "gate")
	must(t, syscall.Mkfifo(gate, 0o600))
	said := filepath.Join(filepath.Dir(gate), "said")
	settings := hooked(t, map[string]string{
		"PermissionRequest": "cat > /dev/null; read x < " + gate + "\n" +
			`echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"too late"}}}'` +
			"\ntouch " + said,
	})
	tm := s.open(t, s.program, "--permission-mode", "manual", "--settings", settings,
		`@tool Bash {"command":"echo ran >> ran; while [ ! -e go ]; do sleep 0.1; done"}`+"\n@text It went.")
	see(t, tm, `Do you want to proceed\?`)
	confirm(t, tm, `Do you want to proceed\?`)
	await(t, "the tool", func() (struct{}, bool) { return struct{}{}, s.has(t, "ran") })
	must(t, os.WriteFile(gate, []byte("\n"), 0))
	await(t, "the late verdict", func() (struct{}, bool) {
		_, err := os.Stat(said)
		return struct{}{}, err == nil
	})
	must(t, os.WriteFile(filepath.Join(s.project, "go"), nil, 0o600))
	see(t, tm, `^● It went\.`)
	if got := s.answered(t, 1); len(got) != 1 || strings.Contains(got[0], "too late") || s.lines(t, "ran") != 1 {
		t.Errorf("the agent was told %q, the tool ran %d times", got, s.lines(t, "ran"))
	}
}

// generic makes a thread of the stage's aside run a shell that does nothing:
// a helper in whose pane an agent can be a guest.
func (s *stage) generic(t *testing.T) string {
	t.Helper()
	file := filepath.Join(s.asideHome(t), "config", "config.toml")
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, append(text, "\n[agents.generic]\ncommand = \"cat\"\n"...), 0o600))
	return s.aside(t, "new", "--agent", "generic", "--checkout", "shared", "hello")
}

// The client, started by hand with hooks that aside hooks installed, is held
// and answered like one that aside started. When its helper is killed it asks
// in its own prompt, and goes on.
func TestAClientStartedByHandIsHeldAndOutlivesItsHelper(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	config := filepath.Join(s.homeDir, ".claude")
	must(t, os.MkdirAll(config, 0o700))
	const own = "{\n\t\"permissions\" : { \"allow\": [ \"Bash(true)\" ] }\n}\n"
	must(t, os.WriteFile(filepath.Join(config, "settings.json"), []byte(own), 0o600))
	s.aside(t, "hooks", "install")
	id := s.generic(t)
	socket := filepath.Join(s.asideHome(t), "run", id+".sock")
	outside := s.env
	s.env = append(slices.Clone(outside), "ASIDE_SOCKET="+socket, "ASIDE_THREAD="+id, "ASIDE_PANE=agent")
	tm := s.open(t, s.program, "--permission-mode", "manual", touchIt)
	s.env = outside

	d := s.decision(t)
	if d.Agent != "claude" || d.Title != "touch made-by-agent" || string(d.Thread) != id {
		t.Errorf("the decision is %+v", d)
	}
	s.aside(t, "answer", string(d.ID), "once")
	see(t, tm, `^● All is done now\.`)
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}

	must(t, tm.Type(`@tool Bash {"command":"touch second"}`))
	see(t, tm, `touch second`)
	must(t, tm.Key("enter"))
	held := s.decision(t)
	status, err := client.Call[client.Status](t.Context(), socket, client.OpStatus, session.ThreadID(id), nil)
	must(t, err)
	must(t, syscall.Kill(status.PID, syscall.SIGKILL))
	see(t, tm, `Do you want to proceed\?`)
	confirm(t, tm, `Do you want to proceed\?`)
	s.answered(t, 2)
	if !s.has(t, "second") {
		t.Errorf("the tool of %s did not run", held.ID)
	}

	s.aside(t, "hooks", "remove")
	after, err := os.ReadFile(filepath.Join(config, "settings.json"))
	if err != nil || string(after) != own {
		t.Errorf("after removal the settings are %q, %v", after, err)
	}
}

// The client, started by hand in a shell pane, is answered in the bar over that
// pane, and its thread's own agent has no part in it.
func TestAClientInAShellPaneIsAnsweredInTheBarOverIt(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	must(t, os.MkdirAll(filepath.Join(s.homeDir, ".claude"), 0o700))
	s.aside(t, "hooks", "install")
	must(t, os.WriteFile(filepath.Join(s.project, "prompt"), []byte(touchIt), 0o600))
	must(t, os.WriteFile(filepath.Join(s.project, "shell"), []byte("#!/bin/sh\nPS1='$ ' exec sh -i\n"), 0o700))
	outside := s.env
	s.env = append(slices.Clone(outside), "SHELL="+filepath.Join(s.project, "shell"))
	s.generic(t)
	screen := s.open(t, binary(t))
	see(t, screen, `hello`)
	must(t, screen.Key("ctrl+space", "|"))
	see(t, screen, `─ shell1\* ─(.*\n)+.*│\$`)
	must(t, screen.Type(s.program+` --permission-mode manual "$(cat prompt)"`+"\n"))
	see(t, screen, `─ ◐ .*Claude Code\* ─+\n.*│.*│ ▌ Bash`)
	if d := s.decision(t); d.Agent != "claude" || d.Pane != "shell1" {
		t.Errorf("the decision is %+v", d)
	}
	must(t, screen.Key("ctrl+space", "1"))
	see(t, screen, `● All is done now\.`)
	if !s.has(t, "made-by-agent") {
		t.Error("the tool did not run")
	}
}

// The real hook on a real helper that is killed while it holds: nothing on
// standard output, the reason on standard error, status 0.
func TestTheHookSaysWhyWhenItsHelperIsKilled(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	id := s.generic(t)
	socket := filepath.Join(s.asideHome(t), "run", id+".sock")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	hook := exec.CommandContext(ctx, filepath.Join(filepath.Dir(binary(t)), "aside-hook"), "--agent", "claude", "--event", "PermissionRequest")
	hook.Env = []string{"ASIDE_SOCKET=" + socket, "ASIDE_THREAD=" + id, "ASIDE_PANE=agent"}
	hook.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`, s.project))
	var stdout, stderr bytes.Buffer
	hook.Stdout, hook.Stderr = &stdout, &stderr
	must(t, hook.Start())
	s.decision(t)
	status, err := client.Call[client.Status](t.Context(), socket, client.OpStatus, session.ThreadID(id), nil)
	must(t, err)
	killed := time.Now()
	must(t, syscall.Kill(status.PID, syscall.SIGKILL))
	if err := hook.Wait(); err != nil || stdout.Len() > 0 || stderr.Len() == 0 {
		t.Errorf("%v, stdout %q, stderr %q", err, &stdout, &stderr)
	}
	t.Logf("the hook ended %v after its helper: %s", time.Since(killed), &stderr)
}
