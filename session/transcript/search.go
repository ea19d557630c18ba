package transcript

import (
	"time"

	"aside/session"
)

// Query asks for the entries that hold words.
type Query struct {
	// Text is what the person typed: every word of it must be in the entry,
	// and the last one may be the beginning of a word. Case and accents do
	// not count, and no character means more than itself.
	Text    string
	Project string           // folder; "" is every project
	Thread  session.ThreadID // "" is every thread
	Limit   int              // of hits; 0 is 50
}

// Seek asks for the entries of one kind on one side of an entry, the nearest
// first.
type Seek struct {
	Thread   session.ThreadID
	Kind     Kind
	Failed   bool               // only those that tell of a failure
	Proposal session.ProposalID // only its card; "" is any
	From     int64              // an entry's id; 0 is the beginning, or the end with Back
	Back     bool               // what is before it, not behind it
	Limit    int                // of entries; 0 is no limit
}

// Span is a part of a text, in bytes.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Hit is an entry that was found.
type Hit struct {
	Thread session.ThreadID `json:"thread"`
	Title  string           `json:"title"` // of the thread
	Entry  int64            `json:"entry"` // its id
	At     time.Time        `json:"at"`
	Kind   Kind             `json:"kind"`
	// Snippet is the part of the entry around the first word, on one line and
	// safe to show, and Marks where in it the words are.
	Snippet string `json:"snippet"`
	Marks   []Span `json:"marks,omitempty"`
}

// Found is what a search has found, the newest first.
type Found struct {
	Hits []Hit
	// More says that there are more than the limit.
	More bool
	// Plain says that this program has no full-text index and looked at every
	// entry: slowly, at parts of words too, and with accents counting.
	Plain bool
}
