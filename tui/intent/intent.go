// Package intent holds what a person can want of the screen and the keys that
// say it. The key table is data: the screen looks keys up in it, and the help
// and docs/keys.md are printed from it.
package intent

import (
	"strconv"
	"strings"
)

// Intent is what a person wants. Components and the screen act on intents,
// never on keys; a click means the same as a key.
type Intent string

// The intents.
const (
	Nothing Intent = ""

	// Getting about.
	Back       Intent = "back"
	Up         Intent = "up"
	Down       Intent = "down"
	PageUp     Intent = "page up"
	PageDown   Intent = "page down"
	Top        Intent = "top"
	Bottom     Intent = "bottom"
	Next       Intent = "next"
	Previous   Intent = "previous"
	Threads    Intent = "threads"
	NextThread Intent = "next thread"
	PrevThread Intent = "previous thread"
	Offers     Intent = "offers"
	Main       Intent = "main"
	Transcript Intent = "transcript"
	Composer   Intent = "composer"
	Bar        Intent = "bar"
	Attention  Intent = "attention"
	History    Intent = "history"
	CycleView  Intent = "view"
	Sidebar    Intent = "sidebar"
	Help       Intent = "help"
	Palette    Intent = "palette"
	Search     Intent = "search"
	Quit       Intent = "quit"

	// Threads.
	Open     Intent = "open"
	New      Intent = "new"
	Rename   Intent = "rename"
	Stop     Intent = "stop"
	Resume   Intent = "resume"
	Remove   Intent = "remove"
	Archive  Intent = "archive"
	Archived Intent = "archived"

	// Cards.
	Start     Intent = "start"
	NotNow    Intent = "not now"
	BringBack Intent = "bring back"
	Prompt    Intent = "prompt"
	Copy      Intent = "copy"
	OpenCard  Intent = "open card"
	Edit      Intent = "edit"
	Choose    Intent = "choose"
	Cancel    Intent = "cancel"
	From      Intent = "from"
	Focus     Intent = "focus"

	// Decisions.
	Answer   Intent = "answer" // with the option of the key's number, see OptionN
	Whole    Intent = "whole"
	Terminal Intent = "terminal"

	// The transcript.
	Details    Intent = "details"
	PrevPrompt Intent = "previous prompt"
	NextPrompt Intent = "next prompt"
	PrevFault  Intent = "previous fault"
	NextFault  Intent = "next fault"
	NextEntry  Intent = "next entry"
	PrevEntry  Intent = "previous entry"
	NextHit    Intent = "next hit"
	PrevHit    Intent = "previous hit"
	CopyAnswer Intent = "copy answer"
	Export     Intent = "export"

	// The review.
	Review  Intent = "review"
	Comment Intent = "comment"
	Finish  Intent = "finish"
	Fold    Intent = "fold"
	Mark    Intent = "mark"
	Again   Intent = "again"
	Sides   Intent = "sides"

	// Panes.
	Panes       Intent = "panes"
	OpenTab     Intent = "open tab"
	SplitRight  Intent = "split right"
	SplitDown   Intent = "split down"
	ClosePane   Intent = "close pane"
	Zoom        Intent = "zoom"
	RenamePane  Intent = "rename pane"
	PaneLeft    Intent = "pane left"
	PaneRight   Intent = "pane right"
	PaneAbove   Intent = "pane above"
	PaneBelow   Intent = "pane below"
	BorderLeft  Intent = "border left"
	BorderRight Intent = "border right"
	BorderUp    Intent = "border up"
	BorderDown  Intent = "border down"
	Restart     Intent = "restart"

	// Action cards.
	Card   Intent = "card"
	Run    Intent = "run"
	Insert Intent = "insert"

	// Selecting in a terminal, and links.
	Select       Intent = "select"
	WordNext     Intent = "next word"
	WordBefore   Intent = "word before"
	WordEnd      Intent = "end of word"
	LineStart    Intent = "start of line"
	LineEnd      Intent = "end of line"
	ScreenTop    Intent = "top of screen"
	ScreenMiddle Intent = "middle of screen"
	ScreenBottom Intent = "bottom of screen"
	MarkLines    Intent = "mark lines"
	MarkBlock    Intent = "mark block"
	Links        Intent = "links"

	// Typing and questions.
	Send    Intent = "send"
	Newline Intent = "newline"
	Editor  Intent = "editor"
	Left    Intent = "left"
	Right   Intent = "right"
	Reset   Intent = "reset"
	Filter  Intent = "filter"
	Yes     Intent = "yes"
	No      Intent = "no"
)

