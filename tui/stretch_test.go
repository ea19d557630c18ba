package tui_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"

	"pgregory.net/rapid"
)

// notices makes the first thread's transcript n notices.
func notices(f *fake, n int) {
	f.entries["t1"] = nil
	for i := range n {
		f.entries["t1"] = append(f.entries["t1"], notice(i))
	}
}

func notice(i int) transcript.Entry {
	return transcript.Entry{
		ID: int64(i + 1), Thread: "t1", At: noon.Add(time.Duration(i) * time.Second), Kind: transcript.KindNotice,
		Text: "notice " + strconv.Itoa(i),
	}
}

var noticed = regexp.MustCompile(`notice (\d+)( \S+)?`)

// onScreen returns the numbers of the notices that are on the screen, and what
// else they say.
func onScreen(s *tuitest.Screen) (numbers []int, rest map[int]string) {
	rest = map[int]string{}
	for _, m := range noticed.FindAllStringSubmatch(s.Text(), -1) {
		n, _ := strconv.Atoi(m[1])
		numbers, rest[n] = append(numbers, n), m[2]
	}
	return numbers, rest
}

func wantInOrder(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *tuitest.Screen,
) []int {
	t.Helper()
	got, _ := onScreen(s)
	if len(got) == 0 {
		t.Fatalf("no notice is on the screen:\n%s", s.Text())
	}
	for i, n := range got {
		if n != got[0]+i {
			t.Fatalf("gap: %v", got)
		}
	}
	return got
}

func TestALongTranscriptIsPagedThroughWithoutAGap(t *testing.T) {
	f := world()
	notices(f, 3000)
	s := inTranscript(t, f)
	first := wantInOrder(t, s)[0]
	for first > 0 {
		s.Press("pgup")
		got := wantInOrder(t, s)
		if got[0] >= first || got[len(got)-1] < first {
			t.Fatalf("after the page from %d on: %v", first, got)
		}
		first = got[0]
	}
	last := 0
	for last < 2999 {
		before := last
		s.Press("pgdown")
		got := wantInOrder(t, s)
		last = got[len(got)-1]
		if last <= before || got[0] > before+35 {
			t.Fatalf("after the page up to %d: %v", before, got)
		}
	}
	s.WantNot("more below")
	s.Press("g")
	s.Want("notice 0", "more below")
	f.read = 0
	s.Press("G")
	s.Want("notice 2999")
	s.WantNot("more below")
	if f.read == 0 {
		t.Error("all of the thread was kept")
	}
}

func TestFollowingReadsOnlyWhatIsNew(t *testing.T) {
	f := world()
	notices(f, 3000)
	s := inTranscript(t, f)
	f.read = 0
	f.entries["t1"] = append(f.entries["t1"], notice(3000))
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 3000")
	if f.read != 1 {
		t.Errorf("%d entries were read for a new one", f.read)
	}
	s.Send(tui.StoreChangedMsg{})
	if f.read != 1 {
		t.Errorf("%d entries were read for none", f.read-1)
	}
	f.entries["t1"][2990].Text += " changed"
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 2990 changed")
	// A thread that was left goes on from where it was.
	s.Press("ctrl+space", "j")
	f.entries["t1"] = append(f.entries["t1"], notice(3001))
	f.read = 0
	s.Press("ctrl+space", "k", "ctrl+space", "h")
	s.Want("notice 3001")
	if f.read != 1 {
		t.Errorf("%d entries were read on coming back", f.read)
	}
}

func TestAChangeOfWhatIsOutOfSightIsSeenWhenItIsGoneTo(t *testing.T) {
	f := world()
	notices(f, 3000)
	s := inTranscript(t, f)
	for _, n := range []int{5, 2000} { // one that was read, one that was not
		f.entries["t1"][n].Text += " changed"
	}
	s.Send(tui.StoreChangedMsg{})
	s.Press("g")
	s.Want("notice 5 changed")
	f.entries["t1"][5].Text += "again"
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 5 changedagain")
	s.Press("G")
	f.entries["t1"][5].Text += "more"
	s.Send(tui.StoreChangedMsg{})
	s.Press("g")
	s.Want("notice 5 changedagainmore")
}

