package cli

import (
	"fmt"
	"strings"
	"testing"

	"aside/session"
)

// told is what the keyboard makes of reads, in words.
func told(t *testing.T, leader string, reads ...string) (string, bool) {
	t.Helper()
	l, err := leaderNamed(leader)
	if err != nil {
		t.Fatal(err)
	}
	k := keyboard{leader: l}
	var all []string
	for _, r := range reads {
		in, detach := k.take([]byte(r))
		for _, e := range in {
			switch {
			case e.Raw != nil:
				all = append(all, fmt.Sprintf("%q", e.Raw))
			case e.Focus != nil:
				all = append(all, fmt.Sprintf("focus %v", *e.Focus))
			case e.Key != nil:
				all = append(all, fmt.Sprintf("key %x", e.Key.Code))
			case e.Mouse != nil:
				all = append(all, fmt.Sprintf("mouse %+v", *e.Mouse))
			}
		}
		if detach {
			return strings.Join(all, " "), true
		}
	}
	return strings.Join(all, " "), false
}

func TestKeyboard(t *testing.T) {
	for name, tc := range map[string]struct {
		leader string
		reads  []string
		want   string
		detach bool
	}{
		"text goes through":             {"ctrl+space", []string{"héllo\r"}, `"héllo\r"`, false},
		"leader d detaches":             {"ctrl+space", []string{"a\x00db"}, `"a"`, true},
		"in two reads too":              {"ctrl+space", []string{"\x00", "d"}, "", true},
		"the leader twice goes through": {"ctrl+space", []string{"\x00\x00d"}, `"\x00d"`, false},
		"another key after it does not": {"ctrl+space", []string{"\x00xy"}, `"y"`, false},
		"nor does a key of several bytes": {
			"ctrl+space", []string{"\x00\x1b[A", "z"}, `"z"`, false,
		},
		"d alone is a letter":        {"ctrl+space", []string{"d"}, `"d"`, false},
		"another leader":             {"ctrl+b", []string{"\x00d\x02d"}, `"\x00d"`, true},
		"with alt":                   {"alt+a", []string{"\x1bad"}, "", true},
		"in the kitty protocol":      {"ctrl+space", []string{"\x1b[32;5ud"}, "", true},
		"with its releases":          {"ctrl+b", []string{"\x1b[98;5:1u\x1b[98;5:3u\x1b[100;1:1u"}, "", true},
		"with caps lock":             {"ctrl+b", []string{"\x1b[98;69u\x1b[100;65u"}, "", true},
		"escape alone is the key":    {"ctrl+space", []string{"\x1b", "d"}, `"\x1b" "d"`, false},
		"a sequence in two reads":    {"ctrl+space", []string{"\x1b[1;", "5C"}, `"\x1b[1;5C"`, false},
		"focus is a report":          {"ctrl+space", []string{"\x1b[I\x1b[O"}, "focus true focus false", false},
		"a focus keeps the leader":   {"ctrl+space", []string{"\x00\x1b[I", "d"}, "focus true", true},
		"cursor keys are keys":       {"ctrl+space", []string{"a\x1b[A\x1bOD"}, fmt.Sprintf(`"a" key %x key %x`, session.KeyUp, session.KeyLeft), false},
		"a paste is text":            {"ctrl+space", []string{"\x1b[200~a\x00d\x1b[A\x1b[201~"}, `"\x1b[200~a\x00d\x1b[A\x1b[201~"`, false},
		"and ends":                   {"ctrl+space", []string{"\x1b[200~a\x1b[201~\x00d"}, `"\x1b[200~a\x1b[201~"`, true},
		"a mouse press":              {"ctrl+space", []string{"\x1b[<0;3;4M"}, "mouse {Button:1 Action: X:2 Y:3 Mods:0}", false},
		"its release":                {"ctrl+space", []string{"\x1b[<2;3;4m"}, "mouse {Button:3 Action:release X:2 Y:3 Mods:0}", false},
		"motion with ctrl":           {"ctrl+space", []string{"\x1b[<51;1;1M"}, "mouse {Button:0 Action:move X:0 Y:0 Mods:4}", false},
		"the wheel":                  {"ctrl+space", []string{"\x1b[<65;1;1M"}, "mouse {Button:5 Action: X:0 Y:0 Mods:0}", false},
		"what looks like one is not": {"ctrl+space", []string{"\x1b[<x;1M"}, `"\x1b[<x;1M"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, detach := told(t, tc.leader, tc.reads...)
			if got != tc.want || detach != tc.detach {
				t.Errorf("got %s, detach %v; want %s, %v", got, detach, tc.want, tc.detach)
			}
		})
	}
}

func TestALeaderThatCannotBeToldIsRefused(t *testing.T) {
	for _, name := range []string{"f12", "x", "ctrl+1", "alt+[", "ctrl+", ""} {
		if _, err := leaderNamed(name); session.CodeOf(err) != session.CodeUsage {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func FuzzKeyboard(f *testing.F) {
	for _, s := range []string{"\x1b[200~a\x1b[201~", "\x00d", "\x1b[<0;1;1M", "\x1b[98;5:3u", "\x1bO", "\x1b[" + strings.Repeat("1", 100)} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		l, err := leaderNamed("ctrl+space")
		if err != nil {
			t.Fatal(err)
		}
		k := keyboard{leader: l}
		cut = min(max(cut, 0), len(text))
		_, _ = k.take([]byte(text[:cut]))
		_, _ = k.take([]byte(text[cut:]))
		if len(k.rest) > maxSequence+2 {
			t.Errorf("%d bytes are kept back", len(k.rest))
		}
	})
}
