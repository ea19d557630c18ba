package composer

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// maxMention is how long the name of a file may get while it is typed.
const maxMention = 256

// Mention returns what is written of a file's name between an @ and the
// cursor; ok is false where there is none. A name with blanks is in quotes, as
// agents read it: @"a name".
func (f *Field) Mention() (typed string, ok bool) {
	if !f.looked {
		f.mention, f.mentions = mention(f.before())
		f.looked = true
	}
	return f.mention, f.mentions
}

// before is what is written in the cursor's line before it.
func (f *Field) before() []rune {
	value := f.area.Value()
	if !strings.Contains(value, "@") {
		return nil
	}
	for range f.area.Line() {
		_, value, _ = strings.Cut(value, "\n")
	}
	line, _, _ := strings.Cut(value, "\n")
	runes := []rune(line)
	return runes[:min(f.area.Column(), len(runes))]
}

func mention(before []rune) (typed string, ok bool) {
	for i := len(before) - 1; i >= max(0, len(before)-maxMention); i-- {
		if before[i] != '@' || i > 0 && !unicode.IsSpace(before[i-1]) && !strings.ContainsRune("([{\"'", before[i-1]) {
			continue
		}
		name := string(before[i+1:])
		quoted, is := strings.CutPrefix(name, `"`)
		if is && !strings.Contains(quoted, `"`) {
			return quoted, true
		}
		if !is && !strings.ContainsFunc(name, unicode.IsSpace) {
			return name, true
		}
		break
	}
	return "", false
}

// Complete writes a file's name in the place of what is written of it.
func (f *Field) Complete(path string) {
	typed, ok := f.Mention()
	if !ok {
		return
	}
	n := len([]rune(typed))
	if before := f.before(); before[len(before)-n-1] == '"' {
		n++
	}
	for range n {
		f.area, _ = f.area.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
	if strings.ContainsFunc(path, unicode.IsSpace) {
		path = `"` + path + `"`
	}
	f.area.InsertString(path + " ")
	f.changed()
}
