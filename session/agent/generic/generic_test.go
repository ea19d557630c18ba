package generic_test

import (
	"errors"
	"reflect"
	"testing"

	"aside/session"
	"aside/session/agent"
	"aside/session/agent/generic"
)

func TestCommandIsThePersonsOwn(t *testing.T) {
	a := generic.Kind().New()
	got, err := a.Command(agent.Launch{
		Command: "/opt/my agent", Args: []string{"--fast"}, Prompt: "!not for a shell",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := agent.Command{
		Path: "/opt/my agent", Args: []string{"--fast"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestWithoutACommandItSaysWhereToSetOne(t *testing.T) {
	_, err := generic.Kind().New().Command(agent.Launch{})
	var fault *session.Error
	if !errors.As(err, &fault) || fault.Hint == "" {
		t.Fatalf("got %v, want a fault with a hint", err)
	}
}

func TestItKnowsNoEvents(t *testing.T) {
	a := generic.Kind().New()
	if ev, err := a.Event("Stop", []byte(`{}`)); err != nil || ev.Kind != agent.Ignored {
		t.Errorf("got %+v, %v", ev, err)
	}
	if a.Reader() != nil || a.Context("text") != nil || a.Capabilities() != (agent.Capabilities{}) {
		t.Error("it claims what it cannot do")
	}
}
