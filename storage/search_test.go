package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aside/session"
	"aside/session/transcript"
)

// plainly makes the store one of a program without FTS5.
func plainly(db *DB) *DB {
	db.indexes = false
	return db
}

func compiledWithFTS5(t testing.TB) bool {
	t.Helper()
	db := open(t, newPath(t))
	return db.indexes
}

func search(t testing.TB, db *DB, q transcript.Query) transcript.Found {
	t.Helper()
	found, err := db.Search(ctx, q)
	ok(t, err)
	if found.Plain == db.indexes {
		t.Errorf("plain is %t", found.Plain)
	}
	return found
}

// hits returns the snippets of what is found, their words in brackets.
func hits(t testing.TB, db *DB, q transcript.Query) []string {
	t.Helper()
	var all []string
	for _, h := range search(t, db, q).Hits {
		s := h.Snippet
		for _, m := range slices.Backward(h.Marks) {
			s = s[:m.From] + "[" + s[m.From:m.To] + "]" + s[m.To:]
		}
		all = append(all, s)
	}
	return all
}

func wantHits(t testing.TB, db *DB, text string, want ...string) {
	t.Helper()
	if got := hits(t, db, transcript.Query{Text: text}); !slices.Equal(got, want) {
		t.Errorf("%q finds %q, want %q", text, got, want)
	}
}

// searchStore has one entry of each kind in thread aaa of project /p.
func searchStore(t testing.TB, path string) *DB {
	t.Helper()
	db := open(t, path)
	addThreads(t, db, "aaa")
	ok(t, db.Append(ctx, "aaa",
		transcript.Entry{At: epoch, Kind: transcript.KindPrompt, Text: "Please fix the Parser"},
		transcript.Entry{At: epoch, Kind: transcript.KindAssistant, Text: "The café is\nin foo_bar(x)"},
		transcript.Entry{At: epoch, Kind: transcript.KindTool, Key: "tool:1", Tool: "Bash", Input: "make -j2 widgets"},
		transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "Interrupted"},
		transcript.Entry{At: epoch, Kind: transcript.KindDecision, Text: "rm -rf build", Outcome: "Deny"},
		transcript.Entry{At: epoch, Kind: transcript.KindAssistant, Text: "這是漢字。"}))
	ok(t, db.Ingest(ctx, "aaa", "late", 1, nil, []Update{{Key: "tool:1", Output: "gizmo.c:12: error"}}))
	mustOffer(t, db, offered("aaa", "call", "Rename the flag"))
	return db
}

func TestEveryKindOfEntryIsFoundByItsWords(t *testing.T) {
	db := searchStore(t, newPath(t))
	for _, db := range []*DB{db, plainly(open(t, db.path))} {
		wantHits(t, db, "parser", "Please fix the [Parser]")
		wantHits(t, db, "fix pars", "Please [fix] the [Parser]")
		wantHits(t, db, "foo_bar(", "The café is in [foo]_[bar](x)")
		wantHits(t, db, "widgets", "Bash make -j2 [widgets] gizmo.c:12: error")
		wantHits(t, db, "gizmo", "Bash make -j2 widgets [gizmo].c:12: error")
		wantHits(t, db, "interrupted", "[Interrupted]")
		wantHits(t, db, "build den", "rm -rf [build] [Deny]")
		wantHits(t, db, "漢字", "這是[漢][字]。")
		wantHits(t, db, "rename", "[Rename] the flag What it would do. Do [Rename] the flag")
		wantHits(t, db, "summary") // a key of the offer's JSON
		wantHits(t, db, "parser widgets")
		wantHits(t, db, "nowhere")
	}
}

func TestTheIndexKnowsWordsWithoutAccents(t *testing.T) {
	if !compiledWithFTS5(t) {
		t.Skip("this program has no FTS5")
	}
	db := searchStore(t, newPath(t))
	for _, text := range []string{"cafe", "CAFÉ", "caf"} {
		wantHits(t, db, text, "The [café] is in foo_bar(x)")
	}
	wantHits(t, db, "afé") // not the beginning of a word
	wantHits(t, db, "ixes")
	wantHits(t, db, "bar foo_bar", "The café is in [foo]_[bar](x)")
	wantHits(t, db, "bar_foo") // words of one phrase stand in their order
}

func TestAHitSaysWhereItIs(t *testing.T) {
	db := searchStore(t, newPath(t))
	found := search(t, db, transcript.Query{Text: "parser"})
	entries, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	h := found.Hits[0]
	if h.Thread != "aaa" || h.Title != "Thread aaa" || h.Entry != entries[0].ID || !h.At.Equal(epoch) || h.Kind != transcript.KindPrompt {
		t.Errorf("%+v", h)
	}
}

