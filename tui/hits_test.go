package tui_test

import (
	"slices"
	"strings"
	"testing"

	"aside/session/transcript"
	"aside/tui/tuitest"

	uv "github.com/charmbracelet/ultraviolet"
)

// reversed returns the runs of cells that are drawn in reverse.
func reversed(s *tuitest.Screen) []string {
	buf := s.Buffer()
	var out []string
	for y := range buf.Height() {
		run := ""
		for x := range buf.Width() {
			c := buf.CellAt(x, y)
			if c != nil && c.Style.Attrs&uv.AttrReverse != 0 {
				run += c.Content
			} else if run != "" {
				out, run = append(out, run), ""
			}
		}
	}
	return out
}

func TestWordsThatWereFoundAreMarkedAndGoneThrough(t *testing.T) {
	f := world()
	notices(f, 3000)
	for _, n := range []int{40, 1500, 2900} {
		f.entries["t1"][n].Text += " the **Parser** and a pärser"
	}
	f.entries["t1"][2900].Kind = transcript.KindAssistant
	s := inTranscript(t, f)
	s.Press("n")
	s.Want("no words are looked for")
	s.Press("/")
	s.Type("Parser")
	s.Press("down", "down", "enter")
	s.Want("1 of 3: Parser", "notice 2900", "n next")
	if got := reversed(s); !slices.Equal(got, []string{"Parser", "pärser"}) {
		t.Errorf("marked are %q:\n%s", got, s.Text())
	}
	for _, step := range []struct{ key, hit, says string }{
		{"n", "notice 1500", "2 of 3"},
		{"n", "notice 40", "3 of 3"},
		{"n", "notice 40", "no more places"},
		{"N", "notice 1500", "2 of 3"},
		{"N", "notice 2900", "1 of 3"},
	} {
		s.Press(step.key)
		s.Want(step.says)
		if l := s.Lines()[1] + s.Lines()[2]; !strings.Contains(l, step.hit) {
			t.Errorf("after %s, %s is not at the top:\n%s", step.key, step.hit, s.Text())
		}
	}
	s.ClickOn("n next")
	s.Want("2 of 3", "notice 1500")
	s.Press("esc")
	if got := reversed(s); len(got) > 0 {
		t.Errorf("still marked are %q", got)
	}
	s.Want("notice 1500", "y copy")
}

func TestAWordDeepInAnEntryIsBroughtIntoView(t *testing.T) {
	f := world()
	notices(f, 50)
	e := &f.entries["t1"][20]
	e.Kind, e.Tool, e.Text = transcript.KindTool, "Bash", "needle" // what the fake finds it by
	e.Output = strings.Repeat("hay\n", 120) + "the needle\n" + strings.Repeat("hay\n", 60)
	s := inTranscript(t, f)
	s.Press("ctrl+space", "/")
	s.Type("needle")
	s.Press("enter")
	s.Want("the needle")
	if got := reversed(s); !slices.Equal(got, []string{"needle"}) {
		t.Errorf("marked are %q", got)
	}
}
