// Package sidebar draws the list of threads and the count of offers.
package sidebar

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/theme"
)

// Row is one thread in the list, or the heading of a group of them.
type Row struct {
	Heading string // of a group; a row that has one has nothing else

	Thread session.ThreadID
	Sign   string // its state, painted, one column
	Title  string
	Loud   bool   // it waits for the person
	Quiet  bool   // it is archived
	Offers int    // standing ones that it has made
	Age    string // since its state last changed, or ""

	// Tall rows have a second line: where its files are, and how many lines of
	// them are changed.
	Tall           bool
	Place          string
	Added, Deleted int
}

// Height returns how many lines the row takes.
func (r Row) Height() int {
	if r.Tall {
		return 2
	}
	return 1
}

// List is what there is to draw.
type List struct {
	Rows    []Row            // those that are seen, see Window
	Name    string           // the heading
	Field   string           // in place of the heading, where a filter is written
	Hidden  int              // how many threads are out of sight
	Waiting int              // how many threads wait for the person, seen or not
	Current session.ThreadID // the thread that is shown
	Chosen  session.ThreadID // the thread that keys act on, while Focused
	Focused bool
	Offers  int    // standing
	Foot    string // the last line: how to get at the keys
}

// Target is what a line of the list stands for; at most one field is set.
type Target struct {
	Thread  session.ThreadID
	Offers  bool
	Keys    bool
	Waiting bool // the end of the line, see List.Waiting
}

// offersLeast is the height from which on the offers are counted.
const offersLeast = 5

// Room returns how many lines there are for rows in a list of h lines.
func (l List) Room(h int) int {
	if l.Offers > 0 && h >= offersLeast {
		return h - 4 // the heading, the offers under a blank line, the foot
	}
	return h - 2
}

// Window returns which of the rows with these heights are seen in room lines,
// when those from the row top on were seen before. The row at is among them,
// with the heading above it; -1 is none.
func Window(heights []int, top, at, room int) (from, to int) {
	n := len(heights)
	if room < 1 || n == 0 {
		return 0, 0
	}
	from = max(0, min(top, n-1))
	if at >= 0 {
		from = min(from, max(0, at-1))
		for used := sum(heights[from : at+1]); used > room && from < at; from++ {
			used -= heights[from]
		}
	}
	// Nothing is blank below while there is something above.
	for used := sum(heights[from:min(n, from+room)]); from > 0 && used+heights[from-1] <= room; from-- {
		used += heights[from-1]
	}
	to = from
	for used := 0; to < n && used+heights[to] <= room; to++ {
		used += heights[to]
	}
	return from, to
}

func sum(heights []int) (n int) {
	for _, h := range heights {
		n += h
	}
	return n
}

// Draw returns h lines of w columns, and what each stands for.
func (l List) Draw(th theme.Theme, w, h int) ([]string, []Target) {
	lines := make([]string, 0, h+1)
	targets := make([]Target, 0, h+1)
	add := func(s string, t Target) {
		lines = append(lines, cells.Fit(s, w))
		targets = append(targets, t)
	}
	add(l.head(th, w), Target{Waiting: l.Waiting > 0 && l.Field == ""})
	for _, r := range l.Rows {
		if r.Heading != "" {
			add(" "+th.Dim.Paint(session.CleanLine(r.Heading)), Target{})
			continue
		}
		for _, s := range l.row(th, r, w) {
			add(s, Target{Thread: r.Thread})
		}
	}
	if l.Offers > 0 && h >= offersLeast {
		add("", Target{})
		add(" "+th.Accent.Paint("◆")+fmt.Sprintf(" %d %s", l.Offers, plural(l.Offers, "offer")), Target{Offers: true})
	}
	for len(lines) < h-1 {
		add("", Target{})
	}
	if len(lines) < h {
		add(" "+th.Dim.Paint(l.Foot), Target{Keys: true})
	}
	return lines[:h], targets[:h]
}

// head is the first line: the name, how much is out of sight, and how many
// threads wait for the person.
func (l List) head(th theme.Theme, w int) string {
	if l.Field != "" {
		return " " + l.Field
	}
	waiting, room := "", w-2
	if l.Waiting > 0 {
		waiting = fmt.Sprintf("! %d", l.Waiting)
		room -= len(waiting) + 1
	}
	name := session.CleanLine(l.Name)
	if l.Hidden > 0 {
		more := fmt.Sprintf(", %d more", l.Hidden)
		if cells.Width(name+more) > room {
			more = fmt.Sprintf(" +%d", l.Hidden)
		}
		name = cells.Cut(name, room-len(more)) + more
	}
	return " " + cells.Spread(th.Dim.Paint(name), th.Warn.Paint(waiting), w-2)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// narrow is the width below which a title is not cut for the sake of what
// stands behind it.
const narrow = 22

// row draws a thread.
func (l List) row(th theme.Theme, r Row, w int) []string {
	lead, ground, style := " ", theme.Style(""), theme.Style("")
	if l.Focused && r.Thread == l.Chosen {
		ground = th.Chosen
	}
	switch {
	case r.Thread == l.Current:
		lead, style = th.Accent.Paint(theme.Rail), th.Strong
	case r.Quiet:
		style = th.Dim
	}
	title := session.CleanLine(r.Title)
	if r.Loud {
		title = "! " + title
	}
	room := max(0, w-3) // the lead, the sign and a blank
	offers := ""
	if r.Offers > 0 {
		offers = fmt.Sprintf("◆%d", r.Offers)
	}
	age := r.Age
	for w < narrow && offers+age != "" && cells.Width(title)+behind(offers, age) > room {
		if age != "" {
			age = ""
		} else {
			offers = ""
		}
	}
	title = cells.Cut(title, room-behind(offers, age))
	s := style.On(ground).Paint(title) + ground.Paint(strings.Repeat(" ", max(0, room-cells.Width(title)-behind(offers, age))))
	if offers != "" {
		s += ground.Paint(" ") + th.Accent.On(ground).Paint(offers)
	}
	if age != "" {
		s += th.Dim.On(ground).Paint(" " + age)
	}
	if offers+age != "" {
		s += ground.Paint(" ")
	}
	lines := []string{lead + r.Sign + ground.Paint(" ") + s}
	if r.Tall {
		lines = append(lines, lead+" "+ground.Paint(" ")+below(th, r, room, ground))
	}
	return lines
}

// behind is how many columns the offers and the age take behind a title.
func behind(offers, age string) int {
	n := 0
	for _, s := range []string{offers, age} {
		if s != "" {
			n += 1 + cells.Width(s)
		}
	}
	if n > 0 {
		n++ // a blank before the edge
	}
	return n
}

// below is the second line of a tall row.
func below(th theme.Theme, r Row, room int, ground theme.Style) string {
	changes, wide := "", 0
	if r.Added+r.Deleted > 0 {
		changes = th.Changes(r.Added, r.Deleted, ground)
		wide = cells.Width(changes) + 1
	}
	place := cells.Fit(session.CleanLine(r.Place), max(0, room-1-wide))
	s := th.Dim.On(ground).Paint(place)
	if changes != "" {
		s += ground.Paint(" ") + changes
	}
	return s + ground.Paint(" ")
}
