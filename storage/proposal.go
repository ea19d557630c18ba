package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/transcript"
)

var _ proposals.Store = (*DB)(nil)

// A proposal is an entry e of its thread's transcript, with what others have
// said about it since.
const (
	proposalColumns = `e.thread, e.call_id, e.input, e.at, e.proposal,
		a.status, a.started_thread, a.checkout_mode, a.decided_at, w.at,
		s.step, s.pid, s.stamp, s.nonce`
	proposalAnswer = `LEFT JOIN answers a ON a.thread = e.thread AND a.proposal = e.proposal
		LEFT JOIN withdrawals w ON w.thread = e.thread AND w.proposal = e.proposal
		LEFT JOIN starts s ON s.proposal = e.proposal `
	// stands keeps what has no answer, or one that is not understood, and
	// has not been withdrawn.
	stands = `(a.status IS NULL OR a.status NOT IN ('started', 'dismissed')) AND w.at IS NULL`
)

// proposalRow is what proposalColumns hold.
type proposalRow struct {
	thread        session.ThreadID
	callID, input string
	at            int64
	id            sql.NullString
	status        sql.NullString
	startedThread sql.NullString
	mode          sql.NullString
	decidedAt     sql.NullInt64
	withdrawnAt   sql.NullInt64
	step          sql.NullString
	pid           sql.NullInt64
	stamp, nonce  sql.NullString
}

func (r *proposalRow) columns() []any {
	return []any{
		&r.thread, &r.callID, &r.input, &r.at, &r.id,
		&r.status, &r.startedThread, &r.mode, &r.decidedAt, &r.withdrawnAt,
		&r.step, &r.pid, &r.stamp, &r.nonce,
	}
}

// holder returns who holds the start that names the proposal.
func (r *proposalRow) holder() proposals.Taker {
	return proposals.Taker{PID: int(r.pid.Int64), Stamp: r.stamp.String, Nonce: r.nonce.String}
}

// proposal makes the proposal of a row, which is checked: what the decoder
// would not let through is no proposal, an answer that is not understood is
// no answer, and both are logged (contracts/proposed-threads.md, States).
func (db *DB) proposal(r proposalRow) (session.Proposal, bool) {
	offer, err := proposals.Decode([]byte(r.input))
	if err != nil {
		db.log.Warn("a stored proposal is not valid", "proposal", r.id.String, "error", err)
		return session.Proposal{}, false
	}
	p := offer.Proposal(r.thread, r.callID, instant(r.at))
	p.ID = session.ProposalID(r.id.String)
	p.Withdrawn = r.withdrawnAt.Valid
	switch state := session.ProposalState(r.status.String); {
	case !r.status.Valid:
	case state == session.ProposalStarted:
		p.State, p.StartedThread = state, session.ThreadID(r.startedThread.String)
		p.CheckoutMode = checkoutMode(r.mode.String)
		p.DecidedAt = instant(r.decidedAt.Int64)
	case state == session.ProposalDismissed:
		p.State, p.DecidedAt = state, instant(r.decidedAt.Int64)
	default:
		db.log.Warn("a stored answer has an unknown status; the proposal counts as standing",
			"proposal", r.id.String, "status", r.status.String)
	}
	step := proposals.Step(r.step.String)
	p.Starting = p.State == session.ProposalStanding && r.nonce.String != "" &&
		step != proposals.StepStarted && !step.Ended()
	return p, true
}

// checkoutMode reads a mode that is not understood as not known.
func checkoutMode(s string) session.CheckoutMode {
	switch mode := session.CheckoutMode(s); mode {
	case session.CheckoutShared, session.CheckoutWorktree:
		return mode
	default:
		return session.CheckoutUnknown
	}
}

// Offer implements proposals.Store.
func (db *DB) Offer(ctx context.Context, p session.Proposal, foldKey string, most int) (result proposals.OfferResult, id session.ProposalID, err error) {
	err = db.update(ctx, "record offer", func(tx *sql.Tx) error {
		result, id, err = offer(ctx, tx, p, foldKey, most)
		return err
	})
	return result, id, err
}

