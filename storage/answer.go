package storage

import (
	"context"
	"database/sql"
	"time"

	"aside/proposals"
	"aside/session"
)

// Dismiss implements proposals.Store.
func (db *DB) Dismiss(ctx context.Context, id session.ProposalID, at time.Time) error {
	return db.update(ctx, "dismiss proposal", func(tx *sql.Tx) error {
		p, _, err := db.oneProposal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := proposals.MayDismiss(p); err != nil {
			return err
		}
		return answer(ctx, tx, p.Thread, id, session.ProposalDismissed, "", session.CheckoutUnknown, at)
	})
}

// Restore implements proposals.Store.
func (db *DB) Restore(ctx context.Context, id session.ProposalID, _ time.Time) error {
	return db.update(ctx, "restore proposal", func(tx *sql.Tx) error {
		p, _, err := db.oneProposal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := proposals.MayRestore(p); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM answers WHERE thread = ? AND proposal = ?`, p.Thread, id)
		return err
	})
}

// answer records the answer; the last one written counts.
func answer(ctx context.Context, tx *sql.Tx, thread session.ThreadID, id session.ProposalID, state session.ProposalState,
	started session.ThreadID, mode session.CheckoutMode, at time.Time,
) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO answers (thread, proposal, status, started_thread, checkout_mode, decided_at)
		VALUES (?, ?, ?, nullif(?, ''), nullif(?, ''), ?)`, thread, id, state, started, mode, nanos(at))
	return err
}
