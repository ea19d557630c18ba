package theme

import (
	"strings"
	"testing"
)

func TestNoColorHasNoColor(t *testing.T) {
	for _, dark := range []bool{true, false} {
		th := New(dark, ColorsNone)
		for _, s := range append(codeOf(th), th.Accent, th.Good, th.Warn, th.Bad, th.Dim, th.Strong, th.Fill, th.Chosen, th.Key) {
			for p := range strings.SplitSeq(string(s), ";") {
				if len(p) > 1 {
					t.Errorf("style %q sets a colour", s)
				}
			}
		}
		if th.Chosen == "" {
			t.Error("the chosen row cannot be told from the others")
		}
	}
}

// codeOf are the styles of code and of its changes.
func codeOf(th Theme) []Style {
	c := th.Code
	return []Style{
		c.Comment, c.String, c.Number, c.Keyword, c.Type, c.Name, c.Variable, c.Mark,
		th.Added, th.Removed, th.AddedWords, th.RemovedWords,
	}
}

func TestSixteenColoursUseThePaletteOnly(t *testing.T) {
	th := New(true, Colors16)
	for _, s := range append(codeOf(th), th.Accent, th.Good, th.Warn, th.Bad, th.Fill, th.Chosen, th.Key) {
		if strings.Contains(string(s), ";5;") || strings.Contains(string(s), ";2;") {
			t.Errorf("style %q needs more than 16 colours", s)
		}
	}
}

func TestPaintEndsInTheTerminalsOwnLook(t *testing.T) {
	if got := Style("1").On("48;5;236").Paint("x"); got != "\x1b[48;5;236;1mx\x1b[m" {
		t.Errorf("Paint = %q", got)
	}
	if got := Style("").Paint("x"); got != "x" {
		t.Errorf("Paint without a style = %q", got)
	}
}
