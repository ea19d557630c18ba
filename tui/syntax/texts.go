package syntax

import "strings"

// yaml reads keys, anchors, tags and blocks of text.
func yaml(r *reader) {
	r.l.ready()
	indent := len(r.s) - len(strings.TrimLeft(r.s, " "))
	if r.st.kind == openOwn {
		if indent == len(r.s) || indent >= int(r.st.depth) {
			r.rest(String)
			return
		}
		r.st.open = open{}
	}
	r.at = indent
	if r.has("---") || r.has("...") || r.has("%") {
		r.rest(Mark)
		return
	}
	for r.has("- ") || r.s[r.at:] == "-" {
		r.take(1, Mark)
		r.blanks()
	}
	r.yamlKey()
	for r.at < len(r.s) {
		if !r.yamlSign(indent) {
			r.step()
		}
	}
}

// yamlSign reads an anchor, a tag or the sign of a block of text.
func (r *reader) yamlSign(indent int) bool {
	switch c := r.s[r.at]; {
	case c == '#' && r.at > 0 && r.s[r.at-1] != ' ':
		r.at++
	case (c == '&' || c == '*') && r.l.start[r.peek(1)]:
		r.take(1+r.wordLen(1), Variable)
	case c == '!':
		r.take(1+r.wordLen(1), Type)
	case (c == '|' || c == '>') && strings.TrimRight(r.s[r.at+1:], "+-0123456789 ") == "":
		r.rest(Mark)
		r.st.open = open{kind: openOwn, depth: uint8(min(indent+1, 200))}
	default:
		return false
	}
	return true
}

// yamlKey reads the key of a line.
func (r *reader) yamlKey() {
	rest := r.s[r.at:]
	for i := range len(rest) {
		switch c := rest[i]; {
		case c == ':' && (i+1 == len(rest) || rest[i+1] == ' '):
			r.take(i, Name)
			r.at++
			return
		case c == '#' || c == '{' || c == '[' || (c == '"' || c == '\'') && i > 0 && rest[0] != c:
			return
		}
	}
}

// settings reads sections, and keys up to their equals sign.
func settings(r *reader) {
	if r.st.kind == 0 {
		r.blanks()
		switch eq := strings.IndexByte(r.s[r.at:], '='); {
		case r.peek(0) == '[':
			end := strings.LastIndexByte(r.s, ']')
			r.take(max(end+1-r.at, 1), Mark)
		case r.peek(0) == ';':
			r.rest(Comment)
		case r.peek(0) == '#' || eq < 0:
		default:
			if name, ok := strings.CutPrefix(r.s[r.at:r.at+eq], "export "); ok {
				r.take(eq-len(name), Keyword)
				eq = len(name)
			}
			r.take(eq, Name)
		}
	}
	code(r)
}

// The kinds of what markup leaves open.
const (
	markupTag = openOwn + iota
	markupComment
	markupValue // the value of an attribute, up to its quote
)

// markup reads tags, their attributes, comments and references; scripts and
// styles are read as such.
func markup(r *reader) {
	for r.at < len(r.s) {
		switch r.st.kind {
		case markupTag:
			r.tag()
		case markupComment:
			r.until(Comment)
		case markupValue:
			r.attribute()
		default:
			r.content()
		}
	}
}

// content reads what is between tags.
func (r *reader) content() {
	if g := r.st.guest; g != nil {
		n := strings.Index(r.s[r.at:], "</s")
		if n < 0 {
			r.guests(g)
			return
		}
		r.within(g, r.at+n)
		r.st.guest, r.st.within = nil, open{}
	}
	switch n := strings.IndexByte(r.s[r.at:min(r.at+12, len(r.s))], ';'); {
	case r.has("<!--"):
		r.st.open = open{kind: markupComment, end: "-->"}
		r.until(Comment)
	case r.has("<!"), r.has("<?"):
		n := strings.IndexByte(r.s[r.at:], '>')
		if n < 0 {
			n = len(r.s)
		}
		r.take(n+1, Mark)
	case r.peek(0) == '<' && (ascii(r.peek(1)) || r.peek(1) == '/'):
		n := 1 + r.tagName(1)
		r.st.open = open{kind: markupTag, end: strings.ToLower(r.s[r.at+1 : r.at+n])}
		r.take(n, Name)
	case r.peek(0) == '&' && n > 1 && strings.IndexByte(r.s[r.at:r.at+n], ' ') < 0:
		r.take(n+1, Number)
	default:
		r.at++
	}
}

