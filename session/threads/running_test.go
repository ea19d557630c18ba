package threads

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/client"
	"aside/session/config"
	"aside/storage"
	"aside/worktree/git"

	"github.com/gofrs/flock"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stand is a service whose helpers are made by the test.
type stand struct {
	*Service
	t     *testing.T
	store *storage.DB
}

func newStand(t *testing.T) stand {
	t.Helper()
	dir, err := os.MkdirTemp("", "a") // short: sockets are in it
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASIDE_HOME", dir)
	paths, err := config.Locate()
	if err != nil {
		t.Fatal(err)
	}
	store, err := storage.Open(paths.Database(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = store.Close()
		_ = os.RemoveAll(dir)
	})
	if err := wire.SecureDir(paths.Runtime); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{
		Paths: paths, Config: config.Default(), Store: store, Git: git.New(paths.Worktrees(), paths.Locks()), Now: time.Now,
		Program: client.Program{Path: "/nonexistent/aside"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return stand{s, t, store}
}

func (s stand) ctx() context.Context {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.t.Context()), time.Minute)
	s.t.Cleanup(cancel)
	return ctx
}

// live records a thread that a helper hosts.
func (s stand) live(id session.ThreadID) {
	s.t.Helper()
	now := time.Now()
	if err := s.store.AddThread(s.ctx(), session.Thread{
		ID: id, Title: string(id), Agent: "generic", Project: "/p", Cwd: "/p", State: session.StateWorking,
		StateSource: session.SourceProcess, StateAt: now, CreatedAt: now, Live: true,
	}); err != nil {
		s.t.Fatal(err)
	}
}

func (s stand) lock(id session.ThreadID) *flock.Flock {
	s.t.Helper()
	l := flock.New(s.o.Paths.Lock(id))
	if ok, err := l.TryLock(); err != nil || !ok {
		s.t.Fatalf("lock: %v, %v", ok, err)
	}
	s.t.Cleanup(func() { _ = l.Close() })
	return l
}

// serve listens as a thread's helper does, and answers with the function; the
// connection is closed after it.
func (s stand) serve(id session.ThreadID, answer func(*wire.Conn, wire.Request)) *wire.Listener {
	s.t.Helper()
	l, err := wire.Listen(s.o.Paths.Socket(id))
	if err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				if r, err := c.ReadRequest(); err == nil {
					answer(c, r)
				}
			}()
		}
	}()
	s.t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l
}

func status(decisions ...session.Decision) func(*wire.Conn, wire.Request) {
	return func(c *wire.Conn, _ wire.Request) { _ = c.Answer(client.Status{Decisions: decisions}) }
}

// silent never answers; it returns when the peer is gone.
func silent(c *wire.Conn, _ wire.Request) { _ = c.AwaitEnd() }

// A helper that holds its lock and does not listen yet is about to: a stop
// that came too early must not wait for ever.
func TestStopWaitsForAHelperThatIsAboutToListen(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	lock := s.lock("aaa")
	done := make(chan error, 1)
	go func() { done <- s.Stop(s.ctx(), "aaa") }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(2 * stopInterval): // it has looked; slower machines test less
	}
	s.serve("aaa", func(c *wire.Conn, r wire.Request) {
		if r.Op == client.OpStop {
			_ = c.Answer(nil)
			_ = lock.Unlock()
		}
	})
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// The second of two stops finds the helper ending: that is what it wanted.
func TestAStopThatFindsTheHelperEndingIsDone(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	lock := s.lock("aaa")
	s.serve("aaa", func(c *wire.Conn, r wire.Request) {
		if r.Op == client.OpStop {
			_ = c.Close()
			_ = lock.Unlock()
		}
	})
	if err := s.Stop(s.ctx(), "aaa"); err != nil {
		t.Error(err)
	}
}

