package decisionbar

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"
	"aside/tui/tuitest"
)

func decision() session.Decision {
	return session.Decision{
		ID: "d1", Kind: session.KindPermission, Tool: "Bash", Title: "Bash wants to run",
		Detail: "rm -rf build/ && make dist", Answerable: true,
		Options: []session.Option{
			{ID: session.OptionOnce, Label: "once"},
			{ID: "always1", Label: "always: Bash(make dist) in this session"},
			{ID: session.OptionDeny, Label: "deny", Note: true},
		},
	}
}

func draw(t *testing.T, b Bar, w, h int) (string, []intent.Zone) {
	t.Helper()
	lines, zones := b.Draw(theme.New(true, theme.Colors256), w, h)
	return strings.Join(tuitest.Plain(t, lines, w), "\n"), zones
}

func TestBar(t *testing.T) {
	got, zones := draw(t, Bar{Decision: decision(), Count: 2, Thread: "fix-parser"}, 103, 8)
	want := ` ▌ Bash wants to run                                                               1 of 2 · fix-parser
 ▌ rm -rf build/ && make dist
 ▌  1 once   2 always: Bash(make dist) in this session   3 deny…   d whole   tab next   t terminal`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	last := strings.Split(got, "\n")[2]
	for label, want := range map[string]intent.Intent{"once": intent.OptionN(0), "deny": intent.OptionN(2), "whole": intent.Whole, "next": intent.Next} {
		x := cells.Width(last[:strings.Index(last, label)])
		if do, ok := intent.Hit(zones, x, 2); !ok || do != want {
			t.Errorf("a click on %q means %q", label, do)
		}
	}
}

// Every line of keys of a bar without the focus begins with the leader that they
// need.
func TestTheLeaderStandsBeforeTheKeys(t *testing.T) {
	got, zones := draw(t, Bar{Decision: decision(), Count: 2, Thread: "fix-parser", Leader: "ctrl+space"}, 120, 8)
	want := ` ▌ Bash wants to run                                                                                1 of 2 · fix-parser
 ▌ rm -rf build/ && make dist
 ▌  ctrl+space 1 once   2 always: Bash(make dist) in this session   3 deny…   d more   d t terminal`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	last := strings.Split(got, "\n")[2]
	for label, want := range map[string]intent.Intent{"1 once": intent.OptionN(0), "d more": intent.Bar, "d t": intent.Terminal} {
		x := cells.Width(last[:strings.Index(last, label)])
		if do, ok := intent.Hit(zones, x, 2); !ok || do != want {
			t.Errorf("a click on %q means %q", label, do)
		}
	}
	key := regexp.MustCompile(`^ ▌  (\d|d|d t) (once|always|deny|more|terminal)`)
	for w := 40; w < 120; w++ {
		got, _ := draw(t, Bar{Decision: decision(), Leader: "ctrl+space"}, w, 12)
		for _, line := range strings.Split(got, "\n") {
			if key.MatchString(line) {
				t.Errorf("in %d columns:\n%s", w, got)
			}
		}
	}
	got, _ = draw(t, Bar{Decision: decision(), Leader: "ctrl+space"}, 40, 3)
	if !strings.Contains(got, "ctrl+space d d") {
		t.Errorf("in 3 rows:\n%s", got)
	}
}

func TestEveryOptionIsSeenWhereItIsNarrow(t *testing.T) {
	d := decision()
	d.Detail = strings.Repeat("a very long command ", 200)
	for _, w := range []int{30, 45, 61} {
		got, _ := draw(t, Bar{Decision: d, Count: 1, Focused: true}, w, 10)
		for _, label := range []string{"1/o once", "2/a always", "3/n deny…", "d whole", "t terminal", "…", "session"} {
			if !strings.Contains(got, label) {
				t.Errorf("%d columns lack %q:\n%s", w, label, got)
			}
		}
	}
}

func TestNoAnswerIsCutAtAnyWidth(t *testing.T) {
	d := decision()
	for w := 40; w < 140; w++ {
		for _, b := range []Bar{{Decision: d, Count: 1, Focused: true}, {Decision: d, Count: 1, Leader: "ctrl+space"}} {
			got, zones := draw(t, b, w, 12)
			rows := strings.Split(got, "\n")
			if strings.Contains(strings.ReplaceAll(strings.Join(rows[2:], ""), "deny…", ""), "…") {
				t.Errorf("%d columns:\n%s", w, got)
			}
			for _, z := range zones {
				if z.X > 0 && z.X+z.W > w {
					t.Errorf("%d columns: a click behind the edge means %q", w, z.Do)
				}
			}
		}
	}
}

// All answers are seen where a low pane has room for them; where it has not,
// the bar says so.
func TestAnswersHaveRoomBeforeTheRest(t *testing.T) {
	d := decision()
	d.Options = slices.Insert(d.Options, 1, session.Option{ID: "always0", Label: "always: Bash(" + strings.Repeat("make all ", 20) + ") in this project"})
	for _, b := range []Bar{{Decision: d, Focused: true}, {Decision: d, Leader: "ctrl+space"}} {
		got, _ := draw(t, b, 57, 10)
		if !strings.Contains(got, "deny…") || !strings.Contains(got, "terminal") || !strings.Contains(got, "rm -rf") || strings.Contains(got, "more answers") {
			t.Errorf("in 10 rows:\n%s", got)
		}
		got, zones := draw(t, b, 57, 4)
		rows := strings.Split(got, "\n")
		if len(rows) != 4 || !strings.Contains(got, "rm -rf") || !strings.Contains(rows[3], "more answers: ") || !strings.Contains(rows[3], "d whole") {
			t.Errorf("in 4 rows:\n%s", got)
		}
		x := cells.Width(rows[3][:strings.Index(rows[3], "whole")])
		if do, ok := intent.Hit(zones, x, 3); !ok || do != intent.Whole {
			t.Errorf("a click on it means %q", do)
		}
		if strings.Contains(got, "deny") {
			t.Errorf("4 rows hide nothing; the case proves nothing:\n%s", got)
		}
	}
}

