package intent

import (
	"strings"
)

// Binding is one line of the key table.
type Binding struct {
	Scope    Scope
	Keys     string // as the terminal reports them, separated by spaces
	Do       Intent
	Sentence string
}

// Label returns the binding's keys as a person reads them.
func (b Binding) Label() string {
	if b.Do == Answer {
		return "1 … " + b.Keys[len(b.Keys)-1:]
	}
	return strings.Join(strings.Fields(b.Keys), ", ")
}

// Table returns the key table in the order in which help shows it.
func Table() []Binding {
	var t []Binding
	for _, part := range [][]Binding{leaderKeys(), historyKeys(), paneKeys(), listKeys(), cardKeys(), decisionKeys(), reviewKeys(), typingKeys()} {
		t = append(t, part...)
	}
	return t
}

func leaderKeys() []Binding {
	return []Binding{
		{ScopeLeader, "t", Threads, "go to the list of threads"},
		{ScopeLeader, "j down tab", NextThread, "open the next thread"},
		{ScopeLeader, "k up shift+tab", PrevThread, "open the previous thread"},
		{ScopeLeader, "v", CycleView, "terminal, transcript or both"},
		{ScopeLeader, "m esc", Main, "go to the agent's terminal, or to the transcript where it is not shown"},
		{ScopeLeader, "h", Transcript, "go to the transcript and its cards"},
		{ScopeLeader, "c", Composer, "write to the agent"},
		{ScopeLeader, "f", From, "go to the thread that this one was offered in"},
		{ScopeLeader, "o", Offers, "look at the offers, the newest standing one first"},
		{ScopeLeader, "1 2 3 4 5 6 7 8 9", Answer, "give the decision bar's answer of that number"},
		{ScopeLeader, "p", Palette, "find a command or a thread by its words"},
		{ScopeLeader, "/", Search, "look for words in all threads"},
		{ScopeLeader, "d", Bar, "go to the decision bar"},
		{ScopeLeader, "e", Card, "go to the card of commands that the agent proposes"},
		{ScopeLeader, "a", Attention, "go to what waits for you: the question asked, else the next thread that needs you"},
		{ScopeLeader, "g", Review, "review what the thread has changed, comment on it, finish it"},
		{ScopeLeader, "n", New, "start a new thread"},
		{ScopeLeader, "r", Rename, "rename the thread"},
		{ScopeLeader, "s", Stop, "stop the thread's agent"},
		{ScopeLeader, "u", Resume, "start the thread's agent again"},
		{ScopeLeader, "A", Archive, "archive the thread, or bring it back"},
		{ScopeLeader, "x", Remove, "remove the thread"},
		{ScopeLeader, "[ pgup", History, "scroll back in the terminal"},
		{ScopeLeader, "y", Select, "select text in the terminal and copy it"},
		{ScopeLeader, "l", Links, "open a link in the terminal, or copy where it leads"},
		{ScopeLeader, "w", Panes, "go about the panes, and open, resize or name them"},
		{ScopeLeader, "|", SplitRight, "open a shell at the right of the pane"},
		{ScopeLeader, "-", SplitDown, "open a shell below the pane"},
		{ScopeLeader, "z", Zoom, "let the pane fill its tab, or put it back"},
		{ScopeLeader, "left", PaneLeft, "go to the pane at the left"},
		{ScopeLeader, "right", PaneRight, "go to the pane at the right"},
		{ScopeLeader, "b", Sidebar, "show or hide the list of threads"},
		{ScopeLeader, "ctrl+x", Cancel, "stop what the last line says is under way"},
		{ScopeLeader, "?", Help, "show the keys that work here"},
		{ScopeLeader, "q", Quit, "close the screen; the agents go on"},
	}
}

