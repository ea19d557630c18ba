package syntax

import "strings"

// The parts of languages that the table has no word for. Each is asked at
// bytes of its language's ask, and when a line begins within what it left
// open; it reports whether it has read something.

// until reads on to the end that the state names, or to the end of the line.
func (r *reader) until(c Class) {
	if i := strings.Index(r.s[r.at:], r.st.end); i >= 0 {
		r.take(i+len(r.st.end), c)
		r.st.open = open{}
		return
	}
	r.rest(c)
}

// before returns the last byte before this place that is no blank, or 0, and
// the word that ends there.
func (r *reader) before() (last byte, word string) {
	i := r.at
	for i > 0 && (r.s[i-1] == ' ' || r.s[i-1] == '\t') {
		i--
	}
	if i == 0 {
		return 0, ""
	}
	from := i
	for from > 0 && ascii(r.s[from-1]) {
		from--
	}
	return r.s[i-1], r.s[from:i]
}

// value says that a value can begin here, and not go on.
func (r *reader) value() bool {
	last, word := r.before()
	switch word {
	case "return", "typeof", "case", "in", "of", "and", "or", "not", "if", "unless", "while", "when", "yield", "await", "default":
		return true
	}
	return last == 0 || word == "" && strings.IndexByte("(,=:[!&|?{};+-*%~^<>", last) >= 0
}

// regexp reads an expression between slashes, where one can begin.
func (r *reader) regexp() bool {
	if r.peek(0) != '/' || !r.value() || r.peek(1) == '/' || r.peek(1) == '*' {
		return false
	}
	set := false
	for i := r.at + 1; i < len(r.s); i++ {
		switch c := r.s[i]; {
		case c == '\\':
			i++
		case c == '[':
			set = true
		case c == ']':
			set = false
		case c == '/' && !set:
			for i+1 < len(r.s) && ascii(r.s[i+1]) {
				i++
			}
			r.take(i+1-r.at, String)
			return true
		}
	}
	return false
}

// javascript reads regular expressions and the tags of JSX.
func javascript(r *reader) bool {
	if r.peek(0) == '/' {
		return r.regexp()
	}
	n := 1
	if r.peek(n) == '/' {
		n++
	}
	if !r.l.start[r.peek(n)] || n == 1 && !r.value() {
		return false
	}
	r.at += n
	r.take(r.wordLen(0), Name)
	return true
}

// rust reads lifetimes, attributes and raw strings.
func rust(r *reader) bool {
	switch c := r.peek(0); {
	case r.st.kind == openOwn:
		r.until(String)
		return true
	case c == '\'':
		if !r.l.start[r.peek(1)] || r.peek(2) == '\'' || r.peek(1) >= 0x80 {
			return false
		}
		r.take(1+r.wordLen(1), Variable)
		return true
	case c == '#':
		return r.bracketed("#[") || r.bracketed("#![")
	case r.at > 0 && r.l.letter[r.s[r.at-1]]:
		return false
	}
	n := strings.IndexByte(r.s[r.at:], '"')
	if n < 1 || n > 20 {
		return false
	}
	head := strings.TrimRight(r.s[r.at:r.at+n], "#")
	if head != "r" && head != "br" {
		return false
	}
	r.st.open = open{kind: openOwn, end: `"` + strings.Repeat("#", n-len(head))}
	r.take(n+1, String)
	r.until(String)
	return true
}

// bracketed reads an annotation up to the bracket that closes it.
func (r *reader) bracketed(from string) bool {
	if !r.has(from) {
		return false
	}
	depth := 0
	for i := r.at; i < len(r.s); i++ {
		switch r.s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				r.take(i+1-r.at, Mark)
				return true
			}
		}
	}
	r.rest(Mark)
	return true
}

// cpp reads raw strings.
func cpp(r *reader) bool {
	if r.st.kind != openOwn {
		if !r.has(`R"`) {
			return false
		}
		n := strings.IndexByte(r.s[r.at:], '(')
		if n < 0 || n > 18 {
			return false
		}
		r.st.open = open{kind: openOwn, end: ")" + r.s[r.at+2:r.at+n] + `"`}
		r.take(n+1, String)
	}
	r.until(String)
	return true
}

// heredoc reads a line of a text whose end is a line of its own.
func (r *reader) heredoc() {
	if end := strings.TrimLeft(r.s, " \t"); end == r.st.end || strings.TrimRight(end, ";,)") == r.st.end {
		r.st.open = open{}
		r.rest(Mark)
		return
	}
	r.rest(String)
}

