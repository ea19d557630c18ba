package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"

	tea "charm.land/bubbletea/v2"
)

// inTranscript opens the transcript of the first thread.
func inTranscript(t *testing.T, f *fake) *tuitest.Screen {
	t.Helper()
	s, _ := start(t, f, 100, 40)
	s.Press("ctrl+space", "h")
	f.took()
	return s
}

func did(f *fake, verb string) []string {
	var out []string
	for _, c := range f.took() {
		if strings.HasPrefix(c, verb+" ") {
			out = append(out, c)
		}
	}
	return out
}

func TestCardsTakeNoKeyBeforeTheyHaveTheFocus(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("s", "n", "b", "y")
	if calls := f.took(); len(calls) != 0 {
		t.Errorf("calls = %q", calls)
	}
}

func TestStartFromTheCard(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "s")
	if got := did(f, "start"); !slices.Equal(got, []string{"start p3 shared=false"}) {
		t.Fatalf("calls = %q", got)
	}
	s.Want("✓ Thread started   Make the settings loader", "working · Open thread o")
	s.WantNot("own checkout from")
	// The line keeps the focus, so that the thread is one key away.
	s.Press("o")
	s.Want("Started p3")
	if calls := f.took(); !slices.Contains(calls, "view new-p3 agent 75x38") {
		t.Errorf("calls = %q", calls)
	}
}

func TestNotNowAndBringItBack(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "n")
	s.Want("✕ Not now          Make the settings loader")
	s.WantNot("Start this thread")
	s.Press("b")
	s.Want("Start this thread")
	if calls := f.took(); !slices.Equal(calls, []string{"dismiss p3", "restore p3"}) {
		t.Errorf("calls = %q", calls)
	}
	// A dismissed card unfolds, and can be brought back with the mouse.
	s.ClickOn("Rename the flag")
	s.Press("p")
	s.Want("Bring it back  b")
	s.ClickOn("Bring it back")
	if got := did(f, "restore"); !slices.Equal(got, []string{"restore p2"}) {
		t.Errorf("calls = %q", got)
	}
}

func TestAnswersThatDoNotFitTheStateDoNothing(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab", "b", "o") // standing: neither dismissed nor started
	s.Press("shift+tab")     // dismissed
	s.Press("s", "n", "o")
	if calls := f.took(); len(calls) != 0 {
		t.Errorf("calls = %q", calls)
	}
	s.Press("shift+tab", "n", "b") // started
	if calls := f.took(); len(calls) != 0 {
		t.Errorf("calls = %q", calls)
	}
	s.Press("s")
	s.Want("Cover loader  ")
}

func TestPromptUnfoldsAndIsCopied(t *testing.T) {
	f := world()
	f.proposals[2].Prompt = "First line\nwith \x1b[31mhidden\u202e things"
	s := inTranscript(t, f)
	s.WantNot("First line")
	s.Press("tab", "p")
	s.Want("▾ The prompt it would start with", "First line", "with ⟨U+001B⟩[31mhidden⟨U+202E⟩ things")
	s.Press("p")
	s.WantNot("First line")
	s.ClickOn("▸ The prompt")
	s.Want("First line")
	s.Press("y")
	if !slices.Contains(s.Copied(), f.proposals[2].Prompt) {
		t.Error("the prompt has not gone to the clipboard as it is")
	}
}

func TestFailedStartIsShownOnTheCard(t *testing.T) {
	f := world()
	f.starts = func(tui.StartOptions) error {
		return &session.Error{Code: session.CodeSettled, Message: "somebody else is starting it", Hint: "look again"}
	}
	s := inTranscript(t, f)
	s.Press("tab", "s")
	s.Want("! somebody else is starting it · look again", "Start this thread")
}

func TestOneStartAtATime(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Press("tab")
	s.Held = true
	s.Press("s", "s", "n", "enter")
	s.Want("Starting…")
	s.WantNot("Start this thread")
	s.Wait()
	if calls := f.took(); !slices.Equal(calls, []string{"start p3 shared=false"}) {
		t.Errorf("calls = %q", calls)
	}
}

func TestConsentIsAskedInPlaceWithoutTakingKeys(t *testing.T) {
	f := world()
	reply := make(chan bool, 1)
	f.starts = func(tui.StartOptions) error {
		if <-reply {
			return nil
		}
		return &session.Error{Code: session.CodeConsent, Message: "the checkout would be shared", Hint: "the prompt is the thread's draft"}
	}
	for _, yes := range []bool{false, true} {
		s := inTranscript(t, f)
		s.Press("tab")
		s.Held = true
		s.Press("s", "esc", "c")
		s.Send(tui.AskMsg{
			Ask:   tui.Ask{Title: "Make the loader report", Lines: []string{"The checkout would be shared.\x1b[2J"}, Yes: "share it", No: "leave it"},
			Reply: func(yes bool) { reply <- yes },
		})
		s.Want("The checkout would be shared.", "y share it", "n leave it", "ctrl+space a: answer")
		s.Type("yn") // still meant for the composer
		s.Want("› yn", "share it")
		s.Press("ctrl+space", "a", "esc")
		s.Want("share it") // it waits
		s.Press("ctrl+space", "a")
		if yes {
			s.Press("y")
		} else {
			s.Press("n")
		}
		s.WantNot("share it")
		s.Wait()
		if yes {
			s.Want("✓ Thread started   Make the settings")
		} else {
			s.Want("Start this thread", "the prompt is the thread's draft")
		}
	}
}

