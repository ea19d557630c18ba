package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"aside/session"
)

// A thread comes with its turn: the one that runs, else the next one queued.
const selectThread = `SELECT t.id, t.title, t.agent, t.model, t.state, t.state_source, t.state_at, t.needs_you,
		t.project, t.cwd, t.checkout_mode, t.checkout_path, t.checkout_branch, t.checkout_base,
		t.proposed_by_thread, t.proposed_by_proposal, t.draft, t.problem, t.created_at,
		t.session_id, t.exit_code, t.live, t.archived,
		coalesce(u.id, ''), coalesce(u.origin, ''), coalesce(u.dispatched_at, 0), coalesce(u.delivered_at, 0)
	FROM threads t LEFT JOIN turns u ON u.seq = (
		SELECT seq FROM turns WHERE thread = t.id AND ended_at = 0
		ORDER BY dispatched_at = 0, CASE WHEN dispatched_at = 0 THEN seq ELSE -seq END LIMIT 1) `

func scanThread(row interface{ Scan(...any) error }) (session.Thread, error) {
	var t session.Thread
	var turn session.Turn
	var lineage session.Lineage
	var stateAt, createdAt, dispatchedAt, deliveredAt int64
	err := row.Scan(&t.ID, &t.Title, &t.Agent, &t.Model, &t.State, &t.StateSource, &stateAt, &t.NeedsYou,
		&t.Project, &t.Cwd, &t.Checkout.Mode, &t.Checkout.Path, &t.Checkout.Branch, &t.Checkout.Base,
		&lineage.Thread, &lineage.Proposal, &t.Draft, &t.Problem, &createdAt,
		&t.SessionID, &t.ExitCode, &t.Live, &t.Archived,
		&turn.ID, &turn.Origin, &dispatchedAt, &deliveredAt)
	if err != nil {
		return session.Thread{}, err
	}
	t.StateAt, t.CreatedAt = instant(stateAt), instant(createdAt)
	if lineage != (session.Lineage{}) {
		t.ProposedBy = &lineage
	}
	if turn.ID != "" {
		turn.StartedAt = instant(dispatchedAt)
		if deliveredAt != 0 {
			turn.StartedAt = instant(deliveredAt)
		}
		t.Turn = &turn
	}
	return t, nil
}

// AddThread records a thread as it is given, its turn left out.
func (db *DB) AddThread(ctx context.Context, t session.Thread) error {
	return db.update(ctx, "add thread", func(tx *sql.Tx) error { return addThread(ctx, tx, t) })
}

func addThread(ctx context.Context, tx *sql.Tx, t session.Thread) error {
	if err := noteProject(ctx, tx, t.Project, t.CreatedAt); err != nil {
		return err
	}
	var by session.Lineage
	if t.ProposedBy != nil {
		by = *t.ProposedBy
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO threads (id, title, agent, model, state, state_source, state_at, needs_you,
			project, cwd, checkout_mode, checkout_path, checkout_branch, checkout_base,
			proposed_by_thread, proposed_by_proposal, draft, problem, created_at, session_id, exit_code, live, archived)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.ID, t.Title, t.Agent, t.Model, t.State, t.StateSource, nanos(t.StateAt), t.NeedsYou,
		t.Project, t.Cwd, t.Checkout.Mode, t.Checkout.Path, t.Checkout.Branch, t.Checkout.Base,
		by.Thread, by.Proposal, t.Draft, t.Problem, nanos(t.CreatedAt), t.SessionID, t.ExitCode, t.Live, t.Archived)
	return err
}

// Thread returns the thread with the id; CodeNotFound when there is none.
// Its turn is the one that runs, else the next one queued, which has no
// start yet; an ended turn is no turn.
func (db *DB) Thread(ctx context.Context, id session.ThreadID) (t session.Thread, err error) {
	err = db.view(ctx, "read thread", func(tx *sql.Tx) error {
		t, err = thread(ctx, tx, id)
		return err
	})
	return t, err
}

