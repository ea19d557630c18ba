package syntax

import "strings"

// The kinds of what a command leaves open.
const (
	shellSingle = openOwn + iota // a string in single quotes
	shellDouble
	shellEscaped // a string such as $'a\'b'
	shellText    // a here-document
	shellOn      // the command goes on in the next line
)

// onFirst says that a command goes on with the name of another one.
const onFirst = "first"

// shellStops separate the words of a command, and commands.
const shellStops = "|&;<>(){}"

// shell reads a command: the commands' names, strings, variables, operators
// and comments, and the texts that it takes from the lines below.
func shell(r *reader) {
	sh := shellReader{reader: r, first: true}
	switch r.st.kind {
	case shellSingle:
		sh.first = false
		sh.single()
	case shellDouble:
		sh.first = false
		sh.double()
	case shellEscaped:
		sh.first = false
		sh.escaped()
	case shellText:
		r.heredoc()
	case shellOn:
		first := r.st.end == onFirst
		r.st.open = open{}
		sh.first = first
	}
	for r.at < len(r.s) {
		sh.step()
	}
}

type shellReader struct {
	*reader
	first bool // the next word is the name of a command
}

func (r *shellReader) step() {
	switch c := r.s[r.at]; {
	case c == ' ' || c == '\t':
		r.at++
	case c == '#' && (r.at == 0 || strings.IndexByte(" \t"+shellStops, r.s[r.at-1]) >= 0):
		r.rest(Comment)
	case c == '\\' && r.at == len(r.s)-1:
		r.take(1, Mark)
		if r.st.kind == 0 {
			r.st.open = open{kind: shellOn}
			if r.first {
				r.st.end = onFirst
			}
		}
	case c == '<' && r.document():
	case strings.IndexByte(shellStops, c) >= 0:
		r.first = c != '<' && c != '>'
		r.take(1, Mark)
	default:
		r.word()
	}
}

// shellWord says that a word is the language's own, and that a command comes
// behind it.
func shellWord(w string) (known, command bool) {
	switch w {
	case "if", "then", "else", "elif", "while", "until", "do", "!", "time":
		return true, true
	case "for", "case", "in", "fi", "done", "esac", "function", "select", "export", "local", "readonly", "declare", "set", "return", "break", "continue":
		return true, false
	case "sudo", "env", "exec", "nohup", "xargs", "command":
		return false, true
	}
	return false, false
}

// word reads one word with the strings and variables in it.
func (r *shellReader) word() {
	c := Plain
	if r.first {
		w := r.s[r.at:r.wordEnd()]
		known, command := shellWord(w)
		name, _, assigns := strings.Cut(w, "=")
		switch {
		case assigns && isName(name):
			c = Variable // the command comes after it
		case known:
			c, r.first = Keyword, command
		default:
			c, r.first = Name, command
		}
	}
	for r.at < len(r.s) && strings.IndexByte(" \t"+shellStops, r.s[r.at]) < 0 {
		switch b := r.s[r.at]; {
		case b == '\'':
			r.take(1, String)
			r.single()
		case b == '"':
			r.take(1, String)
			r.double()
		case b == '$':
			r.variable()
		case b == '\\' && r.at == len(r.s)-1:
			return
		case b == '\\':
			r.take(2, c)
		default:
			r.take(1, c)
		}
	}
}

func (r *shellReader) wordEnd() int {
	if n := strings.IndexAny(r.s[r.at:], " \t'\"$\\"+shellStops); n >= 0 {
		return r.at + n
	}
	return len(r.s)
}

func (r *shellReader) single() {
	r.st.open = open{kind: shellSingle, end: "'"}
	r.until(String)
}

func (r *shellReader) double() { r.quoted(shellDouble, '"') }

func (r *shellReader) escaped() { r.quoted(shellEscaped, '\'') }

// quoted reads on to the end of a string in which a backslash means something,
// and within double quotes a variable too.
func (r *shellReader) quoted(kind uint8, end byte) {
	r.st.open = open{kind: kind}
	for r.at < len(r.s) {
		switch b := r.s[r.at]; {
		case b == '\\':
			r.take(2, String)
		case b == '$' && kind == shellDouble:
			r.variable()
		case b == end:
			r.take(1, String)
			r.st.open = open{}
			return
		default:
			r.take(1, String)
		}
	}
}

// document reads the beginning of a here-document. Within $(( )) the same sign
// moves bits.
func (r *shellReader) document() bool {
	if strings.Count(r.s[:r.at], "((") > strings.Count(r.s[:r.at], "))") || !r.begins("<<-", "<<~", "<<") {
		return false
	}
	r.after.kind = shellText
	return true
}

// variable reads a $ with the name after it; a command within $( ) is read as
// one. Within double quotes a single one is a character like any other.
func (r *shellReader) variable() {
	switch {
	case r.peek(1) == '{':
		r.insert()
		return
	case r.peek(1) == '\'' && r.st.kind != shellDouble:
		r.take(2, String)
		r.escaped()
		return
	}
	n := 1
	for nameByte(r.peek(n)) {
		n++
	}
	if n == 1 && strings.IndexByte("?!#@*$-", r.peek(1)) >= 0 && r.peek(1) != 0 {
		n++
	}
	r.first = r.first || r.peek(n) == '('
	r.take(n, Variable)
}

func isName(s string) bool {
	for i := range len(s) {
		if !nameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func nameByte(c byte) bool { return c == '_' || digit(c) || ascii(c) }

// console reads what was typed at a prompt; what a program has said is plain.
func console(r *reader) {
	trimmed := strings.TrimLeft(r.s, " ")
	if !strings.HasPrefix(trimmed, "$ ") && !strings.HasPrefix(trimmed, "% ") && !strings.HasPrefix(trimmed, "> ") && !strings.HasPrefix(trimmed, "# ") {
		return
	}
	r.at = len(r.s) - len(trimmed)
	r.take(1, Mark)
	r.guests(r.l.in.names["sh"])
}

// guests reads the rest of the line as another language, that has no more left
// open than this line is told.
func (r *reader) guests(l *Language) {
	if l == nil {
		return
	}
	if r.st.guest != l {
		r.st.guest, r.st.within = l, open{}
	}
	r.within(l, len(r.s))
}

// within reads up to a place as another language.
func (r *reader) within(l *Language, to int) {
	g := reader{l: l, s: r.s[r.at:to], out: r.out[r.at:to], st: State{open: r.st.within}}
	g.line()
	r.st.within = g.st.open
	r.at = to
}
