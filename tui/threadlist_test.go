package tui_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
	"aside/tui"
	"aside/tui/tuitest"
	"aside/worktree"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Threads are of the screen's project unless they say otherwise.
func (f *fake) Threads(context.Context, session.ThreadID) ([]session.Thread, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Clone(f.threads)
	for i := range all {
		all[i].Project = cmp.Or(all[i].Project, f.Project())
	}
	return all, f.fails["threads"]
}

func (f *fake) Remembered(context.Context) (session.Remembered, error) {
	return f.left, f.fails["remembered"]
}

func (f *fake) RememberScreen(_ context.Context, id session.ThreadID, hidden bool) error {
	f.mu.Lock()
	f.left.Thread, f.left.ListHidden = id, hidden
	f.mu.Unlock()
	return nil
}

func (f *fake) RememberView(_ context.Context, id session.ThreadID, view string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left.Views == nil {
		f.left.Views = map[session.ThreadID]string{}
	}
	f.left.Views[id] = view
	return nil
}

func (f *fake) Archive(_ context.Context, id session.ThreadID, archived bool) error {
	if err := f.did("archive %s %v", id, archived); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.threads {
		if f.threads[i].ID == id {
			f.threads[i].Archived = archived
		}
	}
	return nil
}

// several is a person's day: threads in three projects, in all states, some of
// them archived.
func several() *fake {
	f := world()
	f.first, f.tally = "", worktree.Tally{Files: 2, Added: 12, Deleted: 3}
	at := func(ago time.Duration) time.Time { return noon.Add(-ago) }
	branch := func(name string) session.Checkout {
		return session.Checkout{Mode: session.CheckoutWorktree, Path: "/w/" + name, Branch: "aside/" + name}
	}
	f.threads[0].CreatedAt, f.threads[0].StateAt = at(2*time.Hour), at(3*time.Minute)
	f.threads[1].CreatedAt, f.threads[1].StateAt, f.threads[1].Checkout = at(time.Hour), at(12*time.Minute), branch("cover-loader-abc123")
	f.threads[2].CreatedAt, f.threads[2].StateAt = at(72*time.Hour), at(50*time.Hour)
	f.threads = append(f.threads,
		session.Thread{
			ID: "t4", Title: "Trim the parser's tables", Agent: "claude", State: session.StateExited,
			CreatedAt: at(30 * time.Hour), StateAt: at(26 * time.Hour), Checkout: branch("trim-parser-def456"),
		},
		session.Thread{
			ID: "t5", Title: "An old idea", Agent: "claude", State: session.StateDone, Archived: true, CreatedAt: at(900 * time.Hour),
		},
		session.Thread{
			ID: "o1", Title: "Ship the site", Project: "/home/ada/web/site", Agent: "claude", State: session.StateNeedsYou, NeedsYou: true, Live: true,
			CreatedAt: at(5 * time.Hour), StateAt: at(40 * time.Minute), Checkout: branch("ship-site-fff000"),
		},
		session.Thread{
			ID: "o2", Title: "Speed the tests up", Project: "/home/ada/lib/app", Agent: "claude", State: session.StateWorking, Live: true,
			CreatedAt: at(time.Hour), StateAt: at(time.Minute), Checkout: session.Checkout{Mode: session.CheckoutShared, Branch: "main"},
		})
	return f
}

// listed are the titles in the list of threads, from the top, with the lines
// that are headings or notes.
func listed(s *tuitest.Screen) []string {
	var out []string
	for _, l := range s.Lines() {
		side, _, _ := strings.Cut(l, "│")
		if side = strings.TrimLeft(side, " ▌"); strings.TrimSpace(side) != "" {
			out = append(out, strings.TrimSpace(side))
		}
	}
	return out[:len(out)-1] // the foot
}

// order says that texts are in the list of threads, one below the other.
func order(t *testing.T, s *tuitest.Screen, texts ...string) {
	t.Helper()
	rows := listed(s)
	at := 0
	for _, text := range texts {
		i := slices.IndexFunc(rows[at:], func(r string) bool { return strings.Contains(r, text) })
		if i < 0 {
			t.Fatalf("%q is not in its place in the list:\n%s", text, strings.Join(rows, "\n"))
		}
		at += i + 1
	}
}

