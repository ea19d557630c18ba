package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// fault is one thing that is wrong in a file.
type fault struct {
	line, col int // from 1; 0 is not known
	sentence  string
	hint      string
}

// String returns where it is and what it is.
func (f fault) String() string {
	switch {
	case f.line == 0:
		return f.sentence
	case f.col == 0:
		return fmt.Sprintf("line %d: %s", f.line, f.sentence)
	}
	return fmt.Sprintf("line %d, column %d: %s", f.line, f.col, f.sentence)
}

// check returns everything that is wrong in a file, in its order; of a file
// that is no TOML, the first thing.
func check(text string) []fault {
	var all map[string]any
	meta, err := toml.Decode(text, &all)
	if err != nil {
		return []fault{syntax(err)}
	}
	var faults []fault
	for _, key := range meta.Keys() {
		if f, wrong := checkKey(key, all); wrong {
			f.line, f.col = locate(text, key)
			if _, known := named(key); !known && f.line > 0 {
				line := strings.Split(text, "\n")[f.line-1]
				f.col = len(line) - len(strings.TrimLeft(line, " \t[")) + 1 // its name, not its value
			}
			faults = append(faults, f)
		}
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col)) })
	return faults
}

func syntax(err error) fault {
	var p toml.ParseError
	if !errors.As(err, &p) {
		return fault{sentence: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return fault{line: p.Position.Line, col: p.Position.Col, sentence: p.Message}
}

// checkKey checks one key of a file. What is below a key that is wrong itself
// is not looked at.
func checkKey(key []string, all map[string]any) (fault, bool) {
	s, known := named(key)
	if !known {
		if _, parent := named(key[:len(key)-1]); len(key) > 1 && !parent {
			return fault{}, false
		}
		f := fault{sentence: "unknown setting " + toml.Key(key).String()}
		if like := nearest(key); like != "" {
			f.hint = "did you mean " + like + "? aside config prints all settings"
		} else {
			f.hint = "aside config prints all settings"
		}
		return f, true
	}
	if needs := s.needs(value(all, key)); needs != "" {
		return fault{sentence: toml.Key(key).String() + " has to be " + needs}, true
	}
	return fault{}, false
}

// value returns what a key of the file is set to, or nil.
func value(in map[string]any, key []string) any {
	v := in[key[0]]
	if len(key) == 1 {
		return v
	}
	below, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	return value(below, key[1:])
}

// nearest returns the setting beside an unknown one whose name is most like
// its own, or "".
func nearest(key []string) string {
	best, least := "", 3 // two letters off are a slip, more another word
	for _, s := range settings() {
		at := strings.LastIndexByte(s.key, '.') + 1
		if _, here := named(append(slices.Clone(key[:len(key)-1]), s.key[at:])); !here || s.key[at:] == "*" {
			continue
		}
		if d := distance(s.key[at:], key[len(key)-1]); d < least {
			best, least = s.key[at:], d
		}
	}
	return best
}

// distance is how many letters have to be put in, left out or changed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

// trap refuses every value: the library then says where the value is.
type trap struct{}

// UnmarshalTOML implements toml.Unmarshaler.
func (*trap) UnmarshalTOML(any) error { return errors.New("trapped") }

// locate returns where the value of a key of the file is, or zeros. The library tells
// places only with what it cannot decode, so the text is decoded into a type
// that has this key alone, and a trap behind it.
func locate(text string, key []string) (line, col int) {
	at := reflect.TypeFor[trap]()
	for _, part := range slices.Backward(key) {
		if strings.Contains(part, ",") {
			return 0, 0 // no field can be named so
		}
		at = reflect.StructOf([]reflect.StructField{{Name: "Key", Type: at, Tag: reflect.StructTag("toml:" + strconv.Quote(part))}})
	}
	_, err := toml.Decode(text, reflect.New(at).Interface())
	var p toml.ParseError
	if errors.As(err, &p) {
		return p.Position.Line, p.Position.Col
	}
	return 0, 0
}
