package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
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

// A word that does not fit on one line is marked on all that it is on, also
// where the first of them is out of sight.
func TestAWordThatIsBrokenOverLinesIsMarked(t *testing.T) {
	long := strings.Repeat("unbroken", 60)
	for name, e := range map[string]transcript.Entry{
		"prompt":    {Kind: transcript.KindPrompt, Text: "one " + long + " two"},
		"assistant": {Kind: transcript.KindAssistant, Text: "- one " + long + " two"},
		"quoted":    {Kind: transcript.KindAssistant, Text: "> one " + long + " two"},
		"code":      {Kind: transcript.KindAssistant, Text: "```\nfirst = " + long + "\n```"},
		"notice":    {Kind: transcript.KindNotice, Text: "one " + long + " two"},
		"tool":      {Kind: transcript.KindTool, Tool: "Bash", Text: long, Input: "ls", Output: "first: " + long + " two"},
	} {
		t.Run(name, func(t *testing.T) {
			f := world()
			notices(f, 200)
			at := f.entries["t1"][100]
			e.ID, e.At, e.Key = at.ID, at.At, at.Key
			f.entries["t1"][100] = e
			s := inTranscript(t, f)
			s.Press("ctrl+space", "/")
			s.Type(long)
			s.Press("enter")
			got := reversed(s)
			if len(got) < 2 || strings.Join(got, "") != long {
				t.Fatalf("marked are %q:\n%s", got, s.Text())
			}
			// Of all lines that are in sight, each is marked, whether it goes
			// out of it at the top or at the bottom.
			turns := []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelUp, tea.MouseWheelUp}
			for _, to := range turns {
				left := 0
				for range 30 {
					s.Send(tea.MouseWheelMsg{X: 60, Y: 10, Button: to})
					left = 0
					for _, l := range s.Lines() {
						if strings.Contains(l, "nbrok") && !strings.Contains(l, "1 of 1") {
							left++
						}
					}
					if got := reversed(s); len(got) != left || !strings.Contains(long, strings.Join(got, "")) {
						t.Fatalf("marked are %q on %d lines:\n%s", got, left, s.Text())
					}
				}
			}
		})
	}
}

// Where a line is full, the words at its end and at the next one's beginning
// are marked as the words that they are.
func TestWordsBesideABreakAreMarkedAsTheyAre(t *testing.T) {
	f := world()
	notices(f, 10)
	e := &f.entries["t1"][5]
	e.Kind, e.Text = transcript.KindAssistant, "alphabet"
	s := inTranscript(t, f)
	s.Press("ctrl+space", "/")
	s.Type("alphabet")
	s.Press("enter")
	for _, form := range []string{"%s alphabet beta", "```\n%s alphabet beta\n```"} {
		for n := range 100 {
			e.Text = fmt.Sprintf(form, strings.Repeat("y", n))
			s.Send(tui.StoreChangedMsg{})
			if got := reversed(s); strings.Join(got, "") != "alphabet" {
				t.Errorf("marked are %q:\n%s", got, s.Text())
			}
		}
	}
}
