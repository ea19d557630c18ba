package session

// Remembered is how the screen of a project was left.
type Remembered struct {
	Thread     ThreadID // shown last, or ""; it may be gone
	ListHidden bool     // the list of threads
	// Views are what was shown of threads where the person has chosen it, in
	// the screen's own words.
	Views map[ThreadID]string
}
