package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aside/session"
	"aside/session/client"
	"aside/session/threads"
	"aside/session/transcript"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come.
const patience = time.Minute

// world is a backend in memory, the person's keyboard and what was said.
type world struct {
	t      *testing.T
	typed  chan string
	events chan threads.Event
	ended  chan error
	talk   *Conversation

	mu       sync.Mutex
	said     strings.Builder
	more     chan struct{} // closed and made anew when something was said
	calls    []string
	threads  []session.Thread
	offers   []session.Proposal
	entries  []transcript.Entry
	revision int64
	command  func() // runs inside Command
	question *threads.Question
	bell     bool
}

func newWorld(t *testing.T) *world {
	return &world{
		t: t, typed: make(chan string), events: make(chan threads.Event), ended: make(chan error, 1), more: make(chan struct{}),
		threads: []session.Thread{
			{ID: "taaa", Title: "Fix the parser", Agent: "claude", State: session.StateWorking, Live: true},
			{ID: "tbbb", Title: "Cover the loader", Agent: "claude", State: session.StateIdle, Live: true},
		},
		offers: []session.Proposal{{
			ID: "paaa", Thread: "taaa", Title: "Report bad input", State: session.ProposalStanding,
			Summary: "It swallows\nbad input.", Prompt: "Return the line.",
		}},
	}
}

// open begins the conversation; it is ended with the test.
func (w *world) open() *world {
	w.t.Helper()
	w.talk = New(w, w)
	w.talk.Bell = w.bell
	go func() {
		w.ended <- w.talk.Run(w.t.Context(), Options{Backend: w, Project: "/src/app", Command: func(_ context.Context, args []string) error {
			w.did("command %q", args)
			if w.command != nil {
				w.command()
			}
			return nil
		}})
	}()
	w.t.Cleanup(func() {
		close(w.typed)
		if err := <-w.ended; err != nil {
			w.t.Error(err)
		}
	})
	w.hears("/quit leaves.")
	return w
}

// ReadLine implements Lines.
func (w *world) ReadLine(ctx context.Context) (string, error) {
	select {
	case s, ok := <-w.typed:
		if !ok {
			return "", io.EOF
		}
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.more)
	w.more = make(chan struct{})
	return w.said.Write(p)
}

// hears waits until something is said, and returns all that was until then.
func (w *world) hears(texts ...string) string {
	w.t.Helper()
	late := time.After(patience)
	for _, text := range texts {
		for {
			w.mu.Lock()
			said, more := w.said.String(), w.more
			w.mu.Unlock()
			if strings.Contains(said, text) {
				break
			}
			select {
			case <-more:
			case <-late:
				w.t.Fatalf("%q was not said:\n%s", text, said)
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.String()
}

// types types lines, and waits until each was taken.
func (w *world) types(lines ...string) {
	w.t.Helper()
	for _, l := range lines {
		select {
		case w.typed <- l:
		case <-time.After(patience):
			w.t.Fatalf("nobody reads %q", l)
		}
	}
}

// does types lines and waits for the calls that follow.
func (w *world) does(line string, want ...string) {
	w.t.Helper()
	w.types(line, "") // the empty line is read when the first was done
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.calls, want) {
		w.t.Errorf("%q: calls are %q, want %q; said:\n%s", line, w.calls, want, w.said.String())
	}
	w.calls = nil
}

func (w *world) happens(e threads.Event) {
	w.t.Helper()
	select {
	case w.events <- e:
	case <-time.After(patience):
		w.t.Fatal("nobody listens")
	}
}

func (w *world) did(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, fmt.Sprintf(format, args...))
}

func (w *world) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *world) Threads(context.Context) ([]session.Thread, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.threads), nil
}

func (w *world) Entries(_ context.Context, id session.ThreadID, _ int64, limit int) ([]transcript.Entry, error) {
	w.did("entries %s %d", id, limit)
	return slices.Clone(w.entries), nil
}

func (w *world) EntriesSince(_ context.Context, id session.ThreadID, revision int64, _ int) ([]transcript.Entry, int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []transcript.Entry
	for _, e := range w.entries {
		if e.Thread == id && w.revision > revision {
			out = append(out, e)
		}
	}
	return out, w.revision, nil
}

func (w *world) Revision(context.Context) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.revision, nil
}

func (w *world) Proposals(_ context.Context, _ string, all bool) ([]session.Proposal, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.offers), func(p session.Proposal) bool { return !all && p.State != session.ProposalStanding }), nil
}