func historyKeys() []Binding {
	return []Binding{
		{ScopeHistory, "up k", Up, "one line back"},
		{ScopeHistory, "down j", Down, "one line on"},
		{ScopeHistory, "pgup b", PageUp, "one page back"},
		{ScopeHistory, "pgdown space", PageDown, "one page on"},
		{ScopeHistory, "home g", Top, "to the oldest line"},
		{ScopeHistory, "end G", Bottom, "to the newest line"},
		{ScopeHistory, "/", Filter, "look for words"},
		{ScopeHistory, "n", Next, "the next place of what was looked for, further back"},
		{ScopeHistory, "N", Previous, "the place before"},
		{ScopeHistory, "v", Select, "select text and copy it"},
		{ScopeHistory, "?", Help, "show these keys"},
		{ScopeHistory, "esc q enter", Back, "back to the terminal"},

		{ScopeSelect, "left h", Left, "one column to the left"},
		{ScopeSelect, "right l", Right, "one column to the right"},
		{ScopeSelect, "up k", Up, "one line up"},
		{ScopeSelect, "down j", Down, "one line down"},
		{ScopeSelect, "w", WordNext, "the next word"},
		{ScopeSelect, "b", WordBefore, "the beginning of the word, and the word before"},
		{ScopeSelect, "e", WordEnd, "the end of the word, and the next one's"},
		{ScopeSelect, "0 home", LineStart, "the beginning of the line"},
		{ScopeSelect, "$ end", LineEnd, "the end of the line"},
		{ScopeSelect, "H", ScreenTop, "the first line that is shown"},
		{ScopeSelect, "M", ScreenMiddle, "the middle one"},
		{ScopeSelect, "L", ScreenBottom, "the last one"},
		{ScopeSelect, "pgup ctrl+b", PageUp, "one page up"},
		{ScopeSelect, "pgdown ctrl+f", PageDown, "one page down"},
		{ScopeSelect, "g", Top, "the oldest line"},
		{ScopeSelect, "G", Bottom, "the newest line"},
		{ScopeSelect, "space v", Mark, "mark from here on, or unmark"},
		{ScopeSelect, "V", MarkLines, "mark whole lines"},
		{ScopeSelect, "ctrl+v", MarkBlock, "mark the same columns of every line"},
		{ScopeSelect, "y enter", Copy, "copy what is marked, and leave"},
		{ScopeSelect, "/", Filter, "look for words"},
		{ScopeSelect, "n", Next, "the next place of what was looked for, further back"},
		{ScopeSelect, "N", Previous, "the place before"},
		{ScopeSelect, "?", Help, "show these keys"},
		{ScopeSelect, "esc q", Back, "leave; nothing is copied"},

		{ScopeLinks, "1 2 3 4 5 6 7 8 9", Answer, "the link of that number; a letter on a link chooses it too"},
		{ScopeLinks, "esc", Back, "leave it"},

		{ScopeFind, "enter", Send, "look for it"},
		{ScopeFind, "esc", Back, "leave it"},
	}
}

func paneKeys() []Binding {
	return []Binding{
		{ScopePanes, "t", OpenTab, "open a shell in a new tab"},
		{ScopePanes, "|", SplitRight, "open a shell at the right of the pane"},
		{ScopePanes, "-", SplitDown, "open a shell below the pane"},
		{ScopePanes, "x", ClosePane, "close the pane"},
		{ScopePanes, "z", Zoom, "let the pane fill its tab, or put it back"},
		{ScopePanes, "r", RenamePane, "name the pane"},
		{ScopePanes, "left h", PaneLeft, "go to the pane at the left"},
		{ScopePanes, "right l", PaneRight, "go to the pane at the right"},
		{ScopePanes, "up k", PaneAbove, "go to the pane above"},
		{ScopePanes, "down j", PaneBelow, "go to the pane below"},
		{ScopePanes, "shift+left H", BorderLeft, "move the pane's border to the left"},
		{ScopePanes, "shift+right L", BorderRight, "move the pane's border to the right"},
		{ScopePanes, "shift+up K", BorderUp, "move the pane's border up"},
		{ScopePanes, "shift+down J", BorderDown, "move the pane's border down"},
		{ScopePanes, "tab", Next, "the next tab"},
		{ScopePanes, "shift+tab", Previous, "the tab before"},
		{ScopePanes, "1 2 3 4 5 6 7 8 9", Answer, "the tab of that number"},
		{ScopePanes, "?", Help, "show these keys"},
		{ScopePanes, "esc enter q", Back, "back to the pane"},

		{ScopePaneName, "enter", Send, "give the pane this name; an empty one takes it away"},
		{ScopePaneName, "esc", Back, "keep its name"},

		{ScopeEnded, "enter", Restart, "start a shell in the pane again"},
		{ScopeEnded, "esc ctrl+d", ClosePane, "close the pane"},
	}
}