func thread(ctx context.Context, tx *sql.Tx, id session.ThreadID) (session.Thread, error) {
	t, err := scanThread(tx.QueryRowContext(ctx, selectThread+`WHERE t.id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return t, notFound("thread", string(id))
	}
	return t, err
}

// FindThread returns the thread whose id begins with prefix: CodeNotFound
// when there is none, CodeUsage, naming them, when there are several.
func (db *DB) FindThread(ctx context.Context, prefix string) (session.Thread, error) {
	prefix, end, err := prefixRange("thread", prefix)
	if err != nil {
		return session.Thread{}, err
	}
	var found []session.Thread
	err = db.view(ctx, "find thread", func(tx *sql.Tx) error {
		found, err = threads(ctx, tx, `WHERE t.id >= ? AND t.id < ? ORDER BY t.id LIMIT ?`, prefix, end, candidates)
		return err
	})
	if err != nil {
		return session.Thread{}, err
	}
	return only("thread", prefix, found, func(t session.Thread) (string, string) { return string(t.ID), t.Title })
}

// ProjectThreads returns the threads of the project's folder, "" for all
// projects, the newest first; archived ones only when asked for.
func (db *DB) ProjectThreads(ctx context.Context, project string, archived bool) (all []session.Thread, err error) {
	where, args := `WHERE `, []any{}
	if project != "" {
		where, args = where+`t.project = ? AND `, append(args, project)
	}
	if !archived {
		where += `t.archived = 0 AND `
	}
	err = db.view(ctx, "list threads", func(tx *sql.Tx) error {
		all, err = threads(ctx, tx, where+`true ORDER BY t.created_at DESC, t.rowid DESC`, args...)
		return err
	})
	return all, err
}

// ScreenThreads returns the threads that the screen of the project has, the
// newest first: the project's own, archived ones too, those of other projects
// that are live or need the person, and the one that it shows wherever that
// is.
func (db *DB) ScreenThreads(ctx context.Context, project string, shown session.ThreadID) (all []session.Thread, err error) {
	err = db.view(ctx, "list threads", func(tx *sql.Tx) error {
		// Each of the conditions has an index.
		all, err = threads(ctx, tx, `WHERE t.project = ? OR t.id = ? OR t.live = 1 OR t.needs_you = 1
			ORDER BY t.created_at DESC, t.rowid DESC`, project, shown)
		return err
	})
	return all, err
}

// LiveThreads returns the threads of the project's folder, "" for all projects,
// that a helper hosts, as far as the store knows, the newest first.
func (db *DB) LiveThreads(ctx context.Context, project string) (all []session.Thread, err error) {
	err = db.view(ctx, "list threads", func(tx *sql.Tx) error {
		all, err = threads(ctx, tx, `WHERE t.live = 1 AND ? IN ('', t.project) ORDER BY t.created_at DESC, t.rowid DESC`, project)
		return err
	})
	return all, err
}

func threads(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]session.Thread, error) {
	rows, err := tx.QueryContext(ctx, selectThread+where, args...)
	return collect(rows, err, func(rows *sql.Rows) (session.Thread, error) { return scanThread(rows) })
}

// SetTitle renames the thread.
func (db *DB) SetTitle(ctx context.Context, id session.ThreadID, title string) error {
	return db.setThread(ctx, "rename thread", id, `title = ?`, title)
}

// SetStatus records what the thread's agent is doing.
func (db *DB) SetStatus(ctx context.Context, id session.ThreadID, s session.Status, needsYou bool) error {
	return db.setThread(ctx, "set thread's state", id, `state = ?, state_source = ?, state_at = ?, needs_you = ?`,
		s.State, s.Source, nanos(s.At), needsYou)
}

// setCheckout records where the thread's files are and the folder its agent
// runs in.
func setCheckout(ctx context.Context, tx *sql.Tx, id session.ThreadID, c session.Checkout, cwd string) error {
	return setThread(ctx, tx, id, `checkout_mode = ?, checkout_path = ?, checkout_branch = ?, checkout_base = ?, cwd = ?`,
		c.Mode, c.Path, c.Branch, c.Base, cwd)
}

// SetDraft keeps what the person has typed and not sent.
func (db *DB) SetDraft(ctx context.Context, id session.ThreadID, draft string) error {
	return db.setThread(ctx, "keep draft", id, `draft = ?`, draft)
}

// SetProblem sets the sentence shown on the thread; "" takes it away.
func (db *DB) SetProblem(ctx context.Context, id session.ThreadID, problem string) error {
	return db.setThread(ctx, "set thread's problem", id, `problem = ?`, problem)
}

// SetSession records the agent's own id of the conversation.
func (db *DB) SetSession(ctx context.Context, id session.ThreadID, sessionID string) error {
	return db.setThread(ctx, "set thread's conversation", id, `session_id = ?`, sessionID)
}

// SetLive records whether a helper hosts the thread. One that goes live is not
// archived any more.
func (db *DB) SetLive(ctx context.Context, id session.ThreadID, live bool) error {
	return db.setThread(ctx, "set thread live", id, `live = ?, archived = archived AND NOT ?`, live, live)
}

// SetBegun takes away what the end of the thread's agent before has left.
func (db *DB) SetBegun(ctx context.Context, id session.ThreadID) error {
	return db.setThread(ctx, "record agent's start", id, `problem = '', exit_code = NULL`)
}

// SetEnded records that the thread's agent has ended: its state, its exit
// status and, if there is one, the problem. Who sees one of them sees all.
func (db *DB) SetEnded(ctx context.Context, id session.ThreadID, s session.Status, code int, problem string) error {
	return db.setThread(ctx, "record agent's end", id,
		`state = ?, state_source = ?, state_at = ?, needs_you = 0, exit_code = ?, problem = CASE ? WHEN '' THEN problem ELSE ? END`,
		s.State, s.Source, nanos(s.At), code, problem, problem)
}

// Archive takes the thread off the ordinary list, or puts it back.
func (db *DB) Archive(ctx context.Context, id session.ThreadID, archived bool) error {
	return db.setThread(ctx, "archive thread", id, `archived = ?`, archived)
}

func (db *DB) setThread(ctx context.Context, what string, id session.ThreadID, set string, args ...any) error {
	return db.update(ctx, what, func(tx *sql.Tx) error { return setThread(ctx, tx, id, set, args...) })
}

func setThread(ctx context.Context, tx *sql.Tx, id session.ThreadID, set string, args ...any) error {
	res, err := tx.ExecContext(ctx, `UPDATE threads SET `+set+` WHERE id = ?`, append(args, id)...)
	return oneChanged(res, err, "thread", string(id))
}

// EndedUnseen records what is true of a live thread whose helper is gone
// without a word: it is not live, its agent has failed with the problem, the
// turn that ran has ended, and a prompt that was on its way was not
// delivered. It does nothing to a thread that is not live.
func (db *DB) EndedUnseen(ctx context.Context, id session.ThreadID, problem string, at time.Time) error {
	return db.update(ctx, "record helper's end", func(tx *sql.Tx) error {
		t, err := thread(ctx, tx, id)
		if err != nil || !t.Live {
			return err
		}
		if err := setThread(ctx, tx, id, `live = 0, state = ?, state_source = ?, state_at = ?, needs_you = 0, problem = ?`,
			session.StateFailed, session.SourceProcess, nanos(at), problem); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT id FROM turns
			WHERE thread = ? AND ended_at = 0 AND dispatched_at <> 0 AND delivered_at = 0 ORDER BY seq DESC`, id)
		underWay, err := collect(rows, err, func(rows *sql.Rows) (turn session.TurnID, err error) {
			err = rows.Scan(&turn)
			return turn, err
		})
		if err != nil {
			return err
		}
		for _, turn := range underWay {
			if err := failTurn(ctx, tx, turn, problem, at); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE turns SET ended_at = ? WHERE thread = ? AND ended_at = 0 AND delivered_at <> 0`, nanos(at), id)
		return err
	})
}

// DeleteThread removes the thread with its transcript, its turns, its offers
// and the answers to them. Where another thread offered what this one did,
// that answer stays: the question is not put again
// (contracts/proposed-threads.md, States). A start of this thread that is
// under way has lost its claim.
func (db *DB) DeleteThread(ctx context.Context, id session.ThreadID) error {
	return db.update(ctx, "delete thread", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM starts WHERE thread = ?`, id); err != nil {
			return err
		}
		// The rest hangs on the thread by ON DELETE CASCADE.
		res, err := tx.ExecContext(ctx, `DELETE FROM threads WHERE id = ?`, id)
		return oneChanged(res, err, "thread", string(id))
	})
}

