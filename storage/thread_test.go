package storage

import (
	"database/sql"
	"reflect"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
)

func TestAThreadIsReadAsItWasWritten(t *testing.T) {
	db := open(t, newPath(t))
	code := 3
	want := session.Thread{
		ID: "aaa", Title: "Fix the parser", Agent: "claude", Model: "m", State: session.StateWorking,
		StateSource: session.SourceAgent, StateAt: epoch.Add(time.Hour), NeedsYou: true, Project: "/p", Cwd: "/p/w",
		Checkout:   session.Checkout{Mode: session.CheckoutWorktree, Path: "/p/w", Branch: "aside/x", Base: "c0ffee"},
		ProposedBy: &session.Lineage{Thread: "bbb", Proposal: "ccc"}, Draft: "half a sen", Problem: "none",
		CreatedAt: epoch, SessionID: "uuid", ExitCode: &code, Live: true, Archived: true,
	}
	ok(t, db.AddThread(ctx, want))
	got, err := db.Thread(ctx, "aaa")
	ok(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestEachSetterChangesItsOwn(t *testing.T) {
	db := open(t, newPath(t))
	want := newThread("aaa")
	ok(t, db.AddThread(ctx, want))
	addThreads(t, db, "bbb")
	code := 0
	for _, c := range []struct {
		set    func(id session.ThreadID) error
		expect func()
	}{
		{func(id session.ThreadID) error { return db.SetTitle(ctx, id, "New") }, func() { want.Title = "New" }},
		{func(id session.ThreadID) error {
			return db.SetStatus(ctx, id, session.Status{State: session.StateNeedsYou, Source: session.SourceTerminal, At: epoch}, true)
		}, func() {
			want.State, want.StateSource, want.StateAt, want.NeedsYou = session.StateNeedsYou, session.SourceTerminal, epoch, true
		}},
		{func(id session.ThreadID) error {
			return db.update(ctx, "test", func(tx *sql.Tx) error {
				return setCheckout(ctx, tx, id, session.Checkout{Mode: session.CheckoutShared, Path: "/p"}, "/p/sub")
			})
		}, func() { want.Checkout, want.Cwd = session.Checkout{Mode: session.CheckoutShared, Path: "/p"}, "/p/sub" }},
		{func(id session.ThreadID) error { return db.SetDraft(ctx, id, "draft") }, func() { want.Draft = "draft" }},
		{func(id session.ThreadID) error { return db.SetProblem(ctx, id, "oh") }, func() { want.Problem = "oh" }},
		{func(id session.ThreadID) error { return db.SetProblem(ctx, id, "") }, func() { want.Problem = "" }},
		{func(id session.ThreadID) error { return db.SetSession(ctx, id, "s1") }, func() { want.SessionID = "s1" }},
		{func(id session.ThreadID) error { return db.Archive(ctx, id, true) }, func() { want.Archived = true }},
		{func(id session.ThreadID) error { return db.SetLive(ctx, id, false) }, func() {}},
		{func(id session.ThreadID) error { return db.SetLive(ctx, id, true) }, func() { want.Live, want.Archived = true, false }},
		{func(id session.ThreadID) error { return db.RememberView(ctx, id, "split") }, func() {}},
		{func(id session.ThreadID) error {
			return db.SetEnded(ctx, id, session.Status{State: session.StateFailed, Source: session.SourceProcess, At: epoch}, code, "oh")
		}, func() {
			want.State, want.StateSource, want.StateAt, want.NeedsYou = session.StateFailed, session.SourceProcess, epoch, false
			want.ExitCode, want.Problem = &code, "oh"
		}},
		{func(id session.ThreadID) error {
			return db.SetEnded(ctx, id, session.Status{State: session.StateExited, Source: session.SourceProcess, At: epoch}, code, "")
		}, func() { want.State = session.StateExited }},
		{func(id session.ThreadID) error { return db.SetBegun(ctx, id) }, func() { want.ExitCode, want.Problem = nil, "" }},
		{func(id session.ThreadID) error { return db.Archive(ctx, id, true) }, func() { want.Archived = true }},
	} {
		ok(t, c.set("aaa"))
		c.expect()
		got, err := db.Thread(ctx, "aaa")
		ok(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
		wantFault(t, c.set("zzz"), session.CodeNotFound, "zzz")
	}
	if other, err := db.Thread(ctx, "bbb"); err != nil || !reflect.DeepEqual(other, newThread("bbb")) {
		t.Errorf("another thread changed: %+v, %v", other, err)
	}
}

func ids(threads []session.Thread) (all []session.ThreadID) {
	for _, t := range threads {
		all = append(all, t.ID)
	}
	return all
}

func TestThreadsAreListedNewestFirst(t *testing.T) {
	db := open(t, newPath(t))
	for i, id := range []string{"old", "new", "other", "gone"} {
		th := newThread(id)
		th.CreatedAt = epoch.Add(time.Duration(i) * time.Minute)
		th.Archived = id == "gone"
		if id == "other" {
			th.Project = "/q"
		}
		ok(t, db.AddThread(ctx, th))
	}
	for _, c := range []struct {
		project  string
		archived bool
		want     []session.ThreadID
	}{
		{"", false, []session.ThreadID{"other", "new", "old"}},
		{"/p", false, []session.ThreadID{"new", "old"}},
		{"/p", true, []session.ThreadID{"gone", "new", "old"}},
		{"/none", true, nil},
	} {
		got, err := db.ProjectThreads(ctx, c.project, c.archived)
		ok(t, err)
		if !reflect.DeepEqual(ids(got), c.want) {
			t.Errorf("project %q, archived %v: %v, want %v", c.project, c.archived, ids(got), c.want)
		}
	}
}

func TestTheScreenHasItsOwnThreadsAndThoseToAttendElsewhere(t *testing.T) {
	db := open(t, newPath(t))
	for i, c := range []struct {
		id, project           string
		live, needs, archived bool
	}{
		{id: "own", project: "/p"},
		{id: "stored", project: "/p", archived: true},
		{id: "quiet", project: "/q"},
		{id: "live", project: "/q", live: true},
		{id: "needs", project: "/q", needs: true},
		{id: "shown", project: "/r", archived: true},
	} {
		th := newThread(c.id)
		th.CreatedAt = epoch.Add(-time.Duration(i) * time.Minute)
		th.Project, th.Live, th.NeedsYou, th.Archived = c.project, c.live, c.needs, c.archived
		ok(t, db.AddThread(ctx, th))
	}
	got, err := db.ScreenThreads(ctx, "/p", "shown")
	ok(t, err)
	if want := []session.ThreadID{"own", "stored", "live", "needs", "shown"}; !reflect.DeepEqual(ids(got), want) {
		t.Errorf("got %v, want %v", ids(got), want)
	}
	for project, want := range map[string][]session.ThreadID{"": {"live"}, "/q": {"live"}, "/p": nil} {
		got, err = db.LiveThreads(ctx, project)
		ok(t, err)
		if !reflect.DeepEqual(ids(got), want) {
			t.Errorf("live in %q are %v, want %v", project, ids(got), want)
		}
	}
	// However many threads other projects have, none of them is looked at.
	rows, err := db.read.Query(`EXPLAIN QUERY PLAN `+selectThread+`WHERE t.project = ? OR t.id = ? OR t.live = 1 OR t.needs_you = 1`, "/p", "x")
	ok(t, err)
	plan, err := collect(rows, err, func(rows *sql.Rows) (s string, err error) {
		var n int
		err = rows.Scan(&n, &n, &n, &s)
		return s, err
	})
	ok(t, err)
	if strings.Contains(strings.Join(plan, "\n"), "SCAN t") {
		t.Errorf("all threads are read:\n%s", strings.Join(plan, "\n"))
	}
}

func TestTheScreenIsRememberedAsItWasLeft(t *testing.T) {
	db := open(t, newPath(t))
	ok(t, db.OpenProject(ctx, "/p", epoch))
	addThreads(t, db, "aaa", "bbb")
	for _, want := range []session.Remembered{
		{Views: map[session.ThreadID]string{}},
		{Thread: "aaa", ListHidden: true, Views: map[session.ThreadID]string{"bbb": "split"}},
		{Thread: "bbb", Views: map[session.ThreadID]string{"bbb": "terminal"}},
	} {
		if want.Thread != "" {
			ok(t, db.RememberScreen(ctx, "/p", want.Thread, want.ListHidden))
			ok(t, db.RememberView(ctx, "bbb", want.Views["bbb"]))
		}
		ok(t, db.OpenProject(ctx, "/p", epoch.Add(1))) // opening it anew forgets nothing
		got, err := db.Remembered(ctx, "/p")
		ok(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	wantFault(t, db.RememberScreen(ctx, "/none", "aaa", false), session.CodeNotFound)
	if got, err := db.Remembered(ctx, "/none"); err != nil || got.Thread != "" {
		t.Errorf("a folder that was never opened: %+v, %v", got, err)
	}
}

func TestAThreadIsFoundByTheBeginningOfItsID(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "abcd", "abce", "abceee", "b")
	for prefix, want := range map[string]session.ThreadID{"abcd": "abcd", "ABCD ": "abcd", "abce": "abce", "abcee": "abceee", "b": "b"} {
		got, err := db.FindThread(ctx, prefix)
		ok(t, err)
		if got.ID != want {
			t.Errorf("%q finds %s, want %s", prefix, got.ID, want)
		}
	}
	_, err := db.FindThread(ctx, "abc")
	wantFault(t, err, session.CodeUsage, "abcd (Thread abcd)", "abceee", "more of the id")
	for _, none := range []string{"c", "%", "abc_", "\xff", "b\xff"} {
		_, err = db.FindThread(ctx, none)
		wantFault(t, err, session.CodeNotFound)
	}
	_, err = db.FindThread(ctx, " ")
	wantFault(t, err, session.CodeUsage)
}

func TestADeletedThreadTakesAlongWhatIsItsOwn(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa", "bbb")
	id := mustOffer(t, db, offered("aaa", "call", "Work"))
	ok(t, db.Dismiss(ctx, id, epoch))
	ok(t, db.QueuePrompt(ctx, "aaa", "go", "person", epoch))
	ok(t, db.Ingest(ctx, "aaa", "s", 5, []transcript.Entry{{At: epoch, Kind: transcript.KindNotice}}, nil))
	ok(t, db.DeleteThread(ctx, "aaa"))
	wantFault(t, db.DeleteThread(ctx, "aaa"), session.CodeNotFound)
	for _, table := range []string{"entries", "turns", "reads", "answers", "withdrawals", "starts"} {
		var n int
		ok(t, db.read.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
		if n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
	if _, err := db.Thread(ctx, "bbb"); err != nil {
		t.Error(err)
	}
}
