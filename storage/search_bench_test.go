package storage

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/transcript"
)

// benchEntries is how many entries are searched; ASIDE_BENCH_ENTRIES sets
// another number.
func benchEntries(b *testing.B) int {
	b.Helper()
	text := os.Getenv("ASIDE_BENCH_ENTRIES")
	if text == "" {
		return 100_000
	}
	n, err := strconv.Atoi(text)
	ok(b, err)
	return n
}

// saying makes texts as an agent's: few words often, many seldom.
type saying struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newSaying() *saying {
	random := rand.New(rand.NewPCG(1, 2))
	s := &saying{random: random, zipf: rand.NewZipf(random, 1.2, 4, 50_000)}
	seen := map[string]bool{}
	for len(s.words) <= 50_000 {
		var w strings.Builder
		for range 2 + random.IntN(4) {
			w.WriteByte("bcdfghklmnprstvw"[random.IntN(16)])
			w.WriteByte("aeiou"[random.IntN(5)])
		}
		if !seen[w.String()] {
			seen[w.String()] = true
			s.words = append(s.words, w.String())
		}
	}
	return s
}

// longest returns the most frequent word of ten letters.
func (s *saying) longest() string {
	for _, w := range s.words {
		if len(w) == 10 {
			return w
		}
	}
	return ""
}

func (s *saying) text(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(s.words[s.zipf.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

// bigStore has 1,000 threads of two projects with n entries between them.
func bigStore(b *testing.B, n int) (*DB, *saying) {
	b.Helper()
	path := newPath(b)
	db := open(b, path)
	s := newSaying()
	ids := make([]session.ThreadID, 1000)
	began := time.Now()
	ok(b, db.transact(ctx, db.write, "fill", func(tx *sql.Tx) error {
		for i := range ids {
			th := newThread(fmt.Sprintf("thread%04d", i))
			th.Project = fmt.Sprintf("/p%d", i%2)
			ids[i] = th.ID
			ok(b, addThread(ctx, tx, th))
		}
		for i := range n {
			e := transcript.Entry{At: epoch.Add(time.Duration(i) * time.Second), Kind: transcript.KindAssistant, Text: s.text(10 + s.random.IntN(70))}
			if i%2 == 0 {
				e = transcript.Entry{At: e.At, Kind: transcript.KindTool, Key: fmt.Sprint(i), Tool: "Bash", Input: s.text(6), Output: e.Text}
			}
			ok(b, appendEntry(ctx, tx, ids[i/100%len(ids)], e))
		}
		return nil
	}))
	filled := time.Now()
	ok(b, db.catchUp(ctx))
	var pages, size int64
	ok(b, db.read.QueryRow("PRAGMA page_count").Scan(&pages))
	ok(b, db.read.QueryRow("PRAGMA page_size").Scan(&size))
	b.Logf("%d entries: written in %s, indexed in %s, %d MB", n, filled.Sub(began).Round(time.Second), time.Since(filled).Round(time.Second), pages*size>>20)
	return db, s
}

// BenchmarkSearch shows the first 50 hits of words that are rare and common,
// in the whole store and in a part of it.
func BenchmarkSearch(b *testing.B) {
	db, s := bigStore(b, benchEntries(b))
	common, usual, rare := s.words[0], s.words[300], s.words[20_000]
	for _, c := range []struct {
		name string
		q    transcript.Query
	}{
		{"rare", transcript.Query{Text: rare}},
		{"common", transcript.Query{Text: common}},
		{"three-words", transcript.Query{Text: common + " " + usual + " " + s.words[40]}},
		{"common-and-rare", transcript.Query{Text: rare + " " + common}},
		{"none", transcript.Query{Text: s.words[20_001] + " " + rare}},
		{"prefix-of-1", transcript.Query{Text: rare[:1]}},
		{"prefix-of-2", transcript.Query{Text: rare[:2]}},
		{"prefix-of-3", transcript.Query{Text: rare[:3]}},
		{"prefix-of-4", transcript.Query{Text: common[:4]}},
		{"long-prefix", transcript.Query{Text: s.longest()}},
		{"in-thread", transcript.Query{Text: common + " " + s.words[2], Thread: "thread0500"}},
		{"in-project", transcript.Query{Text: usual, Project: "/p1"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = len(search(b, db, c.q).Hits)
			}
			b.ReportMetric(float64(n), "hits")
		})
	}
}

// BenchmarkAppendTenEntries shows what the index adds to a commit.
func BenchmarkAppendTenEntries(b *testing.B) {
	for _, indexed := range []bool{true, false} {
		b.Run(fmt.Sprintf("indexed=%t", indexed), func(b *testing.B) {
			db := open(b, newPath(b))
			db.indexes = db.indexes && indexed
			addThreads(b, db, "aaa")
			s := newSaying()
			for b.Loop() {
				var entries []transcript.Entry
				for range 10 {
					entries = append(entries, transcript.Entry{At: epoch, Kind: transcript.KindAssistant, Text: s.text(50)})
				}
				ok(b, db.Append(ctx, "aaa", entries...))
			}
		})
	}
}
