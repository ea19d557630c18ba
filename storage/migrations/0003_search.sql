-- What an entry shows is of a revision: a number that rises with every change
-- to any entry of the store, so that a reader asks only for what is newer
-- than what it has.
ALTER TABLE entries ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
UPDATE entries SET revision = id;
CREATE INDEX entries_by_revision ON entries (revision);

CREATE TABLE revisions (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    last    INTEGER NOT NULL,
    indexed INTEGER NOT NULL -- what the full-text index has, if there is one
) STRICT;
INSERT INTO revisions SELECT 1, coalesce(max(id), 0), 0 FROM entries;

CREATE TRIGGER entries_added AFTER INSERT ON entries BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE id = NEW.id;
END;
CREATE TRIGGER entries_changed AFTER UPDATE OF text, tool, input, output, failed, outcome ON entries BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE id = NEW.id;
END;

-- A proposal's entry shows what was said about it since.
CREATE TRIGGER answers_added AFTER INSERT ON answers BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE proposal = NEW.proposal;
END;
CREATE TRIGGER answers_removed AFTER DELETE ON answers BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE proposal = OLD.proposal;
END;
CREATE TRIGGER withdrawals_added AFTER INSERT ON withdrawals BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE proposal = NEW.proposal;
END;
CREATE TRIGGER starts_added AFTER INSERT ON starts WHEN NEW.proposal IS NOT NULL BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE proposal = NEW.proposal;
END;
CREATE TRIGGER starts_changed AFTER UPDATE OF step, nonce ON starts WHEN NEW.proposal IS NOT NULL BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE proposal = NEW.proposal;
END;
CREATE TRIGGER starts_removed AFTER DELETE ON starts WHEN OLD.proposal IS NOT NULL BEGIN
    UPDATE revisions SET last = last + 1;
    UPDATE entries SET revision = (SELECT last FROM revisions) WHERE proposal = OLD.proposal;
END;

-- The full-text index itself is made by the first program that has FTS5, and
-- no trigger touches it: a program without FTS5 could then write no entry.
-- What such a program adds is newer than revisions.indexed; what it removes
-- is here until the index has been told.
CREATE TABLE unindexed (id INTEGER NOT NULL PRIMARY KEY) STRICT;
CREATE TRIGGER entries_removed AFTER DELETE ON entries
    WHEN OLD.revision <= (SELECT indexed FROM revisions) BEGIN
    INSERT INTO unindexed (id) VALUES (OLD.id);
END;

-- The words that an entry is found by. A proposal's are not those of its JSON.
CREATE VIEW searchable (id, thread, revision, at, kind, words) AS
    SELECT id, thread, revision, at, kind, CASE
        WHEN kind <> 'proposal' THEN concat_ws(char(10), nullif(text, ''), nullif(tool, ''), nullif(input, ''), nullif(output, ''), nullif(outcome, ''))
        WHEN json_valid(input) THEN concat_ws(char(10), input ->> 'title', input ->> 'summary', input ->> 'rationale', input ->> 'prompt')
        ELSE '' END
    FROM entries;