func TestStopEndsWithItsContext(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	s.lock("aaa")
	ctx, cancel := context.WithCancel(s.ctx())
	done := make(chan error, 1)
	go func() { done <- s.Stop(ctx, "aaa") }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A stuck helper is named, and the decisions of the others are there.
func TestAStuckHelperHidesNoDecision(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	s.live("bbb")
	s.live("ccc")
	s.serve("aaa", silent)
	s.serve("bbb", status(session.Decision{ID: "d1", Thread: "bbb", ReceivedAt: time.Unix(1, 0)}))
	s.lock("ccc") // one that is starting holds nobody yet
	var found []session.Decision
	var err error
	// The silent one is waited for in full; on a busy machine the other one may
	// need longer to answer.
	for s.patience = 200 * time.Millisecond; len(found) == 0 && s.patience < time.Minute; s.patience *= 2 {
		found, err = s.Decisions(s.ctx())
	}
	if len(found) != 1 || found[0].ID != "d1" || err == nil || !strings.Contains(err.Error(), "aaa does not answer") {
		t.Errorf("got %+v, %v", found, err)
	}
	if _, err := s.Explain(s.ctx(), "aaa"); session.CodeOf(err) != session.CodeFailed || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("explain: %v", err)
	}
}

func TestAnAnswerWithoutAHelperIsToNothing(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	r, err := s.Answer(s.ctx(), "aaa", session.Answer{Decision: "d1", Option: session.OptionOnce})
	if err != nil || r.Outcome != session.OutcomeUnknown {
		t.Errorf("got %+v, %v", r, err)
	}
	r, err = s.AnswerFor(s.ctx(), "D1", session.Answer{Option: session.OptionOnce})
	if err != nil || r.Outcome != session.OutcomeUnknown {
		t.Errorf("by its beginning: %+v, %v", r, err)
	}
	// That helper is gone, as was found out.
	if th, err := s.store.Thread(s.ctx(), "aaa"); err != nil || th.Live || th.State != session.StateFailed {
		t.Errorf("the thread is %+v, %v", th, err)
	}
}

func TestEachOfSeveralQuestionsIsAnsweredByNumberOrInWords(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	question := session.Question{Title: "Which?", Options: []session.Option{
		{ID: session.OptionChoice(1), Label: "Red"}, {ID: session.OptionChoice(2), Label: "Blue"}, {ID: session.OptionOther, Note: true},
	}}
	var got session.Answer
	s.serve("aaa", func(c *wire.Conn, r wire.Request) {
		if r.Op != client.OpAnswer {
			status(session.Decision{ID: "d1", Thread: "aaa", Questions: []session.Question{question, question}}, session.Decision{ID: "d2", Thread: "aaa"})(c, r)
			return
		}
		if err := json.Unmarshal(r.Body, &got); err != nil {
			t.Error(err)
		}
		_ = c.Answer(session.Receipt{Decision: got.Decision, Outcome: session.OutcomeAnswered, Option: got.Option})
	})
	for _, wrong := range []struct {
		prefix string
		each   []string
	}{{"d1", []string{"1"}}, {"d2", []string{"1", "2"}}} {
		if r, err := s.AnswerFor(s.ctx(), wrong.prefix, session.Answer{Option: session.OptionAnswers}, wrong.each...); session.CodeOf(err) != session.CodeUsage || got.Option != "" {
			t.Errorf("%+v: %+v, %v; sent %+v", wrong, r, err, got)
		}
	}
	_, err := s.AnswerFor(s.ctx(), "d1", session.Answer{Option: session.OptionAnswers}, "2", "green; or so")
	want := []session.Reply{{Option: "choice2"}, {Option: "other", Note: "green; or so"}}
	if err != nil || !slices.Equal(got.Replies, want) || got.Note != "" {
		t.Errorf("sent %+v, %v", got, err)
	}
}

