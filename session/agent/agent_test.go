package agent_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"aside/session"
	"aside/session/agent"
)

var kinds = agent.Kinds{
	{Name: "one", Program: "one-cli"},
	{Name: "two", Program: "two-cli"},
	{Name: "any"},
}

func TestGetNamesTheAgentsThereAre(t *testing.T) {
	k, err := kinds.Get("two")
	if err != nil || k.Program != "two-cli" {
		t.Fatalf("got %+v, %v", k, err)
	}
	_, err = kinds.Get("three\x1b[2J")
	var fault *session.Error
	if !errors.As(err, &fault) || fault.Code != session.CodeUsage {
		t.Fatalf("got %v, want a usage fault", err)
	}
	if strings.Contains(fault.Message, "\x1b") || fault.Hint != "the agents are: one two any" {
		t.Errorf("message %q, hint %q", fault.Message, fault.Hint)
	}
}

func TestInstalled(t *testing.T) {
	look := func(file string) (string, error) {
		if file == "two-cli" || file == "/opt/mine" {
			return file, nil
		}
		return "", os.ErrNotExist
	}
	for _, tt := range []struct {
		name     string
		commands map[string]string
		want     []string
	}{
		{"by their own programs", nil, []string{"two"}},
		{"by the configuration", map[string]string{"one": "/opt/mine", "any": "/opt/mine"}, []string{"one", "two", "any"}},
		{"a configured program that is not there", map[string]string{"two": "/opt/gone"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, k := range kinds.Installed(func(name string) string { return tt.commands[name] }, look) {
				got = append(got, k.Name)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestNeutralise(t *testing.T) {
	for _, prompt := range []string{"!rm -rf ~", "/status", "--dangerously", "plain"} {
		got := agent.Neutralise(prompt)
		if strings.ContainsRune("!/-#", rune(got[0])) {
			t.Errorf("%q begins like a command", got)
		}
		if !strings.HasSuffix(got, "\n"+prompt) {
			t.Errorf("%q does not hold the prompt verbatim", got)
		}
	}
}
