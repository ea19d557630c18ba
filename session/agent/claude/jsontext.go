package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// jsonValue is a JSON value by its place in a text, so that a text can be
// changed in one place and stay as it is in every other.
type jsonValue struct {
	start, end int
	members    []jsonMember // of an object
	items      []jsonValue  // of an array
}

type jsonMember struct {
	name  string
	start int
	value jsonValue
}

// splice puts text in the place of what lies between start and end.
type splice struct {
	start, end int
	text       string
}

// parseJSON returns the value that the text holds.
func parseJSON(text []byte) (jsonValue, error) {
	if !json.Valid(text) {
		var v any
		err := json.Unmarshal(text, &v) // it says where the fault is
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return jsonValue{}, fmt.Errorf("line %d: %w", 1+bytes.Count(text[:syntax.Offset], []byte{'\n'}), err)
		}
		return jsonValue{}, cmp.Or(err, errors.New("no JSON"))
	}
	p := jsonParser{text: text}
	return p.value(), nil
}

// jsonParser walks over a text that is known to be valid.
type jsonParser struct {
	text []byte
	at   int
}

// next moves to the next byte that is no white space or separator.
func (p *jsonParser) next() byte {
	for p.at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[p.at]
}

func (p *jsonParser) value() jsonValue {
	first := p.next()
	v := jsonValue{start: p.at}
	switch first {
	case '{':
		p.at++
		for p.next() != '}' {
			m := jsonMember{start: p.at}
			key := p.value()
			_ = json.Unmarshal(p.text[key.start:key.end], &m.name) // a valid string
			m.value = p.value()
			v.members = append(v.members, m)
		}
		p.at++
	case '[':
		p.at++
		for p.next() != ']' {
			v.items = append(v.items, p.value())
		}
		p.at++
	case '"':
		for p.at++; p.text[p.at] != '"'; p.at++ {
			if p.text[p.at] == '\\' {
				p.at++
			}
		}
		p.at++
	default: // a number, true, false or null
		for p.at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:]}"), p.text[p.at]) < 0 {
			p.at++
		}
	}
	v.end = p.at
	return v
}

func (v jsonValue) is(text []byte, open byte) bool { return text[v.start] == open }

// member returns the members with a name; JSON allows several.
func (v jsonValue) member(name string) []jsonMember {
	var found []jsonMember
	for _, m := range v.members {
		if m.name == name {
			found = append(found, m)
		}
	}
	return found
}

// spans are the places of an object's members or an array's items.
func (v jsonValue) spans() []jsonValue {
	spans := slices.Clone(v.items)
	for _, m := range v.members {
		spans = append(spans, jsonValue{start: m.start, end: m.value.end})
	}
	return spans
}

// drop takes elements out of an object or array, each with the comma and the
// white space that part it from its neighbour.
func (v jsonValue) drop(dead func(i int) bool) []splice {
	spans := v.spans()
	var out []splice
	before := false // an element that stays was seen
	for i, s := range spans {
		switch {
		case !dead(i):
			before = true
		case before:
			out = append(out, splice{start: spans[i-1].end, end: s.end})
		case i+1 < len(spans):
			out = append(out, splice{start: s.start, end: spans[i+1].start})
		default: // none stays
			return []splice{{start: v.start + 1, end: v.end - 1}}
		}
	}
	return out
}

// add puts an element behind the last one of an object or array. indent is
// the white space before it, and outer the one before the closing bracket.
func (v jsonValue) add(element, indent, outer string) splice {
	spans := v.spans()
	if len(spans) == 0 {
		return splice{start: v.start + 1, end: v.end - 1, text: indent + element + outer}
	}
	end := spans[len(spans)-1].end
	return splice{start: end, end: end, text: "," + indent + element}
}

// apply carries out splices, none of which overlap.
func apply(text []byte, splices []splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	at := 0
	for _, s := range splices {
		out = append(append(out, text[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, text[at:]...)
}