func TestListIsInTheOrderOfWhatNeedsThePerson(t *testing.T) {
	s, _ := start(t, several(), 200, 50)
	order(t, s, "src/app                    ! 2", "Cover loader", "cover-loader-abc123   +12 −3", "Fix the parser", "Trim", "Migrate store",
		"lib/app", "Speed the tests up", "site", "! Ship the site")
	s.WantNot("An old idea")
	s.Want("12m", "3m", "1d", "2d")
}

func TestScreenOpensOnWhatNeedsThePersonElseWhereItWasLeft(t *testing.T) {
	f := several()
	f.left.Thread = "t4"
	s, _ := start(t, f, 120, 40)
	s.Want("▌◐ ! Cover loader")
	f.threads[1].NeedsYou, f.threads[1].State = false, session.StateIdle
	f.left.Thread = "t4" // that one has been shown since
	s, _ = start(t, f, 120, 40)
	s.Want("▌· Trim")
	f.left.Thread = "t5" // archived meanwhile
	s, _ = start(t, f, 120, 40)
	s.Want("▌○ Cover loader")
}

func TestScreenIsRememberedAsItWasLeft(t *testing.T) {
	f := several()
	f.threads[1].NeedsYou, f.threads[1].State = false, session.StateIdle
	s, _ := start(t, f, 200, 50)
	s.ClickOn("Migrate store")
	s.Press("ctrl+space", "v", "ctrl+space", "v")
	s.Want("Write to the agent")
	s.WantNot("no agent runs here")
	s.Press("ctrl+space", "b")
	s, _ = start(t, f, 200, 50)
	s.WantNot("ctrl+space: keys", "no agent runs here")
	s.Want("Migrate store  ", "Write to the agent")
	s.Press("ctrl+space", "t")
	s, _ = start(t, f, 200, 50)
	s.Want("ctrl+space: keys")
	// What is pressed before it is read goes first.
	f.first, f.left.Views["t3"] = "t3", "terminal"
	m := tui.New(tui.Options{Backend: f, Context: t.Context(), Thread: "t3", Theme: tui.ThemeDark, Tick: (&clock{}).Tick})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	read := m.Init()
	for _, k := range []string{"ctrl+space", "c", "x"} {
		m.Update(tea.KeyPressMsg(tuitest.Key(k)))
	}
	for _, msg := range results(read) {
		m.Update(msg)
	}
	if view := ansi.Strip(m.View().Content); !strings.Contains(view, "› x") {
		t.Errorf("what was written is not shown:\n%s", view)
	}
	f.first, f.left.Views["t3"] = "", "a view of tomorrow"
	s, _ = start(t, f, 200, 50)
	s.Want("no agent runs here", "Write to the agent")
}

// While a person moves in the list, no row moves under the key that they press.
func TestListKeepsItsOrderWhileItHasTheFocus(t *testing.T) {
	f := several()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "t", "j", "j")
	before := listed(s)
	s.Send(tui.StatusMsg{Thread: "t3", Status: session.Status{State: session.StateNeedsYou, At: noon}})
	f.threads[3].Live, f.threads[3].State = true, session.StateWorking
	f.threads = append(f.threads, session.Thread{ID: "t9", Title: "Brand new", State: session.StateWorking, Live: true, CreatedAt: noon})
	s.Send(tui.StoreChangedMsg{})
	order(t, s, "Cover loader", "Fix the parser", "Trim", "Migrate store", "Brand new", "Speed")
	for i := range 4 {
		if after := listed(s); before[i][:4] != after[i][:4] && i != 3 {
			t.Errorf("row %d was %q and is %q", i, before[i], after[i])
		}
	}
	s.Press("r")
	s.Want("title › Trim the parser's tables")
	s.Press("esc", "esc")
	order(t, s, "Cover loader", "Brand new", "Fix the parser", "Trim", "Migrate store")
}

// A key that was meant for a thread which has gone meanwhile does nothing.
func TestKeyForAThreadThatHasGoneActsOnNoOther(t *testing.T) {
	for how, goes := range map[string]func(*fake){
		"deleted":  func(f *fake) { f.threads = slices.Delete(f.threads, 3, 4) },
		"archived": func(f *fake) { f.threads[3].Archived = true },
	} {
		f := several()
		s, _ := start(t, f, 120, 40)
		s.Press("ctrl+space", "t", "j", "j")
		f.took()
		goes(f)
		s.Send(tui.StoreChangedMsg{})
		s.WantNot("Trim")
		s.Press("x", "A", "s", "enter")
		if calls := f.tookOf("rem", "archive"); len(calls) > 0 {
			t.Errorf("%s: the key did %q", how, calls)
		}
		s.WantNot("Remove “", "Stop “")
		s.Press("j", "r")
		s.Want("title › Migrate store")
	}
}

