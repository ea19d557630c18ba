package commands

import (
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// panes opens the screen on an agent that answers every line, with shells that
// read no settings.
func (p *place) panes(t *testing.T) (tm terminal, pid int) {
	t.Helper()
	p.env["SHELL"], p.env["PS1"] = "/bin/sh", "$ "
	tm, pid = p.screen(t)
	if err := tm.Resize(120, 30); err != nil {
		t.Fatal(err)
	}
	tm.sees(`(?m)^.{100,}`)
	return tm, pid
}

// shown is what is on the screen beside the list of threads, which tells the
// time.
func (tm terminal) shown() string {
	var lines []string
	for line := range strings.Lines(tm.Text()) {
		if _, beside, ok := strings.Cut(line, "│"); ok {
			lines = append(lines, strings.TrimRight(beside, " \n"))
		}
	}
	return strings.Join(lines[1:], "\n") // the header has the time too
}

func TestPanesComeBackWithTheNextScreen(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tm, pid := p.panes(t)
	tm.press("ctrl+space", "|")
	tm.sees(`─ shell1\* ─(.*\n)+.*│\$`)
	tm.types("kept=here; echo in the $((6*7))nd\n")
	tm.sees(`in the 42nd`)
	tm.press("ctrl+space", "-")
	tm.sees(`─ shell2\* ─(.*\n)+.*│\$`)
	tm.types("exit 3\n")
	tm.sees(`ended, exit 3`)
	tm.press("ctrl+space", "w", "t")
	tm.sees(`2 shell3\* `)
	tm.press("ctrl+space", "w", "r")
	tm.types("Log\n")
	tm.sees(`2 Log\* `)
	// Back to the first shell, with more room for the agent.
	tm.press("ctrl+space", "w", "1", "up", "L", "L", "L", "esc")
	tm.sees(`1 generic, shell1\*, shell2  2 Log `)
	tm.sees(`─ generic ─{43}│`)
	before := tm.shown()

	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	next := p.shell(t) // the other terminal is left in the screen's modes
	if err := next.Resize(120, 30); err != nil {
		t.Fatal(err)
	}
	next.types("aside\n")
	next.sees(regexp.QuoteMeta("1 generic, shell1*, shell2  2 Log "))
	next.sees(`ready`) // of each pane its picture
	next.sees(`in the 42nd`)
	next.sees(`(?s)exit 3.*ended, exit 3`)
	if got := next.shown(); got != before {
		t.Errorf("the next screen shows\n%s\nthe one before\n%s", got, before)
	}
	next.types("echo still $kept\n")
	next.sees(`still here`)
	next.press("ctrl+space", "w", "down", "esc")
	next.press("enter")
	next.sees(`─ shell2\* ─(.*\n)+.*│\$`)
	next.press("ctrl+space", "w", "x")
	next.sees(`1 generic, shell1\*  2 Log `)
	next.press("ctrl+space", "q")
}

func TestShellPanesOutliveTheirAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env["SHELL"], p.env["PS1"] = "/bin/sh", "$ "
	p.agent(t, `echo begun >>runs; echo "run $(wc -l <runs)"; while read -r line; do [ "$line" = end ] && exit 0; done`)
	id := p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	if err := tm.Resize(120, 30); err != nil {
		t.Fatal(err)
	}
	tm.types("aside\n")
	tm.sees(`run +1`)
	tm.press("ctrl+space", "|")
	tm.sees(`─ shell1\* ─(.*\n)+.*│\$`)
	tm.types("kept=here\n")
	attached := p.shell(t)
	attached.types("aside attach --pane shell1 " + id + "; echo status $?\n")
	attached.sees(`kept=here`)
	ends := func() {
		tm.press("ctrl+space", "left")
		tm.types("end\n")
		tm.sees(`no agent runs here`)
	}
	lives := func(word string) {
		tm.press("ctrl+space", "right")
		tm.types("echo " + word + " $kept\n")
		tm.sees(word + ` here`)
	}
	ends()
	lives("ended,")
	tm.press("ctrl+space", "u")
	tm.sees(`run +2`)
	lives("again,")
	ends()
	p.run(t, "aside", "resume", id)
	tm.sees(`run +3`)
	lives("resumed,")
	ends()
	p.run(t, "aside", "send", id, "go on")
	tm.sees(`run +4`)
	lives("prompted,")
	attached.sees(`prompted, here`)
	attached.types("exit 5\n")
	attached.sees(`(?m)^\[the shell has ended\]\nstatus 0$`)
	tm.sees(`ended, exit 5`)
	tm.press("ctrl+space", "q")
}

func TestAnAgentStartedByHandAsksOverItsPane(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tm, _ := p.panes(t)
	p.write(t, "ask.json", `{"session_id":"g1","hook_event_name":"PermissionRequest","cwd":"/","tool_name":"Bash","tool_input":{"command":"rm -rf build"}}`)
	tm.press("ctrl+space", "|")
	tm.sees(`─ shell1\* ─(.*\n)+.*│\$`)
	tm.types("aside hook --agent claude --event PermissionRequest <ask.json; echo answered\n")
	tm.sees(`─ ◐ shell1\* ─+\n.*│.*│ ▌ Bash wants to run`)
	tm.sees(`rm -rf build`)
	tm.press("ctrl+space", "1")
	tm.sees(`"behavior":"`) // the verdict, in the hook's own words
	tm.sees(`allow"`)
	tm.sees(`(?s)\}.*swered`)
}