// oneChanged says that there is no such thing when nothing was changed.
func oneChanged(res sql.Result, err error, noun, id string) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return notFound(noun, id)
}

// candidates is how many things an ambiguous prefix names at most.
const candidates = 6

// prefixRange returns the prefix as ids are written and the first string
// after all those that begin with it.
func prefixRange(noun, prefix string) (begin, end string, err error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	if prefix == "" {
		return "", "", &session.Error{Code: session.CodeUsage, Message: "the " + noun + " has to be named", Hint: "give its id, or the beginning of it"}
	}
	last := len(prefix) - 1
	if prefix[last] == 0xff { // no id holds such a byte
		return "", "", notFound(noun, prefix)
	}
	return prefix, prefix[:last] + string([]byte{prefix[last] + 1}), nil
}

// only returns what was found by a prefix when it is one thing, or when its
// id is the whole prefix.
func only[T any](noun, prefix string, found []T, name func(T) (id, title string)) (T, error) {
	var none T
	if len(found) == 0 {
		return none, notFound(noun, prefix)
	}
	if id, _ := name(found[0]); len(found) == 1 || id == prefix {
		return found[0], nil
	}
	var names []string
	for i, f := range found {
		if i == candidates-1 {
			names = append(names, "…")
			break
		}
		id, title := name(f)
		names = append(names, fmt.Sprintf("%s (%s)", id, session.CleanLine(title)))
	}
	return none, &session.Error{
		Code:    session.CodeUsage,
		Message: fmt.Sprintf("%s is the beginning of several %ss: %s", session.MarkLine(prefix), noun, strings.Join(names, ", ")),
		Hint:    "give more of the id",
	}
}
