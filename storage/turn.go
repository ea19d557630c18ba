package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/transcript"
)

// Turn is a prompt on its way to an agent.
type Turn struct {
	ID     session.TurnID
	Thread session.ThreadID
	Origin session.Origin
	Prompt string
	// Author says who wrote the prompt: the dispatcher never hands over bare
	// what a model wrote (contracts/proposed-threads.md, Starting 9).
	Author proposals.Author
}

// QueueTurn appends the prompt to the thread's transcript and queues the
// turn that it opens. A turn with that id is there once, however often it is
// queued.
func (db *DB) QueueTurn(ctx context.Context, t Turn, at time.Time) error {
	return db.update(ctx, "queue turn", func(tx *sql.Tx) error { return queueTurn(ctx, tx, t, at) })
}

// QueuePrompt queues a further prompt as a turn of human origin.
func (db *DB) QueuePrompt(ctx context.Context, id session.ThreadID, prompt string, by proposals.Author, at time.Time) error {
	return db.QueueTurn(ctx, Turn{
		ID: session.TurnID(session.NewID()), Thread: id, Origin: session.OriginHuman, Prompt: prompt, Author: by,
	}, at)
}

func queueTurn(ctx context.Context, tx *sql.Tx, t Turn, at time.Time) error {
	if err := threadExists(ctx, tx, t.Thread); err != nil {
		return err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO turns (id, thread, origin, author, queued_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO NOTHING`, t.ID, t.Thread, t.Origin, t.Author, nanos(at))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return appendEntry(ctx, tx, t.Thread, transcript.Entry{
		Turn: t.ID, At: at, Kind: transcript.KindPrompt, Key: "turn:" + string(t.ID), Text: t.Prompt, Origin: t.Origin,
	})
}

// QueuedTurn returns the thread's next turn to dispatch, nil when there is
// none.
func (db *DB) QueuedTurn(ctx context.Context, id session.ThreadID) (*Turn, error) {
	var t Turn
	err := db.view(ctx, "read queued turn", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT u.id, u.thread, u.origin, u.author, e.text
			FROM turns u JOIN entries e ON e.turn = u.id AND e.kind = 'prompt'
			WHERE u.thread = ? AND u.ended_at = 0 AND u.dispatched_at = 0
			ORDER BY u.seq LIMIT 1`, id).Scan(&t.ID, &t.Thread, &t.Origin, &t.Author, &t.Prompt)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// MarkTurnDispatched records that the prompt is being handed to the agent.
// CodeSettled when it is not waiting for that: it was handed over before, or
// given up.
func (db *DB) MarkTurnDispatched(ctx context.Context, id session.TurnID, at time.Time) error {
	return db.update(ctx, "record dispatch", func(tx *sql.Tx) error {
		if err := turnExists(ctx, tx, id); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `UPDATE turns SET dispatched_at = ?
			WHERE id = ? AND dispatched_at = 0 AND ended_at = 0`, nanos(at), id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return &session.Error{Code: session.CodeSettled, Message: "this prompt is not waiting to be delivered"}
	})
}

// MarkDelivered records that the agent has confirmed the prompt; a turn that
// ran before it has ended. A confirmation that comes after the delivery was
// given up takes back what was done then.
func (db *DB) MarkDelivered(ctx context.Context, id session.TurnID, at time.Time) error {
	return db.update(ctx, "record delivery", func(tx *sql.Tx) error { return markDelivered(ctx, tx, id, at) })
}

func markDelivered(ctx context.Context, tx *sql.Tx, id session.TurnID, at time.Time) error {
	var thread session.ThreadID
	var failure string
	var delivered bool
	err := tx.QueryRowContext(ctx, `SELECT thread, failure, delivered_at <> 0 FROM turns WHERE id = ?`, id).
		Scan(&thread, &failure, &delivered)
	if errors.Is(err, sql.ErrNoRows) {
		return notFound("turn", string(id))
	}
	if err != nil || delivered {
		return err
	}
	if failure != "" {
		if _, err := tx.ExecContext(ctx, `UPDATE threads SET
				draft = CASE WHEN draft = (SELECT text FROM entries WHERE turn = ?1 AND kind = 'prompt') THEN '' ELSE draft END,
				problem = CASE WHEN problem = ?2 THEN '' ELSE problem END
			WHERE id = ?3`, id, failure, thread); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE turns SET ended_at = ?
		WHERE thread = ? AND id <> ? AND delivered_at <> 0 AND ended_at = 0`, nanos(at), thread, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE turns SET failure = '', ended_at = iif(failure = '', ended_at, 0), delivered_at = ?1,
		dispatched_at = iif(dispatched_at = 0, ?1, dispatched_at) WHERE id = ?2`, nanos(at), id)
	return err
}

// MarkUndelivered records that the prompt was not delivered: the thread shows
// reason as its problem and has the prompt as its draft. It does nothing
// when the delivery has been confirmed meanwhile, or given up before.
func (db *DB) MarkUndelivered(ctx context.Context, id session.TurnID, reason string, at time.Time) error {
	return db.update(ctx, "give up delivery", func(tx *sql.Tx) error {
		if err := turnExists(ctx, tx, id); err != nil {
			return err
		}
		return failTurn(ctx, tx, id, reason, at)
	})
}

func failTurn(ctx context.Context, tx *sql.Tx, id session.TurnID, reason string, at time.Time) error {
	res, err := tx.ExecContext(ctx, `UPDATE turns SET failure = ?, ended_at = ?
		WHERE id = ? AND delivered_at = 0 AND ended_at = 0`, reason, nanos(at), id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	var thread session.ThreadID
	var prompt string
	if err := tx.QueryRowContext(ctx, `SELECT thread, text FROM entries WHERE turn = ? AND kind = 'prompt'`, id).
		Scan(&thread, &prompt); err != nil {
		return err
	}
	return giveBack(ctx, tx, thread, prompt, reason)
}

// giveBack makes a prompt that went nowhere the thread's draft, with the
// reason.
func giveBack(ctx context.Context, tx *sql.Tx, id session.ThreadID, prompt, reason string) error {
	var draft string
	if err := tx.QueryRowContext(ctx, `SELECT draft FROM threads WHERE id = ?`, id).Scan(&draft); err != nil {
		return err
	}
	return setThread(ctx, tx, id, `draft = ?, problem = ?`, proposals.Draft(prompt, draft), reason)
}

// OpenTurn records a prompt that reached the agent without aside: typed in
// the agent's own UI, or the agent's own. The turn is delivered from the
// beginning, and one that ran before it has ended.
func (db *DB) OpenTurn(ctx context.Context, id session.ThreadID, origin session.Origin, prompt string, at time.Time) (session.TurnID, error) {
	turn := session.TurnID(session.NewID())
	err := db.update(ctx, "open turn", func(tx *sql.Tx) error {
		err := queueTurn(ctx, tx, Turn{ID: turn, Thread: id, Origin: origin, Prompt: prompt, Author: proposals.AuthorPerson}, at)
		if err != nil {
			return err
		}
		return markDelivered(ctx, tx, turn, at)
	})
	if err != nil {
		return "", err
	}
	return turn, nil
}

// EndTurn records that the agent stopped or was interrupted. A turn ends
// once; what is told later changes nothing.
func (db *DB) EndTurn(ctx context.Context, id session.TurnID, at time.Time) error {
	return db.update(ctx, "end turn", func(tx *sql.Tx) error {
		if err := turnExists(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE turns SET ended_at = ? WHERE id = ? AND ended_at = 0`, nanos(at), id)
		return err
	})
}

// Turns returns those of the thread's turns with these ids that have reached
// the agent.
func (db *DB) Turns(ctx context.Context, id session.ThreadID, ids []session.TurnID) (turns []session.Turn, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("name turns: %w", err)
	}
	err = db.view(ctx, "read turns", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT id, origin, delivered_at, ended_at FROM turns
			WHERE id IN (SELECT value FROM json_each(?)) AND thread = ? AND delivered_at <> 0`, string(list), id)
		turns, err = collect(rows, err, func(rows *sql.Rows) (t session.Turn, err error) {
			var started, ended int64
			err = rows.Scan(&t.ID, &t.Origin, &started, &ended)
			t.StartedAt, t.EndedAt = instant(started), instant(ended)
			return t, err
		})
		return err
	})
	return turns, err
}

func threadExists(ctx context.Context, tx *sql.Tx, id session.ThreadID) error {
	return exists(ctx, tx, `SELECT 1 FROM threads WHERE id = ?`, "thread", string(id))
}

func turnExists(ctx context.Context, tx *sql.Tx, id session.TurnID) error {
	return exists(ctx, tx, `SELECT 1 FROM turns WHERE id = ?`, "turn", string(id))
}

func exists(ctx context.Context, tx *sql.Tx, query, noun, id string) error {
	var one int
	err := tx.QueryRowContext(ctx, query, id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return notFound(noun, id)
	}
	return err
}