func TestTheSnippetIsThePartWithTheWords(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	long := strings.Repeat("é filler\n", 500) + "the needle \x1b[31m here " + strings.Repeat("filler é ", 500)
	ok(t, db.Append(ctx, "aaa", transcript.Entry{At: epoch, Kind: transcript.KindAssistant, Text: long}))
	got := hits(t, db, transcript.Query{Text: "needle"})
	if len(got) != 1 || !strings.Contains(got[0], "filler the [needle] here filler") || len(got[0]) > 400 ||
		!strings.HasPrefix(got[0], "…") || !strings.HasSuffix(got[0], "…") || strings.Contains(got[0], "\x1b") {
		t.Errorf("got %q", got)
	}
}

func TestASearchKeepsToAThreadOrAProject(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa", "aab")
	other := newThread("bbb")
	other.Project = "/q"
	ok(t, db.AddThread(ctx, other))
	for i, id := range []session.ThreadID{"aaa", "bbb", "aab", "aaa"} {
		ok(t, db.Append(ctx, id, transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: fmt.Sprintf("word %d %s", i, id)}))
	}
	for _, db := range []*DB{db, plainly(open(t, db.path))} {
		for _, tt := range []struct {
			q    transcript.Query
			want string
		}{
			{transcript.Query{}, "3 2 1 0"}, // the newest first
			{transcript.Query{Thread: "aaa"}, "3 0"},
			{transcript.Query{Project: "/p"}, "3 2 0"},
			{transcript.Query{Project: "/q"}, "1"},
			{transcript.Query{Project: "/q", Thread: "aaa"}, ""},
			{transcript.Query{Thread: "a"}, ""},
			{transcript.Query{Limit: 2}, "3 2 more"},
			{transcript.Query{Limit: 4}, "3 2 1 0"},
		} {
			tt.q.Text = "word"
			found := search(t, db, tt.q)
			var got []string
			for _, h := range found.Hits {
				got = append(got, strings.Fields(h.Snippet)[1])
			}
			if found.More {
				got = append(got, "more")
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%+v finds %q, want %q", tt.q, s, tt.want)
			}
		}
	}
	// What stands for the place is no word of an entry.
	wantHits(t, db, threadWord("aaa"))
	wantHits(t, db, strings.TrimPrefix(threadWord("aaa"), placeMark))
	ok(t, db.Append(ctx, "bbb", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "word " + threadWord("aaa")}))
	if found := search(t, db, transcript.Query{Text: "word", Thread: "aaa"}); len(found.Hits) != 2 {
		t.Errorf("an entry put itself into another thread: %+v", found.Hits)
	}
}