func (w *world) Outlook(context.Context, session.ProposalID) (threads.Outlook, error) {
	return threads.Outlook{Text: "own checkout from main"}, nil
}

func (w *world) Start(_ context.Context, id session.ProposalID, _ threads.StartOptions) (session.ThreadID, error) {
	w.did("start %s", id)
	return "tccc", nil
}

func (w *world) Dismiss(_ context.Context, id session.ProposalID) error {
	w.did("dismiss %s", id)
	return nil
}

func (w *world) Restore(_ context.Context, id session.ProposalID) error {
	w.did("restore %s", id)
	return nil
}

func (w *world) Create(ctx context.Context, n threads.NewThread) (session.ThreadID, error) {
	if w.question != nil {
		yes, asked := w.talk.Ask(ctx, *w.question)
		w.did("asked %v %v", yes, asked)
	}
	w.did("create %q", n.Prompt)
	w.set(func() {
		w.threads = append(w.threads, session.Thread{ID: "tnew", Title: "New work", Agent: "demo", Live: true})
	})
	return "tnew", nil
}

func (w *world) Send(_ context.Context, id session.ThreadID, prompt string) (client.Delivery, error) {
	w.did("send %s %q", id, prompt)
	return client.Delivery{Confirmed: true}, nil
}

func (w *world) Answer(_ context.Context, id session.ThreadID, a session.Answer) (session.Receipt, error) {
	said := fmt.Sprintf("%q", a.Note)
	for _, r := range a.Replies {
		said += fmt.Sprintf(" %s=%q", r.Option, r.Note)
	}
	w.did("answer %s %s %s %s", id, a.Decision, a.Option, said)
	if a.Option == "approve" {
		return session.Receipt{}, &session.Error{Message: "the agent is gone", Hint: "resume it"}
	}
	return session.Receipt{Outcome: session.OutcomeAnswered}, nil
}

func (w *world) Confirm(_ context.Context, id session.ThreadID, c session.Confirmation) (session.CardReceipt, error) {
	w.did("confirm %s %+v", id, c)
	return session.CardReceipt{Outcome: session.OutcomeAnswered}, nil
}

func (w *world) CancelCard(_ context.Context, id session.ThreadID, card session.CardID) (session.CardReceipt, error) {
	w.did("cancel %s %s", id, card)
	return session.CardReceipt{Outcome: session.OutcomeDuplicate}, nil
}

func (w *world) Events() <-chan threads.Event { return w.events }

func asksFor(id session.DecisionID) threads.Event {
	return threads.Event{Thread: "tbbb", Down: client.Down{Decision: &session.Decision{
		ID: id, Thread: "tbbb", Agent: "claude", Kind: session.KindPermission, Tool: "Bash", Title: "make " + string(id), Detail: "make " + string(id), Answerable: true,
		Options: []session.Option{{ID: "once", Label: "once"}, {ID: "approve", Label: "approve it"}, {ID: "deny", Label: "deny", Note: true}},
	}}}
}

func TestEverythingIsSaidInWordsAndLines(t *testing.T) {
	w := newWorld(t)
	w.threads[0].Title = "Fix \x1b[2Jthe \u202eparser"
	w.open()
	w.happens(asksFor("daaa"))
	w.set(func() {
		w.offers = append(w.offers, session.Proposal{ID: "pbbb", Thread: "tbbb", Title: "Second", Summary: "More\x1b]0;x\x07.", State: session.ProposalStanding})
		w.entries = append(w.entries, transcript.Entry{ID: 1, Thread: "taaa", Kind: transcript.KindAssistant, Text: "I look.\x1b[31m"})
		w.revision++
	})
	w.happens(threads.Event{Store: true})
	said := w.hears("Claude: I look.", "5: offer Second.", "/4 deny, and if you like a note after it")
	if strings.ContainsFunc(said, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' || r >= '─' && r <= '➿' }) {
		t.Errorf("there is more than words:\n%q", said)
	}
	for _, want := range []string{
		"2: thread Cover the loader. Idle, agent claude.\n", "3: offer Report bad input. Stands. Offered by thread 1, ",
		"4: permission asked by claude, Bash: make daaa, in thread 2, Cover the loader.\n/4 once.\n/4 approve: approve it.\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not said:\n%s", want, said)
		}
	}
}

