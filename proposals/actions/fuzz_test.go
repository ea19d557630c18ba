package actions_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"aside/proposals/actions"
	"aside/session"
)

// FuzzRecognise: what is canonical is the bytes it says and nothing else, and
// no shell has anything to interpret in it.
func FuzzRecognise(f *testing.F) {
	channel := actions.Channel("v1." + strings.Repeat("0a", 16) + "." + strings.Repeat("b1", 16))
	f.Add(command(channel, plain))
	for _, a := range attacks() {
		f.Add(strings.NewReplacer("C ", string(channel)+" ", "P", plain).Replace(a.command))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := actions.Recognise(program, text)
		if r.Likeness != actions.Canonical {
			if r.Likeness == actions.Near && r.Reason == "" {
				t.Error("a near miss without a reason")
			}
			return
		}
		words := []string{
			program, actions.Subcommand, "--channel", string(r.Invocation.Channel), "--payload-json", "'" + r.Invocation.Payload + "'",
		}
		if strings.Join(words, " ") != text || len(r.Invocation.Payload) > actions.MaxPayload || !json.Valid([]byte(r.Invocation.Payload)) {
			t.Errorf("%q is canonical", text)
		}
		for i, c := range text {
			if c < 0x20 || c >= 0x7f || c == '\'' && i != len(text)-1 && i != len(text)-2-len(r.Invocation.Payload) {
				t.Errorf("%q holds %U at %d", text, c, i)
			}
		}
	})
}

// FuzzDecode: whatever is accepted is within the limits and can be seen.
func FuzzDecode(f *testing.F) {
	f.Add(plain)
	f.Add(one(`{"type":"open_and_run","place":"split","direction":"down","cwd":"a","title":"b","command":"c"}`))
	f.Add(one(`{"type":"delegate","title":"a","prompt":"b\nc"}`))
	f.Add(`{"schema_version":1,"schema_version":1}`)
	f.Add(one(`{"type":"run","command":"\ud83d\ude00"}`))
	f.Fuzz(func(t *testing.T, text string) {
		choices, err := actions.Decode(text, inside)
		var fault *actions.Fault
		if err != nil {
			if !errors.As(err, &fault) || fault.Field == "" || fault.Reason == "" || choices != nil {
				t.Errorf("%v is no fault", err)
			}
			return
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("%q is no JSON", text)
		}
		if len(choices) < 1 || len(choices) > 3 {
			t.Errorf("%d choices", len(choices))
		}
		for _, c := range choices {
			if len(c.Actions) < 1 || len(c.Actions) > 3 {
				t.Errorf("%d actions", len(c.Actions))
			}
			seen(t, c.Title+c.Rationale)
			for _, a := range c.Actions {
				seen(t, a.Title+a.Command+a.Cwd+strings.ReplaceAll(a.Prompt, "\n", ""))
			}
		}
	})
}

func seen(t *testing.T, text string) {
	for _, r := range text {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Cf) {
			t.Errorf("%q holds %U", text, r)
		}
	}
	if session.Mark(text) != text {
		t.Errorf("%q holds what is marked: %q", text, session.Mark(text))
	}
}

// shells are those of this machine that an agent may use.
func shells(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, s := range []string{"sh", "bash", "dash", "zsh", "ksh", "busybox"} {
		if path, err := exec.LookPath(s); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		t.Fatal("no shell here")
	}
	return found
}

// What is recognised, every shell parses into exactly the same arguments.
func TestEveryShellReadsTheSameArguments(t *testing.T) {
	dir := t.TempDir()
	echo := filepath.Join(dir, "aside")
	// It writes each argument and a byte that none of them holds.
	if err := os.WriteFile(echo, []byte("#!/bin/sh\nprintf '%s\\001' \"$@\"\nprintf '\\002'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if !actions.Callable(echo) {
		t.Skip("the folder for temporary files has a name that a shell would split")
	}
	var script []string
	var want [][]string
	text := rapid.OneOf(rapid.String(), rapid.StringMatching("[ -~]{0,40}"), rapid.SampledFrom([]string{
		"$(touch x)", "`touch x`", "'; touch x; '", `\`, `\\'`, "!!", "!$", "*", "~", "$HOME", "%s", "\n", "\r", "\x00", "#", "=ls", "{a,b}", "-n", "\u2028", "😀",
	}))
	channel, helper := rapid.StringMatching("[0-9a-f]{32}"), rapid.StringMatching("[0-9a-f]{32}")
	rapid.Check(t, func(r *rapid.T) {
		if len(script) >= 100 {
			return
		}
		object := rapid.MapOfN(text, text, 0, 4).Draw(r, "object")
		raw, err := json.Marshal(object)
		if err != nil {
			r.Fatal(err)
		}
		c := actions.Channel("v1." + helper.Draw(r, "helper") + "." + channel.Draw(r, "channel"))
		loose := echo + " " + actions.Subcommand + " --channel " + string(c) + " --payload-json '" + string(raw) + "'"
		found := actions.Recognise(echo, loose)
		line := found.Invocation.String() // of a near miss, the canonical form that it was meant to be
		found = actions.Recognise(echo, line)
		if found.Likeness != actions.Canonical {
			r.Fatalf("%q is not recognised: %s", line, found.Reason)
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(found.Invocation.Payload), &back); err != nil {
			r.Fatal(err)
		}
		script = append(script, line)
		want = append(want, []string{actions.Subcommand, "--channel", string(c), "--payload-json", found.Invocation.Payload})
	})
	for _, shell := range shells(t) {
		for name, args := range map[string][]string{"all at once": {strings.Join(script, "\n")}, "one": {script[len(script)-1]}} {
			run := exec.Command(shell, "-c", args[0])
			if filepath.Base(shell) == "busybox" {
				run = exec.Command(shell, "sh", "-c", args[0])
			}
			out, err := run.Output()
			if err != nil {
				t.Fatalf("%s: %v", shell, err)
			}
			var got [][]string
			for call := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x02"), "\x02") {
				got = append(got, strings.Split(strings.TrimSuffix(call, "\x01"), "\x01"))
			}
			expected := want
			if name == "one" {
				expected = want[len(want)-1:]
			}
			if !slices.EqualFunc(got, expected, func(a, b []string) bool { return slices.Equal(a, b) }) {
				t.Errorf("%s, %s: the arguments differ", shell, name)
			}
		}
		t.Log(shell, len(script), "commands")
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a payload was carried out")
	}
}
