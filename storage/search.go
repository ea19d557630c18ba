package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"

	"aside/session"
	"aside/session/transcript"
)

// The full-text index holds no text, only which words are in which entry; an
// entry's thread and project are words of it too, so that they are looked up
// in the index. Every short beginning of a word is in it as well: a common one
// would else be put together from all that begin with it. The index is not
// part of the migrations: a program without FTS5 could not make it, nor change
// it later.
const makeIndex = `CREATE VIRTUAL TABLE IF NOT EXISTS entry_words USING fts5 (
	words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6 7 8',
	tokenize = "unicode61 remove_diacritics 2")`

// prefixMost is the longest beginning of a word in the index, in characters.
const prefixMost = 8

const (
	defaultHits = 50
	// indexBatch is how many changed entries a transaction brings into the
	// index after its own work. It is mostly its own entries.
	indexBatch = 200
	// catchUpBatch is likewise for one that does nothing else.
	catchUpBatch = 1000
)

// openIndex finds out whether this program has FTS5, and makes the index
// where it is missing.
func (db *DB) openIndex(ctx context.Context) error {
	var fts, there bool
	err := db.view(ctx, "open the store", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT sqlite_compileoption_used('ENABLE_FTS5'),
			EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'entry_words')`).Scan(&fts, &there)
	})
	if err != nil || !fts {
		return err
	}
	if !there {
		err = db.update(ctx, "make the full-text index", func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, makeIndex)
			return err
		})
	}
	db.indexes = err == nil
	return err
}

// index brings entries that have changed into the index, at most so many, the
// oldest change first, and says whether there are more.
func index(ctx context.Context, tx *sql.Tx, most int) (more bool, err error) {
	var indexed, last int64
	var removed bool
	err = tx.QueryRowContext(ctx, `SELECT indexed, last, EXISTS (SELECT 1 FROM unindexed) FROM revisions`).
		Scan(&indexed, &last, &removed)
	if err != nil {
		return false, err
	}
	if removed {
		if err := forgetRemoved(ctx, tx, most); err != nil {
			return false, err
		}
	}
	if indexed == last {
		return false, nil
	}
	rows, err := tx.QueryContext(ctx, `SELECT s.id, s.revision, s.thread, t.project, s.words
		FROM searchable s JOIN threads t ON t.id = s.thread
		WHERE s.revision > ? ORDER BY s.revision LIMIT ?`, indexed, most)
	changed, err := collect(rows, err, func(rows *sql.Rows) (r wordsRow, err error) {
		err = rows.Scan(&r.id, &r.revision, &r.thread, &r.project, &r.words)
		return r, err
	})
	if err != nil {
		return false, err
	}
	put, err := tx.PrepareContext(ctx, `INSERT OR REPLACE INTO entry_words (rowid, words) VALUES (?, ?)`)
	if err != nil {
		return false, err
	}
	defer func() { _ = put.Close() }()
	for _, r := range changed {
		words := threadWord(r.thread) + " " + projectWord(r.project) + " " + indexable(r.words)
		if _, err := put.ExecContext(ctx, r.id, words); err != nil {
			return false, err
		}
	}
	if more = len(changed) == most; more {
		last = changed[most-1].revision
	}
	_, err = tx.ExecContext(ctx, `UPDATE revisions SET indexed = ?`, last)
	return more, err
}

type wordsRow struct {
	id, revision int64
	thread       session.ThreadID
	project      string
	words        string
}

// forgetRemoved takes entries that are gone out of the index.
func forgetRemoved(ctx context.Context, tx *sql.Tx, most int) error {
	for _, query := range []string{
		`DELETE FROM entry_words WHERE rowid IN (SELECT id FROM unindexed ORDER BY id LIMIT ?)`,
		`DELETE FROM unindexed WHERE id IN (SELECT id FROM unindexed ORDER BY id LIMIT ?)`,
	} {
		if _, err := tx.ExecContext(ctx, query, most); err != nil {
			return err
		}
	}
	return nil
}

// threadWord and projectWord are the words that stand for them in the index.
// They begin with a character that no other word has.
func threadWord(id session.ThreadID) string { return placeMark + "t" + hex.EncodeToString([]byte(id)) }

func projectWord(path string) string {
	sum := sha256.Sum256([]byte(path))
	return placeMark + "p" + hex.EncodeToString(sum[:8])
}

// Search returns the entries that hold the words of the query, those that
// were recorded last first. A query without a word is of CodeUsage.
//
// Entries that a program without FTS5 has written are brought into the index
// first, which takes time where there are many; what was done of it stays
// when ctx ends.
func (db *DB) Search(ctx context.Context, q transcript.Query) (found transcript.Found, err error) {
	words := transcript.Phrases(q.Text)
	if len(words) == 0 {
		return found, &session.Error{
			Code: session.CodeUsage, Message: "there is no word to look for", Hint: "give some letters or digits",
		}
	}
	if q.Limit <= 0 {
		q.Limit = defaultHits
	}
	if err := db.catchUp(ctx); err != nil {
		return found, err
	}
	found.Plain = !db.indexes
	err = db.view(ctx, "search", func(tx *sql.Tx) error {
		if !db.indexes {
			query, args := plainQuery(q)
			_, err := readHits(ctx, tx, q.Limit, nil, transcript.NewSeeker(words), &found, query, args...)
			return err
		}
		return searchIndex(ctx, tx, q, words, &found)
	})
	return found, err
}

// searchIndex looks up the words. The beginning of a last word that is longer
// than those in the index is looked up first: where the word is common, that
// finds enough of it soon. Where it is rare, the index puts it together from
// the few words that begin with it.
func searchIndex(ctx context.Context, tx *sql.Tx, q transcript.Query, words []transcript.Phrase, found *transcript.Found) error {
	seek := transcript.NewSeeker(words)
	if short, cut := shorter(words); cut {
		done, err := readHits(ctx, tx, q.Limit, seek.HoldsAll, seek, found, selectHits+indexed+` LIMIT ?`, placed(q, short), shortHits)
		if err != nil || done || found.More {
			return err
		}
		*found = transcript.Found{}
	}
	_, err := readHits(ctx, tx, q.Limit, seek.Holds, seek, found, selectHits+indexed, placed(q, words))
	return err
}

// shortHits is how many entries with the beginning of a long word are looked
// at for the word itself.
const shortHits = 500

const (
	selectHits = `SELECT s.id, s.thread, t.title, s.at, s.kind, s.words FROM `
	indexed    = `entry_words w JOIN searchable s ON s.id = w.rowid JOIN threads t ON t.id = s.thread
		WHERE entry_words MATCH ? ORDER BY w.rowid DESC`
)

// placed returns the index's query for the words in their place.
func placed(q transcript.Query, words []transcript.Phrase) string {
	want := match(words)
	if q.Thread != "" {
		want = threadWord(q.Thread) + " AND " + want
	}
	if q.Project != "" {
		want = projectWord(q.Project) + " AND " + want
	}
	return want
}

// readHits reads up to the limit and says whether there were fewer rows than
// the last argument. The index knows which words an entry has and not where,
// so whether they follow each other is seen by holds.
func readHits(ctx context.Context, tx *sql.Tx, limit int, holds func(text string) bool, seek transcript.Seeker, found *transcript.Found,
	query string, args ...any,
) (done bool, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }() // what it would say, rows.Err has said
	n := 0
	for ; rows.Next(); n++ {
		var h transcript.Hit
		var at int64
		var text string
		if err := rows.Scan(&h.Entry, &h.Thread, &h.Title, &at, &h.Kind, &text); err != nil {
			return false, err
		}
		if holds != nil && !holds(text) {
			continue
		}
		if found.More = len(found.Hits) == limit; found.More {
			return false, nil
		}
		h.At = instant(at)
		h.Snippet, h.Marks = seek.Snippet(text)
		found.Hits = append(found.Hits, h)
	}
	return n < shortHits, rows.Err()
}

// plainQuery looks at every entry for the words as they were typed.
func plainQuery(q transcript.Query) (query string, args []any) {
	query = selectHits + `searchable s JOIN threads t ON t.id = s.thread WHERE true`
	if q.Thread != "" {
		query, args = query+` AND s.thread = ?`, append(args, q.Thread)
	}
	if q.Project != "" {
		query, args = query+` AND t.project = ?`, append(args, q.Project)
	}
	for i, word := range strings.Fields(q.Text) {
		if i == transcript.TermsLimit {
			break
		}
		word = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(word)
		query, args = query+` AND s.words LIKE ? ESCAPE '\'`, append(args, "%"+word+"%")
	}
	return query + ` ORDER BY s.id DESC`, args
}

// catchUp brings the index up to date, in transactions that let others in
// between.
func (db *DB) catchUp(ctx context.Context) error {
	if !db.indexes {
		return nil
	}
	var behind bool
	err := db.view(ctx, "search", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT indexed <> last FROM revisions`).Scan(&behind)
	})
	for err == nil && behind {
		err = errors.Join(ctx.Err(), db.transact(ctx, db.write, "bring the index up to date", func(tx *sql.Tx) error {
			behind, err = index(ctx, tx, catchUpBatch)
			return err
		}))
	}
	return err
}
