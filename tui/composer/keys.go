package composer

import "strings"

// keys are the keys of editors and shells, as the terminal names them. A new
// line is an intent of the key table.
func keys() map[string]func(*Field) {
	out := map[string]func(*Field){}
	add := func(act func(*Field), names ...string) {
		for _, n := range names {
			out[n] = act
		}
	}
	move := func(to func(*text) place, names ...string) {
		add(func(f *Field) { f.move(to, false) }, names...)
		for _, n := range names {
			if i := strings.LastIndexByte(n, '+') + 1; len(n)-i > 1 { // such as ctrl+shift+left
				add(func(f *Field) { f.move(to, true) }, n[:i]+"shift+"+n[i:])
			}
		}
	}
	remove := func(to func(*text) place, names ...string) {
		add(func(f *Field) { f.remove(to) }, names...)
	}
	left := func(t *text) place { return t.left(t.at) }
	right := func(t *text) place { return t.right(t.at) }
	wordLeft := func(t *text) place { return t.wordLeft(t.at) }
	wordRight := func(t *text) place { return t.wordRight(t.at) }
	move(left, "left", "ctrl+b")
	move(right, "right", "ctrl+f")
	move(wordLeft, "alt+left", "ctrl+left", "alt+b")
	move(wordRight, "alt+right", "ctrl+right", "alt+f")
	move(func(t *text) place { return place{t.at.line, 0} }, "home", "ctrl+a")
	move(func(t *text) place { return place{t.at.line, len(t.lines[t.at.line])} }, "end", "ctrl+e")
	move(func(*text) place { return place{} }, "ctrl+home", "alt+<")
	move((*text).end, "ctrl+end", "alt+>")
	for _, v := range []struct {
		by    int
		names []string
	}{{-1, []string{"up", "ctrl+p"}}, {1, []string{"down", "ctrl+n"}}} {
		add(func(f *Field) { f.vertical(v.by, false) }, v.names...)
		add(func(f *Field) { f.vertical(v.by, true) }, "shift+"+v.names[0])
	}
	remove(left, "backspace", "ctrl+h", "shift+backspace")
	remove(right, "delete", "ctrl+d")
	remove(wordLeft, "alt+backspace", "ctrl+backspace", "ctrl+w")
	remove(wordRight, "alt+delete", "ctrl+delete", "alt+d")
	remove(func(t *text) place {
		if t.at.col == 0 {
			return t.left(t.at)
		}
		return place{t.at.line, 0}
	}, "ctrl+u")
	remove(func(t *text) place {
		if end := len(t.lines[t.at.line]); t.at.col < end {
			return place{t.at.line, end}
		}
		return t.right(t.at)
	}, "ctrl+k")
	add(func(f *Field) { f.text.swap() }, "ctrl+t")
	add(func(f *Field) { f.text.word(capital) }, "alt+c")
	add(func(f *Field) { f.text.word(strings.ToLower) }, "alt+l")
	add(func(f *Field) { f.text.word(strings.ToUpper) }, "alt+u")
	return out
}

// move moves the cursor; with selects, what it passes over is selected.
func (f *Field) move(to func(*text) place, selects bool) {
	f.anchors(selects)
	f.text.at, f.text.aim = to(f.text), -1
}

func (f *Field) vertical(by int, selects bool) {
	f.anchors(selects)
	f.text.vertical(by)
}

// anchors begins to select, goes on, or ends it.
func (f *Field) anchors(selects bool) {
	switch at := f.text.at; {
	case !selects:
		f.anchor = nil
	case f.anchor == nil:
		f.anchor = &at
	}
}

// remove takes out what is selected, or else all up to a place.
func (f *Field) remove(to func(*text) place) {
	if f.removeSelected() {
		return
	}
	from, end := f.text.at, to(f.text)
	if end.before(from) {
		from, end = end, from
	}
	f.text.remove(from, end)
}

// selected is what is between the anchor and the cursor.
func (f *Field) selected() (from, to place) {
	from, to = f.text.at, f.text.at
	if f.anchor != nil {
		from = *f.anchor
	}
	if to.before(from) {
		return to, from
	}
	return from, to
}

func (f *Field) removeSelected() bool {
	from, to := f.selected()
	f.anchor = nil
	if from == to {
		return false
	}
	f.text.remove(from, to)
	return true
}