func TestTheRowBelowIsChosenWhenItsThreadIsRemoved(t *testing.T) {
	f := several()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "t", "j", "j", "x")
	f.threads = slices.Delete(f.threads, 3, 4)
	s.Press("y", "r")
	s.Want("title › Migrate store")
}

func TestArchivedThreadsLeaveTheListAndComeBack(t *testing.T) {
	f := several()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "t", "j", "j", "A")
	if got := did(f, "archive"); !slices.Equal(got, []string{"archive t4 true"}) {
		t.Fatalf("calls = %q", got)
	}
	s.WantNot("· Trim")
	s.Want("“Trim the parser's tables” is archived")
	s.Press("r")
	s.Want("title › Migrate store") // the one below has been chosen
	s.Press("esc", ".")
	order(t, s, "Migrate store", "archived", "Trim", "An old idea", "lib/app")
	s.Press("j", "A")
	s.Want("“Trim the parser's tables” is back in the list")
	order(t, s, "Trim", "Migrate store", "archived", "An old idea")
	s.Press(".")
	s.WantNot("An old idea", "archived ")
	order(t, s, "Trim", "Speed")

	f.fails["archive"] = &session.Error{Code: session.CodeSettled, Message: "its agent is running", Hint: "stop it first"}
	s.Press("g", "A")
	s.Want("! its agent is running · stop it first", "Cover loader")
}

func TestTheThreadShownIsArchived(t *testing.T) {
	f := several()
	s, _ := start(t, f, 120, 40)
	s.ClickOn("Trim")
	s.Want("claude · aside/trim")
	s.Press("ctrl+space", "A")
	s.WantNot("· Trim")
	s.Want("▌✓ Migrate store", "· done")
}

func TestTheOnlyThreadIsArchived(t *testing.T) {
	f := several()
	f.threads = f.threads[2:3]
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "A")
	s.WantNot("✓ Migrate store")
	s.Want("No threads here yet")
	s.Type("Begin")
	s.Press("enter")
	s.Want("▌◌ Begin")
}

func TestArchivedThreadIsFoundAndShown(t *testing.T) {
	f := several()
	f.entries["t5"] = []transcript.Entry{{ID: 50, Thread: "t5", Kind: transcript.KindAssistant, Text: "A cuckoo clock."}}
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "/")
	s.Type("cuckoo")
	s.Press("enter")
	s.Want("A cuckoo clock.", "archived · claude")
	order(t, s, "archived", "An old idea")
	s.Press("ctrl+space", "k")
	s.WantNot("An old idea")
}

func TestListIsFilteredByWords(t *testing.T) {
	f := several()
	s, _ := start(t, f, 120, 40)
	s.Press("ctrl+space", "t", "/")
	for words, want := range map[string][]string{
		"parser":      {"Fix the parser", "Trim"},
		"Needs YOU":   {"Cover loader", "Ship the site"},
		"def456":      {"Trim"},
		"site":        {"Ship the site"},
		"codex":       {"Migrate store"},
		"fix nothing": nil,
	} {
		s.Type(words)
		s.Want("› " + words)
		all := listed(s)
		for _, title := range []string{"Cover loader", "Fix the pars", "Trim", "Migrate store", "Ship the site", "Speed the tests"} {
			shown := slices.ContainsFunc(all, func(r string) bool { return strings.Contains(r, title) })
			if wanted := slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, title) }); shown != wanted {
				t.Errorf("%q: %q shown %v, want %v", words, title, shown, wanted)
			}
		}
		for range words {
			s.Press("backspace")
		}
	}
	s.Type("parser")
	s.Press("enter", "j", "enter")
	s.Want("▌· Trim", "Cover loader") // opened, and the list is whole again
	s.Press("ctrl+space", "t", "/")
	s.Type("codex")
	s.Press("down")
	s.WantNot("Cover loader ")
	s.Press("esc")
	s.Want("Cover loader")
	s.Press("q")
	if !s.Closed {
		t.Error("the list has lost the focus with its filter")
	}
}

