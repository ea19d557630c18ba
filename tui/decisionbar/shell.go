package decisionbar

import "strings"

// shellLooks says how the bytes of a command are drawn. It reads as much of
// the shell's language as helps a reader: the commands' names, strings,
// operators, variables and comments. What it takes for something else is only
// drawn otherwise, never left out.
func shellLooks(s string, looks []look) {
	sh := shellReader{s: s, looks: looks, first: true}
	for sh.at < len(s) {
		sh.step()
	}
}

type shellReader struct {
	s     string
	looks []look
	at    int
	first bool // the next word is the name of a command
}

// shellOperators separate the words of a command, and commands.
const shellOperators = "|&;<>(){}"

func (r *shellReader) step() {
	switch c := r.s[r.at]; {
	case c == '\n':
		r.first = true
		r.at++
	case c == ' ':
		r.at++
	case c == '#' && r.wordBegins():
		r.until(lookComment, strings.IndexByte(r.s[r.at:], '\n'))
	case strings.IndexByte(shellOperators, c) >= 0:
		r.first = c != '<' && c != '>'
		r.take(lookOperator, 1)
	default:
		r.word()
	}
}

func (r *shellReader) wordBegins() bool {
	return r.at == 0 || strings.IndexByte(" \n"+shellOperators, r.s[r.at-1]) >= 0
}

// take gives the next n bytes a look.
func (r *shellReader) take(lk look, n int) {
	end := min(r.at+n, len(r.s))
	fill(r.looks[r.at:end], lk)
	r.at = end
}

// until is take up to a place, or to the end where that is -1.
func (r *shellReader) until(lk look, n int) {
	if n < 0 {
		n = len(r.s)
	}
	r.take(lk, n)
}

// word takes one word with the strings and variables in it.
func (r *shellReader) word() {
	lk := lookPlain
	if r.first {
		lk = lookCommand
		if name, _, assigns := strings.Cut(r.s[r.at:r.wordEnd()], "="); assigns && isName(name) {
			lk = lookVariable // the command comes after it
		} else {
			r.first = false
		}
	}
	for r.at < len(r.s) && strings.IndexByte(" \n"+shellOperators, r.s[r.at]) < 0 {
		switch c := r.s[r.at]; c {
		case '\'':
			r.until(lookString, closing(r.s[r.at:], '\'', false))
		case '"':
			r.until(lookString, closing(r.s[r.at:], '"', true))
		case '$':
			r.variable()
		case '\\':
			r.take(lk, 2)
		default:
			r.take(lk, 1)
		}
	}
}

func (r *shellReader) wordEnd() int {
	if n := strings.IndexAny(r.s[r.at:], " \n'\"$\\"+shellOperators); n >= 0 {
		return r.at + n
	}
	return len(r.s)
}

// closing returns the length of a string up to its closing quote, or -1.
func closing(s string, quote byte, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return -1
}

// variable takes a $ with the name after it; a command within $( ) is read as
// one.
func (r *shellReader) variable() {
	n := 1
	if rest := r.s[r.at+1:]; strings.HasPrefix(rest, "{") {
		n = strings.IndexByte(r.s[r.at:], '}') + 1
		if n == 0 {
			n = len(r.s)
		}
	} else {
		for n <= len(rest) && nameByte(rest[n-1]) {
			n++
		}
	}
	r.take(lookVariable, n)
}

func isName(s string) bool {
	for i := range len(s) {
		if !nameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
