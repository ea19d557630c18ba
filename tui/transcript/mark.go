package transcript

import (
	"fmt"
	"time"

	"aside/tui/cells"
)

// longPause is a pause after which the time of day is said.
const longPause = 30 * time.Minute

// Passed says which day begins with an entry, or what time it is after a long
// pause; "" where neither is so. An entry that is the first of its thread comes
// after the zero time. The times are read in the zone of now.
func Passed(before, at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	before, at = before.In(now.Location()), at.In(now.Location())
	switch {
	case at.Year() != now.Year() && before.Format(time.DateOnly) != at.Format(time.DateOnly):
		return at.Format("Monday, 2 January 2006 15:04")
	case before.Format(time.DateOnly) != at.Format(time.DateOnly):
		return at.Format("Monday, 2 January 15:04")
	case at.Sub(before) >= longPause:
		return at.Format("15:04")
	}
	return ""
}

// Took is how long something took, in its two largest units.
func Took(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d/time.Minute), int(d/time.Second)%60)
	}
	return fmt.Sprintf("%dh %02dm", int(d/time.Hour), int(d/time.Minute)%60)
}

// Mark is a quiet line between entries.
func (l *Looks) Mark(text string, w int) string {
	return cells.Fit(" "+l.Theme.Dim.Paint("── "+text), w)
}