// begins reads the beginning of such a text: its sign and the word that is to
// end it.
func (r *reader) begins(signs ...string) bool {
	for _, sign := range signs {
		if !r.has(sign) {
			continue
		}
		rest := r.s[r.at+len(sign):]
		word := strings.TrimLeft(rest, `'"\`)
		n := 0
		for n < len(word) && (ascii(word[n]) || digit(word[n]) || word[n] == '_') {
			n++
		}
		if n == 0 {
			return false
		}
		total := len(sign) + len(rest) - len(word) + n
		if q := r.peek(total); q == '\'' || q == '"' {
			total++
		}
		r.after = open{kind: openOwn, end: word[:n]}
		r.take(total, Mark)
		return true
	}
	return false
}

// php reads its marks, attributes and heredocs.
func php(r *reader) bool {
	if r.st.kind == openOwn {
		r.heredoc()
		return true
	}
	for _, mark := range []string{"<?php", "<?=", "?>"} {
		if r.has(mark) {
			r.take(len(mark), Mark)
			return true
		}
	}
	return r.bracketed("#[") || r.begins("<<<")
}

// ruby reads symbols, variables, regular expressions, heredocs and =begin.
func ruby(r *reader) bool {
	switch c := r.peek(0); {
	case r.st.kind == openOwn:
		r.heredoc()
		return true
	case r.st.kind == openOwn+1:
		if r.has("=end") {
			r.st.open = open{}
		}
		r.rest(Comment)
		return true
	case c == '=':
		if r.at > 0 || !r.has("=begin") {
			return false
		}
		r.st.kind = openOwn + 1
		r.rest(Comment)
		return true
	case c == '<':
		last, _ := r.before()
		return r.begins("<<~", "<<-") || (last == '=' || last == '(') && r.begins("<<")
	case c == '/':
		return r.regexp()
	case c == ':':
		return r.symbol()
	}
	n := 1
	if r.peek(n) == '@' {
		n++
	}
	if !r.l.start[r.peek(n)] {
		return false
	}
	r.take(n+r.wordLen(n), Variable)
	return true
}

func (r *reader) symbol() bool {
	if !r.l.start[r.peek(1)] || r.at > 0 && (r.s[r.at-1] == ':' || r.l.letter[r.s[r.at-1]]) {
		return false
	}
	r.take(1+r.wordLen(1), String)
	return true
}

// lua reads long strings and comments, whose brackets hold equals signs.
func lua(r *reader) bool {
	if k := r.st.kind; k >= openOwn {
		r.until([]Class{String, Comment}[k-openOwn])
		return true
	}
	n, kind := 0, uint8(openOwn)
	if r.has("--") {
		n, kind = 2, openOwn+1
	}
	level := 0
	for r.peek(n+1+level) == '=' {
		level++
	}
	if r.peek(n) != '[' || r.peek(n+1+level) != '[' {
		return false
	}
	r.st.open = open{kind: kind, end: "]" + strings.Repeat("=", level) + "]"}
	c := []Class{String, Comment}[kind-openOwn]
	r.take(n+level+2, c)
	r.until(c)
	return true
}

// property makes the word before a colon a name.
func (r *reader) property() {
	for i := r.at - 1; i >= 0 && r.l.letter[r.s[i]]; i-- {
		r.out[i] = Name
	}
}

// css reads rules, selectors, colours, variables and properties.
func css(r *reader) bool {
	c := r.peek(0)
	switch {
	case c == '/':
		if !r.has("//") || r.at == 0 || r.s[r.at-1] != ':' {
			return false
		}
		r.at += 2 // of an address
		return true
	case c == ':':
		if r.peek(1) == ' ' || digit(r.peek(1)) {
			r.property()
		}
		return false
	case c == '@':
		r.take(1+r.wordLen(1), Keyword)
		return true
	case c == '$', r.has("--"):
		r.take(1+r.wordLen(1), Variable)
		return true
	case c == '#' && strings.Contains(r.s[:r.at], ":"):
		r.take(1+r.wordLen(1), Number)
		return true
	case (c == '.' || c == '#') && r.l.start[r.peek(1)]:
		r.take(1+r.wordLen(1), Type)
		return true
	}
	return false
}