func TestANumberStaysItsOwn(t *testing.T) {
	w := newWorld(t).open()
	w.happens(asksFor("daaa"))
	w.hears("4: permission")
	w.happens(asksFor("dbbb"))
	w.happens(asksFor("daaa")) // its helper was reached anew
	w.hears("5: permission")
	w.does("/4 once", `answer tbbb daaa once ""`)
	w.happens(threads.Event{Thread: "tbbb", Down: client.Down{Gone: &client.Gone{Decision: "daaa", Answered: "once"}}})
	w.hears("4 is settled: answered, once.")
	w.does("/4 deny")
	w.hears("4 is settled already")
	w.does("/5 deny it is not yours", `answer tbbb dbbb deny "it is not yours"`)
	w.does("/5 once but a note")
	w.hears("takes no note")
	w.does("/5 yes")
	w.hears(`5 has no answer "yes"`)
	w.does("/5 approve", `answer tbbb dbbb approve ""`)
	w.hears("That failed: the agent is gone.", "Hint: resume it.")
	w.does("/6 once")
	w.hears("nothing has the number 6")
	if said := w.hears(); strings.Contains(said, "6: ") {
		t.Errorf("a decision was said twice:\n%s", said)
	}
}

func asksSeveral(id session.DecisionID) threads.Event {
	other := session.Option{ID: session.OptionOther, Label: "other", Note: true}
	return threads.Event{Thread: "tbbb", Down: client.Down{Decision: &session.Decision{
		ID: id, Thread: "tbbb", Agent: "claude", Kind: session.KindQuestion, Tool: "AskUserQuestion", Title: "2 questions", Answerable: true,
		Detail:  "Question 1: Which colour?\n1  Red\n2  Blue\n\nQuestion 2: Which toppings?\n1  Cheese\n2  Ham",
		Options: []session.Option{{ID: session.OptionAnswers, Label: "answer all", Note: true}, {ID: "deny", Label: "decline", Note: true}},
		Questions: []session.Question{
			{Title: "Which colour?", Detail: "Which colour?\n1  Red\n2  Blue", Options: []session.Option{{ID: "choice1", Label: "Red"}, {ID: "choice2", Label: "Blue"}, other}},
			{Title: "Which toppings?", Detail: "Which toppings?\n1  Cheese\n2  Ham", Options: []session.Option{
				{ID: "choice1", Label: "Cheese"}, {ID: "choice2", Label: "Ham"}, {ID: session.OptionSeveral, Label: "several", Note: true}, other,
			}},
		},
	}}}
}

func TestSeveralQuestionsAreAskedOneAfterAnother(t *testing.T) {
	w := newWorld(t).open()
	w.happens(asksSeveral("daaa"))
	said := w.hears("4: question: 2 questions, in thread 2, Cover the loader.\nQuestion 1 of 2: Which colour?\n1  Red\n2  Blue\n/4 choice1: Red.\n", "/4 other TEXT.\n", "/4 deny, and if you like")
	if strings.Contains(said, "toppings") || strings.Contains(said, "/4 back") {
		t.Errorf("more is asked than the first question:\n%s", said)
	}
	w.does("/4 back")
	w.hears("this is the first question")
	w.does("/4 other as you like; it is late")
	w.hears("Question 2 of 2: Which toppings?\n1  Cheese\n2  Ham\n/4 back goes back to the question before.\n/4 choice1: Cheese.\n", "/4 several TEXT.\n")
	w.does("/4 send")
	w.hears("not every question has its answer")
	w.does("/4 several 1,3")
	w.hears("the note names no choices")
	w.does("/4 several 1,2")
	w.hears("Your answers:\n1: Which colour? Answer: as you like; it is late.\n2: Which toppings? Answer: Cheese, Ham.\n/4 send sends them; until then nothing is sent.\n/4 back ")
	w.does("/4 choice1")
	w.hears(`4 has no answer "choice1"`)
	w.does("/4 back")
	w.hears("Your answer so far: Cheese, Ham. /4 keep keeps it.")
	w.does("/4 back")
	w.does("/4 keep")
	w.does("/4 back")
	w.does("/4 choice2")
	w.hears("2: Which toppings? Answer: Ham.")
	w.does("/4")
	w.hears("Question 2: Which toppings?\n1  Cheese\n2  Ham\nYour answers:")
	w.does("/4 send", `answer tbbb daaa answers "" other="as you like; it is late" choice2=""`)
	w.happens(threads.Event{Thread: "tbbb", Down: client.Down{Gone: &client.Gone{Decision: "daaa", Answered: "answer all"}}})
	w.hears("4 is settled: answered, answer all.")
	w.does("/4 back")
	w.hears("4 is settled already")
	w.happens(asksSeveral("dbbb"))
	w.hears("5: question: 2 questions")
	w.does("/5 keep")
	w.hears("this question has no answer yet")
	w.does("/5 deny let us talk", `answer tbbb dbbb deny "let us talk"`)
	w.does("/5 answers 1; 2", `answer tbbb dbbb answers "1; 2"`)
}

