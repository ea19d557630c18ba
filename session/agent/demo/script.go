package demo

// introduction is what the agent says before anything else.
const introduction = `This is aside's demo agent. No model runs in it and nothing leaves this machine: what it says is written down in it. What it offers and asks is real.
Type help for what it does, or tour to see all of it.`

const help = `offer      offer two threads: cards in the transcript, nothing waits for them
action     propose commands for your own shell: nothing happens before you confirm
ask        ask for permission to run a command, and run it if allowed
edit       ask for permission to write a file, and write it if allowed
question   ask a question
questions  ask two at once: the bar takes them one after another
tour       all of that, one after another
colors     what the terminal shows of colours and attributes
wide       what it shows of wide and combined characters
exit       leave
Anything else is answered with a few words and a look around.`

// offer is a thread that the agent offers.
type offer struct {
	Title, Summary, Rationale, Prompt string
	Files                             []string
}

// offers are the two threads that the agent offers.
var offers = [...]offer{
	{
		Title:     "Make the settings loader report bad input",
		Summary:   "The loader swallows malformed YAML and falls back to defaults. This would make it return the file, line and reason, and cover it with tests.",
		Rationale: "It is unrelated to the parser fix at hand.",
		Prompt: "The settings loader swallows malformed input and falls back to the defaults.\n" +
			"Make it return an error that names the file, the line and the reason, and cover that with tests.",
		Files: []string{"settings/load.go", "settings/load_test.go"},
	},
	{
		Title:     "Say in the README how to run the tests",
		Summary:   "Newcomers cannot tell how the tests are run. This would add a short section to the README.",
		Rationale: "It touches no code, so it can go in at any time.",
		Prompt:    "Add a short section to the README that says how to build the project and how to run its tests.",
		Files:     []string{"README.md"},
	},
}

// action and choice are what propose_terminal_actions takes of the agent.
type action struct {
	Type      string `json:"type"`
	Place     string `json:"place,omitempty"`
	Direction string `json:"direction,omitempty"`
	Title     string `json:"title,omitempty"`
	Command   string `json:"command"`
}

type choice struct {
	Title     string   `json:"title"`
	Rationale string   `json:"rationale"`
	Actions   []action `json:"actions"`
}

// choices are the alternatives of the action card that the agent proposes.
var choices = [...]choice{
	{
		Title: "See the state of the work tree in your shell", Rationale: "You will want it where you type.",
		Actions: []action{{Type: "run", Command: "git status"}},
	},
	{
		Title: "See it in a split of its own", Rationale: "What is in your shell stays as it is.",
		Actions: []action{{Type: "open_and_run", Place: "split", Direction: "down", Title: "status", Command: "git status"}},
	},
}

// What the turns say.
const (
	sayLook     = "I look around first."
	sayReply    = "No model reads this. In short, you asked:"
	sayWork     = "A real agent would get to work on it now, in this checkout. Type tour to see what aside does around it."
	sayTour     = "Here is what aside does around an agent. First, work I notice but that is not my task: I offer it, and go on."
	sayOffered  = "Both offers are cards in the transcript now. Start them, dismiss them, or leave them: I am not waiting."
	sayAsk      = "Now a question that does hold me up: may I run a command? Answer it in the bar, or here; the first answer wins."
	sayAllowed  = "That was allowed, so I ran it."
	sayDenied   = "That was denied, so I leave it."
	sayPropose  = "Last, what belongs in your own terminals: I propose it, and nothing happens there before you confirm it."
	sayProposed = "The card is before you. Choose, then run it, insert it or cancel it: I am not waiting."
	sayDone     = "That is the whole of it."
	sayNotTaken = "aside's tools did not take that, so nothing was offered."
	sayWritten  = "The file is written."
	sayAnswered = "Thank you. Your answer:"
	sayDeclined = "No answer, then."
)

// The commands that the agent runs.
const (
	commandLook = "ls"
	commandAsk  = "git status --short --branch"
)

// The file that edit writes.
const (
	notesFile = "demo-notes.md"
	notesText = "# Notes of the demo agent\n\nWritten because you allowed it.\n"
)

// question is one that the agent asks.
type question struct {
	text, header string
	several      bool
	choices      []struct{ label, description string }
}

// questions are those that the agent asks, the first alone or all at once.
var questions = [...]question{
	{
		text: "Which part shall I look at first?", header: "First",
		choices: []struct{ label, description string }{
			{"The parser", "where the bug is"},
			{"The tests", "so that it stays fixed"},
			{"The documents", "nobody reads them"},
		},
	},
	{
		text: "What shall I leave alone?", header: "Leave", several: true,
		choices: []struct{ label, description string }{
			{"The settings", "somebody is at work there"},
			{"The history", "it is older than all of us"},
			{"The names", "they are part of the interface"},
		},
	},
}

// wide holds characters that take two columns, or are made of several.
var wide = [...]string{
	"|漢字|かな|한글|  two columns each",
	"|👩‍💻|🏳️‍🌈|🇩🇪|👍🏽|  one emoji each, two columns",
	"|e\u0301|n\u0303|o\u0308|  a letter and a combining mark, one column each",
	"|ａ|Ａ|！|  full width",
	"|1️⃣ |❤️ |  with a variation selector",
}
