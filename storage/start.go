package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"aside/proposals"
	"aside/session"
)

// start is a row of starts: the start and the turn its prompt was queued as.
type start struct {
	proposals.Start
	turn session.TurnID
}

const selectStart = `SELECT thread, "order", step, pid, stamp, nonce, mode, path, branch, base, cwd, turn FROM starts `

func scanStart(row interface{ Scan(...any) error }) (start, error) {
	var s start
	var order string
	err := row.Scan(&s.Thread, &order, &s.Step, &s.Taker.PID, &s.Taker.Stamp, &s.Taker.Nonce,
		&s.Checkout.Mode, &s.Checkout.Path, &s.Checkout.Branch, &s.Checkout.Base, &s.Cwd, &s.turn)
	if err != nil {
		return start{}, err
	}
	if err := json.Unmarshal([]byte(order), &s.Order); err != nil {
		return start{}, fmt.Errorf("read order of thread %s: %w", s.Thread, err)
	}
	return s, nil
}

// findStart returns the start that the condition names, and whether there is
// one.
func findStart(ctx context.Context, tx *sql.Tx, where string, arg any) (start, bool, error) {
	s, err := scanStart(tx.QueryRowContext(ctx, selectStart+where, arg))
	if errors.Is(err, sql.ErrNoRows) {
		return start{}, false, nil
	}
	return s, err == nil, err
}

// held says that somebody has the start and it has not ended.
func (s start) held() bool { return s.Taker != (proposals.Taker{}) && !s.Step.Ended() }

// Take implements proposals.Store.
func (db *DB) Take(ctx context.Context, order proposals.Order, fresh session.ThreadID, by proposals.Taker, at time.Time, dead func(proposals.Taker) bool) (taken proposals.Start, err error) {
	if by.Nonce == "" {
		return taken, errors.New("take start: the taker has no nonce")
	}
	err = db.update(ctx, "take start", func(tx *sql.Tx) error {
		var earlier start
		if order.Proposal != "" {
			earlier, err = db.takeProposal(ctx, tx, order.Proposal, dead)
		} else {
			earlier, err = takeThread(ctx, tx, order.Thread, dead)
		}
		if err != nil {
			return err
		}
		taken = proposals.Start{Thread: fresh, Order: order, Step: proposals.StepTaken, Taker: by}
		if earlier.Thread != "" {
			taken.Thread, taken.Checkout, taken.Cwd = earlier.Thread, earlier.Checkout, earlier.Cwd
		}
		return insertStart(ctx, tx, taken, at)
	})
	return taken, err
}

// takeProposal checks that the proposal may be started and returns the start
// to go on with, which is empty when there is none.
func (db *DB) takeProposal(ctx context.Context, tx *sql.Tx, id session.ProposalID, dead func(proposals.Taker) bool) (start, error) {
	p, row, err := db.oneProposal(ctx, tx, id)
	if err != nil {
		return start{}, err
	}
	if p.Starting && !proposals.Step(row.step.String).Prompted() && dead(row.holder()) {
		p.Starting = false
	}
	if err := proposals.MayStart(p); err != nil {
		return start{}, err
	}
	earlier, found, err := findStart(ctx, tx, `WHERE proposal = ?`, id)
	if err != nil || !found {
		return start{}, err
	}
	// The thread may be gone, or have begun on another road.
	var empty bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM threads WHERE id = ?1)
		AND NOT EXISTS (SELECT 1 FROM turns WHERE thread = ?1)`, earlier.Thread).Scan(&empty)
	if err != nil || !empty {
		return start{}, err
	}
	return earlier, nil
}

// takeThread checks that the thread, if one is named, may be started with
// the composer's first message.
func takeThread(ctx context.Context, tx *sql.Tx, id session.ThreadID, dead func(proposals.Taker) bool) (start, error) {
	if id == "" {
		return start{}, nil
	}
	if err := threadExists(ctx, tx, id); err != nil {
		return start{}, err
	}
	earlier, found, err := findStart(ctx, tx, `WHERE thread = ?`, id)
	if err != nil {
		return start{}, err
	}
	if found && earlier.held() && !dead(earlier.Taker) {
		return start{}, proposals.ErrStarting
	}
	var begun bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM turns WHERE thread = ?)`, id).Scan(&begun); err != nil {
		return start{}, err
	}
	if begun {
		return start{}, proposals.ErrNotEmpty
	}
	earlier.Thread = id
	return earlier, nil
}

