package commands

import (
	"context"
	"strings"
	"testing"

	"aside/e2e/term"
	"aside/session"
)

// terminal is a shell on a terminal, as a person has it.
type terminal struct {
	*term.Terminal
	t *testing.T
}

func (p *place) shell(t *testing.T) terminal {
	t.Helper()
	tm, err := term.Start(term.Options{
		Command: []string{"sh"}, Dir: p.dir, Env: append(p.environ(), "PS1=$ "), Cols: 60, Rows: 12,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := tm.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	shell := terminal{tm, t}
	shell.sees(`^\$`) // what is typed before it is echoed twice
	return shell
}

func (tm terminal) types(text string) {
	tm.t.Helper()
	if err := tm.Type(text); err != nil {
		tm.t.Fatal(err)
	}
}

func (tm terminal) press(keys ...string) {
	tm.t.Helper()
	if err := tm.Key(keys...); err != nil {
		tm.t.Fatal(err)
	}
}

func (tm terminal) sees(pattern string) {
	tm.t.Helper()
	ctx, cancel := context.WithTimeout(tm.t.Context(), patience)
	defer cancel()
	if err := tm.WaitFor(ctx, pattern); err != nil {
		tm.t.Fatal(err)
	}
}

// echoing says what it gets, and its size, which it may get before it looks.
const echoing = `stty -echo
trap 'echo "size $(stty size)"' WINCH
printf '\033[?2004h\033[?1004h'
echo "size $(stty size)"
echo ready
while :; do if read -r line; then echo "got [$line]"; [ "$line" = end ] && exit 7; fi; done`

func TestAttachShowsTheTerminalAndDetaches(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, echoing)
	id := p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	tm.types("echo before\n")
	tm.sees("^before$")
	tm.types("aside attach " + id[:6] + "\n")
	tm.sees(`^got \[.*first.*\]$`)
	if strings.Contains(tm.Text(), "before") {
		t.Errorf("the shell shows through:\n%s", tm.Text())
	}
	if m := tm.Modes(); !m.AltScreen || !m.Paste || !m.Focus {
		t.Errorf("the terminal's modes are %+v", m)
	}
	tm.types("typed\n")
	tm.sees(`^got \[typed\]$`)

	// Another size reaches the program, and comes back.
	if err := tm.Resize(44, 9); err != nil {
		t.Fatal(err)
	}
	tm.sees(`^size 9 44$`)

	// The leader twice is one for the program.
	tm.press("ctrl+space", "ctrl+space")
	tm.types("x\n")
	tm.sees(`^got \[x\]$`)

	tm.press("ctrl+space", "d")
	tm.sees(`aside attach \w+\n\$`)
	if !strings.Contains(tm.Text(), "before") {
		t.Errorf("the shell's screen is gone:\n%s", tm.Text())
	}
	if m := tm.Modes(); m != (session.Modes{}) {
		t.Errorf("the terminal was left in the modes %+v", m)
	}
	tm.types("echo after $(stty -a | grep -c ' echo ')\n")
	tm.sees(`after 1$`)
	if got := p.run(t, "aside", "screen", id); !strings.Contains(got, "got [typed]") {
		t.Errorf("the agent did not go on: %q", got)
	}
}

func TestAttachEndsWithTheAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, echoing)
	id := p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	tm.types("aside attach " + id + "; echo status $?\n")
	tm.sees(`^got \[.*first.*\]$`)
	tm.types("end\n")
	tm.sees(`^\[the agent has ended\]$`)
	tm.sees(`^status 0$`)
	if !strings.Contains(tm.Text(), "got [end]") {
		t.Errorf("its last screen is not there:\n%s", tm.Text())
	}
	p.until(t, "the helper ends, since its end was seen", func() bool {
		return !strings.Contains(p.run(t, "aside", "threads", "--json"), `"live": true`)
	})
}

func TestAttachSaysThatTheHelperWasKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, `echo $PPID > helper; echo ready; exec cat`)
	id := p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	tm.types("aside attach " + id + "; echo status $?\n")
	tm.sees(`^ready$`)
	p.run(t, "sh", "-c", "kill -9 $(cat helper)")
	tm.sees(`^aside: .*ended without`)
	tm.sees(`^status 1$`)
	if tm.Modes().AltScreen {
		t.Error("the alternate screen was left on")
	}
}

func TestTheLastAttachedTerminalGivesTheSize(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, echoing)
	id := p.run(t, "aside", "new", "--checkout", "shared", "first")
	one, two := p.shell(t), p.shell(t)
	if err := two.Resize(50, 20); err != nil {
		t.Fatal(err)
	}
	one.types("aside attach " + id + "\n")
	one.sees(`^size 12 60$`)
	two.types("aside attach " + id + "\n")
	two.sees(`^size 20 50$`)
	one.sees(`^size 20 50$`)
	if err := one.Resize(61, 13); err != nil {
		t.Fatal(err)
	}
	two.sees(`^size 13 61$`)
	two.types("both\n")
	one.sees(`^got \[both\]$`)
	two.sees(`^got \[both\]$`)
}

func TestAttachNeedsATerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, echoing)
	id := p.run(t, "aside", "new", "--checkout", "shared", "first")
	cmd := p.command(t, "aside", "attach", id)
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != int(session.CodeUsage) || !strings.Contains(string(out), "hint: aside screen") {
		t.Errorf("%v: %s", err, out)
	}
	cmd = p.command(t, "aside", "attach", "nosuch")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != int(session.CodeNotFound) {
		t.Errorf("%v: %s", err, out)
	}
}