func offer(ctx context.Context, tx *sql.Tx, p session.Proposal, foldKey string, most int) (proposals.OfferResult, session.ProposalID, error) {
	t, err := thread(ctx, tx, p.Thread)
	if err != nil {
		return "", "", err
	}
	sum := sha256.Sum256([]byte(foldKey))
	folded := hex.EncodeToString(sum[:])
	var same session.ProposalID
	err = tx.QueryRowContext(ctx, `SELECT e.proposal FROM entries e
			LEFT JOIN withdrawals w ON w.thread = e.thread AND w.proposal = e.proposal
		WHERE e.thread = ?1 AND e.proposal IS NOT NULL AND (e.call_id = ?2 OR e.fold = ?3 AND w.at IS NULL)
		ORDER BY e.call_id = ?2 DESC, e.id LIMIT 1`, p.Thread, p.CallID, folded).Scan(&same)
	if err == nil {
		return proposals.OfferFolded, same, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return "", "", err
	}
	var standing int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM entries e `+proposalAnswer+`
		WHERE e.thread = ? AND e.proposal IS NOT NULL AND `+stands, p.Thread).Scan(&standing); err != nil {
		return "", "", err
	}
	if standing >= most {
		return proposals.OfferFull, "", nil
	}
	arguments, err := proposals.Arguments(p)
	if err != nil {
		return "", "", fmt.Errorf("write arguments: %w", err)
	}
	var turn session.TurnID
	if t.Turn != nil {
		turn = t.Turn.ID
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO entries (thread, turn, at, kind, call_id, input, proposal, fold)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		p.Thread, turn, nanos(p.OfferedAt), transcript.KindProposal, p.CallID, string(arguments), p.ID, folded)
	return proposals.OfferAdded, p.ID, err
}

// Proposal implements proposals.Store.
func (db *DB) Proposal(ctx context.Context, id session.ProposalID) (p session.Proposal, err error) {
	err = db.view(ctx, "read proposal", func(tx *sql.Tx) error {
		p, _, err = db.oneProposal(ctx, tx, id)
		return err
	})
	return p, err
}

// oneProposal returns the proposal and who holds a start of it.
func (db *DB) oneProposal(ctx context.Context, tx *sql.Tx, id session.ProposalID) (session.Proposal, proposalRow, error) {
	var row proposalRow
	err := tx.QueryRowContext(ctx, `SELECT `+proposalColumns+` FROM entries e `+proposalAnswer+`WHERE e.proposal = ?`, id).
		Scan(row.columns()...)
	if errors.Is(err, sql.ErrNoRows) {
		return session.Proposal{}, row, notFound("proposal", string(id))
	}
	if err != nil {
		return session.Proposal{}, row, err
	}
	p, ok := db.proposal(row)
	if !ok {
		return p, row, notFound("proposal", string(id))
	}
	return p, row, nil
}

// FindProposal implements proposals.Store.
func (db *DB) FindProposal(ctx context.Context, prefix string) (session.Proposal, error) {
	prefix, end, err := prefixRange("proposal", prefix)
	if err != nil {
		return session.Proposal{}, err
	}
	var found []session.Proposal
	err = db.view(ctx, "find proposal", func(tx *sql.Tx) error {
		found, err = db.proposals(ctx, tx, `e.proposal >= ? AND e.proposal < ? ORDER BY e.proposal LIMIT ?`, prefix, end, candidates)
		return err
	})
	if err != nil {
		return session.Proposal{}, err
	}
	return only("proposal", prefix, found, func(p session.Proposal) (string, string) { return string(p.ID), p.Title })
}

// Proposals implements proposals.Store.
func (db *DB) Proposals(ctx context.Context, f proposals.Filter) (all []session.Proposal, err error) {
	where, args := `e.proposal IS NOT NULL`, []any{}
	if f.Thread != "" {
		where, args = where+` AND e.thread = ?`, append(args, f.Thread)
	}
	if !f.All {
		where += ` AND ` + stands
	}
	err = db.view(ctx, "list proposals", func(tx *sql.Tx) error {
		all, err = db.proposals(ctx, tx, where+` ORDER BY `+stands+` DESC, e.at DESC, e.id DESC`, args...)
		return err
	})
	return all, err
}

func (db *DB) proposals(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]session.Proposal, error) {
	rows, err := tx.QueryContext(ctx, `SELECT `+proposalColumns+` FROM entries e `+proposalAnswer+`WHERE `+where, args...)
	found, err := collect(rows, err, func(rows *sql.Rows) (row proposalRow, err error) {
		err = rows.Scan(row.columns()...)
		return row, err
	})
	var all []session.Proposal
	for _, row := range found {
		if p, ok := db.proposal(row); ok {
			all = append(all, p)
		}
	}
	return all, err
}

// Withdraw implements proposals.Store.
func (db *DB) Withdraw(ctx context.Context, thread session.ThreadID, id session.ProposalID, at time.Time) (done bool, err error) {
	err = db.update(ctx, "withdraw proposal", func(tx *sql.Tx) error {
		p, _, err := db.oneProposal(ctx, tx, id)
		if err != nil {
			return err
		}
		if p.Thread != thread {
			return notFound("proposal", string(id))
		}
		if p.State != session.ProposalStanding || p.Starting || p.Withdrawn {
			return nil
		}
		done = true
		_, err = tx.ExecContext(ctx, `INSERT INTO withdrawals (thread, proposal, at) VALUES (?, ?, ?)`, thread, id, nanos(at))
		return err
	})
	return done && err == nil, err
}
