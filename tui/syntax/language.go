package syntax

import (
	"path"
	"strings"
	"sync"
)

// Language is how one language is read. A nil Language reads nothing.
type Language struct {
	names string // what people call it, in fences
	files string // ends of its files' names, or whole names, without case
	read  func(*reader)

	line  string // what begins a comment up to the end of the line
	block string // what begins and what ends a comment: "/* */"
	nests bool   // comments within comments
	// quotes are what strings are in, the longest first.
	quotes []quote
	// prefixes are words that belong to a string directly behind them.
	prefixes                string
	keywords, types, values string
	folds                   bool   // keywords are written in either case
	letters                 string // bytes of words beside letters, digits and _
	sigil                   byte   // begins a variable
	at                      bool   // @name is an annotation
	hash                    bool   // a line that begins with # is for a preprocessor
	caps                    bool   // what begins with a capital is a type
	bang                    bool   // name!( is called
	keys                    bool   // a string before a colon is a key
	// own reads what only this language has; false where it is none of that.
	own func(*reader) bool
	ask string // the bytes that own is asked about

	in                  *registry
	once                sync.Once
	known               map[string]Class // its words
	lines               []string         // of line
	blockFrom, blockTo  string           // of block
	begins              [256]bool        // bytes that a comment or a string begins with
	asks, letter, start [256]bool        // of ask, in words, and at their beginning
	before              map[string]bool  // of prefixes
}

// quote is a kind of string.
type quote struct {
	from, to string
	escape   bool // a backslash takes away the meaning of the next byte
	lines    bool // it goes on in the next line
	doubled  bool // the end written twice is none
	insert   byte // before { begins what is put into it, 0 is nothing
}

// ready builds what is needed for reading, the first time.
func (l *Language) ready() {
	l.once.Do(func() {
		l.known, l.before = map[string]Class{}, map[string]bool{}
		for _, list := range []struct {
			words string
			class Class
		}{{l.types, Type}, {l.values, Number}, {l.keywords, Keyword}} {
			for w := range strings.FieldsSeq(list.words) {
				l.known[w] = list.class
			}
		}
		for w := range strings.FieldsSeq(l.prefixes) {
			l.before[w] = true
		}
		l.lines = strings.Fields(l.line)
		l.blockFrom, l.blockTo, _ = strings.Cut(l.block, " ")
		for _, s := range append(l.lines[:len(l.lines):len(l.lines)], l.blockFrom) {
			if s != "" {
				l.begins[s[0]] = true
			}
		}
		for _, q := range l.quotes {
			l.begins[q.from[0]] = true
		}
		for i := range len(l.ask) {
			l.asks[l.ask[i]] = true
		}
		for i := range 256 {
			c := byte(i)
			l.start[i] = ascii(c) || c == '_' || c >= 0x80 || strings.IndexByte(l.letters, c) >= 0
			l.letter[i] = l.start[i] || digit(c)
		}
	})
}

// registry finds languages by their names and files.
type registry struct {
	names, files map[string]*Language
}

var languages = sync.OnceValue(func() *registry {
	r := &registry{names: map[string]*Language{}, files: map[string]*Language{}}
	for _, l := range table() {
		l.in = r
		if l.read == nil {
			l.read = code
		}
		for n := range strings.FieldsSeq(l.names) {
			r.names[n] = l
		}
		for f := range strings.FieldsSeq(l.files) {
			r.files[f] = l
		}
	}
	return r
})

// ByName returns the language that the info string of a fence names, or nil.
func ByName(info string) *Language { return languages().byName(info) }

func (r *registry) byName(info string) *Language {
	info = strings.ToLower(strings.TrimLeft(strings.TrimSpace(info), "{."))
	if i := strings.IndexAny(info, " \t,:{}"); i >= 0 {
		info = info[:i]
	}
	if l := r.names[info]; l != nil {
		return l
	}
	return r.files["."+info]
}

// ByPath returns the language of a file by its name, or else by what its first
// line says after "#!", or nil.
func ByPath(file, first string) *Language { return languages().byPath(file, first) }

func (r *registry) byPath(file, first string) *Language {
	files := r.files
	base := strings.ToLower(path.Base(file))
	if l := files[base]; l != nil {
		return l
	}
	if l := files[path.Ext(base)]; l != nil {
		return l
	}
	if stem, _, ok := strings.Cut(base, "."); ok && files[stem] != nil && !strings.HasPrefix(base, ".") {
		return files[stem] // such as Dockerfile.dev
	}
	words := strings.Fields(strings.TrimPrefix(first, "#!"))
	if !strings.HasPrefix(first, "#!") || len(words) == 0 {
		return nil
	}
	name := path.Base(words[0])
	if name == "env" {
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") {
				name = w
				break
			}
		}
	}
	return r.names[strings.ToLower(strings.TrimRight(name, "0123456789."))]
}

// Shell is the language of commands.
func Shell() *Language { return languages().names["sh"] }