func listKeys() []Binding {
	return []Binding{
		{ScopeSidebar, "up k", Up, "the thread above"},
		{ScopeSidebar, "down j", Down, "the thread below"},
		{ScopeSidebar, "pgup", PageUp, "one page up"},
		{ScopeSidebar, "pgdown", PageDown, "one page down"},
		{ScopeSidebar, "home g", Top, "the first thread"},
		{ScopeSidebar, "end G", Bottom, "the last thread"},
		{ScopeSidebar, "enter right l", Open, "go to the thread"},
		{ScopeSidebar, "n", New, "start a new thread"},
		{ScopeSidebar, "o", Offers, "look at the offers"},
		{ScopeSidebar, "v", CycleView, "terminal, transcript or both"},
		{ScopeSidebar, "r", Rename, "rename the thread"},
		{ScopeSidebar, "s", Stop, "stop the thread's agent"},
		{ScopeSidebar, "u", Resume, "start the thread's agent again"},
		{ScopeSidebar, "A", Archive, "archive the thread, or bring it back"},
		{ScopeSidebar, ".", Archived, "show the archived threads too, or hide them"},
		{ScopeSidebar, "x", Remove, "remove the thread; what goes is said first"},
		{ScopeSidebar, "/", Filter, "show only the threads with these words: of title, branch, project, agent, state"},
		{ScopeSidebar, "a", Attention, "go to what waits for you"},
		{ScopeSidebar, "?", Help, "show these keys"},
		{ScopeSidebar, "esc", Back, "back to where you were; from a filtered list, to all threads"},
		{ScopeSidebar, "q", Quit, "close the screen; the agents go on"},

		{ScopeNarrow, "enter down", Send, "go to the threads found"},
		{ScopeNarrow, "esc", Back, "show all threads"},

		{ScopeTranscript, "up k", Up, "one line up"},
		{ScopeTranscript, "down j", Down, "one line down"},
		{ScopeTranscript, "pgup ctrl+b", PageUp, "one page up"},
		{ScopeTranscript, "pgdown space ctrl+f", PageDown, "one page down"},
		{ScopeTranscript, "home g", Top, "to the beginning"},
		{ScopeTranscript, "end G", Bottom, "to the end, and follow it"},
		{ScopeTranscript, "tab", Next, "the next card"},
		{ScopeTranscript, "shift+tab", Previous, "the card before"},
		{ScopeTranscript, "z", Details, "unfold what went into every tool and came out, or fold it"},
		{ScopeTranscript, "[", PrevPrompt, "the prompt before"},
		{ScopeTranscript, "]", NextPrompt, "the next prompt"},
		{ScopeTranscript, "{", PrevFault, "the tool before that failed"},
		{ScopeTranscript, "} !", NextFault, "the next tool that failed, from the top after the last"},
		{ScopeTranscript, "/", Filter, "look for words in this transcript"},
		{ScopeTranscript, "n", NextHit, "the next place of what was looked for, further back"},
		{ScopeTranscript, "N", PrevHit, "the place before"},
		{ScopeTranscript, "s", NextEntry, "choose the entry below"},
		{ScopeTranscript, "S", PrevEntry, "choose the entry above"},
		{ScopeTranscript, "y", Copy, "copy the chosen entry as it was written"},
		{ScopeTranscript, "Y", CopyAnswer, "copy the agent's last answer"},
		{ScopeTranscript, "X", Export, "write the whole transcript to a file, as Markdown; again to stop it"},
		{ScopeTranscript, "c i enter", Composer, "write to the agent"},
		{ScopeTranscript, "t", Threads, "go to the list of threads"},
		{ScopeTranscript, "v", CycleView, "terminal, transcript or both"},
		{ScopeTranscript, "a", Attention, "go to what waits for you"},
		{ScopeTranscript, "?", Help, "show these keys"},
		{ScopeTranscript, "esc", Back, "stop a reading, forget the words that were looked for, or back to where you were"},
	}
}