// tagName is how long the name is that begins n bytes further on, of a tag or
// an attribute.
func (r *reader) tagName(n int) int {
	from := n
	for c := r.peek(n); ascii(c) || digit(c) || c != 0 && strings.IndexByte("-_:.@/", c) >= 0; c = r.peek(n) {
		n++
	}
	return n - from
}

// tag reads one thing of a tag.
func (r *reader) tag() {
	switch c := r.s[r.at]; {
	case c == '>':
		r.take(1, Name)
		switch r.st.end {
		case "script":
			r.st.guest, r.st.within = r.l.in.names["js"], open{}
		case "style":
			r.st.guest, r.st.within = r.l.in.names["css"], open{}
		}
		r.st.open = open{}
	case c == '/' && r.peek(1) == '>':
		r.take(1, Name)
		r.st.end = ""
	case c == '"' || c == '\'':
		r.st.open = open{kind: markupValue, end: string(c) + r.st.end}
		r.take(1, String)
		r.attribute()
	case ascii(c) || c == '@' || c == ':':
		r.take(r.tagName(0), Type)
	default:
		r.at++
	}
}

// attribute reads on to the end of an attribute's value; the state has its
// quote, and then the name of the tag.
func (r *reader) attribute() {
	i := strings.IndexByte(r.s[r.at:], r.st.end[0])
	if i < 0 {
		r.rest(String)
		return
	}
	r.take(i+1, String)
	r.st.open = open{kind: markupTag, end: r.st.end[1:]}
}

// markdown reads headings, quotes, lists, code and links; what is in a fence
// is read in its language.
func markdown(r *reader) {
	trimmed := strings.TrimLeft(r.s, " \t")
	if r.st.kind == openOwn {
		if rest := strings.TrimLeft(trimmed, r.st.end[:1]); len(trimmed)-len(rest) >= len(r.st.end) && strings.TrimSpace(rest) == "" {
			r.st = State{}
			r.rest(Mark)
			return
		}
		r.guests(r.st.guest)
		return
	}
	for _, fence := range []string{"```", "~~~"} {
		if strings.HasPrefix(trimmed, fence) {
			info := strings.TrimLeft(trimmed, fence[:1])
			g := r.l.in.byName(info)
			if g == r.l {
				g = nil
			}
			r.st = State{open: open{kind: openOwn, end: trimmed[:len(trimmed)-len(info)]}, guest: g}
			r.rest(Mark)
			return
		}
	}
	r.at = len(r.s) - len(trimmed)
	switch {
	case strings.HasPrefix(trimmed, "#"):
		r.rest(Mark)
	case strings.HasPrefix(trimmed, "> "):
		r.rest(Comment)
	case strings.HasPrefix(trimmed, "- "), strings.HasPrefix(trimmed, "* "), strings.HasPrefix(trimmed, "+ "):
		r.take(1, Keyword)
	}
	for r.at < len(r.s) {
		switch {
		case r.between("`", "`", String), r.between("**", "**", Keyword), r.between("<!--", "-->", Comment), r.link():
		default:
			r.at++
		}
	}
}

// between reads what is between two signs, with them.
func (r *reader) between(from, to string, c Class) bool {
	if !r.has(from) {
		return false
	}
	n := strings.Index(r.s[r.at+len(from):], to)
	if n < 1 {
		return false
	}
	r.take(len(from)+n+len(to), c)
	return true
}