func TestBlockedStartOffersTheSharedCheckout(t *testing.T) {
	f := world()
	f.starts = func(o tui.StartOptions) error {
		if o.Shared {
			return nil
		}
		return &session.Error{Code: session.CodeBlocked, Message: "A separate checkout is not possible here: detached HEAD"}
	}
	f.outlook = tui.Outlook{Text: "A separate checkout is not possible here: detached HEAD", Blocked: true}
	s := inTranscript(t, f)
	s.Press("tab")
	s.Want("! A separate checkout is not possible here")
	s.Press("s", "ctrl+space", "a", "y")
	if calls := did(f, "start"); !slices.Equal(calls, []string{"start p3 shared=false", "start p3 shared=true"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Want("✓ Thread started")
}

func TestStartedLineFollowsItsThread(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.Want("needs you · Open thread o")
	s.Send(tui.StatusMsg{Thread: "t2", Status: session.Status{State: session.StateDone}})
	s.Want("done · Open thread o")
	f.threads = slices.Delete(f.threads, 1, 2)
	s.Send(tui.StoreChangedMsg{})
	s.Want("✓ Thread started   Cover the loader")
	s.WantNot("Open thread")
}

func TestWithdrawnOfferIsAQuietLine(t *testing.T) {
	f := world()
	f.entries["t1"][6].Proposal.Withdrawn = true
	f.proposals = f.proposals[:2]
	s := inTranscript(t, f)
	s.Want("· Taken back       Make the settings loader")
	s.WantNot("Start this thread", "◆")
}

func TestOffersAcrossThreads(t *testing.T) {
	f := world()
	f.proposals = append(f.proposals,
		session.Proposal{ID: "p4", Thread: "t2", Title: "Drop the old cache", Summary: "It is unused.", Prompt: "Drop it.", State: session.ProposalStanding, OfferedAt: noon.Add(-time.Minute)},
		session.Proposal{ID: "p5", Thread: "t2", Title: "Oldest one", Summary: "Older.", Prompt: "Do.", State: session.ProposalStanding, OfferedAt: noon.Add(-50 * time.Hour)})
	s, _ := start(t, f, 100, 40)
	s.Want("◆ 3 offers", "Proposed: Drop the old cache")
	s.Press("ctrl+space", "o")
	s.Want("3 standing", "It is unused.", "Cover loader · 1m", "◆ Make the settings loader report bad input", "Cover loader · 2d", "✕ Not now", "✓ Thread started")
	var order []int
	for _, title := range []string{"Drop the old cache", "Make the settings", "Oldest one", "Rename the flag", "Cover the loader"} {
		_, y, _ := s.Find(title)
		order = append(order, y)
	}
	if !slices.IsSorted(order) {
		t.Errorf("rows = %v:\n%s", order, s.Text())
	}
	s.Press("j")
	s.Want("The loader swallows")
	s.WantNot("It is unused.")
	s.Press("n")
	if calls := did(f, "dismiss"); !slices.Equal(calls, []string{"dismiss p3"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Press("b", "g", "s")
	if calls := did(f, "start"); !slices.Equal(calls, []string{"start p4 shared=false"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Press("/")
	if _, y, _ := s.Find("filter: › words"); y == 0 || strings.Contains(s.Lines()[y], "…") {
		t.Errorf("the field is cut:\n%s", s.Text())
	}
	s.Type("oldest COVER")
	s.Want("Oldest one")
	s.WantNot("Rename the flag")
	s.Press("enter", "n")
	if calls := did(f, "dismiss"); !slices.Equal(calls, []string{"dismiss p5"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Press("esc")
	s.WantNot("Oldest one", "standing")
}

func TestClicksOnOffers(t *testing.T) {
	f := world()
	s, _ := start(t, f, 100, 40)
	s.ClickOn("◆ 1 offer")
	s.Want("1 standing")
	s.ClickOn("Not now  n")
	if calls := did(f, "dismiss"); !slices.Equal(calls, []string{"dismiss p3"}) {
		t.Errorf("calls = %q", calls)
	}
	s.Press("b", "esc")
	s.ClickOn("o look")
	s.Want("1 standing")
	s.ClickOn("Open thread")
	s.Want("Cover loader  ")
}

func TestTranscriptFollowsUntilScrolled(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	add := func(id int64, text string) {
		f.mu.Lock()
		f.entries["t1"] = append(f.entries["t1"], transcript.Entry{ID: id, Thread: "t1", Kind: transcript.KindAssistant, Text: text})
		f.mu.Unlock()
		s.Send(tui.StoreChangedMsg{})
	}
	add(20, strings.Repeat("line  \n", 60)+"the first end")
	s.Want("the first end")
	s.Send(tea.MouseWheelMsg{X: 50, Y: 10, Button: tea.MouseWheelUp})
	s.Want("more below")
	add(21, "the second end")
	s.WantNot("the second end")
	s.Press("end")
	s.Want("the second end")
	s.WantNot("more below")
}

func TestEntriesThatChangeAreDrawnAgain(t *testing.T) {
	f := world()
	s := inTranscript(t, f)
	s.WantNot("failed")
	f.entries["t1"][2].Failed = true
	s.Send(tui.StoreChangedMsg{})
	s.Want("✗ Bash  go test ./parse")
}

func TestACardIsAsHighBeforeItsCheckoutIsKnown(t *testing.T) {
	known := world()
	_, before, ok := inTranscript(t, known).Find("Start this thread")
	if !ok {
		t.Fatal("no card")
	}
	unknown := world()
	unknown.outlook = tui.Outlook{}
	if _, y, _ := inTranscript(t, unknown).Find("Start this thread"); y != before {
		t.Errorf("the button is in row %d, and in row %d once the checkout is known", y, before)
	}
}
