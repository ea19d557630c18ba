package tui_test

import (
	"strings"
	"testing"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"
)

// pageTo pages with a key until a notice is on the screen, without a gap.
func pageTo(t *testing.T, s *tuitest.Screen, key string, to int) {
	t.Helper()
	for {
		got := wantInOrder(t, s)
		if got[0] <= to && to <= got[len(got)-1] {
			return
		}
		s.Press(key)
		if now := wantInOrder(t, s); now[0] == got[0] {
			t.Fatalf("%s does not lead on from %d:\n%s", key, got[0], s.Text())
		}
	}
}

var unreadable = &session.Error{Code: session.CodeFailed, Message: "the store cannot be read"}

func TestWhatCannotBeReadAtFirstIsSaidAndReadLater(t *testing.T) {
	f := world()
	notices(f, 100)
	f.fails["entries"] = unreadable
	s := inTranscript(t, f)
	s.Want("the store cannot be read")
	delete(f.fails, "entries")
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 99")
	f.fails["since"] = unreadable
	s.Press("ctrl+space", "j", "ctrl+space", "k")
	s.Want("the store cannot be read")
}

func TestAThreadThatIsForgottenWhileItIsReadIsReadAnew(t *testing.T) {
	for kind, begin := range map[string]func(*tuitest.Screen, *fake){
		"since": func(s *tuitest.Screen, f *fake) {
			f.entries["t1"][290].Text += " changed"
			s.Send(tui.StoreChangedMsg{})
		},
		"before": func(s *tuitest.Screen, _ *fake) { s.Press(farUp...) },
		"after":  func(s *tuitest.Screen, _ *fake) { s.Press("g") },
	} {
		t.Run(kind, func(t *testing.T) {
			f := world()
			notices(f, 600)
			for i := range 10 {
				f.threads = append(f.threads, session.Thread{ID: session.ThreadID("x" + string(rune('0'+i))), Title: "Other"})
			}
			s := inTranscript(t, f)
			here := s.View().WindowTitle
			s.Press("ctrl+space", "j", "ctrl+space", "k", "ctrl+space", "h")
			late := f.hold(kind)
			s.Held = true
			begin(s, f)
			s.Await(late.read)
			for range len(f.threads) - 1 {
				s.Press("ctrl+space", "j")
				s.Settle(1)
			}
			late.come()
			s.Wait()
			if s.Press("ctrl+space", "j"); s.View().WindowTitle != here {
				t.Fatalf("shown is %s", s.View().WindowTitle)
			}
			s.Press("ctrl+space", "h")
			s.Want("notice 599")
			pageTo(t, s, "pgup", 0)
		})
	}
}

func TestAReadingThatIsOvertakenByALaterOneChangesNothing(t *testing.T) {
	f := world()
	notices(f, 300)
	s := inTranscript(t, f)
	late := f.hold("since")
	s.Held = true
	f.entries["t1"][295].Text += " first"
	s.Send(tui.StoreChangedMsg{})
	s.Await(late.read)
	f.entries["t1"][295].Text = "notice 295 second"
	s.Press("ctrl+space", "j", "ctrl+space", "k", "ctrl+space", "h")
	s.Until("notice 295 second")
	late.come()
	s.Wait()
	s.Want("notice 295 second")
}

func TestAPartThatIsReadAnewDoesNotTakeThePersonAlong(t *testing.T) {
	for _, step := range []struct {
		from, to string
		want     string
	}{{"G", "g", "notice 0"}, {"g", "G", "notice 1799"}} {
		t.Run(step.to, func(t *testing.T) {
			f := world()
			notices(f, 300)
			s := inTranscript(t, f)
			pageTo(t, s, "pgup", 0) // all of it is there
			s.Press(step.from)
			late := f.hold("since")
			s.Held = true
			for i := range 1500 {
				f.entries["t1"] = append(f.entries["t1"], notice(300+i))
			}
			s.Send(tui.StoreChangedMsg{})
			s.Await(late.read)
			s.Press(step.to)
			late.come()
			s.Wait()
			s.Want(step.want)
			s.Press("G")
			s.Want("notice 1799")
		})
	}
}

func TestAPageThatFailedIsAskedForAgainWhenTheThreadChanges(t *testing.T) {
	f := world()
	notices(f, 500)
	s := inTranscript(t, f)
	f.fails["entries"] = unreadable
	for range 6 {
		s.Press("pgup")
	}
	s.Want("the store cannot be read", "notice 300")
	delete(f.fails, "entries")
	s.Send(tui.StoreChangedMsg{})
	s.Press("S", "S")
	s.Want("notice 299")
}

func TestWhatIsThereIsGoneToWithoutReading(t *testing.T) {
	f := world()
	notices(f, 180)
	f.entries["t1"][90].Text += " needle"
	f.entries["t1"][40].Text += " needle"
	s := inTranscript(t, f)
	s.Press("/")
	s.Type("needle")
	s.Press("enter")
	for _, verb := range []string{"since", "around", "entries", "revision"} {
		f.fails[verb] = unreadable
	}
	for _, step := range []struct{ key, want string }{{"n", "notice 40 needle"}, {"g", "notice 0"}, {"G", "notice 179"}, {"N", "notice 90 needle"}} {
		s.Press(step.key)
		s.Want(step.want)
		s.WantNot("cannot be read")
	}
}