func cardKeys() []Binding {
	return []Binding{
		{ScopeCard, "enter s", Start, "start this thread; on a started card, open it"},
		{ScopeCard, "n", NotNow, "not now"},
		{ScopeCard, "b", BringBack, "bring it back"},
		{ScopeCard, "p space", Prompt, "unfold the prompt; on a settled card, the card"},
		{ScopeCard, "e", Edit, "edit its title and prompt before it starts"},
		{ScopeCard, "c", Choose, "choose its checkout, base, agent and model before it starts"},
		{ScopeCard, "x", Cancel, "stop a start that is under way"},
		{ScopeCard, "y", Copy, "copy the prompt"},
		{ScopeCard, "o", OpenCard, "open the started thread"},
		{ScopeCard, "tab", Next, "the next card"},
		{ScopeCard, "shift+tab", Previous, "the card before"},
		{ScopeCard, "esc", Back, "leave the card"},

		{ScopeEdit, "enter", Send, "start the thread as it says here"},
		{ScopeEdit, "shift+enter alt+enter ctrl+j", Newline, "a new line in the prompt"},
		{ScopeEdit, "tab", Next, "the next row"},
		{ScopeEdit, "shift+tab", Previous, "the row before"},
		{ScopeEdit, "ctrl+r", Reset, "all as it was offered"},
		{ScopeEdit, "esc", Back, "leave it; the card keeps what is changed"},

		{ScopeChoose, "enter", Send, "start the thread as it says here"},
		{ScopeChoose, "left h", Left, "the choice before"},
		{ScopeChoose, "right l space", Right, "the next choice"},
		{ScopeChoose, "tab down j", Next, "the next row"},
		{ScopeChoose, "shift+tab up k", Previous, "the row before"},
		{ScopeChoose, "ctrl+r", Reset, "all as it was offered"},
		{ScopeChoose, "?", Help, "show these keys"},
		{ScopeChoose, "esc", Back, "leave it; the card keeps what is changed"},

		{ScopeOffers, "up k", Up, "the offer above"},
		{ScopeOffers, "down j", Down, "the offer below"},
		{ScopeOffers, "pgup", PageUp, "one page up"},
		{ScopeOffers, "pgdown", PageDown, "one page down"},
		{ScopeOffers, "home g", Top, "the first offer"},
		{ScopeOffers, "end G", Bottom, "the last offer"},
		{ScopeOffers, "enter s", Start, "start this thread; on a started one, open it"},
		{ScopeOffers, "n", NotNow, "not now"},
		{ScopeOffers, "b", BringBack, "bring it back"},
		{ScopeOffers, "p space", Prompt, "unfold the prompt"},
		{ScopeOffers, "e", Edit, "edit its title and prompt before it starts"},
		{ScopeOffers, "c", Choose, "choose its checkout, base, agent and model before it starts"},
		{ScopeOffers, "x", Cancel, "stop a start that is under way"},
		{ScopeOffers, "y", Copy, "copy the prompt"},
		{ScopeOffers, "o", OpenCard, "open the started thread"},
		{ScopeOffers, "/", Filter, "show only the offers with these words"},
		{ScopeOffers, "a", Attention, "go to what waits for you"},
		{ScopeOffers, "?", Help, "show these keys"},
		{ScopeOffers, "esc q", Back, "back to where you were"},

		{ScopeFilter, "enter down", Send, "go to the offers found"},
		{ScopeFilter, "esc", Back, "show all offers"},
	}
}

