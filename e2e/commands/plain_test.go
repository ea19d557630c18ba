package commands

import (
	"strings"
	"testing"
)

func TestPlainModeIsAConversation(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tm := p.shell(t)
	if err := tm.Resize(100, 40); err != nil {
		t.Fatal(err)
	}
	tm.types("aside demo --plain; stty -a | grep -c ' echo '\n")
	tm.sees(`^1: thread A tour of aside\.`)
	tm.sees(`^2: offer `)
	tm.sees(`^4: permission asked by demo, Bash: git status`)
	tm.sees(`^/4 deny`)
	if tm.Modes().AltScreen {
		t.Error("it draws on a screen")
	}

	// What happens is said above what is being typed.
	tm.types("/2 ")
	tm.types("no\n")
	tm.sees(`^2: offer .* Not now\.`)
	tm.types("/4 once\n")
	tm.sees(`^4 is settled: answered, once\.`)
	tm.sees(`^5: commands proposed for your terminal`)
	tm.sees(`in a new split: git status`)
	tm.types("/5 cancel\n")
	tm.sees(`^5 is settled: cancelled`)
	tm.sees(`^Thread 1, A tour of aside: (idle|done)\.`)

	// The agent's own terminal, and back.
	tm.types("/attach\n")
	tm.sees(`(?i)demo`)
	p.until(t, "the agent's terminal is shown", func() bool { return tm.Modes().AltScreen })
	tm.press("ctrl+space")
	tm.types("d")
	p.until(t, "the lines are back", func() bool { return !tm.Modes().AltScreen })
	tm.types("/threads\n")
	tm.sees(`This is the current one\.`)
	tm.types("/demo\n")
	tm.sees(`there is no command /demo`)
	tm.types("/quit\n")
	tm.sees(`^Leaving\. The agents go on\.\n1\n`)
}

func TestPlainModeTakesLinesFromAnotherProgram(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, echoing)
	for _, how := range [][]string{{"--plain"}, nil} {
		cmd := p.command(t, "aside", how...)
		if how == nil {
			cmd.Env = append(cmd.Env, "ASIDE_PLAIN=1")
		}
		cmd.Stdin = strings.NewReader("/threads\n/nosuch\n")
		out, err := cmd.CombinedOutput()
		for _, want := range []string{"aside, plain mode.", "No threads.", "there is no command /nosuch", "Leaving."} {
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("%q, %v: %q is missing in:\n%s", how, err, want, out)
			}
		}
	}
}
