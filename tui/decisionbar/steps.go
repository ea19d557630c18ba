package decisionbar

import (
	"fmt"
	"slices"
	"strings"

	"aside/session"
	"aside/tui/intent"
)

// Several questions that a decision asks at once are shown one after another,
// with their choices as keys; behind the last is the list of what was answered,
// from which it is sent (docs/contracts/decisions.md, Several questions).

// listed says that all of several questions are answered, so that the answers
// are listed.
func (b Bar) listed() bool {
	return len(b.Decision.Questions) > 0 && b.Steps.Done(b.Decision)
}

// place is which of several questions is asked, behind the heading.
func (b Bar) place() string {
	n := len(b.Decision.Questions)
	switch {
	case n == 0:
		return ""
	case b.listed():
		return ", your answers"
	}
	return fmt.Sprintf(", question %d of %d", b.Steps.At+1, n)
}

// enter is what enter does with what is written or picked.
func (b Bar) enter() part {
	if b.Onward {
		return part{"enter", "next", intent.Send}
	}
	return part{"enter", "send", intent.Send}
}

// step is the question that is asked now with the ways to answer it, or the
// list of what was answered.
func (d *drawing) step(b Bar) {
	var parts []part
	if b.listed() {
		d.answers(b)
		key := "enter"
		if b.Leader != "" {
			key = "d enter"
		}
		parts = append([]part{{key, "send", intent.Send}}, b.options()...)
	} else {
		d.asked(b)
		parts = b.options()
		if b.Steps.Reply().Option != "" && b.Leader == "" {
			parts = append(parts, part{"enter", "keep it", intent.Send})
		}
	}
	d.flow(b.Leader, slices.Concat(parts, b.back(), b.others()))
}

// asked says which question is asked, where that is not above, and what it was
// answered before.
func (d *drawing) asked(b Bar) {
	q, dim := b.Decision.Questions[b.Steps.At], d.th.Dim.On(d.th.Fill)
	if b.Whole {
		// Above are all of them, and their choices are numbered alike.
		d.line(dim.Paint(strings.TrimPrefix(b.place(), ", ") + ": " + session.CleanLine(q.Title)))
	}
	if r := b.Steps.Reply(); r.Option != "" {
		d.line(dim.Paint("so far: " + session.CleanLine(q.Said(r))))
	}
}

// answers lists what was answered.
func (d *drawing) answers(b Bar) {
	for i, r := range b.Steps.Replies {
		q := b.Decision.Questions[i]
		d.flow(b.Leader, []part{{number(i), session.CleanLine(q.Title) + " — " + session.CleanLine(q.Said(r)), intent.OptionN(i)}})
	}
}

// back is the key that goes a question back.
func (b Bar) back() []part {
	if b.Leader != "" || b.Whole || b.Steps.At == 0 {
		return nil
	}
	return []part{{"esc", "back", intent.Back}}
}
