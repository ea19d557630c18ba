package actions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how many objects and arrays may be open at once; the schema
// needs five.
const maxDepth = 16

// value is one JSON value as it was written. Readers of JSON differ in which
// of two equal keys counts and in what case means, so values are read here by
// one strict reader and never by reflection.
type value struct {
	kind   byte     // '{', '[', '"', '0' for a number, 't', 'f', 'n'
	text   string   // of a string, decoded; of a number, as written
	keys   []string // of an object, in their order
	values []value  // of an object or array
}

// get returns the member of an object.
func (v value) get(key string) (value, bool) {
	for i, k := range v.keys {
		if k == key {
			return v.values[i], true
		}
	}
	return value{}, false
}

// parse reads one JSON value and nothing behind it. It refuses what
// encoding/json lets through: keys given twice, bytes that are no UTF-8,
// surrogates without their other half.
func parse(text string) (value, error) {
	r := reader{text: text}
	v, err := r.value(0)
	if err != nil {
		return value{}, fmt.Errorf("%w (at byte %d)", err, r.at)
	}
	if r.space(); r.at < len(text) {
		return value{}, fmt.Errorf("something follows the JSON value (at byte %d)", r.at)
	}
	return v, nil
}

type reader struct {
	text string
	at   int
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// peek returns the next byte that is no white space, 0 at the end.
func (r *reader) peek() byte {
	r.space()
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

func (r *reader) take(c byte) bool {
	if r.peek() != c || c == 0 {
		return false
	}
	r.at++
	return true
}

func (r *reader) value(depth int) (value, error) {
	if depth > maxDepth {
		return value{}, errors.New("the JSON is nested too deeply")
	}
	switch c := r.peek(); {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '"':
		s, err := r.str()
		return value{kind: '"', text: s}, err
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(r.text[r.at:], word) {
			r.at += len(word)
			return value{kind: word[0]}, nil
		}
	}
	return value{}, errors.New("the JSON is not complete or not well-formed")
}

func (r *reader) object(depth int) (value, error) {
	v := value{kind: '{'}
	r.at++
	if r.take('}') {
		return v, nil
	}
	for {
		if r.peek() != '"' {
			return v, errors.New("a key is missing in the JSON")
		}
		key, err := r.str()
		if err != nil {
			return v, err
		}
		if _, twice := v.get(key); twice {
			return v, fmt.Errorf("the key %q is given twice", clip(key))
		}
		if !r.take(':') {
			return v, errors.New("a colon is missing in the JSON")
		}
		member, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.keys, v.values = append(v.keys, key), append(v.values, member)
		if r.take('}') {
			return v, nil
		}
		if !r.take(',') {
			return v, errors.New("a comma is missing in the JSON")
		}
	}
}

func (r *reader) array(depth int) (value, error) {
	v := value{kind: '['}
	r.at++
	if r.take(']') {
		return v, nil
	}
	for {
		item, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.values = append(v.values, item)
		if r.take(']') {
			return v, nil
		}
		if !r.take(',') {
			return v, errors.New("a comma is missing in the JSON")
		}
	}
}

// number reads an integer: no number of the schema is another.
func (r *reader) number() (value, error) {
	start := r.at
	if r.text[r.at] == '-' {
		r.at++
	}
	digits := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	n := r.text[digits:r.at]
	if n == "" || len(n) > 1 && n[0] == '0' || n == "0" && digits > start ||
		r.at < len(r.text) && strings.IndexByte(".eE", r.text[r.at]) >= 0 {
		return value{}, errors.New("a number is not a plain integer")
	}
	return value{kind: '0', text: r.text[start:r.at]}, nil
}

func (r *reader) str() (string, error) {
	var b strings.Builder
	r.at++
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == '"':
			r.at++
			return b.String(), nil
		case c == '\\':
			if err := r.escape(&b); err != nil {
				return "", err
			}
		case c < 0x20:
			return "", errors.New("a string holds a control character")
		default:
			ch, n := utf8.DecodeRuneInString(r.text[r.at:])
			if ch == utf8.RuneError && n <= 1 {
				return "", errors.New("a string is not valid UTF-8")
			}
			b.WriteString(r.text[r.at : r.at+n])
			r.at += n
		}
	}
	return "", errors.New("a string does not end")
}

func (r *reader) escape(b *strings.Builder) error {
	if r.at+1 >= len(r.text) {
		return errors.New("a string does not end")
	}
	c := r.text[r.at+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		r.at += 2
		return nil
	}
	ch, ok := r.unit()
	if ok && utf16.IsSurrogate(ch) {
		low, there := r.unit()
		ch = utf16.DecodeRune(ch, low)
		ok = there && ch != utf8.RuneError
	}
	if !ok {
		return errors.New("a string holds an escape that means nothing")
	}
	b.WriteRune(ch)
	return nil
}

// unit reads \uXXXX.
func (r *reader) unit() (rune, bool) {
	if r.at+6 > len(r.text) || r.text[r.at:r.at+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(r.text[r.at+2:r.at+6], 16, 16)
	if err != nil {
		return 0, false
	}
	r.at += 6
	return rune(n), true
}

// compact returns the one form in which a payload may stand between single
// quotes: no white space between tokens, printable ASCII, no quote, each
// character escaped only where it must be, and in one way.
func (v value) compact() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v value) write(b *strings.Builder) {
	switch v.kind {
	case '{':
		b.WriteByte('{')
		for i, k := range v.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, k)
			b.WriteByte(':')
			v.values[i].write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range v.values {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case '"':
		writeString(b, v.text)
	case '0':
		b.WriteString(v.text)
	case 't':
		b.WriteString("true")
	case 'f':
		b.WriteString("false")
	default:
		b.WriteString("null")
	}
}

func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r >= 0x20 && r < 0x7f && r != '\'':
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
}

// clip shortens what a reason quotes.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