// insertStart writes the start in the place of an earlier one of the same
// thread or the same proposal.
func insertStart(ctx context.Context, tx *sql.Tx, s proposals.Start, at time.Time) error {
	order, err := json.Marshal(s.Order)
	if err != nil {
		return fmt.Errorf("write order: %w", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO starts
			(thread, proposal, "order", step, pid, stamp, nonce, mode, path, branch, base, cwd, changed_at)
		VALUES (?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.Thread, s.Order.Proposal, string(order), s.Step, s.Taker.PID, s.Taker.Stamp, s.Taker.Nonce,
		s.Checkout.Mode, s.Checkout.Path, s.Checkout.Branch, s.Checkout.Base, s.Cwd, nanos(at))
	return err
}

// step runs fn on the stored start while s.Taker holds it, and it is at one
// of the steps from; then it is at the step that fn returns. A start that
// has ended is held by nobody.
func (db *DB) step(ctx context.Context, what string, s proposals.Start, at time.Time, from []proposals.Step,
	fn func(tx *sql.Tx, s start) (proposals.Step, error),
) error {
	return db.update(ctx, what, func(tx *sql.Tx) error {
		stored, found, err := findStart(ctx, tx, `WHERE thread = ?`, s.Thread)
		if err != nil {
			return err
		}
		if !found || !stored.held() || stored.Taker != s.Taker {
			return proposals.ErrLost
		}
		if !slices.Contains(from, stored.Step) {
			return fmt.Errorf("the start of thread %s is at step %s", s.Thread, stored.Step)
		}
		next, err := fn(tx, stored)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE starts SET step = ?, changed_at = ? WHERE thread = ?`, next, nanos(at), s.Thread); err != nil {
			return err
		}
		if next.Ended() {
			return release(ctx, tx, s.Thread)
		}
		return nil
	})
}

// release makes nobody the holder of the thread's start.
func release(ctx context.Context, tx *sql.Tx, id session.ThreadID) error {
	_, err := tx.ExecContext(ctx, `UPDATE starts SET pid = 0, stamp = '', nonce = '' WHERE thread = ?`, id)
	return err
}

// CreateThread implements proposals.Store.
func (db *DB) CreateThread(ctx context.Context, s proposals.Start, at time.Time) error {
	return db.step(ctx, "create thread", s, at, []proposals.Step{proposals.StepTaken}, func(tx *sql.Tx, s start) (proposals.Step, error) {
		return proposals.StepCreated, createThread(ctx, tx, s, at)
	})
}

func createThread(ctx context.Context, tx *sql.Tx, s start, at time.Time) error {
	err := setThread(ctx, tx, s.Thread, `title = ?, agent = ?, model = ?, problem = '', state = ?, state_source = ?, state_at = ?`,
		s.Order.Title, s.Order.Agent, s.Order.Model, session.StateStarting, session.SourceProcess, nanos(at))
	if session.CodeOf(err) != session.CodeNotFound {
		return err
	}
	t := session.Thread{
		ID: s.Thread, Title: s.Order.Title, Agent: s.Order.Agent, Model: s.Order.Model, Project: s.Order.Project,
		State: session.StateStarting, StateSource: session.SourceProcess, StateAt: at, CreatedAt: at,
	}
	if s.Order.Proposal != "" {
		t.ProposedBy = &session.Lineage{Thread: s.Order.ProposedIn, Proposal: s.Order.Proposal}
	}
	return addThread(ctx, tx, t)
}

// RecordGrant implements proposals.Store.
func (db *DB) RecordGrant(ctx context.Context, s proposals.Start, checkout session.Checkout, cwd string, at time.Time) error {
	from := []proposals.Step{proposals.StepCreated, proposals.StepGranted}
	return db.step(ctx, "record checkout", s, at, from, func(tx *sql.Tx, s start) (proposals.Step, error) {
		if err := setCheckout(ctx, tx, s.Thread, checkout, cwd); err != nil {
			return "", err
		}
		_, err := tx.ExecContext(ctx, `UPDATE starts SET mode = ?, path = ?, branch = ?, base = ?, cwd = ? WHERE thread = ?`,
			checkout.Mode, checkout.Path, checkout.Branch, checkout.Base, cwd, s.Thread)
		return proposals.StepGranted, err
	})
}

// RecordPrompt implements proposals.Store.
func (db *DB) RecordPrompt(ctx context.Context, s proposals.Start, turn session.TurnID, at time.Time) error {
	return db.step(ctx, "record prompt", s, at, []proposals.Step{proposals.StepGranted}, func(tx *sql.Tx, s start) (proposals.Step, error) {
		err := queueTurn(ctx, tx, Turn{
			ID: turn, Thread: s.Thread, Origin: session.OriginHuman,
			Prompt: s.Order.Prompt, Author: s.Order.Author,
		}, at)
		if err != nil {
			return "", err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE threads SET draft = '' WHERE id = ? AND draft = ?`, s.Thread, s.Order.Prompt); err != nil {
			return "", err
		}
		_, err = tx.ExecContext(ctx, `UPDATE starts SET turn = ? WHERE thread = ?`, turn, s.Thread)
		return proposals.StepPrompted, err
	})
}

// RecordStarted implements proposals.Store.
func (db *DB) RecordStarted(ctx context.Context, s proposals.Start, at time.Time) error {
	return db.step(ctx, "record start", s, at, []proposals.Step{proposals.StepPrompted}, func(tx *sql.Tx, s start) (proposals.Step, error) {
		if s.Order.Proposal == "" {
			return proposals.StepStarted, nil
		}
		p, _, err := db.oneProposal(ctx, tx, s.Order.Proposal)
		if session.CodeOf(err) == session.CodeNotFound { // gone with its thread
			return proposals.StepStarted, nil
		}
		if err != nil {
			return "", err
		}
		return proposals.StepStarted, answer(ctx, tx, p.Thread, p.ID, session.ProposalStarted, s.Thread, s.Checkout.Mode, at)
	})
}

// MarkDispatched implements proposals.Store.
func (db *DB) MarkDispatched(ctx context.Context, s proposals.Start, at time.Time) error {
	return db.step(ctx, "record dispatch", s, at, []proposals.Step{proposals.StepStarted}, func(*sql.Tx, start) (proposals.Step, error) {
		return proposals.StepDispatched, nil
	})
}

// Fail implements proposals.Store.
func (db *DB) Fail(ctx context.Context, s proposals.Start, reason string, keepDraft bool, at time.Time) error {
	from := []proposals.Step{proposals.StepTaken, proposals.StepCreated, proposals.StepGranted}
	return db.step(ctx, "record failed start", s, at, from, func(tx *sql.Tx, s start) (proposals.Step, error) {
		err := threadExists(ctx, tx, s.Thread)
		if session.CodeOf(err) == session.CodeNotFound {
			if !keepDraft { // there is no prompt that needs a place
				return s.Step, release(ctx, tx, s.Thread)
			}
			err = createThread(ctx, tx, s, at)
		}
		if err != nil {
			return "", err
		}
		if keepDraft {
			err = giveBack(ctx, tx, s.Thread, s.Order.Prompt, reason)
		} else {
			err = setThread(ctx, tx, s.Thread, `problem = ?`, reason)
		}
		if err != nil {
			return "", err
		}
		if err := notStarted(ctx, tx, s.Thread, reason, at); err != nil {
			return "", err
		}
		return s.Step, release(ctx, tx, s.Thread)
	})
}

// notStarted ends the state that a start gave its thread.
func notStarted(ctx context.Context, tx *sql.Tx, id session.ThreadID, reason string, at time.Time) error {
	state := session.StateFailed
	if reason == "" {
		state = session.StateIdle
	}
	_, err := tx.ExecContext(ctx, `UPDATE threads SET state = ?, state_at = ? WHERE id = ? AND state = ?`,
		state, nanos(at), id, session.StateStarting)
	return err
}

// Undelivered implements proposals.Store.
func (db *DB) Undelivered(ctx context.Context, s proposals.Start, reason string, at time.Time) error {
	from := []proposals.Step{proposals.StepPrompted, proposals.StepStarted}
	return db.step(ctx, "record undelivered prompt", s, at, from, func(tx *sql.Tx, s start) (proposals.Step, error) {
		var dispatched bool
		if err := tx.QueryRowContext(ctx, `SELECT dispatched_at <> 0 FROM turns WHERE id = ?`, s.turn).Scan(&dispatched); err != nil {
			return "", err
		}
		if dispatched {
			return proposals.StepDispatched, nil
		}
		if err := failTurn(ctx, tx, s.turn, reason, at); err != nil {
			return "", err
		}
		return proposals.StepUndelivered, notStarted(ctx, tx, s.Thread, reason, at)
	})
}

// Unfinished implements proposals.Store.
func (db *DB) Unfinished(ctx context.Context) ([]proposals.Start, error) {
	var all []proposals.Start
	err := db.view(ctx, "list starts", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, selectStart+`WHERE nonce <> '' ORDER BY changed_at, thread`)
		held, err := collect(rows, err, func(rows *sql.Rows) (start, error) { return scanStart(rows) })
		for _, s := range held {
			if s.held() {
				all = append(all, s.Start)
			}
		}
		return err
	})
	return all, err
}

