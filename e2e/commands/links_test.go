package commands

import (
	"os"
	"path/filepath"
	"testing"
)

func TestALinkIsOpenedByTheMachinesProgram(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env["DISPLAY"] = ":0"
	// Renamed, so that whoever reads it reads all of it.
	p.write(t, "bin/xdg-open", "#!/bin/sh\necho \"$*\" >\"$WORK/opening\"; mv \"$WORK/opening\" \"$WORK/opened\"\n")
	p.write(t, "report.html", "x")
	p.agent(t, `stty -echo; link() { printf '\033]8;;%s\033\\%s\033]8;;\033\\ ' "$1" "$2"; }
link 'https://example.com/?a=b&c' docs; link "file://$PWD/report.html" report; link file:///etc/passwd users; echo ready
while read -r line; do :; done`)
	p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	tm.types("aside\n")
	tm.sees("docs report users ready")
	for _, link := range []struct{ label, question, opened string }{
		{"1", "“docs” leads to example.com", "https://example.com/?a=b&c"},
		{"2", "“report” leads to file", filepath.Join(p.dir, "report.html")},
	} {
		tm.press("ctrl+space", "l")
		tm.sees("1ocs 2eport 3sers")
		tm.press(link.label)
		tm.sees(link.question)
		if _, err := os.Stat(filepath.Join(p.dir, "opened")); err == nil {
			t.Fatal("it was opened before the answer")
		}
		tm.press("y")
		opened := filepath.Join(p.dir, "opened")
		p.until(t, "the link is opened", func() bool { _, err := os.Stat(opened); return err == nil })
		got, err := os.ReadFile(opened)
		if err != nil || string(got) != link.opened+"\n" {
			t.Errorf("opened was %q, %v, want %q", got, err, link.opened)
		}
		if err := os.Remove(opened); err != nil {
			t.Fatal(err)
		}
		tm.sees("^.*opened")
	}
	tm.press("ctrl+space", "l")
	tm.sees("3sers")
	tm.press("3")
	tm.sees("file:///etc/passwd")
	tm.press("y")
	tm.sees("this file is outside")
	tm.press("ctrl+space", "q")
	tm.sees(`^\$$`)
}

func TestWhereNothingOpensLinksTheTargetIsOnTheClipboard(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.agent(t, `stty -echo; echo see https://example.com/docs.; while read -r line; do :; done`)
	p.run(t, "aside", "new", "--checkout", "shared", "first")
	tm := p.shell(t)
	tm.types("unset DISPLAY WAYLAND_DISPLAY BROWSER WSL_DISTRO_NAME; aside\n")
	tm.sees("see https")
	tm.press("ctrl+space", "l")
	tm.sees("Open the link to example.com")
	tm.press("y")
	tm.sees("nothing on this machine opens links")
	tm.press("ctrl+space", "q")
	tm.sees(`^\$$`)
}