func TestManyChangesAtOnceAreShown(t *testing.T) {
	f := world()
	notices(f, 100)
	s := inTranscript(t, f)
	for i := 100; i < 5000; i++ {
		f.entries["t1"] = append(f.entries["t1"], notice(i))
	}
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 4999")
	wantInOrder(t, s)
	s.Press("g")
	s.Want("notice 0")
	for i := range 2000 {
		f.entries["t1"][i].Text += " new"
	}
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 0 new", "notice 30 new")
}

func TestAPromptIsJumpedToWhereverItIs(t *testing.T) {
	f := world()
	notices(f, 4000)
	for _, n := range []int{10, 2500} {
		f.entries["t1"][n].Kind = transcript.KindPrompt
	}
	f.entries["t1"][1200].Kind, f.entries["t1"][1200].Failed = transcript.KindTool, true
	f.entries["t1"][1200].Tool, f.entries["t1"][1200].Input = "Bash", "notice 1200"
	s := inTranscript(t, f)
	for _, step := range []struct {
		key  string
		want int
	}{{"[", 2500}, {"[", 10}, {"[", 2500}, {"]", 10}, {"]", 2500}, {"!", 1200}, {"!", 1200}, {"]", 2500}} {
		s.Press(step.key)
		if got := wantInOrder(t, s); got[0] != step.want {
			t.Fatalf("after %s: %v, want %d", step.key, got, step.want)
		}
	}
	s.Press("G")
	s.Want("notice 3999")
	s.WantNot("more below")
	f.entries["t1"] = append(f.entries["t1"], notice(4000))
	s.Send(tui.StoreChangedMsg{})
	s.Want("notice 4000")
}

func TestACardIsGoneToWhereverItIs(t *testing.T) {
	f := world()
	cards := slices.DeleteFunc(f.entries["t1"], func(e transcript.Entry) bool { return e.Kind != transcript.KindProposal })
	notices(f, 3000)
	for i, n := range []int{20, 1000, 1900} {
		e := &f.entries["t1"][n]
		e.Kind, e.Text, e.Proposal = transcript.KindProposal, "", cards[i].Proposal
	}
	s := inTranscript(t, f)
	for _, step := range []struct{ key, want string }{
		{"tab", "Make the settings loader"},
		{"shift+tab", "Rename the flag"},
		{"shift+tab", "Cover the loader"},
		{"shift+tab", "Make the settings loader"},
		{"tab", "Cover the loader"},
		{"tab", "Rename the flag"},
	} {
		s.Press(step.key)
		body := s.Lines()[1 : len(s.Lines())-1] // the footer names the standing one
		if !slices.ContainsFunc(body, func(l string) bool { return regexp.MustCompile(step.want).MatchString(l) }) {
			t.Fatalf("after %s %q is not on the screen:\n%s", step.key, step.want, s.Text())
		}
	}
}

func TestWhatIsShownIsWhatTheThreadHas(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := world()
		notices(f, rapid.IntRange(1, 900).Draw(rt, "entries"))
		for i := range f.entries["t1"] {
			if i%97 == 13 {
				f.entries["t1"][i].Kind = transcript.KindPrompt
			}
		}
		// Of one that is in view as a whole, the end is followed wherever one goes.
		short := len(f.entries["t1"]) < 60
		s := inTranscript(t, f)
		s.Order = func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "next") }
		c := changing{f: f, rt: rt}
		// The store changes while it is being read, too.
		f.reads = func() {
			if n := rapid.IntRange(-9, 2).Draw(rt, "meanwhile"); n >= 0 {
				c.alter(n)
			}
		}
		wish := ""
		step := func() {
			switch key := rapid.SampledFrom([]string{"pgup", "pgdown", "g", "G", "g", "G", "[", "]", "k", "j", "new", "change", "change", "burst"}).Draw(rt, "step"); key {
			case "new", "change", "burst":
				n := map[string]int{"new": 1}[key]
				if key == "burst" {
					n = rapid.IntRange(1, 1500).Draw(rt, "n")
				}
				c.alter(n)
				c.told = true
				s.Send(tui.StoreChangedMsg{})
			default:
				if wish = key; short {
					wish = ""
				}
				for range rapid.IntRange(1, 6).Draw(rt, "presses") {
					s.Press(key)
				}
			}
		}
		for range rapid.IntRange(1, 12).Draw(rt, "looks") {
			// Some before what the one before has asked for is there.
			for range rapid.IntRange(1, 6).Draw(rt, "steps") {
				s.Held = rapid.IntRange(0, 3).Draw(rt, "held") > 0
				step()
				for range rapid.IntRange(0, 6).Draw(rt, "turns") {
					s.Turn()
				}
			}
			s.Wait()
			for !c.told {
				c.told = true
				s.Send(tui.StoreChangedMsg{})
			}
			c.compare(s, wish)
		}
	})
}