func TestADecisionIsNamedByAnyBeginning(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	var got session.Answer
	s.serve("aaa", func(c *wire.Conn, r wire.Request) {
		if r.Op != client.OpAnswer {
			of := func(id session.DecisionID) session.Decision { return session.Decision{ID: id, Thread: "aaa"} }
			status(of("abc"), of("abcd"), of("xyz"))(c, r)
			return
		}
		if err := json.Unmarshal(r.Body, &got); err != nil {
			t.Error(err)
		}
		_ = c.Answer(session.Receipt{Decision: got.Decision, Outcome: session.OutcomeAnswered, Option: got.Option})
	})
	for prefix, want := range map[string]session.DecisionID{"x": "xyz", "abc": "abc", "ABCD": "abcd"} {
		r, err := s.AnswerFor(s.ctx(), prefix, session.Answer{Option: "once"})
		if err != nil || r.Decision != want || got.Option != "once" {
			t.Errorf("%s: %+v, %v", prefix, r, err)
		}
		if d, err := s.FindDecision(s.ctx(), prefix); err != nil || d.ID != want || d.Thread != "aaa" {
			t.Errorf("%s is %+v, %v", prefix, d, err)
		}
	}
	if d, err := s.FindDecision(s.ctx(), "q"); session.CodeOf(err) != session.CodeNotFound {
		t.Errorf("one that nobody is held on is %+v, %v", d, err)
	}
	for _, prefix := range []string{"ab", "", " "} {
		if d, err := s.FindDecision(s.ctx(), prefix); session.CodeOf(err) != session.CodeUsage {
			t.Errorf("%q is %+v, %v", prefix, d, err)
		}
		if r, err := s.AnswerFor(s.ctx(), prefix, session.Answer{Option: "once"}); session.CodeOf(err) != session.CodeUsage {
			t.Errorf("%q: %+v, %v", prefix, r, err)
		}
	}
}

// The end of what is waited for is no fault, whichever way it comes.
func TestAWaitEndsWithTheHelper(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	if _, err := s.Wait(s.ctx(), "aaa", client.WaitTurn); err != nil {
		t.Errorf("without a helper: %v", err)
	}
	asked := make(chan struct{})
	l := s.serve("aaa", func(*wire.Conn, wire.Request) { close(asked) })
	if _, err := s.Wait(s.ctx(), "aaa", client.WaitTurn); err != nil {
		t.Errorf("a helper that ends: %v", err)
	}
	<-asked
	_ = l.Close()
	if err := s.WaitTurn(s.ctx(), "aaa"); session.CodeOf(err) != session.CodeFailed || !strings.Contains(err.Error(), "without warning") {
		t.Errorf("a helper that was killed: %v", err)
	}
}

func TestRemoveTidiesUpAfterAHelper(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	for _, f := range []string{s.o.Paths.Log("aaa"), s.o.Paths.Lock("aaa")} {
		if err := os.MkdirAll(filepath.Dir(f), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Remove(s.ctx(), "aaa", false); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{s.o.Paths.Log("aaa"), s.o.Paths.Lock("aaa")} {
		if _, err := os.Stat(f); err == nil {
			t.Errorf("%s is left", f)
		}
	}
}

// A helper that does not answer keeps the screen from none of the others, and
// nobody waits for the scrollback of one that has ended.
func TestAFollowerGoesOnBesideAStuckHelper(t *testing.T) {
	s := newStand(t)
	s.live("aaa")
	s.live("bbb")
	s.serve("aaa", silent)
	var conn *wire.Conn
	attached := make(chan struct{})
	s.serve("bbb", func(c *wire.Conn, r wire.Request) {
		if r.Op != client.OpAttach || conn != nil {
			return
		}
		conn = c
		_ = c.Answer(nil)
		_ = c.WriteLine(client.Down{Bell: true})
		close(attached)
		for {
			var up client.Up
			if err := c.ReadLine(&up); err != nil || up.History != nil {
				return // it ends with the question unanswered
			}
		}
	})
	ctx, cancel := context.WithCancel(s.ctx())
	defer cancel()
	f := s.Follow(ctx, "", nil)
	for bell := false; !bell; {
		select {
		case e := <-f.Events():
			bell = e.Thread == "bbb" && e.Down.Bell
		case <-ctx.Done():
			t.Fatal("nothing came of the thread whose helper answers")
		}
	}
	<-attached
	go func() {
		for {
			select {
			case <-f.Events():
			case <-ctx.Done():
				return
			}
		}
	}()
	if _, err := f.History(ctx, "bbb", session.PaneAgent, 0, 1); !errors.Is(err, client.ErrEnded) && !errors.Is(err, client.ErrNoHelper) {
		t.Errorf("got %v", err)
	}
}
