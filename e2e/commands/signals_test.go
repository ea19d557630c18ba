package commands

import (
	"strings"
	"testing"
)

// The programs in a thread's panes take every signal, however aside was
// started: a shell under nohup or in the background ignores some, and what is
// ignored is inherited.
func TestProgramsTakeTheSignalsThatAsideWasStartedToIgnore(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, `for s in HUP INT QUIT TERM TSTP TTIN TTOU USR1 PIPE; do trap "echo took $s" $s; kill -s $s $$; done
trap "exit 0" HUP TERM; echo ready; read -r line; read -r line`)
	id := p.run(t, "sh", "-c", `trap "" HUP INT QUIT TERM TSTP TTIN TTOU USR1 PIPE; exec aside new --checkout shared go`)
	p.until(t, "the agent has sent itself all signals", func() bool {
		return strings.Contains(p.run(t, "aside", "screen", id), "ready")
	})
	shown := p.run(t, "aside", "screen", id)
	for _, s := range []string{"HUP", "INT", "QUIT", "TERM", "TSTP", "TTIN", "TTOU", "USR1", "PIPE"} {
		if !strings.Contains(shown, "took "+s) {
			t.Errorf("the agent ignores %s:\n%s", s, shown)
		}
	}
}