func TestAThreadIsSaidBeforeWhatItAsks(t *testing.T) {
	w := newWorld(t)
	second := w.threads[1]
	w.threads = w.threads[:1]
	w.open()
	w.set(func() { w.threads = append(w.threads, second) })
	w.happens(asksFor("daaa"))
	w.hears("New: 3: thread Cover the loader.", "4: permission asked by claude, Bash: make daaa, in thread 3, Cover the loader.")
}

func TestPromptsGoToTheCurrentThread(t *testing.T) {
	w := newWorld(t).open()
	w.hears("What you write goes to the agent of thread 1, Fix the parser.")
	w.does("go on", `send taaa "go on"`)
	w.does("/2 and you too", `send tbbb "and you too"`)
	w.does("//compact", `send taaa "/compact"`)
	w.does("/2")
	w.does("now you", `send tbbb "now you"`)
	w.does("/new  another", `create "another"`)
	w.hears("New: 4: thread New work.", "agent of thread 4, New work now")
	w.does("hello", `send tnew "hello"`)
	w.does("/new")
	w.hears("there is nothing to do in it")
}

func TestTheOneThatNeedsYouComesFirst(t *testing.T) {
	w := newWorld(t)
	w.threads[1].NeedsYou = true
	w.open().does("hello", `send tbbb "hello"`)
}

func TestAFirstPromptStartsAThread(t *testing.T) {
	w := newWorld(t)
	w.threads, w.offers = nil, nil
	w.question = &threads.Question{Title: "Fix it", Lines: []string{"It would run in /src/app itself."}, Yes: "start it there", No: "keep it"}
	w.open()
	w.hears("No threads, no offers.", "an agent starts on it")
	w.types("fix it")
	w.hears("It would run in /src/app itself.\nType yes: start it there. Anything else: keep it.")
	w.does("YES", "asked true true", `create "fix it"`)
}

func TestOffersAreAnswered(t *testing.T) {
	w := newWorld(t).open()
	w.does("/3")
	w.hears("It swallows\nbad input.\nThe prompt it would start with:\nReturn the line.\n/3 start starts it")
	w.does("/3 start", "start paaa")
	w.hears("Starting: own checkout from main.")
	w.set(func() { w.offers[0].State = session.ProposalStarted })
	w.happens(threads.Event{Store: true})
	w.hears("3: offer Report bad input. Started.")
	w.does("/3 no", "dismiss paaa")
	w.does("/3 back", "restore paaa")
	w.does("/3 maybe")
	w.hears("an offer takes start, no or back")
	w.does("/offers")
	w.hears("No offers.")
}

func TestTheTranscriptIsSaidAsItGrows(t *testing.T) {
	w := newWorld(t).open()
	w.does("go on", `send taaa "go on"`)
	w.set(func() {
		w.revision++
		w.entries = []transcript.Entry{
			{ID: 1, Thread: "taaa", Kind: transcript.KindPrompt, Text: "go on"},
			{ID: 2, Thread: "taaa", Kind: transcript.KindTool, Tool: "Bash", Input: "make"},
			{ID: 3, Thread: "tbbb", Kind: transcript.KindAssistant, Text: "not here"},
		}
	})
	w.happens(threads.Event{Store: true})
	w.hears("Tool Bash: make\n")
	w.set(func() {
		w.revision++
		w.entries[1].Failed = true
		w.entries = append(w.entries, transcript.Entry{ID: 4, Thread: "taaa", Kind: transcript.KindAssistant, Text: "One.\nTwo."})
	})
	w.happens(threads.Event{Store: true})
	said := w.hears("Tool Bash failed: make\nClaude:\nOne.\nTwo.\n")
	if strings.Contains(said, "go on") || strings.Contains(said, "not here") || strings.Count(said, "Tool Bash: make") != 1 {
		t.Errorf("something was said that the person knows, or does not follow:\n%s", said)
	}
	w.does("/read 2 5", "entries tbbb 5")
	w.hears("You: go on", "That was all.")
}