// changing is a store that changes while a transcript is read.
type changing struct {
	f       *fake
	rt      *rapid.T
	changes int
	told    bool // the screen has been told of every change
}

// alter adds n entries, or changes one where n is 0: most often at an end of
// the thread, which is gone to most.
func (c *changing) alter(n int) {
	c.told = false
	if n == 0 {
		c.changes++
		last := len(c.f.entries["t1"]) - 1
		from, to := 0, last
		switch rapid.IntRange(0, 2).Draw(c.rt, "where") {
		case 0:
			to = min(last, 30)
		case 1:
			from = max(0, last-30)
		}
		i := rapid.IntRange(from, to).Draw(c.rt, "which")
		c.f.entries["t1"][i].Text = fmt.Sprintf("notice %d v%d", i, c.changes)
	}
	for range n {
		c.f.entries["t1"] = append(c.f.entries["t1"], notice(len(c.f.entries["t1"])))
	}
}

// compare compares the screen with the store, and with where the person wished
// to be.
func (c *changing) compare(s *tuitest.Screen, wish string) {
	rt := c.rt
	rt.Helper()
	got := wantInOrder(rt, s)
	_, rest := onScreen(s)
	all := c.f.entries["t1"]
	for _, n := range got {
		if want := noticed.FindStringSubmatch(all[n].Text)[2]; rest[n] != want {
			rt.Fatalf("notice %d shows %q, want %q", n, rest[n], want)
		}
	}
	last := got[len(got)-1] == len(all)-1
	switch {
	case !s.Has("more below") && !last:
		rt.Fatalf("it ends with notice %d, the thread with %d", got[len(got)-1], len(all)-1)
	case wish == "g" && got[0] != 0:
		rt.Fatalf("it begins with notice %d", got[0])
	case wish == "G" && !last:
		rt.Fatalf("it ends with notice %d, the thread with %d", got[len(got)-1], len(all)-1)
	}
}

func TestHowLongATurnTookIsSaidAtItsEnd(t *testing.T) {
	f := world()
	f.entries["t1"] = []transcript.Entry{
		{ID: 1, At: noon, Turn: "a", Kind: transcript.KindPrompt, Text: "first"},
		{ID: 2, At: noon.Add(time.Minute), Turn: "a", Kind: transcript.KindAssistant, Text: "done"},
		{ID: 3, At: noon.Add(3 * time.Minute), Turn: "b", Kind: transcript.KindPrompt, Text: "second"},
		{ID: 4, At: noon.Add(4 * time.Minute), Turn: "b", Kind: transcript.KindNotice, Failed: true, Text: "Interrupted"},
	}
	f.turns = []session.Turn{
		{ID: "a", StartedAt: noon, EndedAt: noon.Add(123 * time.Second)},
		{ID: "b", StartedAt: noon.Add(3 * time.Minute)},
	}
	s := inTranscript(t, f)
	s.Want("2m 03s", "✗ Interrupted")
	s.WantNot("1m 15s")
	if _, said, _ := s.Find("done"); true {
		if _, y, _ := s.Find("2m 03s"); y != said+1 {
			t.Errorf("it is said in row %d, not below the last words in row %d:\n%s", y, said, s.Text())
		}
	}
	f.turns[1].EndedAt = noon.Add(4*time.Minute + 15*time.Second)
	s.Send(tui.StoreChangedMsg{})
	s.Want("2m 03s", "1m 15s")
}

