package storage

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
)

func texts(entries []transcript.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Text)
	}
	return all
}

func TestEntriesAreReadAsTheyWereWritten(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa")
	want := []transcript.Entry{
		{Turn: "t", At: epoch, Kind: transcript.KindTool, Key: "tool:1", Tool: "Bash", CallID: "1", Input: "make", Output: "ok", Failed: true, Depth: 1},
		{At: epoch.Add(1), Kind: transcript.KindDecision, Text: "rm", Tool: "Bash", Decision: "d", Outcome: "once"},
		{At: epoch.Add(2), Kind: transcript.KindAssistant, Text: "a\x00b \xff é"},
		{At: epoch.Add(3), Kind: transcript.KindPrompt, Text: "go", Origin: session.OriginAgent},
	}
	ok(t, db.Append(ctx, "aaa", want...))
	got, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	for i := range got {
		if got[i].ID == 0 || i > 0 && got[i].ID <= got[i-1].ID {
			t.Errorf("entry %d has id %d", i, got[i].ID)
		}
		want[i].ID, want[i].Thread = got[i].ID, "aaa"
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	wantFault(t, db.Append(ctx, "zzz", want...), session.CodeNotFound)
}

func TestARecordReadTwiceAddsNothing(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa", "bbb")
	read := func(id session.ThreadID, offset int64, keys ...string) {
		t.Helper()
		var entries []transcript.Entry
		for _, k := range keys {
			entries = append(entries, transcript.Entry{At: epoch, Kind: transcript.KindTool, Key: k, Text: k})
		}
		ok(t, db.Ingest(ctx, id, "log", offset, entries, []Update{{Key: "b", Output: "out", Failed: true}, {Key: "never seen"}}))
	}
	read("aaa", 10, "a", "b")
	read("aaa", 20, "b", "c")
	read("bbb", 30, "b")
	entries, err := db.Entries(ctx, "aaa", 0, 0)
	ok(t, err)
	if got := texts(entries); !reflect.DeepEqual(got, []string{"a", "b", "c"}) {
		t.Errorf("got %v", got)
	}
	if e := entries[1]; e.Output != "out" || !e.Failed {
		t.Errorf("the entry was not completed: %+v", e)
	}
	for id, want := range map[session.ThreadID]int64{"aaa": 20, "bbb": 30, "zzz": 0} {
		if got, err := db.Offset(ctx, id, "log"); err != nil || got != want {
			t.Errorf("%s was read to %d, %v; want %d", id, got, err, want)
		}
	}
	ok(t, db.Ingest(ctx, "aaa", "late", 1, nil, []Update{{Key: "c", Output: "late"}}))
	entries, err = db.Entries(ctx, "aaa", 0, 1)
	ok(t, err)
	if entries[0].Output != "late" {
		t.Errorf("%+v", entries[0])
	}
}

func TestEntriesArePagedFromTheEnd(t *testing.T) {
	db := open(t, newPath(t))
	addThreads(t, db, "aaa", "bbb")
	// Recorded out of their order, several at one time.
	for _, i := range []int{4, 0, 1, 5, 2, 3, 6} {
		e := transcript.Entry{At: epoch.Add(time.Duration(i/2) * time.Second), Kind: transcript.KindNotice, Text: fmt.Sprint(i)}
		ok(t, db.Append(ctx, "aaa", e))
		ok(t, db.Append(ctx, "bbb", e))
	}
	var pages [][]string
	var before int64
	for {
		page, err := db.Entries(ctx, "aaa", before, 3)
		ok(t, err)
		if len(page) == 0 {
			break
		}
		pages = append(pages, texts(page))
		before = page[0].ID
	}
	if want := [][]string{{"4", "5", "6"}, {"1", "2", "3"}, {"0"}}; !reflect.DeepEqual(pages, want) {
		t.Errorf("got %v, want %v", pages, want)
	}
}
