package claude_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/claude"

	"pgregory.net/rapid"
)

// settings is a settings folder of its own.
type settings struct {
	dir, file string
	in        agent.Installation
}

func newSettings(t testing.TB) settings {
	t.Helper()
	dir, err := os.MkdirTemp("", "claude")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := settings{dir: filepath.Join(dir, "config"), in: agent.Installation{
		Program: []string{"/opt/it's here/aside-hook"}, Hold: 4 * time.Hour, State: filepath.Join(dir, "state"),
	}}
	s.file = filepath.Join(s.dir, "settings.json")
	t.Setenv("CLAUDE_CONFIG_DIR", s.dir)
	return s
}

func (s settings) hooks(t testing.TB) agent.Hooks {
	t.Helper()
	h, err := claude.Kind().Hooks(s.in)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (s settings) put(t testing.TB, text string) {
	t.Helper()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func (s settings) text(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func install(t testing.TB, h agent.Hooks, want bool) {
	t.Helper()
	if changed, err := h.Install(); err != nil || changed != want {
		t.Fatalf("Install = %v, %v; want %v", changed, err, want)
	}
}

func remove(t testing.TB, h agent.Hooks, want bool) {
	t.Helper()
	if changed, err := h.Remove(); err != nil || changed != want {
		t.Fatalf("Remove = %v, %v; want %v", changed, err, want)
	}
}

// texts are settings as people and programs write them.
var texts = map[string]string{
	"nothing":            "{}",
	"nothing, spread":    "{\n}\n",
	"a person's own":     "{\n  \"model\" : \"opus\",\n  \"permissions\": { \"allow\": [\"Bash(ls)\"] }   \n}\n",
	"tabs":               "{\n\t\"a\": 1,\n\t\"z\": [1,\n2]\n}",
	"windows":            "{\r\n    \"a\": 1\r\n}\r\n",
	"one line":           `{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}`,
	"numbers and marks":  "{\n  \"n\": 1.50e+10, \"u\": \"\\u00fc\\/<&>\",\"dup\":1,\"dup\":2}\n\n\n",
	"other hooks":        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [ {\"type\": \"command\", \"command\": \"check {\\\"\" } ]\n      }\n    ],\n    \"Other\": []\n  },\n  \"last\": true\n}\n",
	"empty hooks":        "{ \"hooks\": { } }",
	"an empty event":     "{ \"hooks\": { \"Stop\": [ ] } }",
	"a strange matcher":  `{"hooks":{"Stop":["what",{"hooks":7},{}]}}`,
	"white space around": "\n\n  {\"a\":\n1}  \n",
}

func TestInstalledHooksComeAndGoToTheByte(t *testing.T) {
	for name, before := range texts {
		t.Run(name, func(t *testing.T) {
			s := newSettings(t)
			s.put(t, before)
			h := s.hooks(t)
			install(t, h, true)
			after := s.text(t)
			if st, err := h.Status(); err != nil || st.Installed != st.Events || st.Other != 0 || st.File != s.file {
				t.Errorf("status %+v, %v", st, err)
			}
			if !subsequence(before, after) {
				t.Errorf("bytes of the person's were changed:\n%s", after)
			}
			sameBut(t, before, after)
			install(t, h, false)
			if again := s.text(t); again != after {
				t.Errorf("a second install changed\n%s\nto\n%s", after, again)
			}
			if info, err := os.Stat(s.file); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			remove(t, h, true)
			if got := s.text(t); got != before {
				t.Errorf("after removal\n%q\nwant\n%q", got, before)
			}
			remove(t, h, false)
			if left, err := filepath.Glob(filepath.Join(s.dir, "*")); err != nil || len(left) != 1 {
				t.Errorf("left behind: %q, %v", left, err)
			}
		})
	}
}

// subsequence says that all bytes of a are in b, in order; white space in
// brackets that held nothing else may have gone.
func subsequence(a, b string) bool {
	a = strings.NewReplacer("{ }", "{}", "[ ]", "[]", "{\n}", "{}").Replace(a)
	for i := range len(b) {
		if len(a) > 0 && a[0] == b[i] {
			a = a[1:]
		}
	}
	return a == ""
}

// sameBut checks that settings mean the same but for the hooks of aside.
func sameBut(t testing.TB, before, after string) {
	t.Helper()
	var a, b map[string]any
	if err := errors.Join(json.Unmarshal([]byte(before), &a), json.Unmarshal([]byte(after), &b)); err != nil {
		t.Fatalf("%v in\n%s", err, after)
	}
	hooks, _ := b["hooks"].(map[string]any)
	for event, list := range hooks {
		kept := []any{}
		for _, group := range list.([]any) {
			if text, _ := json.Marshal(group); !bytes.Contains(text, []byte("ASIDE_SOCKET")) {
				kept = append(kept, group)
			}
		}
		hooks[event] = kept
		was, _ := a["hooks"].(map[string]any)
		if _, there := was[event]; !there && len(kept) == 0 {
			delete(hooks, event)
		}
	}
	if _, there := a["hooks"]; !there && len(hooks) == 0 {
		delete(b, "hooks")
	}
	if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
		t.Errorf("beside the hooks\n%s\nbecame\n%s", x, y)
	}
}

func TestWithoutAFileOneIsMadeAndTakenAway(t *testing.T) {
	s := newSettings(t)
	h := s.hooks(t)
	if st, err := h.Status(); err != nil || st.Installed != 0 {
		t.Errorf("status %+v, %v", st, err)
	}
	remove(t, h, false)
	install(t, h, true)
	if info, err := os.Stat(s.file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info, err)
	}
	remove(t, h, true)
	if _, err := os.Lstat(s.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// What somebody else changed since stays; only what is aside's goes.
func TestRemovalKeepsWhatWasChangedSince(t *testing.T) {
	for name, before := range texts {
		t.Run(name, func(t *testing.T) {
			s := newSettings(t)
			s.put(t, before)
			h := s.hooks(t)
			install(t, h, true)
			// As the agent does when the person allows something for good.
			var v map[string]any
			if err := json.Unmarshal([]byte(s.text(t)), &v); err != nil {
				t.Fatal(err)
			}
			v["added"] = map[string]any{"by": "another"}
			text, err := json.MarshalIndent(v, "", "    ")
			if err != nil {
				t.Fatal(err)
			}
			s.put(t, string(text))
			remove(t, h, true)
			got := s.text(t)
			if strings.Contains(got, "ASIDE") || !strings.Contains(got, `"another"`) {
				t.Errorf("after removal\n%s", got)
			}
			var was, is map[string]any
			if err := errors.Join(json.Unmarshal([]byte(before), &was), json.Unmarshal([]byte(got), &is)); err != nil {
				t.Fatal(err)
			}
			delete(is, "added")
			if strings.Contains(name, "empty") || name == "other hooks" {
				return // what held nothing may have gone
			}
			if x, y := fmt.Sprint(was), fmt.Sprint(is); x != y {
				t.Errorf("%s became %s", x, y)
			}
		})
	}
}

func TestAnotherAsideTakesThePlaceOfTheEarlierOne(t *testing.T) {
	s := newSettings(t)
	before := texts["other hooks"]
	s.put(t, before)
	install(t, s.hooks(t), true)
	s.in.Program = []string{"/new/aside", "hook"}
	s.in.Hold = time.Hour
	h := s.hooks(t)
	if st, err := h.Status(); err != nil || st.Installed != 0 || st.Other != st.Events {
		t.Errorf("status %+v, %v", st, err)
	}
	install(t, h, true)
	if got := s.text(t); strings.Contains(got, "/opt") || !strings.Contains(got, "/new/aside hook --agent claude --event Stop") || !strings.Contains(got, `"timeout": 3660`) {
		t.Errorf("installed\n%s", got)
	}
	remove(t, h, true)
	if got := s.text(t); got != before {
		t.Errorf("after removal\n%s", got)
	}
}

func TestAHookMovedAmongOthersIsTakenOutAlone(t *testing.T) {
	s := newSettings(t)
	s.put(t, "{}")
	h := s.hooks(t)
	install(t, h, true)
	s.put(t, strings.Replace(s.text(t), `"hooks": [`, `"hooks": [ {"type":"command","command":"mine"},`, 1))
	remove(t, h, true)
	if got := s.text(t); strings.Contains(got, "ASIDE") || strings.Count(got, `"mine"`) != 1 || !json.Valid([]byte(got)) {
		t.Errorf("after removal\n%s", got)
	}
}

func TestUnusableSettingsAreLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"broken":             "{\n  \"a\": 1,\n}",
		"with a comment":     "{ // mine\n}",
		"with a mark before": "\ufeff{}",
		"nothing":            "",
		"a list":             "[]",
		"hooks of no kind":   `{"hooks": 7}`,
		"hooks twice":        `{"hooks": {}, "hooks": {}}`,
		"an event twice":     `{"hooks": {"Stop": [], "Stop": []}}`,
		"an event of a kind": `{"hooks": {"Stop": {}}}`,
		"cut off":            `{"hooks": {"Stop": [`,
		"two":                "{}{}",
	} {
		t.Run(name, func(t *testing.T) {
			s := newSettings(t)
			s.put(t, text)
			h := s.hooks(t)
			for _, do := range []func() (bool, error){h.Install, h.Remove} {
				changed, err := do()
				var e *session.Error
				if changed || !errors.As(err, &e) || !strings.Contains(e.Message, s.file) || e.Hint == "" {
					t.Errorf("got %v, %v", changed, err)
				}
			}
			if got := s.text(t); got != text {
				t.Errorf("it became %q", got)
			}
		})
	}
}

func TestWhatIsNoRegularFileIsLeftAlone(t *testing.T) {
	for name, make := range map[string]func(s settings) error{
		"a link": func(s settings) error {
			return errors.Join(os.WriteFile(s.file+".real", []byte("{}"), 0o600), os.Symlink(s.file+".real", s.file))
		},
		"a link to nothing": func(s settings) error { return os.Symlink(s.file+".real", s.file) },
		"a folder":          func(s settings) error { return os.Mkdir(s.file, 0o700) },
		"a pipe":            func(s settings) error { return syscall.Mkfifo(s.file, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSettings(t)
			if err := errors.Join(os.Mkdir(s.dir, 0o700), make(s)); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(s.file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.hooks(t).Install()
			var e *session.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, "left as it is") || strings.HasPrefix(name, "a link") != strings.Contains(e.Message, "symbolic link to") {
				t.Errorf("got %v", err)
			}
			if after, err := os.Lstat(s.file); err != nil || !os.SameFile(before, after) {
				t.Errorf("it was replaced: %v", err)
			}
		})
	}
}

// Two that install at once, and one that removes, leave a file that one of
// them alone could have left.
func TestInstallsAtOnce(t *testing.T) {
	for range 20 {
		s := newSettings(t)
		before := texts["a person's own"]
		s.put(t, before)
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for range 4 {
			h := s.hooks(t)
			wg.Go(func() {
				<-begin
				if _, err := h.Install(); err != nil {
					t.Error(err)
				}
			})
		}
		close(begin)
		wg.Wait()
		if st, err := s.hooks(t).Status(); err != nil || st.Installed != st.Events || st.Other != 0 {
			t.Errorf("status %+v, %v", st, err)
		}
		remove(t, s.hooks(t), true)
		if got := s.text(t); got != before {
			t.Errorf("after removal\n%s", got)
		}
	}
}

// Whatever the settings hold: the hooks are added, nothing else changes, and
// all of it can be taken back.
func TestAnySettings(t *testing.T) {
	s := newSettings(t)
	h := s.hooks(t)
	rapid.Check(t, func(r *rapid.T) {
		space := rapid.SampledFrom([]string{"", " ", "\n", "\n  ", "\t", "\r\n"})
		word := rapid.SampledFrom([]string{`"a"`, `"é\"}{]["`, `""`, `"hooks"`, `"Stop"`})
		var value func(depth int) string
		value = func(depth int) string {
			sp := func() string { return space.Draw(r, "space") }
			kind := rapid.IntRange(0, 5).Draw(r, "kind")
			if depth == 0 {
				kind = 5
			}
			if depth > 2 && kind > 3 {
				kind = 0
			}
			var parts []string
			for range rapid.IntRange(0, 3).Draw(r, "n") {
				switch kind {
				case 4:
					parts = append(parts, sp()+value(depth+1)+sp())
				case 5:
					parts = append(parts, sp()+word.Draw(r, "name")+sp()+":"+sp()+value(depth+1)+sp())
				}
			}
			switch kind {
			case 0:
				return rapid.SampledFrom([]string{"1", "-1.5E3", "true", "null"}).Draw(r, "literal")
			case 4:
				return "[" + strings.Join(parts, ",") + sp() + "]"
			case 5:
				return "{" + strings.Join(parts, ",") + sp() + "}"
			}
			return word.Draw(r, "text")
		}
		before := value(0)
		s.put(t, before)
		if _, err := h.Install(); err != nil {
			if got := s.text(t); got != before {
				r.Fatalf("refused, and yet %q became %q", before, got)
			}
			return
		}
		after := s.text(t)
		if !json.Valid([]byte(after)) {
			r.Fatalf("%q became %q", before, after)
		}
		if changed, err := h.Install(); err != nil || changed || s.text(t) != after {
			r.Fatalf("again: %v, %v", changed, err)
		}
		if changed, err := h.Remove(); err != nil || !changed || s.text(t) != before {
			r.Fatalf("%v, %v: %q became %q", changed, err, before, s.text(t))
		}
	})
}

// The command costs a shell and nothing else outside aside, whatever became
// of the program, and runs it inside.
func TestTheInstalledCommandRunsOnlyInsideAside(t *testing.T) {
	s := newSettings(t)
	program := filepath.Join(filepath.Dir(s.dir), "it's a hook")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.in.Program = []string{program}
	install(t, s.hooks(t), true)
	var v struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	if err := json.Unmarshal([]byte(s.text(t)), &v); err != nil {
		t.Fatal(err)
	}
	command := v.Hooks["PermissionRequest"][0].Hooks[0].Command
	for name, tt := range map[string]struct {
		env  []string
		want string
	}{
		"outside":                        {nil, ""},
		"in a pane":                      {[]string{"ASIDE_SOCKET=/s"}, "--agent claude --event PermissionRequest\n"},
		"in a thread of its own kind":    {[]string{"ASIDE_SOCKET=/s", "ASIDE_AGENT=claude"}, ""},
		"in a thread of another program": {[]string{"ASIDE_SOCKET=/s", "ASIDE_AGENT="}, "--agent claude --event PermissionRequest\n"},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Env = tt.env
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, out, err, tt.want)
		}
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "env", "-i", "sh", "-c", command).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("without the program: %q, %v", out, err)
	}
}