func decisionKeys() []Binding {
	return []Binding{
		{ScopeBar, "1 2 3 4 5 6 7 8 9", Answer, "give the answer of that number; the letter beside an answer gives it too; of several questions, the next comes then"},
		{ScopeBar, "d", Whole, "show the whole detail"},
		{ScopeBar, "t", Terminal, "leave it to the agent's own prompt in the terminal"},
		{ScopeBar, "enter", Send, "send the answers to several questions, when each has one; before, keep the one that a question has"},
		{ScopeBar, "tab", Next, "the next decision"},
		{ScopeBar, "?", Help, "show these keys"},
		{ScopeBar, "esc", Back, "the question before, where several are asked; else leave the bar; nothing is answered"},

		{ScopeNote, "enter", Send, "send the answer with the note, or without when it is empty; of several questions, go on to the next"},
		{ScopeNote, "esc", Back, "back to the answers"},

		{ScopePick, "1 2 3 4 5 6 7 8 9", Answer, "pick the choice of that number, or put it back"},
		{ScopePick, "enter", Send, "send what is picked; of several questions, go on to the next"},
		{ScopePick, "esc", Back, "back to the answers"},

		{ScopeActions, "r", Run, "run it; what opens or starts something does so"},
		{ScopeActions, "i", Insert, "write the command without running it"},
		{ScopeActions, "up k", Up, "the choice above"},
		{ScopeActions, "down j", Down, "the choice below"},
		{ScopeActions, "1 2 3", Answer, "the choice of that number"},
		{ScopeActions, "d", Whole, "show all of it"},
		{ScopeActions, "tab", Next, "look at it as it is now"},
		{ScopeActions, "?", Help, "show these keys"},
		{ScopeActions, "esc", Cancel, "cancel it; nothing is done"},

		{ScopeWholeCard, "r", Run, "run it; what opens or starts something does so"},
		{ScopeWholeCard, "i", Insert, "write the command without running it"},
		{ScopeWholeCard, "1 2 3", Answer, "the choice of that number"},
		{ScopeWholeCard, "up k", Up, "the choice above"},
		{ScopeWholeCard, "down j", Down, "the choice below"},
		{ScopeWholeCard, "pgup b", PageUp, "one page up"},
		{ScopeWholeCard, "pgdown space", PageDown, "one page down"},
		{ScopeWholeCard, "home g", Top, "to the beginning"},
		{ScopeWholeCard, "end G", Bottom, "to the end"},
		{ScopeWholeCard, "tab", Next, "look at it as it is now"},
		{ScopeWholeCard, "d q", Back, "back to the card over the terminal"},
		{ScopeWholeCard, "esc", Cancel, "cancel it; nothing is done"},

		{ScopeWhole, "1 2 3 4 5 6 7 8 9", Answer, "give the answer of that number"},
		{ScopeWhole, "enter", Send, "send the answers to several questions, when each has one; before, keep the one that a question has"},
		{ScopeWhole, "t", Terminal, "leave it to the agent's own prompt in the terminal"},
		{ScopeWhole, "up k", Up, "one line up"},
		{ScopeWhole, "down j", Down, "one line down"},
		{ScopeWhole, "pgup b", PageUp, "one page up"},
		{ScopeWhole, "pgdown space", PageDown, "one page down"},
		{ScopeWhole, "home g", Top, "to the beginning"},
		{ScopeWhole, "end G", Bottom, "to the end"},
		{ScopeWhole, "esc q d", Back, "back to the bar"},

		{ScopeConfirm, "y", Yes, "yes"},
		{ScopeConfirm, "n", No, "no"},
		{ScopeConfirm, "c", Copy, "copy where a link leads, and do not open it"},
		{ScopeConfirm, "esc", Back, "no; a question that was asked unbidden stays"},
	}
}

func reviewKeys() []Binding {
	return []Binding{
		{ScopeReview, "up k", Up, "the line above"},
		{ScopeReview, "down j", Down, "the line below"},
		{ScopeReview, "pgup ctrl+b", PageUp, "one page up"},
		{ScopeReview, "pgdown ctrl+f", PageDown, "one page down"},
		{ScopeReview, "home g", Top, "to the beginning"},
		{ScopeReview, "end G", Bottom, "to the end"},
		{ScopeReview, "n tab", Next, "the next file"},
		{ScopeReview, "p shift+tab", Previous, "the beginning of the file, and the file before"},
		{ScopeReview, "left h", Left, "to the beginning of long lines"},
		{ScopeReview, "right l", Right, "to the end of long lines"},
		{ScopeReview, "space z", Fold, "fold the file, or unfold it"},
		{ScopeReview, "s", Sides, "both sides beside each other, or one below the other"},
		{ScopeReview, "v", Mark, "choose lines from here on, or only the one again"},
		{ScopeReview, "c enter", Comment, "comment on what is chosen, to the agent"},
		{ScopeReview, "f", Finish, "finish the thread: merge, rebase, push or commit"},
		{ScopeReview, "r", Again, "look anew at what has changed"},
		{ScopeReview, "?", Help, "show these keys"},
		{ScopeReview, "esc q", Back, "back to where you were"},

		{ScopeComment, "enter", Send, "send it to the agent, with the lines"},
		{ScopeComment, "shift+enter alt+enter ctrl+j", Newline, "a new line"},
		{ScopeComment, "esc", Back, "back to the lines; what is written is kept"},

		{ScopeFinish, "1 2 3 4", Answer, "the way of that number"},
		{ScopeFinish, "up k", Up, "the way above, or one line up"},
		{ScopeFinish, "down j", Down, "the way below, or one line down"},
		{ScopeFinish, "pgup b", PageUp, "one page up"},
		{ScopeFinish, "pgdown space", PageDown, "one page down"},
		{ScopeFinish, "tab e", Next, "change the message of commits, and the branch"},
		{ScopeFinish, "shift+tab", Previous, "change the branch it goes into"},
		{ScopeFinish, "enter", Send, "show the steps, or the next one; nothing is done yet"},
		{ScopeFinish, "y", Yes, "do the step that is shown"},
		{ScopeFinish, "c", Copy, "copy the commands of a step that is yours to run"},
		{ScopeFinish, "x ctrl+x", Cancel, "stop what is under way"},
		{ScopeFinish, "?", Help, "show these keys"},
		{ScopeFinish, "esc q n", Back, "leave it; no step is done"},

		{ScopeFinishEdit, "enter", Send, "show the steps; nothing is done yet"},
		{ScopeFinishEdit, "shift+enter alt+enter ctrl+j", Newline, "a new line in the message"},
		{ScopeFinishEdit, "tab", Next, "the branch, and back to the ways"},
		{ScopeFinishEdit, "shift+tab", Previous, "the message, and back to the ways"},
		{ScopeFinishEdit, "up", Up, "the branch before, or the row above in the message"},
		{ScopeFinishEdit, "down", Down, "the next branch, or the row below in the message"},
		{ScopeFinishEdit, "ctrl+g", Editor, "write the message in your editor: $VISUAL, or else $EDITOR"},
		{ScopeFinishEdit, "esc", Back, "back to the ways; what is written is kept"},
	}
}

