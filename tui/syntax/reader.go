package syntax

import "strings"

// reader reads one line.
type reader struct {
	l   *Language
	s   string
	out []Class
	at  int
	st  State
	// after is the text that was begun on this line and comes below it.
	after open
}

// line reads the whole line.
func (r *reader) line() {
	r.l.read(r)
	if r.after.kind != 0 && r.st.kind == 0 {
		r.st.open = r.after
	}
}

// The kinds of what code leaves open: a comment, or one of the quotes, whose
// places are counted from openQuote on. Above openOwn a language has its own.
const (
	openBlock = 1
	openQuote = 2
	openOwn   = 100
)

// take gives the next n bytes a class.
func (r *reader) take(n int, c Class) {
	end := min(r.at+n, len(r.s))
	for i := r.at; i < end; i++ {
		r.out[i] = c
	}
	r.at = end
}

// rest gives all that follows a class.
func (r *reader) rest(c Class) { r.take(len(r.s), c) }

func (r *reader) has(prefix string) bool { return strings.HasPrefix(r.s[r.at:], prefix) }

// peek returns the byte n further on, or 0.
func (r *reader) peek(n int) byte {
	if i := r.at + n; i >= 0 && i < len(r.s) {
		return r.s[i]
	}
	return 0
}

// first says that only blanks are before.
func (r *reader) first() bool { return strings.TrimLeft(r.s[:r.at], " \t") == "" }

// blanks passes over white space.
func (r *reader) blanks() {
	for r.peek(0) == ' ' || r.peek(0) == '\t' {
		r.at++
	}
}

// code reads a line of most languages.
func code(r *reader) {
	r.l.ready()
	switch k := r.st.kind; {
	case k == openBlock:
		r.comment()
	case k >= openOwn:
		r.l.own(r)
	case k >= openQuote:
		r.quoted(int(k) - openQuote)
	}
	for r.at < len(r.s) {
		r.step()
	}
}

func (r *reader) step() {
	c := r.s[r.at]
	switch {
	case c == ' ' || c == '\t':
		r.at++
	case r.l.asks[c] && r.l.own(r):
	case r.l.begins[c] && r.opens():
	case digit(c) || c == '.' && digit(r.peek(1)):
		r.number()
	case r.l.start[c]:
		r.word()
	case c == '#' && r.l.hash && r.first():
		r.preprocessor()
	default:
		r.signed(c)
	}
}

// signed reads a name behind the sign that says what it is.
func (r *reader) signed(c byte) {
	named := r.l.start[r.peek(1)]
	switch {
	case named && c == r.l.sigil:
		r.take(1+r.wordLen(1), Variable)
	case named && c == '@' && r.l.at:
		r.take(1+r.wordLen(1), Mark)
	default:
		r.at++
	}
}

// opens reads a comment or a string that begins here.
func (r *reader) opens() bool {
	for _, line := range r.l.lines {
		if r.has(line) {
			r.rest(Comment)
			return true
		}
	}
	if from := r.l.blockFrom; from != "" && r.has(from) {
		r.st.kind, r.st.depth = openBlock, 1
		r.take(len(from), Comment)
		r.comment()
		return true
	}
	for i, q := range r.l.quotes {
		if r.has(q.from) {
			r.st.kind = uint8(openQuote + i)
			from := r.at
			r.take(len(q.from), String)
			r.quoted(i)
			r.key(from)
			return true
		}
	}
	return false
}

// comment reads on to the end of a comment.
func (r *reader) comment() {
	from, to := r.l.blockFrom, r.l.blockTo
	for r.at < len(r.s) {
		switch {
		case r.has(to):
			r.take(len(to), Comment)
			if r.st.depth--; r.st.depth == 0 {
				r.st.kind = 0
				return
			}
		case r.l.nests && r.has(from) && r.st.depth < 200:
			r.st.depth++
			r.take(len(from), Comment)
		default:
			r.take(1, Comment)
		}
	}
}

// quoted reads on to the end of a string.
func (r *reader) quoted(i int) {
	q := r.l.quotes[i]
	for r.at < len(r.s) {
		switch {
		case q.escape && r.s[r.at] == '\\':
			r.take(2, String)
		case r.has(q.to) && q.doubled && strings.HasPrefix(r.s[r.at+len(q.to):], q.to):
			r.take(2*len(q.to), String)
		case r.has(q.to):
			r.take(len(q.to), String)
			r.st.kind = 0
			return
		case q.insert != 0 && r.s[r.at] == q.insert && r.peek(1) == '{':
			r.insert()
		default:
			r.take(1, String)
		}
	}
	if !q.lines {
		r.st.kind = 0
	}
}

// insert reads what is put into a string, up to its closing brace.
func (r *reader) insert() {
	depth := 0
	for i := r.at; i < len(r.s); i++ {
		switch r.s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				r.take(i+1-r.at, Variable)
				return
			}
		}
	}
	r.rest(Variable)
}

// key makes the string from a place on a key, when a colon comes behind it.
func (r *reader) key(from int) {
	if r.l.keys && strings.HasPrefix(strings.TrimLeft(r.s[r.at:], " \t"), ":") {
		for i := from; i < r.at; i++ {
			r.out[i] = Name
		}
	}
}

func (r *reader) number() {
	n := 1
	for c := r.peek(n); c == '.' && digit(r.peek(n+1)) || c == '_' || c == '\'' && digit(r.peek(n+1)) || digit(c) || ascii(c) ||
		(c == '+' || c == '-') && r.peek(n-1)|0x20 == 'e'; c = r.peek(n) {
		n++
	}
	r.take(n, Number)
}

// wordLen is how long the word is that begins n bytes further on.
func (r *reader) wordLen(n int) int {
	from := n
	for r.at+n < len(r.s) && r.l.letter[r.s[r.at+n]] {
		n++
	}
	return n - from
}

// word reads a word: one that the language knows, a name that is called, or a
// type.
func (r *reader) word() {
	n := r.wordLen(0)
	w := r.s[r.at : r.at+n]
	if r.prefix(w) {
		r.take(n, String)
		return
	}
	if r.l.folds {
		w = strings.ToLower(w)
	}
	known, ok := r.l.known[w]
	switch {
	case ok && (r.at == 0 || r.s[r.at-1] != '.'):
		r.take(n, known)
	case r.peek(n) == '(':
		r.take(n, Name)
	case r.l.bang && r.peek(n) == '!' && r.peek(n+1) != '=':
		r.take(n+1, Name)
	case r.l.caps && w[0] >= 'A' && w[0] <= 'Z':
		r.take(n, Type)
	default:
		r.at += n
	}
}

// prefix says that a word belongs to the string behind it.
func (r *reader) prefix(w string) bool {
	next := r.peek(len(w))
	return len(w) <= 3 && (next == '"' || next == '\'' || next == '`') && r.l.before[strings.ToLower(w)]
}

// preprocessor reads the name of a directive; what it includes is a string.
func (r *reader) preprocessor() {
	r.take(1, Mark)
	r.blanks()
	n := r.wordLen(0)
	include := strings.HasPrefix(r.s[r.at:], "include")
	r.take(n, Mark)
	if r.blanks(); include && r.peek(0) == '<' {
		if end := strings.IndexByte(r.s[r.at:], '>'); end > 0 {
			r.take(end+1, String)
		}
	}
}

func ascii(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
