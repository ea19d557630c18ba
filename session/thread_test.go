package session

import "testing"

func TestHowAThreadHasEnded(t *testing.T) {
	for _, c := range []struct {
		state  State
		source Source
		exit   int // -1 is not known
		want   string
	}{
		{"", "", -1, "not started"},
		{StateNeedsYou, SourceAgent, -1, "needs you"},
		{StateExited, SourceProcess, 0, "exited"},
		{StateExited, SourcePerson, 0, "stopped"},
		{StateExited, SourcePerson, 143, "stopped"},
		{StateExited, SourceProcess, 143, "killed by signal 15"}, // its helper was told to end
		{StateFailed, SourceProcess, -1, "failed"},
		{StateFailed, SourceProcess, 0, "failed"}, // it could not be started again
		{StateFailed, SourceProcess, 3, "failed, exit 3"},
		{StateFailed, SourceProcess, 128, "failed, exit 128"},
		{StateFailed, SourceProcess, 137, "failed, killed by signal 9"},
		{StateFailed, SourceProcess, 255, "failed, exit 255"},
	} {
		th := Thread{State: c.state, StateSource: c.source}
		if c.exit >= 0 {
			th.ExitCode = &c.exit
		}
		if got := th.Words(); got != c.want {
			t.Errorf("%s from %s with %d is %q, want %q", c.state, c.source, c.exit, got, c.want)
		}
	}
}
