package storage

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
)

// childEnv makes the test binary play another process of aside: its value
// names an entry of children.
const childEnv = "ASIDE_STORAGE_TEST_CHILD"

var children = map[string]func(path string, in *bufio.Scanner) error{
	"open":   openChild,
	"claim":  claimChild,
	"commit": commitChild,
	"ingest": ingestChild,
	"full":   fullChild,
	"nobody": nobodyChild,
}

func TestMain(m *testing.M) {
	run := children[os.Getenv(childEnv)]
	if run == nil {
		os.Exit(m.Run())
	}
	if err := run(os.Args[1], bufio.NewScanner(os.Stdin)); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// child is another process; a line said to it is answered by one.
type child struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startChild(t *testing.T, name, path string, prepare ...func(*exec.Cmd)) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, path)
	cmd.Env = append(os.Environ(), childEnv+"="+name)
	cmd.Stderr = os.Stderr
	for _, p := range prepare {
		p(cmd)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &child{t: t, cmd: cmd, in: in, out: bufio.NewScanner(out)}
}

func (c *child) say(line string) {
	c.t.Helper()
	if _, err := fmt.Fprintln(c.in, line); err != nil {
		c.t.Fatal(err)
	}
}

func (c *child) hear() string {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatalf("a child ended without a word: %v", c.out.Err())
	}
	return c.out.Text()
}

var (
	ctx   = context.Background()
	epoch = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)
)

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "state", "aside.db") }

func open(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantFault checks the code of a fault, and that it has all of the words.
func wantFault(t testing.TB, err error, code session.Code, words ...string) {
	t.Helper()
	var fault *session.Error
	if !errors.As(err, &fault) {
		t.Fatalf("got %v, want a session.Error of code %d", err, code)
	}
	if fault.Code != code {
		t.Errorf("got code %d (%v), want %d", fault.Code, fault, code)
	}
	for _, w := range words {
		if !strings.Contains(fault.Message+" | "+fault.Hint, w) {
			t.Errorf("%q with hint %q does not say %q", fault.Message, fault.Hint, w)
		}
	}
}

func newThread(id string) session.Thread {
	return session.Thread{ID: session.ThreadID(id), Title: "Thread " + id, Agent: "demo", State: session.StateIdle, Project: "/p", CreatedAt: epoch}
}

func addThreads(t testing.TB, db *DB, ids ...string) {
	t.Helper()
	for _, id := range ids {
		ok(t, db.AddThread(ctx, newThread(id)))
	}
}

func TestOpenMakesAPrivateStoreAndOpensItAgain(t *testing.T) {
	path := newPath(t)
	db := open(t, path)
	addThreads(t, db, "aaa")
	for name, want := range map[string]os.FileMode{
		filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		ok(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(name), got, want)
		}
	}
	again := open(t, path)
	if _, err := again.Thread(ctx, "aaa"); err != nil {
		t.Error(err)
	}
}

func TestOpenTightensTheFile(t *testing.T) {
	path := newPath(t)
	ok(t, open(t, path).Close())
	ok(t, os.Chmod(path, 0o644))
	open(t, path)
	info, err := os.Stat(path)
	ok(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o", info.Mode().Perm())
	}
}

func TestOpenTakesAnyPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a ?b#c%20d&mode=ro 'é", "x.db")
	addThreads(t, open(t, path), "aaa")
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestEveryCommitIsSynchronised(t *testing.T) {
	db := open(t, newPath(t))
	for pragma, want := range map[string]string{
		"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1", "busy_timeout": "10000",
	} {
		var got string
		ok(t, db.write.QueryRow("PRAGMA "+pragma).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
}

// raw opens the file without this package.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	ok(t, os.MkdirAll(filepath.Dir(path), 0o700))
	db, err := sql.Open("sqlite3", path)
	ok(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exec1(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

func TestAStoreFromANewerAsideIsRefusedAndLeft(t *testing.T) {
	path := newPath(t)
	other := raw(t, path)
	exec1(t, other, "CREATE TABLE threads (of_tomorrow TEXT); PRAGMA user_version = 9999")
	ok(t, other.Close())
	before, err := os.ReadFile(path)
	ok(t, err)

	_, err = Open(path, nil)
	wantFault(t, err, session.CodeFailed, "newer", "update aside")
	after, err := os.ReadFile(path)
	ok(t, err)
	if string(before) != string(after) {
		t.Error("the file was changed")
	}
}

func TestADatabaseOfSomethingElseIsRefusedAndLeft(t *testing.T) {
	path := newPath(t)
	other := raw(t, path)
	exec1(t, other, "CREATE TABLE recipes (name TEXT)")
	ok(t, other.Close())
	before, err := os.ReadFile(path)
	ok(t, err)

	_, err = Open(path, nil)
	wantFault(t, err, session.CodeFailed, "not a store of aside")
	after, err := os.ReadFile(path)
	ok(t, err)
	if string(before) != string(after) {
		t.Error("the file was changed")
	}
}

func TestACancelledChangeIsNone(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	for _, cancelled := range []func(cancel func(), tx *sql.Tx) error{
		func(cancel func(), _ *sql.Tx) error { cancel(); return nil },
		func(cancel func(), tx *sql.Tx) error {
			cancel()
			_, err := tx.Exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT count(*) FROM n")
			return err
		},
	} {
		cctx, cancel := context.WithCancel(ctx)
		err := db.update(cctx, "test", func(tx *sql.Tx) error {
			ok(t, setThread(cctx, tx, "aaa", "title = 'half done'"))
			return cancelled(cancel, tx)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if th, err := db.Thread(ctx, "aaa"); err != nil || th.Title != "Thread aaa" {
		t.Errorf("%q, %v", th.Title, err)
	}
	ok(t, db.SetTitle(ctx, "aaa", "it goes on"))
}

// openChild opens the store of each line it reads and adds a thread.
func openChild(_ string, in *bufio.Scanner) error {
	fmt.Println("ready")
	for in.Scan() {
		path, id, _ := strings.Cut(in.Text(), "\t")
		db, err := Open(path, nil)
		if err == nil {
			err = errors.Join(db.AddThread(ctx, newThread(id)), db.Close())
		}
		if err != nil {
			return err
		}
		fmt.Println("done")
	}
	return nil
}

func TestEightProcessesMakeTheStoreAtOnce(t *testing.T) {
	var all []*child
	for range 8 {
		all = append(all, startChild(t, "open", ""))
	}
	for _, c := range all {
		c.hear()
	}
	for range 10 {
		path := newPath(t)
		for i, c := range all {
			c.say(fmt.Sprintf("%s\tthread%d", path, i))
		}
		for _, c := range all {
			if got := c.hear(); got != "done" {
				t.Fatal(got)
			}
		}
		threads, err := open(t, path).ProjectThreads(ctx, "", false)
		ok(t, err)
		if len(threads) != len(all) {
			t.Errorf("%d threads were kept, want %d", len(threads), len(all))
		}
	}
}

func offered(thread, call, title string) session.Proposal {
	return proposals.Offer{Title: title, Summary: "What it would do.", Prompt: "Do " + title}.
		Proposal(session.ThreadID(thread), call, epoch)
}

func mustOffer(t testing.TB, db *DB, p session.Proposal) session.ProposalID {
	t.Helper()
	result, id, err := db.Offer(ctx, p, proposals.FoldKey(p.Title, p.Prompt), proposals.StandingMax)
	ok(t, err)
	if result != proposals.OfferAdded {
		t.Fatalf("the offer was %s", result)
	}
	return id
}