const optionPrefix = "option "

// Option returns which option an intent chooses, from 0, or -1.
func (i Intent) Option() int {
	if n, ok := strings.CutPrefix(string(i), optionPrefix); ok {
		if n, err := strconv.Atoi(n); err == nil {
			return n - 1
		}
	}
	return -1
}

// OptionN returns the intent that chooses option n, from 0.
func OptionN(n int) Intent { return Intent(optionPrefix + strconv.Itoa(n+1)) }

// Scope is where a key has its meaning. The focus is a stack of scopes.
type Scope string

// The scopes.
const (
	ScopeLeader     Scope = "leader" // the key after the leader
	ScopeTerminal   Scope = "terminal"
	ScopeHistory    Scope = "history" // scrolling back in a terminal
	ScopeFind       Scope = "find"    // and looking for words in it
	ScopeSelect     Scope = "select"  // selecting by keys in a terminal
	ScopeLinks      Scope = "links"   // choosing one of the links in it
	ScopePanes      Scope = "panes"   // opening, closing, going about the panes
	ScopePaneName   Scope = "pane name"
	ScopeEnded      Scope = "ended" // in a shell pane whose shell has ended
	ScopeSidebar    Scope = "sidebar"
	ScopeNarrow     Scope = "narrow" // the list of threads, by words
	ScopeTranscript Scope = "transcript"
	ScopeCard       Scope = "card"
	ScopeComposer   Scope = "composer"
	ScopeEdit       Scope = "edit"   // what a person makes of an offer: typed
	ScopeChoose     Scope = "choose" // and chosen
	ScopeOffers     Scope = "offers"
	ScopeFilter     Scope = "filter"
	ScopeBar        Scope = "bar"
	ScopeNote       Scope = "note"
	ScopePick       Scope = "pick"
	ScopeActions    Scope = "actions" // the card of what an agent proposes in the terminals
	ScopeWholeCard  Scope = "whole card"
	ScopeWhole      Scope = "whole"
	ScopeReview     Scope = "review"
	ScopeComment    Scope = "comment" // on lines of it
	ScopeFinish     Scope = "finish"
	ScopeFinishEdit Scope = "finish edit" // its message and branch
	ScopeNew        Scope = "new"
	ScopeRename     Scope = "rename"
	ScopeFiles      Scope = "files" // the list of files that an @ asks for
	ScopePalette    Scope = "palette"
	ScopeSearch     Scope = "search"
	ScopeConfirm    Scope = "confirm"
	ScopeHelp       Scope = "help"
)

// FallsThrough says that a key which a scope does not know is looked up in
// the scope beneath it.
func (s Scope) FallsThrough() bool {
	return s == ScopeCard
}

// Types says that a scope takes text, so that the keys it does not know are
// typed into it.
func (s Scope) Types() bool {
	switch s {
	case ScopeComposer, ScopeNarrow, ScopeFilter, ScopeFind, ScopeNote, ScopeNew, ScopeRename, ScopePaneName, ScopeEdit, ScopePalette, ScopeSearch, ScopeComment, ScopeFinishEdit:
		return true
	}
	return false
}

// Zone is a place of a drawn block that can be clicked: w columns of the line
// y from the column x on.
type Zone struct {
	X, Y, W int
	Do      Intent
}

// Hit returns the intent of the zone at a place of a block.
func Hit(zones []Zone, x, y int) (Intent, bool) {
	for _, z := range zones {
		if z.Y == y && x >= z.X && x < z.X+z.W {
			return z.Do, true
		}
	}
	return Nothing, false
}