// TakeOver implements proposals.Store.
func (db *DB) TakeOver(ctx context.Context, s proposals.Start, by proposals.Taker) (taken proposals.Start, err error) {
	if by.Nonce == "" {
		return taken, errors.New("take over start: the taker has no nonce")
	}
	err = db.update(ctx, "take over start", func(tx *sql.Tx) error {
		stored, found, err := findStart(ctx, tx, `WHERE thread = ?`, s.Thread)
		if err != nil {
			return err
		}
		if !found || !stored.held() || stored.Taker != s.Taker {
			return proposals.ErrLost
		}
		taken = stored.Start
		taken.Taker = by
		_, err = tx.ExecContext(ctx, `UPDATE starts SET pid = ?, stamp = ?, nonce = ? WHERE thread = ?`, by.PID, by.Stamp, by.Nonce, s.Thread)
		return err
	})
	return taken, err
}

// StartOf implements proposals.Store.
func (db *DB) StartOf(ctx context.Context, id session.ThreadID) (proposals.Start, error) {
	var s start
	err := db.view(ctx, "read start", func(tx *sql.Tx) error {
		var found bool
		var err error
		if s, found, err = findStart(ctx, tx, `WHERE thread = ?`, id); err == nil && !found {
			err = notFound("start of thread", string(id))
		}
		return err
	})
	return s.Start, err
}