func TestADayOrALongPauseThatPassesIsSaid(t *testing.T) {
	f := world()
	at := func(id int64, at time.Time) transcript.Entry {
		return transcript.Entry{ID: id, At: at, Kind: transcript.KindNotice, Text: fmt.Sprint("notice ", id)}
	}
	f.entries["t1"] = []transcript.Entry{
		at(1, noon.Add(-26*time.Hour)), at(2, noon.Add(-26*time.Hour).Add(29*time.Minute)),
		at(3, noon.Add(-2*time.Hour)), at(4, noon.Add(-time.Hour)), at(5, noon.Add(-50*time.Minute)),
	}
	s := inTranscript(t, f)
	s.Want("Saturday, 28 February 10:00", "Sunday, 1 March 10:00", "11:00")
	s.WantNot("10:29", "11:10")
}

// stopReading stops a reading that has taken so long that it is said.
func stopReading(s *tuitest.Screen, c *clock) {
	c.now = c.now.Add(600 * time.Millisecond)
	s.Send(c.fire[len(c.fire)-1](c.now))
	s.Want("reading…", "esc stop")
	s.Press("esc")
	s.Wait()
}

func TestAReadingThatTakesLongIsSaidAndCanBeStopped(t *testing.T) {
	f := world()
	notices(f, 500)
	f.waits = true
	s, c := start(t, f, 100, 40)
	s.Press("ctrl+space", "h")
	s.Held = true
	s.Press("[")
	s.WantNot("reading…")
	s.Press("k") // the screen goes on
	stopReading(s, c)
	s.Want("stopped", "notice 498")
	s.WantNot("reading…", "interrupted")
	f.waits = false
	s.Press("]")
	s.Want("there is none in this transcript")
}

func TestWhatCannotBeReadIsSaidOnceAndAskedForAgainByAKey(t *testing.T) {
	f := world()
	notices(f, 500)
	s := inTranscript(t, f)
	f.fails["entries"] = &session.Error{Code: session.CodeFailed, Message: "the store cannot be read"}
	for range 6 {
		s.Press("pgup")
	}
	s.Want("the store cannot be read", "notice 300")
	delete(f.fails, "entries")
	s.Press("pgup", "pgup")
	s.Want("notice 270")
	wantInOrder(t, s)
}

func TestOfManyThreadsThatWereShownTheOldestIsReadAgain(t *testing.T) {
	f := world()
	notices(f, 300)
	for i := range 10 {
		f.threads = append(f.threads, session.Thread{ID: session.ThreadID(fmt.Sprint("x", i)), Title: fmt.Sprint("Other ", i)})
	}
	s := inTranscript(t, f)
	titled := func() string { return s.View().WindowTitle }
	first := titled()
	f.read = 0
	s.Press("ctrl+space", "j", "ctrl+space", "k")
	if f.read > 0 || titled() != first {
		t.Errorf("%d entries were read again for one that was shown just before", f.read)
	}
	for s.Press("ctrl+space", "j"); titled() != first; s.Press("ctrl+space", "j") {
	}
	s.Press("ctrl+space", "h")
	s.Want("notice 299")
	if f.read < 200 {
		t.Errorf("%d entries were read", f.read)
	}
	s.Press("g")
	s.Want("notice 0")
}

func TestWhatChangesBeyondWhatWasReadLeavesNoGap(t *testing.T) {
	f := world()
	notices(f, 1500)
	s := inTranscript(t, f)
	f.entries["t1"][5].Text += " changed"
	s.Send(tui.StoreChangedMsg{})
	for first := 1500; first > 0; first = wantInOrder(t, s)[0] {
		s.Press("pgup")
	}
	s.Want("notice 5 changed")
	s.Press("G", "g")
	f.entries["t1"] = append(f.entries["t1"], notice(1500))
	s.Send(tui.StoreChangedMsg{})
	for !s.Has("notice 1500") {
		s.Press("pgdown")
		wantInOrder(t, s)
	}
}

func TestAnEntryThatWentAndChangedIsDrawnAnew(t *testing.T) {
	f := world()
	notices(f, 1500)
	s := inTranscript(t, f)
	s.Want("notice 1490")
	s.Press("g")
	f.entries["t1"][1490].Text += " changed"
	s.Send(tui.StoreChangedMsg{})
	s.Press("G")
	s.Want("notice 1490 changed")
}