func typingKeys() []Binding {
	return []Binding{
		{ScopeComposer, "enter", Send, "send it to the agent"},
		{ScopeComposer, "shift+enter alt+enter ctrl+j", Newline, "a new line"},
		{ScopeComposer, "up", Up, "the row above; from the first one, the prompt that was sent before"},
		{ScopeComposer, "down", Down, "the row below; from the last one, the prompt that was sent next"},
		{ScopeComposer, "ctrl+g", Editor, "write it in your editor: $VISUAL, or else $EDITOR"},
		{ScopeComposer, "tab", Next, "to the newest card"},
		{ScopeComposer, "pgup", PageUp, "scroll the transcript up"},
		{ScopeComposer, "pgdown", PageDown, "scroll the transcript down"},
		{ScopeComposer, "esc", Back, "leave the composer; what is written is kept"},

		{ScopeNew, "enter", Send, "start the thread"},
		{ScopeNew, "shift+enter alt+enter ctrl+j", Newline, "a new line"},
		{ScopeNew, "ctrl+g", Editor, "write it in your editor: $VISUAL, or else $EDITOR"},
		{ScopeNew, "tab", Next, "the next agent"},
		{ScopeNew, "shift+tab", Previous, "the agent before"},
		{ScopeNew, "ctrl+x", Cancel, "stop the start that is under way"},
		{ScopeNew, "esc", Back, "leave it"},

		{ScopeFiles, "enter tab", Send, "name the chosen file"},
		{ScopeFiles, "up ctrl+p", Up, "the file above"},
		{ScopeFiles, "down ctrl+n", Down, "the file below"},
		{ScopeFiles, "esc", Back, "leave it as it is written"},

		{ScopeRename, "enter", Send, "give the thread this title"},
		{ScopeRename, "esc", Back, "keep the title"},

		{ScopePalette, "enter", Send, "do it"},
		{ScopePalette, "up ctrl+p", Up, "the row above"},
		{ScopePalette, "down ctrl+n", Down, "the row below"},
		{ScopePalette, "pgup", PageUp, "one page up"},
		{ScopePalette, "pgdown", PageDown, "one page down"},
		{ScopePalette, "esc", Back, "leave it; nothing is done"},

		{ScopeSearch, "enter", Send, "go there in its transcript"},
		{ScopeSearch, "up ctrl+p", Up, "the place above"},
		{ScopeSearch, "down ctrl+n", Down, "the place below"},
		{ScopeSearch, "pgup", PageUp, "one page up"},
		{ScopeSearch, "pgdown", PageDown, "one page down"},
		{ScopeSearch, "esc", Back, "leave it"},

		{ScopeHelp, "esc q ? enter", Back, "close the help"},
		{ScopeHelp, "up k", Up, "one line up"},
		{ScopeHelp, "down j", Down, "one line down"},
		{ScopeHelp, "pgup", PageUp, "one page up"},
		{ScopeHelp, "pgdown space", PageDown, "one page down"},
		{ScopeHelp, "home g", Top, "to the beginning"},
		{ScopeHelp, "end G", Bottom, "to the end"},
	}
}

