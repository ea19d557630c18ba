package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"

	tea "charm.land/bubbletea/v2"
)

func wantStarts(t *testing.T, f *fake, want ...string) {
	t.Helper()
	if got := did(f, "start"); !slices.Equal(got, want) {
		t.Errorf("starts = %q, want %q", got, want)
	}
}

func TestOfferIsEditedBeforeItStarts(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "e")
	s.Want("Before it starts: Make the settings loader", "own checkout from fix-parser")
	if c := s.View().Cursor; c == nil || !strings.Contains(s.Lines()[c.Y], "title") {
		t.Errorf("cursor = %+v:\n%s", c, s.Text())
	}
	s.Type("!")
	s.Press("tab")
	if c := s.View().Cursor; c == nil || !strings.Contains(s.Lines()[c.Y], "Make LoadSettings return") {
		t.Errorf("cursor = %+v:\n%s", c, s.Text())
	}
	s.Press("shift+enter")
	s.Type("Be brief.")
	// It can be left, and the card shows what would be started.
	s.Press("esc")
	s.Want("Make the settings loader report bad input!", "title and prompt as you wrote them", "Start this thread")
	s.Press("p")
	s.Want("Be brief.")
	s.Press("y")
	if !slices.Contains(s.Copied(), "Make LoadSettings return the file, line and reason.\nBe brief.") {
		t.Error("what was copied is not what the card shows")
	}
	wantStarts(t, f)
	s.Press("s")
	wantStarts(t, f, `start p3 shared=false prompt="Make LoadSettings return the file, line and reason.\nBe brief." title="Make the settings loader report bad input!"`)
	s.Want("✓ Thread started")
	s.Press("o")
	s.Want("Started p3")
}

func TestEditedOfferGoesBackToWhatItWas(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "e")
	s.Type("!")
	s.Press("ctrl+r", "esc")
	s.WantNot("as you wrote", "input!")
	s.Press("s")
	wantStarts(t, f, "start p3 shared=false")
}

func TestBaseAgentAndModelAreChosen(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "c")
	s.Want("[its own]", "[fix-parser (as offered)]", "[ ] take 2 uncommitted files along", "[Claude Code]")
	s.Press("tab", "right")
	s.Want("[main]", "own checkout from main · 1 commit and 2 uncommitted files left out")
	s.Press("tab", "space")
	s.Want("[x] take 2", "own checkout from main · with 2 uncommitted files · 1 commit left out")
	s.Press("tab", "right")
	s.Want("[Codex]")
	s.Press("tab")
	s.Type("big")
	s.Press("esc")
	s.Want("with Codex · model big", "own checkout from main · with 2 uncommitted files")
	s.Press("c")
	s.Want("[main]", "[x] take", "[Codex]", "› big")
	s.Press("enter")
	wantStarts(t, f, `start p3 shared=false agent="codex" base="default" carry model="big"`)
}

func TestAnotherBaseIsNamed(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "c", "tab", "left")
	s.Want("[another]", "a branch, a tag or a commit")
	s.Press("tab")
	s.Type("v1.2")
	s.Want("own checkout from v1.2 · 2 uncommitted files left out")
	s.Press("enter")
	wantStarts(t, f, `start p3 shared=false base="v1.2"`)
}

func TestSharedCheckoutIsChosen(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "c", "right")
	s.Want("[the project's work tree]", "beside what you do there")
	s.WantNot("as offered)", "uncommitted")
	s.Press("enter")
	wantStarts(t, f, "start p3 shared=true")
}

func TestFormOfTheStartIsClicked(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab")
	s.ClickOn("c choose")
	s.ClickOn("take 2 uncommitted")
	s.WantNot("[x]")
	s.ClickOn("take 2 uncommitted")
	s.Want("[x] take 2")
	s.ClickOn("title ")
	s.Type("?")
	s.Press("esc")
	s.ClickOn("e edit")
	s.Want("bad input?")
	s.Press("enter")
	wantStarts(t, f, `start p3 shared=false carry title="Make the settings loader report bad input?"`)
}

