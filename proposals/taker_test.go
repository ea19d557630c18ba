package proposals_test

import (
	"io"
	"os"
	"os/exec"
	"testing"

	"aside/proposals"
)

func TestSelfIsAlive(t *testing.T) {
	self, err := proposals.Self()
	if err != nil {
		t.Fatal(err)
	}
	if self.PID != os.Getpid() || self.Stamp == "" || self.Dead() {
		t.Errorf("got %+v, dead %v", self, self.Dead())
	}
	again, err := proposals.Self()
	if err != nil || again != self {
		t.Errorf("the second time %+v, %v", again, err)
	}
	self.Stamp += "0"
	if !self.Dead() {
		t.Error("a process that has this pid since another time is taken for it")
	}
	if !(proposals.Taker{}).Dead() {
		t.Error("nobody is alive")
	}
}

// TestMain lets the test binary be a process that says who it is and lives
// until its input ends.
func TestMain(m *testing.M) {
	if os.Getenv("PROPOSALS_TEST_CHILD") != "" {
		self, err := proposals.Self()
		if err != nil {
			os.Exit(1)
		}
		_, _ = io.WriteString(os.Stdout, self.Stamp+"\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestDeadOnlyWhenItsProcessIsGone(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROPOSALS_TEST_CHILD=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	child := proposals.Taker{PID: cmd.Process.Pid, Stamp: string(line[:n-1])}
	if child.Dead() {
		t.Errorf("%+v is taken for dead", child)
	}
	_ = in.Close()
	// Its output ends with the process, which nobody has waited for yet.
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if !child.Dead() {
		t.Errorf("%+v is taken for alive", child)
	}
}
