package tui_test

import (
	"context"
	"strings"
	"testing"

	"aside/session"
	"aside/session/transcript"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

func (f *fake) OpenLink(_ context.Context, id session.ThreadID, target string) (bool, error) {
	return !f.unopened, f.did("link %s %s", id, target)
}

// linkScreen has a link of the program in its first row, and addresses in the
// rows below.
func linkScreen(s *tuitest.Screen, lines ...string) {
	fr := frame(61, 22, session.Modes{Mouse: session.MousePress}, append([]string{""}, lines...)...)
	fr.Frame.Changed[0].Row = session.Row{Spans: []session.Span{
		{Text: "see ", Width: 4}, {Text: "example.com", Width: 11, Link: "https://evil.example/login"},
	}}
	s.Send(fr)
}

func TestALinkIsOpenedOnlyOnceItsTargetWasShown(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	linkScreen(s)
	s.Press("ctrl+space", "l")
	s.Want("“example.com” leads to evil.example. Open it?", "https://evil.example/login", "y open it", "n leave it", "c copy it")
	if calls := f.took(); strings.Contains(strings.Join(calls, "\n"), "link") {
		t.Fatalf("it was opened unasked: %v", calls)
	}
	s.Press("n")
	if calls := f.took(); len(calls) != 0 {
		t.Fatalf("no did %v", calls)
	}
	s.Press("ctrl+space", "l", "y")
	if calls := strings.Join(f.took(), "\n"); calls != "link t1 https://evil.example/login" {
		t.Errorf("yes did %q", calls)
	}
	s.Want("opened")
	if len(f.inputs) != 0 {
		t.Errorf("the agent got %+v", f.inputs)
	}
}

func TestOneOfSeveralLinksIsChosen(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	linkScreen(s, "https://a.example/1 https://b.example/2", "again https://a.example/1")
	s.Press("ctrl+space", "l")
	s.Want("see 1xample.com", "2ttps://a.example/1 3ttps://b.example/2", "again https://a.example/1", "esc leaves")
	s.Press("esc")
	s.Want("see example.com", "https://a.example/1 https://b.example/2")
	s.Press("ctrl+space", "l", "x", "3")
	s.Want("Open the link to b.example?")
	s.Press("esc", "ctrl+space", "l")
	s.Click(20, 2) // the pane begins at 19, 1
	s.Want("Open the link to a.example?")
}

func TestLettersFollowTheNumbers(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	var lines []string
	for c := 'a'; c <= 'l'; c++ {
		lines = append(lines, "https://"+string(c)+".example/")
	}
	linkScreen(s, lines...)
	s.Press("ctrl+space", "l", "c")
	s.Want("Open the link to k.example?") // the twelfth: the program's own is the first
}

func TestAClickWithCtrlAsksForTheLink(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	linkScreen(s)
	click := func(x, y int) {
		s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft, Mod: tea.ModCtrl}, tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft, Mod: tea.ModCtrl})
	}
	click(24, 1)
	s.Want("leads to evil.example")
	s.Press("c")
	if !copied(s, "https://evil.example/login") {
		t.Error("its target is not copied")
	}
	s.WantNot("leads to")
	if calls := f.took(); strings.Contains(strings.Join(calls, "\n"), "link") {
		t.Errorf("it was opened: %v", calls)
	}
	n := len(f.inputs)
	click(24, 5)
	s.WantNot("leads to")
	if len(f.inputs) == n {
		t.Error("a click beside the link is not the program's")
	}
}

func TestWhereNothingOpensLinksTheTargetIsCopied(t *testing.T) {
	f := world()
	f.unopened = true
	s, _ := start(t, f, 80, 24)
	linkScreen(s)
	s.Press("ctrl+space", "l", "y")
	if !copied(s, "https://evil.example/login") {
		t.Error("it is not copied")
	}
	s.Want("nothing on this machine opens links")
}

func TestWhyALinkWasNotOpenedIsSaid(t *testing.T) {
	f := world()
	f.fails["link"] = &session.Error{Message: "this file is outside the thread's checkout", Hint: "its target can be copied"}
	s, _ := start(t, f, 80, 24)
	linkScreen(s)
	s.Press("ctrl+space", "l", "y")
	s.Want("this file is outside the thread's checkout", "can be copied")
}

func TestATargetThatCannotBeShownWholeIsNotOpened(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	long := "https://a.example/" + strings.Repeat("x", 1900)
	fr := frame(61, 22, session.Modes{}, "x")
	fr.Frame.Changed[0].Row.Spans[0].Link = long
	s.Send(fr)
	s.Press("ctrl+space", "l")
	s.WantNot("open it")
	if !copied(s, long) {
		t.Error("it is not copied")
	}
	s.Want("too long to be shown whole")
}

func TestWithoutALinkTheScreenSaysSo(t *testing.T) {
	f := world()
	s, _ := start(t, f, 80, 24)
	s.Send(agentScreen(61, 22, session.Modes{}))
	s.Press("ctrl+space", "l")
	s.Want("no link is in the terminal here")
}

func TestWithoutATerminalTheScreenSaysSo(t *testing.T) {
	s, _ := start(t, world(), 80, 24)
	s.Press("ctrl+space", "v")
	for _, key := range []string{"l", "y"} {
		s.Press("ctrl+space", key)
		s.Want("no terminal is shown here")
		s.Press("esc")
	}
}

// An address in the transcript is opened as one in the terminal is, and whole
// where it goes on in the next line.
func TestAnAddressInTheTranscriptIsOpened(t *testing.T) {
	const long = "https://docs.example/a/very/long/way/to/the/page/that/tells/how/the/loader/reads/its/settings/and/why"
	f := world()
	f.entries["t1"] = []transcript.Entry{{
		ID: 900, Thread: "t1", At: noon, Kind: transcript.KindAssistant,
		Text: "See [the plan](https://a.example/plan), and " + long + " for more.",
	}}
	s, _ := start(t, f, 80, 24)
	s.Press("ctrl+space", "h")
	f.took()
	click := func(text string, mod tea.KeyMod) {
		t.Helper()
		x, y, ok := s.Find(text)
		if !ok {
			t.Fatalf("%q is not on the screen:\n%s", text, s.Text())
		}
		s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft, Mod: mod})
		s.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft, Mod: mod})
	}
	click("a.example/plan", 0)
	click("for more", tea.ModCtrl)
	s.WantNot("open it")
	click("a.example/plan", tea.ModCtrl)
	s.Want("Open the link to a.example?", "y open it")
	s.Press("y")
	click("https://docs", tea.ModCtrl)
	s.Want("Open the link to docs.example?")
	s.Press("y")
	if got := strings.Join(did(f, "link"), "\n"); got != "link t1 https://a.example/plan\nlink t1 "+long {
		t.Errorf("opened were\n%s", got)
	}
}