func TestModelOfTheThreadIsNotAnotherAgents(t *testing.T) {
	f := world()
	f.threads[0].Model = "opus"
	s := inTranscript(t, f)
	s.Press("tab", "c")
	s.Want("› opus")
	s.Press("shift+tab", "shift+tab", "shift+tab", "shift+tab") // to the agent, round the end
	s.Press("right")
	for range 8 {
		if s.Has("[Codex]") {
			break
		}
		s.Press("tab", "right")
	}
	s.Want("[Codex]")
	s.WantNot("› opus")
}

func TestOfferIsEditedInTheList(t *testing.T) {
	f := world()
	s, _ := start(t, f, 100, 40)
	s.Press("ctrl+space", "o", "e")
	s.Type("!")
	s.Press("esc")
	s.Want("1 standing", "bad input!")
	s.Press("c", "enter")
	wantStarts(t, f, `start p3 shared=false title="Make the settings loader report bad input!"`)
}

func TestFormThatIsLeftByTheLeaderIsNotShownElsewhere(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "e")
	s.Type("!")
	s.Press("ctrl+space", "o")
	s.Want("1 standing", "bad input!")
	s.WantNot("Before it starts")
	s.Press("ctrl+space", "h")
	s.WantNot("Before it starts")
}

func TestSettledCardsAreNotEdited(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "shift+tab", "e", "c", "shift+tab", "e", "c")
	s.WantNot("Before it starts")
}

func TestStartSaysWhatItIsAtAndCanBeStopped(t *testing.T) {
	f := world()
	f.waits = true
	s := inTranscript(t, f)
	s.Press("tab")
	s.Held = true
	s.Press("s")
	s.Want("Starting…", "x stop")
	f.threads = append(f.threads, session.Thread{ID: "new", Title: "Make", ProposedBy: &session.Lineage{Thread: "t1", Proposal: "p3"}})
	s.Send(tui.StoreChangedMsg{})
	s.Send(tui.StepMsg{Thread: "new", Doing: "making its checkout"})
	m := s.Model()
	m.Update(tui.StoreChangedMsg{})
	// Leaving the card does not end it.
	s.Press("esc", "tab")
	s.WantNot("Start this thread")
	s.Press("x")
	s.Wait()
	s.Want("! the start was interrupted", "Start this thread")
	wantStarts(t, f, "start p3 shared=false")
}

func TestStepsOfAStartAreNamed(t *testing.T) {
	f := world()
	set := func(p *session.Proposal) { p.Starting = true }
	f.set("p3", set)
	f.threads = append(f.threads, session.Thread{ID: "new", Title: "Make", ProposedBy: &session.Lineage{Thread: "t1", Proposal: "p3"}})
	s := inTranscript(t, f)
	s.Want("Starting…")
	s.Send(tui.StepMsg{Thread: "new", Doing: "making its checkout"})
	s.Want("Starting: making its checkout…")
	s.WantNot("x stop") // somebody else's
	s.Send(tui.StepMsg{Thread: "new"})
	s.Want("Starting…")
}

func TestLineageIsShownBothWays(t *testing.T) {
	f := world()
	f.threads[1].ProposedBy = &session.Lineage{Thread: "t1", Proposal: "p1"}
	s := inTranscript(t, f)
	s.ClickOn("Open thread")
	s.Want("Cover loader  from Fix the parser")
	s.Press("ctrl+space", "f")
	s.Want("›✓ Thread started") // the card has the focus
	s.Press("o")
	s.ClickOn("from Fix the parser")
	s.Want("›✓ Thread started")
	s.Press("ctrl+space", "f")
	s.Want("no other thread offered this one")
	f.threads = slices.Delete(f.threads, 0, 1)
	f.threads[0].Title = "Orphan"
	s.Send(tui.StoreChangedMsg{})
	s.WantNot("from Fix")
}

