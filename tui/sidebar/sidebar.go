// Package sidebar draws the list of threads and the count of offers.
package sidebar

import (
	"fmt"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/theme"
)

// Row is one thread in the list.
type Row struct {
	Thread session.ThreadID
	Sign   string // its state, painted, one column
	Title  string
	Loud   bool // it waits for the person
}

// List is what there is to draw.
type List struct {
	Rows    []Row            // those that are seen, see Window
	Hidden  int              // how many are not
	Current session.ThreadID // the thread that is shown
	Chosen  session.ThreadID // the thread that keys act on, while Focused
	Focused bool
	Offers  int    // standing
	Foot    string // the last line: how to get at the keys
}

// Target is what a line of the list stands for; at most one field is set.
type Target struct {
	Thread session.ThreadID
	Offers bool
	Keys   bool
}

// Draw returns h lines of w columns, and what each stands for.
func (l List) Draw(th theme.Theme, w, h int) ([]string, []Target) {
	lines := make([]string, 0, h)
	targets := make([]Target, 0, h)
	add := func(s string, t Target) {
		lines = append(lines, cells.Fit(s, w))
		targets = append(targets, t)
	}
	add(" "+th.Dim.Paint("threads"), Target{})
	for _, r := range l.Rows {
		add(l.row(th, r, w), Target{Thread: r.Thread})
	}
	if l.Hidden > 0 {
		lines[0] = cells.Fit(" "+th.Dim.Paint(fmt.Sprintf("threads, %d more", l.Hidden)), w)
	}
	if l.Offers > 0 && h > 4 {
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

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// Window returns which of n rows are seen in a list of h lines, with the row
// at among them; -1 is none.
func Window(n, at, h int) (from, to int) {
	room := h - 5 // the heading, the offers between blank lines, the foot
	if room < 1 {
		return 0, 0
	}
	if n <= room {
		return 0, n
	}
	from = min(max(0, at-room/2), n-room)
	return from, from + room
}

func (l List) row(th theme.Theme, r Row, w int) string {
	lead := " "
	style := theme.Style("")
	if r.Thread == l.Current {
		lead, style = th.Accent.Paint(theme.Rail), th.Strong
	}
	title := session.CleanLine(r.Title)
	if r.Loud {
		title = "! " + title
	}
	title = cells.Cut(title, w-3)
	if l.Focused && r.Thread == l.Chosen {
		pad := strings.Repeat(" ", max(0, w-3-cells.Width(title)))
		return lead + r.Sign + th.Chosen.On(style).Paint(" "+title+pad)
	}
	return lead + r.Sign + " " + style.Paint(title)
}