// Keys looks keys up. Its zero value is of no use; see NewKeys.
type Keys struct {
	by map[Scope]map[string]Intent
}

// NewKeys returns the table, ready to be looked up.
func NewKeys() Keys {
	k := Keys{by: make(map[Scope]map[string]Intent)}
	for _, b := range Table() {
		scope := k.by[b.Scope]
		if scope == nil {
			scope = make(map[string]Intent)
			k.by[b.Scope] = scope
		}
		for key := range strings.FieldsSeq(b.Keys) {
			do := b.Do
			if do == Answer {
				do = OptionN(int(key[0] - '1'))
			}
			scope[key] = do
		}
	}
	return k
}

// Find returns what a key means in a stack of scopes, the last being on top,
// and the scope that knows it.
func (k Keys) Find(stack []Scope, key string) (Intent, Scope) {
	for i := len(stack) - 1; i >= 0; i-- {
		if do, ok := k.by[stack[i]][key]; ok {
			return do, stack[i]
		}
		if !stack[i].FallsThrough() {
			break
		}
	}
	return Nothing, ""
}

// For returns the bindings of the scopes, in their order, and those that
// follow the leader.
func For(scopes ...Scope) []Binding {
	var out []Binding
	for _, s := range append(scopes, ScopeLeader) {
		for _, b := range Table() {
			if b.Scope == s {
				out = append(out, b)
			}
		}
	}
	return out
}

// Title returns the heading of a scope's keys.
func (s Scope) Title(leader string) string {
	return map[Scope]string{
		ScopeLeader:     "After " + leader,
		ScopeTerminal:   "In the terminal",
		ScopeHistory:    "Scrolling back in the terminal",
		ScopeSelect:     "Selecting text in the terminal",
		ScopeLinks:      "Choosing a link in the terminal",
		ScopeFind:       "Looking for words in the terminal",
		ScopePanes:      "Among the panes",
		ScopePaneName:   "Naming a pane",
		ScopeEnded:      "In a shell that has ended",
		ScopeSidebar:    "In the list of threads",
		ScopeNarrow:     "In the filter of threads",
		ScopeTranscript: "In the transcript",
		ScopeCard:       "On a card",
		ScopeComposer:   "In the composer",
		ScopeEdit:       "Editing an offer before it starts",
		ScopeChoose:     "Choosing how an offer starts",
		ScopeOffers:     "In the list of offers",
		ScopeFilter:     "In the filter of offers",
		ScopeBar:        "In the decision bar",
		ScopeNote:       "Writing a note to an answer",
		ScopePick:       "Picking several choices",
		ScopeActions:    "On a card of proposed commands",
		ScopeWholeCard:  "In the whole of a card of proposed commands",
		ScopeWhole:      "In the whole detail of a decision",
		ScopeReview:     "In the review of what a thread has changed",
		ScopeComment:    "Writing a comment on lines",
		ScopeFinish:     "Finishing a thread",
		ScopeFinishEdit: "Choosing how a thread is finished",
		ScopeNew:        "Starting a new thread",
		ScopeRename:     "Renaming a thread",
		ScopeFiles:      "Naming a file with @ in what you write",
		ScopePalette:    "In the list of commands",
		ScopeSearch:     "In the search across threads",
		ScopeConfirm:    "On a question",
		ScopeHelp:       "In the help",
	}[s]
}

// Markdown returns docs/keys.md.
func Markdown(leader string) string {
	var b strings.Builder
	b.WriteString("# Keys\n\nIn the terminal every key belongs to the focused pane, except the leader, `" + leader +
		"`; pressed twice it goes through. Everything can also be clicked.\n")
	var scope Scope
	for _, l := range Table() {
		if l.Scope != scope {
			scope = l.Scope
			b.WriteString("\n## " + scope.Title("`"+leader+"`") + "\n\n| key | does |\n|---|---|\n")
		}
		keys := "`" + strings.ReplaceAll(l.Label(), ", ", "` `") + "`"
		b.WriteString("| " + keys + " | " + l.Sentence + " |\n")
	}
	return b.String()
}
