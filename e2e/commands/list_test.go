package commands

import (
	"testing"
)

// The list of a screen that is opened on a project in the home folder: its own
// threads, what needs the person in another project, and how it was left.
func TestListShowsWhatNeedsThePersonInEveryProject(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(t, "home/config/config.toml", "default_agent = \"demo\"\n[agents.generic]\ncommand = \"cat\"\n")
	p.run(t, "sh", "-euc", `for project in app site; do
		mkdir "$HOME/$project"; cd "$HOME/$project"; git init -q -b main .; git commit -q --allow-empty -m one
	done`)
	p.run(t, "aside", "new", "--cwd", "user/app", "--agent", "demo", "--wait", "--title", "Fix the parser", "help")
	quiet := p.run(t, "aside", "new", "--cwd", "user/app", "--agent", "demo", "--wait", "--title", "Old idea", "help")
	p.run(t, "aside", "stop", quiet)
	p.run(t, "aside", "new", "--cwd", "user/site", "--agent", "demo", "--title", "Ship the site", "ask")

	tm := p.shell(t)
	if err := tm.Resize(120, 30); err != nil {
		t.Fatal(err)
	}
	tm.types("cd user/app; aside\n")
	tm.sees(`(?s)^ app +! 1.*▌✓ Fix the pars.*· Old idea.*^ site.*◐ ! Ship`)

	// What needs the person elsewhere is gone to, and answered.
	tm.press("ctrl+space", "a")
	tm.sees(`▌◐ ! Ship`)
	tm.sees(`1 once`)
	tm.press("ctrl+space", "1")
	tm.sees(`▌✓ Ship`)

	// What does not run is archived, and shown when it is asked for.
	tm.press("ctrl+space", "t", "k", "A")
	tm.sees(`“Old idea” is archived`)
	tm.press(".")
	tm.sees(`(?s)Fix the pars.*^ archived.*· Old idea.*^ site`)
	tm.press("home", "enter", "ctrl+space", "v", "ctrl+space", "b")
	tm.sees(`(?s)^ Fix the parser .*Write to the agent`)
	tm.press("ctrl+space", "q")
	tm.sees(`^\$$`)

	// The next screen is as this one was left.
	tm.types("clear; aside\n")
	tm.sees(`(?s)^ Fix the parser .*Write to the agent`)
	tm.press("ctrl+space", "t")
	tm.sees(`▌✓ Fix the pars`)
	tm.press("q")
	tm.sees(`^\$$`)
}