func TestAnyTextCanBeLookedFor(t *testing.T) {
	db := searchStore(t, newPath(t))
	plain := plainly(open(t, db.path))
	for _, text := range []string{
		`"`, `""`, `fix"`, `"fix parser`, `words : fix`, `fix AND`, `NOT fix`, `fix OR`, `NEAR(fix parser`, `fix*`, `*`, `-fix`, `^fix`,
		`{words} : fix`, `fix )`, `(((`, `fix\`, `%`, `_`, "fix\x00", "\xff\xfe", "fix\xff", `fix + `, `'; DROP TABLE entries; --`,
	} {
		for _, db := range []*DB{db, plain} {
			if _, err := db.Search(ctx, transcript.Query{Text: text}); err != nil && session.CodeOf(err) != session.CodeUsage {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, text := range []string{"", "  ", "=> {", `"`} {
		_, err := db.Search(ctx, transcript.Query{Text: text})
		wantFault(t, err, session.CodeUsage, "letters")
	}
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"fix", `"`, "*", "(", ")", "AND", "NEAR", ":", " ", "漢", "é", "\x00", "%", `\`}))
	rapid.Check(t, func(t *rapid.T) {
		text := "fix" + strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		for _, db := range []*DB{db, plain} {
			found, err := db.Search(ctx, transcript.Query{Text: text})
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			for _, h := range found.Hits {
				for _, m := range h.Marks {
					_ = h.Snippet[m.From:m.To]
				}
			}
		}
	})
}

func TestPlainSearchTakesPatternsAsText(t *testing.T) {
	db := plainly(open(t, newPath(t)))
	addThreads(t, db, "aaa")
	ok(t, db.Append(ctx, "aaa", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: `50 percent of a_b c\d`}))
	for _, none := range []string{"50%a", "a_c", "5_ percent", `c\\d`} {
		wantHits(t, db, none)
	}
	for _, one := range []string{"a_b", `c\d`, "ercen"} {
		if got := hits(t, db, transcript.Query{Text: one}); len(got) != 1 {
			t.Errorf("%q finds %q", one, got)
		}
	}
}

// Words that are longer than the beginnings in the index are found whether the
// words that begin alike are few or many.
func TestLongWordsAreFoundByTheirBeginning(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	var all []transcript.Entry
	for i := range 3 * shortHits {
		word := "internationalization"
		if i%1000 == 7 {
			word = "international"
		}
		all = append(all, transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: fmt.Sprintf("the %s %d", word, i)})
	}
	ok(t, db.Append(ctx, "aaa", all...))
	wantHits(t, db, "1499 internationaliz", "the [internationalization] [1499]")
	if found := search(t, db, transcript.Query{Text: "the internationa", Limit: 10}); len(found.Hits) != 10 || !found.More {
		t.Errorf("%d hits, more %t", len(found.Hits), found.More)
	}
	if !db.indexes {
		return
	}
	ok(t, db.Append(ctx, "aaa", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "internauts"}))
	wantHits(t, db, "internauts", "[internauts]")
	wantHits(t, db, "7 international", "the [international] [7]")
}

func TestWhatIsGoneIsNotFound(t *testing.T) {
	db := searchStore(t, newPath(t))
	addThreads(t, db, "bbb")
	ok(t, db.Append(ctx, "bbb", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "parser again"}))
	ok(t, db.Ingest(ctx, "aaa", "late", 1, nil, []Update{{Key: "tool:1", Output: "sprocket"}}))
	wantHits(t, db, "gizmo")
	wantHits(t, db, "sprocket", "Bash make -j2 widgets [sprocket]")
	ok(t, db.DeleteThread(ctx, "aaa"))
	wantHits(t, db, "parser", "[parser] again")
	if !db.indexes {
		return
	}
	var left, waiting int
	ok(t, db.read.QueryRow(`SELECT (SELECT count(*) FROM entry_words), (SELECT count(*) FROM unindexed)`).Scan(&left, &waiting))
	if left != 1 || waiting != 0 {
		t.Errorf("the index has %d entries, %d are to be taken out", left, waiting)
	}
}

// A program without FTS5 writes to a store that has an index; one with FTS5
// then finds all of it, and forgets what is gone.
func TestProgramsWithAndWithoutAnIndexShareAStore(t *testing.T) {
	if !compiledWithFTS5(t) {
		t.Skip("this program has no FTS5")
	}
	path := newPath(t)
	with := searchStore(t, path)
	without := plainly(open(t, path))
	addThreads(t, without, "bbb")
	ok(t, without.Ingest(ctx, "aaa", "late", 1, nil, []Update{{Key: "tool:1", Output: "sprocket"}}))
	for i := range 2*catchUpBatch + 1 {
		ok(t, without.transact(ctx, without.write, "test", func(tx *sql.Tx) error {
			return appendEntry(ctx, tx, "bbb", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: fmt.Sprint("number ", i)})
		}))
		if i == 10 { // in the middle of it, one with FTS5 writes too
			addThreads(t, with, "ccc")
		}
	}
	wantHits(t, with, "gizmo")
	wantHits(t, with, "sprocket", "Bash make -j2 widgets [sprocket]")
	wantHits(t, with, "number 2000", "[number] [2000]")
	wantHits(t, with, "number 7", hits(t, with, transcript.Query{Text: "number 7"})...)

	ok(t, without.DeleteThread(ctx, "bbb"))
	wantHits(t, with, "number")
	for range 2*catchUpBatch/indexBatch + 1 {
		ok(t, with.SetTitle(ctx, "aaa", "any change"))
	}
	var left int
	ok(t, with.read.QueryRow(`SELECT count(*) FROM entry_words`).Scan(&left))
	if left != 7 {
		t.Errorf("the index has %d entries, want 7", left)
	}
}

func TestWhatIsWrittenIsInTheIndexWithIt(t *testing.T) {
	if !compiledWithFTS5(t) {
		t.Skip("this program has no FTS5")
	}
	db := searchStore(t, newPath(t))
	var behind, entries int
	ok(t, db.read.QueryRow(`SELECT last - indexed, (SELECT count(*) FROM entry_words) FROM revisions`).Scan(&behind, &entries))
	if behind != 0 || entries != 7 {
		t.Errorf("%d changes are not in the index, %d entries are", behind, entries)
	}
}

func TestACancelledSearchStops(t *testing.T) {
	path := newPath(t)
	db := searchStore(t, path)
	without := plainly(open(t, path))
	ok(t, without.Append(ctx, "aaa", transcript.Entry{At: epoch, Kind: transcript.KindNotice, Text: "late"}))
	cctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := db.Search(cctx, transcript.Query{Text: "late"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantHits(t, db, "late", "[late]")
}