func TestNoButtonsWithoutProof(t *testing.T) {
	d := decision()
	d.Answerable = false
	got, _ := draw(t, Bar{Decision: d, Count: 1}, 80, 8)
	if strings.Contains(got, "once") || !strings.Contains(got, "answer it in the terminal") {
		t.Errorf("got:\n%s", got)
	}
}

func TestWhatIsUnderWay(t *testing.T) {
	for want, b := range map[string]Bar{
		"under way":                {Decision: decision(), Busy: true},
		"12 s left":                {Decision: decision(), Left: "12 s left"},
		"this is another request":  {Decision: decision(), Changed: true, Focused: true},
		"note: because":            {Decision: decision(), Note: "because"},
		"answered in the terminal": {Said: string(session.ReleaseTerminal)},
	} {
		got, _ := draw(t, b, 80, 8)
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if got, _ := draw(t, Bar{Decision: decision(), Busy: true}, 80, 8); strings.Contains(got, "once") {
		t.Errorf("options are offered while an answer is under way:\n%s", got)
	}
}

func TestWhatIsLeftOutOfTheBarIsSaidOnce(t *testing.T) {
	d := decision()
	d.Detail = ""
	for n := 50; n < 90; n++ {
		d.Title = strings.Repeat("x", n) + strings.Repeat(" and so on", 30)
		if got, _ := draw(t, Bar{Decision: d}, 80, 6); strings.Count(strings.ReplaceAll(got, "deny…", ""), "…") != 1 {
			t.Fatalf("with %d:\n%s", n, got)
		}
	}
}

// Who answers several questions in one line names their choices by number, and
// has to see them meanwhile.
func TestAQuestionIsSeenWholeWhileItsAnswerIsTyped(t *testing.T) {
	d := decision()
	d.Kind, d.Title = session.KindQuestion, "4 questions"
	d.Detail = strings.Repeat("Which?\n1  This one\n2  That one\n\n", 3) + "Where?\n1  Here\n2  At the very end"
	for _, b := range []Bar{{Decision: d, Note: "1; 2"}, {Decision: d, Picking: true}} {
		if got, _ := draw(t, b, 80, 24); !strings.Contains(got, "At the very end") {
			t.Errorf("the last choice is missing:\n%s", got)
		}
		if got, _ := draw(t, b, 80, 9); strings.Count(got, "\n") != 8 || !strings.Contains(got, "enter send") || !strings.Contains(got, "…") {
			t.Errorf("where there is no room for all of it:\n%s", got)
		}
	}
	if got, _ := draw(t, Bar{Decision: d}, 80, 24); strings.Contains(got, "At the very end") {
		t.Errorf("it takes the terminal's rows though nobody answers it:\n%s", got)
	}
}

// What was answered is read whole before it is sent.
func TestTheAnswersToSeveralQuestionsAreNotCutAtAnyWidth(t *testing.T) {
	d := decision()
	d.Kind, d.Options = session.KindQuestion, []session.Option{{ID: session.OptionAnswers}, {ID: session.OptionDeny, Label: "decline", Note: true}}
	other := session.Option{ID: session.OptionOther, Label: "other", Note: true}
	d.Questions = []session.Question{{Title: "Which?", Options: []session.Option{other}}, {Title: strings.Repeat("Why so? ", 20), Options: []session.Option{other}}}
	words := strings.Repeat("it is so; ", 20) + "THE END\x1b[8m"
	steps := session.Steps{At: 2, Replies: []session.Reply{{Option: session.OptionOther, Note: words}, {Option: session.OptionOther, Note: "FOR NOTHING"}}}
	for w := 30; w < 140; w++ {
		for _, b := range []Bar{{Decision: d, Steps: steps, Focused: true}, {Decision: d, Steps: steps, Leader: "ctrl+space"}} {
			got, zones := draw(t, b, w, 60)
			for _, want := range []string{"1 Which?", "THE END", "2 Why so?", "FOR NOTHING", "enter send", "decline…"} {
				if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(got, "▌", "")), " "), want) {
					t.Fatalf("%d columns lack %q:\n%s", w, want, got)
				}
			}
			rows := strings.Split(got, "\n")
			for y, row := range rows {
				for label, want := range map[string]intent.Intent{"1 Which?": intent.OptionN(0), "2 Why": intent.OptionN(1), "decline…": intent.OptionN(2), "enter send": intent.Send} {
					if i := strings.Index(row, label); i >= 0 {
						if do, ok := intent.Hit(zones, cells.Width(row[:i]), y); !ok || do != want {
							t.Fatalf("%d columns: a click on %q means %q", w, label, do)
						}
					}
				}
			}
		}
	}
}

func TestLettersAreDistinctAndFree(t *testing.T) {
	got := string(Letters([]session.Option{
		{ID: "deny", Label: "deny"}, {ID: "x", Label: "test"}, {ID: "y", Label: "note"}, {ID: "z", Label: "dt"},
	}))
	if got != "neo\x00" {
		t.Errorf("letters = %q", got)
	}
}

func TestPreviewSaysNothingTwice(t *testing.T) {
	d := decision()
	d.Title, d.Detail = "git status --short", "git status --short\n\n— See what has changed"
	got, _ := draw(t, Bar{Decision: d, Count: 1}, 90, 8)
	if strings.Count(got, "git status") != 1 || !strings.Contains(got, " ▌ — See what has changed\n") {
		t.Errorf("got:\n%s", got)
	}
}
