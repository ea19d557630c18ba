-- Times are nanoseconds since 1970, 0 for none. '' is no text.

CREATE TABLE projects (
    path       TEXT    NOT NULL PRIMARY KEY,
    opened_at  INTEGER NOT NULL,
    worktrees  INTEGER NOT NULL DEFAULT 1 -- 0: the project says never
) STRICT;

CREATE TABLE threads (
    id                   TEXT    NOT NULL PRIMARY KEY,
    title                TEXT    NOT NULL,
    agent                TEXT    NOT NULL,
    model                TEXT    NOT NULL DEFAULT '',
    state                TEXT    NOT NULL,
    state_source         TEXT    NOT NULL DEFAULT '',
    state_at             INTEGER NOT NULL DEFAULT 0,
    needs_you            INTEGER NOT NULL DEFAULT 0,
    project              TEXT    NOT NULL,
    cwd                  TEXT    NOT NULL DEFAULT '',
    checkout_mode        TEXT    NOT NULL DEFAULT '',
    checkout_path        TEXT    NOT NULL DEFAULT '',
    checkout_branch      TEXT    NOT NULL DEFAULT '',
    checkout_base        TEXT    NOT NULL DEFAULT '',
    proposed_by_thread   TEXT    NOT NULL DEFAULT '', -- outlives that thread
    proposed_by_proposal TEXT    NOT NULL DEFAULT '',
    draft                TEXT    NOT NULL DEFAULT '',
    problem              TEXT    NOT NULL DEFAULT '',
    created_at           INTEGER NOT NULL,
    session_id           TEXT    NOT NULL DEFAULT '',
    exit_code            INTEGER,                     -- NULL: none yet
    live                 INTEGER NOT NULL DEFAULT 0,
    archived             INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX threads_by_project ON threads (project, created_at);
CREATE INDEX threads_by_age ON threads (created_at);

-- A turn's prompt is its prompt entry.
CREATE TABLE turns (
    seq           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    thread        TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    origin        TEXT    NOT NULL,
    author        TEXT    NOT NULL,
    queued_at     INTEGER NOT NULL,
    dispatched_at INTEGER NOT NULL DEFAULT 0,
    delivered_at  INTEGER NOT NULL DEFAULT 0,
    ended_at      INTEGER NOT NULL DEFAULT 0,
    failure       TEXT    NOT NULL DEFAULT '' -- why it was not delivered
) STRICT;
CREATE INDEX turns_by_thread ON turns (thread);
CREATE INDEX turns_open ON turns (thread, seq) WHERE ended_at = 0;

CREATE TABLE entries (
    id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    thread   TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    turn     TEXT    NOT NULL DEFAULT '',
    at       INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    key      TEXT,                    -- NULL: none
    text     TEXT    NOT NULL DEFAULT '',
    origin   TEXT    NOT NULL DEFAULT '',
    tool     TEXT    NOT NULL DEFAULT '',
    call_id  TEXT    NOT NULL DEFAULT '',
    input    TEXT    NOT NULL DEFAULT '', -- a proposal's arguments, as JSON
    output   TEXT    NOT NULL DEFAULT '',
    failed   INTEGER NOT NULL DEFAULT 0,
    decision TEXT    NOT NULL DEFAULT '',
    outcome  TEXT    NOT NULL DEFAULT '',
    depth    INTEGER NOT NULL DEFAULT 0,
    proposal TEXT,                    -- its id, where the kind is proposal
    fold     TEXT                     -- what makes two proposals the same
) STRICT;
CREATE INDEX entries_in_order ON entries (thread, at, id);
CREATE UNIQUE INDEX entries_by_key ON entries (thread, key) WHERE key IS NOT NULL;
CREATE INDEX entries_by_turn ON entries (turn) WHERE kind = 'prompt';
CREATE UNIQUE INDEX entries_by_proposal ON entries (proposal) WHERE proposal IS NOT NULL;
CREATE UNIQUE INDEX entries_by_call ON entries (thread, call_id) WHERE proposal IS NOT NULL;
CREATE INDEX entries_by_fold ON entries (thread, fold) WHERE proposal IS NOT NULL;

-- How far each record that an agent keeps itself has been read.
CREATE TABLE reads (
    thread TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    source TEXT    NOT NULL,
    offset INTEGER NOT NULL,
    PRIMARY KEY (thread, source)
) STRICT;

-- A person's answer to a proposal, on the thread that offered it. No row is
-- no answer. The started thread may be gone; the answer is not.
CREATE TABLE answers (
    thread         TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    proposal       TEXT    NOT NULL,
    status         TEXT    NOT NULL,
    started_thread TEXT,
    checkout_mode  TEXT,              -- NULL: not known
    decided_at     INTEGER NOT NULL,
    PRIMARY KEY (thread, proposal)
) STRICT;

-- An agent's word on its own proposal; no answer.
CREATE TABLE withdrawals (
    thread   TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    proposal TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (thread, proposal)
) STRICT;

-- The walk from an order to a running thread, one for each thread. It begins
-- before its thread is written.
CREATE TABLE starts (
    thread     TEXT    NOT NULL PRIMARY KEY,
    proposal   TEXT,                        -- NULL: the composer's first message
    "order"    TEXT    NOT NULL,            -- JSON
    step       TEXT    NOT NULL,
    pid        INTEGER NOT NULL,
    stamp      TEXT    NOT NULL,
    nonce      TEXT    NOT NULL,            -- '': nobody holds it
    mode       TEXT    NOT NULL DEFAULT '',
    path       TEXT    NOT NULL DEFAULT '',
    branch     TEXT    NOT NULL DEFAULT '',
    base       TEXT    NOT NULL DEFAULT '',
    cwd        TEXT    NOT NULL DEFAULT '',
    turn       TEXT    NOT NULL DEFAULT '',
    changed_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX starts_by_proposal ON starts (proposal) WHERE proposal IS NOT NULL;
CREATE INDEX starts_held ON starts (thread) WHERE nonce <> '';
