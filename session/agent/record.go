package agent

import "aside/session/transcript"

// Reader reads the record that an agent keeps itself.
type Reader interface {
	// Read returns what was added to the file since the offset, in the order
	// of the file, and the offset to go on from. A line that is still being
	// written is left for later. One call reads a bounded amount: when next
	// differs from offset there may be more. A file that is not there yet has
	// nothing in it.
	Read(path string, offset int64) (items []Item, next int64, err error)
}

// Item is one thing that a record tells: an entry or an update.
type Item struct {
	// Entry is complete but for ID, Thread and Turn. Its Key is its identity.
	Entry *transcript.Entry
	// Update completes an earlier entry.
	Update *Update
	// Interrupted says that the person interrupted the turn, which some
	// agents report in no other way. It is set beside the Entry that says so.
	Interrupted bool
}

// Update is what became of a tool's use. There may be none with its key, for
// a use that is not shown.
type Update struct {
	Key    string // of the entry that it completes
	Output string
	Failed bool
}
