// Package transcript draws what was said and done in a thread: a list of
// which only the visible part is drawn, and the looks of its entries.
package transcript

import (
	"strings"

	"aside/tui/intent"
)

// Block is an item as drawn: lines of one width, and what can be clicked.
type Block struct {
	Lines []string
	Zones []intent.Zone
}

// Item is something that is drawn in the list. Draw is called again when
// Version or the width has changed.
type Item interface {
	Key() string // the same as long as it is the same thing; unique in the list
	Version() uint64
	Draw(w int) Block
}

// keptLines is how many drawn lines are kept, about.
const keptLines = 4000

// List is a list of items, each of any height. It follows its end until it is
// scrolled away from there. Only what is visible is drawn, and what was drawn
// is kept, so that its length costs nothing.
type List struct {
	items []Item
	tail  bool // the last item is the last there is
	cache map[string]drawn
	kept  int // lines in the cache
	w, h  int

	follow bool
	top    int // the first visible item, and how many of its lines are above
	above  int
}

type drawn struct {
	version uint64
	w       int
	block   Block
}

// NewList returns an empty list that follows its end.
func NewList() *List { return &List{follow: true, tail: true, cache: map[string]drawn{}} }

// Len returns the number of items.
func (l *List) Len() int { return len(l.items) }

// SetItems replaces the items; with tail, the last one is the last there is,
// and else the list does not follow its end. What is at the top stays there, as
// long as it is still among them.
func (l *List) SetItems(items []Item, tail bool) {
	key := ""
	if l.top < len(l.items) {
		key = l.items[l.top].Key()
	}
	l.items, l.tail = items, tail
	l.follow = l.follow && tail
	if l.follow || key == "" {
		return
	}
	if l.top < len(items) && items[l.top].Key() == key {
		return
	}
	for i, it := range items {
		if it.Key() == key {
			l.top = i
			return
		}
	}
	l.top, l.above = min(l.top, max(0, len(items)-1)), 0
}

// SetSize sets the columns and lines there are.
func (l *List) SetSize(w, h int) {
	l.w, l.h = w, h
	l.settle()
}

// Following says that the list follows its end.
func (l *List) Following() bool { return l.follow }

// Follow goes to the end and stays there.
func (l *List) Follow() {
	l.follow = l.tail
	if len(l.items) > 0 {
		l.top, l.above = l.lastPage()
	}
}

// First goes to the beginning.
func (l *List) First() {
	l.follow, l.top, l.above = false, 0, 0
	l.settle()
}

// Scroll moves up by n lines, or down when n is negative. At the end the list
// follows again.
func (l *List) Scroll(n int) {
	l.settle()
	if n > 0 {
		l.follow = false
	}
	for ; n > 0 && (l.top > 0 || l.above > 0); n-- {
		if l.above == 0 {
			l.top--
			l.above = len(l.block(l.top).Lines)
		}
		l.above--
	}
	for ; n < 0 && !l.follow; n++ {
		l.above++
		if l.top < len(l.items) && l.above >= len(l.block(l.top).Lines) {
			l.top++
			l.above = 0
		}
		l.settle()
	}
	l.settle()
}

// ShowTop scrolls so that item i is the first, as far as the end allows.
func (l *List) ShowTop(i int) {
	if i < 0 || i >= len(l.items) {
		return
	}
	l.follow, l.top, l.above = false, i, 0
	l.settle()
}

// Reveal scrolls as little as it takes to show item i whole, or its top where
// it is too high.
func (l *List) Reveal(i int) {
	if i < 0 || i >= len(l.items) {
		return
	}
	l.settle()
	if i < l.top || i == l.top && l.above > 0 {
		l.follow, l.top, l.above = false, i, 0
		l.settle()
		return
	}
	y := -l.above
	for j := l.top; j < i; j++ {
		y += len(l.block(j).Lines)
		if y > l.h {
			// It is far below: begin just above it.
			l.endAt(i)
			return
		}
	}
	if over := y + len(l.block(i).Lines) - l.h; over > 0 {
		l.Scroll(-min(over, y))
	}
}

// endAt makes item i the last visible one.
func (l *List) endAt(i int) {
	l.follow = false
	l.top, l.above = i, 0
	room := l.h - len(l.block(i).Lines)
	for room > 0 && l.top > 0 {
		l.top--
		n := len(l.block(l.top).Lines)
		l.above = max(0, n-room)
		room -= n
	}
	l.settle()
}

// settle keeps the position within the items, and at the end while following.
func (l *List) settle() {
	if len(l.items) == 0 {
		l.top, l.above = 0, 0
		return
	}
	top, above := l.lastPage()
	if l.follow || l.top > top || l.top == top && l.above >= above {
		l.follow = l.tail
		l.top, l.above = top, above
		return
	}
	l.above = min(l.above, max(0, len(l.block(l.top).Lines)-1))
}

// lastPage returns the position at which the end is at the bottom.
func (l *List) lastPage() (top, above int) {
	room := l.h
	for i := len(l.items) - 1; i >= 0; i-- {
		n := len(l.block(i).Lines)
		if n >= room {
			return i, n - room
		}
		room -= n
	}
	return 0, 0
}

func (l *List) block(i int) Block {
	it := l.items[i]
	key, v := it.Key(), it.Version()
	if d, ok := l.cache[key]; ok && d.version == v && d.w == l.w {
		return d.block
	}
	b := it.Draw(l.w)
	if l.kept += len(b.Lines); l.kept > keptLines+2*l.h {
		clear(l.cache)
		l.kept = len(b.Lines)
	}
	l.cache[key] = drawn{version: v, w: l.w, block: b}
	return b
}

// Lines appends exactly h lines to dst.
func (l *List) Lines(dst []string) []string {
	l.settle()
	blank := strings.Repeat(" ", max(0, l.w))
	end := len(dst) + l.h
	for i, skip := l.top, l.above; i < len(l.items) && len(dst) < end; i, skip = i+1, 0 {
		lines := l.block(i).Lines
		lines = lines[min(skip, len(lines)):]
		dst = append(dst, lines[:min(len(lines), end-len(dst))]...)
	}
	for len(dst) < end {
		dst = append(dst, blank)
	}
	return dst
}

// At returns the item at a line, and the line's place in it; ok is false
// where there is none.
func (l *List) At(y int) (i, line int, ok bool) {
	at := -l.above
	for i := l.top; i < len(l.items) && at <= y; i++ {
		n := len(l.block(i).Lines)
		if y < at+n {
			return i, y - at, y >= 0
		}
		at += n
	}
	return 0, 0, false
}

// Block returns item i as it is drawn.
func (l *List) Block(i int) Block {
	if i < 0 || i >= len(l.items) {
		return Block{}
	}
	return l.block(i)
}

// Span returns the lines of the list that item i is on, from and to; they are
// the same when it is not visible.
func (l *List) Span(i int) (from, to int) {
	first, last := l.Visible()
	if i < first || i >= last {
		return 0, 0
	}
	from = -l.above
	for j := first; j < i; j++ {
		from += len(l.block(j).Lines)
	}
	to = from + len(l.block(i).Lines)
	return max(0, from), min(to, l.h)
}

// Visible returns the first and one past the last item that is visible.
func (l *List) Visible() (from, to int) {
	l.settle()
	at := -l.above
	for to = l.top; to < len(l.items) && at < l.h; to++ {
		at += len(l.block(to).Lines)
	}
	return l.top, to
}