func TestStatesAreSaidOnce(t *testing.T) {
	w := newWorld(t).open()
	is := func(id session.ThreadID, s session.State) {
		w.happens(threads.Event{Thread: id, Down: client.Down{Status: &session.Status{State: s}}})
	}
	is("taaa", session.StateWorking)
	is("tbbb", session.StateWorking)
	is("tbbb", session.StateNeedsYou)
	is("tbbb", session.StateNeedsYou)
	is("taaa", session.StateIdle)
	said := w.hears("Thread 1, Fix the parser: idle.")
	if strings.Count(said, "needs you.") != 1 || strings.Contains(said, "working.\n") {
		t.Errorf("said:\n%s", said)
	}
	w.set(func() {
		w.threads[0].Live, w.threads[0].State, w.threads[0].Problem = false, session.StateExited, "its helper ended"
	})
	w.happens(threads.Event{Store: true})
	w.hears("Thread 1, Fix the parser: exited.", "Problem: its helper ended.")
}

func TestAnotherCommandHasTheTerminalToItself(t *testing.T) {
	w := newWorld(t)
	w.command = func() {
		w.happens(asksFor("daaa"))
		w.happens(asksFor("dbbb"))
		if said := w.hears(); strings.Contains(said, "4: ") {
			t.Errorf("it was interrupted:\n%s", said)
		}
	}
	w.open()
	w.does("/diff", `command ["diff" "taaa"]`)
	w.hears("4: permission", "5: permission")
	w.command = nil
	w.does("/stop 2", `command ["stop" "tbbb"]`)
	w.does("/search word", `command ["search" "word"]`)
	w.does("/dismiss 3", `command ["dismiss" "paaa"]`)
	w.does("/transcript --markdown", `command ["transcript" "taaa" "--markdown"]`)
}

func TestProposedCommandsReachTheTerminalThatWasNamed(t *testing.T) {
	w := newWorld(t).open()
	card := session.ActionCard{
		ID: "caaa", Thread: "taaa", State: session.CardPending, Target: "s1",
		Choices: []session.ActionChoice{{Title: "Test", Actions: []session.TerminalAction{{Type: session.ActionRun, Command: "make test"}}}},
	}
	tell := func() { c := card; w.happens(threads.Event{Thread: "taaa", Down: client.Down{Card: &c}}) }
	tell()
	w.hears("4: commands proposed", "in s1: make test", "/4 run and a choice's number does it")
	card.Target = "s2"
	tell()
	w.hears("in s2: make test")
	w.does("/4 run 1", "confirm taaa {Card:caaa Choice:1 Insert:false Target:s2 Bound:true}")
	w.does("/4 insert 1", "confirm taaa {Card:caaa Choice:1 Insert:true Target:s2 Bound:true}")
	w.does("/4 run 2")
	w.does("/4 run")
	w.hears("it takes run, insert or cancel")
	w.does("/4 cancel", "cancel taaa caaa")
	w.hears("4 was not done: duplicate.")
	card.State, card.Reason = session.CardTimedOut, "nobody answered"
	tell()
	w.hears("4 is settled: timed out, nobody answered.")
	w.does("/4 run 1")
}

func TestWhatWaitsRingsTheBellWhereThatIsWanted(t *testing.T) {
	for _, bell := range []bool{true, false} {
		w := newWorld(t)
		w.bell = bell
		w.open()
		w.happens(asksFor("daaa"))
		if said := w.hears("4: permission"); strings.Contains(said, "\a4: permission") != bell || strings.Count(said, "\a") > 1 {
			t.Errorf("with bell %v, it said %q", bell, said)
		}
	}
}

func TestLeaving(t *testing.T) {
	w := newWorld(t)
	w.typed = make(chan string, 1)
	w.talk = New(w, w)
	w.typed <- "/quit"
	if err := w.talk.Run(t.Context(), Options{Backend: w, Project: "/src/app"}); err != nil {
		t.Fatal(err)
	}
	w.hears("Leaving. The agents go on.")
	if errors.Is(w.talk.heard(t.Context(), "/help"), errLeave) {
		t.Error("help leaves")
	}
}