// link reads the text and the address of a link.
func (r *reader) link() bool {
	if r.peek(0) != '[' {
		return false
	}
	mid := strings.Index(r.s[r.at:], "](")
	if mid < 0 {
		return false
	}
	end := strings.IndexByte(r.s[r.at+mid:], ')')
	if end < 0 {
		return false
	}
	r.take(mid+1, Name)
	r.take(end, String)
	return true
}

// dockerfile reads an instruction, and what follows as a command.
func dockerfile(r *reader) {
	if r.st.within.kind == 0 {
		if strings.HasPrefix(strings.TrimLeft(r.s, " \t"), "#") {
			r.rest(Comment)
			return
		}
		r.blanks()
		n := 0
		for ascii(r.peek(n)) {
			n++
		}
		word := strings.ToUpper(r.s[r.at : r.at+n])
		r.take(n, Keyword)
		if word != "RUN" && word != "CMD" && word != "ENTRYPOINT" && word != "" {
			r.st.within = open{kind: shellOn} // no command
		}
	}
	sh := r.l.in.names["sh"]
	r.st.guest = sh
	r.guests(sh)
}

// makefile reads targets, variables and conditions; a recipe is a command.
func makefile(r *reader) {
	if strings.HasPrefix(r.s, "\t") || r.st.within.kind != 0 {
		r.blanks()
		for c := r.peek(0); c == '@' || c == '-' || c == '+'; c = r.peek(0) {
			r.take(1, Mark)
		}
		r.guests(r.l.in.names["sh"])
		return
	}
	word, _, _ := strings.Cut(strings.TrimLeft(r.s, " "), " ")
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "include", "-include", "export", "unexport", "define", "endef", "override", "vpath":
		r.at = strings.Index(r.s, word)
		r.take(len(word), Keyword)
	default:
		r.rule()
	}
	for r.at < len(r.s) {
		switch {
		case r.peek(0) == '#':
			r.rest(Comment)
		case r.peek(0) == '$' && (r.peek(1) == '(' || r.peek(1) == '{'):
			n := strings.IndexAny(r.s[r.at:], ")}")
			if n < 0 {
				n = len(r.s)
			}
			r.take(n+1, Variable)
		default:
			r.at++
		}
	}
}

// rule reads the name of a variable that is set, or of a target.
func (r *reader) rule() {
	name, _, sets := strings.Cut(r.s, "=")
	name = strings.TrimRight(name, " :?+!")
	target, _, rule := strings.Cut(r.s, ":")
	switch {
	case sets && !strings.ContainsAny(name, " :#$"):
		r.take(len(name), Variable)
	case rule && !strings.Contains(target, "#"):
		r.take(len(target), Name)
	}
}

// diffBare is a diff without heads, in which every line is the file's.
const diffBare = openOwn

// diff reads the changed lines in the language of their file.
func diff(r *reader) {
	switch {
	case r.s == "":
		return
	case r.st.kind == diffBare:
	case r.has("+++ "):
		name, _, _ := strings.Cut(strings.TrimPrefix(r.s, "+++ "), "\t")
		r.st = State{guest: r.l.in.byPath(name, "")}
		r.rest(Mark)
		return
	case r.has("--- "), r.has("diff "), r.has("index "), r.has("new file"), r.has("deleted file"), r.has("similarity "), r.has("rename "), r.has("@@"), r.has("\\ "):
		r.st.within = open{}
		r.rest(Mark)
		return
	}
	change, left := Plain, r.st.within
	switch r.s[0] {
	case '+':
		change = Added
	case '-':
		change = Removed
	}
	if change != Plain {
		r.take(1, Sign)
	} else if r.s[0] == ' ' {
		r.at++
	}
	r.guests(r.st.guest)
	if change == Removed {
		r.st.within = left // what is gone leaves nothing open in what is there
	}
	if change != Plain {
		for i := range r.out {
			r.out[i] |= change
		}
	}
}
