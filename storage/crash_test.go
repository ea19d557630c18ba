package storage

import (
	"bufio"
	"fmt"
	"strconv"
	"testing"

	"aside/session/transcript"
)

const batch = 20

// ingestChild stores one batch after the other and tells of each that is
// durable.
func ingestChild(path string, _ *bufio.Scanner) error {
	db, err := Open(path, nil)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		entries := make([]transcript.Entry, batch)
		for i := range entries {
			key := fmt.Sprint(n*batch + i)
			entries[i] = transcript.Entry{At: epoch, Kind: transcript.KindTool, Key: key, Text: key}
		}
		updates := []Update{{Key: fmt.Sprint(n * batch), Output: "done"}}
		if err := db.Ingest(ctx, "aaa", "source", int64(n+1), entries, updates); err != nil {
			return err
		}
		fmt.Println(n + 1)
	}
}

func TestAKilledWriterLeavesTheLastDurableState(t *testing.T) {
	for round := range 5 {
		path := newPath(t)
		db := open(t, path)
		addThreads(t, db, "aaa")
		c := startChild(t, "ingest", path)
		told := 0
		for told < 5+7*round {
			n, err := strconv.Atoi(c.hear())
			ok(t, err)
			told = n
		}
		ok(t, c.cmd.Process.Kill())
		for c.out.Scan() { // what it had said before it was killed
			n, err := strconv.Atoi(c.out.Text())
			ok(t, err)
			told = n
		}

		db = open(t, path)
		offset, err := db.Offset(ctx, "aaa", "source")
		ok(t, err)
		if offset < int64(told) {
			t.Errorf("%d batches were told to be durable, %d are there", told, offset)
		}
		entries, err := db.Entries(ctx, "aaa", 0, 0)
		ok(t, err)
		if len(entries) != int(offset)*batch {
			t.Errorf("%d entries are there with %d batches read", len(entries), offset)
		}
		for i, e := range entries {
			if e.Text != strconv.Itoa(i) || (e.Output == "done") != (i%batch == 0) {
				t.Fatalf("entry %d is %+v", i, e)
			}
		}
		var verdict string
		ok(t, db.write.QueryRow("PRAGMA integrity_check").Scan(&verdict))
		if verdict != "ok" {
			t.Error(verdict)
		}
		ok(t, db.SetTitle(ctx, "aaa", "it can be written on"))
	}
}