// What needs the person in another project is seen, and can be gone to; new
// threads, offers and searches stay those of the project that was opened.
func TestThreadsOfOtherProjectsAreSeenAndOpened(t *testing.T) {
	f := several()
	f.threads[1].NeedsYou, f.threads[1].State = false, session.StateIdle
	s, _ := start(t, f, 120, 40)
	s.Want("! 1")
	s.Press("ctrl+space", "a")
	s.Want("▌◐ ! Ship the site", "in site · claude")
	s.Press("ctrl+space", "n")
	s.Want("New thread in ~/src/app")
	s.Press("esc")
	// It stays while it is shown, though nothing about it asks for that.
	f.threads[5].Live, f.threads[5].NeedsYou, f.threads[5].State = false, false, session.StateDone
	s.Send(tui.StoreChangedMsg{})
	s.Want("▌✓ Ship the site", "in site · claude", "· done")

	s.Send(tui.DecisionMsg{Decision: session.Decision{ID: "d7", Thread: "o2", Kind: session.KindPermission, Title: "Bash wants to run", Answerable: true}})
	s.Want("! 1")
	x, y, ok := s.Find("! 1")
	if !ok {
		t.Fatal("what waits is not counted")
	}
	s.Click(x, y)
	s.Want("▌◐ ! Speed", "in lib/app", "Bash wants to run")
}

// Offers of another project's thread are answered where they were made, and
// are none of the project's own.
func TestOffersOfOtherProjectsAreAnsweredInTheirThreads(t *testing.T) {
	f := several()
	p := session.Proposal{ID: "p9", Thread: "o1", Title: "Shrink the pictures", Summary: "They are large.", Prompt: "Shrink them.", State: session.ProposalStanding, OfferedAt: noon}
	f.proposals = append(f.proposals, p)
	f.entries["o1"] = []transcript.Entry{{ID: 90, Thread: "o1", Kind: transcript.KindProposal, Proposal: &p}}
	s, _ := start(t, f, 200, 50)
	s.Want("◆ 1 offer", "Ship the site       ◆1 40m")
	s.Press("ctrl+space", "o")
	s.WantNot("Shrink the pictures")
	s.ClickOn("Ship the site")
	s.Press("ctrl+space", "h", "tab", "s")
	if got := did(f, "start"); !slices.Equal(got, []string{"start p9 shared=false"}) {
		t.Errorf("calls = %q", got)
	}
}

func TestAProjectWithoutThreadsShowsWhatNeedsThePersonElsewhere(t *testing.T) {
	f := several()
	f.threads = f.threads[5:]
	s, _ := start(t, f, 120, 40)
	s.Want("No threads here yet", "! Ship the site")
	s.Press("esc", "j", "enter")
	s.Want("in site · claude")
	s.Press("ctrl+space", "n")
	s.Type("Begin")
	s.Press("enter")
	s.Want("▌◌ Begin")
}

func TestAgesGoOnAndNothingElseTicks(t *testing.T) {
	f := several()
	f.threads = []session.Thread{
		{ID: "t1", Title: "Young", State: session.StateIdle, Live: true, CreatedAt: noon.Add(-150 * time.Second)},
		{ID: "t2", Title: "Older", State: session.StateDone, CreatedAt: noon.Add(-90 * time.Minute)},
	}
	s, c := start(t, f, 120, 40)
	s.Want("2m", "1h")
	if !slices.Equal(c.ticks, []time.Duration{30 * time.Second}) {
		t.Fatalf("ticks = %v", c.ticks)
	}
	c.now = noon.Add(30 * time.Second)
	s.Send(c.fire[0](c.now))
	s.Want("3m", "1h")
	if !slices.Equal(c.ticks[1:], []time.Duration{time.Minute}) {
		t.Fatalf("ticks = %v", c.ticks)
	}
	s.Send(tea.BlurMsg{})
	n := len(c.ticks)
	c.now = noon.Add(90 * time.Second)
	s.Send(c.fire[n-1](c.now))
	if len(c.ticks) != n {
		t.Errorf("it ticks though nobody looks: %v", c.ticks)
	}
}