// farUp goes from the end of a long thread to where another page of it is read.
var farUp = []string{"pgup", "pgup", "pgup", "pgup", "pgup"}

// gone is a thread of notices with a prompt and a needle within its last page, and
// a fault before it.
func gone(t *testing.T) (*fake, *tuitest.Screen) {
	f := world()
	notices(f, 900)
	es := f.entries["t1"]
	es[800].Kind = transcript.KindPrompt
	es[820].Text += " needle"
	es[450].Kind, es[450].Failed, es[450].Tool, es[450].Input = transcript.KindTool, true, "Bash", "notice 450"
	return f, inTranscript(t, f)
}

func TestThePersonStaysWhereTheyHaveGoneLast(t *testing.T) {
	for name, step := range map[string]struct {
		from, key, kind, then string
		late                  string // the kind of the second reading, if it is one
		want                  int
	}{
		"a prompt that is there":    {from: "G", key: "g", kind: "after", then: "[", want: 800},
		"the end that is there":     {from: "G", key: "g", kind: "after", then: "G", want: 899},
		"the start that is there":   {from: "g", key: "]", kind: "seek", then: "g", want: 0},
		"a hit that is there":       {from: "/", key: "g", kind: "after", then: "N", want: 830},
		"a fault that is not there": {from: "G", key: "g", kind: "after", then: "{", late: "seek", want: 450},
	} {
		t.Run(name, func(t *testing.T) {
			f, s := gone(t)
			s.Press(step.from)
			if step.from == "/" {
				f.entries["t1"][830].Text += " needle"
				s.Type("needle")
				s.Press("enter")
			}
			first := f.hold(step.kind)
			s.Held = true
			s.Press(step.key)
			s.Await(first.read)
			if step.late != "" {
				second := f.hold(step.late)
				s.Press(step.then)
				s.Await(second.read)
				first.come()
				s.Settle(1)
				second.come()
			} else {
				s.Press(step.then)
				first.come()
			}
			s.Wait()
			if got := wantInOrder(t, s); got[0] > step.want || got[0] < step.want-40 || got[len(got)-1] < step.want {
				t.Fatalf("shown are %v, want %d", got, step.want)
			}
			pageTo(t, s, "pgup", 0) // it is paged on
		})
	}
}

func TestPagingGoesOnAfterAPageThatAJumpHasOvertaken(t *testing.T) {
	f := world()
	notices(f, 900)
	s := inTranscript(t, f)
	page := f.hold("before")
	s.Held = true
	s.Press(farUp...)
	s.Await(page.read)
	s.Press("g")
	s.Until("notice 0")
	page.come()
	s.Wait()
	pageTo(t, s, "pgdown", 899)
}

func TestNoPageIsReadBesideAJump(t *testing.T) {
	f := world()
	notices(f, 900)
	s := inTranscript(t, f)
	jump, page := f.hold("after"), f.hold("before")
	s.Held = true
	s.Press("g")
	s.Await(jump.read)
	s.Press(farUp...)
	jump.come()
	s.Until("notice 0")
	page.come()
	s.Wait()
	pageTo(t, s, "pgdown", 899)
}

func TestAPageFromBeforeTwoJumpsIsReadAgain(t *testing.T) {
	f := world()
	notices(f, 1500)
	s := inTranscript(t, f)
	page := f.hold("before")
	s.Held = true
	s.Press(farUp...)
	s.Await(page.read)
	f.mu.Lock()
	f.entries["t1"][1250].Text += " changed"
	f.mu.Unlock()
	s.Press("g")
	s.Until("notice 0")
	s.Press("G")
	s.Until("notice 1499")
	s.Settle(1)
	page.come()
	s.Wait()
	pageTo(t, s, "pgup", 1250)
	s.Want("notice 1250 changed")
}

func TestAReadingThatThePersonHasGoneOnFromIsEnded(t *testing.T) {
	for name, keys := range map[string][]string{"jump": {"{"}, "page": farUp} {
		t.Run(name, func(t *testing.T) {
			f, s := gone(t)
			f.waits = true
			s.Held = true
			s.Press(keys...)
			s.Press("g")
			s.Wait()
			s.Want("notice 0")
			s.WantNot("stopped", "interrupted")
		})
	}
}

func TestAPageThatTakesLongCanBeStopped(t *testing.T) {
	f := world()
	notices(f, 500)
	f.waits = true
	s, c := start(t, f, 100, 40)
	s.Press("ctrl+space", "h")
	s.Held = true
	s.Press(farUp...)
	stopReading(s, c)
	s.Want("stopped")
	s.WantNot("reading…", "interrupted")
}

