package composer

import (
	"strings"
	"unicode"
)

// maxMention is how long the name of a file may get while it is typed, in
// bytes.
const maxMention = 512

// Mention returns what is written of a file's name between an @ and the
// cursor; ok is false where there is none. A name with blanks is in quotes, as
// agents read it: @"a name".
func (f *Field) Mention() (typed string, ok bool) {
	typed, _, ok = f.mention()
	return typed, ok
}

// mention also returns where the name begins, its quote included.
func (f *Field) mention() (typed string, from int, ok bool) {
	at := f.text.at
	before := f.text.lines[at.line][:at.col]
	i := strings.LastIndexByte(before[max(0, len(before)-maxMention):], '@') + max(0, len(before)-maxMention)
	for ; i >= 0 && i < len(before) && before[i] == '@'; i = strings.LastIndexByte(before[:i], '@') {
		if i > 0 && !strings.ContainsRune(" ([{\"'", rune(before[i-1])) {
			continue
		}
		name := before[i+1:]
		quoted, is := strings.CutPrefix(name, `"`)
		if is && !strings.Contains(quoted, `"`) {
			return quoted, i + 1, true
		}
		if !is && !strings.ContainsFunc(name, unicode.IsSpace) {
			return name, i + 1, true
		}
		break
	}
	return "", 0, false
}

// Complete writes a file's name in the place of what is written of it.
func (f *Field) Complete(path string) {
	_, from, ok := f.mention()
	if !ok {
		return
	}
	if strings.ContainsFunc(path, unicode.IsSpace) {
		path = `"` + path + `"`
	}
	f.anchor = nil
	f.text.remove(place{f.text.at.line, from}, f.text.at)
	f.write(path + " ")
}