func TestChangesAreCountedForWhatIsSeenOnly(t *testing.T) {
	f := several()
	for i := range 60 {
		f.threads = append(f.threads, session.Thread{
			ID: session.ThreadID(fmt.Sprint("x", i)), Title: fmt.Sprint("Task ", i), State: session.StateIdle, Live: true,
			CreatedAt: noon.Add(-time.Duration(i+200) * time.Minute), StateAt: noon.Add(-time.Hour),
			Checkout: session.Checkout{Mode: session.CheckoutWorktree, Branch: "aside/task"},
		})
	}
	s, c := start(t, f, 200, 50)
	f.mu.Lock()
	counted := len(f.counted)
	slices.Sort(f.counted)
	twice := counted - len(slices.Compact(slices.Clone(f.counted)))
	f.mu.Unlock()
	if counted == 0 || counted > 24 || twice > 1 {
		t.Fatalf("%d counts, %d of them again, for what fits on the screen", counted, twice)
	}
	// The same is not counted anew, but for the thread that is shown.
	s.Send(tui.StoreChangedMsg{})
	if n := len(f.counted) - counted; n != 1 {
		t.Errorf("%d counts more", n)
	}
	// What works is, after a while; and what comes into sight.
	c.now = c.now.Add(time.Minute)
	f.counted = nil
	s.Send(tui.StoreChangedMsg{})
	if slices.Sort(f.counted); !slices.Equal(f.counted, []session.ThreadID{"t1", "t2"}) {
		t.Errorf("counted %v", f.counted)
	}
	f.counted, f.fails["changes"] = nil, errors.New("the checkout is gone")
	for range 40 {
		s.Send(tea.MouseWheelMsg{X: 3, Y: 10, Button: tea.MouseWheelDown})
	}
	s.Want("Task 59", "Ship the site")
	if n := len(f.counted); n < 40 || n > 70 {
		t.Errorf("%d counts on the way down", n)
	}
	f.counted = nil
	s.Send(tea.MouseWheelMsg{X: 3, Y: 10, Button: tea.MouseWheelDown})
	if len(f.counted) != 0 {
		t.Errorf("what could not be counted is tried again: %v", f.counted)
	}
}

func TestListScrollsWithTheWheelAndTheChosenRow(t *testing.T) {
	f := several()
	for i := range 100 {
		f.threads = append(f.threads, session.Thread{
			ID: session.ThreadID(fmt.Sprint("x", i)), Title: fmt.Sprintf("Task %02d", i), State: session.StateDone,
			CreatedAt: noon.Add(-time.Duration(i+2000) * time.Hour),
		})
	}
	s, _ := start(t, f, 80, 24)
	s.Want("src/app +86  ! 2")
	s.WantNot("Task 40")
	for range 14 {
		s.Send(tea.MouseWheelMsg{X: 3, Y: 10, Button: tea.MouseWheelDown})
	}
	s.Want("Task 40", "Cover loader") // in the header
	s.WantNot("! Cover loader")
	s.Press("ctrl+space", "t")
	s.Want("▌◐ ! Cover")
	s.Press("G")
	s.Want("lib/app", "site")
	s.Press("pgup", "pgup", "k")
	s.Want("Task 7")
	s.Press("g")
	s.Want("▌◐ ! Cover")
	s.ClickOn("Task 05")
	s.Want("Task 05  ", "done")
}

func TestRemovalThatKeepsTheWorktreeSaysSo(t *testing.T) {
	f := world()
	f.removal, f.keeps = []string{"The checkout /w is kept: it holds 2 uncommitted files."}, true
	s, _ := start(t, f, 100, 30)
	s.Press("ctrl+space", "x")
	s.Want("2 uncommitted files", "y remove it, keep its worktree")
	s.Press("y")
	if got := did(f, "remove"); !slices.Equal(got, []string{"remove t1 keep=true"}) {
		t.Errorf("calls = %q", got)
	}
}

// A reading that began before a thread was made does not take the screen away
// from it.
func TestThreadMadeDuringAReadingStays(t *testing.T) {
	f := several()
	s, _ := start(t, f, 120, 40)
	_, read := s.Model().Update(tui.StoreChangedMsg{})
	stale := results(read)
	s.Press("ctrl+space", "n")
	s.Type("Begin")
	s.Press("enter")
	for _, msg := range stale {
		s.Send(msg)
	}
	s.Send(tui.StoreChangedMsg{})
	s.Want("▌◌ Begin")
}

// How the screen was left is stored before it closes, also when it closes at
// once.
func TestTheScreenClosesWhenHowItWasLeftIsStored(t *testing.T) {
	f := world()
	s, _ := start(t, f, 120, 30)
	s.Order = func(n int) int { return n - 1 } // what was asked for last comes first
	s.Held = true
	s.Press("ctrl+space", "b", "ctrl+space", "q")
	for !s.Closed {
		s.Turn()
	}
	if !f.left.ListHidden {
		t.Error("the list of threads comes back with the next screen")
	}
}
