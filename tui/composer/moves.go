package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// left is the place one cluster before, or the end of the line before.
func (t *text) left(p place) place {
	if p.col == 0 {
		if p.line == 0 {
			return p
		}
		return place{p.line - 1, len(t.lines[p.line-1])}
	}
	row := t.row(p)
	if from, _ := t.span(p.line, row); from == p.col {
		row--
	}
	from, _ := t.span(p.line, row)
	for from < p.col {
		n, _ := cluster(t.lines[p.line][from:])
		if from+n >= p.col {
			break
		}
		from += n
	}
	return place{p.line, from}
}

// right is the place one cluster behind, or the beginning of the next line.
func (t *text) right(p place) place {
	line := t.lines[p.line]
	if p.col < len(line) {
		n, _ := cluster(line[p.col:])
		return place{p.line, p.col + n}
	}
	if p.line == len(t.lines)-1 {
		return p
	}
	return place{line: p.line + 1}
}

// wordLeft is the beginning of the word before, and wordRight the end of the
// next one.
func (t *text) wordLeft(p place) place {
	if p.col == 0 {
		return t.left(p)
	}
	s := strings.TrimRightFunc(t.lines[p.line][:p.col], unicode.IsSpace)
	return place{p.line, strings.LastIndexFunc(s, unicode.IsSpace) + 1}
}

func (t *text) wordRight(p place) place {
	line := t.lines[p.line]
	if p.col == len(line) {
		return t.right(p)
	}
	s := line[p.col:]
	blank := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	if n := strings.IndexFunc(s[blank:], unicode.IsSpace); n >= 0 {
		return place{p.line, p.col + blank + n}
	}
	return place{p.line, len(line)}
}

// vertical goes to the row below, or above when by is -1, near the column that
// the cursor had.
func (t *text) vertical(by int) {
	to, ok := t.step(t.spot(), by)
	if !ok {
		return
	}
	if t.aim < 0 {
		t.aim = t.column(t.at)
	}
	t.at = t.near(to, t.aim)
}

// near is the place of a row that is nearest to a column, at most in it.
func (t *text) near(s spot, column int) place {
	from, to := t.span(s.line, s.row)
	line := t.lines[s.line]
	last := s.row == len(t.rows(s.line))-1
	for used := 0; from < to; {
		n, w := cluster(line[from:])
		if used+w > column || !last && from+n >= to {
			break
		}
		used += w
		from += n
	}
	return place{s.line, from}
}

// swap exchanges the two characters around the cursor, or the last two at the
// end of a line.
func (t *text) swap() {
	b := t.at
	if b.col < len(t.lines[b.line]) {
		b = t.right(b)
	}
	m := t.left(b)
	if m.line != b.line || m.col == 0 {
		return
	}
	a := t.left(m)
	line := t.lines[b.line]
	swapped := line[m.col:b.col] + line[a.col:m.col]
	t.remove(a, b)
	t.insert(swapped)
}

// word changes the letters of the next word.
func (t *text) word(change func(string) string) {
	to := t.wordRight(t.at)
	s := t.between(t.at, to)
	t.remove(t.at, to)
	t.insert(change(s))
}

// capital makes the first letter of a word a capital.
func capital(s string) string {
	blank := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	r, n := utf8.DecodeRuneInString(s[blank:])
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return s[:blank] + string(unicode.ToUpper(r)) + s[blank+n:]
}