// manyCards is a thread with n proposals and two lines between them.
func manyCards(n int) *fake {
	f := world()
	var es []transcript.Entry
	f.proposals = nil
	for i := range n {
		p := session.Proposal{
			ID: session.ProposalID(fmt.Sprintf("m%d", i)), Thread: "t1", Title: fmt.Sprintf("Offer number %d", i),
			Summary: "What it would do.", Prompt: "Do it.", State: session.ProposalStanding, OfferedAt: noon,
		}
		f.proposals = append(f.proposals, p)
		es = append(
			es,
			transcript.Entry{ID: int64(3*i + 1), Thread: "t1", Kind: transcript.KindTool, Tool: "Bash", Input: "ls"},
			transcript.Entry{ID: int64(3*i + 2), Thread: "t1", Kind: transcript.KindProposal, Proposal: &p},
			transcript.Entry{ID: int64(3*i + 3), Thread: "t1", Kind: transcript.KindAssistant, Text: "Went on."},
		)
	}
	f.entries["t1"] = es
	return f
}

func TestCardBeforeTheFirstThatIsKnownIsLookedFor(t *testing.T) {
	f := manyCards(300)
	// Nothing but lines for several pages before the last card.
	var es []transcript.Entry
	for i := range 900 {
		es = append(es, transcript.Entry{ID: int64(10_000 + i), Thread: "t1", Kind: transcript.KindNotice, Text: "a line"})
	}
	f.entries["t1"] = append(f.entries["t1"][:3], es...)
	last := f.proposals[299]
	f.entries["t1"] = append(f.entries["t1"], transcript.Entry{ID: 20_000, Thread: "t1", Kind: transcript.KindProposal, Proposal: &last})
	s := inTranscript(t, f)
	s.Press("tab")
	s.Want("Offer number 299")
	s.Press("shift+tab")
	s.Want("Offer number 0")
	s.Press("shift+tab")
	s.Want("Offer number 299")
}

func BenchmarkCardNavigation(b *testing.B) {
	s, _ := start(b, manyCards(2000), 120, 50)
	s.Press("ctrl+space", "h", "tab")
	for range 40 { // read all of it
		s.Press("home")
	}
	s.Press("end", "tab")
	m := s.Model()
	key := tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	b.ReportAllocs()
	for b.Loop() {
		m.Update(key)
		_ = m.View()
	}
}

func TestOpenCardStandsApartFromWhatFollows(t *testing.T) {
	f := world()
	f.entries["t1"] = append(f.entries["t1"],
		transcript.Entry{ID: 8, Thread: "t1", Kind: transcript.KindTool, Tool: "Bash", Input: "make"},
		transcript.Entry{ID: 9, Thread: "t1", Kind: transcript.KindAction, Text: "Run the tests", Outcome: "confirmed: Run the tests"})
	s := inTranscript(t, f)
	_, button, _ := s.Find("Start this thread")
	_, tool, ok := s.Find("Bash  make")
	if !ok || tool != button+2 {
		t.Errorf("the button is in row %d, the tool in %d:\n%s", button, tool, s.Text())
	}
	s.Want("$ Run the tests", "confirmed: Run the tests")
	s.Press("tab", "n")
	_, line, _ := s.Find("✕ Not now          Make the settings")
	if _, tool, _ = s.Find("Bash  make"); tool != line+1 {
		t.Errorf("the quiet line is in row %d, the tool in %d:\n%s", line, tool, s.Text())
	}
}

func TestNewThreadNamesItsStepsAndCanBeStopped(t *testing.T) {
	f := world()
	f.waits = true
	s, _ := start(t, f, 100, 40)
	s.Press("ctrl+space", "n")
	s.Type("Do it")
	s.Held = true
	s.Press("enter")
	s.Want("starting…", "ctrl+x stop")
	s.Send(tui.StepMsg{Thread: "fresh", Doing: "making its checkout"})
	s.Want("starting: making its checkout…")
	s.Press("ctrl+x")
	s.Wait()
	s.Want("! the start was interrupted", "› Do it")
}
