package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// EventKind says what an Event is about.
type EventKind uint8

// The kinds of events.
const (
	EventTitle        EventKind = iota + 1 // Text: the new title
	EventCwd                               // Text: path the program reports (OSC 7)
	EventBell                              //
	EventNotification                      // Title, Text (OSC 9, OSC 777)
	EventClipboard                         // Selection, Data: the program wants it written (OSC 52)
	EventStatus                            // Status (OSC 7501)
	EventProgress                          // Progress (OSC 9;4)
	EventPrompt                            // a shell prompt begins (OSC 133;A): no program is at work
	EventReset                             // the program reset the terminal: what it reported is void
)

// Event is something the program told that is not part of the picture. All of
// it is the program's word: control characters are taken out and sizes are
// bounded, no more.
type Event struct {
	Kind      EventKind
	Title     string
	Text      string
	Selection string // of the clipboard: c, p, s or other letters of OSC 52
	Data      []byte // for the clipboard, empty to clear it
	Status    ProgramStatus
	Progress  Progress
}

// ProgressState is the state of a Progress.
type ProgressState uint8

// The states of OSC 9;4.
const (
	ProgressNone ProgressState = iota
	ProgressNormal
	ProgressError
	ProgressBusy // of unknown length
	ProgressPaused
)

// Progress is a progress report (OSC 9;4).
type Progress struct {
	State   ProgressState
	Percent int // 0 to 100
}

// Bounds of the queue of events and of the texts in them, in bytes.
const (
	maxEvents    = 256
	maxEventData = 4 << 20
	maxTitle     = 1024
	maxTitles    = 16 // on the stack of XTWINOPS 22
	maxText      = 2048
	maxPath      = 4096
)

// Events returns what happened since the last call, in order. A full queue
// drops what is new; titles, bells and progress are kept once each, the
// newest in the place of the first.
func (s *Screen) Events() []Event {
	e := s.events
	s.events = nil
	return e
}

func (s *Screen) event(e Event) {
	size := len(e.Data)
	for i := range s.events {
		old := &s.events[i]
		if old.Kind == e.Kind && (e.Kind == EventTitle || e.Kind == EventBell || e.Kind == EventProgress) {
			*old = e
			return
		}
		size += len(old.Data)
	}
	if len(s.events) < maxEvents && size <= maxEventData {
		s.events = append(s.events, e)
	}
}

// clean returns text without control characters and broken UTF-8, cut at a
// code point to at most limit bytes.
func clean(text []byte, limit int) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if unicode.Is(unicode.Cc, r) || r == '\u2028' || r == '\u2029' {
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (s *Screen) setTitle(text []byte) {
	s.changeTitle(clean(text, maxTitle))
}

func (s *Screen) changeTitle(title string) {
	if title == s.title {
		return
	}
	s.title = title
	s.event(Event{Kind: EventTitle, Text: title})
}

// pushTitle and popTitle are XTWINOPS 22 and 23; 1 is about the icon's title
// alone, which there is not.
func (s *Screen) pushTitle(which int) {
	if which == 1 {
		return
	}
	if len(s.titles) == maxTitles {
		s.titles = append(s.titles[:0], s.titles[1:]...)
	}
	s.titles = append(s.titles, s.title)
}

func (s *Screen) popTitle(which int) {
	last := len(s.titles) - 1
	if which == 1 || last < 0 {
		return
	}
	s.changeTitle(s.titles[last])
	s.titles = s.titles[:last]
}
