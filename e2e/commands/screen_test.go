package commands

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"aside/session"
)

// screen opens the screen in a shell and returns its process. Its agent does
// nothing.
func (p *place) screen(t *testing.T) (terminal, int) {
	t.Helper()
	p.agent(t, "stty -echo; echo ready; while read -r line; do :; done")
	p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	tm.types("sh -c 'echo $$ >pid; exec aside'\n")
	tm.sees("ctrl.space: keys")
	tm.sees("ready")
	text, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return tm, pid
}

// asBefore checks that the shell has its terminal back: nothing of the screen
// shows, no mode is left, and lines are edited and echoed as they were.
func (tm terminal) asBefore() {
	tm.t.Helper()
	if m := tm.Modes(); m != (session.Modes{}) {
		tm.t.Errorf("left behind: %+v", m)
	}
	tm.types("clear; stty -a | grep -o ' icanon\\| echo '; printf '%090d\\n' 7\n")
	tm.sees(`^ icanon\n echo\n0{60,70}\n0+7$`) // and it wraps lines
	if text := tm.Text(); strings.Contains(text, "keys") {
		tm.t.Errorf("the screen shows through:\n%s", text)
	}
}

func TestAnAgentIsToldTheColoursOfTheTerminalItIsStartedFrom(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tm, _ := p.screen(t)
	p.agent(t, `stty raw -echo; printf '\033]11;?\007'; dd bs=1 count=24 2>/dev/null | tr '\033\007' '^$'; exec cat`)
	tm.press("ctrl+space", "n")
	tm.types("second")
	tm.press("enter")
	tm.sees(`\^\]11;rgb:1616/1818/1d1d`) // the ground of package term
}

func TestTheScreenGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(terminal, int){
		"closed": func(tm terminal, _ int) { tm.press("ctrl+space", "q") },
		"told to end": func(tm terminal, pid int) {
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				tm.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tm, pid := newPlace(t).screen(t)
			if m := tm.Modes(); !m.AltScreen || !m.Paste || !m.Focus || m.Mouse == session.MouseNone || m.Keyboard == 0 {
				t.Errorf("the modes are %+v", m)
			}
			end(tm, pid)
			tm.sees(`^\$$`)
			tm.asBefore()
		})
	}
}

func TestTheScreenIsStoppedAndGoesOn(t *testing.T) {
	t.Parallel()
	tm, pid := newPlace(t).screen(t)
	if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	tm.sees("Stopped|Suspended")
	tm.asBefore()
	tm.types("fg\n")
	tm.sees("ctrl.space: keys")
	if err := tm.Resize(70, 20); err != nil {
		t.Fatal(err)
	}
	tm.press("ctrl+space", "q")
	tm.sees(`^\$$`)
	tm.asBefore()
}

func TestTheEditorHasTheTerminalWhileItRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(t, "bin/edit", "#!/bin/sh\nstty -a | grep -o ' icanon'; echo 'the editor asks:'; read -r line; echo \"$line\" >\"$1\"\n")
	p.env["EDITOR"] = "edit"
	tm, _ := p.screen(t)
	tm.press("ctrl+space", "c")
	tm.sees("›")
	tm.press("ctrl+g")
	tm.sees("the editor asks:")
	tm.sees("^ icanon")
	if m := tm.Modes(); m != (session.Modes{}) {
		t.Errorf("the editor's terminal has %+v", m)
	}
	tm.types("words of the editor\n")
	tm.sees("› words of the editor")
	tm.press("ctrl+space", "q")
	tm.sees(`^\$$`)
	tm.asBefore()
}