func TestWhatChangesBeforeAJumpThatLeadsNowhereIsShown(t *testing.T) {
	for name, fails := range map[string]bool{"failed": true, "given up": false} {
		t.Run(name, func(t *testing.T) {
			f, s := gone(t)
			news := f.hold("since")
			s.Held = true
			f.entries["t1"][890].Text += " changed"
			s.Send(tui.StoreChangedMsg{})
			s.Await(news.read)
			if fails {
				f.fails["seek"] = unreadable
				s.Press("{")
				s.Until("the store cannot be read")
			} else {
				jump := f.hold("after")
				s.Press("g")
				s.Await(jump.read)
				s.Press("G")
				jump.come()
			}
			news.come()
			s.Wait()
			s.Want("notice 890 changed")
		})
	}
}

func TestWhatAJumpFindsInThePartThatIsThereStaysAsItHasBecome(t *testing.T) {
	f := world()
	notices(f, 600)
	f.entries["t1"][450].Kind = transcript.KindPrompt
	s := inTranscript(t, f)
	jump := f.hold("around")
	s.Held = true
	s.Press("]") // beyond the last one, the first
	s.Await(jump.read)
	f.entries["t1"][455].Text += " changed"
	s.Send(tui.StoreChangedMsg{})
	s.Settle(1)
	news := f.hold("since")
	jump.come()
	s.Until("notice 450")
	s.Want("notice 455 changed")
	news.come()
	s.Wait()
	s.Want("notice 455 changed")
}

func TestAPageOfAPartThatWasReadAnewLeavesNoGap(t *testing.T) {
	for kind, step := range map[string]struct {
		from, key string
		to        int
	}{"before": {"G", "pgup", 2500}, "after": {"g", "pgdown", 500}} {
		t.Run(kind, func(t *testing.T) {
			f := world()
			notices(f, 3000)
			s := inTranscript(t, f)
			s.Press(step.from)
			page := f.hold(kind)
			s.Held = true
			for range 5 {
				s.Press(step.key)
			}
			s.Await(page.read)
			for i := range f.entries["t1"] {
				f.entries["t1"][i].Text += " changed"
			}
			s.Send(tui.StoreChangedMsg{})
			s.Settle(1)
			page.come()
			s.Wait()
			pageTo(t, s, step.key, step.to)
		})
	}
}

func TestAPromptThatIsNotInWhatAJumpReadsIsTheLastOfThoseSentBefore(t *testing.T) {
	f, s := gone(t)
	s.Press("ctrl+space", "c", "up")
	s.Want("› notice 800")
	s.Press("down", "ctrl+space", "h")
	sent := notice(900)
	sent.Kind, sent.Text = transcript.KindPrompt, "sent elsewhere"
	f.entries["t1"] = append(f.entries["t1"], sent)
	s.Press("{")
	s.Want("notice 450")
	s.Press("ctrl+space", "c", "up")
	s.Want("› sent elsewhere")
	s.Press("down")
	sent.ID, sent.Text = 902, "sent after it"
	f.entries["t1"] = append(f.entries["t1"], sent)
	s.Send(tui.StoreChangedMsg{})
	s.Press("up")
	s.Want("› sent after it")
}

func TestTheStartOfAThreadThatGrowsStaysInView(t *testing.T) {
	f := world()
	notices(f, 900)
	s := inTranscript(t, f)
	pageTo(t, s, "pgup", 0)
	for i := range 4 {
		for n := range 100 {
			f.entries["t1"] = append(f.entries["t1"], notice(900+i*100+n))
		}
		s.Send(tui.StoreChangedMsg{})
	}
	if got := wantInOrder(t, s); got[0] != 0 {
		t.Fatalf("shown are %v", got)
	}
	pageTo(t, s, "pgdown", 1299)
	s.Press("G")
	s.Want("notice 1299")
}

func TestTheEndOfAThreadThatComesLateDoesNotTakeThePlaceOfAHit(t *testing.T) {
	f := long()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "/")
	s.Type("number 17.")
	end := f.hold("end")
	s.Held = true
	s.Press("enter")
	s.Await(end.read)
	s.Settle(1)
	f.entries["t3"][0].Text += " changed"
	end.come()
	s.Wait()
	if line := s.Lines()[2]; !strings.Contains(line, "remark number 17.") {
		t.Errorf("the hit is not at the top:\n%s", s.Text())
	}
}

func TestWhatChangesWhileItIsGoneToIsShown(t *testing.T) {
	f := world()
	notices(f, 1500)
	s := inTranscript(t, f)
	start := f.hold("after")
	s.Held = true
	s.Press("g")
	s.Await(start.read)
	f.entries["t1"][5].Text += " changed"
	s.Send(tui.StoreChangedMsg{})
	s.Settle(1)
	start.come()
	s.Wait()
	s.Want("notice 5 changed")
}

func TestAPageThatWasOvertakenByAChangeIsReadAgain(t *testing.T) {
	f := world()
	notices(f, 300)
	s := inTranscript(t, f)
	page := f.hold("before")
	s.Held = true
	for range 5 {
		s.Press("pgup")
	}
	s.Await(page.read)
	f.entries["t1"][95].Text += " changed"
	s.Send(tui.StoreChangedMsg{})
	s.Settle(1)
	page.come()
	s.Wait()
	s.Press("pgup")
	s.Want("notice 95 changed")
}
